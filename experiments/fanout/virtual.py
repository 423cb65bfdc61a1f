"""The same conditions in virtual time, by the flow, the memory and the policies that ship."""
import json
import subprocess


def runs(program, *arguments):
    """One dictionary a run."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, check=True,
                          timeout=1200)
    return [json.loads(line) for line in done.stdout.splitlines()]


def six(program):
    """{(block, condition, policy): run} with what was held over time."""
    found = {}
    for block, what in (("study", "study-six"), ("shipping", "six")):
        for run in runs(program, what, "--series"):
            found[block, run["condition"], run["policy"]] = run
    return found
