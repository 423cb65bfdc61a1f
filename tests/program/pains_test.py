"""What users of other pipelines report, as tests of sinks that are slow, dead or many. Counts, bytes
and bounds, no timings; scaled down from minutes and gigabytes."""
import json
import os
import subprocess
import time

from process import cpu_ticks, status_kib
from program import ProgramTest, main, under_sanitizer

MIB = 1024 * 1024


class Pains(ProgramTest):
    def start(self, *arguments):
        child = subprocess.Popen(self.command("fan", "--report", "report.json", *arguments),
                                 cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def wait_for_line(self, child, words):
        for line in child.stderr:
            if words in line:
                return line
        return self.fail(f"no line with '{words}'")

    def end(self, child, code):
        rest = child.stderr.read()
        self.assertEqual(child.wait(60), code, rest)
        report = json.loads(self.read("report.json"))
        self.assert_adds_up(report)
        return report

    def records(self, count, body=300):
        lines = [json.dumps({"id": index, "tag": f"t{index % 7}", "body": "b" * body})
                 for index in range(count)]
        return self.write("in.ndjson", "\n".join(lines) + "\n")

    def gate(self, name):
        """A sink that takes nothing until `open_gate`, and then all."""
        os.mkfifo(self.folder / f"{name}.gate")
        return f"* -> name={name} exec:read go < {name}.gate; exec cat > {name}.out"

    def open_gate(self, name):
        (self.folder / f"{name}.gate").write_text("go\n")

    def test_2_a_failing_sink_that_drops_does_not_touch_the_main_one(self):
        """Pain 2: the healthy sink gets all, and the drop counter equals what is missing."""
        data = self.records(60_000)
        _, report = self.fan("--budget", "2MiB",
                             "--to", "* -> name=main file:main",
                             "--to", "* -> name=poor when_full=drop_newest queue=100 "
                             "exec:sleep 1; exec cat > poor", data, code=1)
        healthy, poor = report["sinks"]
        self.assertEqual(self.read("main"), data.read_bytes())
        self.assertEqual(healthy["dropped"], 0)
        self.assertGreater(poor["dropped"], 0)
        self.assertEqual(poor["dropped"], 60_000 - self.read("poor").count(b"\n"))

    def test_4_one_stopped_sink_lets_the_others_go_on_until_the_budget_is_used(self):
        """Pain 4: the others get far ahead of what the stopped one took; then all wait without CPU,
        the sink is named, and when it goes on nothing is missing."""
        data = self.records(30_000)
        child = self.start("--budget", "2MiB", "--to", self.gate("stopped"),
                           "--to", "* -> name=other file:other", data)
        line = self.wait_for_line(child, "waiting for sink ")
        self.assertIn("waiting for sink stopped: holds ", line)
        # It holds the rest of the budget but what sources and batches keep; a pipe takes 64 KiB.
        self.assertGreater(os.path.getsize(self.folder / "other"), MIB)
        before = cpu_ticks(child.pid)
        time.sleep(1)
        self.assertLessEqual(cpu_ticks(child.pid) - before, 1)
        self.open_gate("stopped")
        self.end(child, 0)
        self.assertEqual(self.read("other"), data.read_bytes())
        self.assertEqual(self.read("stopped.out"), data.read_bytes())

    def test_5_each_of_four_sinks_stops_in_turn(self):
        """Pain 5: sinks are not in series: whichever stops, each of the others gets ahead of it."""
        data = self.records(15_000)
        for stopped in range(4):
            sinks = []
            for index in range(4):
                sink = (self.gate(f"s{stopped}") if index == stopped
                        else f"* -> name=f{index} file:f{index}")
                sinks += ["--to", sink]
            child = self.start("--budget", "2MiB", *sinks, data)
            self.wait_for_line(child, f"waiting for sink s{stopped}: holds ")
            for index in set(range(4)) - {stopped}:
                self.assertGreater(os.path.getsize(self.folder / f"f{index}"), MIB)
            self.open_gate(f"s{stopped}")
            self.end(child, 0)
            self.assertEqual(self.read(f"s{stopped}.out"), data.read_bytes())
            for index in set(range(4)) - {stopped}:
                self.assertEqual(self.read(f"f{index}"), data.read_bytes())

    def test_9_tiny_records_with_the_sink_down_cost_what_is_counted(self):
        """Pain 9: what is counted for 2,000 tiny records is close to what they take."""
        data = self.write("in.ndjson", b'{"a":1}\n' * 2_000)
        child = self.start("--to", self.gate("down"), data)
        self.wait_for_line(child, "waiting for sink down")
        anonymous = status_kib(child.pid, "RssAnon") * 1024
        self.open_gate("down")
        report = self.end(child, 0)
        self.assertEqual(self.read("down.out"), data.read_bytes())
        self.assertLessEqual(report["peak_managed_bytes"], MIB // 2)
        if not under_sanitizer():
            self.assertLess(anonymous, report["peak_managed_bytes"] + 2 * MIB)

    def test_10_small_and_large_records_count_as_bytes(self):
        """Pain 10: 100 bytes and 1 MB side by side never pass a budget that is counted in bytes."""
        small = json.dumps({"id": 1, "body": "b" * 70}).encode() + b"\n"
        large = json.dumps({"id": 2, "body": "B" * 1_000_000}).encode() + b"\n"
        data = self.write("in.ndjson", (small * 500 + large * 3) * 12)
        child = self.start("--budget", "8MiB", "--to", self.gate("down"),
                           "--to", "/id -> name=ids file:ids", data)
        self.wait_for_line(child, "waiting for sink down")
        if not under_sanitizer():
            self.assertLess(status_kib(child.pid, "RssAnon"), 12 * 1024)
        self.open_gate("down")
        report = self.end(child, 0)  # which also holds the peak against the budget
        self.assertGreater(report["peak_managed_bytes"], 4 * MIB)
        self.assertEqual(self.read("down.out"), data.read_bytes())
        self.assertEqual(self.read("ids").count(b"\n"), 12 * 503)

    def test_12_a_full_budget_neither_spins_nor_stays_full(self):
        """Pain 12: three times in a row the budget fills up and the run waits without CPU; each time
        it goes on as soon as the sink does."""
        data = self.records(30_000)
        os.mkfifo(self.folder / "pipe")
        child = self.start("--budget", "1MiB", "--to", "* -> name=taps exec:exec cat > pipe", data)
        pipe = os.open(self.folder / "pipe", os.O_RDONLY)
        self.addCleanup(os.close, pipe)
        taken = []
        for _ in range(3):
            time.sleep(0.5)  # the budget fills up
            before = cpu_ticks(child.pid)
            time.sleep(0.5)
            self.assertLessEqual(cpu_ticks(child.pid) - before, 1)
            taken.append(self.take(pipe, 2 * MIB))  # more than budget and pipes hold
            self.assertEqual(len(taken[-1]), 2 * MIB)
        taken.append(self.take(pipe, len(data.read_bytes())))
        self.end(child, 0)
        self.assertEqual(b"".join(taken), data.read_bytes())

    def take(self, pipe, most):
        """So many bytes, or all there are to the end."""
        parts = []
        while most > 0 and (part := os.read(pipe, most)):
            parts.append(part)
            most -= len(part)
        return b"".join(parts)


main()
