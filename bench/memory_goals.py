"""The study's six conditions on shipping blocks and classes: what `auto` holds and copies; and what
comes out in virtual time, exactly: the study's own peaks, small records, drawn conditions."""
import json
import os
import pathlib
import subprocess
import sys

import data
from system import MIB

FANOUT = pathlib.Path(__file__).resolve().parents[1] / "experiments" / "fanout"
sys.path.append(str(FANOUT))
import drawn  # noqa: E402: it lies beside the experiment
import virtual  # noqa: E402

QUEUE = 64
DRAWS = (0, 1)  # of the ten that the experiment takes
DRAWN = 1000    # conditions of a draw
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


def largest_miss(model):
    """By how much the worst of the study's published peaks is missed, of itself."""
    published = json.loads((FANOUT / "plan.json").read_text())["published"]["peak_mib"]
    found = {(run["condition"], run["policy"]): run["peak_managed_bytes"] / MIB
             for run in virtual.runs(model, "study-six")}
    return max(abs(found[condition, policy] / peak - 1)
               for condition, policies in published.items() for policy, peak in policies.items())


def small_records(model):
    """Peak in MiB of `auto`, where a sink holds a tag of 56 bytes for 4,096 records of 394."""
    return next(run["peak_managed_bytes"] / MIB for run in virtual.runs(model, "small")
                if run["policy"] == "auto")


def drawn_rows(model):
    """[(name, figure, sign, target)] of `auto` over the draws."""
    found = drawn.draw(model, DRAWS, DRAWN, os.cpu_count())
    if any(drawn.wrong(run) for runs in found.values() for run in runs):
        return [("drawn/wrong-runs", 1, "<=", 0)]
    own = [drawn.judge(runs)["auto"] for runs in found.values()]
    return [("drawn/beaten-of-1000", 1000 * drawn.mean(own, "beaten"), "<=", 10),
            ("drawn/beaten-of-1000-worst-draw", 1000 * max(each.beaten for each in own), "<=", 15),
            ("drawn/peak/best-of-8", drawn.mean(own, "peak"), "<=", 1.02),
            ("drawn/time/best-of-8", drawn.mean(own, "time"), "<=", 1.003),
            ("drawn/both-within-5%", drawn.mean(own, "near"), ">=", 0.90)]


def exact_rows(bench):
    """As drawn_rows, of all that is exact."""
    model = bench.program("fanout-model")
    yield "study-peaks/largest-miss", largest_miss(model), "<=", 0.01
    yield "auto-peak-MiB/small-records", small_records(model), "<=", 0.35
    yield from drawn_rows(model)
