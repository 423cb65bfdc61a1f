"""The benchmark's input, and the right answers as Python's json sees them."""
import json
import random
import re
import subprocess

SMALL_RECORDS = 200_000
LOG_RECORDS = 600_000
# Of 20 lines one is damaged, in one of these ways in turn. Every one leaves a line a line.
DAMAGE = (
    lambda line: line[:-1],                             # the closing bracket is missing
    lambda line: line.replace(b":", b";", 1),           # no colon
    lambda line: line[:12] + b"\x01" + line[13:],       # a control character in a string
    lambda line: line[:12] + b"\xff" + line[13:],       # not UTF-8
)


def generate(program, kind, records, path):
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        subprocess.run([program, kind, "-n", str(records), "-o", unfinished], check=True)
        unfinished.rename(path)
    return path


def damage_one_in_twenty(clean, path):
    if not path.exists():
        lines = clean.read_bytes().split(b"\n")
        for index in range(7, len(lines) - 1, 20):
            lines[index] = DAMAGE[index // 20 % len(DAMAGE)](lines[index])
        path.write_bytes(b"\n".join(lines))
    return path


def eight_shapes(value, draw):
    """A member fewer, one more, null instead of an object, each at random."""
    if draw.random() < 0.3:
        del value["service"]
    if draw.random() < 0.3:
        value["tags"] = ["a", "b"]
    if draw.random() < 0.1:
        value["user"] = None
    return value


def shuffled_keys(value, draw):
    keys = list(value)
    draw.shuffle(keys)
    return {key: value[key] for key in keys}


def rewrite(clean, path, change):
    """Every record changed by `change(value, draw)`."""
    if not path.exists():
        draw = random.Random(4)
        with open(clean, encoding="utf-8") as source, open(path, "w", encoding="utf-8") as out:
            for line in source:
                value = change(json.loads(line), draw)
                out.write(json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")
    return path


def raw_size(line, name):
    """What stands between the quotes of a string member, as it was written; 0 without one."""
    found = re.search(rb'"%s":"((?:[^"\\]|\\.)*)"' % name.encode(), line)
    return len(found[1]) if found else 0


def sums_of_line(job, line, value):
    """(with decoded sizes, with sizes as written) of one accepted record."""
    if job == "check":
        return 0, 0
    names = {"three": (("service", 1), ("text", 1)), "two": (("tag", 1), ("body", 3))}[job]
    decoded = sum(factor * len(value.get(name, "").encode()) for name, factor in names)
    written = sum(factor * raw_size(line, name) for name, factor in names)
    number = round(value["took_ms"] * 1000) if job == "three" else 0
    return decoded + number, written + number


def right_answers(job, path):
    """{"decoded": [accepted, refused, sum of refused lines, sum], "written": [...]}"""
    cache = path.with_suffix(f".{job}.answers")
    if cache.exists():
        return json.loads(cache.read_text())
    accepted = refused = refused_lines = decoded = written = 0
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1]):
        try:
            value = json.loads(line.decode())
        except ValueError:
            refused += 1
            refused_lines += number
            continue
        accepted += 1
        sums = sums_of_line(job, line, value)
        decoded += sums[0]
        written += sums[1]
    counts = [accepted, refused, refused_lines]
    answers = {"decoded": [*counts, decoded], "written": [*counts, written]}
    cache.write_text(json.dumps(answers))
    return answers
