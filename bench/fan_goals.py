"""What the goals ask of a fan-out beyond the table: many sinks, a dead one, memory, waiting."""
import filecmp
import os
import pathlib
import subprocess
import time

import fan
from system import MIB, System, measure

MANY = 64
SLOPE_LINES = 20_000


def cpu_of(bench, systems):
    """[the CPU seconds of each system, round by round], and what went wrong."""
    measure(bench, systems)
    wrong = next((f"{s.name}: {s.wrong}" for s in systems if s.wrong), None)
    return [system.cpu for system in systems], wrong


def to_files(count):
    return [word for index in range(1, count + 1)
            for word in ("--to", f"* -> name=f{index} file:{{{index}}}")]


def slope_of_many_files(bench, source):
    """What 63 more files cost us over what they cost the floor."""
    some = fan.first_lines(source, SLOPE_LINES, bench.data / f"{source.stem}-slope.ndjson")
    floor, sluice = str(bench.program("floor")), str(bench.program("sluice"))
    outputs = [f"{{{index}}}" for index in range(1, MANY + 1)]
    (floor_1, floor_many, own_1, own_many), wrong = cpu_of(bench, [
        System("floor, 1", [floor, some, outputs[0]], some, 1, some),
        System("floor, 64", [floor, some, *outputs], some, MANY, some),
        System("sluice, 1", [sluice, "fan", *to_files(1), some], some, 1, some),
        System("sluice, 64", [sluice, "fan", *to_files(MANY), some], some, MANY, some)])
    ratios = [(d - c) / (b - a) for a, b, c, d in zip(floor_1, floor_many, own_1, own_many)]
    return ratios, wrong


def against_floor_with_tricks(bench, source):
    """Two files, over the floor that writes as cleverly plus our own check alone."""
    floor, sluice = str(bench.program("floor")), str(bench.program("sluice"))
    (tricks, check, own), wrong = cpu_of(bench, [
        System("floor with tricks", [floor, "--tricks", source, "{1}", "{2}"], source, 2, source),
        System("check only", [sluice, "fan", "--to", "* -> null:", source], source, 0),
        System("sluice, 2", [sluice, "fan", *to_files(2), source], source, 2, source)])
    return [c / (a + b) for a, b, c in zip(tricks, check, own)], wrong


def beside_a_dead_sink(bench, source):
    """CPU of a file beside a sink that takes nothing and may drop, over that of the file alone."""
    sluice = str(bench.program("sluice"))
    dead = ["--to", "* -> name=dead when_full=drop_newest queue=64 exec:exec sleep 1"]
    (alone, beside), wrong = cpu_of(bench, [
        System("alone", [sluice, "fan", *to_files(1), source], source, 1, source),
        System("beside", [sluice, "fan", *to_files(1), *dead, source], source, 1, source,
               status=1)])
    return [b / a for a, b in zip(alone, beside)], wrong


def anonymous_mib(bench, source):
    """The largest anonymous memory that was seen of a run with two files, one figure a round."""
    outputs = [bench.data / "out" / f"out-{index}.ndjson" for index in range(2)]
    command = [bench.program("sluice"), "fan", "--to", f"* -> file:{outputs[0]}",
               "--to", f"* -> file:{outputs[1]}", source]
    peaks = []
    for _ in range(bench.rounds):
        process, peak = subprocess.Popen(command, stderr=subprocess.DEVNULL), 0
        while process.poll() is None:
            peak = max(peak, anonymous_kib_of(process.pid))
        peaks.append(peak * 1024 / MIB)
        for output in outputs:
            output.unlink(missing_ok=True)
    return peaks, None if process.returncode == 0 else f"exit {process.returncode}"


def anonymous_kib_of(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            lines = file.read().splitlines()
    except OSError:
        return 0
    if not lines[0].endswith("sluice"):
        return 0  # still the fork of this program
    return sum(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def of_two_threads(bench, source):
    """(wall time with one thread over that with two, CPU with two over that with one), round by
    round, of two whole-record files on all cores there are; and what went wrong."""
    outputs = [bench.data / "out" / f"out-{index}.ndjson" for index in range(2)]
    walls, cpus = [], []
    for _ in range(bench.rounds):
        times = []
        for threads in ("1", "2"):
            command = [bench.program("sluice"), "fan", "--threads", threads, "--to",
                       f"* -> file:{outputs[0]}", "--to", f"* -> file:{outputs[1]}", source]
            start = time.monotonic()
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            times.append((time.monotonic() - start, usage.ru_utime + usage.ru_stime))
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                return [], [], f"exit {process.returncode}"
            for output in outputs:
                if not filecmp.cmp(output, source, shallow=False):
                    return [], [], f"{output.name} differs"
                output.unlink()
        walls.append(times[0][0] / times[1][0])
        cpus.append(times[1][1] / times[0][1])
    return walls, cpus, None


def core_share_while_blocked(bench, source):
    """The share of a core that two seconds of waiting for a sink take."""
    command = [bench.program("sluice"), "fan", "--to", "* -> exec:exec sleep 4", source]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(1)
    shares = []
    for _ in range(4):
        before, start = nanoseconds_on_cpu(process.pid), time.monotonic_ns()
        time.sleep(0.5)
        shares.append((nanoseconds_on_cpu(process.pid) - before) / (time.monotonic_ns() - start))
    process.wait()
    return shares, None if process.returncode == 1 else f"exit {process.returncode}"


def nanoseconds_on_cpu(pid):
    """Of all its threads; 0 when it is gone, which its exit status will tell."""
    try:
        return sum(int(task.read_text().split()[0])
                   for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"))
    except OSError:
        return 0


ROWS = (  # name, measure, target (all are upper limits)
    ("2-files/floor-with-tricks-and-check", against_floor_with_tricks, 1.05),
    ("1-to-64-files/slope-over-floor", slope_of_many_files, 1.00),
    ("file-beside-dead-sink/file-alone", beside_a_dead_sink, 1.08),
    ("anonymous-MiB/2-files", anonymous_mib, 2.00),
    ("blocked/share-of-core", core_share_while_blocked, 0.001),
)
