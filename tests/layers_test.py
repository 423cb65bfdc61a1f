#!/usr/bin/env python3
"""A layer includes itself and the layers that its line in src/CMakeLists.txt names, no others.

usage: layers_test.py SOURCE_ROOT

The linker finds most wrong includes, but not those of a header that is all inline."""
import pathlib
import re
import sys
import tempfile
import unittest

LAYER = re.compile(r"sluice_layer\(\s*(\w+)([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def read_table(cmake_text):
    """{layer: the set of layers it may include}"""
    without_comments = re.sub(r"#.*", "", cmake_text)
    table = {}
    for name, rest in LAYER.findall(without_comments):
        table[name] = {name, *(word for word in rest.split() if word != "USES")}
    return table


def wrong_includes(src):
    """One line for each include, folder or table entry under `src` that the table forbids."""
    table = read_table((src / "CMakeLists.txt").read_text())
    faults = [f"{name}: uses {used}, which is no layer"
              for name, allowed in table.items() for used in sorted(allowed - table.keys())]
    for path in sorted([*src.glob("*/**/*.h"), *src.glob("*/**/*.cpp"), *src.glob("*/**/*.def")]):
        layer = path.relative_to(src).parts[0]
        if layer not in table:
            faults.append(f"{path}: {layer} is not in the table of layers")
            continue
        for included in INCLUDE.findall(path.read_text()):
            other = included.split("/")[0]
            if (src / other).is_dir() and "/" in included and other not in table[layer]:
                faults.append(f"{path}: {layer} may not include {included}")
    return faults


class TheTree(unittest.TestCase):
    src = pathlib.Path()

    def test_no_layer_includes_what_it_may_not(self):
        self.assertEqual(wrong_includes(self.src), [])

    def test_the_table_was_read(self):
        table = read_table((self.src / "CMakeLists.txt").read_text())
        self.assertEqual(table["base"], {"base"})
        self.assertIn("kernel", table["json"])


class TheCheckItself(unittest.TestCase):
    """A tree with planted faults, so that a check that finds nothing is noticed."""

    def faults_of(self, files):
        with tempfile.TemporaryDirectory() as folder:
            src = pathlib.Path(folder)
            for name, text in files.items():
                (src / name).parent.mkdir(parents=True, exist_ok=True)
                (src / name).write_text(text)
            return [fault.replace(folder + "/", "") for fault in wrong_includes(src)]

    TABLE = "sluice_layer(low)\n# sluice_layer(low USES high)\nsluice_layer(high\n  USES low)\n"

    def test_downwards_is_fine(self):
        self.assertEqual(self.faults_of({
            "CMakeLists.txt": self.TABLE,
            "low/a.h": "#include <vector>\n#include \"low/b.h\"\n",
            "low/b.h": "",
            "high/c.cpp": '#include "low/a.h"\n#include "high/c.h"\n',
        }), [])

    def test_upwards_is_refused(self):
        self.assertEqual(self.faults_of({
            "CMakeLists.txt": self.TABLE,
            "low/a_test.cpp": '  #  include "high/c.h"\n',
            "high/c.h": "",
        }), ["low/a_test.cpp: low may not include high/c.h"])

    def test_a_layer_missing_from_the_table_is_refused(self):
        self.assertEqual(self.faults_of({
            "CMakeLists.txt": self.TABLE,
            "extra/d.h": "",
        }), ["extra/d.h: extra is not in the table of layers"])

    def test_an_unknown_name_in_the_table_is_refused(self):
        self.assertEqual(self.faults_of({
            "CMakeLists.txt": "sluice_layer(low USES hgih)",
        }), ["low: uses hgih, which is no layer"])


if __name__ == "__main__":
    TheTree.src = pathlib.Path(sys.argv.pop()) / "src"
    unittest.main()
