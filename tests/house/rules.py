#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules that the sources hold themselves to; prints each breach as file:line: error: message.

usage: rules.py RULE ROOT     with RULE one of the names in RULES below; exit code 1 if it is broken
"""

import re
import subprocess
import sys
from pathlib import Path

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_PUBLIC_HEADERS = 12

# A folder may include itself and every folder of a smaller rank; folders of one rank are strangers.
RANK = {
    "core": 0,
    "isa": 1,
    "decode": 2, "config": 2, "program": 2,
    "scoreboard": 3,
    "operand": 4,
    "execute": 5,
    "issue": 6,
    "block": 7,
    "analysis": 8, "record": 8, "validate": 8,
    "optimize": 9,
    "report": 10,
    "accuracy": 11, "view": 11,
    "cli": 12, "python": 12,
}

# Third-party headers that may stand in a public one.
PUBLIC_PACKAGES = ("tl/expected.hpp",)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def sources(root, *folders):
    """Every C++ file of these folders, in a fixed order."""
    return sorted(path for folder in folders for path in (root / folder).rglob("*")
                  if path.suffix in (".cpp", ".hpp"))


def includes(path):
    """(line number, whether in quotes, name) of each #include of a file."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1] == '"', match[2]


def include_breach(folder, name):
    """Why a file of sim/FOLDER may not include "NAME"; empty if it may."""
    target = name.split("/")[0]
    if "/" not in name or target.startswith("."):
        return f'name the folder: "{folder}/..." instead of "{name}"'
    if name == "smsim/report.hpp" and RANK[folder] < RANK["report"]:
        return f"{folder} lies below report and may not include {name}"
    if target == "smsim" or target == folder:
        return ""
    if target not in RANK:
        return f'"{name}" is not in a folder of sim/; packages are included with <>'
    if RANK[target] >= RANK[folder]:
        return f"{folder} may not include {name}: dependencies run the other way"
    return ""


def include_order(root):
    """Includes under sim/ go down the order of dependencies."""
    sim = root / "sim"
    for path in sources(root, "sim"):
        folder = path.relative_to(sim).parts[0]
        if folder == "include":
            continue
        if folder not in RANK:
            yield path, 1, f"sim/{folder} has no place in the order of dependencies"
            continue
        for number, quoted, name in includes(path):
            breach = include_breach(folder, name) if quoted else ""
            if breach:
                yield path, number, breach


def public_headers(root):
    """Public headers are few and show nothing but the standard library, each other and expected."""
    headers = sources(root, "sim/include")
    if len(headers) > MAX_PUBLIC_HEADERS:
        yield headers[-1], 1, f"{len(headers)} public headers; at most {MAX_PUBLIC_HEADERS}"
    for path in headers:
        for number, _, name in includes(path):
            standard = "/" not in name and "." not in name
            if not (standard or name.startswith("smsim/") or name in PUBLIC_PACKAGES):
                yield path, number, f"a public header may not include {name}"


def file_length(root):
    """No file is longer than the limit."""
    for path in sources(root, "sim", "tests", "bench"):
        lines = len(path.read_text().splitlines())
        if lines > MAX_FILE_LINES:
            yield path, lines, f"{lines} lines; at most {MAX_FILE_LINES}"


def function_length(root):
    """No function is longer than the limit (as universal-ctags sees it)."""
    paths = sources(root, "sim", "tests", "bench")
    if not paths:
        return
    tags = subprocess.run(
        ["ctags", "-f", "-", "--excmd=number", "--fields=ne", "--kinds-C++=f", "--language-force=C++",
         "-L", "-"], input="\n".join(map(str, paths)), capture_output=True, text=True, check=True)
    for line in tags.stdout.splitlines():
        name, path, *fields = line.split("\t")
        extent = dict(field.split(":", 1) for field in fields if ":" in field)
        if "line" in extent and "end" in extent:
            length = int(extent["end"]) - int(extent["line"]) + 1
            if length > MAX_FUNCTION_LINES:
                yield (Path(path), int(extent["line"]),
                       f"{name} has {length} lines; at most {MAX_FUNCTION_LINES}")


def opening(root):
    """Each file opens with its licence and a sentence on what it is."""
    for path in sources(root, "sim", "bench"):
        lines = path.read_text().splitlines() + ["", ""]
        if lines[0] != "// SPDX-License-Identifier: MIT":
            yield path, 1, "the first line must be // SPDX-License-Identifier: MIT"
            continue
        comment = []
        for line in lines[1:]:
            if not line.startswith("//"):
                break
            comment.append(line.lstrip("/ "))
        if not re.match(r"\S.{10,}[.:;!?)]", " ".join(comment)):
            yield path, 2, "after the licence, one sentence must say what this file is"


RULES = {rule.__name__: rule
         for rule in (include_order, public_headers, file_length, function_length, opening)}


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in RULES:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[1]).resolve()
    breaches = list(RULES[arguments[0]](root))
    for path, line, message in breaches:
        print(f"{path.relative_to(root)}:{line}: error: {message}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
