"""How fast whole texts are read: Sluice's fastest kernel against the peers, everything checked."""
import peers
import stats
import text_data
from worker import Worker

# Name of the row, its text, our job, the peers' job, the least ratio to the best of them.
# None: the goal is about something else, and the ratio is shown all the same.
ROWS = (
    ("document-on-demand/twitter", "twitter", "on_demand", "document", 1.7),
    ("document-on-demand/citm", "citm", "on_demand", "document", 1.7),
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
)


class Result:
    """What one row came to."""

    def __init__(self, bench, row):
        self.name, text, own_job, rival_job, self.target = row
        self.path = text_data.path_of(bench, text)
        self.own = self.rivals = None
        if self.path is None:
            return
        self.size = self.path.stat().st_size
        answer = text_data.right_answer(own_job, self.path)
        self.own = Worker("sluice", [bench.program("text_sluice"), own_job, self.path], {},
                          bench.cpu, answer)
        self.rivals = [
            Worker(f"{version} ({compiler})", [program, rival_job, self.path], {}, bench.cpu,
                   answer)
            for built in peers.text_workers(bench).values()
            for version, compiler, program, jobs in built if rival_job in jobs]
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
