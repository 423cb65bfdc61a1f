"""What answers promise: acknowledgement by sinks, requests that are repeated, who may ask, and the end
of the program."""
import json
import os
import select
import signal
import threading

from http_client import HttpTest, post, request
from program import main

LARGE = 300_000  # more than a pipe takes
FIELDS = """
[inputs.score.fields]
id   = { type = "u64" }
body = { type = "text", optional = true }
"""


def record(number, size=0):
    return json.dumps({"id": number, "body": "b" * size}).encode()


class Promises(HttpTest):
    def serve_gated(self, after, **options):
        """An input whose answers wait for a sink that takes nothing until `open_gate`, and then
        does `after`; and one beside it whose sink takes all."""
        os.mkfifo(self.folder / "gate")
        self.addCleanup(self.release)
        more = "".join(f"{name} = {value}\n" for name, value in options.items())
        return self.serve('[inputs.score]\nack = "sinks"\n' + more + FIELDS + f"""
[inputs.other.fields]
id = {{ type = "u64" }}
[sinks.gated]
type = "exec"
command = "read go < gate; {after}"
from = ["score"]
[sinks.other]
type = "file"
path = "other"
from = ["other"]
""")

    def release(self):
        """Whoever still waits at the gate finds that nothing comes."""
        os.close(os.open(self.folder / "gate", os.O_RDWR))

    def open_gate(self):
        (self.folder / "gate").write_text("go\n")

    def assert_no_answer_yet(self, server, *peers):
        """The server has had the time to answer, since it has answered another one twice."""
        for _ in range(2):
            self.assertEqual(server.ask(post("/inputs/other", b'{"id":1}')).status, 202)
        for peer in peers:
            self.assertEqual(select.select([peer.socket], [], [], 0)[0], [])

    def test_an_answer_that_waits_for_the_file(self):
        server = self.serve('[inputs.score]\nack = "sinks"\nreply = "echo"\n' + FIELDS + """
[sinks.out]
type = "file"
path = "out"
""")
        with server.connect() as peer:
            for number in range(200):
                answer = peer.send(post("/inputs/score", record(number))).answer()
                self.assertEqual((answer.status, answer.body), (200, record(number)))
                self.assertEqual(self.read("out").splitlines()[-1], record(number))
            large = record(200, 900_000)
            self.assertEqual(peer.send(post("/inputs/score", large)).answer().body, large)
            self.assertTrue(self.read("out").endswith(large + b"\n"))
            many = b"\n".join(record(number) for number in range(1000))
            answer = peer.send(post("/inputs/score", many,
                                    content_type="application/x-ndjson")).answer()
            self.assertEqual(answer.json(), {"accepted": 1000, "rejected": 0})
            self.assertTrue(self.read("out").endswith(many + b"\n"))
        self.stop(server)

    def test_an_answer_waits_until_the_sink_goes_on(self):
        server = self.serve_gated("exec cat > out")
        with server.connect() as first, server.connect() as second:
            first.send(post("/inputs/score", record(1, LARGE)))
            self.assert_no_answer_yet(server, first)
            second.send(post("/inputs/score", record(2)) + post("/inputs/score", record(3)))
            self.assert_no_answer_yet(server, first, second)
            self.open_gate()
            for peer, answers in ((first, 1), (second, 2)):
                for _ in range(answers):
                    self.assertEqual(peer.answer().json(), {"accepted": 1, "rejected": 0})
        self.stop(server)
        self.assertEqual(self.read("out"), record(1, LARGE) + b"\n" + record(2) + b"\n"
                         + record(3) + b"\n")

    def test_a_sink_that_dies_is_told_to_all_who_wait_and_to_all_who_come(self):
        server = self.serve_gated("exit 3")
        with server.connect() as first, server.connect() as second:
            first.send(post("/inputs/score", record(1, LARGE)))
            self.assert_no_answer_yet(server, first)  # so that it comes before the next
            second.send(post("/inputs/score", record(2)))
            self.assert_no_answer_yet(server, first, second)
            self.open_gate()
            for peer in (first, second, first, second):
                answer = peer.answer()
                self.assert_problem(answer, 503, "sink_unavailable", "Service Unavailable")
                self.assertRegex(answer.headers["retry-after"], r"^[1-9][0-9]*$")
                peer.send(post("/inputs/score", record(3)))
        self.assertEqual(server.ask(post("/inputs/other", b'{"id":1}')).status, 202)
        self.stop(server, code=1)

    def test_one_of_two_sinks_dies(self):
        server = self.serve('[inputs.score]\nack = "sinks"\n' + FIELDS + FIELDS.replace(
            "score", "held") + """
[sinks.dies]
type = "exec"
command = "exit 3"
[sinks.out]
type = "file"
path = "out"
""")
        large = post("/inputs/score", record(1, LARGE))
        self.assert_problem(server.ask(large), 503, "sink_unavailable", "Service Unavailable")
        for _ in range(3):
            self.assert_problem(server.ask(post("/inputs/score", record(2))), 503,
                                "sink_unavailable", "Service Unavailable")
        # Who does not ask for acknowledgements goes on with the sink that is left.
        self.assertEqual(server.ask(post("/inputs/held", record(3))).status, 202)
        self.stop(server, code=1)
        self.assertTrue(self.read("out").endswith(record(3) + b"\n"))

    def test_without_a_sink_that_blocks_there_is_nothing_to_wait_for(self):
        server = self.serve('[inputs.score]\nack = "sinks"\n' + FIELDS + """
[sinks.out]
type = "file"
path = "out"
when_full = "drop_newest"
""")
        self.assertEqual(server.ask(post("/inputs/score", record(1))).status, 202)
        self.stop(server)
        self.assertEqual(self.read("out"), record(1) + b"\n")

    def test_idempotency(self):
        server = self.serve("[inputs.score]\nreply = \"echo\"\n" + FIELDS + FIELDS.replace(
            "score", "second") + """
[sinks.out]
type = "file"
path = "out"
""")

        def ask(body, key, path="/inputs/score"):
            return server.ask(post(path, body, idempotency_key=key))

        for key in ("a", "k" * 255):
            first = ask(record(1), key)
            for _ in range(3):
                again = ask(record(1), key)
                self.assertEqual((again.status, again.body, again.headers["content-type"]),
                                 (200, first.body, "application/json"))
            self.assert_problem(ask(record(2), key), 422, "idempotency_reused",
                                "Unprocessable Content")
            self.assert_problem(ask(record(1), key, "/inputs/score?x=1"), 422,
                                "idempotency_reused", "Unprocessable Content")
            self.assertEqual(ask(record(1), key, "/inputs/second").status, 202)
        self.assert_problem(ask(record(1), "k" * 256), 431, "head_limit",
                            "Request Header Fields Too Large")
        # A refusal is an answer as well.
        self.assertEqual(ask(b'{"id":-1}', "bad").status, 422)
        self.assertEqual(ask(b'{"id":-1}', "bad").json()["code"], "json_range")
        self.stop(server)
        self.assertEqual(self.read("out"), (record(1) + b"\n") * 4)

    def test_a_key_whose_request_is_not_answered_yet(self):
        server = self.serve_gated("exec cat > out")
        asked = post("/inputs/score", record(1, LARGE), idempotency_key="k")
        with server.connect() as first:
            first.send(asked)
            self.assert_no_answer_yet(server, first)
            self.assert_problem(server.ask(asked), 409, "idempotency_busy", "Conflict")
            self.open_gate()
            self.assertEqual(first.answer().status, 202)
        self.assertEqual(server.ask(asked).json(), {"accepted": 1, "rejected": 0})
        self.stop(server)
        self.assertEqual(self.read("out"), record(1, LARGE) + b"\n")

    def test_a_key_whose_client_has_gone_finds_the_answer(self):
        server = self.serve_gated("exec cat > out")
        asked = post("/inputs/score", record(1, LARGE), idempotency_key="k")
        with server.connect() as first:
            first.send(asked)
            self.assert_no_answer_yet(server, first)
        self.open_gate()
        with server.connect() as again:
            while (answer := again.send(asked).answer()).status == 409:
                pass
        self.assertEqual(answer.json(), {"accepted": 1, "rejected": 0})
        self.stop(server)
        self.assertEqual(self.read("out"), record(1, LARGE) + b"\n")

    def test_a_token(self):
        server = self.serve('token = "s3cret"\n' + FIELDS + """
[sinks.out]
type = "file"
path = "out"
""")
        asked = "/inputs/score"
        for given in (None, "s3cret", "Basic s3cret", "Bearer", ""):
            answer = server.ask(post(asked, record(1), authorization=given))
            self.assert_problem(answer, 401, "auth_missing", "Unauthorized")
            self.assertTrue(answer.headers["www-authenticate"].startswith("Bearer"))
        for given in ("Bearer s3cre", "Bearer s3cret2", "Bearer S3CRET", "Bearer x"):
            answer = server.ask(post(asked, record(1), authorization=given))
            self.assert_problem(answer, 403, "auth_wrong", "Forbidden")
        for given in ("Bearer s3cret", "bearer s3cret", "BEARER  s3cret"):
            self.assertEqual(server.ask(post(asked, record(1), authorization=given)).status, 202)
        for open_to_all in ("/livez", "/readyz"):
            self.assertEqual(server.ask(request("GET", open_to_all)).status, 200)
        self.stop(server)
        self.assertEqual(self.read("out"), (record(1) + b"\n") * 3)

    def test_other_origins(self):
        page = "https://a.example"
        server = self.serve(f'cors = ["{page}"]\n' + FIELDS + """
[sinks.out]
type = "file"
path = "out"
""")
        preflight = server.ask(request("OPTIONS", "/inputs/score", origin=page,
                                       access_control_request_method="POST",
                                       access_control_request_headers="content-type"))
        self.assertEqual(preflight.status, 204)
        self.assertEqual(preflight.headers["access-control-allow-origin"], page)
        self.assertIn("POST", preflight.headers["access-control-allow-methods"])
        self.assertIn("content-type", preflight.headers["access-control-allow-headers"])
        for asked, status in ((post("/inputs/score", record(1), origin=page), 202),
                              (post("/inputs/score", b"{}", origin=page), 422),
                              (post("/inputs/score", b"x", origin=page, content_type="a/b"), 415),
                              (post("/none", b"x", origin=page), 404),
                              (request("GET", "/livez", origin=page), 200)):
            answer = server.ask(asked)
            self.assertEqual(answer.status, status)
            self.assertEqual(answer.headers["access-control-allow-origin"], page)
            self.assertEqual(answer.headers["vary"].lower(), "origin")
        for other in ("https://b.example", page + ".evil", "http://a.example", "null", "*", None):
            for asked in (post("/inputs/score", record(1), origin=other),
                          request("OPTIONS", "/inputs/score", origin=other,
                                  access_control_request_method="POST")):
                answer = server.ask(asked)
                self.assertFalse([name for name in answer.headers if name.startswith("access-")])
        self.stop(server)

    def test_a_signal_under_load_loses_nothing_that_was_answered(self):
        """HTTP pain 15: idle connections do not hold up the end; every record answered with 2xx is in
        the file, and the others there got no answer."""
        server = self.serve(FIELDS + """
[sinks.out]
type = "file"
path = "out"
""")
        idle = [server.connect() for _ in range(50)]
        idle[0].send(post("/inputs/score", record(10**9))).answer()
        answered, sent, enough = [set() for _ in range(4)], [set() for _ in range(4)], []
        under_way = threading.Event()

        def client(number):
            try:
                with server.connect() as peer:
                    for at in range(1_000_000):
                        name = number * 1_000_000 + at
                        sent[number].add(name)
                        answer = peer.send(post("/inputs/score", record(name))).answer()
                        if answer is None:
                            return
                        if answer.status == 202:
                            answered[number].add(name)
                        if at == 300:
                            enough.append(number)
                            if len(enough) == 4:
                                under_way.set()
            except OSError:
                pass

        threads = [threading.Thread(target=client, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        self.assertTrue(under_way.wait(60))
        code, said = server.stop(signal.SIGTERM)
        self.assertEqual(code, 0, said)
        for thread in threads:
            thread.join()
        for peer in idle:
            self.assertTrue(peer.is_closed())
            peer.socket.close()
        written = [json.loads(line)["id"] for line in self.read("out").splitlines()]
        self.assertEqual(len(written), len(set(written)))
        written = set(written) - {10**9}
        self.assertEqual(set().union(*answered) - written, set())
        self.assertEqual(written - set().union(*sent), set())
        # Of each client at most the last record has no answer.
        self.assertLessEqual(len(written - set().union(*answered)), 4)
        self.assertRegex(said, rf"records\s+{len(written) + 1:,} in".replace(",", ",?"))

    def test_a_body_under_way_when_the_end_comes(self):
        """Its client is told that the server ends, not that there is no room."""
        server = self.serve(FIELDS + """
[sinks.out]
type = "file"
path = "out"
""")
        asked = post("/inputs/score", record(1, 1000))
        with server.connect() as peer, server.connect() as idle:
            peer.send(asked[:-10])
            self.assertEqual(idle.send(post("/inputs/score", record(2))).answer().status, 202)
            server.child.send_signal(signal.SIGTERM)
            self.assertTrue(idle.is_closed())  # so the signal has come
            peer.send(asked[-10:])
            answer = peer.answer()
            self.assert_problem(answer, 503, "draining", "Service Unavailable")
            self.assertEqual(answer.headers["connection"], "close")
            self.assertRegex(answer.headers["retry-after"], r"^[1-9][0-9]*$")
        self.assertEqual(server.child.wait(60), 0)
        self.assertEqual(self.read("out"), record(2) + b"\n")


main()
