"""What is in a text: letters, escapes, numbers, blanks; under each kind of policy."""
from checks.kit import FEW, Sink, add, group, records


def everywhere(kit, lines, sinks, stdin=None):
    for policy in FEW:
        for mode in ("blocks", "study"):
            kit.deliver(lines, sinks, "--policy", policy, mode=mode, stdin=stdin)


def values(*texts):
    """A record for each JSON text, in a selected field between others."""
    return [('{"a":0,"v":' + text + ',"z":"' + "z" * 500 + '"}').encode() for text in texts]


THREE_FORMS = (Sink("/v", "bare"), Sink("/v", "text", "delay=1ms queue=8"), Sink("/v,/a"))

TEXTS = {
    "unicode": ("letters of 1 to 4 bytes", (
        '"é"', '"ß€"', '"日本"', '"😀"', '"\u07ff\u0800\uffff\U0010ffff"', '"a\u0301"', '"\u2028"',
        '"\ufeff"', '"\ue000\ufdd0"')),
    "escapes": ("every short escape, alone and in runs", (
        r'"\n"', r'"\b\f\n\r\t"', r'"\"\\\/"', r'"\\\\\\"', r'"\\\""', r'"x\\"', r'"\/a"')),
    "unicode-escapes": ("\\u escapes, pairs of surrogates, capital and small digits", (
        r'"\u0041"', r'"\u00e9\u00E9"', r'"\ud83d\ude00"', r'"\uD83D\uDE00"', r'"a\u20acb"',
        r'"\udbff\udfff"', r'"\u005c\u0022"', r'"\\u0041"')),
    "nul": ("\\u0000 at the beginning, inside, at the end, and alone", (
        r'"\u0000"', r'"a\u0000b"', r'"\u0000a"', r'"a\u0000"', r'"\u0000\u0000\u0000"')),
    "empty": ("empty strings, objects and lists", ('""', '{}', '[]', '[""]', '{"":""}', '" "')),
    "literals": ("true, false and null are their texts", ('true', 'false', 'null', '[null]')),
    "numbers": ("the text of a number is kept", (
        '0', '-0', '1.0', '1E2', '1e400', '-1.5e-300', '12345678901234567890123', '0.1',
        '9007199254740993', '1e+05')),
    "nested": ("objects and lists pass with their blanks", (
        '{"x":[1,{"y":"}"}]}', '[[[[[1]]]]]', '{ "x" : 1 }', '[ 1 , 2 ]', '{"]":"["}')),
}
for name, (what, texts) in TEXTS.items():
    add(f"texts/{name}", what, lambda kit, texts: everywhere(kit, values(*texts), THREE_FORMS),
        texts)


@group("texts/lengths", "strings of 0 to 200 bytes: every place in a block of 64")
def lengths(kit):
    lines = values(*('"' + "s" * size + '"' for size in range(201)))
    kit.deliver(lines, THREE_FORMS)


@group("texts/names", "names with escapes, blanks, slashes, tildes, and none; lists by index")
def names(kit):
    lines = [rb'{"\u0062ody":1,"a/b":2,"m~n":3,"":4,"k\"l":5,"li":[10,[20,21]],"sp ace":6}',
             rb'{"body":"last","a/b":{},"m~n":[],"":"","li":[],"more":1}']
    everywhere(kit, lines, (Sink("/body", "bare"), Sink("/a~1b", "bare"), Sink("/m~0n", "bare"),
                            Sink("/", "bare"), Sink("/li/1/0", "bare"), Sink("/li/0", "bare"),
                            Sink("/sp ace", "bare")))


@group("texts/duplicates", "of equal names the last one counts")
def duplicates(kit):
    lines = [b'{"v":1,"v":2}', b'{"v":{"w":1},"v":3}', b'{"v":{"w":1},"w":0,"v":{"w":2,"w":4}}']
    everywhere(kit, lines, (Sink("/v", "bare"), Sink("/v/w", "bare"), Sink("/v,/v/w", "json")))


@group("texts/blanks",
       "blanks between tokens, line ends of two bytes, blank lines, no last newline")
def blanks(kit):
    lines = [b' { "v" : [ 1 , 2 ] } ', b'\t{"v":"x"}', b'{"v" :\t"y" }', b'"alone"', b'7']
    everywhere(kit, lines, (Sink("/v", "bare"), Sink("/v"), Sink("*")),
               stdin=b"\n" + lines[0] + b"\r\n\r\n" + lines[1] + b"\n  \n" + lines[2] + b"\n" +
               lines[3] + b"\r\n" + lines[4])


@group("texts/missing", "a missing field is left out; a record without any writes {} or nothing")
def missing(kit):
    lines = [b'{"a":1}', b'{"v":2}', b'{}', b'[]', b'{"a":{"v":1}}', b'"v"', b'{"v":null,"a":3}']
    everywhere(kit, lines, THREE_FORMS + (Sink("/a/v", "bare"),))


@group("texts/other-types", "a field of another type than expected passes as its JSON text")
def other_types(kit):
    lines = [b'{"v":1}', b'{"v":"1"}', b'{"v":[1]}', b'{"v":{"v":1}}', b'{"v":false}']
    everywhere(kit, lines, THREE_FORMS + (Sink("/v/v", "text"), Sink("/v/0", "text")))


@group("texts/renamed", "as= names the fields; one field may go out under two names")
def renamed(kit):
    lines = records(30, seed=3)
    kit.deliver(lines, (Sink("/more/n,/id", names=["size", "number"]),
                        Sink("/more/list/3/deep,/more", names=["deep", "all"])))


@group("texts/array", "with --input array the elements are the records")
def array(kit):
    lines = records(30, seed=4)
    data = b" [\n" + b" ,\n ".join(lines) + b"\n]\n"
    kit.deliver(lines, (Sink("/body", "bare"), Sink("*")), "--input", "array", stdin=data)


@group("texts/document", "a document of several lines is one record on one line")
def document(kit):
    line = b'{"v": [1, "two"],  "w": {} }'
    data = line.replace(b" ", b"\n")
    kit.deliver([line], (Sink("*"), Sink("/w", "bare")), "--input", "json", stdin=data)


def kernel(kit, name):
    environment = {"SLUICE_KERNEL": name}
    known = kit.start("version", env=environment, stdout=-3, stderr=-3)
    if known.wait() != 0:
        return  # this processor cannot run it, and the program says so
    kit.deliver(records(60, seed=5), THREE_FORMS + (Sink("/body", "text"),),
                environment=environment)


for name in ("swar", "avx2", "avx512"):
    add(f"kernels/{name}", "the same bytes by these instructions, where the processor has them",
        kernel, name)
