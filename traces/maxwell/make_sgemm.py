#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes sgemm_64.sass and sgemm_64_spoiled.sass: the inner loop of an SGEMM with 64 threads.

Each thread multiplies 8 values of A by 8 of B, eight times an iteration: 512 FFMA. The counts of the
other instructions are those of maxas' 64-thread SGEMM (its wiki page: 8 more issue slots, and 32
loads from shared memory, 4 stores to it, 4 global loads, a barrier and a branch that issue together
with an FFMA). Registers, order and control words are ours.

Register R lies in bank R mod 4. A column of eight FFMAs keeps one B in slot b by its reuse flag, so
only its first one reads three registers. C(i, j) lies one bank behind A(i), and the first A of a
column one bank behind B(j), which makes all reads of an instruction lie in different banks. The
spoiled version begins each column with the A that shares B's bank, and takes the C from there, too.

--check writes nothing; exit code 1 if a file is not what would be written
"""

import pathlib
import sys

C_FIRST, A_FIRST, B_FIRST = 0, (64, 80), (72, 88)
A_ADDRESS, B_ADDRESS, STORE_ADDRESS, TRACK, COUNT, LIMIT = 96, 97, 98, 100, 104, 105
LOADED = 108  # four times four registers on their way from global to shared memory


def accumulators(spoiled):
    """C(i, j): sixteen of each bank."""
    free = {bank: [r for r in range(C_FIRST, C_FIRST + 64) if r % 4 == bank] for bank in range(4)}
    registers = {}
    for j in range(8):
        if spoiled:  # the first of the column in B's bank, and one of the others in its stead
            registers[(j % 4, j)] = free[j % 4].pop(0)
    for j in range(8):
        for i in range(8):
            if (i, j) in registers:
                continue
            bank = (i + 1) % 4
            if not free[bank]:
                bank = next(b for b in ((i + 2) % 4, (i + 3) % 4) if free[b])
            registers[(i, j)] = free[bank].pop(0)
    return registers


def line(text, stall=1, wait="------", read="-", write="-", reuse="----"):
    return f"    [{reuse}:B{wait}:R{read}:W{write}:-:S{stall:02}] {text} ;"


def wait_for(*barriers):
    return "".join(str(b) if b in barriers else "-" for b in range(6))


def loads(step):
    """The shared-memory loads for the next step, with the barrier that they set."""
    half = (step + 1) % 2
    offset = 0x100 * ((step + 1) % 8)
    for first, address in ((A_FIRST[half], A_ADDRESS), (B_FIRST[half], B_ADDRESS)):
        for quarter in range(2):
            # The addresses change behind the last of them; shared memory reads them in order.
            control = dict(read=5) if step == 6 and (address, quarter) == (B_ADDRESS, 1) else {}
            yield (f"LDS.U.128 R{first + 4 * quarter}, [R{address}+0x{offset + 0x10 * quarter:x}]",
                   dict(write=half, **control))


def others(step):
    """What issues with an FFMA, and what takes a slot of its own, in this step."""
    together, alone = list(loads(step)), []
    if step < 4:
        track, offset = (TRACK + step, "") if step < 3 else (TRACK + 2, "+0x2000")
        together.append((f"LDG.128 R{LOADED + 4 * step}, [R{track}{offset}]",
                         dict(write=2, read=4)))
    if step == 4:
        alone += [(f"IADD R{TRACK + t}, R{TRACK + t}, R{LIMIT + 1}",
                   dict(wait=wait_for(4)) if t == 0 else {}) for t in range(3)]
    if step == 5:
        together += [(f"STS.128 [R{STORE_ADDRESS}+0x{0x200 * s:x}], R{LOADED + 4 * s}",
                      dict(read=3, **(dict(wait=wait_for(2)) if s == 0 else {}))) for s in range(4)]
        alone.append((f"IADD R{COUNT}, R{COUNT}, -0x8", {}))
    if step == 6:
        alone += [None] * 5  # columns in which addresses are still needed
        alone += [(f"LOP.XOR R{r}, R{r}, 0x4000", dict(wait=wait_for(5)) if r == A_ADDRESS else {})
                  for r in (A_ADDRESS, B_ADDRESS)]
        alone.append((f"ISETP.GE.AND P0, PT, R{COUNT}, R{LIMIT}, PT", {}))
        together.append(("BAR.SYNC 0x0", {}))
    if step == 7:
        alone.append((f"LOP.XOR R{STORE_ADDRESS}, R{STORE_ADDRESS}, 0x4000",
                      dict(wait=wait_for(3))))
    return together, alone


def columns(step, spoiled):
    """The 64 FFMAs of a step with their reuse flags: column by column, B in slot b."""
    registers = accumulators(spoiled)
    half = step % 2
    for j in range(8):
        first = j % 4 if spoiled else (j + 1) % 4
        order = [(first + k) % 8 for k in range(8)]
        for k, i in enumerate(order):
            a, b, c = A_FIRST[half] + i, B_FIRST[half] + j, registers[(i, j)]
            flag = k < 7
            yield (f"FFMA R{c}, R{a}, R{b}{'.reuse' if flag else ''}, R{c}",
                   "-R--" if flag else "----")


def step_lines(step, spoiled):
    together, alone = others(step)
    last = step == 7
    for n, (text, reuse) in enumerate(columns(step, spoiled)):
        wait = wait_for(step % 2) if n == 0 else "------"
        final = last and n == 63
        pairs = n % 6 == 3 and together
        yield line(text, stall=0 if pairs or final else 1, wait=wait, reuse=reuse)
        if final:
            yield line("@P0 BRA `(.L_loop)", stall=5)
        elif pairs:
            name, control = together.pop(0)
            yield line(name, stall=1, **control)
        if n % 8 == 7 and alone and (one := alone.pop(0)):
            name, control = one
            yield line(name, stall=1, **control)
    assert not together and not alone, (step, together, alone)


def made(spoiled):
    what = "each column begins with three reads of one bank" if spoiled else "without bank conflicts"
    lines = [f"// SGEMM inner loop of 64 threads, {what}; made by make_sgemm.py.",
             ".target sm_50", ".L_loop:"]
    for step in range(8):
        lines += step_lines(step, spoiled)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    for name, text in (("sgemm_64", made(spoiled=False)), ("sgemm_64_spoiled", made(spoiled=True))):
        file = here / f"{name}.sass"
        if sys.argv[1:] != ["--check"]:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file} is not what make_sgemm.py writes")
