"""What a request gets that cannot be served: every code, status and place, written down by hand."""
import gzip
import json
import shutil
import subprocess
import unittest

from http_client import HttpTest, chunks, post, request
from program import main

CONFIG = """
[inputs.score]
reply = "echo"

[inputs.score.fields]
player  = { type = "text", max_bytes = 8 }
points  = { type = "i64", min = 0, max = 1000 }
small   = { type = "i32", optional = true }
size    = { type = "u32", optional = true }
ratio   = { type = "f64", optional = true }
level   = { type = "text", optional = true, enum = ["low", "high"] }
at      = { type = "time", optional = true }
to.zip  = { type = "u32", optional = true }
to.tags = { type = ["text"], max_items = 2, optional = true }
more    = { type = "json", optional = true, max_bytes = 16 }

[inputs.small]
max_body = 1000
[inputs.small.fields]
a = { type = "text" }

[inputs.loose]
unknown = "ignore"
reply = "echo"
[inputs.loose.fields]
a = { type = "i64", default = 7 }
b.c = { type = "bool", default = true }
b.d = { type = "text", default = "x" }

[sources.any]
type = "http"

[sinks.all]
type = "file"
path = "all.ndjson"
"""


class Errors(HttpTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve(CONFIG)

    def one_fault(self, body, status, code, **fault):
        """The body, as a score, has this fault alone."""
        body = body.encode() if isinstance(body, str) else body
        title = "Bad Request" if status == 400 else "Unprocessable Content"
        problem = self.assert_problem(self.server.ask(post("/inputs/score", body)), status, code,
                                      title)
        self.assertEqual(len(problem["errors"]), 1, problem)
        found = problem["errors"][0]
        self.assertEqual(found["code"], code)
        self.assertEqual(problem["detail"], found["detail"])
        line = body[:fault["offset"]].count(b"\n") + 1
        column = fault["offset"] - (body.rfind(b"\n", 0, fault["offset"]) + 1) + 1
        self.assertEqual((found["line"], found["column"]), (line, column), found)
        for name, value in fault.items():
            self.assertEqual(found[name], value, found)
        return found

    def test_a_body_that_is_no_json(self):
        """HTTP pain 1: the next request is answered by the same process."""
        self.one_fault('{"player": value}', 400, "json_syntax", offset=11)
        self.one_fault("", 400, "json_syntax", offset=0)
        self.one_fault('{"player":"a","points":1}}', 400, "json_syntax", offset=25)
        self.one_fault('{"player":"a",\n"points":01}', 400, "json_syntax", offset=25)
        self.one_fault(b'{"player":"\xc3\x28"}', 400, "json_utf8", offset=11)
        self.one_fault(b'\xef\xbb\xbf{"player":"a"}', 400, "json_syntax", offset=0)
        self.one_fault('{"player":"\\ud800"}', 400, "json_syntax", offset=11)
        self.assertIsNone(self.server.child.poll())
        answer = self.server.ask(post("/inputs/score", b'{"player":"a","points":1}'))
        self.assertEqual((answer.status, answer.body), (200, b'{"player":"a","points":1}'))

    def test_nesting_is_limited_the_same_everywhere(self):
        for path in ("/inputs/loose", "/sources/any"):
            for depth in (1025, 100_000):
                nested = b'{"more":' + b"[" * depth
                problem = self.server.ask(post(path, nested)).json()
                self.assertEqual((problem["status"], problem["code"]), (400, "json_depth"))
                self.assertEqual(problem["errors"][0]["offset"], 8 + 1023)
            problem = self.server.ask(post(path, b"[" * 100_000)).json()
            self.assertEqual((problem["code"], problem["errors"][0]["offset"]),
                             ("json_depth", 1024))
        deep = b'{"a":' + b"[" * 1023 + b"]" * 1023 + b"}"
        self.assertEqual(self.server.ask(post("/sources/any", deep)).status, 202)

    def test_numbers_that_do_not_fit(self):
        """HTTP pain 2: no integer is bent to fit."""
        self.one_fault('{"player":"a","points":1,"small":-1001128970273}', 422, "json_range",
                       pointer="/small", offset=33)
        self.one_fault('{"player":"a","points":1,"small":2147483648}', 422, "json_range",
                       pointer="/small", offset=33)
        self.one_fault('{"player":"a","points":1,"size":4294967296}', 422, "json_range",
                       pointer="/size", offset=32)
        self.one_fault('{"player":"a","points":1,"size":-1}', 422, "json_range",
                       pointer="/size", offset=32)
        self.one_fault('{"player":"a","points":1.0}', 422, "json_type", pointer="/points",
                       offset=23)
        self.one_fault('{"player":"a","points":1,"ratio":1e400}', 422, "json_range",
                       pointer="/ratio", offset=33)
        for good in ('-2147483648', '2147483647'):
            body = f'{{"player":"a","points":1,"small":{good}}}'.encode()
            self.assertEqual(self.server.ask(post("/inputs/score", body)).body, body)
        body = b'{"player":"a","points":-0,"size":4294967295}'
        self.assertEqual(self.server.ask(post("/inputs/score", body)).body, body)

    def test_a_member_given_twice(self):
        """HTTP pain 3: also when it is spelled otherwise."""
        self.one_fault('{"player":"a","points":1,"player":"b"}', 400, "json_duplicate",
                       pointer="/player", offset=25)
        self.one_fault('{"player":"a","points":1,"pl\\u0061yer":"b"}', 400, "json_duplicate",
                       pointer="/player", offset=25)
        self.one_fault('{"player":"a","points":1,"to":{"zip":1,"zip":1}}', 400, "json_duplicate",
                       pointer="/to/zip", offset=39)

    def test_types_members_and_bounds(self):
        self.one_fault('[1', 400, "json_syntax", offset=2)
        self.one_fault('7', 422, "json_type", pointer="", offset=0)
        self.one_fault('{"player":7,"points":1}', 422, "json_type", pointer="/player", offset=10)
        self.one_fault('{"player":null,"points":1}', 422, "json_type", pointer="/player",
                       offset=10)
        self.one_fault('{"player":"a"}', 422, "json_missing", pointer="/points", offset=13)
        self.one_fault('{"player":"a","points":1001}', 422, "json_range", pointer="/points",
                       offset=23)
        self.one_fault('{"player":"a","points":-1}', 422, "json_range", pointer="/points",
                       offset=23)
        self.one_fault('{"player":"123456789","points":1}', 422, "json_range", pointer="/player",
                       offset=10)
        self.one_fault('{"player":"a","points":1,"level":"mid"}', 422, "json_range",
                       pointer="/level", offset=33)
        self.one_fault('{"player":"a","points":1,"at":"2026-02-29T00:00:00Z"}', 422, "json_type",
                       pointer="/at", offset=30)
        self.one_fault('{"player":"a","points":1,"to":[]}', 422, "json_type", pointer="/to",
                       offset=30)
        self.one_fault('{"player":"a","points":1,"to":{"tags":["a","b","c"]}}', 422, "json_range",
                       pointer="/to/tags", offset=38)
        self.one_fault('{"player":"a","points":1,"to":{"tags":["a",1]}}', 422, "json_type",
                       pointer="/to/tags/1", offset=43)
        self.one_fault('{"player":"a","points":1,"more":"123456789012345"}', 422, "json_range",
                       pointer="/more", offset=32)
        found = self.one_fault('{"player":"a","points":1,"ponts":1}', 422, "json_field",
                               pointer="/ponts", offset=25)
        self.assertIn("'points'", found["detail"])

    def test_pointers_and_details_of_odd_names(self):
        """A name is escaped as RFC 6901 has it, and cut where a character ends."""
        self.one_fault('{"player":"a","points":1,"a/b~c":1}', 422, "json_field",
                       pointer="/a~1b~0c", offset=25)
        self.one_fault('{"player":"a","points":1,"":1}', 422, "json_field", pointer="/",
                       offset=25)
        for shift in range(4):
            name = "x" * shift + "\u20ac\U0001d11e" * 100
            body = json.dumps({"player": "a", "points": 1, name: 1}, ensure_ascii=False)
            answer = self.server.ask(post("/inputs/score", body.encode()))
            self.assertEqual(answer.status, 422)
            fault = answer.json()["errors"][0]
            self.assertNotIn("\ufffd", answer.body.decode())
            self.assertIn(name[:15], fault["detail"])
            self.assertLess(len(answer.body), 1500)
        time = '{"player":"a","points":1,"at":"%s"}' % ("x" + "\u20ac" * 100)
        answer = self.server.ask(post("/inputs/score", time.encode()))
        self.assertNotIn("\ufffd", answer.body.decode())
        level = '{"player":"a","points":1,"level":"%s"}' % ("x" + "\u20ac" * 100)
        answer = self.server.ask(post("/inputs/score", level.encode()))
        self.assertNotIn("\ufffd", answer.body.decode())

    def test_an_answer_is_small_whatever_was_sent(self):
        """What is wrong is named by as much of a name as a reader wants to see."""
        body = json.dumps({f"{index}" + "\u0001" * 10_000: 1 for index in range(16)}).encode()
        self.assertLess(len(body), 1_000_000)
        for asked in (post("/inputs/score", body), post("/inputs/score", body[:-3]),
                      post("/inputs/score", b"[" + body + b"]"),
                      post("/sources/any", body[:-3]), post("/sources/any", body[:-2] + b"[}")):
            answer = self.server.ask(asked)
            self.assertIn(answer.status, (400, 422))
            self.assertLess(len(answer.body), 16_384)

    def test_all_faults_are_told_up_to_sixteen(self):
        body = b'{"player":7,"x":1,"points":"1","to":{"zip":-1}}'
        problem = self.server.ask(post("/inputs/score", body)).json()
        self.assertEqual([(each["code"], each["pointer"], each["offset"])
                          for each in problem["errors"]],
                         [("json_type", "/player", 10), ("json_field", "/x", 12),
                          ("json_type", "/points", 27), ("json_range", "/to/zip", 43)])
        self.assertEqual((problem["status"], problem["code"]), (422, "json_type"))
        many = json.dumps({f"x{index}": 1 for index in range(40)}).encode()
        self.assertEqual(len(self.server.ask(post("/inputs/score", many)).json()["errors"]), 16)
        # What stands in front of a fault of syntax is told, too, and first.
        problem = self.server.ask(post("/inputs/score", b'{"player":7,"points":}')).json()
        self.assertEqual([each["code"] for each in problem["errors"]],
                         ["json_type", "json_syntax"])
        self.assertEqual((problem["status"], problem["code"]), (422, "json_type"))

    def test_the_query(self):
        def ask(query, body=b'{"player":"a","points":1}'):
            return self.server.ask(post("/inputs/score?" + query, body))

        answer = ask("to.zip=7&small=-3")
        self.assertEqual(answer.body, b'{"player":"a","points":1,"small":-3,"to":{"zip":7}}')
        answer = ask("to.zip=7", b'{"player":"a","points":1,"to":{"tags":["x"]}}')
        self.assertEqual(answer.body, b'{"player":"a","points":1,"to":{"tags":["x"],"zip":7}}')
        answer = ask("p%6Fints=1000", b'{ "player" : "a" }')
        self.assertEqual(answer.body, b'{ "player" : "a" ,"points":1000}')
        for query, status, code, parameter in (
                ("zip=7", 422, "json_field", "zip"),
                ("player=x", 422, "json_field", "player"),
                ("small=1.5", 422, "json_type", "small"),
                ("small=", 422, "json_type", "small"),
                ("small=2147483648", 422, "json_range", "small"),
                ("small=1&small=2", 422, "field_twice", "small")):
            problem = self.assert_problem(ask(query), status, code, "Unprocessable Content")
            fault = problem["errors"][0]
            self.assertEqual((fault["code"], fault["parameter"]), (code, parameter))
            self.assertNotIn("pointer", fault)
            self.assertNotIn("offset", fault)
        problem = self.assert_problem(ask("points=2"), 422, "field_twice",
                                      "Unprocessable Content")
        self.assertEqual(problem["errors"][0]["pointer"], "/points")
        most = "&".join(["small=1"] + ["x=1"] * 63)
        self.assertEqual(ask(most).json()["code"], "json_field")
        problem = self.assert_problem(ask(most + "&y=1"), 400, "query_limit", "Bad Request")
        self.assertEqual(len(problem["errors"]), 1)

    def test_defaults_and_members_to_be_ignored(self):
        for body, expected in (
                (b'{}', b'{"a":7,"b":{"c":true,"d":"x"}}'),
                (b' {"z":[1,{"a":2}]}\n', b'{"z":[1,{"a":2}],"a":7,"b":{"c":true,"d":"x"}}'),
                (b'{"b":{"d":"y"}}', b'{"b":{"d":"y","c":true},"a":7}'),
                (b'{"a":1,"b":{"c":false,"d":"","e":1}}',
                 b'{"a":1,"b":{"c":false,"d":"","e":1}}')):
            answer = self.server.ask(post("/inputs/loose", body))
            self.assertEqual((answer.status, answer.body), (200, expected))

    def test_places_and_methods(self):
        self.assert_problem(self.server.ask(post("/inputs/none", b"{}")), 404, "not_found",
                            "Not Found")
        self.assert_problem(self.server.ask(request("GET", "/")), 404, "not_found", "Not Found")
        answer = self.server.ask(request("GET", "/inputs/score"))
        self.assert_problem(answer, 405, "method", "Method Not Allowed")
        self.assertEqual(answer.headers["allow"], "POST, OPTIONS")
        answer = self.server.ask(request("DELETE", "/livez"))
        self.assert_problem(answer, 405, "method", "Method Not Allowed")
        self.assertEqual(answer.headers["allow"], "GET, HEAD, OPTIONS")
        for path in ("/livez", "/readyz", "/openapi.json", "/docs"):
            got = self.server.ask(request("GET", path))
            self.assertEqual(got.status, 200)
            head = self.server.ask(request("HEAD", path), to_head=True)
            self.assertEqual((head.status, head.body), (200, b""))
            self.assertEqual(head.headers["content-length"], str(len(got.body)))  # HTTP pain 12
            self.assertEqual(head.headers["content-type"], got.headers["content-type"])
        for path, allow in (("/inputs/score", "POST, OPTIONS"), ("/docs", "GET, HEAD, OPTIONS")):
            answer = self.server.ask(request("OPTIONS", path))
            self.assertEqual((answer.status, answer.headers["allow"]), (204, allow))
            self.assertNotIn("content-length", answer.headers)
        self.assertEqual(self.server.ask(request("OPTIONS", "*")).status, 204)
        self.assertEqual(self.server.ask(request("OPTIONS", "/none")).status, 404)

    def test_types_of_bodies(self):
        """HTTP pain 4: what a browser sends by itself is refused by a problem that says what to send."""
        good = b'{"player":"a","points":1}'
        for kind in (None, "text/plain;charset=UTF-8", "application/jsonp", "json",
                     "application/json; charset=latin1", "application/x-www-form-urlencoded"):
            answer = self.server.ask(post("/inputs/score", good, content_type=kind))
            problem = self.assert_problem(answer, 415, "media_type", "Unsupported Media Type")
            self.assertIn("application/json", problem["detail"])
            self.assertIn("application/json", answer.headers["accept-post"])
        for kind in ("application/json;charset=UTF-8", "APPLICATION/JSON", "application/ld+json",
                     'application/json; charset="utf-8"', "application/json; version=1"):
            answer = self.server.ask(post("/inputs/score", good, content_type=kind))
            self.assertEqual((answer.status, answer.body), (200, good))
        answer = self.server.ask(post("/inputs/score", good, content_encoding="br"))
        self.assert_problem(answer, 415, "media_type", "Unsupported Media Type")
        self.assertEqual(answer.headers["accept-encoding"], "gzip, zstd")

    def test_bodies_at_the_limit(self):
        """HTTP pain 5 in small: below and at it is taken, above it is 413, however it is framed."""
        for size, status in ((999, 202), (1000, 202), (1001, 413), (5000, 413)):
            body = b'{"a":"' + b"x" * (size - 8) + b'"}'
            packed = gzip.compress(body)
            asked = {"plain": post("/inputs/small", body),
                     "chunked": post("/inputs/small", b"", transfer_encoding="chunked")
                     + chunks(body, [100]),
                     "one chunk": post("/inputs/small", b"", transfer_encoding="chunked")
                     + chunks(body, [size]),
                     "gzip": post("/inputs/small", packed, content_encoding="gzip")}
            for name, data in asked.items():
                answer = self.server.ask(data)
                self.assertEqual(answer.status, status, (name, size))
                if status == 413:
                    self.assert_problem(answer, 413, "body_limit", "Content Too Large")

    def test_a_413_reaches_a_client_that_writes_all_first(self):
        """HTTP pain 5: megabytes more than the sockets hold; the same for a path that is none."""
        for path, status in (("/inputs/small", 413), ("/inputs/none", 404)):
            with self.server.connect() as peer:
                peer.send(post(path, b"x" * 16_000_000))
                answer = peer.answer()
                self.assertEqual(answer.status, status)
                self.assertEqual(answer.headers["connection"], "close")
                self.assertTrue(peer.is_closed())

    def test_bombs(self):
        bomb = gzip.compress(b" " * 50_000_000)
        answer = self.server.ask(post("/sources/any", bomb, content_encoding="gzip"))
        self.assert_problem(answer, 413, "body_limit", "Content Too Large")
        good = gzip.compress(b'{"a":1}')
        for broken in (good[:-1], good[:10], b"", b"x", b"{}", good + b"x",
                       good[:-8] + bytes(8), good[:12] + b"\xff" * 8 + good[20:]):
            answer = self.server.ask(post("/sources/any", broken, content_encoding="gzip"))
            self.assert_problem(answer, 400, "body_coding", "Bad Request")

    def test_bombs_of_zstd(self):
        if shutil.which("zstd") is None:
            raise unittest.SkipTest("skipped: there is no zstd program here")
        for told in (True, False):
            content = ["--stream-size=50000000"] if told else []
            bomb = subprocess.run(["zstd", "-c", *content], input=b" " * 50_000_000,
                                  capture_output=True, check=True).stdout
            answer = self.server.ask(post("/sources/any", bomb, content_encoding="zstd"))
            self.assert_problem(answer, 413, "body_limit", "Content Too Large")
        good = subprocess.run(["zstd", "-c"], input=b'{"a":1}', capture_output=True,
                              check=True).stdout
        for broken in (good[:-1], good[:5], b"", b"{}", good + b"x"):
            answer = self.server.ask(post("/sources/any", broken, content_encoding="zstd"))
            self.assert_problem(answer, 400, "body_coding", "Bad Request")

    def test_many_records_with_faults(self):
        def ask(body, **headers):
            return self.server.ask(post("/inputs/score", body, **headers))

        good = b'{"player":"a","points":1}'
        lines = b"\n".join([good, b'{"player":"b"}', b"", good, b"{", b"   ", good + b"\r"])
        answer = ask(lines, content_type="application/x-ndjson")
        self.assertEqual(answer.status, 202)
        counts = answer.json()
        self.assertEqual((counts["accepted"], counts["rejected"]), (3, 2))
        self.assertEqual([(each["index"], each["code"], each["offset"], each["line"],
                           each["column"]) for each in counts["errors"]],
                         [(1, "json_missing", 39, 2, 14), (3, "json_syntax", 69, 5, 2)])
        array = b"[" + good + b",\n 7," + good + b"]"
        counts = ask(array).json()
        self.assertEqual((counts["accepted"], counts["rejected"]), (2, 1))
        self.assertEqual([(each["index"], each["code"], each["pointer"], each["offset"],
                           each["line"], each["column"]) for each in counts["errors"]],
                         [(1, "json_type", "", 29, 2, 2)])
        # A fault of syntax refuses all of an array.
        answer = ask(b"[" + good + b"," + good + b",]")
        self.assert_problem(answer, 400, "json_syntax", "Bad Request")
        # So does a fault in every record, whatever it is.
        answer = ask(b"[7,8]")
        self.assert_problem(answer, 422, "json_type", "Unprocessable Content")
        answer = ask(b"{\n[\n", content_type="application/x-ndjson")
        self.assert_problem(answer, 422, "json_syntax", "Unprocessable Content")
        answer = ask(b"7\n" * 100, content_type="application/x-ndjson")
        self.assertEqual([each["index"] for each in answer.json()["errors"]], list(range(16)))
        for nothing in (b"[]", b" [ ] "):
            self.assertEqual(ask(nothing).json(), {"accepted": 0, "rejected": 0})
        for nothing in (b"", b"\n \r\n"):
            answer = ask(nothing, content_type="application/x-ndjson")
            self.assertEqual((answer.status, answer.json()), (202, {"accepted": 0, "rejected": 0}))
        self.stop(self.server)
        self.assertEqual(self.read("all.ndjson"), (good + b"\n") * 5)

    def test_a_refused_record_never_gets_a_silent_2xx(self):
        """Pain 16 and 18: the file has what answers say was accepted, and nothing else."""
        accepted = 0
        for index in range(60):
            bodies = [json.dumps({"player": "p", "points": index * 20 + at}) for at in range(20)]
            data = "\n".join(bodies).encode()
            counts = self.server.ask(
                post("/inputs/score", data, content_type="application/x-ndjson")).json()
            good = sum(1 for at in range(20) if index * 20 + at <= 1000)
            self.assertEqual(counts.get("accepted", 0), good)
            accepted += good
        self.assertEqual(accepted, 1001)
        self.stop(self.server)
        found = [json.loads(line)["points"] for line in self.read("all.ndjson").splitlines()]
        self.assertEqual(found, list(range(1001)))


main()
