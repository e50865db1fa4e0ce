#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what smsim lint prints as JSON against docs/lint.schema.json, and its SARIF against what 2.1.0 requires.

usage: check_lint.py SMSIM SCHEMA FILE...     each FILE as code for sm_90 where it does not say for what it is
"""

import json
import subprocess
import sys

import jsonschema

# The part of the SARIF schema that lint uses: required properties and their types.
PLACE = {"type": "object", "required": ["physicalLocation"], "properties": {
    "physicalLocation": {"type": "object", "required": ["artifactLocation"], "properties": {
        "artifactLocation": {"type": "object", "required": ["uri"]},
        "region": {"type": "object", "required": ["startLine"], "properties": {
            "startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1}}}}}}}
SARIF = {"type": "object", "required": ["version", "runs"], "properties": {
    "version": {"const": "2.1.0"},
    "runs": {"type": "array", "items": {"type": "object", "required": ["tool", "results"], "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {
            "driver": {"type": "object", "required": ["name", "rules"], "properties": {
                "rules": {"type": "array", "items": {"type": "object", "required": ["id"]}}}}}},
        "results": {"type": "array", "items": {"type": "object", "required": ["ruleId", "message", "locations"],
                                               "properties": {
            "level": {"enum": ["none", "note", "warning", "error"]},
            "message": {"type": "object", "required": ["text"]},
            "locations": {"type": "array", "items": PLACE},
            "relatedLocations": {"type": "array", "items": PLACE}}}}}}}}}


def lint(program, file, form):
    words = [program, "lint", file, "--hints", "all", "--format", form]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 2:  # it does not say for which architecture it is
        done = subprocess.run([*words, "--arch", "sm_90"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{file}: exit code {done.returncode}\n{done.stderr}")
    return done.returncode, json.loads(done.stdout)


def main(program, schema, *files):
    with open(schema, encoding="utf-8") as text:
        rules = json.load(text)
    found = 0
    for file in files:
        code, document = lint(program, file, "json")
        jsonschema.validate(document, rules)
        if (document["errors"] > 0) != (code == 1):
            raise SystemExit(f"{file}: {document['errors']} errors, and exit code {code}")
        _, log = lint(program, file, "sarif")
        jsonschema.validate(log, SARIF)
        if len(log["runs"][0]["results"]) != len(document["findings"]):
            raise SystemExit(f"{file}: SARIF and JSON have different numbers of findings")
        found += len(document["findings"])
    if found == 0:
        raise SystemExit("nothing was found in any file: this test tests nothing")


if __name__ == "__main__":
    main(*sys.argv[1:])
