"""Configuration files: what is run, and what users are told when something is wrong with one."""
import json
import os
import re
import signal
import subprocess
import time

from program import ROOT, ProgramTest, main

LINES = b'{"actor":{"login":"b"},"type":"x"}\n{"actor":{"login":"a"},"type":"y"}\n'


class ConfigTest(ProgramTest):
    def config(self, text):
        return self.write("config.toml", text)

    def assert_told(self, text, *lines):
        """`validate` and `run` tell exactly this, and start nothing."""
        self.config(text)
        for command in ("validate", "run"):
            result = self.sluice(command, "config.toml", code=78)
            told = "".join(f"sluice: config.toml:{line}\n" for line in lines)
            self.assertEqual(result.stderr.decode(), told)
            self.assertEqual(result.stdout, b"")

    def run_config(self, text, code=0, **more):
        self.config(text)
        result = self.sluice("run", "--report", "report.json", "config.toml", code=code, **more)
        report = json.loads(self.read("report.json"))
        self.assertEqual(report["outstanding_bytes_at_exit"], 0)
        self.assertLessEqual(report["peak_managed_bytes"], report["budget_bytes"])
        return result, report


class Errors(ConfigTest):
    def test_a_misspelt_key_is_an_error(self):
        # As in the report of a router whose dry run let `srvice:` pass.
        self.assert_told('[sources.in]\ntype = "stdin"\n\n[sinks.out]\ntype = "stdout"\nformt = "json"\n',
                         "6:1: [sinks.out]: unknown key 'formt': did you mean 'format'?")
        self.assert_told('[srvice]\nx = 1\n[sources.in]\ntype = "stdin"\n[sinks.out]\ntype = "null"\n',
                         "1:2: the file: unknown key 'srvice': there are budget, http, admin, inputs, "
                         "sources, sinks")

    def test_all_at_once_in_the_order_of_the_file(self):
        self.assert_told(
            '[budget]\nmemory = "lots"\nthreads = 0\n'
            '[sources.in]\ntype = "stdn"\n'
            '[sinks.a]\ntype = "exec"\nfrom = "on"\n'
            '[sinks.b]\ntype = "null"\nwhere = "/a > 1"\n',
            "2:10: [budget]: memory is a size such as \"64MiB\", not 'lots'",
            "3:11: [budget]: threads is a number from 1 to 64, not 0",
            "4:10: [sources.in]: a source of type file needs paths",
            "5:8: [sources.in]: there is no type 'stdn': did you mean 'stdin'?",
            "6:8: [sinks.a]: a sink of type exec needs a command",
            "8:8: [sinks.a]: there is no source or input 'on': there are in",
            "11:1: [sinks.b]: 'where' is not there yet: leave it out")

    def test_syntax(self):
        self.config("[budget\n")
        result = self.sluice("validate", "config.toml", code=78)
        self.assertRegex(result.stderr.decode(), r"^sluice: config\.toml:1:8: .+\n$")
        self.write("config.json", '{"sinks": {,}}')
        result = self.sluice("validate", "config.json", code=78)
        self.assertRegex(result.stderr.decode(), r"^sluice: config\.json:1:12: found ',', expected .+\n$")

    def test_files_that_are_not_there(self):
        result = self.sluice("validate", "none.toml", code=78)
        self.assert_one_sentence(result, "none.toml: cannot open the input", "check the path")
        self.config('[sources.in]\ntype = "file"\npaths = "no/*.ndjson"\n[sinks.a]\ntype = "null"\n')
        self.sluice("validate", "config.toml", code=0)
        result = self.sluice("run", "config.toml", code=2)
        self.assert_one_sentence(result, "config.toml:3:9: no file is called 'no/*.ndjson'")

    def test_what_only_the_start_can_find(self):
        self.write("in.ndjson", LINES)
        self.config('[sources.in]\ntype = "file"\npaths = "in.ndjson"\n'
                    '[sinks.a]\ntype = "file"\npath = "in.ndjson"\n')
        result = self.sluice("run", "config.toml", code=2)
        self.assert_one_sentence(result, "sink a (file:in.ndjson)", "would overwrite an input")
        self.assertEqual(self.read("in.ndjson"), LINES)
        self.config('[budget]\nmemory = "32KiB"\n[sources.in]\ntype = "stdin"\n[sinks.a]\ntype = "null"\n')
        result = self.sluice("run", "config.toml", code=2)
        self.assert_one_sentence(result, "[budget] memory = 32.0 KiB is too small", "max_record")

    def test_variables(self):
        text = '[sources.in]\ntype = "stdin"\n[sinks.a]\ntype = "file"\npath = "${SLUICE_TEST_PATH}"\n'
        environment = dict(os.environ, SLUICE_TEST_PATH="here")
        self.config(text)
        self.sluice("run", "config.toml", code=0, stdin=LINES, env=environment)
        self.assertEqual(self.read("here"), LINES)
        self.assert_told(text, "5:8: the environment variable SLUICE_TEST_PATH is not set: set it, or write "
                               "${SLUICE_TEST_PATH:-DEFAULT}")


class Runs(ConfigTest):
    def test_several_sources_over_overlapping_sinks(self):
        records = {}
        for name in ("a", "b", "c"):
            records[name] = [b'{"s":"%s","n":%d,"pad":"%s"}' % (name.encode(), at, b"x" * (at % 500))
                             for at in range(5000)]
            self.write(f"{name}.ndjson", b"\n".join(records[name]) + b"\n")
        text = '[budget]\nmemory = "4MiB"\n'
        for name in ("a", "b"):
            text += f'[sources.{name}]\ntype = "file"\npaths = "{name}.ndjson"\n'
        text += ('[sources.c]\ntype = "stdin"\n'
                 '[sinks.all]\ntype = "file"\npath = "all"\n'
                 '[sinks.ab]\ntype = "exec"\ncommand = "cat > ab"\nfrom = ["a", "b"]\n'
                 '[sinks.c]\ntype = "file"\npath = "c"\nfrom = "c"\nselect = "/n"\nbare = true\n')
        _, report = self.run_config(text, stdin=self.read("c.ndjson"))
        self.assertEqual(report["records_in"], 15000)
        for sink, sources in (("all", "abc"), ("ab", "ab")):
            lines = self.read(sink).splitlines()
            self.assertEqual(len(lines), 5000 * len(sources))
            for name in sources:
                mine = [line for line in lines if line.startswith(b'{"s":"%s"' % name.encode())]
                self.assertEqual(mine, records[name], "each source's records in their order")
        self.assertEqual(self.read("c"), b"".join(b"%d\n" % at for at in range(5000)))
        counts = {sink["name"]: sink["records"] for sink in report["sinks"]}
        self.assertEqual(counts, {"all": 15000, "ab": 10000, "c": 5000})

    def test_one_goes_on_while_the_sink_of_another_has_stopped(self):
        size = 200_000
        self.write("in.ndjson", (b'{"pad":"%s"}\n' % (b"x" * 100)) * size)
        os.mkfifo(self.folder / "go")
        text = ('[budget]\nmemory = "2MiB"\n'
                '[sources.stuck]\ntype = "file"\npaths = "in.ndjson"\n'
                '[sources.free]\ntype = "file"\npaths = "in.ndjson"\n'
                '[sinks.slow]\ntype = "exec"\ncommand = "read x < go; cat > slow"\nfrom = "stuck"\n'
                '[sinks.fast]\ntype = "file"\npath = "fast"\nfrom = "free"\n')
        self.config(text)
        child = subprocess.Popen(self.command("run", "config.toml"), cwd=self.folder,
                                 stderr=subprocess.PIPE)
        wanted = (self.folder / "in.ndjson").stat().st_size
        deadline = time.monotonic() + 30
        fast = self.folder / "fast"
        # The last part is held back by the sink at most 5 ms.
        while time.monotonic() < deadline and not (fast.exists() and fast.stat().st_size == wanted):
            time.sleep(0.02)
        self.assertEqual(fast.stat().st_size, wanted)
        (self.folder / "go").write_bytes(b"now\n")
        child.communicate(timeout=30)
        self.assertEqual(child.returncode, 0)
        self.assertEqual((self.folder / "slow").stat().st_size, wanted)

    def test_a_silent_source_keeps_no_other_waiting(self):
        self.write("in.ndjson", LINES * 1000)
        self.config('[sources.silent]\ntype = "stdin"\n[sources.files]\ntype = "file"\npaths = "in.ndjson"\n'
                    '[sinks.out]\ntype = "file"\npath = "out"\n')
        child = subprocess.Popen(self.command("run", "--report", "report.json", "config.toml"),
                                 cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        out = self.folder / "out"
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not (out.exists() and out.stat().st_size == len(LINES) * 1000):
            time.sleep(0.02)
        self.assertEqual(out.stat().st_size, len(LINES) * 1000)
        child.stdin.write(LINES)
        child.stdin.flush()
        while time.monotonic() < deadline and out.stat().st_size != len(LINES) * 1001:
            time.sleep(0.02)
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=30)
        self.assertEqual(child.returncode, 0)
        self.assertEqual(self.read("out"), LINES * 1001)
        self.assert_adds_up(json.loads(self.read("report.json")))

    def test_bad_records_are_each_source_s_own(self):
        self.write("a.ndjson", b'1\nbad\n2\n')
        self.write("b.ndjson", b'3\nworse\n4\n')
        _, report = self.run_config(
            '[sources.a]\ntype = "file"\npaths = "a.ndjson"\non_error = "dead-letter=dead"\n'
            '[sources.b]\ntype = "file"\npaths = "b.ndjson"\non_error = "stop"\n'
            '[sinks.out]\ntype = "file"\npath = "out"\n', code=1)
        self.assertEqual(sorted(self.read("out").split()), [b"1", b"2", b"3"])
        self.assertEqual(self.read("dead"), b"bad\n")
        self.assertEqual((report["records_in"], report["records_refused"]), (5, 2))

    def test_names_with_a_star(self):
        (self.folder / "e").mkdir()
        for name in ("b.ndjson", "a.ndjson", ".hidden.ndjson", "a.json", "ab.ndjson.gz"):
            self.write(f"e/{name}", json.dumps(name) + "\n")
        self.run_config('[sources.a]\ntype = "file"\npaths = ["e/*.ndjson", "e/a*n"]\n'
                        '[sinks.out]\ntype = "stdout"\n')
        result = self.sluice("run", "config.toml", code=0)
        self.assertEqual(result.stdout.splitlines(),
                         [b'"a.ndjson"', b'"b.ndjson"', b'"a.json"', b'"a.ndjson"'])


class Documentation(ConfigTest):
    def test_every_example_is_valid_and_runs(self):
        (self.folder / "events").mkdir()
        self.write("events/one.ndjson", LINES)
        text = (ROOT / "docs/config.md").read_text()
        examples = re.findall(r"```(toml|json)\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(examples), 4)
        for kind, example in examples:
            with self.subTest(example.splitlines()[0]):
                self.write("config.toml", example)
                self.sluice("validate", "config.toml", code=0)
                if "[http]" in example:
                    continue  # a server has no end of its own
                self.sluice("run", "config.toml", code=0, stdin=LINES)
        self.assertEqual(self.read("archive.ndjson"), LINES)
        self.assertEqual(self.read("names.txt"), b"a\nb\n")

    def test_the_help_s_example(self):
        (self.folder / "events").mkdir()
        self.write("events/one.ndjson", LINES)
        text = self.sluice("run", "--help", code=0).stdout.decode()
        example = re.search(r"config\.toml:\n(.*?)\n\s+sluice validate", text, re.S).group(1)
        self.config(re.sub(r"^\s+", "", example, flags=re.M))
        result = self.sluice("run", "config.toml", code=0)
        self.assertEqual(result.stdout, b'{"login":"b"}\n{"login":"a"}\n')
        self.assertEqual(self.read("archive.ndjson"), LINES)


if __name__ == "__main__":
    main()
