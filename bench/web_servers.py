"""The servers of the HTTP benchmark: the floor, Sluice and its peers. Peers are built from the files
in bench/http with their newest packages, into build/peers; one that cannot be is left out."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

CONFIG = """
[http]
listen = "127.0.0.1:{port}"

[inputs.echo]
reply = "echo"
[inputs.echo.fields]
name = {{ type = "text" }}
text = {{ type = "text" }}

[inputs.order]
reply = "echo"
[inputs.order.fields]
id = {{ type = "u64" }}
customer = {{ type = "text" }}
email = {{ type = "text" }}
amount = {{ type = "f64" }}
quantity = {{ type = "u32" }}
paid = {{ type = "bool" }}
note = {{ type = "text", optional = true }}
currency = {{ type = "text" }}
created = {{ type = "i64" }}
to.street = {{ type = "text" }}
to.city = {{ type = "text" }}
to.zip = {{ type = "u32" }}

[sources.lines]
type = "http"
max_body = "64MiB"

[sinks.nowhere]
type = "null"
from = ["lines"]
"""
# What each kind of request is called at the peers and at Sluice.
PEER_PATHS = {"echo": "/echo", "order": "/order", "lines": "/lines"}
OWN_PATHS = {"echo": "/inputs/echo", "order": "/inputs/order", "lines": "/sources/lines"}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """A server that is started for one measurement. `command` takes {port}, and {bytes} of the body."""

    def __init__(self, name, command, paths=PEER_PATHS, checked=True):
        self.name, self.command, self.paths, self.checked = name, command, paths, checked

    def start(self, bench, body_bytes):
        """(process, port), once it takes connections."""
        port = free_port()
        words = [str(word).replace("{port}", str(port)).replace("{bytes}", str(body_bytes))
                 for word in self.command]
        if self.paths is OWN_PATHS:
            config = bench.data / "web.toml"
            config.write_text(CONFIG.format(port=port))
        process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, {bench.cpu}))
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return process, port
            except OSError:
                time.sleep(0.01)
        process.kill()
        raise RuntimeError(f"{self.name} does not listen")

    def answer(self, port, kind, body, media_type):
        """The body of one answer, to be looked at."""
        request = urllib.request.Request(f"http://127.0.0.1:{port}{self.paths[kind]}", body,
                                         {"Content-Type": media_type})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()


def stop(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kib(pid, field):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    return 0


def build(command, folder, **more):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, **more)
    if done.returncode != 0:
        print(f"left out, cannot be built: {' '.join(map(str, command))}\n{done.stderr[-500:]}")
    return done.returncode == 0


def axum(bench, here):
    target = bench.root / "build" / "peers" / "http-axum"
    sources = target / "source"
    shutil.copytree(here / "axum", sources, dirs_exist_ok=True)
    if shutil.which("cargo") is None or not build(
            ["cargo", "build", "--release", "--quiet"], sources,
            env={**os.environ, "CARGO_TARGET_DIR": str(target)}):
        return []
    program = target / "release" / "http-axum"
    return [Server(f"axum, {how}", [program, "{port}", "1", how]) for how in ("usual", "fast")]


def go(bench, here):
    program = bench.root / "build" / "peers" / "http-go"
    program.parent.mkdir(parents=True, exist_ok=True)
    if shutil.which("go") is None or not build(["go", "build", "-o", program, "."], here / "go"):
        return []
    return [Server("Go net/http", [program, "{port}", "1"])]


def fastify(bench, here):
    folder = bench.root / "build" / "peers" / "http-fastify"
    shutil.copytree(here / "fastify", folder, dirs_exist_ok=True)
    if shutil.which("npm") is None or not build(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], folder):
        return []
    return [Server("Fastify", ["node", folder / "server.js", "{port}"])]


def all_servers(bench):
    here = bench.here / "http"
    floor = Server("floor", [bench.program("http_floor"), "{port}", "{bytes}"], checked=False)
    sluice = Server("sluice", [bench.program("sluice"), "run", bench.data / "web.toml"], OWN_PATHS)
    return [floor, sluice, *axum(bench, here), *go(bench, here), *fastify(bench, here)]
