#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documentation refers to exists; prints each breach as file:line: error: message.

usage: references.py ROOT SMSIM    links to files and headings, files named in `code`, keys of configs
"""

import json
import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"(?:sim|tests|configs|docs|traces|bench|cmake)/[\w./-]*$")
KEY = re.compile(r"(?:scheduler|register_file|reuse_cache|memory|instruction_cache)\.\w+$")
ARCH = "hopper-gh100"


def pages(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("docs/lessons/*.md"), *root.glob("traces/**/*.md")])


def lines(page):
    """(number, line) outside of fenced code."""
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(page):
    """The fragments of a page's headings."""
    for _, line in lines(page):
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower())
            yield title.replace(" ", "-")


def link_breach(page, target):
    if re.match(r"[a-z]+:", target):
        return ""
    name, _, fragment = target.partition("#")
    file = (page.parent / name).resolve() if name else page
    if not file.exists():
        return f"{target} does not exist"
    if fragment and fragment not in anchors(file):
        return f"{name or page.name} has no heading #{fragment}"
    return ""


def config_keys(smsim):
    output = subprocess.run([smsim, "archs", ARCH, "--format", "json"], check=True,
                            capture_output=True, text=True).stdout
    return {parameter["key"] for parameter in json.loads(output)["parameters"]}


def breaches(root, smsim):
    keys = config_keys(smsim)
    for page in pages(root):
        for number, line in lines(page):
            for target in LINK.findall(line):
                yield page, number, link_breach(page, target)
            for code in CODE.findall(line):
                if FILE.match(code) and not (root / code).exists():
                    yield page, number, f"{code} does not exist"
                if KEY.match(code) and code not in keys:
                    yield page, number, f"{ARCH} has no key {code}"


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]).resolve()
    found = [breach for breach in breaches(root, arguments[1]) if breach[2]]
    for page, number, message in found:
        print(f"{page.relative_to(root)}:{number}: error: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
