"""Compares verdicts and selected fields with those of Python's json, over random documents.

usage: python_diff_test.py READER_DRIVER [DOCUMENTS [SEED]]

Python reads more than RFC 8259 allows in three places (NaN and its like, unpaired surrogates,
repeated names unseen); the oracle below refuses the first two and lets the last name win.
"""

import itertools
import json
import random
import subprocess
import sys

POINTERS = ["", "/a", "/a/b", "/b/0", "/0", "/1/a", "/c/c/c", "/", "/x~1y", "/m~0n", "/\u00e9",
            "/\U0001f600", "/-", "/01", "/a/a/0/b"]
NAMES = ["a", "b", "c", "0", "1", "", "x/y", "m~n", "\u00e9", "\U0001f600", "01", "-", "q\"\\"]
STRINGS = ["", "text", "}]{[,:", "\"\\/\b\f\n\r\t", "\u0000\u001f\u007f", "\u00e9\u20ac\U0001f600",
           "\ud7ff\ue000\uffff", "\\\\\"", "x" * 70]
NUMBERS = ["0", "-0", "1", "-17", "1.50", "1e5", "-0.0E-00", "12345678901234567890123", "1E400"]
SPOILERS = b"\"\\{}[]:,0-.eEu+\x00\x1f\x7f\x80\xbf\xc3\xe2\xed\xf4\xfftfn \t\n"


def spelled_string(rng, text):
    """The string as JSON, each character as itself or escaped, in one of the ways there are."""
    spelled = []
    for character in text:
        plain = character >= " " and character not in "\"\\"
        if plain and rng.random() < 0.8:
            spelled.append(character)
            continue
        units = character.encode("utf-16-be")
        digits = ["%02x%02x" % (units[i], units[i + 1]) for i in range(0, len(units), 2)]
        spelled += ["\\u" + (d.upper() if rng.random() < 0.5 else d) for d in digits]
    return '"' + "".join(spelled) + '"'


def blanks(rng):
    return "".join(rng.choice(" \t\r\n") for _ in range(rng.choice([0, 0, 0, 1, 2, 66])))


def document(rng, depth=0):
    kind = rng.randrange(10) if depth else rng.randrange(4, 10)
    if depth > 6 or kind < 2:
        value = rng.choice(["true", "false", "null"] + NUMBERS)
    elif kind < 4:
        value = spelled_string(rng, rng.choice(STRINGS))
    elif kind < 8:
        members = [blanks(rng) + spelled_string(rng, rng.choice(NAMES)) + blanks(rng) + ":" +
                   document(rng, depth + 1) for _ in range(rng.randrange(6))]
        value = "{" + (",".join(members) or blanks(rng)) + "}"
    else:
        elements = [document(rng, depth + 1) for _ in range(rng.randrange(5))]
        value = "[" + (",".join(elements) or blanks(rng)) + "]"
    return blanks(rng) + value + blanks(rng)


def spoiled(rng, text):
    data = bytearray(text)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data) + 1)
        spoiler = rng.choice(SPOILERS)
        change = rng.randrange(4)
        if change == 0:
            data[place:place + 1] = bytes([spoiler])
        elif change == 1:
            data[place:place] = bytes([spoiler])
        elif change == 2:
            del data[place:place + 1]
        elif rng.random() < 0.2:
            del data[place:]
    return bytes(data)


class Number(str):
    """A number by its text, so that 1 and 1.0 stay two things."""


def refuse(text):
    raise ValueError(text)


def checked(value):
    """Refuses unpaired surrogates wherever they stand, also in members that do not win."""
    if isinstance(value, str) and any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        refuse("surrogate")
    if isinstance(value, list):
        for element in value:
            checked(element)
    return value


def members(pairs):
    for name, value in pairs:
        checked(name)
        checked(value)
    return dict(pairs)


def read(data):
    return checked(json.loads(data.decode("utf-8"), object_pairs_hook=members, parse_int=Number,
                              parse_float=Number, parse_constant=refuse))


ABSENT = object()


def resolved(value, pointer):
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(token, ABSENT)
        elif isinstance(value, list) and token.isdigit() and (token == "0" or token[0] != "0"):
            value = value[int(token)] if int(token) < len(value) else ABSENT
        else:
            value = ABSENT
    return value


def complaint(data, answer):
    """What is wrong with the answer, or nothing."""
    try:
        value = read(data)
    except ValueError:
        return "" if answer == "refused" else "Python refuses"
    words = answer.split(" ")
    if words[0] != "accepted":
        return "Python accepts"
    for pointer, word in zip(POINTERS, words[1:], strict=True):
        expected = resolved(value, pointer)
        found = ABSENT if word == "-" else read(bytes.fromhex(word))
        if type(found) is not type(expected) or found != expected:
            return f"at {pointer!r} Python has {expected!r}, not {found!r}"
        if word != "-" and bytes.fromhex(word).strip(b" \t\r\n") != bytes.fromhex(word):
            return f"blanks around {pointer!r}"
    return ""


def main():
    driver, *rest = sys.argv[1:]
    count = int(rest[0]) if rest else 2500
    seed = int(rest[1]) if len(rest) > 1 else 1
    rng = random.Random(seed)
    inputs = []
    for _ in range(count):
        text = document(rng).encode()
        inputs += [text, spoiled(rng, text)]
    # And every text of up to five of these characters.
    for size in range(6):
        inputs += ["".join(text).encode() for text in itertools.product("[]{},:\"0", repeat=size)]
    shown = "".join(data.hex() + "\n" for data in inputs)
    run = subprocess.run([driver] + POINTERS, input=shown, capture_output=True, text=True, check=True)
    answers = run.stdout.splitlines()
    assert len(answers) == len(inputs), "an answer a document"
    wrong = [(data, why) for data, answer in zip(inputs, answers) if (why := complaint(data, answer))]
    for data, why in wrong[:10]:
        print(f"{why}: {data!r}")
    refused = answers.count("refused")
    print(f"{len(inputs)} documents, {refused} refused, {len(wrong)} answers wrong (seed {seed})")
    # A test that accepts or refuses nearly everything would show nothing.
    return 1 if wrong or not count * 0.3 < answers[:2 * count].count("refused") < count else 0


if __name__ == "__main__":
    sys.exit(main())
