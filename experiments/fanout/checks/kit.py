"""What check groups share: the list of groups, running the program, and saying what is wrong."""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import traceback

import oracle

POLICIES = ("auto", "borrow", "compact", "copy", "copy_no_pool", "shared_copy", "threshold2",
            "threshold8")
FEW = ("auto", "borrow", "copy", "compact")  # one of each kind: by itself, never, early, late
MODES = ("study", "blocks")
TIMEOUT = 60

GROUPS = []


class Group:
    """`proves`: one line for CHECKS.md. `check(kit)` raises where something is wrong."""

    def __init__(self, name, proves, check):
        self.name, self.proves, self.check = name, proves, check


def group(name, proves):
    """Makes a function of a kit a group; with further arguments bound by `add`."""
    def register(check):
        GROUPS.append(Group(name, proves, check))
        return check
    return register


def add(name, proves, check, *arguments):
    GROUPS.append(Group(name, proves, lambda kit: check(kit, *arguments)))


class Sink:
    """A file sink, and how to say it to the program and to the oracle."""

    def __init__(self, select, form="json", options="", names=None):
        self.select, self.form, self.options, self.names = select, form, options, names

    def to(self, file, name):
        form = {"bare": "bare=yes ", "text": "format=text ", "json": ""}[self.form]
        names = f"as={','.join(self.names)} " if self.names else ""
        return f"{self.select} -> name={name} {form}{names}{self.options} file:{file}"

    def output(self, lines):
        return oracle.output(lines, self.select, self.form, self.names)


class Kit:
    """A folder of its own for one group, and the program under test."""

    def __init__(self, sluice):
        self.program = str(sluice)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-checks-"))

    def clean(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *arguments, stdin=b"", code=0, environment=None, **more):
        done = subprocess.run([self.program, *map(str, arguments)], input=stdin,
                              capture_output=True, cwd=self.folder, timeout=TIMEOUT,
                              env={**os.environ, **(environment or {})}, **more)
        self.equal(done.returncode, code, "exit code; standard error: " +
                   done.stderr.decode(errors="replace")[-400:])
        return done

    def start(self, *arguments, **more):
        return subprocess.Popen([self.program, *map(str, arguments)], cwd=self.folder, **more)

    def report(self):
        """The report of the last run, which must add up."""
        report = json.loads((self.folder / "report.json").read_text())
        accepted = report["records_in"] - report["records_refused"]
        for sink in report["sinks"]:
            self.equal(sink["records"] + sink["dropped"] + sink["dead_lettered"] + sink["pending"],
                       accepted, f"records of {sink['name']}")
        self.equal(report["outstanding_bytes_at_exit"], 0, "bytes outstanding")
        self.true(report["peak_managed_bytes"] <= report["budget_bytes"], "peak above the budget")
        return report

    def fan(self, *arguments, **more):
        """Runs fan with a report and SHA-256 of every sink; gives the report."""
        self.run("fan", "--report", "report.json", "--digest", "sha256", *arguments, **more)
        return self.report()

    def deliver(self, lines, sinks, *arguments, mode="blocks", stdin=None, **more):
        """All of `lines` through `sinks`, whose files and digests must be the oracle's."""
        words = ["--study"] if mode == "study" else []
        for number, sink in enumerate(sinks):
            words += ["--to", sink.to(f"out{number}", f"s{number}")]
        data = b"".join(line + b"\n" for line in lines) if stdin is None else stdin
        report = self.fan(*words, *arguments, stdin=data, **more)
        for number, sink in enumerate(sinks):
            self.written(f"out{number}", sink.output(lines), report["sinks"][number])
            self.equal(report["sinks"][number]["records"], len(lines), "delivered records")
        return report

    def written(self, file, expected, sink=None):
        found = (self.folder / file).read_bytes()
        if found != expected:
            at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b),
                      min(len(found), len(expected)))
            raise AssertionError(f"{file} differs at byte {at}: {found[at - 10:at + 30]!r}, not "
                                 f"{expected[at - 10:at + 30]!r}; {len(found)} bytes")
        if sink:
            self.equal(sink["bytes"], len(expected), "bytes in the report")
            self.equal(sink["sha256"], oracle.sha256(expected), "digest in the report")

    @staticmethod
    def equal(found, expected, what):
        if found != expected:
            raise AssertionError(f"{what}: {found!r}, not {expected!r}")

    @staticmethod
    def true(condition, what):
        if not condition:
            raise AssertionError(what)


LETTERS = ("abcdefghijklmnop     \n\t\"\\/\x00\x1f", "äöüß€éΩж", "日本語😀🂡\u2028")


def records(count, seed=1, largest=3000):
    """`count` varied records without newlines: sizes, letters, escapes and members differ."""
    rand = random.Random(seed)
    lines = []
    for index in range(count):
        letters = rand.choice(LETTERS) + LETTERS[0]
        body = "".join(rand.choices(letters, k=rand.randrange(rand.choice((2, 60, largest)))))
        record = {"id": index, "tag": f"tag-{rand.randrange(10 ** 9):040d}", "body": body,
                  "more": {"list": [index, None, True, {"deep": body[:20]}], "n": -0.5e-7},
                  "rest": "x" * rand.randrange(200)}
        lines.append(json.dumps(record, ensure_ascii=rand.random() < 0.5,
                                separators=(",", ":")).encode())
    return lines


def run_group(sluice, each):
    """None, or what is wrong."""
    kit = Kit(sluice)
    try:
        each.check(kit)
    except subprocess.TimeoutExpired:
        return f"no end within {TIMEOUT} s"
    except AssertionError as error:
        return str(error)
    except Exception:
        return traceback.format_exc(limit=3)
    finally:
        kit.clean()
    return None


def run_all(sluice, only="", jobs=2, say=print):
    """Runs the groups whose names contain `only`; {name: None or what is wrong}."""
    chosen = [each for each in GROUPS if only in each.name]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        wrong = list(pool.map(lambda each: run_group(sluice, each), chosen))
    results = {each.name: error for each, error in zip(chosen, wrong)}
    for name, error in results.items():
        if error:
            say(f"{name}: {error}")
    return results
