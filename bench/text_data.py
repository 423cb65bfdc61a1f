"""The whole texts of the benchmark, and the right answers as Python's json sees them."""
import json
import pathlib
import random
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


def path_of(bench, name):
    """None where the text is not at hand: the large ones lie beside the project."""
    if name in GIVEN:
        path = bench.root.parent / "shared/corpora/large-documents" / GIVEN[name]
        return path if path.exists() else None
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


SUMS = {"check": lambda value: 0, "document": sum_of, "on_demand": sum_of, "typed": sum_of,
        "numbers": lambda value: sum_of(value, strings=False, others=False),
        "strings": lambda value: sum_of(value, numbers=False, others=False),
        "brief": brief_sum}


def right_answer(job, path: pathlib.Path):
    """[accepted, refused, sum of refused lines, sum]"""
    return [1, 0, 0, SUMS[job](json.loads(path.read_text(encoding="utf-8")))]
