"""A program of worker.h that waits for its turn and answers."""
import os
import statistics
import subprocess

SAMPLE_SECONDS = 0.05


class Worker:
    """`right` is the answer it must give: accepted, refused, sum of refused lines, sum."""

    def __init__(self, name, command, environment, cpu, right):
        self.name, self.right, self.seconds = name, right, []
        self.wrong = None
        self.process = subprocess.Popen(
            command, env={**os.environ, **environment}, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.passes = 1
        self.passes = max(1, round(SAMPLE_SECONDS / max(self.pass_seconds(), 1e-6)))

    def pass_seconds(self):
        """One sample; a wrong answer voids the worker."""
        if self.wrong:
            return 0.0
        nanoseconds = 0
        try:
            print(self.passes, file=self.process.stdin)
            nanoseconds, *answer = map(int, self.process.stdout.readline().split())
        except (ValueError, BrokenPipeError):
            self.wrong = "no answer"
            return 0.0
        if answer != self.right:
            self.wrong = f"wrong answer {answer}, not {self.right}"
        return nanoseconds / 1e9 / self.passes

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def median(self):
        return float("inf") if self.wrong else statistics.median(self.seconds)
