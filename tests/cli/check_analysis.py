#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the JSON of the analyses against their schemas, and what they say against each other.

usage: check_analysis.py SMSIM DOCS FILE...     each FILE at 1 and 8 warps, each of its functions
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema

SAMPLE = int(os.environ.get("SMSIM_SAMPLE", "1"))  # each so many-th function (tests/support/sample.hpp)
SVG = "{http://www.w3.org/2000/svg}"
COMMANDS = ("graph", "bounds", "whatif")


def smsim(program, *words):
    done = subprocess.run([program, *words, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def bounds_faults(document):
    most = document["cycles_per_iteration"] + 0.5  # the rounding of a mean
    for bound in document["bounds"]:
        if bound["cycles"] > most:
            yield f"{bound['name']} says {bound['cycles']}, the simulation {document['cycles_per_iteration']}"
    if any(len(row["cycles"]) != len(document["resources"]) for row in document["use"]):
        yield "a row of `use` is not as wide as `resources`"


def graph_faults(document):
    edges, nodes = document["edges"], len(document["nodes"])
    if any(edge["from"] >= nodes or edge["to"] >= nodes for edge in edges):
        yield "an edge leaves the graph"
    critical = [edge for edge in edges if edge["critical"]]
    if sum(edge["cycles"] for edge in critical) != document["critical_cycles"]:
        yield "the critical edges do not add up to critical_cycles"
    if document["is_loop"] and sum(edge["distance"] for edge in critical) != document["critical_iterations"]:
        yield "the critical edges do not span critical_iterations"


def whatif_faults(document):
    def total(slots):
        return sum(n for reason, n in slots.items() if reason != "misc/no_warp")

    blocks = document["processing_blocks"]
    for variant in document["variants"]:
        if "error" in variant:
            yield f"{variant['name']}: {variant['error']}"
            continue
        if len(variant["lost"]) != len(document["instructions"]):
            yield f"{variant['name']}: `lost` is not as long as the loop"
        cycles = variant["cycles"] * variant["warps"] / document["warps"]
        if document["is_loop"] and document["warps"] % blocks == 0 and abs(total(variant["slots"]) / cycles - 1) > 0.05:
            yield f"{variant['name']}: {total(variant['slots'])} slots in {cycles} cycles"


FAULTS = {"graph": graph_faults, "bounds": bounds_faults, "whatif": whatif_faults}


def picture_faults(program, words, document):
    """Each dependence of the picture has an arrowhead, and its cycles as a number."""
    done = subprocess.run([program, *words, "--format", "svg"], capture_output=True, text=True, check=True)
    root = ElementTree.fromstring(done.stdout)
    arcs = [one for one in root.iter(SVG + "path") if "marker-end" in one.attrib]
    numbers = sorted(one.text for one in root.iter(SVG + "text") if "cycles" in one.get("class", ""))
    if len(arcs) != len(document["edges"]):
        yield f"{len(arcs)} arrows for {len(document['edges'])} dependences"
    if numbers != sorted(str(edge["cycles"]) for edge in document["edges"]):
        yield f"the numbers in the picture are {numbers}"
    heads = {one.get("id") for one in root.iter(SVG + "marker")}
    if {one.get("marker-end") for one in arcs} - {f"url(#{head})" for head in heads}:
        yield "an arrow has a head that is not there"


def check(validator, command, name, document):
    faults = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    faults += FAULTS[command](document)
    for fault in faults:
        print(f"{command} {name}: {fault}")
    return len(faults)


def validators(docs):
    for command in COMMANDS:
        schema = json.loads((Path(docs) / f"{command}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        yield command, jsonschema.Draft202012Validator(schema)


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    program, docs, *files = arguments
    schemas = dict(validators(docs))
    checked = faults = 0
    functions = [(file, function["name"]) for file in files for function in smsim(program, "loops", file)["functions"]]
    for file, name in functions[::SAMPLE]:
        for command, validator in schemas.items():
            for warps in ("1", "8"):
                words = [command, file, "--function", name, "--warps", warps]
                document = smsim(program, *words)
                faults += check(validator, command, " ".join(words[1:]), document)
                checked += 1
                if command == "graph" and warps == "1":
                    for fault in picture_faults(program, words, document):
                        print(f"picture of {file} {name}: {fault}")
                        faults += 1
    print(f"{checked} documents, {faults} faults")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
