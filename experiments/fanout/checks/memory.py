"""Small budgets: refused before anything starts, or kept to."""
import json

import oracle
from checks.kit import MODES, POLICIES, Sink, add, group, records

SINKS = (Sink("/body", "bare"), Sink("/tag", "bare", "delay=1ms queue=32"),
         Sink("/body", "bare", "delay=2ms queue=32"))
LARGEST = 20_000


def sized(size):
    """A record of exactly `size` bytes."""
    frame = len(b'{"body":"","tag":"t"}')
    return b'{"body":"' + b"b" * (size - frame) + b'","tag":"t"}'


def starts(kit, budget):
    done = kit.start("fan", "--budget", str(budget), "--max-record", str(LARGEST), "--to",
                     "/body -> null:", "--to", "/tag -> null:", "--to", "/body -> name=b null:",
                     "-", stdin=-3, stdout=-3, stderr=-3)
    code = done.wait()
    kit.true(code in (0, 2), f"exit code {code}")
    return code == 0


def smallest_budget(kit):
    low, high = 0, 1 << 20
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if starts(kit, middle) else (middle, high)
    return high


def at_the_smallest_budget(kit, policy):
    budget = smallest_budget(kit)
    lines = [sized(size) for size in (LARGEST, 30, 5_000, LARGEST, 100, LARGEST - 1) * 5]
    kit.deliver(lines, SINKS, "--budget", budget, "--max-record", LARGEST, "--policy", policy)


for policy in POLICIES:
    add(f"memory/smallest/{policy}",
        "under the least budget that is accepted, found by halving, the largest records pass",
        at_the_smallest_budget, policy)


def tight(kit, policy, mode):
    lines = records(80, seed=6, largest=30_000)
    kit.deliver(lines, SINKS, "--budget", "512KiB", "--policy", policy, mode=mode)


for policy in POLICIES:
    for mode in MODES:
        add(f"memory/tight/{policy}/{mode}",
            "slow sinks under half a MiB: nothing is lost, and the peak stays below it", tight,
            policy, mode)


@group("memory/too-small",
       "a budget too small to start is refused with exit 2, and nothing emptied")
def too_small(kit):
    (kit.folder / "kept").write_bytes(b"old")
    for budget in ("1", "1KiB", "16KiB"):
        done = kit.run("fan", "--budget", budget, "--to", "* -> file:kept", stdin=b"{}", code=2)
        kit.equal(done.stderr.count(b"\n"), 1, "sentences")
    kit.written("kept", b"old")


@group("memory/record-too-large-for-the-budget",
       "a largest record of more than a quarter is refused")
def quarter(kit):
    kit.run("fan", "--budget", "1MiB", "--max-record", "300KiB", "--to", "* -> null:", code=2)
    kit.run("fan", "--budget", "4MiB", "--max-record", "300KiB", "--to", "* -> null:")


@group("memory/parser-larger-than-the-budget",
       "a record for which the study's parser would need more than the budget passes all the same")
def parser_larger(kit):
    line = b'{"v":[' + b",".join([b"1"] * 20_000) + b"]}"  # 20,000 values of 16 bytes
    sinks = (Sink("/v", "bare"), Sink("*", options="delay=1ms"))
    for policy in POLICIES:
        report = kit.deliver([line] * 3, sinks, "--budget", "280KiB", "--policy", policy,
                             mode="study")
        kit.true(report["peak_by_region"]["parser"] < 280 * 1024, "parser above the budget")


@group("memory/over-long", "records at the limit pass; a byte more is refused, and costs itself")
def over_long(kit):
    for mode in MODES:
        for limit in (30, 4096, 65_472, 100_000):
            lines = [sized(limit), sized(limit + 1), sized(limit - 1), sized(limit + 2), sized(30)]
            good = [line for line in lines if len(line) <= limit]
            report = kit.deliver(good, SINKS, "--max-record", limit, mode=mode, code=1,
                                 stdin=b"\n".join(lines))
            kit.equal(report["records_refused"], 2, "refused")


@group("memory/over-long-many-times", "a line of 100 times the limit is skipped to its newline")
def far_over_long(kit):
    lines = [sized(50), sized(5_000_000), sized(60)]
    for mode in MODES:
        report = kit.deliver([lines[0], lines[2]], SINKS, "--max-record", "50000", "--budget",
                             "512KiB", mode=mode, code=1, stdin=b"\n".join(lines))
        kit.equal(report["records_refused"], 1, "refused")


def dropping(kit, when_full):
    """What arrives is a selection of the records, in order; what does not is counted."""
    lines = [b'{"v":%d,"rest":"%s"}' % (at, b"r" * 500) for at in range(400)]
    report = kit.fan("--budget", "256KiB", "--to", f"/v -> bare=yes queue=4 when_full={when_full} "
                     "delay=2ms file:some", "--to", "/v -> name=all bare=yes file:all",
                     stdin=b"\n".join(lines), code=1)
    kit.written("all", oracle.output(lines, "/v", "bare"), report["sinks"][1])
    arrived = [json.loads(line) for line in (kit.folder / "some").read_text().splitlines()]
    kit.equal(arrived, sorted(set(arrived)), "order")
    kit.equal(len(arrived) + report["sinks"][0]["dropped"], 400, "arrived and dropped")
    end = 0 if when_full == "drop_newest" else 399
    kit.true(end in arrived, f"record {end} was dropped")


for when_full in ("drop_newest", "drop_oldest"):
    add(f"memory/{when_full}", "a sink that drops counts what it drops; the other gets everything",
        dropping, when_full)


@group("memory/blocks-for-one-slow-sink", "thousands of small records wait in a few small copies")
def few_copies(kit):
    lines = [b'{"v":%d,"rest":"%s"}' % (at, b"r" * 400) for at in range(4000)]
    sinks = (Sink("*"), Sink("/v", "bare", "delay=20ms queue=1024"))
    held = {}
    for policy in ("auto", "borrow"):
        report = kit.deliver(lines, sinks, "--policy", policy)
        held[policy] = report["peak_by_region"]["input"]
    kit.true(held["auto"] <= held["borrow"], f"auto holds more of the originals: {held}")
