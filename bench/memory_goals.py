"""The study's six conditions on shipping blocks and classes: what `auto` holds and copies."""
import json
import subprocess

import data
from system import MIB

QUEUE = 64
RECORDS = {"base": 1024, "mixed": 1024, "metadata": 512}
BODY, TAG = "/body", "/tag"


class Condition:
    """`sinks`: what each takes and how long it holds it, in ms. Limits in MiB, of time in ms."""

    def __init__(self, name, kind, sinks, peak, copied=None, elapsed=None, budget="64MiB"):
        self.name, self.kind, self.sinks, self.budget = name, kind, sinks, budget
        self.limits = {"peak-MiB": peak, "copied-MiB": copied, "ms": elapsed}

    def run(self, bench):
        """One run's {limit's name: figure}, or a string that says what went wrong."""
        source = data.generate(bench.program("sluice-generate"), self.kind, RECORDS[self.kind],
                               bench.data / f"{self.kind}.ndjson")
        report = bench.data / "report.json"
        command = [bench.program("sluice"), "fan", "--budget", self.budget, "--report", report]
        for number, (field, hold) in enumerate(self.sinks):
            options = f"name=s{number} queue={QUEUE}" + (f" delay={hold}ms" if hold else "")
            command += ["--to", f"{field} -> {options} null:"]
        done = subprocess.run([*command, source], stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            return f"exit {done.returncode}"
        said = json.loads(report.read_text())
        if said["outstanding_bytes_at_exit"] != 0:
            return f"{said['outstanding_bytes_at_exit']} bytes outstanding at exit"
        if any(sink["records"] != RECORDS[self.kind] for sink in said["sinks"]):
            return "a sink did not get every record"
        return {"peak-MiB": said["peak_managed_bytes"] / MIB,
                "copied-MiB": said["copied_bytes"] / MIB, "ms": said["elapsed_ms"]}


# A record leaves a sink `hold` after it entered, 64 at a time: 1,024 take 16 x 8 ms.
CONDITIONS = (
    Condition("tags-slow", "base", ((BODY, 0), (TAG, 5), (TAG, 8)), 0.12, 0.055),
    Condition("same-body", "base", ((BODY, 0), (BODY, 5), (BODY, 8)), 2.10, 32.0),
    Condition("mixed-2MiB", "mixed", ((BODY, 0), (TAG, 5), (TAG, 8)), 0.26, 0.1, 16 * 8 + 3,
              "2MiB"),
    Condition("body-slow", "base", ((TAG, 0), (TAG, 5), (BODY, 8)), 2.10),
    Condition("metadata", "metadata", ((BODY, 0), (TAG, 5), (TAG, 8)), 0.08),
    Condition("one-slow", "base", ((TAG, 8),), 0.12),
)


def figures(bench, condition):
    """{limit's name: its figures, one a round}, and what went wrong."""
    runs = [condition.run(bench) for _ in range(bench.rounds)]
    wrong = next((run for run in runs if isinstance(run, str)), None)
    if wrong:
        return {}, wrong
    return {name: [run[name] for run in runs] for name in runs[0]}, None
