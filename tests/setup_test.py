#!/usr/bin/env python3
"""tools/setup on machines that lack everything: a PATH of stand-ins plays apt-get, sudo and id.

usage: setup_test.py SOURCE_ROOT"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BASH = "/bin/bash"
LOG = 'echo "$0 $*" >>"$SETUP_LOG"'


class Setup(unittest.TestCase):
    program = pathlib.Path()

    def run_setup(self, level, stand_ins):
        """(status, stderr, what the stand-ins were called with)"""
        with tempfile.TemporaryDirectory() as folder:
            path, log = pathlib.Path(folder, "bin"), pathlib.Path(folder, "log")
            path.mkdir()
            log.touch()
            for name, body in stand_ins.items():
                (path / name).write_text(f"#!{BASH}\n{body}\n")
                (path / name).chmod(0o755)
            done = subprocess.run([BASH, self.program, level], text=True, capture_output=True,
                                  env={"PATH": str(path), "SETUP_LOG": str(log)})
            return done.returncode, done.stderr, log.read_text().replace(f"{path}/", "")

    def test_nothing_to_do_calls_nothing(self):
        tools = {name: "exit 9" for name in ("g++", "clang++-19", "cmake", "ninja")}
        status, said, called = self.run_setup("build", {**tools, "apt-get": LOG})
        if "libcli11-dev" in said or "libssl-dev" in said:
            self.skipTest("the headers are not installed here")
        self.assertEqual((status, said, called), (0, "", ""))

    def test_root_installs_what_is_missing_and_no_more(self):
        _, _, called = self.run_setup("build", {
            "id": "echo 0", "env": 'shift; exec "$@"', "apt-get": LOG, "cmake": "", "g++": ""})
        update, install = called.splitlines()
        self.assertEqual(update, "apt-get update -q")
        self.assertIn("install -q -y --no-install-recommends", install)
        packages = install.split("recommends ")[1].split()
        self.assertIn("ninja-build", packages)
        self.assertIn("clang-19", packages)
        self.assertNotIn("cmake", packages)
        self.assertNotIn("g++", packages)

    def test_an_installation_that_leaves_a_need_is_a_failure(self):
        status, said, _ = self.run_setup("build", {
            "id": "echo 0", "env": 'shift; exec "$@"', "apt-get": "true"})
        self.assertEqual(status, 1)
        self.assertIn("installed, yet not found:", said)

    def test_sudo_without_a_password_is_used(self):
        _, _, called = self.run_setup("build", {
            "id": "echo 1000", "sudo": LOG + '; shift; [ "$1" = true ] || "$@"',
            "env": 'shift; exec "$@"', "apt-get": LOG, "true": ""})
        self.assertIn("sudo -n apt-get update", called)
        self.assertIn("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install", called)

    def test_without_root_the_line_to_run_is_printed(self):
        status, said, called = self.run_setup("build", {
            "id": "echo 1000", "sudo": "exit 1", "apt-get": LOG})
        self.assertEqual((status, called), (1, ""))
        line = said.splitlines()[-1]
        self.assertTrue(line.startswith("  sudo apt-get update && sudo apt-get install -y "), line)
        self.assertIn(" ninja-build", line)

    def test_another_system_is_told_what_is_needed(self):
        status, said, _ = self.run_setup("test", {})
        self.assertEqual(status, 1)
        self.assertIn("no apt-get here", said)
        self.assertIn("cmake", said)

    def test_soak_needs_what_the_test_does_and_the_other_machine(self):
        _, said, _ = self.run_setup("soak", {})
        self.assertIn(" qemu-user", said)
        self.assertIn(" cmake", said)

    def test_an_unknown_level_is_a_usage_error(self):
        self.assertEqual(self.run_setup("everything", {})[0], 2)


if __name__ == "__main__":
    Setup.program = pathlib.Path(sys.argv.pop()) / "tools" / "setup"
    unittest.main()
