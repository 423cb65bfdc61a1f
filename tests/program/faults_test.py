"""What users get for bad input, bad options and bad surroundings: a sentence, the right exit code,
and counts that add up."""
import gzip
import json
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from program import ROOT, ProgramTest, main, under_sanitizer

GOOD = b'{"a":1,"b":"x"}\n'


class BadRecords(ProgramTest):
    def test_the_fourteen_nasty_records(self):
        edge = ROOT / "tests/data/edge.ndjson"
        result = self.sluice("check", edge, code=1)
        faults = result.stdout.decode().splitlines()
        # Lines and columns counted by hand from the bytes of the file.
        places = [(4, 22), (5, 22), (6, 18), (8, 2), (9, 18)]
        self.assertEqual(len(faults), len(places))
        for fault, (line, column) in zip(faults, places):
            self.assertTrue(fault.startswith(f"{edge}:{line}:{column}: byte "), fault)
            self.assertRegex(fault, r": json_(syntax|utf8): found .*, expected ")
        self.assertIn(b"9 accepted, 5 refused", result.stderr)
        _, report = self.fan("--to", "* -> file:out.ndjson", edge, code=1)
        self.assertEqual((report["records_in"], report["records_refused"]), (14, 5))
        lines = edge.read_bytes().split(b"\n")
        good = [lines[at - 1] for at in (1, 2, 3, 7, 10, 11, 12, 13, 14)]
        self.assertEqual(self.read("out.ndjson"), b"\n".join(good) + b"\n")

    def test_on_error_stop_delivers_what_came_before(self):
        data = GOOD * 3 + b"bad\n" + GOOD * 5
        _, report = self.fan("--on-error", "stop", "--to", "* -> file:out", stdin=data, code=1)
        self.assertEqual(self.read("out"), GOOD * 3)
        self.assertEqual((report["records_in"], report["records_refused"]), (4, 1))

    def test_dead_letters_are_the_refused_bytes(self):
        data = GOOD + b'{"a":\xff}\n' + GOOD + b"[1,\r\n" + b"x" * 3000000 + b"\n" + GOOD + b"{"
        _, report = self.fan("--on-error", "dead-letter=dead", "--max-record", "1MiB",
                             "--to", "* -> file:out", stdin=data, code=1)
        self.assertEqual(self.read("out"), GOOD * 3)
        dead = self.read("dead").replace(b"\r", b"")
        self.assertEqual(dead, b'{"a":\xff}\n[1,\n' + b"x" * 3000000 + b"\n{\n")
        self.assertEqual((report["records_in"], report["records_refused"]), (7, 4))

    def test_a_huge_record_between_good_ones_costs_itself(self):
        size = 200_000_000
        child = subprocess.Popen(self.command("fan", "--budget", "8MiB", "--report", "report.json",
                                              "--to", "* -> file:out"),
                                 stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        child.stdin.write(GOOD * 1000 + b'{"big":"')
        for _ in range(size // 1_000_000):
            child.stdin.write(b"x" * 1_000_000)
        child.stdin.write(b'"}\n' + GOOD * 1000)
        child.stdin.close()
        text = child.stderr.read().decode()
        child.stderr.close()
        self.assertEqual(child.wait(60), 1)
        report = json.loads(self.read("report.json"))
        self.assert_adds_up(report)
        self.assertEqual((report["records_in"], report["records_refused"]), (2001, 1))
        self.assertEqual(self.read("out"), GOOD * 2000)
        self.assertEqual(text.count("record_limit"), 1)
        self.assertIn("stdin:1001:1: byte 16000: record_limit", text)
        self.assertIn("--max-record", text)

    def test_records_around_the_limit(self):
        # Also where the limit fills a buffer's capacity to the last byte.
        for limit in (1, 2, 100, 4096, 5000, 65470, 65471, 65472, 65536, 81852, 81853, 81854, 81920):
            for size in (limit - 1, limit, limit + 1, limit + 2):
                record = b"1" * size
                for end in (b"\n", b"\r\n", b""):
                    fits = 0 < size <= limit
                    result = self.sluice("fan", "--max-record", limit, "--to", "* -> -",
                                         stdin=b"7\n" + record + end, timeout=10,
                                         code=0 if fits or size == 0 else 1)
                    self.assertEqual(result.stdout, b"7\n" + (record + b"\n" if fits else b""))

    def test_depth_is_a_limit_and_not_the_stack(self):
        result = self.sluice("check", stdin=b"[" * 100_000 + b"\n" + GOOD, code=1)
        self.assertIn(b"stdin:1:1025: byte 1024: json_depth: ", result.stdout)
        self.assertIn(b"1 accepted, 1 refused", result.stderr)

    def test_line_ends_blanks_and_a_missing_newline(self):
        data = b' {"a":1} \r\n\n  \t\r\n{"a":2}\r\n"x"\n\n3'
        self.fan("--to", "* -> file:out", "--to", "/a -> file:a", stdin=data)
        self.assertEqual(self.read("out"), b' {"a":1} \n{"a":2}\n"x"\n3\n')
        self.assertEqual(self.read("a"), b'{"a":1}\n{"a":2}\n{}\n{}\n')

    def test_compressed_input_says_what_to_do(self):
        path = self.write("events.ndjson", gzip.compress(GOOD))
        result = self.sluice("select", "/a", path, code=1)
        self.assertIn(b"compressed input is not there yet", result.stderr)
        self.assertIn(b"zcat", result.stderr)


class BadSurroundings(ProgramTest):
    def test_a_missing_file_does_not_stop_the_others(self):
        here = self.write("here.ndjson", GOOD)
        result, report = self.fan("--to", "* -> file:out", "missing.ndjson", here, code=1)
        self.assertEqual(self.read("out"), GOOD)
        self.assertIn(b"missing.ndjson: cannot open the input: No such file", result.stderr)
        result = self.sluice("check", "missing.ndjson", code=1)
        self.assert_one_sentence(result, "missing.ndjson", "check the path")

    def test_a_folder_is_no_input(self):
        result = self.sluice("check", ".", code=1)
        self.assert_one_sentence(result, "name a file, not a directory")

    def test_sinks_that_cannot_be_opened(self):
        data = self.write("in.ndjson", GOOD)
        for uri, words in (("file:no/such/folder/out", "check the path"),
                           ("file:.", "name a file, not a directory"),
                           ("file:", "check the path"),
                           (f"file:{data}", "would overwrite an input"),
                           ("exec: ", "cannot open the sink")):
            with self.subTest(uri):
                result = self.sluice("fan", "--to", f"* -> {uri}", data, code=2)
                self.assert_one_sentence(result, uri.strip(), words)
                self.assertEqual(data.read_bytes(), GOOD)

    def test_nothing_is_truncated_when_another_sink_cannot_be_opened(self):
        kept = self.write("kept", b"old")
        self.sluice("fan", "--to", "* -> file:kept", "--to", "* -> file:no/out", stdin=GOOD, code=2)
        self.assertEqual(kept.read_bytes(), b"old")

    def test_a_full_device_fails_its_sink_only(self):
        result, report = self.fan("--to", "* -> name=full file:/dev/full",
                                  "--to", "* -> name=good file:out", stdin=GOOD * 5000, code=1)
        self.assertEqual(self.read("out"), GOOD * 5000)
        full, good = report["sinks"]
        self.assertEqual((full["records"], full["pending"]), (0, 5000))
        self.assertEqual(good["records"], 5000)
        self.assertIn(b"No space left on device", result.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "skipped: mounting a small file system needs root")
    def test_a_full_disk_keeps_whole_records_and_counts_them(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk],
                          capture_output=True).returncode != 0:
            self.skipTest("skipped: this machine does not let us mount a small file system")
        try:
            data = GOOD * 200_000
            result, report = self.fan("--to", "* -> name=full file:disk/out",
                                      "--to", "* -> name=good file:out", stdin=data, code=1)
            full, good = report["sinks"]
            written = (disk / "out").read_bytes()
            self.assertEqual(full["bytes"], len(written))
            self.assertEqual(full["records"], len(written) // len(GOOD))
            self.assertEqual(full["pending"], 200_000 - full["records"])
            self.assertEqual(good["records"], 200_000)
            self.assertIn(b"free some space", result.stderr)
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_commands_that_fail(self):
        # One record, so that no write meets a closed pipe before the status is known.
        for command, words in (("cat > /dev/null; exit 3", b"status other than 0 (3)"),
                               ("read line; kill -9 $$", b"ended by a signal (9)"),
                               ("sleep 0.1; exec /no/such/command", b"status other than 0 (127)")):
            with self.subTest(command):
                result, report = self.fan("--to", f"* -> exec:{command}", stdin=GOOD, code=1)
                self.assertIn(words, result.stderr)
        for command in ("/no/such/command", "exec head -c 10 > /dev/null"):
            with self.subTest(command):
                data = GOOD * 100_000
                result, report = self.fan("--to", f"* -> exec:{command}",
                                          "--to", "* -> name=good file:out", stdin=data, code=1)
                self.assertEqual(self.read("out"), data)
                self.assertIn(b"the reader is gone", result.stderr)
                self.assertGreater(report["sinks"][0]["pending"], 0)

    def test_a_command_that_ends_early_with_success_leaves_the_rest_pending(self):
        result, report = self.fan("--to", "* -> exec:head -n 1 > first", stdin=GOOD * 500_000,
                                  code=1)
        self.assertEqual(self.read("first"), GOOD)
        self.assertGreater(report["sinks"][0]["pending"], 0)

    def test_a_closed_pipe(self):
        data = self.write("in.ndjson", GOOD * 200_000)
        for arguments, expected in ((["select", "/a"], 0), (["check"], 0),
                                    (["fan", "--to", "* -> -", "--to", "* -> file:out"], 1)):
            with self.subTest(arguments[0]):
                source = data
                if arguments[0] == "check":
                    source = self.write("bad.ndjson", b"bad\n" * 200_000)
                child = subprocess.Popen(self.command(*arguments, source), cwd=self.folder,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                child.stdout.read(10)
                child.stdout.close()
                errors = child.stderr.read()
                child.stderr.close()
                self.assertEqual(child.wait(60), expected, errors)
                if arguments[0] == "select":
                    self.assertEqual(errors, b"")
        self.assertEqual(self.read("out"), GOOD * 200_000)


class NothingIsOverwritten(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("in.ndjson", GOOD)
        os.link(self.data, self.folder / "hard")
        os.symlink("in.ndjson", self.folder / "soft")

    def test_reports_and_dead_letters_are_no_inputs_and_no_sinks(self):
        cases = [["--report", "in.ndjson"], ["--report", "soft"], ["--report", "hard"],
                 ["--on-error", "dead-letter=in.ndjson"], ["--on-error", "dead-letter=hard"],
                 ["--report", "out"], ["--on-error", "dead-letter=./out"],
                 ["--report", "r", "--on-error", "dead-letter=r"]]
        for options in cases:
            with self.subTest(" ".join(options)):
                kept = self.write("out", b"old")
                self.sluice("fan", "--to", "* -> file:out", *options, self.data, code=2)
                self.assertEqual(self.data.read_bytes(), GOOD)
                self.assertEqual(kept.read_bytes(), b"old")

    def test_a_run_that_does_not_start_empties_nothing_and_starts_no_command(self):
        for name in ("report", "dead", "kept"):
            self.write(name, b"old")
        self.sluice("fan", "--to", "* -> exec:touch started", *["--to", "* -> exec:cat"] * 8,
                    "--to", "* -> file:kept", "--to", "* -> file:no/such/folder",
                    "--report", "report", "--on-error", "dead-letter=dead", self.data, code=2)
        for name in ("report", "dead", "kept"):
            self.assertEqual(self.read(name), b"old")
        self.assertFalse((self.folder / "started").exists())

    def test_two_sinks_on_one_file_by_any_name(self):
        self.write("a", b"old")
        os.symlink("a", self.folder / "b")
        for one, other in (("file:a", "file:./a"), ("file:a", "file:b"), ("-", "-")):
            result = self.sluice("fan", "--to", f"* -> {one}", "--to", f"* -> {other}", self.data,
                                 code=2)
            self.assertEqual(self.read("a"), b"old")
            self.assert_one_sentence(result, "give each sink a place of its own")

    def test_standard_output_that_is_an_input(self):
        for arguments in (["select", "*"], ["fan", "--to", "* -> -"]):
            with open(self.data, "ab") as output:
                child = subprocess.run(self.command(*arguments, self.data), stdout=output,
                                       stderr=subprocess.PIPE, timeout=10)
            self.assertEqual(child.returncode, 2)
            self.assertIn(b"would overwrite an input", child.stderr)
            self.assertEqual(self.data.read_bytes(), GOOD)

    def test_select_runs_nothing_and_writes_no_file(self):
        self.sluice("select", "/a -> exec:touch pwned; cat", self.data, code=0)
        self.sluice("select", "/a -> file:pwned", self.data, code=0)
        self.assertFalse((self.folder / "pwned").exists())


class Descriptors(ProgramTest):
    def run_without(self, descriptors, *arguments):
        def close():
            for descriptor in descriptors:
                os.close(descriptor)
        return subprocess.run(self.command(*arguments), preexec_fn=close, cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=20)

    def test_closed_standard_descriptors_are_not_taken_for_our_files(self):
        data = self.write("in.ndjson", GOOD)
        for closed in ([1], [2], [0, 1, 2]):
            self.run_without(closed, "fan", "--to", "* -> file:out", "--report", "report", data)
            json.loads(self.read("report"))
            self.assertEqual(self.read("out"), GOOD)
        result = self.run_without([1], "fan", "--to", "* -> -", data)
        self.assertEqual(result.returncode, 2)
        result = self.run_without([0], "fan", "--to", "* -> null:")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"stdin: cannot open the input", result.stderr)

    def test_too_few_descriptors(self):
        if under_sanitizer():
            self.skipTest("skipped: a sanitizer needs descriptors of its own")
        data = self.write("in.ndjson", GOOD)
        for limit in range(3, 12):
            def lower():
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            result = subprocess.run(self.command("fan", "--to", "* -> file:out", data),
                                    preexec_fn=lower, cwd=self.folder, capture_output=True,
                                    timeout=20)
            # Too few even for the loader, or a sentence, or enough.
            self.assertIn(result.returncode, (0, 1, 2, 127), result.stderr)
            if result.returncode in (1, 2):
                self.assertIn(b"ulimit -n", result.stderr)

    def test_a_limit_of_file_size_fails_the_sink_only(self):
        data = self.write("in.ndjson", GOOD * 100_000)
        def lower():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        _, report = self.fan("--to", "* -> name=file file:out", "--to", "* -> name=null null:",
                             data, code=1, preexec_fn=lower)
        self.assertEqual(report["sinks"][0]["records"], 100_000 // len(GOOD))
        self.assertEqual(report["sinks"][1]["records"], 100_000)

    def test_check_says_when_its_output_is_full(self):
        bad = self.write("bad", b"{\n")
        with open("/dev/full", "wb") as full:
            result = subprocess.run(self.command("check", bad), stdout=full, timeout=10,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"No space left", result.stderr)

    def test_names_with_brackets(self):
        self.write("[x]", GOOD)
        self.assertIn(b"1 accepted", self.sluice("check", "[x]", code=0).stderr)
        self.assertEqual(self.sluice("select", "*", "[x]", "[x]", code=0).stdout, GOOD * 2)


class Pipes(ProgramTest):
    def test_a_pipe_without_a_writer_can_be_interrupted(self):
        os.mkfifo(self.folder / "pipe")
        child = subprocess.Popen(self.command("fan", "--to", "* -> null:", "pipe"),
                                 cwd=self.folder, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(10), 0)

    def test_a_pipe_is_read_when_its_writer_comes(self):
        os.mkfifo(self.folder / "pipe")
        child = subprocess.Popen(self.command("fan", "--to", "* -> file:out", "pipe"),
                                 cwd=self.folder, stderr=subprocess.DEVNULL)
        time.sleep(0.2)
        with open(self.folder / "pipe", "wb") as pipe:
            pipe.write(GOOD * 100)
        self.assertEqual(child.wait(10), 0)
        self.assertEqual(self.read("out"), GOOD * 100)

    def test_dead_letters_want_a_file(self):
        os.mkfifo(self.folder / "pipe")
        result = self.sluice("fan", "--to", "* -> null:", "--on-error", "dead-letter=pipe", code=2)
        self.assert_one_sentence(result, "must be a file")

    def test_a_command_that_ends_while_somebody_holds_its_pipe(self):
        data = self.write("big.ndjson", GOOD * 300_000)
        self.write("holder.sh", "exec 3<&0; sleep 30 <&3 >/dev/null 2>&1 & echo $! > holder; exit 0")
        result, report = self.fan("--to", "* -> exec:sh holder.sh", data, code=1, timeout=20)
        self.assertGreater(report["sinks"][0]["pending"], 0)
        os.kill(int(self.read("holder")), signal.SIGKILL)

    def test_the_whole_group_of_an_abandoned_command_ends(self):
        data = self.write("big.ndjson", GOOD * 300_000)
        self.write("stub.sh", "trap '' TERM; echo $$ > stub; exec sleep 47")
        child = subprocess.Popen(self.command("fan", "--drain", "0s",
                                              "--to", "* -> exec:sh stub.sh & wait", data),
                                 cwd=self.folder, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if (self.folder / "stub").exists() and self.read("stub"):
                break
            time.sleep(0.05)
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(20), 1)
        with self.assertRaises((ProcessLookupError, FileNotFoundError)):
            state = pathlib.Path(f"/proc/{int(self.read('stub'))}/stat").read_text()
            if state.rsplit(")", 1)[1].split()[0] == "Z":
                raise ProcessLookupError  # ended, and waits for its new parent


    def test_when_the_only_sink_ends_nobody_waits_for_input(self):
        child = subprocess.Popen(self.command("fan", "--to", "* -> exec:exec <&-; sleep 0.2"),
                                 cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            child.stdin.write(GOOD * 20_000)
            child.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended already
        errors = child.stderr.read()
        child.stderr.close()
        self.assertEqual(child.wait(20), 1)
        self.assertIn(b"no sink was left", errors)
        try:
            child.stdin.close()
        except BrokenPipeError:
            pass


class Arrays(ProgramTest):
    def test_an_element_above_the_limit_costs_itself(self):
        data = b'[1,"%0200d",3,4]' % 0
        result = self.sluice("fan", "--input", "array", "--max-record", 100, "--to", "* -> -",
                             stdin=data, code=1)
        self.assertEqual(result.stdout, b"1\n3\n4\n")
        result = self.sluice("fan", "--input", "array", "--max-record", 100, "--on-error", "stop",
                             "--to", "* -> -", stdin=data, code=1)
        self.assertEqual(result.stdout, b"1\n")

    def test_dead_letters_of_a_document_are_whole(self):
        document = b"[" + b",".join(b"[%d]" % at for at in range(200_000)) + b"]"
        for options, start in ((["--input", "json", "--max-record", "1000"], 0),):
            self.sluice("fan", *options, "--on-error", "dead-letter=dead", "--to", "* -> null:",
                        stdin=document, code=1)
            self.assertEqual(self.read("dead"), document[start:] + b"\n")
        bad = b'[1,{"a":x},' + document[1:]
        self.sluice("fan", "--input", "array", "--on-error", "dead-letter=dead",
                    "--to", "* -> file:out", stdin=bad, code=1)
        self.assertEqual(self.read("out"), b"1\n")
        self.assertTrue(self.read("dead").endswith(document[-1000:] + b"\n"))

    def test_blanks_do_not_count_towards_the_limit(self):
        result = self.sluice("fan", "--input", "json", "--max-record", 7, "--to", "* -> -",
                             stdin=b'{"a":1}\n', code=0)
        self.assertEqual(result.stdout, b'{"a":1}\n')
        result = self.sluice("fan", "--max-record", 2, "--to", "* -> -", stdin=b"{}\n     \n{}\n",
                             code=0)
        self.assertEqual(result.stdout, b"{}\n{}\n")


class BadOptions(ProgramTest):
    def test_each_gets_one_sentence_that_says_what_to_do(self):
        cases = [
            (["fan", "--to", "a -> -"], ["JSON Pointer begins with '/'"]),
            (["fan", "--to", "/a~ -> -"], ["~0", "~1"]),
            (["fan", "--to", "/a"], ["' -> '"]),
            (["fan", "--to", "/a -> "], ["where to is missing"]),
            (["fan", "--to", "/a,, -> -"], ["selects nothing"]),
            (["fan", "--to", "*,/a -> -"], ["stands alone"]),
            (["fan", "--to", "/x/a,/y/a -> -"], ["as="]),
            (["fan", "--to", "/a,/b -> as=x -"], ["as= gives 1 names for 2 fields"]),
            (["fan", "--to", "* -> ftp://x"], ["is no sink"]),
            (["fan", "--to", "* -> http://x"], ["not there yet"]),
            (["fan", "--to", "* -> colour=red -"], ["unknown option 'colour='"]),
            (["fan", "--to", "* -> queue=0 -"], ["queue="]),
            (["fan", "--to", "* -> queue=1 queue=2 -"], ["given twice"]),
            (["fan", "--to", "* -> delay=5 -"], ["5ms"]),
            (["fan", "--to", "* -> when_full=spill -"], ["not there yet"]),
            (["fan", "--to", "* -> format=text -"], ["exactly one field"]),
            (["fan", "--to", "/a,/b -> bare=yes -"], ["exactly one field"]),
            (["fan", "--to", "* -> name=x -", "--to", "* -> name=x null:"], ["name 'x'"]),
            (["fan", "--to", "* -> file:o", "--to", "/a -> file:o"], ["another sink writes there"]),
            (["fan", "--to", "* -> -", "--budget", "lots"], ["--budget", "64MiB"]),
            (["fan", "--to", "* -> -", "--budget", "64KiB"], ["too small", "at least"]),
            (["fan", "--to", "* -> -", "--budget", "4MiB", "--max-record", "2MiB"], ["quarter"]),
            (["fan", "--to", "* -> -", "--study", "--input", "array"], ["NDJSON", "--input"]),
            (["fan", "--to", "* -> -", "--trace", "no/t.json"], ["--trace no/t.json"]),
            (["fan", "--to", "* -> -", "--policy", "best"], ["threshold8"]),
            (["fan", "--to", "* -> -", "--threads", "0"], ["--threads", "from 1 to 64", "'0'"]),
            (["fan", "--to", "* -> -", "--threads", "65"], ["--threads", "from 1 to 64"]),
            (["fan", "--to", "* -> -", "--threads", "2x"], ["--threads", "from 1 to 64"]),
            (["fan", "--to", "* -> -", "--threads", "2", "--study"], ["--study", "--threads"]),
            (["fan", "--to", "* -> -", "--spill", "d,1MiB"], ["not there yet"]),
            (["fan", "--to", "* -> -", "--on-error", "panic"], ["dead-letter=FILE"]),
            (["fan", "--to", "* -> -", "--input", "xml"], ["auto, ndjson, json or array"]),
            (["fan", "--to", "* -> -", "--report", "no/r.json"], ["--report no/r.json"]),
            (["fan"], ["--to is required"]),
            (["fan", "--to", "* -> -", "--colour"], ["--colour"]),
            (["select"], ["SELECT is required"]),
            (["select", "a"], ["/repo/name"]),
            (["explain", "config.toml"], ["not there yet"]),
            (["journal", "inspect", "d"], ["not there yet"]),
            (["frobnicate"], ["'frobnicate' is no command", "run, validate, fan, select, check"]),
            (["fan", "--to"], ["sluice fan --help"]),
            ([], ["sluice --help"]),
        ]
        for arguments, words in cases:
            with self.subTest(" ".join(arguments)):
                result = self.sluice(*arguments, stdin=GOOD, code=2)
                self.assert_one_sentence(result, *words)
                self.assertEqual(result.stdout, b"")

    def test_the_budget_it_asks_for_is_enough(self):
        first = self.sluice("fan", "--budget", "64KiB", "--to", "* -> null:", stdin=GOOD, code=2)
        needed = first.stderr.decode().split("at least ")[1].split(",")[0]
        self.sluice("fan", "--budget", needed, "--to", "* -> null:", stdin=GOOD, code=0)

    def test_a_kernel_that_is_none(self):
        environment = {**os.environ, "SLUICE_KERNEL": "abacus"}
        result = self.sluice("check", stdin=GOOD, code=2, env=environment)
        self.assert_one_sentence(result, "SLUICE_KERNEL", "swar")

    def test_help_and_version(self):
        for words in (["version"], ["--version"]):
            self.assertTrue(self.sluice(*words, code=0).stdout.startswith(b"sluice "))
        for arguments in (["--help"], ["fan", "--help"], ["select", "-h"], ["check", "--help"]):
            self.assertIn(b"Examples:", self.sluice(*arguments, code=0).stdout)


main()
