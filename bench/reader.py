"""How fast NDJSON is read: Sluice on each kernel against the peers, everything checked."""
import os
import statistics
import subprocess

import data
import peers
import stats

SAMPLE_SECONDS = 0.05


class Worker:
    """A program of worker.h that waits for its turn."""

    def __init__(self, name, command, environment, cpu, right):
        self.name, self.right, self.seconds = name, right, []
        self.wrong = None
        self.process = subprocess.Popen(
            command, env={**os.environ, **environment}, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.passes = 1
        self.passes = max(1, round(SAMPLE_SECONDS / max(self.pass_seconds(), 1e-6)))

    def pass_seconds(self):
        """One sample; a wrong answer voids the worker."""
        if self.wrong:
            return 0.0
        try:
            print(self.passes, file=self.process.stdin)
            nanoseconds, *answer = map(int, self.process.stdout.readline().split())
        except (ValueError, BrokenPipeError):
            self.wrong = "no answer"
            return 0.0
        if answer != self.right:
            self.wrong = f"wrong answer {answer}, not {self.right}"
        return nanoseconds / 1e9 / self.passes

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def kernels_of_machine(bench):
    done = subprocess.run([bench.program("read_sluice"), "kernels"], check=True, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout.split()


def start_workers(bench, job, path, answers):
    """Sluice's workers and the peers'. Sluice answers in sizes as written unless it decodes."""
    own = answers["decoded" if job == "two_decoded" else "written"]
    workers = [Worker(f"sluice, {kernel}", [bench.program("read_sluice"), job, path],
                      {"SLUICE_KERNEL": kernel}, bench.cpu, own)
               for kernel in kernels_of_machine(bench)]
    rivals = []
    for peer, built in bench.peers.items():
        forms = [("", {})]
        if peer == "simdjson" and answers["written"][1] == 0:
            forms.append((", stream", {"BATCH": "1"}))  # a bad line would end it
        for version, compiler, program in built:
            for suffix, environment in forms:
                rivals.append(Worker(f"{version}{suffix} ({compiler})", [program, job, path],
                                     environment, bench.cpu, answers["decoded"]))
    return workers, rivals


def better_compiler_each(rivals):
    """Of the same system by two compilers the faster; the voided ones stay, to be seen."""
    best = {}
    for rival in rivals:
        system = rival.name if rival.wrong else rival.name.rsplit(" (", 1)[0]
        if system not in best or median(rival) < median(best[system]):
            best[system] = rival
    return sorted(best.values(), key=median)


def median(worker):
    return float("inf") if worker.wrong else statistics.median(worker.seconds)


def row_of(worker, best_rival, size):
    if worker.wrong:
        return [worker.name, "void", worker.wrong, "", ""]
    rates = [size / seconds / 1e6 for seconds in worker.seconds]
    slow, fast = stats.middle_half(rates)
    row = [worker.name, f"{statistics.median(rates):,.0f}", f"{slow:,.0f}-{fast:,.0f}"]
    if best_rival is None:
        return [*row, "-", "-"]
    return [*row, *stats.describe_ratio(best_rival.seconds, worker.seconds)]


def measure(bench, title, job, path, answers):
    """Prints one table; returns its raw rows."""
    own, rivals = start_workers(bench, job, path, answers)
    everyone = own + rivals
    for _ in range(bench.rounds):
        for worker in bench.shuffled(everyone):
            worker.seconds.append(worker.pass_seconds())
    for worker in everyone:
        worker.stop()
    size = path.stat().st_size
    shown = better_compiler_each(rivals)
    best = next((rival for rival in shown if not rival.wrong), None)
    rows = [row_of(worker, best, size) for worker in sorted(own, key=median) + shown]
    rows += [[peer, "not measured", "", "", ""] for peer, built in bench.peers.items() if not built]
    stats.print_table(f"{title} ({size / 1e6:.1f} MB)",
                      ["", "MB/s", "middle half", "x best peer", "95 %"], rows)
    return [[title, worker.name, index, seconds, size, worker.wrong or ""]
            for worker in everyone for index, seconds in enumerate(worker.seconds)]


def run(bench):
    bench.peers = peers.all_workers(bench.here, bench.root / "build" / "peers")
    make = bench.program("sluice-generate")
    small = data.generate(make, "small", data.SMALL_RECORDS, bench.data / "small.ndjson")
    bad = data.damage_one_in_twenty(small, bench.data / "small-bad.ndjson")
    base = data.generate(make, "base", 1024, bench.data / "base.ndjson")
    rows = []
    for title, job, path in (
            ("check only, records of 235 B", "check", small),
            ("three fields of records of 235 B", "three", small),
            ("check only, 1 line in 20 bad", "check", bad),
            ("three fields, 1 line in 20 bad", "three", bad),
            ("check only, records of 41 KB", "check", base),
            ("two strings of records of 41 KB, ours as views", "two", base),
            ("two strings of records of 41 KB, decoded", "two_decoded", base)):
        answers = data.right_answers("two" if job == "two_decoded" else job, path)
        rows += measure(bench, title, job, path, answers)
    stats.write_csv(bench.results / "reader.csv",
                    ["row", "system", "round", "seconds", "bytes", "void"], rows)
