#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""smsim explain knows every word that a report or a JSON document shows.

usage: check_explain.py SMSIM ROOT     collects the words from outputs on loops of traces/, from the
                                       tables in the sources, and from docs/*.schema.json
"""

import json
import re
import subprocess
import sys
from pathlib import Path

LOOPS = ["traces/hopper/stencil3.sass", "traces/lessons/dual_kepler.sass", "traces/turing/saxpy.sass"]
TABLES = ["sim/block/resources.cpp", "sim/analysis/bounds.cpp", "sim/analysis/variants.cpp"]
# A name in a table of bounds or variants: {"one_warp", "all that ...
NAMED = re.compile(r'\{"([a-z][a-z_/]*)"(?: \+ \w+)?,')
LABEL = re.compile(r'entry\([^"\n]*"([A-Z][\w ]+)"')
HEADER = re.compile(r'Table table\(\{([^}]*)\}')


def output(smsim, *words):
    done = subprocess.run([smsim, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), f"{words}: {done.stderr}"
    return done.stdout


def words_of_json(value):
    """Keys everywhere, and values that name something."""
    if isinstance(value, list):
        for one in value:
            yield from words_of_json(one)
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            if key in ("rule", "status", "kind", "level") or (key == "name" and ({"cycles", "busy"} & value.keys() or "what" in value)):
                yield str(one)
            yield from words_of_json(one)


def words_of_loops(smsim, root):
    for path in LOOPS:
        arch = ["--arch", "kepler-k20m"] if "kepler" in path else []
        for command in ("predict", "bounds", "whatif", "graph", "lint"):
            yield from words_of_json(json.loads(output(smsim, command, root / path, *arch, "--format", "json")))
    yield from words_of_json(json.loads(output(smsim, "occupancy", root / LOOPS[0], "--warps", "4", "--format", "json")))
    yield from words_of_json(json.loads(output(smsim, "loops", root / LOOPS[0], "--format", "json")))
    header = output(smsim, "predict", root / LOOPS[0], "--format", "csv").splitlines()[0]
    yield from header.split(",")


def words_of_archs(smsim):
    for arch in json.loads(output(smsim, "archs", "--format", "json"))["archs"]:
        for parameter in json.loads(output(smsim, "archs", arch["name"], "--format", "json"))["parameters"]:
            yield parameter["key"]
            yield parameter["status"]
            if parameter["key"].startswith(("pipes.", "classes.")):
                yield parameter["key"].split(".")[1]


def words_of_schema(value):
    if isinstance(value, list):
        for one in value:
            yield from words_of_schema(one)
    if isinstance(value, dict):
        if isinstance(value.get("properties"), dict):
            yield from value["properties"]
        for one in value.values():
            yield from words_of_schema(one)


def words_of_sources(root):
    for name in TABLES:
        yield from NAMED.findall((root / name).read_text())
    for file in root.glob("sim/report/*.cpp"):
        text = file.read_text()
        yield from LABEL.findall(text)
        for header in HEADER.findall(text):
            yield from (word for word in re.findall(r'"([^"]+)"', header) if word.strip(", "))
    for file in root.glob("docs/*.schema.json"):
        if file.name != "arch.schema.json":
            yield from words_of_schema(json.loads(file.read_text()))


def is_known(word, known):
    """As smsim explain looks words up: what is behind a slash, and entries of pipes and classes, may be anything."""
    word = word.lower().replace(" ", "_").replace("-", "_")
    word = re.sub(r"^(pipes|classes)\.[^.]+\.", r"\1.name.", word)
    return word in known or word.split("/")[0] + "/" in known and "/" in word


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    smsim, root = arguments[0], Path(arguments[1])
    words = {*words_of_loops(smsim, root), *words_of_archs(smsim), *words_of_sources(root)}
    assert {"no_stall_counts", "load_return", "critical_cycles", "cycles_per_iteration"} <= words, sorted(words)
    known = set(output(smsim, "explain", "--words").splitlines())
    unknown = [word for word in sorted(words) if not is_known(word, known)]
    assert not is_known("no_such_word", known)
    for word in ("pipe/alu", "classes.ffma.pipe", "early-read", "Cycles per iteration"):  # --words tells the truth
        assert word in unknown or output(smsim, "explain", word)
    for word in unknown:
        print(f"smsim explain knows nothing of '{word}'")
    print(f"{len(words)} words")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
