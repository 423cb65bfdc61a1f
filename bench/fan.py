"""What a fan-out costs: CPU seconds of `sluice fan` against programs that only read and write."""
import json
import os
import shutil
import statistics

import data
import stats
from system import MIB, System, measure, ratios_to_floor

# jq needs seconds for all of it: it reads the first part, and its cost counts per byte.
JQ_LINES = 20_000
THREE = "/time,/severity,/call/code"
JQ_THREE = "{time, severity, code: .call.code}"


def first_lines(source, count, path):
    if not path.exists():
        with source.open("rb") as all_lines, path.open("wb") as some:
            some.writelines(line for line, _ in zip(all_lines, range(count)))
    return path


def projected(source, path):
    """What the three-field projection must write, from Python's json."""
    if not path.exists():
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
        System("sluice, 2 whole-record files", [*sluice, *whole_1, *whole_2, str(source)], source,
               2, source, "floor, 2 files"),
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


def source_of(bench):
    return bench.own_data or data.generate(bench.program("sluice-generate"), "log",
                                           data.LOG_RECORDS, bench.data / "log.ndjson")


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
