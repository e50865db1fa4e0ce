#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every figure in the documentation's prose has a source; prints each that has none as file:line: error: message.

usage: figures.py ROOT SMSIM

A figure is a number with a unit (cycles, %, times, MiB, ...). It stands in an output on the same page, which
docs/regenerate makes, or in figures.yaml beside this file. There, by page, a list of

  figures: [numbers as the page writes them]     or     lines: a pattern of whole lines
  is: who measured or published it, or what it defines
  command: words for smsim, and shows: what it must print, if smsim says so
  equals: arithmetic, if it follows from others

An entry that nothing on its page needs is an error, too. docs/model.md and docs/open-questions.md cite a suite or a paper with
each figure, and docs/accuracy.md and docs/configs.md are made by smsim; they are not looked at.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

APART = ("model.md", "open-questions.md", "accuracy.md", "configs.md")
UNITS = r"%|(?:[\w-]+ )?cycles?\b|times\b|seconds?\b|ms\b|[KMG]i?B\b|GFLOPS\b|points\b|slots\b|tests\b|a second\b"
FIGURE = re.compile(rf"(?<![\w.])(\d[\d,.]*\d|\d)(?= ?(?:{UNITS}))")
MADE = re.compile(r"<!-- made by: .*?-->\n(.*?)<!-- end -->", re.DOTALL)


def pages(root):
    found = [root / "README.md", root / "CONTRIBUTING.md", *root.glob("docs/**/*.md"), *root.glob("traces/**/*.md")]
    return sorted(page for page in found if page.name not in APART)


def figures(text):
    """(line number, line, figure) of the prose that is not in an output on the page."""
    outputs = "".join(match[1] for match in MADE.finditer(text))
    prose = MADE.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(prose.split("\n"), 1):
        for match in FIGURE.finditer(line):
            if not re.search(rf"(?<![\d.]){re.escape(match[1])}(?![\d.])", outputs):
                yield number, line, match[1]


def wrong(entry, root, smsim):
    """What is wrong with an entry's own source; nothing if it holds."""
    if "command" in entry:
        done = subprocess.run([smsim, *shlex.split(entry["command"])], cwd=root, capture_output=True, text=True, check=False)
        if entry["shows"] not in done.stdout:
            return f"smsim {entry['command']} does not print '{entry['shows']}'"
        if not any(figure in entry["shows"] for figure in entry["figures"]):
            return f"'{entry['shows']}' has none of the figures"
    elif "equals" in entry:
        figure = entry["figures"][0]
        places = len(figure.partition(".")[2])
        value = f"{eval(entry['equals'], {'__builtins__': {}}):.{places}f}"  # our own file
        if value != figure:
            return f"{entry['equals']} is {value}, not {figure}"
    elif not entry.get("is"):
        return "an entry without a source"
    return ""


def breaches(root, smsim, known):
    for page in pages(root):
        name = str(page.relative_to(root))
        entries = known.pop(name, [])
        used = set()
        for number, line, figure in figures(page.read_text(encoding="utf-8")):
            fits = [i for i, one in enumerate(entries)
                    if figure in one.get("figures", []) or "lines" in one and re.search(one["lines"], line)]
            used.update(fits)
            if not fits:
                yield f"{name}:{number}: error: {figure} is in no output on the page and in no entry of figures.yaml"
        for i, entry in enumerate(entries):
            if i not in used:
                yield f"{name}: error: nothing needs the entry {entry}"
            elif fault := wrong(entry, root, smsim):
                yield f"{name}: error: {fault}"
    for name in known:
        yield f"{name}: error: there is no such page"


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    known = yaml.safe_load((Path(__file__).parent / "figures.yaml").read_text(encoding="utf-8"))
    found = list(breaches(Path(arguments[0]).resolve(), str(Path(arguments[1]).resolve()), known))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
