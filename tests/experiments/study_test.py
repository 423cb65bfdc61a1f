"""The study's driver and its check groups against this build, and that neither passes what is wrong.

    study_test.py SLUICE SLUICE_GENERATE FANOUT_MODEL
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SLUICE, GENERATE, MODEL = (sys.argv.pop(1) for _ in range(3))
HERE = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "fanout"
GROUPS_AT_LEAST = 108  # as many as the study that this one repeats
# Does as the real program does, and then a part of what it did wrong.
BROKEN = """#!/usr/bin/env python3
import json, os, subprocess, sys
done = subprocess.run([{sluice!r}, *sys.argv[1:]])
for at, word in enumerate(sys.argv):
    path = word.split("file:")[-1]
    if {how!r} == "cut" and " -> " in word and "file:" in word and os.path.isfile(path):
        os.truncate(path, max(0, os.path.getsize(path) - 1))
    if {how!r} == "account" and word == "--report" and os.path.exists(sys.argv[at + 1]):
        report = json.load(open(sys.argv[at + 1]))
        report["outstanding_bytes_at_exit"] = 1
        json.dump(report, open(sys.argv[at + 1], "w"))
sys.exit(done.returncode)
"""
PLAN = {
    "seed": 3, "repeats": 2, "queue": 8, "policies": ["auto", "copy"],
    "blocks": ["study", "shipping"], "fixtures": {"base": {"records": 20, "seed": 2}},
    "conditions": [{"name": "tags slow", "fixture": "base", "budget": "8MiB",
                    "sinks": [["/body", 0], ["/tag", 2]]}],
    "published": {"peak_mib": {"tags slow": {"copy": 0.304}}, "copied_mib": {}, "ms": {}}}


class Study(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def study(self, *arguments, sluice=SLUICE, code=0):
        done = subprocess.run([sys.executable, HERE / "run.py", "--sluice", sluice, "--generate",
                               GENERATE, "--model", MODEL, *arguments], capture_output=True,
                              text=True, timeout=280, cwd=self.folder)
        self.assertEqual(done.returncode, code, (done.stdout + done.stderr)[-3000:])
        return done

    def broken(self, how):
        path = self.folder / f"broken-{how}"
        path.write_text(BROKEN.format(sluice=SLUICE, how=how))
        path.chmod(0o755)
        return path

    def test_all_check_groups(self):
        last = self.study("--check-only").stdout.splitlines()[-1]
        groups, failed = map(int, re.fullmatch(r"(\d+) groups, (\d+) failed", last).groups())
        self.assertGreaterEqual(groups, GROUPS_AT_LEAST)
        self.assertEqual(failed, 0)

    def test_a_broken_program_is_rejected(self):
        for how, groups in (("cut", "consumers/2/auto"), ("account", "queue-slots/auto")):
            with self.subTest(how):
                done = self.study("--check-only", "--only", groups, sluice=self.broken(how), code=1)
                groups, failed = re.findall(r"(\d+) groups, (\d+) failed", done.stdout)[-1]
                self.assertEqual(groups, failed)

    def test_the_list_of_groups_is_fresh(self):
        self.assertEqual(self.study("--list-checks").stdout, (HERE / "CHECKS.md").read_text(),
                         "write it anew: run.py --list-checks > CHECKS.md")

    def plan(self):
        path = self.folder / "plan.json"
        path.write_text(json.dumps(PLAN))
        return path

    def test_a_small_study(self):
        self.study("--output", "out", "--plan", self.plan())
        out = self.folder / "out"
        verification = json.loads((out / "verification.json").read_text())
        self.assertEqual((verification["runs"], verification["failed"]), (4 + 8, 0))
        self.assertEqual(len((out / "raw.csv").read_text().splitlines()), 1 + 8)
        summary = json.loads((out / "summary.json").read_text())
        self.assertEqual([each["runs"] for each in summary], [2] * 4)
        for name in ("environment.json", "fixtures.json"):
            json.loads((out / name).read_text())
        page = (out / "report.html").read_text()
        charts = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
        self.assertEqual(len(charts), 2 * 4)
        for chart in charts:
            xml.etree.ElementTree.fromstring(chart)
        self.assertNotRegex(page, r"(src|href)=|url\(")

    def test_results_go_to_a_new_directory_only(self):
        (self.folder / "out").mkdir()
        done = self.study("--output", "out", code=2)
        self.assertRegex(done.stderr, r"\Arun\.py: out is there already.*\n\Z")

    def test_wrong_outputs_fail_the_study(self):
        for how in ("cut", "account"):
            with self.subTest(how):
                self.study("--output", how, "--plan", self.plan(), sluice=self.broken(how), code=1)

    def test_drawn_conditions(self):
        done = self.study("--drawn", "out", "--draws", "2", "--conditions", "2")
        self.assertIn("32 runs, 0 failed", done.stdout)
        self.assertEqual(len((self.folder / "out/runs.csv").read_text().splitlines()), 1 + 32)

    def test_schedules_pipes_and_sockets(self):
        done = self.study("--streams", "out", "--policies", "auto")
        self.assertIn("6 runs, 0 failed", done.stdout)


unittest.main()
