#!/usr/bin/env python3
"""The libraries as others get them: installed, found by CMake and by pkg-config, or built inside
another project. Each builds an example with nothing else, and the example does what it says.

usage: product_test.py SOURCE_ROOT BUILD_ROOT"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

TIMELINE = """{"statuses": [
  {"id": 1, "text": "gr\\u00fc\\u00df", "user": {"screen_name": "ada", "followers_count": 7}, "lang": "de"},
  {"id": 2, "text": "so", "user": {"followers_count": 8, "screen_name": "bob"}}
]}
"""
MISSPELT = TIMELINE.replace('"screen_name": "bob"', '"scren_name": "bob"')
NESTED_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(nested LANGUAGES CXX)
add_subdirectory({source} sluice)
add_executable(timeline {source}/examples/json/timeline.cpp)
target_link_libraries(timeline PRIVATE sluice::json)
"""


def run(*command):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def post(url, body):
    """(status, answer) of a record for the service."""
    request = urllib.request.Request(f"{url}/inputs/score", body.encode(),
                                     {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


class Product(unittest.TestCase):
    source = build = pathlib.Path()

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", cls.build, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def check_example(self, program):
        good, bad = self.folder / "good.json", self.folder / "bad.json"
        good.write_text(TIMELINE)
        bad.write_text(MISSPELT)
        done = subprocess.run([program, good], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ada: grüß\nbob: so\n", ""))
        done = subprocess.run([program, bad], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        column = MISSPELT.splitlines()[2].index("}}") + 1
        for part in (f"{bad}:3:{column}:", "json_missing", "/statuses/1/user", "screen_name"):
            self.assertIn(part, done.stderr)

    def configure_and_build(self, source, *options, target="timeline"):
        build = self.folder / f"build-{source.name}"
        run("cmake", "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", *options)
        run("cmake", "--build", build, "--target", target)
        return build / target

    def test_find_package(self):
        self.check_example(self.configure_and_build(
            self.source / "examples/json", f"-DCMAKE_PREFIX_PATH={self.prefix}"))

    def test_pkg_config(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        found = next(self.prefix.glob("**/sluice.pc"))
        moved = self.folder / "moved"
        shutil.copytree(self.prefix, moved)
        words = run("env", f"PKG_CONFIG_PATH={moved / found.parent.relative_to(self.prefix)}",
                    "pkg-config", "--cflags", "--libs", "sluice").split()
        program = self.folder / "timeline"
        run("g++", "-std=c++23", "-Wall", "-Wextra", "-Werror",
            self.source / "examples/json/timeline.cpp", *words, "-o", program)
        self.check_example(program)

    def test_inside_another_project(self):
        outer = self.folder / "outer"
        outer.mkdir()
        (outer / "CMakeLists.txt").write_text(NESTED_PROJECT.format(source=self.source))
        self.check_example(self.configure_and_build(outer))

    def test_a_service(self):
        """Its lines are few, and it answers what the structs and the function say."""
        folder = self.source / "examples/service"
        self.assertLessEqual(len((folder / "scores.cpp").read_text().splitlines()), 40)
        program = self.configure_and_build(folder, f"-DCMAKE_PREFIX_PATH={self.prefix}", target="scores")
        service = subprocess.Popen([program, "127.0.0.1:0"], text=True, stderr=subprocess.PIPE)
        self.addCleanup(service.stderr.close)
        self.addCleanup(service.wait)
        self.addCleanup(service.terminate)
        url = service.stderr.readline().split()[-1]
        self.assertEqual(post(url, '{"player":"ada","points":3}'),
                         (200, {"player": "ada", "best": 3, "is_new": True}))
        self.assertEqual(post(url, '{"points":2,"player":"\\u0061da","note":null}'),
                         (200, {"player": "ada", "best": 3, "is_new": False}))
        status, problem = post(url, '{"player":"","points":1}')
        self.assertEqual((status, problem["errors"][0]["pointer"]), (422, "/player"))
        status, problem = post(url, '{"player":"ada","points":-1,"pionts":1}')
        self.assertEqual((status, problem["code"]), (422, "json_range"))
        self.assertEqual([(each["code"], each["pointer"], each["offset"]) for each in problem["errors"]],
                         [("json_range", "/points", 25), ("json_field", "/pionts", 28)])

    def test_headers_stand_alone(self):
        """Those that json.h names; the others come in by these."""
        folder = self.prefix / "include/sluice"
        named = re.findall(r'#include "sluice/(.*)"', (folder / "json.h").read_text())
        self.assertGreater(len(named), 10)
        for header in named:
            with self.subTest(header=header):
                run("g++", "-std=c++23", "-fsyntax-only", "-x", "c++", f"-I{self.prefix}/include",
                    folder / header)


if __name__ == "__main__":
    Product.source, Product.build = map(pathlib.Path, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
