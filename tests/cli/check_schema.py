#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the JSON of `smsim predict` against docs/predict.schema.json, and its sums against each other.

usage: check_schema.py SMSIM SCHEMA FILE...     each FILE at 1, 4 and 16 warps, each of its functions
"""

import json
import os
import subprocess
import sys

import jsonschema

SAMPLE = int(os.environ.get("SMSIM_SAMPLE", "1"))  # each so many-th function (tests/support/sample.hpp)


def smsim(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def sum_faults(document):
    """Sums that a schema cannot express."""
    window = document["window"]
    slots = sum(document["slots"].values())
    if slots != window["cycles"] * document["processing_blocks"]:
        yield f"slots add up to {slots}, not to cycles x processing_blocks"
    of_rows = sum(row["slots"]["selected"] for row in document["instructions"])
    if of_rows != document["slots"]["selected"]:
        yield f"instructions were issued {of_rows} times, but {document['slots']['selected']} slots selected"
    steady = document["steady_state"]
    if steady["periodic"]:
        exact = steady["period_cycles"] / steady["period_iterations"]
        if abs(exact - document["cycles_per_iteration"]) > 1e-9:
            yield f"the period says {exact} cycles, the document {document['cycles_per_iteration']}"


def check(validator, name, document):
    faults = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    faults += sum_faults(document)
    for fault in faults:
        print(f"{name}: {fault}")
    return len(faults)


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    program, schema_path, *files = arguments
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    checked = faults = 0
    functions = [(file, function["name"]) for file in files
                 for function in smsim(program, "loops", file, "--format", "json")["functions"]]
    for file, name in functions[::SAMPLE]:
        for warps in ("1", "4", "16"):
            document = smsim(program, "predict", file, "--function", name, "--warps", warps, "--format", "json")
            faults += check(validator, f"{file}: {name} at {warps} warps", document)
            checked += 1
    print(f"{checked} documents, {faults} faults")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
