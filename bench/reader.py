"""How fast NDJSON is read: Sluice on each kernel against the peers, everything checked."""
import statistics
import subprocess

import data
import peers
import stats
from worker import Worker

DECODED_AS = {"two_decoded": "two"}  # the job whose answers in decoded sizes a job must give
CHANGES = {"small-shapes": data.eight_shapes, "small-shuffled": data.shuffled_keys}
ROWS = (  # title, job, data set
    ("check only, records of 235 B", "check", "small"),
    ("three fields of records of 235 B", "three", "small"),
    ("three fields, 8 shapes at random", "three", "small-shapes"),
    ("three fields, keys in random order", "three", "small-shuffled"),
    ("check only, 1 line in 20 bad", "check", "small-bad"),
    ("three fields, 1 line in 20 bad", "three", "small-bad"),
    ("check only, records of 41 KB", "check", "base"),
    ("two strings of records of 41 KB, ours as views", "two", "base"),
    ("two strings of records of 41 KB, decoded", "two_decoded", "base"),
)

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
        for version, compiler, command in built:
            for suffix, environment in forms:
                rivals.append(Worker(f"{version}{suffix} ({compiler})", [*command, job, path],
                                     environment, bench.cpu, answers["decoded"]))
    return workers, rivals


class Result:
    """What one row of the benchmark came to."""

    def __init__(self, bench, job, path, answers):
        self.size = path.stat().st_size
        self.own, rivals = start_workers(bench, job, path, answers)
        self.everyone = self.own + rivals
        for _ in range(bench.rounds):
            for worker in bench.shuffled(self.everyone):
                worker.seconds.append(worker.pass_seconds())
        for worker in self.everyone:
            worker.stop()
        self.own.sort(key=Worker.median)
        self.rivals = better_compiler_each(rivals)
        self.best_rival = next((rival for rival in self.rivals if not rival.wrong), None)

    def own_wrong(self):
        """What one of our kernels did wrong, or None."""
        return next((f"{worker.name}: {worker.wrong}" for worker in self.own if worker.wrong), None)

    def ratios_to_best_rival(self):
        """Of our fastest kernel, round by round; None where there is nothing to compare."""
        if self.best_rival is None or self.own_wrong():
            return None
        return stats.paired_ratios(self.best_rival.seconds, self.own[0].seconds)


def better_compiler_each(rivals):
    """Of the same system by two compilers the faster; the voided ones stay, to be seen."""
    best = {}
    for rival in rivals:
        system = rival.name if rival.wrong else rival.name.rsplit(" (", 1)[0]
        if system not in best or rival.median() < best[system].median():
            best[system] = rival
    return sorted(best.values(), key=Worker.median)


def measure(bench, job, data_set):
    """The Result of a job of worker.h on one of small, small-bad, -shapes, -shuffled and base."""
    if bench.peers is None:
        bench.peers = peers.line_workers(bench)
    make = bench.program("sluice-generate")
    name, records = ("base", 1024) if data_set == "base" else ("small", data.SMALL_RECORDS)
    path = data.generate(make, name, records, bench.data / f"{name}.ndjson")
    if data_set == "small-bad":
        path = data.damage_one_in_twenty(path, bench.data / "small-bad.ndjson")
    elif data_set in CHANGES:
        path = data.rewrite(path, bench.data / f"{data_set}.ndjson", CHANGES[data_set])
    return Result(bench, job, path, data.right_answers(DECODED_AS.get(job, job), path))


def row_of(worker, best_rival, size):
    if worker.wrong:
        return [worker.name, "void", worker.wrong, "", ""]
    rates = [size / seconds / 1e6 for seconds in worker.seconds]
    slow, fast = stats.middle_half(rates)
    row = [worker.name, f"{statistics.median(rates):,.0f}", f"{slow:,.0f}-{fast:,.0f}"]
    if best_rival is None:
        return [*row, "-", "-"]
    return [*row, *stats.describe_ratio(best_rival.seconds, worker.seconds)]


def print_result(bench, title, result):
    rows = [row_of(worker, result.best_rival, result.size)
            for worker in result.own + result.rivals]
    rows += [[peer, "not measured", "", "", ""] for peer, built in bench.peers.items() if not built]
    stats.print_table(f"{title} ({result.size / 1e6:.1f} MB)",
                      ["", "MB/s", "middle half", "x best peer", "95 %"], rows)


def run(bench):
    rows = []
    for title, job, data_set in ROWS:
        result = measure(bench, job, data_set)
        print_result(bench, title, result)
        rows += [[title, worker.name, index, seconds, result.size, worker.wrong or ""]
                 for worker in result.everyone for index, seconds in enumerate(worker.seconds)]
    stats.write_csv(bench.results / "reader.csv",
                    ["row", "system", "round", "seconds", "bytes", "void"], rows)
