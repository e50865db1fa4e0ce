#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON Schema of configs takes every config that smsim takes, and refuses what it refuses.

usage: check_arch_schema.py SMSIM SCHEMA CONFIG...    SCHEMA is docs/arch.schema.json
"""

import copy
import json
import subprocess
import sys

import jsonschema
import yaml

# Damages of a good config that an editor should mark.
DAMAGES = {
    "an unknown section": lambda c: c.update(shceduler={"policy": "greedy_then_oldest"}),
    "an unknown key": lambda c: c["register_file"].update(bank=2),
    "a number out of its range": lambda c: c["register_file"].update(banks=9),
    "a text for a number": lambda c: c["register_file"].update(banks="two"),
    "a word that is no choice": lambda c: c.update(operand_read=["window", "measured", "x"]),
    "a status that is none": lambda c: c.update(max_warps=[64, "known", "guide"]),
    "a triple of two": lambda c: c.update(max_warps=[64, "published"]),
    "a class that is none": lambda c: c["classes"].update(fffma={"pipe": "alu"}),
    "an unknown key of a class": lambda c: c["classes"]["ffma"].update(latency=4),
    "an unknown key of a pipe": lambda c: c["pipes"]["alu"].update(interval=2),
}


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    smsim, schema_file, *configs = arguments
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    printed = subprocess.run([smsim, "archs", "--schema"], check=True, capture_output=True, text=True).stdout
    assert json.loads(printed) == schema, "docs/arch.schema.json is not what `smsim archs --schema` prints"
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name in configs:
        with open(name, encoding="utf-8") as file:
            config = yaml.safe_load(file)
        errors = [f"{name}: {list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(config)]
        assert not errors, "\n".join(errors)
    with open(next(c for c in configs if c.endswith("hopper-gh100.yaml")), encoding="utf-8") as file:
        good = yaml.safe_load(file)
    for what, damage in DAMAGES.items():
        bad = copy.deepcopy(good)
        damage(bad)
        assert not validator.is_valid(bad), f"the schema takes {what}"
    print(f"{len(configs)} configs are taken, {len(DAMAGES)} damages refused")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
