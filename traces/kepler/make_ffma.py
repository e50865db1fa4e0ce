#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes ffma_*.sass: loops of FFMA for a K20m, as cuobjdump prints them, with every control code.

The triples of source registers with two and three in one bank, and the pair of control codes 0x04
and 0x05 for dual issue, are those of Zhang et al., PPoPP'17. The loops around them are ours.

--check writes nothing; exit code 1 if a file is not what would be written
"""

import pathlib
import sys

BUNDLES = 96          # of seven instructions; the last three are the loop's own
SINGLE = 0x20         # next issue in the next cycle
DUAL = (0x04, 0x05)   # in turn
GUARD_TRUE, GUARD_P0 = 7, 0


def ffma(d, a, b, c):
    return (f"FFMA R{d}, R{a}, R{b}, R{c}",
            0xcc << 56 | c << 42 | b << 23 | GUARD_TRUE << 18 | a << 10 | d << 2 | 2)


def iadd_immediate(d, a, value):
    return (f"IADD32I R{d}, R{a}, 0x{value:x}",
            0x40 << 56 | value << 23 | GUARD_TRUE << 18 | a << 10 | d << 2 | 1)


def isetp_lt(a, b):
    return (f"ISETP.LT.AND P0, PT, R{a}, R{b}, PT",
            0xdb181c0000000000 | b << 23 | GUARD_TRUE << 18 | a << 10 | 0x1e)


def branch(at, to):
    offset = (to - at - 8) & 0xffffff
    return f"@P0 BRA 0x{to:x}", 0x12 << 56 | offset << 23 | GUARD_P0 << 18 | 0x3c


def control_word(codes):
    return 0x08 << 56 | sum(code << 2 + 8 * slot for slot, code in enumerate(codes))


def made(sources, codes, what):
    d, (a, b, c) = 5, sources
    count = 7 * BUNDLES - 3
    body = [(ffma(d + n % 2 * 16, a, b, c), codes[n % len(codes)]) for n in range(count)]
    body[-1] = (body[-1][0], SINGLE)
    last = 8 * 8 * BUNDLES - 8
    body += [(iadd_immediate(10, 10, 1), 0x28), (isetp_lt(10, 11), 0x2c), (branch(last, 8), 0x20)]
    lines = [f"// {what}; made by make_ffma.py.", "", "\tcode for sm_35", "\t\tFunction : ffma",
             "\t.headerflags    @\"EF_CUDA_SM35 EF_CUDA_PTX_SM(EF_CUDA_SM35)\""]
    for bundle in range(BUNDLES):
        part = body[7 * bundle:7 * bundle + 7]
        lines.append(" " * 83 + f"/* 0x{control_word([code for _, code in part]):016x} */")
        for slot, ((text, encoding), _) in enumerate(part):
            address = 64 * bundle + 8 + 8 * slot
            lines.append(f"        /*{address:04x}*/ {text + ';':>60} /* 0x{encoding:016x} */")
    return "\n".join(lines) + "\n"


LOOPS = {
    "dual": ((4, 1, 0), DUAL, "FFMA, dual issue, no bank conflict"),
    "single": ((4, 1, 0), (SINGLE,), "FFMA, single issue, no bank conflict"),
    "two_way": ((2, 1, 0), (SINGLE,), "FFMA, single issue, two sources in one bank"),
    "three_way": ((9, 3, 1), (SINGLE,), "FFMA, single issue, three sources in one bank"),
}

if __name__ == "__main__":
    for name, loop in LOOPS.items():
        file = pathlib.Path(__file__).parent / f"ffma_{name}.sass"
        if sys.argv[1:] != ["--check"]:
            file.write_text(made(*loop))
        elif file.read_text() != made(*loop):
            sys.exit(f"{file} is not what make_ffma.py writes")
