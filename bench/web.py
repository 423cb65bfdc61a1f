"""What an HTTP request costs: CPU of the server a request, Sluice beside a floor that only moves bytes
and beside servers as others write them. The load comes from `sluice load` on the same core, so that
ready connections batch alike for all; every server's answer is looked at before it is measured."""
import json
import os
import statistics
import subprocess
import time

import data
import stats
import web_servers
from system import MIB

SECONDS = float(os.environ.get("HTTP_SECONDS", "0.6"))
ORDER = {"id": 123456789, "customer": "Ada Lovelace", "email": "ada@example.org", "amount": 1234.56,
         "quantity": 3, "paid": True, "note": "leave at the door", "currency": "EUR",
         "created": 1796113800,
         "to": {"street": "12 Analytical Row", "city": "London", "zip": 12345}}
LINES_BYTES = 1 << 20


def two_strings(size, unit):
    """`{"name":"k","text":"..."}` of at most `size` bytes, filled with `unit`."""
    room = size - len('{"name":"k","text":""}')
    return b'{"name":"k","text":"' + unit * (room // len(unit)) + b'"}'


class Row:
    """One kind of load. `goals`: {peer's name: at least so many times its requests a CPU second};
    `floor`: at most so many times the floor's CPU."""

    def __init__(self, name, kind, body, connections=16, pipeline=1, floor=None, goals=None):
        self.name, self.kind, self.body = name, kind, body
        self.connections, self.pipeline, self.floor, self.goals = connections, pipeline, floor, goals or {}
        self.micros, self.wrong = {}, {}

    @property
    def media_type(self):
        return "application/x-ndjson" if self.kind == "lines" else "application/json"

    def is_right(self, answer):
        if self.kind == "lines":
            got = json.loads(answer)
            return (got["accepted"], got["rejected"]) == (self.body.count(b"\n"), 0)
        return json.loads(answer) == json.loads(self.body)

    def time(self, bench, server):
        """Microseconds of CPU a request, or what went wrong."""
        process, port = server.start(bench, len(self.body))
        try:
            if server.checked and not self.is_right(
                    server.answer(port, self.kind, self.body, self.media_type)):
                return "wrong answer"
            body, report = bench.data / "web-body", bench.data / "web-load.json"
            body.write_bytes(self.body)
            path = server.paths[self.kind]
            command = [bench.program("sluice"), "load", f"http://127.0.0.1:{port}{path}",
                       "--body", f"@{body}", "--header", f"Content-Type: {self.media_type}",
                       "--connections", str(self.connections), "--pipeline", str(self.pipeline),
                       "--duration", f"{SECONDS}s", "--report", report]
            before = web_servers.cpu_seconds(process.pid)
            subprocess.run([str(word) for word in command], stderr=subprocess.DEVNULL,
                           preexec_fn=lambda: os.sched_setaffinity(0, {bench.cpu}))
            spent = web_servers.cpu_seconds(process.pid) - before
            told = json.loads(report.read_text())
            if told["answered"] == 0 or told["answered"] != told["status"]["2xx"]:
                return f"answers: {told['status']}, errors: {told['errors']}"
            return spent * 1e6 / told["answered"]
        finally:
            web_servers.stop(process)

    def measure(self, bench, servers):
        for server in bench.shuffled(servers):
            figure = self.time(bench, server)
            if isinstance(figure, str):
                self.wrong[server.name] = figure
            else:
                self.micros.setdefault(server.name, []).append(figure)

    def ratios(self, over, under):
        """over's CPU a request over under's, round by round; None without both."""
        if over not in self.micros or under not in self.micros or self.wrong.keys() & {over, under}:
            return None
        return stats.paired_ratios(self.micros[over], self.micros[under])


def rows(bench):
    log = data.generate(bench.program("sluice-generate"), "log", data.LOG_RECORDS,
                        bench.data / "log.ndjson")
    with log.open("rb") as file:
        lines = file.read(LINES_BYTES)
    lines = lines[:lines.rindex(b"\n") + 1]
    cyrillic, escape = "ж".encode(), b"\\n"
    return [
        Row("echo 64 B", "echo", two_strings(64, b"x"), floor=1.12, goals={"axum, usual": 1.35}),
        Row("echo 64 B, 1 connection", "echo", two_strings(64, b"x"), connections=1, floor=1.12,
            goals={"axum, usual": 1.1}),
        Row("echo 64 B, 16 pipelined", "echo", two_strings(64, b"x"), pipeline=16,
            goals={"axum, usual": 10}),
        Row("echo 4 KiB", "echo", two_strings(4096, b"x"), floor=1.12, goals={"axum, usual": 1.9}),
        Row("echo 4 KiB Cyrillic", "echo", two_strings(4096, cyrillic), floor=1.12,
            goals={"axum, usual": 1.9}),
        Row("echo 256 KiB", "echo", two_strings(256 << 10, b"x"), goals={"axum, usual": 5}),
        Row("echo 256 KiB Cyrillic", "echo", two_strings(256 << 10, cyrillic),
            goals={"axum, usual": 5}),
        Row("echo 256 KiB escaped", "echo", two_strings(256 << 10, escape),
            goals={"axum, usual": 5}),
        Row("order, 12 fields", "order", json.dumps(ORDER).encode(), goals={"axum, usual": 1.6}),
        Row("NDJSON, 1 MiB", "lines", lines),
    ]


def measured_rows(bench, wanted=None):
    servers = web_servers.all_servers(bench)
    chosen = [row for row in rows(bench) if wanted is None or row.name in wanted]
    for _ in range(bench.rounds):
        for row in chosen:
            # The floor answers with a canned echo.
            taking = [s for s in servers if s.name != "floor" or row.kind == "echo"]
            row.measure(bench, taking)
    return servers, chosen


def file_micros(bench, row):
    """CPU of reading the same NDJSON from a file, microseconds for each body's worth."""
    copies = 64
    source = bench.data / "web-lines.ndjson"
    source.write_bytes(row.body * copies)
    command = [str(bench.program("sluice")), "fan", "--to", "* -> null:", str(source)]
    figures = []
    for _ in range(bench.rounds):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {bench.cpu}))
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        figures.append((usage.ru_utime + usage.ru_stime) * 1e6 / copies)
    return figures


def memory(bench):
    """KiB: resident at the start, anonymous under echo load beyond the bodies, and bytes an idle
    connection."""
    server = next(s for s in web_servers.all_servers(bench) if s.name == "sluice")
    process, port = server.start(bench, 64)
    try:
        start = web_servers.memory_kib(process.pid, "VmRSS")
        command = [bench.program("sluice"), "load", f"http://127.0.0.1:{port}/inputs/echo",
                   "--body-bytes", "4KiB", "--connections", "16", "--duration", "1s"]
        subprocess.run([str(word) for word in command], stderr=subprocess.DEVNULL)
        loaded = web_servers.memory_kib(process.pid, "RssAnon")
        count = 5_000
        idle = open_connections(port, count)
        each = (web_servers.memory_kib(process.pid, "RssAnon") - loaded) * 1024 / count
        for connection in idle:
            connection.close()
        return start, loaded, each
    finally:
        web_servers.stop(process)


def open_connections(port, count):
    import resource
    import socket
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 1000), hard))
    idle = []
    for _ in range(count):
        idle.append(socket.create_connection(("127.0.0.1", port)))
        idle[-1].sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
    for connection in idle:
        connection.recv(4096)
    return idle


def run(bench):
    servers, chosen = measured_rows(bench)
    names = [server.name for server in servers]
    table = []
    for row in chosen:
        cells = [row.name]
        for name in names:
            if name in row.wrong:
                cells.append("void: " + row.wrong[name][:40])
            elif name not in row.micros:
                cells.append("")
            else:
                micros = statistics.median(row.micros[name])
                ratios = row.ratios(name, "sluice")
                times = f" ({statistics.median(ratios):.2f}x)" if ratios and name != "sluice" else ""
                cells.append(f"{micros:.2f}{times}")
        table.append(cells)
    stats.print_table("CPU of the server a request, microseconds (and over Sluice's)", ["", *names],
                      table)
    start, loaded, each = memory(bench)
    print(f"\nSluice: {start} KiB resident at the start, {loaded} KiB anonymous after echo load, "
          f"{each:.0f} bytes an idle connection")
    stats.write_csv(bench.results / "http.csv", ["row", "server", "round", "cpu_us"],
                    [[row.name, name, index, micros] for row in chosen
                     for name, all_micros in row.micros.items()
                     for index, micros in enumerate(all_micros)])
