"""The admin listener: what its pages say of a run that goes on, and whom it refuses."""
import json
import re
import signal
import time

from program import main
from served import ServedTest

CONFIG = """
[budget]
memory = "16MiB"

[http]
listen = "127.0.0.1:0"

[admin]
listen = "127.0.0.1:0"

[inputs.score]
[inputs.score.fields]
points = { type = "i64" }

[sources.more]
type = "http"

[sinks.out]
type = "file"
path = "out.ndjson"

[sinks."stu\\"ck"]
type = "exec"
command = "exec 2>/dev/null; sleep 5"
queue = 5
when_full = "drop_newest"
"""
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABELS = r'\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"\}'


def parse_metrics(text):
    """Samples by name and labels; every line must be what the text format allows, every sample must
    belong to the family announced last, and no family or sample may come twice."""
    samples, family, families = {}, None, set()
    assert text.endswith("\n")
    for line in text.splitlines():
        if found := re.fullmatch(rf"# HELP ({NAME}) .+", line):
            family, typed = found[1], None
            assert family not in families, line
            families.add(family)
        elif found := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge)", line):
            assert found[1] == family, line
            typed = found[2]
            assert (typed == "counter") == family.endswith("_total"), line
        else:
            found = re.fullmatch(rf"({NAME}(?:{LABELS})?) (\d+)", line)
            assert found and typed and re.match(NAME, found[1])[0] == family, line
            assert found[1] not in samples, line
            samples[found[1]] = int(found[2])
    return samples


class AdminPages(ServedTest):
    def serve_both(self, config=CONFIG):
        self.serve(config)
        return self.wait_for_port("listening on"), self.wait_for_port("admin on")

    def metrics(self, port, *headers):
        status, got, body = self.ask(self.connect(port), self.get("/metrics", *headers, host=f"localhost:{port}"))
        self.assertEqual(status, 200)
        self.assertTrue(got["content-type"].startswith("text/plain; version=0.0.4"))
        return parse_metrics(body.decode())

    def status(self, port):
        return self.ask_json(self.connect(port), self.get("/status", host=f"127.0.0.1:{port}"))

    def wait_until(self, ask, is_done):
        end = time.monotonic() + 20
        while not is_done(got := ask()) and time.monotonic() < end:
            time.sleep(0.02)
        return got

    def test_counts_of_requests_records_and_sinks(self):
        public, admin = self.serve_both()
        client = self.connect(public)
        for number in range(20):
            status, _, _ = self.ask(client, self.post("/inputs/score", b'{"points":%d}' % number))
            self.assertEqual(status, 202)
        for _ in range(3):
            self.assertEqual(self.ask(client, self.post("/inputs/score", b'{"points":"x"}'))[0], 422)
        self.assertEqual(self.ask(client, self.post("/sources/more", b"[1,2,3]"))[0], 202)
        self.assertEqual(self.ask(client, self.get("/nowhere"))[0], 404)
        name = 'sluice_sink_records_total{sink="out"}'
        samples = self.wait_until(lambda: self.metrics(admin), lambda got: got[name] == 23)
        self.assertEqual(samples[name], 23)
        self.assertEqual(samples['sluice_source_records_total{source="score"}'], 20)
        self.assertEqual(samples['sluice_source_refused_total{source="score"}'], 3)
        self.assertEqual(samples['sluice_source_records_total{source="more"}'], 3)
        self.assertEqual(samples['sluice_http_requests_total{class="2xx"}'], 21)
        self.assertEqual(samples['sluice_http_requests_total{class="4xx"}'], 4)
        self.assertEqual(samples["sluice_http_connections_total"], 1)
        self.assertEqual(samples["sluice_http_connections_open"], 1)
        self.assertEqual(samples["sluice_budget_limit_bytes"], 16 * 1024 * 1024)
        stuck = 'sink="stu\\"ck"'
        self.assertEqual(samples[f"sluice_sink_records_total{{{stuck}}}"]
                         + samples[f"sluice_sink_dropped_total{{{stuck}}}"]
                         + samples[f"sluice_sink_pending_records{{{stuck}}}"], 23)

    def test_status_tells_of_all_parts(self):
        public, admin = self.serve_both()
        self.ask(self.connect(public), self.post("/inputs/score", b'{"points":1}'))
        got = self.wait_until(lambda: self.status(admin), lambda got: got["sinks"][0]["records"] == 1)
        self.assertEqual(got["status"], "ok")
        self.assertEqual([each["name"] for each in got["sources"]], ["score", "more"])
        self.assertEqual([each["name"] for each in got["sinks"]], ["out", 'stu"ck'])
        self.assertEqual(got["sources"][0], {"name": "score", "accepted": 1, "refused": 0})
        self.assertEqual(sum(got["budget"]["by_region"].values()), got["budget"]["used"])
        self.assertEqual(got["budget"]["limit"], 16 * 1024 * 1024)
        self.assertEqual(got["version"], self.sluice("version").stdout.decode().split()[1])

    def test_a_host_that_is_not_its_own_is_refused(self):
        _, admin = self.serve_both()
        for host in ("evil.example", f"evil.example:{admin}", "127.0.0.1.evil.example", f"localhost:{admin + 1}"):
            status, _, body = self.ask(self.connect(admin), self.get("/status", host=host))
            self.assertEqual((status, json.loads(body)["code"]), (421, "misdirected"), host)
        for host in (f"localhost:{admin}", f"127.0.0.1:{admin}", f"LOCALHOST:{admin}", f"[::1]:{admin}"):
            self.assertEqual(self.ask(self.connect(admin), self.get("/livez", host=host))[0], 200, host)

    def test_its_pages_are_not_on_the_public_listener(self):
        public, admin = self.serve_both()
        for path in ("/metrics", "/status"):
            self.assertEqual(self.ask(self.connect(public), self.get(path))[0], 404)
        for port in (public, admin):
            self.assertEqual(self.ask(self.connect(port), self.get("/readyz", host=f"localhost:{port}"))[0], 200)

    def test_elsewhere_a_token_is_required_and_asked_for(self):
        for listen in ("0.0.0.0:0", "[::]:0", "192.0.2.1:9090"):
            self.write("config.toml", CONFIG.replace('[admin]\nlisten = "127.0.0.1:0"', f'[admin]\nlisten = "{listen}"'))
            self.assert_one_sentence(self.sluice("validate", "config.toml", code=78), "config.toml:9:", "[admin]", "token")
        public, admin = self.serve_both(CONFIG.replace(
            '[admin]\nlisten = "127.0.0.1:0"', '[admin]\nlisten = "0.0.0.0:0"\ntoken = "secret"'))
        for headers, expected in (([], 401), (["Authorization: Bearer wrong"], 403),
                                  (["Authorization: Bearer secret"], 200)):
            for path in ("/metrics", "/status"):
                self.assertEqual(self.ask(self.connect(admin), self.get(path, *headers, host="any.name"))[0], expected)

    def test_without_http_it_tells_of_what_is_read(self):
        self.write("in.ndjson", b'{"a":1}\n{"a":\n{"a":3}\n')
        config = re.sub(r"\[http\].*?(?=\[admin\])", "", CONFIG, flags=re.S)
        config = re.sub(r"\[inputs.*?(?=\[sinks)", '[sources.lines]\ntype = "file"\npaths = "in.ndjson"\n', config, 1, re.S)
        self.serve(config)
        admin = self.wait_for_port("admin on")
        name = 'sluice_sink_records_total{sink="out"}'
        samples = self.wait_until(lambda: self.metrics(admin), lambda got: got[name] == 2)
        self.assertEqual(samples['sluice_source_records_total{source="lines"}'], 2)
        self.assertEqual(samples['sluice_source_refused_total{source="lines"}'], 1)
        self.assertNotIn("sluice_http_connections_total", samples)

    def test_while_it_drains_it_says_so(self):
        _, admin = self.serve_both(CONFIG.replace("queue = 5\nwhen_full = \"drop_newest\"", "").replace(
            "sleep 5", "sleep 1; cat"))
        self.child.send_signal(signal.SIGTERM)
        status = self.wait_until(
            lambda: self.ask(self.connect(admin), self.get("/readyz", host=f"localhost:{admin}"))[0],
            lambda got: got == 503)
        self.assertEqual(status, 503)


main()
