#!/usr/bin/env python3
"""Makes docs/benchmarks.md and its plots from the raw rows of the last run of run.py.

usage: page.py [RESULTS_FOLDER DOCS_FOLDER]"""
import csv
import json
import pathlib
import statistics
import sys

import plot
import stats

# First words of the rows' names, heading, what was done.
GROUPS = (
    ("document-on-demand", "Documents, values converted when asked",
     "All of the text is checked and indexed. The others convert every value at once: they have no "
     "other way that checks everything."),
    ("document-converted", "Documents, values converted at once",
     "Sluice, too, converts every number and decodes every string while it reads. Of integers "
     "beyond 2^50 it keeps the double, and reads the text when their integer is asked for."),
    ("document-numbers", "Documents of numbers", "Every number as a double, correctly rounded."),
    ("document-strings", "Documents of strings", "Every string decoded."),
    ("typed-every-field", "Structs with every field", "Fresh objects, freed in the time. "
     "simdjson's On-Demand, read by hand here, does not check what it passes."),
    ("typed-few-fields", "Structs with a few fields", "What is skipped is checked all the same, "
     "which is why simdjson takes part with its DOM."),
    ("check", "Checking only", "Is it JSON?"),
    ("write-document", "Writing documents", "Compact. Sluice copies scalars as they were written."),
    ("write-structs", "Writing structs", "yyjson, RapidJSON and simdjson write a tree."),
    ("error-near-the-end", "A fault near the end, with line and column", "Beside Sluice's own time "
     "for the text without the fault."),
)
OWN = "sluice"


class Row:
    """What was measured of one row: {system: seconds, round by round}."""

    def __init__(self, name):
        self.name, self.seconds, self.void, self.size = name, {}, {}, 0

    def add(self, entry):
        self.size = int(entry["bytes"])
        if entry["void"]:
            self.void[entry["system"]] = entry["void"]
            self.seconds.pop(entry["system"], None)
        elif entry["system"] not in self.void:
            self.seconds.setdefault(entry["system"], []).append(float(entry["seconds"]))

    def systems(self):
        """[(name, seconds)], the fastest first; of one built by several compilers the fastest. Of
        Sluice the fastest kernel too."""
        best = {}
        for system, seconds in self.seconds.items():
            name = OWN if is_own(system) else system.rsplit(" (", 1)[0]
            if name not in best or statistics.median(seconds) < statistics.median(best[name]):
                best[name] = seconds
        return sorted(best.items(), key=lambda item: statistics.median(item[1]))

    def best_other(self):
        return next(((name, seconds) for name, seconds in self.systems() if name != OWN), None)


def is_own(system):
    """Its kernels, but not its runs over another text, which are rivals."""
    return system == OWN or (system.startswith(f"{OWN}, ") and "without" not in system)


def read_rows(path):
    rows = {}
    with path.open(newline="", encoding="utf-8") as file:
        for entry in csv.DictReader(file):
            rows.setdefault(entry["row"], Row(entry["row"])).add(entry)
    return list(rows.values())


def table(row):
    lines = [f"| {row.name} ({row.size / 1e6:.2f} MB) | MB/s | x best other | 95 % |",
             "|---|---:|---:|---:|"]
    other = row.best_other()
    for name, seconds in row.systems():
        rate = statistics.median(row.size / each / 1e6 for each in seconds)
        ratio = stats.describe_ratio(other[1], seconds) if other else ("-", "-")
        name = f"**{name}**" if name == OWN else name
        lines.append(f"| {name} | {rate:,.0f} | {ratio[0]} | {ratio[1]} |")
    lines += [f"| {name} | void | {what} | |" for name, what in row.void.items()]
    return "\n".join(lines)


def bars_of(row):
    bars = []
    for name, seconds in row.systems():
        rates = [row.size / each / 1e6 for each in seconds]
        bars.append(plot.Bar(name, statistics.median(rates), *stats.interval_of_median(rates),
                             name == OWN))
    return bars


def section(heading, text, rows, picture, docs):
    picture_path = docs / "benchmarks" / f"{picture}.svg"
    picture_path.write_text(plot.draw([(row.name, bars_of(row)) for row in rows]), encoding="utf-8")
    tables = "\n\n".join(map(table, rows))
    return f"## {heading}\n\n{text}\n\n![{heading}](benchmarks/{picture_path.name})\n\n{tables}\n"


def head(machine):
    return f"""# Benchmarks

Made by `make bench-page` from the last `make bench`; nothing here is written by hand.

{machine["processor"]}, {machine["system"]}, one thread; {machine["compilers"]}. {machine["rounds"]}
rounds, in each of which every system ran once, in an order shuffled anew. MB/s are medians. A ratio
is the median over the rounds of the two times in the same round, with the 95 % interval of that
median; shared machines drift by 8 %, so anything closer is a tie. Of a library that was built by
several compilers the fastest build is shown. The others are built for this very processor, Sluice
for any, with the instruction set picked at run time. Everything is checked by everyone: strict
RFC 8259 with UTF-8, also of what is not used, unless a section says otherwise. Every answer is compared with that of Python's
`json`; a wrong one voids the time. A library that is not named was not measured.
"""


def make(results, docs):
    (docs / "benchmarks").mkdir(parents=True, exist_ok=True)
    machine = json.loads((results / "machine.json").read_text(encoding="utf-8"))
    parts = [head(machine)]
    texts = results / "text.csv"
    rows = read_rows(texts) if texts.exists() else []
    for first, heading, text in GROUPS:
        found = [row for row in rows if row.name.split("/")[0] in (first, f"{first}-typed")]
        if found:
            parts.append(section(heading, text, found, first, docs))
    lines = results / "reader.csv"
    if lines.exists():
        parts.append(section("NDJSON", "A bad line costs itself only; the streams of others, which "
                             "end there, take no part in such rows.", read_rows(lines), "ndjson",
                             docs))
    (docs / "benchmarks.md").write_text("\n".join(parts), encoding="utf-8")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folders = map(pathlib.Path, sys.argv[1:])
    make(*folders) if len(sys.argv) == 3 else make(root / "bench/results", root / "docs")


if __name__ == "__main__":
    main()
