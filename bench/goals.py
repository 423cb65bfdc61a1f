#!/usr/bin/env python3
"""The goals of an area as verdicts: one line a goal, `name measured target met|short|unmeasured`.

usage: goals.py json|memory|fan|http|journal

Exit 0: every goal is met; 1: one is short; 3: none is short, but some are unmeasured. A goal is met
when the whole 95 % interval of the paired ratio is on its good side; a result within it is short.
Rows that nothing here measures yet are listed, so that silence is not taken for success."""
import statistics
import sys

import fan
import fan_goals
import memory_goals
import reader
import stats
import system
import text
import web
from run import Bench

ROUNDS = 15
UNMEASURED = {
    "json": (),
    "memory": (),
    "fan": (
        ("1-file/fluent-bit", ">=45"), ("2-files/fluent-bit", ">=50"),
        ("file-beside-spilling-sink/file-alone", "<=1.08")),
    "http": (
        ("echo-64B-16-pipelined/drogon", ">=5"), ("echo-4KiB/drogon", ">=3"),
        ("echo-256KiB/drogon", ">=20"), ("tls-4KiB/floor", "<=1.1"),
        ("idle-connection-bytes/tls", "<=16384"), ("durable-post/floor", ">=0.9"),
        ("mixed/reads-alone-p99", "<=1")),
    "journal": (),
}


class Verdicts:
    def __init__(self):
        self.seen = set()

    def say(self, name, measured, target, verdict):
        self.seen.add(verdict)
        print(f"{name} {measured} {target} {verdict}", flush=True)

    def judge(self, name, ratios, sign, target, wrong=None):
        """`ratios`: round by round, or None where there was nothing to compare with. `wrong`: what
        Sluice did wrong, if anything; that is no goal met, however fast."""
        if wrong:
            print(f"{name}: {wrong}", file=sys.stderr)
            return self.say(name, "wrong", f"{sign}{target:g}", "short")
        if not ratios:
            return self.say(name, "-", f"{sign}{target:g}", "unmeasured")
        low, high = stats.interval_of_median(ratios)
        met = low >= target if sign == ">=" else high <= target
        return self.say(name, f"{statistics.median(ratios):.3g}", f"{sign}{target:g}",
                        "met" if met else "short")

    def judge_exact(self, name, figure, sign, target):
        """`figure`: the same on every machine."""
        met = figure >= target if sign == ">=" else figure <= target
        self.say(name, f"{figure:.4g}", f"{sign}{target:g}", "met" if met else "short")

    def status(self):
        if "short" in self.seen:
            return 1
        return 3 if "unmeasured" in self.seen or not self.seen else 0


def system_name(worker):
    return worker.name.replace(", ", "-").replace(" ", "-") if worker else "no-peer"


def judge_json(bench, verdicts):
    clean = None
    for name, job, data_set, target in (
            ("ndjson-three-fields/small", "three", "small", 3.0),
            ("ndjson-three-fields/8-shapes", "three", "small-shapes", 2.5),
            ("ndjson-three-fields/shuffled-keys", "three", "small-shuffled", 2.0),
            ("ndjson-two-strings-as-views/41KB", "two", "base", 2.2),
            ("ndjson-two-strings-decoded/41KB", "two_decoded", "base", 1.5)):
        result = reader.measure(bench, job, data_set)
        clean = clean or result
        verdicts.judge(f"{name}/{system_name(result.best_rival)}", result.ratios_to_best_rival(),
                       ">=", target, result.own_wrong())
    bad = reader.measure(bench, "three", "small-bad")
    slower = stats.paired_ratios(bad.own[0].seconds, clean.own[0].seconds)
    verdicts.judge("ndjson-three-fields/1-bad-in-20/own-clean-time", slower, "<=", 2.0,
                   bad.own_wrong() or clean.own_wrong())
    judge_texts(bench, verdicts)


def judge_texts(bench, verdicts):
    for row in text.ROWS:
        result = text.Result(bench, row)
        rival = system_name(result.best_rival())
        verdicts.judge(f"{result.name}/{rival}", result.ratios(), ">=", result.target,
                       result.wrong())


def judge_fan(bench, verdicts):
    systems = system.measure(bench, fan.own_systems(bench, fan.source_of(bench)))
    by_name = {each.name: each for each in systems}
    for name, title, target in (
            ("1-file/floor", "sluice, 1 whole-record file", 1.15),
            ("2-files/floor", "sluice, 2 whole-record files", 0.90),
            ("2-projections/floor-2-files", "sluice, 2 files of three fields", 0.75)):
        found = by_name.get(title)
        if found is None:
            verdicts.judge(name, None, "<=", target)
            continue
        ratios = system.ratios_to_floor(found, by_name[found.floor])
        verdicts.judge(name, ratios, "<=", target, found.wrong)
    for name, measured, target in fan_goals.ROWS:
        ratios, wrong = measured(bench, fan.source_of(bench))
        verdicts.judge(name, ratios, "<=", target, wrong)
    walls, cpus, wrong = fan_goals.of_two_threads(bench, fan.source_of(bench))
    verdicts.judge("2-threads/wall", walls, ">=", 1.6, wrong)
    verdicts.judge("2-threads/cpu", cpus, "<=", 1.1, wrong)


def judge_http(bench, verdicts):
    _, rows = web.measured_rows(bench)
    for row in rows:
        name = row.name.replace(",", "").replace(" ", "-")
        wrong = row.wrong.get("sluice")
        if row.floor is not None:
            verdicts.judge(f"{name}/floor", row.ratios("sluice", "floor"), "<=", row.floor, wrong)
        for peer, target in row.goals.items():
            verdicts.judge(f"{name}/{peer.replace(', ', '-')}", row.ratios(peer, "sluice"), ">=",
                           target, wrong)
        if row.kind == "lines":
            ratios = stats.paired_ratios(row.micros.get("sluice", []), web.file_micros(bench, row))
            verdicts.judge(f"{name}/file", ratios, "<=", 1.2, wrong)
    start, loaded, each = web.memory(bench)
    verdicts.judge_exact("rss-at-start-KiB", start, "<=", 6 * 1024)
    verdicts.judge_exact("anonymous-after-echo-KiB", loaded, "<=", 1536)
    verdicts.judge_exact("idle-connection-bytes", each, "<=", 320)


def judge_memory(bench, verdicts):
    for condition in memory_goals.CONDITIONS:
        measured, wrong = memory_goals.figures(bench, condition)
        for name, limit in condition.limits.items():
            if limit is not None:
                verdicts.judge(f"auto-{name}/{condition.name}", measured.get(name), "<=", limit,
                               wrong)
    for row in memory_goals.exact_rows(bench):
        verdicts.judge_exact(*row)


def main():
    area = sys.argv[1] if len(sys.argv) == 2 else ""
    if area not in UNMEASURED:
        print("usage: make goals AREA=json|memory|fan|http|journal", file=sys.stderr)
        return 2
    verdicts = Verdicts()
    measured = {"json": judge_json, "memory": judge_memory, "fan": judge_fan,
                "http": judge_http}.get(area)
    if measured:
        measured(Bench(rounds=ROUNDS), verdicts)
    for name, target in UNMEASURED[area]:
        verdicts.say(name, "-", target, "unmeasured")
    if not verdicts.seen:
        print(f"the area {area} has no rows yet", file=sys.stderr)
    return verdicts.status()


if __name__ == "__main__":
    sys.exit(main())
