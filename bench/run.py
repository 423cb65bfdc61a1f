#!/usr/bin/env python3
"""Speed of Sluice beside other programs, taken in turn on one machine.

usage: run.py [reader] [text] [edit] [fan] [http] [--rounds N] [--data FILE]

Every round runs each system once, in an order shuffled anew; a ratio is the median over the rounds
of the two systems' times in the same round. Answers are checked; a wrong one voids the time."""
import argparse
import json
import os
import pathlib
import platform
import random
import shutil
import subprocess

import edit
import fan
import reader
import text
import web

PARTS = {"reader": reader, "text": text, "edit": edit, "fan": fan, "http": web}


class Bench:
    """What the parts share: where things are, how often, on which CPU."""

    def __init__(self, rounds, own_data=None):
        self.here = pathlib.Path(__file__).resolve().parent
        self.root = self.here.parent
        self.data = self.root / "build" / "bench-data"
        self.results = self.here / "results"
        self.rounds = rounds
        self.own_data = own_data
        self.cpu = max(os.sched_getaffinity(0))
        self.order = random.Random(1)
        self.peers = None
        self.text_peers = None
        self.data.mkdir(parents=True, exist_ok=True)

    def program(self, name):
        """Where the bench preset puts it."""
        folder = "bench" if name in ("floor", "read_sluice", "text_sluice", "edit_sluice",
                                     "http_floor") else ""
        if name == "fanout-model":
            folder = pathlib.Path("experiments", "fanout", "model")
        return self.root / "build" / "bench" / folder / name

    def shuffled(self, systems):
        return self.order.sample(systems, len(systems))


def version_of(compiler):
    if shutil.which(compiler) is None:
        return None
    return subprocess.run([compiler, "--version"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()[0]


def describe_machine(bench):
    """Prints it, and leaves it beside the raw rows, for page.py."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")),
                     platform.machine())
    system = f"Linux {platform.release().split('-')[0]}"
    load = os.getloadavg()[0]
    print(f"{model}, {system}, pinned to CPU {bench.cpu}, "
          f"{bench.rounds} rounds, load {load:.1f} at the start")
    compilers = filter(None, map(version_of, ("g++", "clang++-19", "rustc")))
    bench.results.mkdir(parents=True, exist_ok=True)
    (bench.results / "machine.json").write_text(json.dumps(
        {"processor": model, "system": system, "compilers": "; ".join(compilers),
         "rounds": bench.rounds}), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("areas", nargs="*", metavar="reader|text|edit|fan",
                        help="all when none is named")
    parser.add_argument("--rounds", type=int, default=21, help="at least 15 for a claim")
    parser.add_argument("--data", type=pathlib.Path, help="NDJSON for fan instead of our own")
    options = parser.parse_args()
    unknown = set(options.areas) - PARTS.keys()
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    bench = Bench(options.rounds, options.data)
    describe_machine(bench)
    for name, part in PARTS.items():
        if not options.areas or name in options.areas:
            part.run(bench)


if __name__ == "__main__":
    main()
