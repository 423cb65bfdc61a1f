#!/usr/bin/env python3
"""Holds sluice-generate against docs/sample-data.md: Python's json reads every line, and the
sizes are those of hand arithmetic.   usage: generate_test.py PROGRAM"""
import collections
import json
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()
KIB = 1024
# Sizes in the rules count a string's quotes; Python sees what is between them.
QUOTES = 2


def generate(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.PIPE)
    return done.stdout


def lines_and_values(*arguments):
    lines = generate(*arguments).decode().split("\n")
    assert lines.pop() == "", "the last line ends with a newline too"
    return lines, [json.loads(line) for line in lines]


def escaped_size(line, name):
    """Bytes of the JSON text of a string member that is written without blanks."""
    start = line.index(f'"{name}":"') + len(name) + 3
    end = start + 1
    while line[end] != '"':
        end += 2 if line[end] == "\\" else 1
    return len(line[start:end + 1].encode())


def tokens(value):
    """Brackets, colons, commas and the beginnings of strings and scalars."""
    if isinstance(value, dict):
        return 2 + sum(2 + tokens(v) for v in value.values()) + max(len(value) - 1, 0)
    if isinstance(value, list):
        return 2 + sum(tokens(v) for v in value) + max(len(value) - 1, 0)
    return 1


class Kinds(unittest.TestCase):
    def test_base(self):
        lines, values = lines_and_values("base")
        self.assertEqual(len(lines), 1024)
        for line, value in zip(lines, values):
            self.assertEqual(len(line) + 1, 32 * KIB + 8 * KIB + 133)
            self.assertEqual(escaped_size(line, "body"), 32 * KIB)
            self.assertEqual(len(value["tag"]) + QUOTES, 56)
            self.assertEqual(len(value["padding"]) + QUOTES, 8 * KIB)

    def test_mixed_holds_every_pair_once_in_sixteen(self):
        lines, values = lines_and_values("mixed")
        pairs = [(escaped_size(line, "body"), len(value["padding"]))
                 for line, value in zip(lines, values)]
        wanted = {(body * KIB, max(padding * KIB - QUOTES, 0))
                  for body in (1, 8, 32, 128) for padding in (0, 1, 4, 16)}
        for start in range(0, 1024, 16):
            self.assertEqual(set(pairs[start:start + 16]), wanted)
        self.assertGreater(len({tuple(pairs[s:s + 16]) for s in range(0, 1024, 16)}), 8)

    def test_metadata(self):
        lines, values = lines_and_values("metadata")
        self.assertEqual([len(line) + 1 for line in lines], [10281] * 512)
        for line, value in zip(lines, values):
            self.assertEqual(escaped_size(line, "body"), 512)
            self.assertEqual(next(iter(value["values"])), "first")
            self.assertTrue(941 <= len(value["values"]) <= 954)

    def test_log(self):
        lines, values = lines_and_values("log", "--records", 20000)
        mean = sum(len(line.encode()) + 1 for line in lines) / len(lines)
        self.assertAlmostEqual(mean, 394, delta=3)
        self.assertEqual({tokens(value) for value in values}, {73})
        self.assertEqual([value["event"] for value in values],
                         [2**53 + 1 + i for i in range(20000)])
        texts = [line[line.index('"text":'):line.index('"retried"')] for line in lines]
        odd = sum("\\" in text or not text.isascii() for text in texts)
        self.assertGreater(odd / len(lines), 0.5)
        self.assertTrue(any("\\u20ac" in text for text in texts))
        self.assertTrue(any("東京" in text for text in texts))

    def test_small(self):
        lines, values = lines_and_values("small", "--records", 20000)
        self.assertAlmostEqual(sum(map(len, lines)) / len(lines) + 1, 235, delta=2)
        self.assertGreater(collections.Counter(v["service"] for v in values)["intake"], 2500)


class Seeds(unittest.TestCase):
    def test_first_number_of_splitmix64(self):
        # The first outputs that are published with the algorithm for these seeds.
        for seed, number in ((0, "e220a8397b1dcdaf"), (1234567, "599ed017fb08fc85")):
            _, values = lines_and_values("small", "--records", 1, "--seed", seed)
            self.assertEqual(values[0]["trace"], number)

    def test_a_longer_file_begins_with_the_shorter(self):
        self.assertTrue(generate("mixed", "-n", 40).startswith(generate("mixed", "-n", 33)))

    def test_another_seed_is_another_file(self):
        self.assertNotEqual(generate("log", "-n", 9, "-s", 1), generate("log", "-n", 9, "-s", 2))


class Faults(unittest.TestCase):
    def status(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode

    def test_statuses(self):
        self.assertEqual(self.status("small", "-n", "1"), 0)
        for arguments in ([], ["nothing"], ["small", "-n", "0"], ["small", "-n", "-1"],
                          ["small", "-n", "many"], ["small", "-n", "9" * 30], ["small", "--odd"]):
            self.assertEqual(self.status(*arguments), 2, arguments)
        self.assertEqual(self.status("small", "-n", "1", "-o", "/nowhere/at/all"), 2)
        self.assertEqual(self.status("small", "-n", "99999", "-o", "/dev/full"), 1)


if __name__ == "__main__":
    unittest.main()
