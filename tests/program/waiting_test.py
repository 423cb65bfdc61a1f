"""Slow and dead sinks: memory stays within the budget, waiting costs no CPU, the sink is named, and
signals drain or say what is left. And the first condition of the study of retention policies."""
import json
import os
import signal
import subprocess
import time
import unittest

from program import ProgramTest, main, under_sanitizer
from process import cpu_ticks, status_kib

MIB = 1024 * 1024


class Waiting(ProgramTest):
    def start(self, *arguments):
        child = subprocess.Popen(self.command("fan", "--report", "report.json", *arguments),
                                 cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def read_until(self, child, word):
        """Lines of standard error up to one with `word` in it."""
        lines = []
        for line in child.stderr:
            lines.append(line)
            if word in line:
                return lines
        self.fail(f"no line with '{word}' in {lines}")

    def records(self, mib):
        line = json.dumps({"id": 1, "tag": "t" * 40, "body": "b" * 300}).encode() + b"\n"
        return self.write("in.ndjson", line * (mib * MIB // len(line)))

    def test_a_sink_that_stopped_for_good(self):
        data = self.records(40)
        child = self.start("--budget", "2MiB", "--drain", "1s",
                           "--to", "* -> name=dead exec:sleep 1000",
                           "--to", "* -> name=alive file:out", data)
        lines = self.read_until(child, "waiting for sink dead: holds ")
        self.assertRegex(lines[-1], r"^sluice: waiting for sink dead: holds \S+ [KM]iB of its ")
        if not under_sanitizer():
            self.assertLess(status_kib(child.pid, "RssAnon"), 6 * 1024)
        before = cpu_ticks(child.pid)
        time.sleep(1)
        # 10 ms a tick: at most one may fall into the second, however busy the machine is.
        self.assertLessEqual(cpu_ticks(child.pid) - before, 1)

        child.send_signal(signal.SIGTERM)
        rest = child.stderr.read()
        self.assertEqual(child.wait(20), 1, rest)
        self.assertIn("given up at the end of the drain", rest)
        self.assertIn("stopped", rest)
        report = json.loads(self.read("report.json"))
        self.assert_adds_up(report)
        dead, alive = report["sinks"]
        self.assertGreater(dead["pending"], 0)
        self.assertEqual(alive["pending"], 0)
        self.assertEqual(alive["bytes"], len(self.read("out")))
        self.assertLessEqual(report["peak_managed_bytes"], 2 * MIB)
        self.assertGreater(report["peak_managed_bytes"], MIB // 2)

    def test_a_dead_sink_that_drops_holds_nobody_up(self):
        data = self.records(20)
        child = self.start("--budget", "2MiB", "--drain", "0s",
                           "--to", "* -> name=dead when_full=drop_newest exec:sleep 1000",
                           "--to", "* -> name=alive file:out", data)
        # Everything has been read: it waits for the dead sink's last records.
        self.read_until(child, "waiting for sink dead")
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(20), 1)
        report = json.loads(self.read("report.json"))
        self.assert_adds_up(report)
        dead, alive = report["sinks"]
        self.assertEqual(self.read("out"), data.read_bytes())
        self.assertEqual(alive["records"], report["records_in"])
        self.assertGreater(dead["dropped"], report["records_in"] // 2)

    def test_a_dead_sink_that_drops_leaves_room_for_large_records(self):
        line = json.dumps({"id": 1, "body": "b" * 200_000}).encode() + b"\n"
        data = self.write("large.ndjson", (line + b'{"id":2}\n' * 100) * 200)
        child = self.start("--budget", "8MiB", "--drain", "0s",
                           "--to", "* -> name=dead when_full=drop_newest exec:sleep 1000",
                           "--to", "* -> name=alive file:out", data)
        self.read_until(child, "waiting for sink dead")
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(20), 1)
        self.assertEqual(self.read("out"), data.read_bytes())

    def test_a_second_signal_ends_the_drain(self):
        data = self.records(5)
        child = self.start("--budget", "2MiB", "--to", "* -> name=dead exec:sleep 1000", data)
        self.read_until(child, "waiting for sink dead")
        child.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(20), 1)

    def test_a_signal_drains_what_was_read(self):
        child = subprocess.Popen(self.command("fan", "--report", "report.json", "--to",
                                              "* -> exec:sleep 0.5; cat > out"),
                                 cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(b'{"a":1}\n' * 1000)
        child.stdin.flush()
        time.sleep(0.3)
        child.send_signal(signal.SIGTERM)
        errors = child.stderr.read()
        child.stderr.close()
        self.assertEqual(child.wait(20), 0, errors)
        child.stdin.close()
        self.assertEqual(self.read("out"), b'{"a":1}\n' * 1000)

    def test_what_comes_slowly_is_passed_on_at_once(self):
        child = subprocess.Popen(self.command("fan", "--to", "* -> -", "--to", "* -> file:out"),
                                 cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        child.stdin.write(b'{"a":1}\n')
        child.stdin.flush()
        self.assertEqual(child.stdout.readline(), b'{"a":1}\n')
        for _ in range(100):
            if self.read("out"):
                break
            time.sleep(0.05)
        self.assertEqual(self.read("out"), b'{"a":1}\n')
        child.stdin.close()
        self.assertEqual(child.wait(20), 0)
        child.stdout.close()

    def test_memory_does_not_grow_with_the_input(self):
        if under_sanitizer():
            raise unittest.SkipTest("skipped: a sanitizer's memory is no part of the account")
        feeder = subprocess.Popen(["head", "-c", str(64 * MIB), "/dev/zero"],
                                  stdout=subprocess.PIPE)
        lines = subprocess.Popen(["tr", "\\0", "1"], stdin=feeder.stdout, stdout=subprocess.PIPE)
        fold = subprocess.Popen(["fold", "-w", "15"], stdin=lines.stdout, stdout=subprocess.PIPE)
        child = subprocess.Popen(self.command("fan", "--budget", "1MiB", "--report", "report.json",
                                              "--to", "* -> null:", "--to", "* -> file:out"),
                                 stdin=fold.stdout, cwd=self.folder, stderr=subprocess.PIPE)
        for pipe in (feeder, lines, fold):
            pipe.stdout.close()
        peak = 0
        while child.poll() is None:
            try:
                peak = max(peak, status_kib(child.pid, "RssAnon"))
            except (AttributeError, FileNotFoundError, ProcessLookupError):
                pass
            time.sleep(0.01)
        child.stderr.close()
        for process in (feeder, lines, fold):
            process.wait()
        self.assertEqual(child.returncode, 0)
        self.assertLess(peak, 5 * 1024)
        report = json.loads(self.read("report.json"))
        self.assert_adds_up(report)
        self.assertEqual(report["sinks"][1]["bytes"], len(self.read("out")))


class Study(ProgramTest):
    """Body to a sink at once, a tag of 56 bytes to two that hold each record for 5 and 8 ms."""
    RECORDS = 1024

    def setUp(self):
        super().setUp()
        line = json.dumps({"id": 7, "tag": "t" * 54, "body": "b" * 32766, "pad": "p" * 8000})
        self.size = len(line) + 1
        self.data = self.write("base.ndjson", (line + "\n") * self.RECORDS)

    def run_policy(self, policy):
        _, report = self.fan("--study", "--policy", policy,
                             "--to", "/body -> name=body null:",
                             "--to", "/tag -> name=t5 delay=5ms queue=64 null:",
                             "--to", "/tag -> name=t8 delay=8ms queue=64 null:", self.data)
        # A slow machine does not fill the queues; tests/experiments tells what they hold at most.
        for sink, most in zip(report["sinks"], (1, 64, 64)):
            self.assertLessEqual(sink["queue_max"], most)
        # 64 at a time for 8 ms each: the window sets the time, whatever the policy.
        self.assertGreaterEqual(report["elapsed_ms"], (self.RECORDS // 64 - 1) * 8)
        return report

    def test_borrow_holds_64_originals_of_64_kib(self):
        report = self.run_policy("borrow")
        # 40 KiB and a little hold 64 KiB, beside the 32 they grew from. One more may be read while 64
        # are held.
        self.assertLessEqual(report["peak_by_region"]["input"], 65 * 64 * 1024 + 32 * 1024)
        self.assertEqual(report["copied_bytes"], 0)

    def test_shared_copy_copies_each_selected_range_once(self):
        report = self.run_policy("shared_copy")
        self.assertEqual(report["copied_bytes"], self.RECORDS * (32768 + 56))
        # No original outlives its reading: one block, and one more while the next is begun.
        self.assertLessEqual(report["peak_by_region"]["input"], 2 * 64 * 1024)
        # A tag holds 64 bytes, and 64 for its control block and row; a body 32 KiB and the same.
        # 65 of the former when one is made before the oldest goes; the original has 128 and a row.
        self.assertLessEqual(report["peak_by_region"]["record"],
                             65 * 128 + 32 * 1024 + 64 + 128 + 64)

    def test_threshold8_copies_the_tags_only(self):
        report = self.run_policy("threshold8")
        self.assertEqual(report["copied_bytes"], self.RECORDS * 56)
        self.assertLessEqual(report["peak_by_region"]["input"], 2 * 64 * 1024)
        self.assertLessEqual(report["peak_by_region"]["record"], 65 * 128 + 128 + 64)

    def test_the_trace_tells_what_was_copied_when_and_why(self):
        _, report = self.fan("--policy", "auto", "--trace", "trace.ndjson",
                             "--to", "/body -> null:",
                             "--to", "/tag -> delay=5ms queue=64 null:", self.data)
        lines = [json.loads(line) for line in self.read("trace.ndjson").splitlines()]
        self.assertEqual(sum(line["copied_bytes"] for line in lines), report["copied_bytes"])
        self.assertEqual(report["copied_bytes"], self.RECORDS * 56)
        for line in lines:
            self.assertIn(line["moment"], ("arrival", "release", "shortage"))
            self.assertGreaterEqual(line["capacity"], 4 * line["copies_capacity"] / 3)
            self.assertEqual(line["holders"][0]["selected_bytes"], 56)


main()
