#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes ampere.jsonl.gz: what Huerta et al. measured on Ampere, as loops and timed sequences.

usage: traces/suites/huerta/make.py

Figures and code are those of R. Huerta, M. Abaie Shoushtary, J.-L. Cruz, A. Gonzalez, "Dissecting and Modeling the
Architecture of Modern GPU Cores", MICRO 2025 (arXiv 2503.20481): Listings 1 and 2, Tables 1 and 2, sections 4 and 5. The
paper gives opcodes, operands and stall counts; which registers and addresses Tables 1 and 2 used is not said, and is ours.
"""

import gzip
import json
from pathlib import Path

DEVICE = "Ampere, sm_86"
SOURCE = "Huerta et al., MICRO 2025, "


def line(text, stall=1, wait="------", read="-", write="-", hint="-"):
    """An instruction in bracketed notation; `hint` is Y where a yield is requested."""
    return f"    [B{wait}:R{read}:W{write}:{hint}:S{stall:02d}] {text} ;"


CLOCK = line("CS2R.32 R40, SR_CLOCKLO")
NOP = line("NOP")


def timed(name, where, code, cycles, last, first=0, warps=1, block=0, lo=None):
    """One pass of the code: cycles from its instruction `first` to its instruction `last` on a block's first warp.

    All lanes use one address: LDS.64 then needs no more wavefronts than LDS, and LDS.128 two, as on the H200. That is what
    makes Table 2 plain: a wavefront more is two cycles more.
    """
    return {"id": f"huerta-{name}", "arch": "sm_86", "device": DEVICE, "warps": warps, "cycles": cycles,
            "lo": lo or cycles, "hi": cycles, "timed": {"from": first, "to": last, "block": block},
            "lane_stride_bytes": {"R12": 0, "R16": 0}, "source": SOURCE + where, "sass": "\n".join(code) + "\n"}


def body(name, where, code, cycles):
    """A loop's body without counter and branch."""
    return {"id": f"huerta-{name}", "arch": "sm_86", "device": DEVICE, "warps": 1, "cycles": cycles, "lo": cycles,
            "hi": cycles, "whole_listing_is_the_loop": True, "source": SOURCE + where, "sass": "\n".join(code) + "\n"}


def listing_1():
    for x, y, cycles in ((19, 21, 5), (18, 21, 6), (18, 20, 7)):
        pair = [line("FFMA R11, R10, R12, R14"), line(f"FFMA R13, R16, R{x}, R{y}")]
        yield timed(f"l1-rx{x}-ry{y}", "Listing 1", [CLOCK, NOP, *pair, NOP, CLOCK], cycles, 5)
        yield timed(f"l1-rx{x}-ry{y}-one-nop", "section 5.1.1: without the last NOP nothing is seen of the conflict",
                    [CLOCK, NOP, *pair, CLOCK], 4, 4)


def listing_2():
    for stall, cycles in ((1, 5), (4, 8)):
        yield timed(f"l2-stall{stall}", "Listing 2", [
            line("FADD R1, RZ, 1"), line("FADD R2, RZ, 1"), line("FADD R3, RZ, 1", 2), CLOCK, NOP,
            line("FADD R1, R2, R3", stall), line("FFMA R5, R1, R1, R1"), NOP, CLOCK], cycles, 8, 3)


# Table 1: the issue of the k-th memory instruction (from the 6th on) after the first, which issues in cycle 2, by the number
# of active processing blocks; the first five issue one a cycle everywhere.
TABLE_1 = {1: [[13], [17], [21]], 2: [[13, 15], [17, 19], [21, 23]],
           3: [[13, 15, 17], [19, 21, 23], [25, 27, 29]],
           4: [[13, 15, 17, 19], [21, 23, 25, 27], [29, 31, 33, 35]]}


def table_1():
    for opcode, registers in (("LDS", "R12"), ("LDG.E", "R12")):
        code = [line(f"{opcode} R{20 + k}, [{registers}]", write=k % 6) for k in range(8)]
        for blocks, late in TABLE_1.items():
            rows = [[3 + k] * blocks for k in range(4)] + late
            for k, cycles in enumerate(rows, 1):
                for block in range(blocks):
                    yield timed(f"t1-{opcode[:3].lower()}-{blocks}sub-k{k + 1}-b{block}", "Table 1", code, cycles[block] - 2,
                                k, warps=blocks, block=block)


# Table 2: opcode, address, WAR and RAW/WAW latency.
TABLE_2 = [
    ("LDG.E", "uniform", 9, 29), ("LDG.E.64", "uniform", 9, 31), ("LDG.E.128", "uniform", 9, 35),
    ("LDG.E", "regular", 11, 32), ("LDG.E.64", "regular", 11, 34), ("LDG.E.128", "regular", 11, 38),
    ("STG.E", "uniform", 10, None), ("STG.E.64", "uniform", 12, None), ("STG.E.128", "uniform", 16, None),
    ("STG.E", "regular", 14, None), ("STG.E.64", "regular", 16, None), ("STG.E.128", "regular", 20, None),
    ("LDS", "uniform", 9, 23), ("LDS.64", "uniform", 9, 23), ("LDS.128", "uniform", 9, 25),
    ("LDS", "regular", 9, 24), ("LDS.64", "regular", 9, 24), ("LDS.128", "regular", 9, 26),
    ("STS", "uniform", 10, None), ("STS.64", "uniform", 12, None), ("STS.128", "uniform", 16, None),
    ("STS", "regular", 12, None), ("STS.64", "regular", 14, None), ("STS.128", "regular", 18, None),
    ("LDC", "immediate", 10, 26), ("LDC", "regular", 29, 29), ("LDC.64", "regular", 29, 29),
    ("LDGSTS.E", "regular", 13, 39), ("LDGSTS.E.64", "regular", 13, 39), ("LDGSTS.E.128", "regular", 13, 39),
]
ADDRESS = {
    "LDG": {"uniform": "[UR4]", "regular": "[R12.64]"}, "STG": {"uniform": "[UR4]", "regular": "[R12.64]"},
    "LDS": {"uniform": "[UR4]", "regular": "[R12]"}, "STS": {"uniform": "[UR4]", "regular": "[R12]"},
    "LDC": {"immediate": "c[0x0][0x160]", "regular": "c[0x0][R12]"},
}


def access(opcode, address):
    """The instruction, without its control word."""
    kind = opcode.split(".")[0]
    if kind == "LDGSTS":
        return f"{opcode} [R16], [R12.64]"
    where = ADDRESS[kind][address]
    return f"{opcode} {where}, R20" if kind.startswith("ST") else f"{opcode} R20, {where}"


def table_2():
    for opcode, address, war, raw in TABLE_2:
        kind, width = opcode.split(".")[0].lower(), opcode.split(".")[-1]
        name = f"t2-{kind}.{width if width.isdigit() else 32}-{'imm' if address == 'immediate' else address[0]}"
        code = access(opcode, address)
        after = "MOV R13, R30"
        yield timed(f"{name}-war", "Table 2",
                    [line(code, 2, read=0), line(after, wait="0-----")], war, 1)
        if raw is not None:
            yield timed(f"{name}-raw", "Table 2",
                        [line(code, 2, write=0), line("FADD R30, R20, R20", wait="0-----")], raw, 1)


def rates():
    yield body("fmul-samebank", "section 5.3: a bubble each", [line(f"FMUL R{20 + k}, R10, R12") for k in range(16)], 32)
    yield body("fmul-otherbank", "section 5.3: no bubble", [line(f"FMUL R{20 + k}, R10, R13") for k in range(16)], 16)
    yield body("ffma-3samebank", "section 5.3: two bubbles each",
               [line(f"FFMA R{20 + k}, R10, R12, R14") for k in range(16)], 48)


def control_bits():
    yield timed("errbar-45", "section 4", [line("ERRBAR", 0, hint="Y"), NOP], 45, 1)
    for stall in range(12, 16):
        yield timed(f"stall-gt11-noyield-s{stall}", "section 4: one or two cycles", [line("NOP", stall), NOP], 2, 1, lo=1)
    yield timed("barrier-next", "section 5.1.1: the very next instruction does not see the barrier",
                [line("LDS R20, [R12]", 1, write=0), line("MOV R30, R20", wait="0-----")], 1, 1)
    yield timed("yield-alone", "section 5.1.2: with yield and no other warp there is a bubble",
                [line("NOP", 1, hint="Y"), NOP], 2, 1)


def main():
    rows = [row for part in (listing_1, listing_2, table_1, table_2, rates, control_bits) for row in part()]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    file = Path(__file__).parent / "ampere.jsonl.gz"
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{file.name}: {len(rows)} rows")


if __name__ == "__main__":
    main()
