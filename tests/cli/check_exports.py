#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files that `smsim timeline` writes for viewers keep the rules of their formats.

usage: check_exports.py SMSIM SCHEMA FILE...     with 1, 4 and 9 warps each; exit code 1 and the breach

JSON: the schema; indices exist. Trace events: on a track slices only nest, both ends of a flow lie in
a slice, counters have numbers. Konata: ids begin, pass through stages that do not overlap, and end, in
the order of time. SVG: XML; nothing is drawn outside of the picture.
"""

import json
import subprocess
import sys
import xml.etree.ElementTree as xml

import jsonschema


def export(smsim, file, warps, form):
    done = subprocess.run([smsim, "timeline", file, "--warps", str(warps), "--format", form],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_json(text, schema):
    document = json.loads(text)
    jsonschema.validate(document, schema)
    steps, instructions = len(document["steps"]), document["instructions"]
    assert instructions, "nothing was recorded"
    for one in instructions:
        assert one["step"] < steps
        times = [one[name] for name in ("waits_from", "issue", "left", "execute_begin", "write_begin",
                                        "write_end") if one[name] is not None]
        assert times == sorted(times), one
        at = one["waits_from"]
        for wait in one["waits"]:
            assert wait["begin"] == at < wait["end"], one
            at = wait["end"]
        assert at == one["issue"], one
    for event in document["stops"] + document["barriers"]:
        assert event["instruction"] is None or event["instruction"] < len(instructions)
    return document


def check_trace(text):
    events = json.loads(text)["traceEvents"]
    tracks, flows = {}, {}
    for event in events:
        if event["ph"] == "X":
            assert event["dur"] > 0
            tracks.setdefault((event["pid"], event["tid"]), []).append(
                (event["ts"], event["ts"] + event["dur"], event["name"]))
        elif event["ph"] in "sf":
            flows.setdefault(event["id"], []).append(event)
        elif event["ph"] == "C":
            assert event["args"] and all(isinstance(n, int) for n in event["args"].values())
        else:
            assert event["ph"] == "M", event
    named = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    assert set(tracks) <= named, "a track has no name"
    for slices in tracks.values():
        outer = []
        for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
            while outer and outer[-1] <= begin:
                outer.pop()
            assert not outer or end <= outer[-1], f"{name} at {begin} overlaps its neighbour"
            outer.append(end)
    for identity, ends in flows.items():
        assert [end["ph"] for end in ends] == ["s", "f"], identity
        assert ends[0]["ts"] <= ends[1]["ts"]
        for end in ends:
            around = tracks[(end["pid"], end["tid"])]
            assert any(begin <= end["ts"] < stop for begin, stop, _ in around), end
    return len(flows)


def check_konata(text):
    lines = text.splitlines()
    assert lines[0] == "Kanata\t0004"
    assert lines[1].startswith("C=\t")
    stage, ended, labels = {}, [], set()
    for line in lines[2:]:
        word, *fields = line.split("\t")
        if word == "C":
            assert int(fields[0]) > 0
        elif word == "I":
            assert int(fields[0]) == len(stage), "ids count up as rows appear"
            stage[fields[0]] = ""
        elif word == "L":
            assert fields[0] in stage and fields[1] in "01" and fields[2]
            labels.add((fields[0], fields[1]))
        elif word == "S":
            assert stage[fields[0]] == "", "a stage begins in another one"
            stage[fields[0]] = fields[2]
        elif word == "E":
            assert stage[fields[0]] == fields[2]
            stage[fields[0]] = ""
        elif word == "R":
            assert stage[fields[0]] == "" and int(fields[1]) == len(ended)
            ended.append(fields[0])
        elif word == "W":
            assert fields[0] in stage and fields[1] in stage and fields[1] not in fields[:1]
        else:
            raise AssertionError(line)
    assert sorted(ended) == sorted(stage)
    assert len(labels) == 2 * len(stage)


def check_svg(text):
    root = xml.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    assert root.tag == name + "svg"
    _, _, width, height = map(float, root.get("viewBox").split())
    assert root.find(name + "title").text
    bars = root.findall(name + "rect")[1:]
    assert bars
    for bar in bars:
        assert float(bar.get("width")) > 0
        assert float(bar.get("x")) + float(bar.get("width")) <= width
        assert float(bar.get("y")) + float(bar.get("height")) <= height


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    smsim, schema_file, *files = arguments
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    flows = 0
    for file in files:
        for warps in (1, 4, 9):
            try:
                check_json(export(smsim, file, warps, "json"), schema)
                flows += check_trace(export(smsim, file, warps, "perfetto"))
                check_konata(export(smsim, file, warps, "konata"))
                check_svg(export(smsim, file, warps, "svg"))
            except (AssertionError, KeyError, jsonschema.ValidationError) as breach:
                print(f"{file} with {warps} warps: {breach!r}")
                return 1
    assert flows, "no loop had a barrier to wait for"
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
