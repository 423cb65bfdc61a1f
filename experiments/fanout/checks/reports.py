"""Whether reports and traces say what happened."""
import json

import oracle
from checks.kit import POLICIES, Sink, add, group, records

LINES = records(60, seed=8)
SINKS = (Sink("/body", "bare"), Sink("/tag", "bare", "delay=1ms queue=8"),
         Sink("/id,/tag", "json", "delay=3ms queue=8"))
MEMBERS = {"at_ms", "block", "records", "moment", "capacity", "copies_capacity", "copied_bytes",
           "refused"}


def trace(kit, policy):
    report = kit.deliver(LINES, SINKS, "--policy", policy, "--trace", "trace.ndjson")
    decisions = [json.loads(line) for line in
                 (kit.folder / "trace.ndjson").read_text().splitlines()]
    kit.true(all(MEMBERS <= each.keys() for each in decisions), "a member is missing")
    copied = sum(each["copied_bytes"] for each in decisions)
    kit.equal(copied, report["copied_bytes"], "bytes of all decisions")
    times = [each["at_ms"] for each in decisions]
    kit.equal(times, sorted(times), "order of decisions")
    kit.true(bool(decisions) or policy in ("borrow", "compact", "auto"), "no decision to copy")
    if policy in ("auto", "compact"):
        kit.true(all(each["copies_capacity"] < each["capacity"] for each in decisions),
                 "copies that keep more than the block")


for policy in POLICIES:
    add(f"trace/{policy}", "the decisions of the trace add up to the bytes copied", trace, policy)


@group("reports/crc32c", "CRC-32C as Python computes it, bit by bit, from the bytes expected")
def crc(kit):
    report = kit.deliver(LINES, SINKS)
    for sink, said in zip(SINKS, report["sinks"]):
        kit.equal(said["crc32c"], oracle.crc32c(sink.output(LINES)), "crc32c")


@group("reports/latency",
       "a sink that holds records for 5 ms says at least 5 ms; p50 <= p99 <= max")
def latency(kit):
    report = kit.deliver(LINES, (Sink("*"), Sink("/tag", "bare", "delay=5ms queue=64")))
    for said in report["sinks"]:
        times = said["latency_ms"]
        kit.true(times["p50"] <= times["p99"] <= times["max"], f"latencies {times}")
    kit.true(report["sinks"][1]["latency_ms"]["p50"] >= 5, "a hold of 5 ms took less")
    kit.true(report["elapsed_ms"] >= 5, "the whole run took less than 5 ms")


@group("reports/byte-seconds", "originals held for 20 ms count at least their bytes times 20 ms")
def byte_seconds(kit):
    report = kit.deliver(LINES, (Sink("*", options="delay=20ms"),), "--policy", "borrow")
    held = sum(len(line) for line in LINES)
    kit.true(report["original_byte_seconds"] >= held * 0.02, report["original_byte_seconds"])


@group("reports/regions", "no region's peak is above the peak of all, nor this above their sum")
def regions(kit):
    for policy in POLICIES:
        report = kit.deliver(LINES, SINKS, "--policy", policy)
        peaks = report["peak_by_region"].values()
        kit.true(max(peaks) <= report["peak_managed_bytes"] <= sum(peaks), str(peaks))


@group("reports/window", "48 records, at most 16 at once for 10 ms each, take 30 ms")
def window(kit):
    report = kit.deliver(LINES[:48], (Sink("*", options="delay=10ms queue=16"),))
    kit.equal(report["sinks"][0]["queue_max"], 16, "most records at once")
    kit.true(report["elapsed_ms"] >= 30, f"{report['elapsed_ms']} ms")


@group("reports/nothing-else-is-written", "a refused option leaves no report")
def no_report(kit):
    kit.run("fan", "--report", "report.json", "--policy", "none", "--to", "* -> null:", code=2)
    kit.true(not (kit.folder / "report.json").exists(), "there is a report")
    kit.equal(oracle.crc32c(b"123456789"), "e3069283", "CRC-32C's check value")
