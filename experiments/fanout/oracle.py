"""What sinks must write, made from the input by Python's own JSON decoder and nothing of Sluice's.

A value passes as it came: so its text is cut out of the record where the decoder says that it
begins and ends."""
import hashlib
import json
import re

DECODER = json.JSONDecoder()
BLANKS = re.compile(r"[ \t\n\r]*")


def skip(text, at):
    return BLANKS.match(text, at).end()


def members(text):
    """[(name, raw text of its value)] of an object's text, or of a list's, its indexes as names."""
    at = skip(text, 0)
    is_object = text[at] == "{"
    found = []
    at = skip(text, at + 1)
    while text[at] not in "}]":
        name = str(len(found))
        if is_object:
            name, at = DECODER.raw_decode(text, at)
            at = skip(text, skip(text, at) + 1)  # the colon
        _, end = DECODER.raw_decode(text, at)
        found.append((name, text[at:end]))
        at = skip(text, end)
        if text[at] == ",":
            at = skip(text, at + 1)
    return found


def raw_value(text, pointer):
    """The text that a JSON Pointer leads to, or None. Of equal names the last one counts."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if text.lstrip(" \t\r\n")[:1] not in ("{", "["):
            return None
        text = dict(members(text)).get(token)
        if text is None:
            return None
    return text


def encode(line, select, form="json", names=None):
    """What one record, bytes without a newline, makes a sink write. `form`: json, bare or text."""
    if select == "*":
        return line + b"\n"
    text = line.decode()
    values = [raw_value(text, pointer) for pointer in select.split(",")]
    if form in ("bare", "text"):
        if values[0] is None:
            return b""
        value = json.loads(values[0]) if form == "text" else None
        return (value if isinstance(value, str) else values[0]).encode() + b"\n"
    names = names or [pointer.rsplit("/", 1)[1] for pointer in select.split(",")]
    there = (f'"{name}":{value}' for name, value in zip(names, values) if value is not None)
    return ("{" + ",".join(there) + "}\n").encode()


def output(lines, select, form="json", names=None):
    return b"".join(encode(line, select, form, names) for line in lines)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # Castagnoli's polynomial, reflected
        table.append(byte)
    return table


def crc32c(data):
    table, crc = crc32c_table(), 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return f"{crc ^ 0xFFFFFFFF:08x}"


def refuses(line):
    """Whether Python's decoder finds a fault in these bytes. It lets unpaired surrogates and any
    depth through, and constants that are not JSON, which are refused here."""
    def no_constants(name):
        raise ValueError(name)
    try:
        json.loads(line.decode(), parse_constant=no_constants)
    except (ValueError, RecursionError):
        return True
    return False
