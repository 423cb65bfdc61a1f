"""`sluice load` against a server of this file's own, which counts what arrives and answers, stalls or
fails as a test wants."""
import json
import re
import socket
import threading
import time

from program import ProgramTest, main

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Takes connections until it is closed, a thread each; `answer` gives the bytes that go back for
    the request with a number, or None to close the connection instead."""

    def __init__(self, answer):
        self.answer = answer
        self.lock = threading.Lock()
        self.requests = []
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections += 1
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, client.makefile("rb") as stream:
            try:
                while request := self.read(stream):
                    with self.lock:
                        self.requests.append(request)
                        number = len(self.requests)
                    answer = self.answer(number, request)
                    if answer is None:
                        return
                    client.sendall(answer)
            except OSError:
                return

    def read(self, stream):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = stream.readline()
            if not line:
                return None
            head += line
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        return head + (stream.read(int(length[1])) if length else b"")

    def close(self):
        self.listener.close()


class LoadTest(ProgramTest):
    def serve(self, answer):
        server = Server(answer)
        self.addCleanup(server.close)
        return server

    def load(self, *arguments, code=0):
        self.sluice("load", "--report", "load.json", *arguments, code=code)
        return json.loads(self.read("load.json"))

    def test_every_request_is_sent_once_and_counted(self):
        server = self.serve(lambda number, request: OK)
        for arguments in (["--connections", 3, "--threads", 2], ["--connections", 2, "--pipeline", 8],
                          ["--connections", 4, "--no-keep-alive"], ["--rate", 2000]):
            server.requests.clear()
            server.connections = 0
            report = self.load(server.url + "/a?b=1", "--requests", 500, *arguments)
            self.assertEqual(len(server.requests), 500, arguments)
            self.assertEqual((report["sent"], report["answered"]), (500, 500), arguments)
            self.assertEqual(report["status"]["2xx"], 500)
            self.assertEqual(sum(bar["count"] for bar in report["histogram"]), 500)
            self.assertEqual(report["bytes_out"], sum(map(len, server.requests)))
            self.assertEqual(report["bytes_in"], 500 * len(OK))
            expected = 500 if "--no-keep-alive" in arguments else report["connections"]
            self.assertEqual(server.connections, expected, arguments)
            self.assertTrue(all(r.startswith(b"GET /a?b=1 HTTP/1.1\r\n") for r in server.requests))

    def test_method_headers_and_body_arrive(self):
        server = self.serve(lambda number, request: OK)
        self.load(server.url, "--requests", 1, "--method", "PUT", "--header", "X-A: b",
                  "--body-bytes", "1KiB")
        head, body = server.requests[0].split(b"\r\n\r\n", 1)
        self.assertTrue(head.startswith(b"PUT / HTTP/1.1\r\n"))
        self.assertIn(b"\r\nX-A: b", head)
        self.assertEqual(len(body), 1024)
        self.assertEqual(json.loads(body), {"name": "k", "text": "x" * (1024 - 22)})
        self.write("body.json", '{"n":1}')
        self.load(server.url, "--requests", 1, "--body", "@body.json")
        self.assertTrue(server.requests[1].endswith(b'\r\n\r\n{"n":1}'))
        self.assertTrue(server.requests[1].startswith(b"POST "))

    def test_an_open_loop_charges_a_stall_to_all_that_should_have_left(self):
        stall, rate, seconds = 1.0, 400, 2.5
        until = []

        def answer(number, request):
            if number >= 100:  # from then on nobody is answered before the stall is over
                if not until:
                    until.append(time.monotonic() + stall)
                time.sleep(max(0.0, until[0] - time.monotonic()))
            return OK

        report = self.load(self.serve(answer).url, "--rate", rate, "--duration", f"{seconds}s",
                           "--connections", 8)
        self.assertEqual(report["answered"] + report["unsent"], rate * seconds)
        self.assertGreaterEqual(report["latency_ms"]["max"], 1000 * stall * 0.99)
        # Of those due in the first half of the stall each waits at least the other half.
        late = sum(bar["count"] for bar in report["histogram"] if bar["up_to_ms"] > 500)
        self.assertGreaterEqual(late, rate * stall / 2 * 0.9)

    def test_a_closed_loop_waits_for_the_stall(self):
        report = self.load(self.serve(lambda number, request: time.sleep(0.2) or OK).url,
                           "--duration", "300ms", "--connections", 2)
        self.assertEqual(report["answered"], 4)  # two of each connection were begun in time

    def test_failures_are_told_by_kind(self):
        closes = self.serve(lambda number, request: None)
        report = self.load(closes.url, "--requests", 20, code=1)
        self.assertEqual(report["errors"]["closed"], 20)
        garbage = self.serve(lambda number, request: b"SSH-2.0-x\r\n\r\n")
        report = self.load(garbage.url, "--requests", 5, "--connections", 1, code=1)
        self.assertEqual(report["errors"]["answer"], 5)
        fails = self.serve(lambda number, request: OK.replace(b"200 OK", b"503 Busy"))
        report = self.load(fails.url, "--requests", 7, code=1)
        self.assertEqual((report["status"]["5xx"], report["answered"]), (7, 7))
        silent = self.serve(lambda number, request: time.sleep(30))
        report = self.load(silent.url, "--requests", 3, "--connections", 3, "--timeout", "300ms", code=1)
        self.assertEqual(report["errors"]["timeout"], 3)

    def test_nobody_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        report = self.load(f"http://127.0.0.1:{port}/", "--duration", "100ms", code=1)
        self.assertEqual(report["answered"], 0)
        self.assertGreater(report["errors"]["connect"], 0)
        # Ten connections, asked again every 10 ms.
        self.assertLessEqual(report["errors"]["connect"], 10 * 12)

    def test_an_answer_before_the_body_is_out(self):
        refusal = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                client, _ = listener.accept()
                client.recv(1000)
                client.sendall(refusal)
                client.shutdown(socket.SHUT_WR)
                while client.recv(1 << 20):
                    pass

            threading.Thread(target=serve, daemon=True).start()
            report = self.load(f"http://127.0.0.1:{listener.getsockname()[1]}/", "--requests", 1,
                               "--connections", 1, "--body-bytes", "64MiB", code=1)
        self.assertEqual(report["status"]["4xx"], 1)

    def test_head_answers_have_no_body(self):
        server = self.serve(lambda number, request: OK[:-2])
        report = self.load(server.url, "--method", "HEAD", "--requests", 50, "--connections", 1)
        self.assertEqual(report["answered"], 50)

    def test_what_cannot_be_is_said(self):
        for arguments, words in ((["ftp://a"], ["http://HOST"]), (["http://a b"], ["http://HOST"]),
                                 (["http://127.0.0.1", "--duration", "5"], ["--duration"]),
                                 (["http://127.0.0.1", "--connections", "0"], ["--connections"]),
                                 (["http://127.0.0.1", "--threads", "20"], ["--threads"]),
                                 (["http://127.0.0.1", "--body", "a", "--body-bytes", "1"], ["--body"]),
                                 (["http://127.0.0.1", "--body", "@nowhere"], ["nowhere"]),
                                 (["http://127.0.0.1", "--header", "nocolon"], ["Name: value"]),
                                 (["http://no-such-host.invalid/"], ["no-such-host.invalid"])):
            self.assert_one_sentence(self.sluice("load", *arguments, code=2), *words)


if __name__ == "__main__":
    main()
