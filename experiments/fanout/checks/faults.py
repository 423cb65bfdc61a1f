"""Bad records: each costs itself, is counted, and its bytes can be kept."""
import oracle
from checks.kit import FEW, Sink, add, group

GOOD = [b'{"v":"first","w":{"x":1}}', b'{"v":"second","w":[2]}', b'{"v":"third"}']
SINKS = (Sink("/v", "bare"), Sink("*", options="delay=1ms queue=8"))

FAULTS = {
    "truncated-object": b'{"v":"a"', "truncated-string": b'{"v":"a', "truncated-list": b'{"v":[1,',
    "truncated-escape": b'{"v":"a\\', "truncated-unicode-escape": b'{"v":"\\u00',
    "truncated-literal": b'{"v":tru', "truncated-number": b'{"v":-',
    "wrong-literal": b'{"v":nul}', "not-a-number": b'{"v":NaN}', "leading-zero": b'{"v":01}',
    "point-without-digits": b'{"v":1.}', "exponent-without-digits": b'{"v":1e}',
    "plus-sign": b'{"v":+1}', "trailing-comma": b'{"v":1,}', "missing-colon": b'{"v" 1}',
    "missing-comma": b'{"v":1 "w":2}', "name-without-quotes": b'{v:1}', "comment": b'{"v":1}//x',
    "single-quotes": b"{'v':1}", "wrong-bracket": b'{"v":[1}}', "two-values": b'{"v":1}{"v":2}',
    "lone-bracket": b"]", "raw-control": b'{"v":"a\x01b"}', "raw-nul": b'{"v":"a\x00b"}',
    "raw-tab": b'{"v":"a\tb"}', "byte-order-mark": b'\xef\xbb\xbf{"v":1}',
    "unknown-escape": b'{"v":"\\x41"}', "bad-unicode-escape": b'{"v":"\\u12G4"}',
    "utf8-lone-byte": b'{"v":"\x80"}', "utf8-overlong": b'{"v":"\xc0\xaf"}',
    "utf8-surrogate": b'{"v":"\xed\xa0\x80"}', "utf8-beyond": b'{"v":"\xf4\x90\x80\x80"}',
    "utf8-cut": b'{"v":"\xe2\x82"}', "utf8-in-a-name": b'{"\xff":1,"v":1}',
    "unselected-syntax": b'{"v":"a","u":{"deep":[1,2,}}}',
    "unselected-number": b'{"u":1.2.3,"v":1}',
    "unselected-utf8": b'{"v":"a","u":["\xc3("]}', "unselected-escape": b'{"u":"\\q","v":1}',
    "behind-the-field": b'{"v":"a"} x', "no-value": b'{"v":}',
}
# What Python's decoder lets through, and the grammar or a limit does not.
BEYOND_PYTHON = {
    "lone-high-surrogate": b'{"v":"\\ud800"}', "lone-low-surrogate": b'{"v":"\\udc00x"}',
    "swapped-surrogates": b'{"v":"\\udc00\\ud800"}',
    "too-deep": b'{"v":' + b"[" * 1025 + b"]" * 1025 + b"}",
}


def costs_itself(kit, bad, policies):
    lines = [GOOD[0], bad, GOOD[1], bad, GOOD[2]]
    for policy in policies:
        report = kit.deliver(GOOD, SINKS, "--policy", policy, "--on-error", "dead-letter=dead",
                             code=1, stdin=b"\n".join(lines))
        kit.equal((report["records_in"], report["records_refused"]), (5, 2), "records in, refused")
        kit.written("dead", (bad + b"\n") * 2)


def fault(kit, bad):
    kit.true(oracle.refuses(bad), "Python's decoder finds no fault here")
    costs_itself(kit, bad, ("auto", "copy"))


for name, bad in FAULTS.items():
    add(f"faults/{name}", "refused, as by Python's decoder; the records around it arrive", fault,
        bad)
for name, bad in BEYOND_PYTHON.items():
    add(f"faults/{name}", "refused by the grammar's own rule; the records around it arrive",
        lambda kit, bad: costs_itself(kit, bad, ("auto", "copy")), bad)


@group("faults/every-cut", "a record cut after any byte is refused, at the input's end too")
def every_cut(kit):
    whole = b'{"v":"a\\u0041\xc3\xa9","w":[1,-2.5e3,true,null,{}]}'
    cuts = [whole[:end] for end in range(1, len(whole))]
    kit.true(all(oracle.refuses(cut) for cut in cuts), "a cut is valid JSON")
    for policy in FEW:
        report = kit.deliver(GOOD, SINKS, "--policy", policy, "--input", "ndjson", code=1,
                             stdin=b"\n".join(cuts + GOOD + cuts))
        kit.equal(report["records_refused"], 2 * len(cuts), "refused")


@group("faults/cut-at-the-end", "an input that ends inside a record loses that record only")
def cut_at_the_end(kit):
    costs = kit.deliver(GOOD, SINKS, code=1, stdin=b"\n".join(GOOD) + b'\n{"v":"cu')
    kit.equal((costs["records_in"], costs["records_refused"]), (4, 1), "records in, refused")


@group("faults/only-bad", "an input of nothing but faults delivers nothing and counts them")
def only_bad(kit):
    report = kit.deliver([], SINKS, code=1, stdin=b"}\n" * 3000)
    kit.equal(report["records_refused"], 3000, "refused")


@group("faults/bad-among-thousands", "every seventh of 7,000 records is bad; the rest is in order")
def among_thousands(kit):
    lines = [b'{"v":%d}' % at if at % 7 else b'{"v":%d' % at for at in range(7000)]
    good = [line for line in lines if not oracle.refuses(line)]
    report = kit.deliver(good, SINKS[:1], code=1, stdin=b"\n".join(lines))
    kit.equal((len(good), report["records_refused"]), (6000, 1000), "good, refused")


@group("faults/stop", "--on-error stop delivers what came before the fault, and nothing behind it")
def stop(kit):
    for policy in FEW:
        report = kit.deliver(GOOD[:2], SINKS, "--on-error", "stop", "--policy", policy, code=1,
                             stdin=b"\n".join(GOOD[:2] + [b"{]"] + GOOD))
        kit.equal((report["records_in"], report["records_refused"]), (3, 1), "records in, refused")


@group("faults/place", "the message names line, column and byte of the fault")
def place(kit):
    done = kit.run("fan", "--to", "* -> null:", stdin=b'{"v":1}\n{"v":01}\n', code=1)
    kit.true(b"stdin:2:7: byte 14: json_syntax" in done.stderr, done.stderr.decode())


@group("faults/missing-input", "an input that is not there costs itself only")
def missing_input(kit):
    (kit.folder / "in").write_bytes(b"\n".join(GOOD))
    kit.deliver(GOOD, SINKS, "no-such-file", "in", code=1, stdin=b"")
