"""Records that arrive on a schedule of their own, and sinks that are real pipes and sockets with
readers of their own speed.

Nothing here is exact: what is checked is that every byte arrives, that the budget holds and that
nothing is outstanding. What is shown: peaks, copies and latencies by policy."""
import contextlib
import hashlib
import json
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import fixtures
import oracle

RECORDS = 4096  # of 10 KB, with tags of 57 bytes: a pipe holds 1,149 of them
QUEUE = 64
BUDGET = "8MiB"
MIB = 1 << 20
LONGEST_S = 120


class Schedule:
    """When each record is there, in seconds from the start; drawn from a seed."""

    def __init__(self, name, moments):
        self.name, self.moments = name, moments


def schedules(seed):
    rand = random.Random(seed)
    poisson, now = [], 0.0
    for _ in range(RECORDS):
        now += rand.expovariate(6000)
        poisson.append(now)
    bursts = [at // 128 * 0.02 for at in range(RECORDS)]
    return (Schedule("at once", [0.0] * RECORDS), Schedule("6,000 a second, at random", poisson),
            Schedule("128 every 20 ms", bursts))


def feed(pipe, lines, schedule):
    """Writes each record when its time has come; later ones wait behind one that is not taken."""
    began = time.monotonic()
    with pipe:
        for line, moment in zip(lines, schedule.moments):
            if (wait := began + moment - time.monotonic()) > 0:
                time.sleep(wait)
            pipe.write(line + b"\n")
            pipe.flush()


class Reader:
    """How fast a sink's reader takes bytes: `rate` a second (0: as they come), and one stall."""

    def __init__(self, name, rate=0, stall_at=0, stall_s=0.0):
        self.name, self.rate, self.stall_at, self.stall_s = name, rate, stall_at, stall_s

    def read(self, receive):
        """Reads to the end; what came, as SHA-256."""
        digest, total, stalled = hashlib.sha256(), 0, False
        while data := receive(1024 if self.rate or self.stall_s else 64 * 1024):
            digest.update(data)
            total += len(data)
            if self.rate:
                time.sleep(len(data) / self.rate)
            if self.stall_s and not stalled and total >= self.stall_at:
                stalled = True
                time.sleep(self.stall_s)
        return digest.hexdigest()


TAGS = (Reader("400 KB/s", 400_000), Reader("a stall of 0.3 s", 0, 20_000, 0.3))


class PipeEnd:
    """The reader is a command of its own: its standard input is the pipe."""

    def __init__(self, reader, folder, number):
        self.result = folder / f"digest{number}"
        program = pathlib.Path(__file__).resolve()
        self.uri = (f"exec:exec {sys.executable} {program} {reader.rate} {reader.stall_at} "
                    f"{reader.stall_s} > {self.result}")

    def digest(self):
        return self.result.read_text().strip()


class SocketEnd:
    """The reader is a thread here; a command passes bytes from the pipe to the socket."""

    def __init__(self, reader, folder, number):
        path = folder / f"socket{number}"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(1)
        self.found = None
        self.thread = threading.Thread(target=self.serve, args=(reader,), daemon=True)
        self.thread.start()
        program = pathlib.Path(__file__).resolve()
        self.uri = f"exec:exec {sys.executable} {program} --to-socket {path}"

    def serve(self, reader):
        connection, _ = self.listener.accept()
        with connection:
            self.found = reader.read(connection.recv)

    def digest(self):
        self.thread.join(LONGEST_S)
        self.listener.close()
        return self.found


def run_one(sluice, lines, schedule, end, policy, expected):
    """(report, what is wrong or None)."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fanout-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        ends = [end(reader, folder, number) for number, reader in enumerate(TAGS)]
        words = [str(sluice), "fan", "--policy", policy, "--budget", BUDGET, "--report",
                 str(folder / "report.json"), "--to", f"* -> queue={QUEUE} file:{folder / 'all'}"]
        for number, each in enumerate(ends):
            words += ["--to", f"/tag -> name=tags{number} bare=yes queue={QUEUE} {each.uri}"]
        child = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        stack.callback(child.kill)
        feed(child.stdin, lines, schedule)
        if code := child.wait(LONGEST_S):
            return None, f"exit {code}"
        said = json.loads((folder / "report.json").read_text())
        if said["outstanding_bytes_at_exit"] or said["peak_managed_bytes"] > said["budget_bytes"]:
            return said, "the account is wrong"
        if oracle.sha256((folder / "all").read_bytes()) != expected["*"]:
            return said, "what the file holds is not what was sent"
        if any(each.digest() != expected["/tag"] for each in ends):
            return said, "what a reader of tags got is not what was sent"
    return said, None


def line_of(schedule, end, policy, said, wrong):
    if said is None:
        return f"| {schedule} | {end} | `{policy}` | {wrong} | | | |"
    tail = " / ".join(f"{sink['latency_ms']['p99']:.1f}" for sink in said["sinks"])
    return (f"| {schedule} | {end} | `{policy}` | {said['peak_managed_bytes'] / MIB:.3f} | "
            f"{said['copied_bytes'] / MIB:.2f} | {said['elapsed_ms']:.0f} | {tail} |"
            + (f" {wrong}" if wrong else ""))


def run(plan, programs, output):
    """Every schedule, every kind of end, every policy; whether all was right."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="fanout-"))
    try:
        path = fixtures.generate(programs["sluice-generate"], "metadata",
                                 {"records": RECORDS, "seed": plan["seed"]}, scratch)
        lines = path.read_bytes().splitlines()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    expected = {select: oracle.sha256(oracle.output(lines, select, "bare"))
                for select in ("*", "/tag")}
    rows, failed = [], 0
    for schedule in schedules(plan["seed"]):
        for name, end in (("pipe", PipeEnd), ("socket", SocketEnd)):
            for policy in plan["policies"]:
                said, wrong = run_one(programs["sluice"], lines, schedule, end, policy, expected)
                failed += wrong is not None
                rows.append(line_of(schedule.name, name, policy, said, wrong))
    readers = " and ".join(reader.name for reader in TAGS)
    text = (f"{RECORDS} records of 10 KB, {BUDGET}, queues of {QUEUE}: all of each to a file, tags "
            f"to readers with {readers}.\n\n"
            "| arrivals | through a | policy | peak MiB | copied MiB | ms | p99 ms by sink |\n"
            "|---|---|---|---:|---:|---:|---|\n" + "\n".join(rows) + "\n")
    (output / "summary.md").write_text(text, encoding="utf-8")
    print(text)
    print(f"{len(rows)} runs, {failed} failed; {output}/summary.md")
    return failed == 0


def relay(path):
    """Passes standard input on to a socket that keeps as little as it may."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        connection.connect(path)
        while data := sys.stdin.buffer.raw.read(4096):
            connection.sendall(data)


def main():
    """Run as a command: reads standard input as a Reader, or passes it on to a socket."""
    if sys.argv[1] == "--to-socket":
        return relay(sys.argv[2])
    rate, stall_at, stall_s = sys.argv[1:4]
    reader = Reader("", int(rate), int(stall_at), float(stall_s))
    print(reader.read(sys.stdin.buffer.raw.read))
    return None


if __name__ == "__main__":
    main()
