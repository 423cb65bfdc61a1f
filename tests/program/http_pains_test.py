"""What users of other HTTP servers and pipelines report, as tests of `sluice run`: slow peers, peers that
do not read, sinks that stop, many uploads at once. Counts, bytes and bounds, scaled down."""
import errno
import gzip
import json
import os
import resource
import selectors
import signal
import socket
import time
import unittest

from http_client import HttpTest, post, request
from process import cpu_ticks, status_kib
from program import main, under_sanitizer

KIB, MIB = 1024, 1024 * 1024
FIELDS = """
[inputs.score]
max_body = "{max_body}"
reply = "{reply}"
[inputs.score.fields]
id   = {{ type = "u64" }}
body = {{ type = "text", optional = true }}
more = {{ type = "u32", default = 1 }}
"""


def config(memory="64MiB", max_body="4MiB", reply="accepted"):
    return f'[budget]\nmemory = "{memory}"\n' + FIELDS.format(max_body=max_body, reply=reply)


def record(number, size=0):
    return json.dumps({"id": number, "body": "b" * size, "more": 1}).encode()


class Upload:
    """A request that is sent as the server takes it, and its answer."""

    def __init__(self, port, data):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setblocking(False)
        self.left = memoryview(data)
        self.got = b""
        self.over = False

    def go_on(self):
        """Sends and receives what can be now."""
        try:
            if self.left:
                self.left = self.left[self.socket.send(self.left):]
        except BlockingIOError:
            pass
        except OSError as error:  # the other side has ended it
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise
            self.left = self.left[:0]
        try:
            part = self.socket.recv(65536)
            self.got += part
            self.over = not part or self.is_answered()
        except BlockingIOError:
            pass
        except ConnectionResetError:
            self.over = True

    def is_answered(self):
        head, found, body = self.got.partition(b"\r\n\r\n")
        size = [line for line in head.split(b"\r\n") if line.startswith(b"content-length: ")]
        return bool(found) and len(body) >= int(size[0].split(b" ")[1])

    def status(self):
        return int(self.got.split(b" ")[1]) if self.is_answered() else None


def run_uploads(uploads, between=lambda: None):
    """Lets all go on until each is over; `between` is called now and then."""
    selector = selectors.DefaultSelector()
    for upload in uploads:
        selector.register(upload.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, upload)
    end = time.monotonic() + 60
    while selector.get_map():
        between()
        if time.monotonic() > end:
            raise AssertionError("uploads did not end")
        for key, _ in selector.select(1):
            upload = key.data
            upload.go_on()
            if upload.over:
                selector.unregister(upload.socket)
                upload.socket.close()
            elif not upload.left:
                selector.modify(upload.socket, selectors.EVENT_READ, upload)


class Pains(HttpTest):
    def gated(self, name):
        """A sink that takes nothing until `open_gate`, and then all."""
        os.mkfifo(self.folder / "gate")
        self.addCleanup(lambda: os.close(os.open(self.folder / "gate", os.O_RDWR)))
        return (f'[sinks.{name}]\ntype = "exec"\n'
                f'command = "read go < gate; exec cat > {name}.out"\n')

    def open_gate(self):
        (self.folder / "gate").write_text("go\n")

    def assert_memory(self, server, budget):
        """Anonymous memory stays within the budget and what the program itself takes."""
        if not under_sanitizer():
            self.assertLessEqual(status_kib(server.pid, "RssAnon") * KIB, budget + 4 * MIB)

    def descriptors(self, server):
        return len(os.listdir(f"/proc/{server.pid}/fd"))

    def wait_for_descriptors(self, server, count):
        end = time.monotonic() + 60
        while self.descriptors(server) != count and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(self.descriptors(server), count)

    def need_descriptors(self, count):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < count:
            if hard != resource.RLIM_INFINITY and hard < count:
                raise unittest.SkipTest(f"skipped: only {hard} descriptors may be open")
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))

    def test_bodies_that_nobody_wants_leave_no_socket_behind(self):
        """HTTP pain 6: megabytes to paths that are none; descriptors come back."""
        server = self.serve(config() + '[sinks.out]\ntype = "null"\n')
        before = self.descriptors(server)
        for _ in range(4):
            uploads = [Upload(server.port, post("/none", b"x" * MIB)) for _ in range(50)]
            run_uploads(uploads)
            self.assertEqual({upload.status() for upload in uploads}, {404})
        self.wait_for_descriptors(server, before)
        self.stop(server)

    def test_clients_that_leave_in_the_middle(self):
        """At every stage of a request; nothing is left of them, and no half record arrives."""
        server = self.serve(config() + '[sinks.out]\ntype = "file"\npath = "out"\n')
        before = self.descriptors(server)
        whole = post("/inputs/score", record(1, 100_000))
        for cut in (0, 1, 30, 100, 150, 50_000, 90_000, len(whole) - 1):
            for hard in (False, True):
                with server.connect() as peer:
                    peer.send(whole[:cut])
                    if hard:  # a reset instead of an end
                        peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                               b"\1\0\0\0\0\0\0\0")
        self.wait_for_descriptors(server, before)
        self.assertEqual(server.ask(post("/inputs/score", record(2))).status, 202)
        self.stop(server)
        self.assertEqual(self.read("out"), record(2) + b"\n")

    def test_a_client_that_never_reads(self):
        """HTTP pain 13: megabytes of answers for one that sends and sends; memory stays bounded, it is
        read no further, and others are served."""
        server = self.serve(config(memory="16MiB", reply="echo")
                            + '[sinks.out]\ntype = "null"\n')
        self.assertEqual(server.ask(post("/inputs/score", record(1))).status, 200)
        asked = memoryview(post("/inputs/score", record(1, 10_000)) * 10)
        peers = [server.connect() for _ in range(10)]
        stuck = 0
        for peer in peers:
            peer.socket.settimeout(1)
            try:
                for _ in range(2000):
                    peer.send(asked)
            except TimeoutError:
                stuck += 1
        self.assertEqual(stuck, len(peers))
        self.assert_memory(server, 16 * MIB)
        self.assertEqual(server.ask(post("/inputs/score", record(1))).status, 200)
        for peer in peers:
            peer.socket.close()
        self.stop(server)

    def test_slow_peers_and_a_fast_one(self):
        """HTTP pain 11: hundreds of sockets that send a byte now and then, half of them in the head,
        half in a body that they announced as large; a fast client is served all the while."""
        self.need_descriptors(1200)
        server = self.serve(config(max_body="1MiB") + '[sinks.out]\ntype = "file"\npath = "out"\n')
        slow = [server.connect() for _ in range(500)]
        whole = post("/inputs/score", b"x" * 1_000_000)
        at = [60 if number % 2 else 200 for number in range(500)]
        for peer, size in zip(slow, at):
            peer.send(whole[:size])
        sent = 0
        with server.connect() as fast:
            for turn in range(20):
                for number in range(turn, 500, 20):
                    slow[number].send(whole[at[number]:at[number] + 1])
                for _ in range(10):
                    answer = fast.send(post("/inputs/score", record(sent))).answer()
                    self.assertEqual(answer.status, 202)
                    sent += 1
            large = record(sent, 200_000)
            self.assertEqual(fast.send(post("/inputs/score", large)).answer().status, 202)
        self.assert_memory(server, 64 * MIB)
        for peer in slow:
            peer.socket.close()
        self.stop(server)
        self.assertEqual(self.read("out"), b"".join(record(at) + b"\n" for at in range(sent))
                         + large + b"\n")

    def test_uploads_while_the_sink_has_stopped(self):
        """Pain 8 and 11: 200 bodies of a mebibyte at once, and no sink that takes them: what finds room
        is accepted, the others are told to come again; a fast client is answered all the while, and
        everything that was accepted arrives once the sink goes on."""
        self.need_descriptors(1200)
        server = self.serve(config() + self.gated("slow"))
        fast_answers = []
        fast = server.connect()

        def ask_fast():
            answer = fast.send(post("/inputs/score", record(10**6 + len(fast_answers)))).answer()
            fast_answers.append(answer.status)

        slow = [server.connect() for _ in range(500)]
        for number, peer in enumerate(slow):
            peer.send(post("/inputs/score", b"x" * 1000)[:100 + number % 50])
        uploads = [Upload(server.port, post("/inputs/score", record(number, MIB)))
                   for number in range(200)]
        run_uploads(uploads, ask_fast)
        self.assert_memory(server, 64 * MIB)
        statuses = [upload.status() for upload in uploads]
        self.assertEqual(set(statuses), {202, 503})
        for upload in uploads:
            if upload.status() == 503:
                self.assertIn(b"\r\nretry-after: ", upload.got.lower())
                self.assertIn(b'"code":"budget_full"', upload.got)
        self.assertGreater(statuses.count(202), 10)
        self.assertLessEqual(set(fast_answers), {202, 503})
        fast.socket.close()
        for peer in slow:
            peer.socket.close()
        before = cpu_ticks(server.pid)
        time.sleep(0.5)
        self.assertLessEqual(cpu_ticks(server.pid) - before, 2)  # pain 12: a full budget idles
        self.open_gate()
        self.stop(server)
        written = sorted(json.loads(line)["id"] for line in self.read("slow.out").splitlines())
        expected = [number for number, status in enumerate(statuses) if status == 202]
        expected += [10**6 + at for at, status in enumerate(fast_answers) if status == 202]
        self.assertEqual(written, expected)

    def test_a_full_budget_becomes_free_again(self):
        """Pain 12: small records until there is no room; when the sink goes on, there is."""
        server = self.serve(config(memory="4MiB", max_body="64KiB") + self.gated("slow"))
        accepted = []
        with server.connect() as peer:
            for number in range(100_000):
                answer = peer.send(post("/inputs/score", record(number, 1000))).answer()
                if answer.status == 503:
                    break
                accepted.append(number)
            self.assertEqual(answer.json()["code"], "budget_full")
            self.assertRegex(answer.headers["retry-after"], r"^[1-9][0-9]*$")
            self.assertGreater(len(accepted), 500)
            self.assert_memory(server, 4 * MIB)
            self.open_gate()
            while answer.status == 503:
                number += 1
                answer = peer.send(post("/inputs/score", record(number, 1000))).answer()
            accepted.append(number)
        self.stop(server)
        self.assertEqual(self.read("slow.out"),
                         b"".join(record(number, 1000) + b"\n" for number in accepted))

    def test_memory_does_not_grow_with_requests(self):
        """HTTP pain 14: rounds of requests of all kinds; what is held after the last round is what was
        held after the second."""
        if under_sanitizer():
            raise unittest.SkipTest("skipped: a sanitizer's memory is no part of the account")
        server = self.serve(config(reply="echo") + '[sinks.out]\ntype = "null"\n')
        pipelined = b"".join(post("/inputs/score", record(at, at)) for at in range(100))
        bad = b"".join(post("/inputs/score", b'{"id":"x","what":1}') for _ in range(20))
        held = []
        for _ in range(10):
            for _ in range(20):
                with server.connect() as peer:
                    peer.send(pipelined + bad)
                    for at in range(120):
                        self.assertEqual(peer.answer().status, 200 if at < 100 else 422)
                    peer.send(post("/inputs/score", record(1, 100_000)))
                    self.assertEqual(peer.answer().status, 200)
            held.append(status_kib(server.pid, "RssAnon"))
        self.assertLessEqual(held[-1], held[1] * 1.05)
        self.stop(server)

    def test_large_answers_are_within_the_budget(self):
        """Records of many megabytes that are echoed with a default in them, decompressed or not, to
        clients that do not read at once."""
        server = self.serve(config(memory="64MiB", max_body="12MiB", reply="echo")
                            .replace('memory = "64MiB"', 'memory = "64MiB"\nmax_record = "16MiB"')
                            + '[sinks.out]\ntype = "file"\npath = "out"\n')
        body = b'{"id":1,"body":"' + b"b" * (10 * MIB) + b'"}'
        packed = gzip.compress(body, 1)
        peak = 0
        for data in (post("/inputs/score", body),
                     post("/inputs/score", packed, content_encoding="gzip")):
            with server.connect() as one, server.connect() as two:
                for peer in (one, two):
                    peer.send(data)
                for peer in (one, two):
                    answer = peer.answer()
                    self.assertIn(answer.status if answer else 503, (200, 503))
                    if answer and answer.status == 200:
                        self.assertEqual(answer.body, body[:-1] + b',"more":1}')
        peak = status_kib(server.pid, "VmHWM") - status_kib(server.pid, "RssFile")
        if not under_sanitizer():
            self.assertLessEqual(peak * KIB, 64 * MIB + 4 * MIB)
        self.stop(server)

    def test_errors_of_many_records_are_within_the_budget(self):
        """A body in which every byte or two is a fault of its own."""
        server = self.serve(config(memory="64MiB", max_body="4MiB")
                            + '[sources.any]\ntype = "http"\nmax_body = "4MiB"\n[sinks.out]\ntype = "null"\n')
        for body, kind in ((b"[" + b"1," * (2 * MIB - 2) + b"1]", "application/json"),
                           (b"1\n" * (2 * MIB - 1), "application/x-ndjson"),
                           (b"{\n" * (2 * MIB - 1), "application/x-ndjson"),
                           (b"\n" * (4 * MIB - 1), "application/x-ndjson")):
            for path in ("/inputs/score", "/sources/any"):
                answer = server.ask(post(path, body, content_type=kind))
                self.assertIn(answer.status, (202, 422, 503), (path, body[:4]))
                self.assertLess(len(answer.body), 16 * KIB)
        if not under_sanitizer():
            peak = status_kib(server.pid, "VmHWM") - status_kib(server.pid, "RssFile")
            self.assertLessEqual(peak * KIB, 64 * MIB + 4 * MIB)
        self.assertEqual(server.ask(post("/inputs/score", record(1))).status, 202)
        self.stop(server)


main()
