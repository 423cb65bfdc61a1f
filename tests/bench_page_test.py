#!/usr/bin/env python3
"""The page of the benchmarks, made of made-up rows whose ratios are known.

usage: bench_page_test.py SOURCE_ROOT"""
import json
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "bench"))
import page  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
HEADS = "row,system,round,seconds,bytes,void\n"
# One MB in 1, 2, 1 ms against 4, 4, 3 ms: ratios 4, 2, 3. The faster build of `other` counts, and
# the void one, which would be the fastest, does not.
ROWS = HEADS + "".join(
    f"check/twitter,{system},{index},{seconds},1000000,{void}\n"
    for system, times, void in (("sluice", (0.001, 0.002, 0.001), ""),
                                ("other 1.0 (g++)", (0.004, 0.004, 0.003), ""),
                                ("other 1.0 (clang++-19)", (0.008, 0.008, 0.009), ""),
                                ("liar 2.0 (g++)", (0.0001, 0.0001, 0.0001), "wrong answer"))
    for index, seconds in enumerate(times))
MACHINE = {"processor": "Abacus <9>", "system": "Linux 1", "compilers": "g++ 12", "rounds": 3}


class PageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "results").mkdir()
        (self.root / "results/machine.json").write_text(json.dumps(MACHINE))
        (self.root / "results/text.csv").write_text(ROWS)
        page.make(self.root / "results", self.root / "docs")
        self.page = (self.root / "docs/benchmarks.md").read_text()

    def test_ratios(self):
        self.assertIn("| **sluice** | 1,000 | 3.00 | 2.00-4.00 |", self.page)
        self.assertIn("| other 1.0 | 250 | 1.00 | 1.00-1.00 |", self.page)
        self.assertIn("| liar 2.0 (g++) | void | wrong answer | |", self.page)
        self.assertIn("Abacus <9>", self.page)

    def test_no_section_without_rows(self):
        self.assertIn("## Checking only", self.page)
        self.assertNotIn("## Writing documents", self.page)

    def test_plot(self):
        self.assertIn("(benchmarks/check.svg)", self.page)
        picture = xml.etree.ElementTree.parse(self.root / "docs/benchmarks/check.svg").getroot()
        bars = picture.findall(f"{SVG}rect")
        self.assertEqual([bar.get("class") for bar in bars], ["own", "other"])
        widths = [float(bar.get("width")) for bar in bars]
        self.assertAlmostEqual(widths[0] / widths[1], 4, places=1)
        whiskers = picture.findall(f"{SVG}line")
        for bar, whisker in zip(bars, whiskers):
            end = float(bar.get("x")) + float(bar.get("width"))
            self.assertLessEqual(float(whisker.get("x1")), end)
            self.assertGreaterEqual(float(whisker.get("x2")), end)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
