#!/usr/bin/env python3
"""docs/json/reference.md has every public name of the headers that <sluice/json.h> exports, and no
other.

usage: reference_test.py SOURCE_ROOT

Types and functions are found by their indentation, which clang-format sees to."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
SECTION = re.compile(r"^## (.*)\n", re.MULTILINE)
HIDDEN = re.compile(r"^namespace (?:detail|reflection) \{.*?^\}  // namespace", re.M | re.S)
TYPE = re.compile(r"^ {0,2}(?:enum class|class|struct|concept) (?:\[\[nodiscard\]\] )?(\w+)"
                  r"(?=.*[{:=])")
CONSTANT = re.compile(r"^ {0,2}(?:static|inline) constexpr [^()=]*\b(k[A-Z]\w*)")
FUNCTION = re.compile(r"^(?:  )?(?! |return|if|for|using|friend|static_assert|requires|SLUICE_)"
                      r"(?:[\w:<>,&*\[\] ]+?[ &*])(\w+)\([^;{]*")
SCOPE = re.compile(r"^(?:class|struct) ")


def public_lines(text):
    """What is at namespace level or in a public part of a class; bodies are left out."""
    public, inside_class = True, False
    for line in HIDDEN.sub("", text).splitlines():
        if SCOPE.match(line):
            public, inside_class = line.startswith("struct"), line.endswith("{")
        elif not inside_class and line.endswith((") {", ") const {")):  # a body follows
            yield line
            public = False
        elif line.startswith(" public:"):
            public = True
        elif line.startswith((" private:", " protected:")):
            public = False
        elif line.startswith("}"):
            public, inside_class = True, False
        if not line.startswith("   ") and (public or SCOPE.match(line)):
            yield line


def public_names(text):
    names = set()
    for line in public_lines(text):
        if line.lstrip().startswith(("//", "#")):
            continue
        found = TYPE.match(line) or CONSTANT.match(line) or FUNCTION.match(line)
        if found and not found[1].startswith("operator") and "= delete" not in line:
            names.add(found[1])
    return names - {"State"}


def sections(page):
    """{header: text}; a heading may name several headers."""
    parts = SECTION.split(page)[1:]
    return {header: text for heading, text in zip(parts[::2], parts[1::2])
            for header in re.findall(r"`([^`]+\.h)`", heading)}


def words_of(text):
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", text))))


def faults(root):
    documented = sections((root / "docs/json/reference.md").read_text(encoding="utf-8"))
    exported = INCLUDE.findall((root / "src/json.h").read_text(encoding="utf-8"))
    yield from (f"{header}: no section" for header in exported if header not in documented)
    everywhere = set()
    for header, section in documented.items():
        text = (root / "src" / header).read_text(encoding="utf-8")
        everywhere |= set(re.findall(r"\w+", text))
        yield from (f"{header}: {name} is missing"
                    for name in sorted(public_names(text) - words_of(section)))
    for header, section in documented.items():
        for name in re.findall(r"(?:class|struct|concept) (\w+)|\b(\w+)\(", section):
            name = name[0] or name[1]
            if name not in everywhere and not name.startswith("SLUICE_"):
                yield f"{header}: {name} is in no header"


def main():
    root = pathlib.Path(sys.argv[1])
    sample = ("class A {\n public:\n  Result<int> good(int x) const;\n  int g() { return 1; }\n"
              " private:\n  void bad();\n};\nnamespace detail {\nvoid hidden();\n}  // namespace detail\n"
              "inline bool free(char* out);\nenum class E { a };\n")
    assert public_names(sample) == {"A", "good", "g", "free", "E"}, public_names(sample)
    found = list(faults(root))
    if found:
        sys.exit("docs/json/reference.md:\n  " + "\n  ".join(found))
    documented = sections((root / "docs/json/reference.md").read_text(encoding="utf-8"))
    print(f"{len(documented)} headers, all of their names")


if __name__ == "__main__":
    main()
