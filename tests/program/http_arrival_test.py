"""However the bytes of a request arrive, its records are the same; and what two programs could read in
two ways is refused, with the connection."""
import gzip
import json
import random
import shutil
import subprocess
import unittest

from http_client import HttpTest, chunks, post, request
from program import main

FIELDS = """
[inputs.score]
reply = "echo"
[inputs.score.fields]
id   = { type = "u64" }
text = { type = "text", optional = true }
x    = { type = "json", optional = true }
"""
SINK = """
[sinks.out]
type = "file"
path = "out"
"""
BODIES = [json.dumps({"id": 2**64 - 1, "text": "caf\u00e9 \U0001d11e \n\"", "x": [1.0, None]},
                     ensure_ascii=False).encode(),
          b' {"x" : {"deep":[[[]]],"big":-12345678901234567890.50e-7} , "id":0}  ',
          b'{"id":7,"text":"' + b"\\u00e4\\\\" * 50 + b'"}']
NEXT = post("/inputs/score", b'{"id":1}')


def zstd(data):
    if shutil.which("zstd") is None:
        raise unittest.SkipTest("skipped: there is no zstd program here")
    return subprocess.run(["zstd", "-c"], input=data, capture_output=True, check=True).stdout


class Arrival(HttpTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve(FIELDS + SINK)

    def chunked(self, body, sizes, **more):
        return post("/inputs/score", b"", transfer_encoding="chunked", **more) + chunks(body, sizes)

    def ask_in(self, pieces):
        """The answers to a request that comes in these pieces, and to one behind it."""
        with self.server.connect() as peer:
            for piece in pieces:
                peer.send(piece)
            peer.send(NEXT)
            return peer.answer(), peer.answer()

    def assert_arrives(self, body, pieces):
        answer, after = self.ask_in(pieces)
        self.assertEqual((answer.status, answer.body), (200, body.strip(b" ")))
        self.assertEqual((after.status, after.body), (200, b'{"id":1}'))

    def test_the_bytes_of_a_record_are_the_same_however_they_come(self):
        random.seed(8)
        expected = []
        for body in BODIES:
            variants = [[post("/inputs/score", body)],
                        [post("/inputs/score", gzip.compress(body), content_encoding="gzip")],
                        [post("/inputs/score", gzip.compress(body)[:20], content_encoding="gzip",
                              content_length=str(len(gzip.compress(body)))),
                         gzip.compress(body)[20:]],
                        [self.chunked(gzip.compress(body), [3], content_encoding="gzip")]]
            variants += [[self.chunked(body, sizes)] for sizes in ([1], [2, 1], [7], [1000])]
            for _ in range(20):
                whole = random.choice(variants[:1] + variants[4:8])[0]
                cuts = sorted(random.sample(range(1, len(whole)), 6))
                variants.append([whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)])])
            for pieces in variants:
                self.assert_arrives(body, pieces)
                expected += [body.strip(b" "), b'{"id":1}']
        self.stop(self.server)
        self.assertEqual(self.read("out").splitlines(), expected)

    def test_zstd(self):
        for body in BODIES:
            packed = zstd(body)
            self.assert_arrives(body, [post("/inputs/score", packed, content_encoding="zstd")])
            self.assert_arrives(body, [self.chunked(packed, [1], content_encoding="ZSTD")])

    def test_compressed_data_of_several_members(self):
        """RFC 1952: a gzip file is a series of members; RFC 8878: so are frames of zstd."""
        body = BODIES[0]
        packed = gzip.compress(body[:9]) + gzip.compress(b"") + gzip.compress(body[9:])
        self.assert_arrives(body, [post("/inputs/score", packed, content_encoding="gzip")])
        packed = zstd(body[:9]) + zstd(body[9:])
        self.assert_arrives(body, [post("/inputs/score", packed, content_encoding="zstd")])

    def test_split_at_every_byte(self):
        """HTTP pain 7 and 9: two segments, at every place, head and framing included; each segment
        is read before the next is sent, as far as answers on another connection can tell."""
        chunked = (post("/inputs/score", b"", transfer_encoding="chunked")
                   + b'1;a;b=c\r\n{\r\n6;c="d e"\r\n"id":7\r\n001\r\n}\r\n0;last\r\n'
                   b"X-Trailer: 1\r\nContent-Length: 99\r\n\r\n")
        for whole in (chunked, post("/inputs/score", b'{"id":7}')):
            with self.server.connect() as peer, self.server.connect() as other:
                for cut in range(1, len(whole)):
                    peer.send(whole[:cut])
                    self.assertEqual(other.send(request("GET", "/livez")).answer().status, 200)
                    peer.send(whole[cut:] + NEXT)
                    for body in (b'{"id":7}', b'{"id":1}'):
                        answer = peer.answer()
                        self.assertEqual((answer.status, answer.body), (200, body), cut)

    def test_twenty_requests_in_one_write(self):
        """HTTP pain 13: all are answered, in their order."""
        for count in (20, 500):
            with self.server.connect() as peer:
                peer.send(b"".join(post("/inputs/score", b'{"id":%d}' % at)
                                   for at in range(count)))
                for at in range(count):
                    self.assertEqual(peer.answer().body, b'{"id":%d}' % at)
        mixed = [(post("/inputs/score", b'{"id":1}'), 200), (request("GET", "/none"), 404),
                 (post("/none", b"x" * 1000), 404), (request("OPTIONS", "*"), 204),
                 (post("/inputs/score", b"{"), 400), (self.chunked(b'{"id":2}', [1]), 200),
                 (post("/inputs/score", b'{"id":3}', content_type="a/b"), 415),
                 (request("GET", "/livez"), 200)]
        with self.server.connect() as peer:
            peer.send(b"".join(each for each, _ in mixed * 10))
            self.assertEqual([peer.answer().status for _ in mixed * 10],
                             [status for _, status in mixed * 10])

    def test_large_bodies(self):
        """A body larger than what is read at once lies in a buffer of its own."""
        text = "t" * 900_000
        body = json.dumps({"id": 5, "text": text}).encode()
        for pieces in ([post("/inputs/score", body)], [self.chunked(body, [65_536])],
                       [self.chunked(body, [999_999])], [self.chunked(body, [100])],
                       [post("/inputs/score", gzip.compress(body), content_encoding="gzip")]):
            self.assert_arrives(body, pieces)
        self.stop(self.server)
        self.assertEqual(self.read("out"), (body + b'\n{"id":1}\n') * 5)

    def test_expect_100_continue(self):
        """HTTP pain 8: it is said before the body is sent, not said to what is refused, and ends
        the connection then, since nobody knows whether the body will come."""
        body = b'{"id":7}'
        for framing in ({"content_length": "8"}, {"transfer_encoding": "chunked",
                                                  "content_length": None}):
            head = post("/inputs/score", b"", expect="100-continue", **framing)
            sent = body if "content_length" in framing and framing["content_length"] else chunks(
                body, [3])
            with self.server.connect() as peer:
                for _ in range(2):
                    self.assertEqual(peer.send(head).answer().status, 100)
                    self.assertEqual(peer.send(sent).answer().body, body)
        for refused, status in (
                (post("/inputs/score", b"", expect="100-continue", content_length="5000000"), 413),
                (post("/none", b"", expect="100-continue", content_length="8"), 404),
                (post("/inputs/score", b"", expect="100-continue", content_length="8",
                      content_type="a/b"), 415),
                (post("/inputs/score", b"", expect="200-ok", content_length="8"), 417)):
            with self.server.connect() as peer:
                answer = peer.send(refused).answer()
                self.assertEqual(answer.status, status)
                self.assertEqual(answer.headers["connection"], "close")
                self.assertTrue(peer.is_closed())
        # Nobody is asked to go on who has nothing to send.
        with self.server.connect() as peer:
            answer = peer.send(request("GET", "/livez", expect="100-continue")).answer()
            self.assertEqual(answer.status, 200)

    def test_framing_that_two_programs_could_read_in_two_ways(self):
        """HTTP pain 10 and the list behind it: answered once, then the connection ends, so that what
        is hidden behind is never a request."""
        def with_head(*lines, body=b'{"id":7}', first="POST /inputs/score HTTP/1.1"):
            rows = [first, *([] if any(line.lower().startswith("host") for line in lines)
                             or "no host" in lines else ["Host: a"]),
                    "Content-Type: application/json",
                    *(line for line in lines if line != "no host")]
            return "\r\n".join(rows).encode("latin-1") + b"\r\n\r\n" + body

        length, coded = "Content-Length: 8", "Transfer-Encoding: chunked"
        good = chunks(b'{"id":7}', [8])
        refused = [
            (with_head(length, coded, body=good), 400), (with_head(coded, length, body=good), 400),
            (with_head("Content-Length: +8"), 400), (with_head("Content-Length: 0x8"), 400),
            (with_head("Content-Length: 8,8"), 400), (with_head("Content-Length: 8, 9"), 400),
            (with_head("Content-Length: -8"), 400), (with_head("Content-Length: 8 8"), 400),
            (with_head("Content-Length: "), 400), (with_head("Content-Length: 8_0"), 400),
            (with_head("Content-Length: 18446744073709551624"), 400),
            (with_head(length, "Content-Length: 9"), 400), (with_head(length, length), 400),
            (with_head("Transfer-Encoding: gzip, chunked", body=good), 501),
            (with_head("Transfer-Encoding: chunked, gzip", body=good), 400),
            (with_head("Transfer-Encoding: chunked, chunked", body=good), 400),
            (with_head("Transfer-Encoding: identity"), 400),
            (with_head("Transfer-Encoding: xchunked", body=good), 400),
            (with_head("Transfer-Encoding: \x0bchunked", body=good), 400),
            (with_head("Transfer-Encoding:", length), 400),
            (with_head(coded, "Transfer-Encoding: identity", body=good), 400),
            (with_head(coded, body=good, first="POST /inputs/score HTTP/1.0"), 400),
            (with_head(coded, body=b"-8\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"+8\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"0x8\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b" 8\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"8\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"8\r\n" + b'{"id":7}\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"8\r\n" + b'{"id":7}XX0\r\n\r\n'), 400),
            (with_head(coded, body=b"7\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"8;a\rb\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"8;a\0b\r\n" + b'{"id":7}\r\n0\r\n\r\n'), 400),
            (with_head(coded, body=b"1" + b"0" * 20 + b"\r\n"), 400),
            (with_head(coded, body=b"fffffffffffffff8\r\n"), 413),
            (with_head(coded, body=b"8\r\n" + b'{"id":7}\r\n0\r\nX: a\0b\r\n\r\n'), 400),
            (with_head(coded, body=b"8\r\n" + b'{"id":7}\r\n0\r\nX Y: z\r\n\r\n'), 400),
            (with_head(length, "X : y"), 400), (with_head(length, "X Y: z"), 400),
            (with_head(length, ": y"), 400), (with_head(length, "X"), 400),
            (with_head(length, "X: a\rb"), 400), (with_head(length, "X: a\nb"), 400),
            (with_head(length, "X: a\0b"), 400), (with_head(length, "X: a\r\n b"), 400),
            (with_head(length, " X: y"), 400), (with_head(length, "X: a\x7f"), 400),
            (with_head(length, "X\0: a"), 400), (with_head(length, "X(: a"), 400),
            (with_head(length, "no host"), 400), (with_head(length, "Host: a", "Host: b"), 400),
            (with_head(length, "Host: a", "Host: a"), 400),
            (with_head(length, "Host: a, b"), 400), (with_head(length, "Host: a/b"), 400),
            (with_head(length, "Host: u@a"), 400),
            (with_head(length, first="POST  /inputs/score HTTP/1.1"), 400),
            (with_head(length, first="POST /inputs/score  HTTP/1.1"), 400),
            (with_head(length, first="POST /inputs/score HTTP/1.1 "), 400),
            (with_head(length, first=" POST /inputs/score HTTP/1.1"), 400),
            (with_head(length, first="POST\t/inputs/score HTTP/1.1"), 400),
            (with_head(length, first="post /inputs/score HTTP/1.1"), 400),
            (with_head(length, first="POST inputs/score HTTP/1.1"), 400),
            (with_head(length, first="POST * HTTP/1.1"), 400),
            (with_head(length, first="POST /inputs/score#x HTTP/1.1"), 400),
            (with_head(length, first="POST /inputs/sc\u00f6re HTTP/1.1"), 400),
            (with_head(length, first="POST /inputs/score http/1.1"), 400),
            (with_head(length, first="POST /inputs/score HTTP/11"), 505),
            (with_head(length, first="POST /inputs/score HTTP/1.2"), 505),
            (with_head(length, first="POST /inputs/score HTTP/2.0"), 505),
            (with_head(length, first="POST /inputs/score HTTP/1.1x"), 505),
            (with_head(length, first="POST /inputs/score"), 400),
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
            (b"\r\n" * 50 + with_head(length), 400),
            (b"GET /livez HTTP/1.1\nHost: a\n\n", 400),
            (with_head(length, first="POST /" + "x" * 9000 + " HTTP/1.1"), 414),
            (with_head(length, "X: " + "y" * 20_000), 431),
            (with_head(length, *(["X: y"] * 101)), 431),
        ]
        codes = {400: "http_framing", 413: "body_limit", 414: "target_limit", 431: "head_limit",
                 501: "transfer_coding", 505: "http_version"}
        for data, status in refused:
            with self.server.connect() as peer:
                answer = peer.send(data + NEXT).answer()
                self.assertIsNotNone(answer, data)
                self.assertEqual((answer.status, answer.json()["code"]), (status, codes[status]),
                                 data)
                self.assertEqual(answer.headers["connection"], "close", data)
                self.assertTrue(peer.is_closed(), data)
        self.stop(self.server)
        self.assertEqual(self.read("out"), b"")

    def test_framing_that_is_unusual_and_right(self):
        plain = b'{"id":7}'
        fine = [
            b"\r\n" + post("/inputs/score", plain),
            post("/inputs/score", plain, content_length="0008"),
            post("http://b.example:80/inputs/score", plain),
            post("/inputs/score?", plain),
            post("/inputs/score", plain, x_empty="", x_tab="\ta\tb\t", x_high="caf\xe9"),
            post("/inputs/score", plain, host="[::1]:80"),
            post("/inputs/score", plain, connection="upgrade", upgrade="websocket"),
            post("/inputs/score", plain, upgrade="h2c", connection="Upgrade, HTTP2-Settings"),
            post("/inputs/score", b"", transfer_encoding="\t CHUNKED  ") + b'008\r\n' + plain
            + b"\r\n000\r\n\r\n",
            post("/inputs/score", b"", transfer_encoding="chunked")
            + b"8;" + b"e" * 16_000 + b"\r\n" + plain + b"\r\n0\r\n\r\n",
            post("/inputs/score", b"", transfer_encoding="chunked")
            + b"8\r\n" + plain + b"\r\n0\r\nHost: b\r\nContent-Length: 99\r\n\r\n",
            post("/inputs/score", plain, **{f"x_{at}": "y" for at in range(97)}),
        ]
        for data in fine:
            answer, after = self.ask_in([data])
            self.assertEqual((answer.status, answer.body), (200, plain), data)
            self.assertEqual((after.status, after.body), (200, b'{"id":1}'), data)
        for version, kept in (("1.0", False), ("1.0", True), ("1.1", False)):
            with self.server.connect() as peer:
                word = "keep-alive" if kept else "close"
                asked = post("/inputs/score", plain, connection=word).replace(
                    b"HTTP/1.1", f"HTTP/{version}".encode())
                answer = peer.send(asked).answer()
                self.assertEqual(answer.headers["connection"], word)
                if kept:
                    self.assertEqual(peer.send(NEXT).answer().status, 200)
                else:
                    self.assertTrue(peer.is_closed())


main()
