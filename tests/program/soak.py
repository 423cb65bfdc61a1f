"""A fan-out at full load beside a sink that stalls at random, for SOAK_MINUTES (10): the memory of the
process stays flat, and what is counted within the budget.

    SLUICE=build/release/sluice soak.py
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import threading
import time

from process import status_kib

SLUICE = os.environ.get("SLUICE", "build/release/sluice")
MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
BUDGET_MIB = 8


def feed(pipe, until):
    """The same 10,000 records again and again."""
    lines = b"".join(json.dumps({"id": index, "tag": "t" * (index % 90), "body": "b" * (index % 700)})
                     .encode() + b"\n" for index in range(10_000))
    rounds = 0
    with pipe:
        while time.monotonic() < until:
            pipe.write(lines)
            rounds += 1
    return rounds * 10_000


def stall(pipe, chance):
    """Reads all there is, with pauses of up to half a second."""
    while pipe.read1(1 << 20):
        if chance.random() < 0.02:
            time.sleep(chance.random() / 2)


def sample(pid, until, into):
    """Stops before the input does: a process that has ended has no memory to look at."""
    step = min(1.0, MINUTES * 2)
    while time.monotonic() + 2 * step < until:
        time.sleep(step)
        into.append(status_kib(pid, "RssAnon"))


def main():
    until = time.monotonic() + 60 * MINUTES
    report = pathlib.Path(tempfile.mkdtemp(prefix="sluice-soak-")) / "report.json"
    child = subprocess.Popen(
        [SLUICE, "fan", "--budget", f"{BUDGET_MIB}MiB", "--report", report,
         "--to", "* -> name=stalls -", "--to", "/id,/tag -> name=file file:/dev/null",
         "--to", "/tag -> name=drops when_full=drop_newest exec:sleep 5; exec cat > /dev/null"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    samples = []
    threads = [threading.Thread(target=stall, args=(child.stdout, random.Random(1))),
               threading.Thread(target=sample, args=(child.pid, until, samples))]
    for thread in threads:
        thread.start()
    written = feed(child.stdin, until)
    for thread in threads:
        thread.join()
    code = child.wait(60)
    told = json.loads(report.read_text())
    early, late = max(samples[:len(samples) // 2]), max(samples[len(samples) // 2:])
    print(f"soak: {written:,} records, exit {code}; anonymous memory at most {early} KiB in the first "
          f"half, {late} KiB in the second; counted at most {told['peak_managed_bytes']:,} bytes")
    # What the third sink dropped is told by the exit code.
    assert code == (1 if any(sink["dropped"] for sink in told["sinks"]) else 0)
    assert told["records_in"] == written == told["sinks"][0]["records"]
    assert told["peak_managed_bytes"] <= BUDGET_MIB << 20
    assert told["outstanding_bytes_at_exit"] == 0
    assert late <= (BUDGET_MIB + 4) * 1024 and late <= early + 1024


main()
