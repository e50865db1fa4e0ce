#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the inner loop of an 8x8 register-tile matrix multiply for Volta, with two register maps.

usage: make_sgemm.py           write sgemm_8x8_compiler.sass and sgemm_8x8_remapped.sass beside it
       make_sgemm.py --check   only say whether the two files are what would be written

What is known and what is assumed in these loops: see README.md.
"""

import sys
from pathlib import Path

# Two sets of fragments, loaded by turns: while one is multiplied, the next k step fills the other.
# A element r sits in A_FIRST + r. The halves of B are the other way round: columns 0-3 lie above 4-7.
A_FIRST = (80, 88)
B_FIRST = (8, 0)
C_FIRST = 16
# Where the loads go between the FFMAs, bank 0 is busy with A and B; so addresses lie in bank 1.
THREAD, A_ADDRESS, COUNTER, B_ADDRESS = 96, 97, 98, 99

# A and B tiles in shared memory: bytes from one k to the next, from one half of a fragment to the
# other, and where B starts.
A_STEP, B_STEP = 0x200, 0x100
A_HALF, B_HALF = 0x100, 0x80
B_BASE = 0x4000
DEPTH = 16

# Dependency barriers: fragments of set 0 and 1 have arrived, addresses have been read.
ARRIVED = ((2, 3), (0, 1))
ADDRESS_READ = (4, 5)

# Order of the 64 multiply-adds: a quarter has the rows and columns of one parity each.
QUARTERS = ((0, 0), (0, 1), (1, 1), (1, 0))

# Which of the four multiply-adds of a row in a quarter keep their A operand for the next one.
ALL = (True, True, True, False)
PAIRS = (True, False, True, False)
FIRST = (True, False, False, False)
LATER = (False, True, True, False)
COMPILER_KEEPS = {(0, 0): (FIRST, PAIRS, FIRST, PAIRS), (1, 1): (FIRST, LATER, FIRST, PAIRS)}


def b_register(step, column):
    return B_FIRST[step] + (column + 4) % 8


def order():
    """(row, column, quarter, row within the quarter, position within that row), in program order."""
    for quarter in QUARTERS:
        for line in range(4):
            for position in range(4):
                yield 2 * line + quarter[0], 2 * position + quarter[1], quarter, line, position


class Compiler:
    """C element (r, c) sits in R16 + 8r + c, and few operands are kept."""

    name = "compiler"
    says = "the compiler's register map; a third of the FFMAs take all sources from one bank"

    def c_register(self, row, column):
        return C_FIRST + 8 * row + column

    def keeps_a(self, quarter, line, position):
        return COMPILER_KEEPS.get(quarter, (PAIRS,) * 4)[line][position]


class Remapped(Compiler):
    """Neighbours in a row of C have changed places, and A is kept along each row."""

    name = "remapped"
    says = "the same loop with C's registers swapped in pairs; no FFMA takes all sources from one bank"

    def c_register(self, row, column):
        return super().c_register(row, column) ^ 1

    def keeps_a(self, quarter, line, position):
        return ALL[position]


def sources(variant, step):
    """(B, A, C register, whether A is kept) of the 64 multiply-adds of one k step."""
    for row, column, quarter, line, position in order():
        yield (b_register(step, column), A_FIRST[step] + row, variant.c_register(row, column),
               variant.keeps_a(quarter, line, position))


def collisions(variant):
    """How many multiply-adds of a k step read three registers of one bank (R mod 2)."""
    count, kept = 0, None
    for b, a, c, keep in sources(variant, 0):
        read = {b, c} | (set() if kept == a else {a})
        count += len(read) == 3 and len({register % 2 for register in read}) == 1
        kept = a if keep else None
    return count


def line(text, wait=(), read=None, write=None, stall=2):
    """One instruction in bracketed control-code notation."""
    mask = "".join(str(k) if k in wait else "-" for k in range(6))
    name = lambda letter, barrier: letter + ("-" if barrier is None else str(barrier))
    control = f"[B{mask}:{name('R', read)}:{name('W', write)}:-:S{stall:02}]"
    return f"    {control} {text} ;"


def loads(step, ahead):
    """The four loads of the fragments of k + ahead, into the registers of that step's set."""
    a, b, (a_arrived, b_arrived) = A_FIRST[step], B_FIRST[step], ARRIVED[step]
    # The addresses move on only after the last loads of an iteration have read them.
    last = ADDRESS_READ if ahead == 2 else (None, None)
    a_at, b_at = ahead * A_STEP, B_BASE + ahead * B_STEP
    return [
        line(f"LDS.U.128 R{a}, [R{A_ADDRESS}+{a_at:#x}]", write=a_arrived, stall=1),
        line(f"LDS.U.128 R{b + 4}, [R{B_ADDRESS}+{b_at:#x}]", write=b_arrived, stall=1),
        line(f"LDS.U.128 R{a + 4}, [R{A_ADDRESS}+{a_at + A_HALF:#x}]", read=last[0], write=a_arrived,
             stall=1),
        line(f"LDS.U.128 R{b}, [R{B_ADDRESS}+{b_at + B_HALF:#x}]", read=last[1], write=b_arrived,
             stall=1),
    ]


def bookkeeping():
    """Counter, predicate and addresses, by the multiply-add that each follows."""
    return {
        35: line(f"IADD3 R{COUNTER}, R{COUNTER}, -0x2, RZ", stall=1),
        43: line(f"ISETP.NE.AND P0, PT, R{COUNTER}, RZ, PT", stall=1),
        53: line(f"IADD3 R{A_ADDRESS}, R{A_ADDRESS}, {2 * A_STEP:#x}, RZ", wait=(4,), stall=1),
        57: line(f"IADD3 R{B_ADDRESS}, R{B_ADDRESS}, {2 * B_STEP:#x}, RZ", wait=(5,), stall=1),
    }


def k_step(variant, step):
    """64 multiply-adds; the other work goes into the issue slots that FFMA leaves free."""
    between = dict(zip((3, 7, 11, 15), loads(1 - step, step + 1)))
    if step == 1:
        between |= bookkeeping()
    result = [f"    // k + {step}"]
    for index, (b, a, c, keep) in enumerate(sources(variant, step)):
        wait = ARRIVED[step] if index == 0 else ()
        last = step == 1 and index == 63
        kept = ".reuse" if keep else ""
        result.append(line(f"FFMA R{c}, R{b}, R{a}{kept}, R{c}", wait=wait,
                           stall=1 if index in between or last else 2))
        if index in between:
            result.append(between[index])
    return result


def prologue():
    """Addresses from the thread's number, the fragments of k = 0, and an empty tile."""
    return [
        line(f"S2R R{THREAD}, SR_TID.X", write=0, stall=2),
        line(f"MOV R{COUNTER}, {DEPTH:#x}"),
        line(f"LOP3.LUT R{A_ADDRESS}, R{THREAD}, 0xf, RZ, 0xc0, !PT", wait=(0,)),
        line(f"SHF.R.U32.HI R{B_ADDRESS}, RZ, 0x4, R{THREAD}", stall=4),
        line(f"SHF.L.U32 R{A_ADDRESS}, R{A_ADDRESS}, 0x4, RZ"),
        line(f"SHF.L.U32 R{B_ADDRESS}, R{B_ADDRESS}, 0x4, RZ", stall=7),
        *loads(0, 0),
        *(line(f"CS2R R{C_FIRST + pair}, SRZ") for pair in range(0, 64, 2)),
    ]


def listing(variant):
    loop = f".L_{variant.name}"
    return "\n".join([
        f"// 8x8 register-tile matrix multiply on Volta: {variant.says}.",
        "// Written by make_sgemm.py; README.md says what is known and what is assumed.",
        "\t.target\tsm_70",
        f".text.sgemm_8x8_{variant.name}:",
        *prologue(),
        f"{loop}:",
        *k_step(variant, 0),
        *k_step(variant, 1),
        line(f"@P0 BRA `({loop})", stall=5),
        "    // A whole kernel would write the tile to global memory here.",
        line("EXIT", stall=5),
    ]) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = 0
    for variant in (Compiler(), Remapped()):
        path = Path(__file__).resolve().parent / f"sgemm_8x8_{variant.name}.sass"
        if not arguments:
            path.write_text(listing(variant))
        elif path.read_text() != listing(variant):
            print(f"{path}:1: error: not what make_sgemm.py writes; run it", file=sys.stderr)
            stale = 1
        print(f"{path.name}: {collisions(variant)} of 64 FFMAs collide in a k step")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
