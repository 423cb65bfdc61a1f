"""TLS in front of the inputs: what comes out is what comes out without it; what is no TLS, or half of
it, costs its connection only; certificates that are wrong or change."""
import io
import json
import os
import random
import select
import signal
import socket
import ssl
import subprocess
import time

from process import status_kib
from program import main, under_sanitizer
from served import ServedTest

CONFIG = """
[http]
listen = "127.0.0.1:0"
tls = { cert = "cert.pem", key = "key.pem" }

[inputs.echo]
reply = "echo"
unknown = "ignore"
max_body = "2MiB"
[inputs.echo.fields]
text = { type = "text" }

[sinks.out]
type = "file"
path = "out.ndjson"
"""


def body_of(size):
    """A record of exactly `size` bytes."""
    text = json.dumps({"text": ""}, separators=(",", ":"))
    return text[:-2].encode() + b"x" * (size - len(text)) + b'"}'


class HttpTls(ServedTest):
    def setUp(self):
        super().setUp()
        self.make_certificate("a")
        self.show("a")

    def show(self, certificate, key=None):
        self.write("cert.pem", self.read(f"{certificate}.crt"))
        self.write("key.pem", self.read(f"{key or certificate}.key"))

    def serve_tls(self):
        self.serve(CONFIG)
        return self.wait_for_port("listening on https://")

    def assert_serves(self, port, **more):
        with self.tls_connect(port, **more) as client:
            body = body_of(40)
            self.assertEqual(self.ask(client, self.post("/inputs/echo", body))[::2], (200, body))

    def test_bodies_of_every_size_come_back_as_they_went(self):
        port = self.serve_tls()
        sizes = [*range(11, 140, 3), *(2 ** power + off for power in range(8, 21) for off in (-1, 0, 1)),
                 16384 - 120, 16384 * 3, 1_000_003]
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            client = self.tls_connect(port, version=version)
            self.assertEqual(client.selected_alpn_protocol(), "http/1.1")
            for size in sizes:
                body = body_of(size)
                status, _, answer = self.ask(client, self.post("/inputs/echo", body))
                self.assertEqual((status, answer), (200, body), size)

    def test_requests_pipelined_in_records_cut_anywhere(self):
        port = self.serve_tls()
        draw = random.Random(7)
        bodies = [body_of(draw.choice([20, 200, 3000, 16384, 70_000])) for _ in range(120)]
        stream = b"".join(self.post("/inputs/echo", body) for body in bodies)
        cuts = [1, 5, 100, 5000, 16384, 40_000, 300_000]
        client = self.tls_connect(port)
        client.setblocking(False)
        got, at, size = b"", 0, draw.choice(cuts)
        expected = sum(map(len, bodies))
        while got.count(b"HTTP/1.1 200 OK") < len(bodies) or len(got) < expected:
            wants_to_write = [client] if at < len(stream) else []
            ready = select.select([client], wants_to_write, [], 20)
            self.assertTrue(ready[0] or ready[1], "nothing moves")
            try:
                if ready[1]:  # the same bytes again until they are out
                    at += client.send(stream[at:at + size])
                    size = draw.choice(cuts)
            except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
                pass
            try:
                while part := client.recv(1 << 20):
                    got += part
                self.fail(f"closed after {len(got)} bytes")
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
        answers = io.BytesIO(got)
        for number, body in enumerate(bodies):
            self.assertEqual(self.read_answer(answers)[::2], (200, body), number)
        self.assertEqual(answers.read(), b"")

    def test_a_chunked_body(self):
        client = self.tls_connect(self.serve_tls())
        body = body_of(100_000)
        client.sendall(b"POST /inputs/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       b"Transfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(body), 777):
            part = body[at:at + 777]
            client.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        self.assertEqual(self.ask(client, b"0\r\n\r\n")[::2], (200, body))

    def test_a_reader_that_is_slow_gets_all(self):
        client = self.tls_connect(self.serve_tls())
        body = body_of(1_500_000)
        for _ in range(3):  # more than the sockets hold
            client.sendall(self.post("/inputs/echo", body))
            time.sleep(0.3)
            with client.makefile("rb") as stream:
                self.assertEqual(self.read_answer(stream)[::2], (200, body))

    def test_what_is_no_tls_costs_its_connection_only(self):
        port = self.serve_tls()
        draw = random.Random(3)
        hello = self.client_hello()
        garbage = [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x00" * 100, b"\x16\x03\x01\xff\xff" + b"a" * 70_000,
                   b"\x80\x2e\x01\x00\x02", b"\x16\x03\x01\x00\x00" * 1000, draw.randbytes(5000)]
        for _ in range(60):
            mutated = bytearray(hello)
            mutated[draw.randrange(5, len(mutated))] ^= draw.randrange(1, 256)
            garbage.append(bytes(mutated) + draw.randbytes(600))
        for number, sent in enumerate(garbage):
            client = self.connect(port)
            try:
                client.sendall(sent)
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):  # an alert at most, and then the end
                    pass
            except OSError:  # it is closed already
                pass
        self.assert_serves(port)
        self.assertIsNone(self.child.poll())

    def client_hello(self):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        self.assertRaises(ssl.SSLWantReadError, tls.do_handshake)
        return outgoing.read()

    def test_garbage_behind_the_handshake_ends_the_connection(self):
        port = self.serve_tls()
        client = self.tls_connect(port)
        raw = socket.socket(fileno=os.dup(client.fileno()))
        self.addCleanup(raw.close)
        raw.settimeout(20)
        raw.sendall(b"\x17\x03\x03\x00\x20" + b"z" * 32)
        try:
            while raw.recv(65536):
                pass
        except OSError:
            pass
        self.assert_serves(port)

    def test_half_handshakes_are_closed_in_time_also_when_they_dribble(self):
        port = self.serve_tls()
        hello = self.client_hello()
        silent, half, dribbling = (self.connect(port) for _ in range(3))
        half.sendall(hello[:50])
        began = time.monotonic()
        ends = {}
        at = 0
        while len(ends) < 3 and time.monotonic() - began < 16:
            for client in (silent, half, dribbling):
                if client in ends:
                    continue
                client.settimeout(0.05)
                try:
                    if client is dribbling:
                        client.sendall(hello[at:at + 1])
                        at += 1
                    if client.recv(1000) == b"":
                        ends[client] = time.monotonic() - began
                except TimeoutError:
                    pass
                except ConnectionError:
                    ends[client] = time.monotonic() - began
            time.sleep(0.1)
        self.assertEqual(len(ends), 3)
        for seconds in ends.values():
            self.assertGreater(seconds, 9.5)
            self.assertLess(seconds, 12)
        self.assert_serves(port)

    def test_only_http_1_1_and_tls_1_2_or_newer(self):
        port = self.serve_tls()
        with self.assertRaises(ssl.SSLError):
            self.tls_connect(port, alpn=("h2",))
        self.assertEqual(self.tls_connect(port, alpn=("h2", "http/1.1")).selected_alpn_protocol(), "http/1.1")
        self.assertIsNone(self.tls_connect(port, alpn=()).selected_alpn_protocol())
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            self.tls_connect(port, version=ssl.TLSVersion.TLSv1_1)
        self.assert_serves(port)

    def test_the_end_is_told(self):
        client = self.tls_connect(self.serve_tls())
        status, _, _ = self.ask(client, self.post("/inputs/echo", body_of(20), "Connection: close"))
        self.assertEqual(status, 200)
        client.suppress_ragged_eofs = False  # an end without close_notify would raise
        self.assertEqual(client.recv(100), b"")

    def test_a_certificate_is_read_again_on_sighup(self):
        port = self.serve_tls()
        self.make_certificate("b")
        old = self.tls_connect(port, "a")
        self.show("b")
        self.child.send_signal(signal.SIGHUP)
        self.wait_for("is read again")
        self.assert_serves(port, trust="b")
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.tls_connect(port, "a")
        self.assertEqual(self.ask(old, self.post("/inputs/echo", body_of(30)))[0], 200)
        self.show("b", key="a")
        self.child.send_signal(signal.SIGHUP)
        self.wait_for("the certificate stays as it was.*key.pem: ")
        self.assert_serves(port, trust="b")
        self.child.send_signal(signal.SIGTERM)
        self.assertEqual(self.child.wait(30), 0)

    def test_files_that_are_wrong_are_named_before_anything_starts(self):
        self.make_certificate("b")
        encrypted = subprocess.run(["openssl", "ec", "-in", "a.key", "-aes128", "-passout", "pass:secret"],
                                   cwd=self.folder, check=True, capture_output=True).stdout
        good, key = self.read("a.crt"), self.read("a.key")
        for certificate, private, words in ((None, key, ["cert.pem", "No such file"]),
                                            (good, None, ["key.pem", "No such file"]),
                                            (b"nonsense", key, ["cert.pem"]), (good, b"nonsense", ["key.pem"]),
                                            (good, encrypted, ["key.pem"]),
                                            (good, self.read("b.key"), ["key.pem", "mismatch"])):
            for name, content in (("cert.pem", certificate), ("key.pem", private)):
                (self.folder / name).unlink(missing_ok=True)
                if content is not None:
                    self.write(name, content)
            self.write("config.toml", CONFIG)
            self.assert_one_sentence(self.sluice("run", "config.toml", code=2), "[http] tls", *words)

    def test_the_load_generator_speaks_it(self):
        port = self.serve_tls()
        url = f"https://localhost:{port}/inputs/echo"
        trusting = {**os.environ, "SSL_CERT_FILE": str(self.folder / "a.crt")}
        for arguments, environment in ((["--insecure", "--pipeline", 4], None), (["--body-bytes", "100KiB"], trusting),
                                       (["--insecure", "--no-keep-alive"], None)):
            body = [] if "--body-bytes" in arguments else ["--body", '{"text":"a"}']
            self.sluice("load", url, "--requests", 200, "--connections", 4, "--report", "load.json", "--method", "POST",
                        *body, *arguments, env=environment,
                        code=0 if "--body-bytes" not in arguments else None)
            report = json.loads(self.read("load.json"))
            self.assertEqual(report["answered"], 200, arguments)
        for host in ("localhost", "127.0.0.1"):  # nobody vouches for it
            self.sluice("load", f"https://{host}:{port}/", "--duration", "100ms", "--report", "load.json", code=1)
            report = json.loads(self.read("load.json"))
            self.assertEqual(report["answered"], 0)
            self.assertGreater(report["errors"]["connect"], 0)
        self.assert_serves(port)

    def test_an_idle_connection_takes_16_kib_at_most(self):
        port = self.serve_tls()
        context = ssl.create_default_context(cafile=str(self.folder / "a.crt"))
        request = self.post("/inputs/echo", body_of(64))
        self.assert_serves(port)
        before = status_kib(self.child.pid, "RssAnon")
        count = 100 if under_sanitizer() else 800
        clients = []
        for _ in range(count):
            client = context.wrap_socket(self.connect(port), server_hostname="localhost")
            client.sendall(request)
            self.assertTrue(client.recv(4096).startswith(b"HTTP/1.1 200"))
            clients.append(client)
        each = (status_kib(self.child.pid, "RssAnon") - before) / count
        for client in clients:
            client.close()
        if not under_sanitizer():
            self.assertLessEqual(each, 16.5)
        print(f"{each:.1f} KiB each", flush=True)


main()
