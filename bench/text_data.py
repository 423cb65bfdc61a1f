"""The whole texts of the benchmark, and the right answers as Python's json sees them."""
import json
import pathlib
import random
import re
import struct

# Common words, so that the prose has the letters and word lengths of Russian.
WORDS = ("и в не на я быть он с что а по это она этот к но они мы весь который из у за свой от "
         "ваш мочь так для ты же все тот год человек такой его сказать только или ещё бы себя один "
         "как уже до время если сам когда другой вот говорить наш мой знать стать при чтобы дело "
         "жизнь кто первый очень два день её новый рука даже во со раз где там под можно ну какой "
         "после их работа без самый потом надо хотеть ли слово идти большой должен место иметь "
         "ничто здесь рассказ деревня вечером дождь окно голос дорога письмо").split()
PARAGRAPHS, WORDS_A_PARAGRAPH = 800, 150
# Beginnings of strings that are short: empty ones, single letters, escapes in a row.
SHORT = ("", "", "a", "id", "\n", "ok", "\\\\", "\t\t", '"q"', "de", "x/y", "été", "12345678")
SHORT_STRINGS = 200_000
MASK = (1 << 64) - 1


def russian(escaped):
    draw = random.Random(7)
    text = [" ".join(draw.choices(WORDS, k=WORDS_A_PARAGRAPH)) for _ in range(PARAGRAPHS)]
    return json.dumps(text, ensure_ascii=escaped)


def short_strings():
    return json.dumps(random.Random(8).choices(SHORT, k=SHORT_STRINGS), ensure_ascii=False)


MADE = {"russian-raw": lambda: russian(False), "russian-escaped": lambda: russian(True),
        "short-strings": short_strings}
GIVEN = {"twitter": "twitter.json", "citm": "citm_catalog.json", "canada": "canada.json"}


FAULT_FROM_END = 100


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without_nulls(value):
    """Members that are null left out, as those do who write structs."""
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


def with_fault(text):
    """A control character where nothing can make it right."""
    return text[:-FAULT_FROM_END] + b"\x01" + text[1 - FAULT_FROM_END:]


CHANGED = {"full": lambda text: compact(without_nulls(json.loads(text))).encode(),
           "fault": with_fault}


def path_of(bench, name):
    """None where the text is not at hand: the large ones lie beside the project."""
    given, _, change = name.partition("-")
    if given in GIVEN:
        path = bench.root.parent / "shared/corpora/large-documents" / GIVEN[given]
        if not change or not path.exists():
            return path if path.exists() else None
        changed = bench.data / f"{name}.json"
        changed.write_bytes(CHANGED[change](path.read_bytes()))
        return changed
    path = bench.data / f"{name}.json"
    if not path.exists():
        path.write_text(MADE[name](), encoding="utf-8")
    return path


def bits(number):
    return struct.unpack("<Q", struct.pack("<d", float(number)))[0]


def sum_of(value, numbers=True, strings=True, others=True):
    """As text_jobs.h counts."""
    if isinstance(value, bool):
        return others * (1 if value else 2)
    if isinstance(value, (int, float)):
        return numbers * bits(value)
    if isinstance(value, str):
        return strings * len(value.encode())
    parts = value.values() if isinstance(value, dict) else value or ()
    return sum(sum_of(each, numbers, strings, others) for each in parts) & MASK


def brief_sum(value):
    return sum(bits(status["id"]) + len(status["text"].encode())
               + len(status["user"]["screen_name"].encode())
               + bits(status["user"]["followers_count"]) + bits(status["retweet_count"])
               for status in value["statuses"]) & MASK


SUMS = {"check": lambda value: 0, **dict.fromkeys(
            ("document", "on_demand", "converted", "typed", "write", "write_typed"), sum_of),
        "numbers": lambda value: sum_of(value, strings=False, others=False),
        "strings": lambda value: sum_of(value, numbers=False, others=False),
        "brief": brief_sum}


def as_it_was(text):
    """Without the blanks outside of strings."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda found: found[1] or "", text)


def size_written(job, path, text):
    """Of what Sluice writes, 0 when it writes nothing: scalars as they stood, or in the shortest
    form from structs, where canada has doubles only."""
    if job == "write":
        return len(as_it_was(text).encode())
    whole = float if "canada" in path.name else int
    return len(compact(json.loads(text, parse_int=whole)).encode()) if job == "write_typed" else 0


def place_of_fault(path):
    text = path.read_bytes()
    at = len(text) - FAULT_FROM_END
    line_start = text.rfind(b"\n", 0, at) + 1
    return 1000 * (text.count(b"\n", 0, at) + 1) + at - line_start + 1


def rivals_answer(job, path: pathlib.Path):
    """[accepted, refused, 0, sum]"""
    if job.startswith("fault"):
        return [0, 0, 0, place_of_fault(path)]
    return [1, 0, 0, SUMS[job](json.loads(path.read_text(encoding="utf-8")))]


def right_answer(job, path):
    """[accepted, refused, size of what was written, sum]"""
    answer = rivals_answer(job, path)
    answer[2] = size_written(job, path, path.read_text(encoding="utf-8"))
    return answer
