"""How runs end: signals, cancelled sinks, readers and disks that fail."""
import resource
import signal
import subprocess
import time

import oracle
from checks.kit import FEW, Sink, add, group, records

LINES = records(60, seed=7)
SLOW = "delay=10ms queue=16"


def feed_and_signal(kit, signals, *arguments, policy="auto"):
    """Records, then silence on standard input, then the signals; (exit code, report). The first
    signal comes when the fast sink has written everything."""
    child = kit.start("fan", "--report", "report.json", "--digest", "sha256", "--policy", policy,
                      *arguments, "--to", "* -> name=fast file:fast", "--to",
                      f"/body -> name=slow bare=yes {SLOW} file:slow", stdin=subprocess.PIPE,
                      stderr=subprocess.DEVNULL)
    with child.stdin:
        child.stdin.write(b"".join(line + b"\n" for line in LINES))
        child.stdin.flush()
        size = sum(len(line) + 1 for line in LINES)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            fast = kit.folder / "fast"
            if fast.exists() and fast.stat().st_size == size:
                break
            time.sleep(0.002)
        for number in signals:
            child.send_signal(number)
            time.sleep(0.05 if len(signals) > 1 else 0)
        code = child.wait(30)
    return code, kit.report()


def drains(kit, number):
    for policy in FEW:
        code, report = feed_and_signal(kit, [number], policy=policy)
        kit.equal(code, 0, "exit code")
        kit.written("fast", oracle.output(LINES, "*"), report["sinks"][0])
        kit.written("slow", oracle.output(LINES, "/body", "bare"), report["sinks"][1])


for name in ("SIGTERM", "SIGINT", "SIGHUP"):
    add(f"endings/{name}", "what was read is delivered, then the run ends; nothing is outstanding",
        drains, getattr(signal, name))


@group("endings/second-signal",
       "a second signal ends the drain; what is left is pending, all given back")
def second_signal(kit):
    for policy in FEW:
        child = kit.start("fan", "--report", "report.json", "--policy", policy, "--to",
                          "/body -> bare=yes delay=30s file:slow", "--to", "/tag -> file:fast",
                          stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with child.stdin:
            child.stdin.write(b"".join(line + b"\n" for line in LINES))
            child.stdin.flush()
            time.sleep(0.15)
            child.send_signal(signal.SIGTERM)
            time.sleep(0.15)
            child.send_signal(signal.SIGTERM)
            kit.equal(child.wait(20), 1, "exit code")
        kit.true(kit.report()["sinks"][0]["pending"] > 0, "nothing is pending")


@group("endings/drain-is-over", "--drain bounds how long a signal waits; the rest is pending")
def drain_over(kit):
    for policy in FEW:
        began = time.monotonic()
        child = kit.start("fan", "--report", "report.json", "--drain", "50ms", "--policy", policy,
                          "--to", "/body -> bare=yes delay=30s file:slow", stdin=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
        with child.stdin:
            child.stdin.write(LINES[0] + b"\n")
            child.stdin.flush()
            time.sleep(0.15)
            child.send_signal(signal.SIGTERM)
            kit.equal(child.wait(20), 1, "exit code")
        kit.equal(kit.report()["sinks"][0]["pending"], 1, "pending")
        kit.true(time.monotonic() - began < 15, "it took long")


@group("endings/full-device", "a sink whose device is full fails alone; its records are pending")
def full_device(kit):
    for policy in FEW:
        report = kit.fan("--policy", policy, "--to", "* -> name=full file:/dev/full", "--to",
                         "/tag -> name=good file:good", stdin=b"\n".join(LINES), code=1)
        kit.written("good", oracle.output(LINES, "/tag"), report["sinks"][1])
        kit.equal(report["sinks"][0]["pending"], len(LINES), "pending")


@group("endings/file-size-limit", "a sink that reaches a limit of file size keeps whole records")
def file_size_limit(kit):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    for policy in FEW:
        report = kit.fan("--policy", policy, "--to", "* -> name=cut file:cut", "--to",
                         "/id -> name=good bare=yes file:good", stdin=b"\n".join(LINES), code=1,
                         preexec_fn=limit)
        kit.written("good", oracle.output(LINES, "/id", "bare"), report["sinks"][1])
        cut = report["sinks"][0]
        whole = oracle.output(LINES[:cut["records"]], "*")
        found = (kit.folder / "cut").read_bytes()
        kit.true(found.startswith(whole), "records counted as written are not there")


@group("endings/reader-goes", "a command that ends early fails its sink only")
def reader_goes(kit):
    for policy in FEW:
        report = kit.fan("--policy", policy, "--to", "* -> name=gone exec:exec true", "--to",
                         "/tag -> name=good file:good", stdin=b"\n".join(LINES * 40), code=1)
        kit.written("good", oracle.output(LINES * 40, "/tag"), report["sinks"][1])


@group("endings/command-fails",
       "a command that ends with a status other than 0 makes the run end with 1")
def command_fails(kit):
    report = kit.fan("--to", "/tag -> name=c exec:cat > got; exit 3", "--to", "* -> file:all",
                     stdin=b"\n".join(LINES), code=1)
    kit.written("got", oracle.output(LINES, "/tag"))
    kit.equal(report["sinks"][0].get("error"), "sink_command_status", "error")


@group("endings/command-gets-everything", "bytes that went through a pipe are the same")
def command_gets(kit):
    for policy in FEW:
        report = kit.fan("--policy", policy, "--to", "/body -> bare=yes exec:cat > got", "--to",
                         "/tag -> delay=1ms exec:sleep 0.02; cat > late", stdin=b"\n".join(LINES))
        kit.written("got", oracle.output(LINES, "/body", "bare"), report["sinks"][0])
        kit.written("late", oracle.output(LINES, "/tag"), report["sinks"][1])


@group("endings/closed-standard-output", "a closed pipe on standard output closes that sink only")
def closed_output(kit):
    child = kit.start("fan", "--report", "report.json", "--to", "* -> -", "--to",
                      "/tag -> file:good", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      stderr=subprocess.DEVNULL)
    child.stdout.close()
    with child.stdin:
        child.stdin.write(b"\n".join(LINES * 40))
    kit.equal(child.wait(30), 1, "exit code")
    kit.report()
    kit.written("good", oracle.output(LINES * 40, "/tag"))


@group("endings/sink-that-cannot-be-opened", "nothing starts, and no other sink's file is emptied")
def cannot_open(kit):
    (kit.folder / "kept").write_bytes(b"old")
    kit.run("fan", "--to", "* -> file:kept", "--to", "* -> file:no/folder/out", stdin=b"{}", code=2)
    kit.written("kept", b"old")


@group("endings/empty-input", "no records: every sink is empty, and all is given back")
def empty(kit):
    for policy in FEW:
        kit.deliver([], (Sink("*"), Sink("/v", "bare", SLOW)), "--policy", policy, stdin=b"")
