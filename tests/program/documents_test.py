"""What README.md and the guides show of HTTP, done: every `curl` line is run against the server that the
page starts, at another port, and what comes is what the page says."""
import re
import signal
import shutil
import subprocess
import unittest

from program import ROOT, ProgramTest, main

PORT = "8080"


def blocks(page, language):
    """The page's blocks of code in that language, "" for none."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    return [text for of, text in found if of == language]


def commands(page):
    """(command, what it prints) of each `$` line of the page that uses curl."""
    found = []
    for block in blocks(page, ""):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = part.split("\n")
            command = lines.pop(0)
            while command.endswith("\\"):
                command = command[:-1] + lines.pop(0)
            if "curl" in command:
                found.append((command, "\n".join(lines).strip()))
    return found


@unittest.skipIf(shutil.which("curl") is None, "skipped: there is no curl here")
class Documents(ProgramTest):
    def serve(self, config):
        """Starts the server on a free port; gives that."""
        self.write("config.toml", config.replace(f"127.0.0.1:{PORT}", "127.0.0.1:0"))
        server = subprocess.Popen(self.command("run", "config.toml"), cwd=self.folder,
                                  stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        line = server.stderr.readline()
        self.assertIn("listening on", line)
        return server, line.strip().rpartition(":")[2]

    def check(self, page, count, config):
        server, port = self.serve(config)
        done = commands(page)
        self.assertEqual(len(done), count, page)
        for command, expected in done:
            quiet = re.sub(r"\bcurl\b", "curl -s", command).replace(f"localhost:{PORT}", f"127.0.0.1:{port}")
            got = subprocess.run(["sh", "-c", quiet], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(got.stdout.strip(), expected, command)
        server.send_signal(signal.SIGTERM)
        return server.wait(30)

    def test_readme(self):
        config = (ROOT / "examples/echo.toml").read_text()
        self.assertEqual(self.check("README.md", 4, config), 0)

    def test_webhooks(self):
        page = "docs/guides/webhooks.md"
        config, = blocks(page, "toml")
        self.assertEqual(self.check(page, 2, config), 0)
        self.assertEqual(self.read("events.ndjson").count(b"\n"), 2)
        self.assertEqual(self.read("actors.txt").split(), [b"1", b"ada", b"1", b"bob"])


if __name__ == "__main__":
    main()
