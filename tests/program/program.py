"""What the tests of the whole program share: running it in a folder of its own, and its reports."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SLUICE = os.path.abspath(os.environ.get("SLUICE", "build/release/sluice"))
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"


def under_sanitizer():
    """Whether the program is built with a sanitizer, whose own memory is no part of the account."""
    return os.environ.get("SLUICE_SANITIZED") == "1"


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        return (self.folder / name).read_bytes()

    def command(self, *arguments):
        return [SLUICE, *map(str, arguments)]

    def sluice(self, *arguments, stdin=b"", code=None, timeout=60, **more):
        result = subprocess.run(self.command(*arguments), input=stdin, capture_output=True,
                                cwd=self.folder, timeout=timeout, **more)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stderr.decode(errors="replace"))
        return result

    def fan(self, *arguments, code=0, **more):
        """Runs fan with a report, which must add up; gives the result and the report."""
        result = self.sluice("fan", "--report", "report.json", *arguments, code=code, **more)
        report = json.loads(self.read("report.json"))
        self.assert_adds_up(report)
        return result, report

    def assert_adds_up(self, report):
        accepted = report["records_in"] - report["records_refused"]
        for sink in report["sinks"]:
            self.assertEqual(accepted, sink["records"] + sink["dropped"] + sink["dead_lettered"]
                             + sink["pending"], sink["name"])
        self.assertEqual(report["outstanding_bytes_at_exit"], 0)
        self.assertLessEqual(report["peak_managed_bytes"], report["budget_bytes"])

    def assert_one_sentence(self, result, *words):
        """One line on standard error, made of `sluice: ` and these words."""
        text = result.stderr.decode()
        self.assertTrue(text.startswith("sluice: "), text)
        self.assertEqual(text.count("\n"), 1, text)
        for word in words:
            self.assertIn(word, text)


def need_shared(path):
    """The shared file, or the test says that it was skipped."""
    file = SHARED / path
    if not file.exists():
        raise unittest.SkipTest(f"skipped: ../shared/{path} is not here")
    return file


def main():
    unittest.main(argv=[sys.argv[0], "-v"])
