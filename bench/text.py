"""How fast whole texts are read and written: Sluice's fastest kernel against the peers, everything
checked."""
import peers
import stats
import text_data
from worker import Worker

WRITE_TYPED = ("write", "write_typed")  # of the peers, from a tree or from structs


class OwnSuccess:
    """The rival is Sluice itself, with a text in which nothing is wrong."""

    def __init__(self, job, text):
        self.job, self.text = job, text


# Name of the row, its text, our job, the peers' jobs, the least ratio to the best of them.
ROWS = (
    ("document-on-demand/twitter", "twitter", "on_demand", "document", 1.7),
    ("document-on-demand/citm", "citm", "on_demand", "document", 1.7),
    ("document-converted/twitter", "twitter", "converted", "document", 1.15),
    ("document-converted/citm", "citm", "converted", "document", 1.15),
    ("document-numbers/canada", "canada", "numbers", "numbers", 1.4),
    ("document-strings/russian-raw", "russian-raw", "strings", "strings", 1.3),
    ("document-strings/russian-escaped", "russian-escaped", "strings", "strings", 4.0),
    ("document-strings/short", "short-strings", "strings", "strings", 1.0),
    ("typed-every-field/twitter", "twitter", "typed", "typed", 1.5),
    ("typed-every-field/citm", "citm", "typed", "typed", 1.5),
    ("typed-few-fields/twitter", "twitter", "brief", "brief", 1.8),
    ("check/twitter", "twitter", "check", "check", 2.2),
    ("check/citm", "citm", "check", "check", 2.2),
    ("check/canada", "canada", "check", "check", 2.6),
    ("write-document/twitter", "twitter", "write", "write", 1.2),
    ("write-document/citm", "citm", "write", "write", 1.2),
    ("write-document/canada", "canada", "write", "write", 1.2),
    ("write-structs/twitter", "twitter-full", "write_typed", WRITE_TYPED, 1.2),
    ("write-structs/citm", "citm-full", "write_typed", WRITE_TYPED, 1.2),
    ("write-structs/canada", "canada", "write_typed", WRITE_TYPED, 1.2),
    *((f"error-near-the-end/{text}", f"{text}-fault", "fault", OwnSuccess("on_demand", text), 0.95)
      for text in ("twitter", "citm", "canada")),
    *((f"error-near-the-end-typed/{text}", f"{text}-fault", "fault_typed",
       OwnSuccess("typed", text), 0.95) for text in ("twitter", "citm", "canada")),
)


def own_worker(bench, job, text):
    path = text_data.path_of(bench, text)
    return Worker("sluice", [bench.program("text_sluice"), job, path], {}, bench.cpu,
                  text_data.right_answer(job, path))


def rivals_of(bench, rival_jobs, path):
    if isinstance(rival_jobs, OwnSuccess):
        worker = own_worker(bench, rival_jobs.job, rival_jobs.text)
        worker.name = f"sluice, {rival_jobs.text} without the fault"
        return [worker]
    wanted = (rival_jobs,) if isinstance(rival_jobs, str) else rival_jobs
    return [Worker(f"{version}{', structs' if job == 'write_typed' else ''} ({compiler})",
                   [*command, job, path], {}, bench.cpu, text_data.rivals_answer(job, path))
            for version, compiler, command, jobs in peers.text_workers(bench)
            for job in wanted if job in jobs]


class Result:
    """What one row came to."""

    def __init__(self, bench, row):
        self.name, text, own_job, rival_jobs, self.target = row
        self.path = text_data.path_of(bench, text)
        self.own = self.rivals = None
        if self.path is None:
            return
        self.size = self.path.stat().st_size
        self.own = own_worker(bench, own_job, text)
        self.rivals = rivals_of(bench, rival_jobs, self.path)
        everyone = [self.own, *self.rivals]
        for _ in range(bench.rounds):
            for worker in bench.shuffled(everyone):
                worker.seconds.append(worker.pass_seconds())
        for worker in everyone:
            worker.stop()
        self.rivals.sort(key=Worker.median)

    def best_rival(self):
        return next((rival for rival in self.rivals or () if not rival.wrong), None)

    def wrong(self):
        return self.own.wrong if self.own else None

    def ratios(self):
        rival = self.best_rival()
        if rival is None or self.own.wrong:
            return None
        return stats.paired_ratios(rival.seconds, self.own.seconds)


def print_result(result):
    if result.path is None:
        print(f"\n{result.name}: its text is not here")
        return
    rows = []
    for worker in (result.own, *result.rivals):
        if worker.wrong:
            rows.append([worker.name, "void", worker.wrong, "", ""])
            continue
        rates = [result.size / seconds / 1e6 for seconds in worker.seconds]
        slow, fast = stats.middle_half(rates)
        rival = result.best_rival()
        ratio = stats.describe_ratio(rival.seconds, worker.seconds) if rival else ("-", "-")
        rows.append([worker.name, f"{sorted(rates)[len(rates) // 2]:,.0f}",
                     f"{slow:,.0f}-{fast:,.0f}", *ratio])
    stats.print_table(f"{result.name} ({result.size / 1e6:.2f} MB)",
                      ["", "MB/s", "middle half", "x best peer", "95 %"], rows)


def run(bench):
    rows = []
    for row in ROWS:
        result = Result(bench, row)
        print_result(result)
        if result.path is not None:
            rows += [[result.name, worker.name, index, seconds, result.size, worker.wrong or ""]
                     for worker in (result.own, *result.rivals)
                     for index, seconds in enumerate(worker.seconds)]
    stats.write_csv(bench.results / "text.csv",
                    ["row", "system", "round", "seconds", "bytes", "void"], rows)
