#!/usr/bin/env python3
"""Every snippet of docs/json/guide.md is compiled and run, and prints what the page says.

usage: guide_test.py SOURCE_ROOT INCLUDE_FOLDER LIBRARY COMPILER

A cpp block is taken apart at its blank lines: what begins like a declaration stays outside of a
function, the rest becomes the body of one. A text block is what the snippet before it prints."""
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DECLARATION = re.compile(r"(struct|enum|template|namespace|#include)\b")
SPECIALISATION = re.compile(r"^template <>.*?^};\n", re.MULTILINE | re.DOTALL)
HEADERS = """
#include <sluice/json.h>
#include <array>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>
"""


def pairs_of(page):
    """[(snippet, what it prints)]; a cpp block without a text block behind it must only compile."""
    pairs = []
    for language, body in BLOCK.findall(page):
        if language == "cpp":
            pairs.append([body, None])
        elif language == "text":
            pairs[-1][1] = body
    return pairs


def chunks_of(snippet):
    """(declarations, statements)"""
    outside, inside, open_declaration = [], [], False
    for chunk in snippet.split("\n\n"):
        declaration = open_declaration or DECLARATION.match(chunk)
        (outside if declaration else inside).append(chunk)
        open_declaration = declaration and chunk.count("{") != chunk.count("}")
    return "\n\n".join(outside), "\n".join(inside)


def program_of(pairs):
    parts = [HEADERS, "namespace json = sluice::json;\n"]
    for number, (snippet, printed) in enumerate(pairs):
        declarations, statements = chunks_of(snippet)
        if "#include" in declarations:
            continue  # what all have in common
        # A specialisation names types of the snippet, which are in the snippet's namespace.
        for special in SPECIALISATION.findall(declarations + "\n"):
            argument = re.search(r"(?:Names|Conversion)<(\w+)>", special)[1]
            kept, rest = declarations.split(special.rstrip("\n"), 1)
            parts.append(f"namespace snippet_{number} {{\nusing sluice::error_name;\n{kept}\n}}\n")
            parts.append(f"using snippet_{number}::{argument};\n{special}\n")
            declarations = rest
        parts.append(f"namespace snippet_{number} {{\nusing sluice::error_name;\n{declarations}\n"
                     f"void run() {{\n{statements}\n}}\n}}\n")
    parts.append("int main() {\n")
    parts += [f'snippet_{number}::run(); std::cout << "----\\n";\n'
              for number, (snippet, printed) in enumerate(pairs) if printed is not None]
    return "".join(parts) + "}\n"


def main():
    root, include, library, compiler = sys.argv[1:5]
    pairs = pairs_of(pathlib.Path(root, "docs/json/guide.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "guide.cpp"), pathlib.Path(folder, "guide")
        source.write_text(program_of(pairs), encoding="utf-8")
        built = subprocess.run([compiler, "-std=c++23", "-Wall", "-Wextra", f"-I{include}",
                                source, library, "-o", program], text=True, capture_output=True)
        if built.returncode != 0 or built.stderr:
            print(built.stderr[:6000])
            return 1
        printed = subprocess.run([program], check=True, text=True, capture_output=True).stdout
    wanted = [text for _, text in pairs if text is not None]
    got = printed.split("----\n")[:-1]
    for text, found in zip(wanted, got):
        if text != found:
            print(f"the page says\n{text}\nbut it is\n{found}")
    print(f"{len(wanted)} snippets")
    return 0 if wanted == got and len(wanted) > 10 else 1


if __name__ == "__main__":
    sys.exit(main())
