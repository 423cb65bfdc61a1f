"""Who gets what: consumers, policies, queue slots, shared results, reused memory."""
from checks.kit import MODES, POLICIES, Sink, add, records

CONSUMERS = (Sink("/body", "bare"), Sink("/tag", "bare", "delay=1ms queue=16"),
             Sink("/id,/tag", "json", "delay=2ms queue=16"))


def consumers(kit, count, policy, mode):
    report = kit.deliver(records(80), CONSUMERS[:count], "--policy", policy, mode=mode)
    kit.equal(report["policy"], policy, "policy")
    for sink in report["sinks"][1:]:
        kit.true(sink["queue_max"] <= 16, "more records than the queue may hold")


for count in (1, 2, 3):
    for policy in POLICIES:
        for mode in MODES:
            add(f"consumers/{count}/{policy}/{mode}",
                f"{count} of different speed get the right bytes, counts and digests", consumers,
                count, policy, mode)


def queue_slots(kit, policy):
    sinks = (Sink("/body", "bare", "queue=1 delay=1ms"), Sink("/tag", "bare", "queue=2 delay=1ms"),
             Sink("/id,/body", "json", "queue=3 delay=2ms"), Sink("*"))
    for mode in MODES:
        report = kit.deliver(records(24, seed=2), sinks, "--policy", policy, mode=mode)
        kit.true([sink["queue_max"] for sink in report["sinks"]][:3] <= [1, 2, 3], "queue bounds")


for policy in POLICIES:
    add(f"queue-slots/{policy}", "queues of 1, 2 and 3 records are filled and emptied many times",
        queue_slots, policy)

# Every record has the same sizes, so that copies can be counted by hand.
SHARED_RECORDS = 40
FIELD = 48  # bytes of the selected text, its quotes included
SHARED = [b'{"tag":"%046d","rest":"%s"}' % (at, b"x" * 4000) for at in range(SHARED_RECORDS)]
SHARED_SINKS = (Sink("/tag", "bare"), Sink("/tag", "bare", "delay=1ms queue=8"),
                Sink("/tag", "bare", "delay=3ms queue=8"))
ONE_COPY = SHARED_RECORDS * FIELD
# Least and most bytes copied. Who copies late depends on who is late.
COPIES = {"borrow": (0, 0), "copy": (3 * ONE_COPY,) * 2, "copy_no_pool": (3 * ONE_COPY,) * 2,
          "shared_copy": (ONE_COPY,) * 2, "threshold2": (ONE_COPY,) * 2,
          "threshold8": (ONE_COPY,) * 2, "compact": (0, ONE_COPY), "auto": (0, ONE_COPY)}


def shared_results(kit, policy):
    report = kit.deliver(SHARED, SHARED_SINKS, "--policy", policy, mode="study")
    least, most = COPIES[policy]
    kit.true(least <= report["copied_bytes"] <= most, f"copied {report['copied_bytes']} bytes")


for policy in POLICIES:
    add(f"shared-results/{policy}",
        "three sinks of one field: bytes copied as counted by hand, all given back by the last",
        shared_results, policy)


def single_consumer(kit, policy):
    report = kit.deliver(SHARED, SHARED_SINKS[2:], "--policy", policy, mode="study")
    kit.equal(report["copied_bytes"], 0, "copied bytes")


for policy in ("borrow", "compact"):
    add(f"single-consumer/{policy}", "with one consumer nothing is copied late", single_consumer,
        policy)


def reused_memory(kit, policy, mode):
    lines = [b'{"tag":"%046d","body":"%s"}' % (at, b"%c" % (97 + at % 26) * 6000)
             for at in range(120)]
    sinks = (Sink("*"), Sink("/body", "bare", "delay=4ms queue=32"),
             Sink("/tag", "bare", "delay=6ms queue=32"))
    kit.deliver(lines, sinks, "--policy", policy, "--budget", "2MiB", mode=mode)


for policy in POLICIES:
    for mode in MODES:
        add(f"reused-memory/{policy}/{mode}",
            "what slow sinks hold stays right while buffers of read records are used again, and "
            "after the parser's memory is free", reused_memory, policy, mode)
