"""What a fan-out costs: CPU seconds of `sluice fan` against a program that only reads and writes."""
import filecmp
import os
import pathlib
import shutil
import statistics
import subprocess

import data
import stats

MIB = 1 << 20
WARM_RUNS = 6
# A pair whose floor took this many times its median was hit by something else on the machine.
OUTLIER = 1.5
# jq needs seconds for all of it: it reads the first part, and its cost counts per byte.
JQ_LINES = 40_000
THREE = "/time,/severity,/call/code"
JQ_THREE = "{time, severity, code: .call.code}"


class System:
    """A command; {1} and {2} in it are the outputs. `expected`: what an output must equal."""

    def __init__(self, name, command, source, outputs, expected=None, floor=None):
        self.name, self.command, self.source = name, command, source
        self.outputs, self.expected, self.floor = outputs, expected, floor
        self.cpu, self.wrong = [], None

    def run(self, bench, folder):
        outputs = [folder / f"out-{index}.ndjson" for index in range(self.outputs)]
        command = self.command
        for index, output in enumerate(outputs, 1):
            command = [word.replace(f"{{{index}}}", str(output)) for word in command]
        with open(self.source, "rb") as source, open(os.devnull, "wb") as nothing:
            process = subprocess.Popen(
                command, stdin=source, stdout=nothing, stderr=subprocess.DEVNULL,
                preexec_fn=lambda: os.sched_setaffinity(0, {bench.cpu}))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            self.wrong = self.wrong or f"exit {process.returncode}"
        for output in outputs:
            self.check(output)
            output.unlink(missing_ok=True)
        return usage.ru_utime + usage.ru_stime

    def check(self, output):
        if self.wrong is None and self.expected is not None:
            if not output.exists() or not filecmp.cmp(output, self.expected, shallow=False):
                self.wrong = f"{output.name} differs from {pathlib.Path(self.expected).name}"

    def cpu_per_mib(self):
        size = os.path.getsize(self.source) / MIB
        return [seconds / size for seconds in self.cpu]


def first_lines(source, count, path):
    if not path.exists():
        with source.open("rb") as all_lines, path.open("wb") as some:
            some.writelines(line for line, _ in zip(all_lines, range(count)))
    return path


def projected(source, path):
    """What the three-field projection must write, from Python's json."""
    if not path.exists():
        import json
        with source.open(encoding="utf-8") as lines, path.open("w", encoding="utf-8") as out:
            for line in lines:
                value = json.loads(line)
                fields = {"time": value["time"], "severity": value["severity"],
                          "code": value["call"]["code"]}
                out.write(json.dumps(fields, separators=(",", ":"), ensure_ascii=False) + "\n")
    return path


def own_systems(bench, source):
    """The floors and Sluice."""
    sluice = [str(bench.program("sluice")), "fan"]
    floor = str(bench.program("floor"))
    whole_1, whole_2 = ["--to", "* -> file:{1}"], ["--to", "* -> file:{2}"]
    systems = [
        System("floor, 1 file", [floor, str(source), "{1}"], source, 1, source),
        System("floor, 2 files", [floor, str(source), "{1}", "{2}"], source, 2, source),
        System("sluice, 1 whole-record file", [*sluice, *whole_1, str(source)], source, 1, source,
               "floor, 1 file"),
        System("sluice, 2 whole-record files", [*sluice, *whole_1, *whole_2, str(source)], source, 2,
               source, "floor, 2 files"),
        System("sluice, check only to null:", [*sluice, "--to", "* -> null:", str(source)], source,
               0, None, "floor, 1 file"),
    ]
    if not bench.own_data:
        expected = projected(source, bench.data / "log-three.ndjson")
        command = [*sluice, "--to", THREE + " -> file:{1}", "--to", THREE + " -> file:{2}"]
        systems.append(System("sluice, 2 files of three fields", [*command, str(source)], source, 2,
                              expected, "floor, 2 files"))
    return systems


def other_systems(bench, source):
    """Programs of the machine: tee copies without a look, jq reads and writes every record."""
    systems = []
    if shutil.which("tee"):
        systems.append(System("tee, 2 files (no parsing)", ["tee", "{1}", "{2}"], source, 2, source,
                              "floor, 2 files"))
    if shutil.which("jq"):
        some = first_lines(source, JQ_LINES, bench.data / f"{source.stem}-some.ndjson")
        for name, words in (("jq, whole records", "."), ("jq, three fields", JQ_THREE)):
            if words == "." or not bench.own_data:
                systems.append(System(name, ["jq", "-c", words, str(some)], some, 0, None,
                                      "floor, 1 file"))
    return systems


def ratios_to_floor(system, floor):
    """Round by round; without the rounds whose floor shows that something else was at work."""
    per_mib = floor.cpu_per_mib()
    usual = statistics.median(per_mib) * OUTLIER
    return [own / base for own, base in zip(system.cpu_per_mib(), per_mib) if base <= usual]


def row_of(system, floors, size):
    if system.wrong:
        return [system.name, "void", system.wrong, "", "", ""]
    per_mib = system.cpu_per_mib()
    low, high = stats.middle_half([1 / seconds for seconds in per_mib])
    row = [system.name, f"{statistics.median(per_mib) * size:.4f}",
           f"{1 / statistics.median(per_mib):,.0f}", f"{low:,.0f}-{high:,.0f}"]
    if system.floor is None:
        return [*row, "1", ""]
    return [*row, *stats.describe(ratios_to_floor(system, floors[system.floor]))]


def warm(source):
    with open(source, "rb") as file:
        while file.read(MIB):
            pass


def source_of(bench):
    return bench.own_data or data.generate(bench.program("sluice-generate"), "log",
                                           data.LOG_RECORDS, bench.data / "log.ndjson")


def measure(bench, systems):
    """Fills in every system's CPU times, in rounds of a shuffled order."""
    folder = bench.data / "out"
    folder.mkdir(exist_ok=True)
    for system in systems:
        warm(system.source)
    for _ in range(WARM_RUNS):
        systems[1].run(bench, folder)
    for _ in range(bench.rounds):
        for system in bench.shuffled(systems):
            system.cpu.append(system.run(bench, folder))
    return systems


def run(bench):
    source = source_of(bench)
    systems = measure(bench, own_systems(bench, source) + other_systems(bench, source))
    size = source.stat().st_size / MIB
    floors = {system.name: system for system in systems if system.floor is None}
    rows = [row_of(system, floors, size) for system in systems]
    rows += [[tool, "not measured", "", "", "", ""] for tool in ("tee", "jq")
             if shutil.which(tool) is None]
    stats.print_table(
        f"fan-out of {source.name} ({size:.1f} MiB), CPU of the whole process",
        ["", "CPU s", "MiB/CPU s", "middle half", "x floor", "95 %"], rows)
    stats.write_csv(bench.results / "fan.csv",
                    ["system", "round", "cpu_seconds", "bytes", "void"],
                    [[s.name, index, cpu, os.path.getsize(s.source), s.wrong or ""] for s in systems
                     for index, cpu in enumerate(s.cpu)])
