"""What sinks write: objects, bare values, text; documents and arrays; names and escapes."""
import json

from program import ProgramTest, main


def crc32c(data):
    """Bit by bit, with the reflected polynomial of RFC 3720."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


class Formats(ProgramTest):
    def select(self, select, text, *more):
        return self.sluice("select", *more, select, stdin=text.encode(), code=0).stdout.decode()

    def test_objects_are_keyed_by_the_last_token_and_leave_out_what_is_missing(self):
        text = '{"a":{"b":1},"c":[10,20]}\n{"c":[5]}\n[]\n'
        self.assertEqual(self.select("/a/b,/c/1", text), '{"b":1,"1":20}\n{}\n{}\n')
        self.assertEqual(self.select("/a/b,/c/1", text, "--as", "x,y"),
                         '{"x":1,"y":20}\n{}\n{}\n')

    def test_numbers_and_escapes_pass_as_they_came(self):
        text = '{"n":12345678901234567890123,"e":1.10e+5,"s":"\\u0041\\n\\/"}\n'
        self.assertEqual(self.select("/n,/e,/s", text), text)

    def test_the_last_of_equal_names_wins_and_forgets(self):
        self.assertEqual(self.select("/a", '{"a":1,"\\u0061":2}\n'), '{"a":2}\n')
        self.assertEqual(self.select("/a/b", '{"a":{"b":1},"a":{"c":2}}\n'), "{}\n")

    def test_pointer_escapes(self):
        record = {"a/b": 1, "a~b": 2, "a,b": 3, "a>b": 4, 'q"': 5, "": 6}
        text = json.dumps(record) + "\n"
        out = self.select('/a~1b,/a~0b,/a~2b,/a~3b,/q",/', text)
        self.assertEqual(json.loads(out), record)

    def test_text_is_decoded_and_other_values_are_json(self):
        data = ('{"t":"a\\tb\\u00e9\\ud83d\\ude00\\u0000"}\n{"t":[1, 2]}\n{"u":1}\n{"t":null}\n'
                '{"t":""}\n')
        _, report = self.fan("--to", "/t -> format=text file:out", stdin=data.encode())
        self.assertEqual(self.read("out").decode(), "a\tbé😀\0\n[1, 2]\nnull\n\n")
        self.assertEqual(report["sinks"][0]["records"], 5)
        self.assertEqual(report["decoded_bytes"], len("a\tbé😀\0".encode()))

    def test_records_that_write_nothing_are_delivered_too(self):
        data = b'{"u":1}\n' * 5000 + b'{"t":"x"}\n' + b'{"u":1}\n' * 5000
        _, report = self.fan("--to", "/t -> format=text exec:cat > out",
                             "--to", "/t -> bare=yes file:bare", stdin=data, timeout=20)
        self.assertEqual(self.read("out"), b"x\n")
        self.assertEqual(self.read("bare"), b'"x"\n')
        self.assertEqual([sink["records"] for sink in report["sinks"]], [10001, 10001])

    def test_bare_values(self):
        self.fan("--to", "/t -> bare=yes file:out", stdin=b'{"t":"x\\n"}\n{}\n{"t":{"a": 1}}\n')
        self.assertEqual(self.read("out"), b'"x\\n"\n{"a": 1}\n')

    def test_a_document_is_one_record_on_one_line(self):
        document = '\n{\n  "a": [1,\r\n 2],\n  "b": "x"\n}\n'
        self.assertEqual(self.select("/a,/b", document), '{"a":[1,\r  2],"b":"x"}\n')
        self.assertEqual(self.select("*", document, "--input", "json"),
                         '{   "a": [1,\r  2],   "b": "x" }\n')

    def test_the_first_line_decides(self):
        self.assertEqual(self.select("*", "[1]\n[2]\n"), "[1]\n[2]\n")
        self.assertEqual(self.select("*", "[1,\n2]\n"), "[1, 2]\n")
        path = self.write("x.jsonl", b"[1,\n2]\n")
        self.assertIn(b"2 of 2 records refused", self.sluice("select", "*", path, code=1).stderr)

    def test_a_first_line_longer_than_what_is_looked_at(self):
        for size in (65_535, 65_536, 65_537, 300_000):
            document = b'{"a":"' + b"x" * size + b'",\n"b":1}\n'
            self.assertIn(b"1 accepted, 0 refused",
                          self.sluice("check", stdin=document, code=0).stderr)
            lines = b'{"a":"' + b"x" * size + b'"}\n{"b":1}\n{\n'
            result = self.sluice("check", stdin=lines, code=1)
            self.assertIn(b"2 accepted, 1 refused", result.stderr)
            self.assertIn(b"stdin:3:2: ", result.stdout)

    def test_nothing_is_no_document(self):
        for text in (b"", b" \n", b"\xe5", b" " * 70_000 + b"\xe9"):
            self.sluice("check", "--input", "json", stdin=text, code=1)
            self.sluice("select", "--input", "json", "*", stdin=text, code=1)
        for text in (b"", b" \n"):
            self.assertIn(b"0 accepted, 0 refused", self.sluice("check", stdin=text, code=0).stderr)
        self.sluice("check", stdin=b" " * 70_000 + b"\xe9", code=1)

    def test_large_values_of_documents_take_no_longer(self):
        # In seconds this took 12 when every batch looked through the whole value again.
        value = b"x" * 15_000_000
        out = self.sluice("select", "--input", "json", "*", stdin=b'{"a":"' + value + b'"}',
                          code=0, timeout=30).stdout
        self.assertEqual(out, b'{"a":"' + value + b'"}\n')
        escaped = b"\\n" + b"x" * 5_000_000
        self.fan("--to", "/a -> format=text file:out", stdin=b'{"a":"' + escaped + b'"}',
                 timeout=30)
        self.assertEqual(self.read("out"), b"\n" + b"x" * 5_000_000 + b"\n")

    def test_elements_of_an_array(self):
        text = ' [ {"a":1},\n {"a": "x]"} , 3,\n[4,\n5] ]\n'
        self.assertEqual(self.select("*", text, "--input", "array"),
                         '{"a":1}\n{"a": "x]"}\n3\n[4, 5]\n')
        self.assertEqual(self.select("/a", text, "--input", "array"),
                         '{"a":1}\n{"a":"x]"}\n{}\n{}\n')

    def test_a_fault_in_an_array_ends_it(self):
        result = self.sluice("select", "--input", "array", "/a", stdin=b'[{"a":1},\n{"a":x}]',
                             code=1)
        self.assertEqual(result.stdout, b'{"a":1}\n')
        self.assertIn(b"stdin:2:6: byte 15: json_syntax: found 'x', expected a value",
                      result.stderr)

    def test_the_place_of_a_fault_far_into_an_array(self):
        text = b"[" + b"[12345]," * 100_000 + b"x]"
        result = self.sluice("fan", "--input", "array", "--to", "* -> null:", stdin=text, code=1)
        at = len(text) - 2
        self.assertIn(b"stdin:1:%d: byte %d: json_syntax" % (at + 1, at), result.stderr)
        text = b"[\n" + b"[12345],\n" * 100_000 + b"  x]"
        result = self.sluice("fan", "--input", "array", "--to", "* -> null:", stdin=text, code=1)
        self.assertIn(b"stdin:100002:3: byte %d: json_syntax" % (len(text) - 2), result.stderr)

    def test_large_arrays_and_documents_from_a_pipe(self):
        records = [{"id": at, "s": "x" * (at * 37 % 3000)} for at in range(3000)]
        out = self.sluice("select", "--input", "array", "/id,/s", stdin=json.dumps(records).encode(),
                          code=0).stdout
        self.assertEqual([json.loads(line) for line in out.splitlines()], records)
        out = self.sluice("select", "--input", "json", "/2999/id,/17/s",
                          stdin=json.dumps(records, indent=1).encode(), code=0).stdout
        self.assertEqual(json.loads(out), {"id": 2999, "s": records[17]["s"]})

    def test_digests(self):
        import hashlib
        data = b'{"a":1}\n' * 1000
        _, report = self.fan("--digest", "sha256", "--to", "* -> file:out", stdin=data)
        self.assertEqual(report["sinks"][0]["sha256"], hashlib.sha256(data).hexdigest())
        _, report = self.fan("--to", "* -> file:out", stdin=b"12345678")
        self.assertEqual(report["sinks"][0]["crc32c"], "%08x" % crc32c(b"12345678\n"))

    def test_several_files_in_order(self):
        self.write("1.ndjson", b"1\n2")
        self.write("2.json", b"[3,\n4]")
        self.write("3.ndjson", b"5\n")
        out = self.sluice("select", "*", "1.ndjson", "2.json", "3.ndjson", code=0).stdout
        self.assertEqual(out, b"1\n2\n[3, 4]\n5\n")


main()
