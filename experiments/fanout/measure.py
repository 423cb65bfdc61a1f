"""Runs of the six conditions by the program itself, each with its report checked."""
import itertools
import json
import os
import random
import subprocess

import oracle

REGIONS = ("fixed", "queue", "input", "record", "parser", "pool", "sink")
WHOLE_RUN = ("peak_managed_bytes", "copied_bytes", "carried_bytes", "decoded_bytes", "elapsed_ms",
             "cpu_ms", "original_byte_seconds", "outstanding_bytes_at_exit", "peak_rss_bytes")
LONGEST_S = 120


class Case:
    """One condition by one policy, on the study's blocks or on those that ship."""

    def __init__(self, block, condition, policy):
        self.block, self.condition, self.policy = block, condition, policy

    @property
    def key(self):
        return self.block, self.condition["name"], self.policy

    def words(self, queue, outputs, extra):
        words = ["fan", "--policy", self.policy, "--budget", self.condition["budget"], *extra]
        words += ["--study"] if self.block == "study" else []
        for number, (select, hold) in enumerate(self.condition["sinks"]):
            delay = f" delay={hold}ms" if hold else ""
            uri = f"file:{outputs / f'out{number}'}" if outputs else "null:"
            words += ["--to", f"{select} -> name=s{number} bare=yes queue={queue}{delay} {uri}"]
        return words


def cases(plan):
    return [Case(block, condition, policy) for block, condition, policy in
            itertools.product(plan["blocks"], plan["conditions"], plan["policies"])]


class Runner:
    def __init__(self, sluice, plan, fixtures, scratch, cpu):
        self.sluice, self.plan, self.fixtures = str(sluice), plan, fixtures
        self.scratch, self.cpu = scratch, cpu

    def run(self, case, outputs=None, sha256=False):
        """(report or None, what is wrong or None)."""
        report = self.scratch / "report.json"
        report.unlink(missing_ok=True)
        extra = ["--report", str(report)] + (["--digest", "sha256"] if sha256 else [])
        command = [self.sluice, *case.words(self.plan["queue"], outputs, extra),
                   str(self.fixtures.paths[case.condition["fixture"]])]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LONGEST_S,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {self.cpu}))
        except subprocess.TimeoutExpired:
            return None, f"no end within {LONGEST_S} s"
        if done.returncode != 0 or not report.exists():
            return None, f"exit {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
        said = json.loads(report.read_text())
        return said, self.wrong(case, said, "sha256" if sha256 else "crc32c")

    def wrong(self, case, said, digest):
        if said["policy"] != case.policy:
            return f"the policy was {said['policy']}"
        if said["peak_managed_bytes"] > said["budget_bytes"]:
            return "the peak passed the budget"
        if said["outstanding_bytes_at_exit"] != 0:
            return f"{said['outstanding_bytes_at_exit']} bytes outstanding at exit"
        for (select, _), sink in zip(case.condition["sinks"], said["sinks"]):
            expected = self.fixtures.expected[case.condition["fixture"], select]
            if sink["queue_max"] > self.plan["queue"]:
                return f"{sink['name']} had {sink['queue_max']} records at once"
            if differs := expected.differs(sink, digest):
                return differs
        return None

    def verify(self, case):
        """One run into files, whose bytes are hashed here, beside the report's SHA-256."""
        said, wrong = self.run(case, self.scratch, sha256=True)
        for number, (select, _) in enumerate(case.condition["sinks"]):
            path = self.scratch / f"out{number}"
            expected = self.fixtures.expected[case.condition["fixture"], select]
            if not wrong and oracle.sha256(path.read_bytes()) != expected.sha256:
                wrong = f"the bytes of s{number} are not those expected"
            path.unlink(missing_ok=True)
        return {"block": case.block, "condition": case.condition["name"], "policy": case.policy,
                "sinks": len(case.condition["sinks"]), "wrong": wrong}


def row(repeat, place, case, said, wrong):
    """A line of raw.csv."""
    line = {"repeat": repeat, "place": place, "block": case.block,
            "condition": case.condition["name"], "policy": case.policy, "wrong": wrong or ""}
    if said is None:
        return line
    line.update({name: said[name] for name in WHOLE_RUN})
    line.update({f"peak_{region}": said["peak_by_region"][region] for region in REGIONS})
    for number, sink in enumerate(said["sinks"]):
        line[f"s{number}_queue_max"] = sink["queue_max"]
        for quantile in ("p50", "p99", "max"):
            line[f"s{number}_{quantile}_ms"] = sink["latency_ms"][quantile]
    return line


def measure(runner, plan, say):
    """Rows of all repeats; the order is shuffled anew in each, by the plan's seed."""
    rand, everything, rows = random.Random(plan["seed"]), cases(plan), []
    for repeat in range(1, plan["repeats"] + 1):
        order = rand.sample(everything, len(everything))
        runner.run(order[0])  # a warm-up that does not count
        for place, case in enumerate(order):
            said, wrong = runner.run(case)
            rows.append(row(repeat, place, case, said, wrong))
            if wrong:
                say(f"repeat {repeat}, {', '.join(case.key)}: {wrong}")
        say(f"repeat {repeat}: {len(order)} runs")
    return rows
