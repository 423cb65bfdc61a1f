"""A program that serves, and peers that speak HTTP/1.1 to it byte by byte: as tests need it, not as a
library would have it."""
import json
import signal
import socket
import subprocess
import threading

from program import ProgramTest

PATIENCE = 60  # seconds; for what must happen, however busy the machine is


class Answer:
    def __init__(self, status, headers, body, head):
        self.status, self.headers, self.body, self.head = status, headers, body, head

    def json(self):
        return json.loads(self.body)


class Peer:
    """One connection."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)
        return self

    def read_to(self, size):
        """Whether so many bytes are there."""
        while len(self.rest) < size:
            try:
                part = self.socket.recv(65536)
            except ConnectionResetError:
                return False
            if not part:
                return False
            self.rest += part
        return True

    def answer(self, to_head=False):
        """The next answer, or None when the connection ends before it is there."""
        while b"\r\n\r\n" not in self.rest:
            if not self.read_to(len(self.rest) + 1):
                return None
        head, _, rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        status = int(lines[0].split(" ")[1])
        size = 0 if to_head or status < 200 else int(headers.get("content-length", 0))
        self.rest = rest
        if not self.read_to(size):
            return None
        body, self.rest = self.rest[:size], self.rest[size:]
        return Answer(status, headers, body, head)

    def is_closed(self):
        """Whether the other side says that nothing more comes; False when there is something."""
        return not self.rest and not self.read_to(1)


def request(method, path, body=None, **headers):
    """The bytes of one request; names of headers with `_` for `-`, and a value of None: no such
    header."""
    lines = {"host": "a"}
    if body is not None:
        lines["content-type"] = "application/json"
        if "transfer_encoding" not in headers:
            lines["content-length"] = str(len(body))
    lines.update({name.replace("_", "-"): value for name, value in headers.items()})
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
    return head.encode("latin-1") + b"\r\n" + (body or b"")


def post(path, body, **headers):
    return request("POST", path, body, **headers)


def chunks(body, sizes):
    """The body in chunks of these sizes, in turn."""
    parts, at, turn = [], 0, 0
    while at < len(body):
        part = body[at:at + sizes[turn % len(sizes)]]
        parts.append(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        at, turn = at + len(part), turn + 1
    return b"".join(parts) + b"0\r\n\r\n"


class Server:
    """A running `sluice run`."""

    def __init__(self, child):
        self.child = child
        self.lines = []
        self.seen = threading.Condition()
        self.reader = threading.Thread(target=self.read_lines, daemon=True)
        self.reader.start()
        line = self.wait_for_line("listening on http://")
        self.port = int(line.rsplit(":", 1)[1])

    def read_lines(self):
        with self.child.stderr as lines:
            for line in lines:
                with self.seen:
                    self.lines.append(line)
                    self.seen.notify_all()
        with self.seen:
            self.lines.append(None)
            self.seen.notify_all()

    def wait_for_line(self, words):
        def found():
            return [line for line in self.lines if line is None or words in line]
        with self.seen:
            self.seen.wait_for(found, PATIENCE)
            for line in found():
                if line is not None:
                    return line
            raise AssertionError(f"no line with '{words}' in {self.lines}")

    @property
    def pid(self):
        return self.child.pid

    def connect(self):
        return Peer(self.port)

    def ask(self, data, to_head=False):
        """The answer to one request on a connection of its own."""
        with self.connect() as peer:
            return peer.send(data).answer(to_head)

    def stop(self, number=signal.SIGTERM):
        """Ends it by a signal; its exit code and what it said."""
        self.child.send_signal(number)
        code = self.child.wait(PATIENCE)
        self.reader.join()
        return code, "".join(line for line in self.lines if line is not None)


class HttpTest(ProgramTest):
    def serve(self, config):
        """Runs the configuration; `[http]` is added."""
        self.write("c.toml", '[http]\nlisten = "127.0.0.1:0"\n' + config)
        child = subprocess.Popen(self.command("run", "c.toml"), cwd=self.folder,
                                 stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return Server(child)

    def stop(self, server, code=0):
        """Ends the run, which must say that it did as well as `code` tells."""
        ended, said = server.stop()
        self.assertEqual(ended, code, said)
        return said

    def assert_problem(self, answer, status, code, title):
        """The answer is a problem; gives it."""
        self.assertIsNotNone(answer)
        problem = answer.json()
        self.assertEqual((answer.status, problem["code"]), (status, code), problem)
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        self.assertEqual((problem["type"], problem["title"], problem["status"]),
                         ("about:blank", title, status))
        return problem
