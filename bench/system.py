"""Programs that read a file and write files, taken in rounds; what counts is their CPU time."""
import filecmp
import os
import pathlib
import statistics
import subprocess

MIB = 1 << 20
# A pair whose floor took this many times its median was hit by something else on the machine.
OUTLIER = 1.5


class System:
    """A command; {1}, {2}, ... in it are the outputs. `expected`: what each output must equal."""

    def __init__(self, name, command, source, outputs, expected=None, floor=None, status=0):
        self.name, self.command, self.source = name, command, source
        self.outputs, self.expected, self.floor = outputs, expected, floor
        self.status = status
        self.cpu, self.wrong = [], None

    def time(self, bench, folder):
        """One timed run, right behind an untimed one of the same command. Memory that lies free for
        seconds goes back to the host of a virtual machine, and touching it again costs more than
        all else here; what the untimed run has just given back is what this one takes."""
        outputs = [folder / f"out-{index}.ndjson" for index in range(self.outputs)]
        self.run(bench, outputs)
        for output in outputs:
            output.unlink(missing_ok=True)
        self.cpu.append(self.run(bench, outputs))
        for output in outputs:
            self.check(output)
            output.unlink(missing_ok=True)

    def run(self, bench, outputs):
        command = [str(word) for word in self.command]
        for index, output in enumerate(outputs, 1):
            command = [word.replace(f"{{{index}}}", str(output)) for word in command]
        with open(self.source, "rb") as source, open(os.devnull, "wb") as nothing:
            process = subprocess.Popen(
                command, stdin=source, stdout=nothing, stderr=subprocess.DEVNULL,
                preexec_fn=lambda: os.sched_setaffinity(0, {bench.cpu}))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != self.status:
            self.wrong = self.wrong or f"exit {process.returncode}"
        return usage.ru_utime + usage.ru_stime

    def check(self, output):
        if self.wrong is None and self.expected is not None:
            if not output.exists() or not filecmp.cmp(output, self.expected, shallow=False):
                self.wrong = f"{output.name} differs from {pathlib.Path(self.expected).name}"

    def cpu_per_mib(self):
        size = os.path.getsize(self.source) / MIB
        return [seconds / size for seconds in self.cpu]


def ratios_to_floor(system, floor):
    """Round by round; without the rounds whose floor shows that something else was at work."""
    per_mib = floor.cpu_per_mib()
    usual = statistics.median(per_mib) * OUTLIER
    return [own / base for own, base in zip(system.cpu_per_mib(), per_mib) if base <= usual]


def warm(source):
    with open(source, "rb") as file:
        while file.read(MIB):
            pass


def measure(bench, systems):
    """Fills in every system's CPU times, in rounds of a shuffled order."""
    folder = bench.data / "out"
    folder.mkdir(exist_ok=True)
    for system in systems:
        warm(system.source)
    for _ in range(bench.rounds):
        for system in bench.shuffled(systems):
            system.time(bench, folder)
    return systems
