"""All check groups, for run.py and for tests."""
import os

from checks import delivery, endings, faults, kit, memory, reports, texts

PARTS = (delivery, texts, faults, memory, endings, reports)  # each adds its groups


def run(sluice, only=""):
    """Prints what is wrong, and last how many groups there were; the exit code."""
    if not os.access(sluice, os.X_OK):
        print(f"{sluice} is not there: build it with 'make build', or name it with --sluice")
        return 2
    results = kit.run_all(os.path.abspath(sluice), only)
    failed = sum(error is not None for error in results.values())
    print(f"{len(results)} groups, {failed} failed")
    return 1 if failed or not results else 0


def listing():
    """CHECKS.md: every group and what it proves."""
    rows = "\n".join(f"| `{each.name}` | {each.proves} |" for each in kit.GROUPS)
    return f"""# Check groups

Each runs the program a few times in a folder of its own. What must come out is made by Python's JSON
decoder and by hand. `run.py --check-only` runs them all; `--only WORD` those with that word in their
name. This page is written by `run.py --list-checks`.

| group | what it proves |
|---|---|
{rows}

{len(kit.GROUPS)} groups.
"""
