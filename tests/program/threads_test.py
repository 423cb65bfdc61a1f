"""`--threads N`: whatever the number, the outputs are the same byte for byte, and so is what is said
about refused records. What they should be at all is for the other tests, which run with one thread;
where it is simple it is worked out here as well."""
import json
import random
import signal
import subprocess
import time

from program import ProgramTest, main

COUNTS = (2, 3, 8)
SAME = ("records_in", "records_refused", "decoded_bytes")
SAME_OF_A_SINK = ("name", "records", "bytes", "crc32c", "dropped", "pending")


def line(rng, number, size):
    text = "".join(rng.choice("abc é\\\"\n\t😀") for _ in range(8))
    value = {"n": number, "text": text, "pad": "x" * size, "deep": {"n": -number, "f": 0.5}}
    return json.dumps(value, ensure_ascii=number % 3 == 0).encode()


def small_lines(count, seed=1):
    rng = random.Random(seed)
    return [line(rng, number, rng.randrange(300)) for number in range(count)]


class SameAsOne(ProgramTest):
    TO = ["--to", "* -> name=all file:all", "--to", "/n,/deep/f -> name=two file:two",
          "--to", "/text -> name=text format=text file:text"]

    def run_with(self, threads, *arguments, code=0, **more):
        """(outputs, what was said of refused records, the part of the report that must agree)"""
        result, report = self.fan("--threads", threads, *self.TO, *arguments, code=code, **more)
        outputs = [self.read(name) for name in ("all", "two", "text")]
        said = [text for text in result.stderr.decode().splitlines()
                if text.startswith("sluice: refused") or "cannot" in text]
        counts = [report[key] for key in SAME]
        counts += [[sink[key] for key in SAME_OF_A_SINK] for sink in report["sinks"]]
        return outputs, said, counts

    def assert_same(self, *arguments, **more):
        one = self.run_with(1, *arguments, **more)
        for threads in COUNTS:
            several = self.run_with(threads, *arguments, **more)
            self.assertEqual(several[1:], one[1:], threads)
            self.assertTrue(several[0] == one[0], f"other bytes with {threads} threads")
        return one

    def test_small_lines(self):
        data = b"\n".join(small_lines(20_000)) + b"\n"
        outputs, said, _ = self.assert_same(self.write("in.ndjson", data))
        self.assertTrue(outputs[0] == data)
        self.assertEqual(said, [])

    def test_several_files_without_a_last_newline(self):
        files = [self.write(f"{at}.ndjson", b"\n".join(small_lines(count, at)))
                 for at, count in enumerate((1, 5_000, 0, 3, 2_000))]
        self.assert_same(*files)

    def test_blank_lines_and_carriage_returns(self):
        rng = random.Random(3)
        data = b"".join(rng.choice((b"", b"\n", b"  \r\n", b"\n" * 3)) + each +
                        rng.choice((b"\n", b"\r\n")) for each in small_lines(10_000))
        self.assert_same(self.write("in.ndjson", data + b"\n" * 200_000))

    def test_nothing_but_blank_lines(self):
        self.assert_same(self.write("in.ndjson", b"\n" * 300_000))

    def test_faults_far_apart_and_close_together(self):
        for one_in in (3, 400, 5_000):
            lines = small_lines(12_000)
            for at in range(one_in // 2, len(lines), one_in):
                lines[at] = lines[at][:-1]
            path = self.write("in.ndjson", b"\n".join(lines) + b"\n")
            _, said, counts = self.assert_same(path, code=1)
            self.assertIn(f"in.ndjson:{one_in // 2 + 1}:", said[0])
            self.assertEqual(counts[1], len(range(one_in // 2, len(lines), one_in)))

    def test_the_first_fault_stops_it(self):
        lines = small_lines(10_000)
        lines[7_654] = b"[1,"
        path = self.write("in.ndjson", b"\n".join(lines) + b"\n")
        outputs, _, _ = self.assert_same("--on-error", "stop", path, path, code=1)
        self.assertTrue(outputs[0] == b"\n".join(lines[:7_654]) + b"\n")

    def test_dead_letters(self):
        lines = small_lines(9_000)
        for at in range(100, 9_000, 700):
            lines[at] = b"bad" + lines[at]
        path = self.write("in.ndjson", b"\n".join(lines) + b"\n")
        dead = []
        for threads in (1, 2):
            self.run_with(threads, "--on-error", f"dead-letter=dead{threads}", path, code=1)
            dead.append(self.read(f"dead{threads}"))
        self.assertEqual(dead[1], dead[0])
        self.assertEqual(dead[0], b"".join(lines[at] + b"\n" for at in range(100, 9_000, 700)))

    def test_large_records_among_small_ones(self):
        rng = random.Random(4)
        lines = small_lines(6_000)
        for _ in range(60):
            at = rng.randrange(len(lines))
            lines[at] = line(rng, at, rng.choice((4_000, 4_090, 4_200, 60_000, 300_000)))
        self.assert_same(self.write("in.ndjson", b"\n".join(lines) + b"\n"))

    def test_records_above_the_limit(self):
        lines = small_lines(6_000)
        for at, size in ((10, 2_000), (3_000, 5_000), (5_000, 900_000)):
            lines[at] = line(random.Random(at), at, size)
        path = self.write("in.ndjson", b"\n".join(lines) + b"\n")
        _, said, _ = self.assert_same("--max-record", 1_000, path, code=1)
        self.assertEqual(len(said), 3)

    def test_other_formats(self):
        records = [json.loads(each) for each in small_lines(2_000)]
        self.assert_same(self.write("array.json", json.dumps(records)), "--input", "array")
        self.assert_same(self.write("one.json", json.dumps(records, indent=1)))

    def test_pipes(self):
        data = b"\n".join(small_lines(5_000)) + b"\n"
        outputs, _, _ = self.assert_same(stdin=data)
        self.assertTrue(outputs[0] == data)

    def test_tiny_budgets(self):
        lines = small_lines(5_000)
        lines[2_000] = line(random.Random(5), 2_000, 30_000)
        path = self.write("in.ndjson", b"\n".join(lines) + b"\n")
        for budget in ("384KiB", "512KiB", "1MiB"):
            self.assert_same("--budget", budget, "--max-record", "32KiB", path)

    def test_every_policy_with_a_slow_sink(self):
        path = self.write("in.ndjson", b"\n".join(small_lines(3_000)) + b"\n")
        slow = ["--to", "/n -> name=slow exec:sleep 0.2; cat > slow"]
        for policy in ("auto", "borrow", "copy", "shared_copy", "threshold8"):
            self.assert_same("--policy", policy, "--budget", "1MiB", *slow, path)

    def test_bounded_queues(self):
        path = self.write("in.ndjson", b"\n".join(small_lines(2_000)) + b"\n")
        for bound in ("queue=7", "queue=20KiB"):
            self.assert_same("--to", f"* -> name=more {bound} delay=1ms file:more", path)

    def test_an_input_that_is_not_there_between_two_that_are(self):
        path = self.write("in.ndjson", b"\n".join(small_lines(2_000)) + b"\n")
        _, said, _ = self.assert_same(path, "missing.ndjson", path, code=1)
        self.assertEqual(len(said), 1)


class ALargeFile(ProgramTest):
    def test_memory_is_counted_and_bounded(self):
        path = self.write("in.ndjson", b"\n".join(small_lines(60_000)) + b"\n")
        peaks = []
        for threads in (1, 2):
            _, report = self.fan("--threads", threads, "--budget", "2MiB", "--to", "* -> file:out",
                                 path)
            self.assertTrue(self.read("out") == path.read_bytes())
            peaks.append(report["peak_managed_bytes"])
        # One more set of streams, and an eighth of the budget for what is read ahead.
        self.assertLess(peaks[1] - peaks[0], (2 << 20) / 8 + (128 << 10))

    def test_interrupted_in_the_middle(self):
        path = self.write("in.ndjson", b"\n".join(small_lines(60_000)) + b"\n")
        lines = path.read_bytes().splitlines(keepends=True)
        for wait in (0.05, 0.2, 0.4):
            child = subprocess.Popen(
                self.command("fan", "--threads", 2, "--drain", "300ms", "--report", "report.json",
                             "--to", "* -> name=all file:all",
                             "--to", "* -> name=slow exec:sleep 2; cat > slow",
                             path, path, path, path),
                stderr=subprocess.DEVNULL, cwd=self.folder)
            time.sleep(wait)
            child.send_signal(signal.SIGTERM)
            self.assertIn(child.wait(20), (1, -signal.SIGTERM))
            if child.returncode < 0:
                continue  # before it had begun
            report = json.loads(self.read("report.json"))
            self.assert_adds_up(report)
            count = report["sinks"][0]["records"]
            self.assertTrue(self.read("all") == b"".join((lines * 4)[:count]))

    def test_a_closed_reader_ends_only_its_sink(self):
        path = self.write("in.ndjson", b"\n".join(small_lines(20_000)) + b"\n")
        _, report = self.fan("--threads", 2, "--to", "* -> file:all", "--to",
                             "* -> name=head exec:head -n 3 > head", path, code=1)
        self.assertTrue(self.read("all") == path.read_bytes())
        self.assertGreater(report["sinks"][1]["pending"], 0)


if __name__ == "__main__":
    main()
