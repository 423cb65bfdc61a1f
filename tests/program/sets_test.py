"""Real NDJSON sets through three sinks, compared with what Python's decoder makes of them."""
import json

from program import ProgramTest, main, need_shared


def get(record, *path):
    for name in path:
        if not isinstance(record, dict) or name not in record:
            return None, False
        record = record[name]
    return record, True


class Sets(ProgramTest):
    def check(self, source, pointers, text_pointer):
        """`pointers`: two paths to an object, `text_pointer` one to a text line."""
        select = ",".join("/" + "/".join(path) for path in pointers)
        _, report = self.fan(
            "--budget", "4MiB", "--max-record", "1MiB",
            "--to", "* -> file:a.ndjson",
            "--to", f"{select} -> file:b.ndjson",
            "--to", f"/{'/'.join(text_pointer)} -> format=text exec:cat > c.txt",
            source)
        content = source.read_bytes()
        self.assertEqual(self.read("a.ndjson"), content)
        records = [json.loads(line) for line in content.decode().splitlines()]
        self.assertEqual(report["records_in"], len(records))

        objects = []
        text = ""
        for record in records:
            found = {path[-1]: get(record, *path) for path in pointers}
            objects.append({name: value for name, (value, there) in found.items() if there})
            value, there = get(record, *text_pointer)
            if there:
                text += (value if isinstance(value, str) else json.dumps(value)) + "\n"
        written = [json.loads(line) for line in self.read("b.ndjson").decode().splitlines()]
        self.assertEqual(written, objects)
        self.assertEqual(self.read("c.txt").decode(), text)
        self.assertLess(report["peak_managed_bytes"], 4 * 1024 * 1024)

    def test_github_events(self):
        self.check(need_shared("corpora/ndjson-github-events/github-events-2021-07-21.ndjson"),
                   [("type",), ("repo", "name")], ("actor", "login"))

    def test_small_real_sample(self):
        from program import ROOT
        self.check(next((ROOT / "sample").glob("*.ndjson")),
                   [("type",), ("repo", "name")], ("actor", "login"))

    def test_zeek_dns(self):
        self.check(need_shared("corpora/ndjson-zeek-dns/dns-first-20000.ndjson"),
                   [("id.orig_h",), ("query",)], ("uid",))

    def test_nginx_status(self):
        self.check(need_shared("corpora/ndjson-nginx-status/nginxplus-status-500.ndjson"),
                   [("server_zones", "hg.nginx.org", "responses"), ("processes", "respawned")],
                   ("nginx_version",))

    def test_wikipedia_articles(self):
        self.check(need_shared("corpora/ndjson-wikipedia-articles/wiki-articles-1000.ndjson"),
                   [("title",), ("url",)], ("body",))


main()
