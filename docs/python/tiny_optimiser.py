# SPDX-License-Identifier: MIT
# %% [markdown]
# A schedule optimiser in forty lines
#
# Walks over the loop and lowers stall counts, one cycle at a time, as long as the prediction gains. A count may not go
# below the distance that a reader of the result needs, which is known here for the fixed-latency instructions of Volta
# and later: four cycles for a register, thirteen for a predicate. It is a sketch, not a proof.
#
#   PYTHONPATH=build/python python3 docs/python/tiny_optimiser.py [FILE]

# %%
import copy
import sys

import smsim

LATENCY = {"register": 4, "predicate": 13}  # cycles, issue to the earliest dependent issue (Volta)

program = smsim.read(sys.argv[1] if len(sys.argv) > 1 else "traces/hopper/stencil3.sass")
program = copy.copy(program)
function = program.functions[0]
loop = function.loops()[0]
body = [i for i in function.instructions if loop.start <= i.address <= loop.end]


def names(operands):
    return {(op.kind, op.index + k) for op in operands for k in range(op.registers) if op.kind in LATENCY}


def written(instruction):
    return names(op for op in instruction.operands if op.destination)


def read(instruction):
    memory = {("register", op.index + k) for op in instruction.operands if op.kind == "memory" for k in range(2)}
    return names(op for op in instruction.operands if not op.destination) | memory | {("predicate", instruction.guard)}


def is_safe():
    """Each result of a fixed-latency instruction is old enough when it is read, round the loop."""
    for n, producer in enumerate(body):
        age, results = 0, written(producer) if producer.control.write_barrier == 7 else set()
        for k in range(n, n + len(body)):
            age += body[k % len(body)].control.stall
            results = {name for name in results if age < LATENCY[name[0]]}
            if results & read(body[(k + 1) % len(body)]):
                return False
    return True


# %%
best = first = smsim.predict(program, warps=4).cycles_per_iteration
changed = 0
for instruction in body:
    while instruction.control.stall > 1:
        instruction.control.stall -= 1
        now = smsim.predict(program, warps=4).cycles_per_iteration
        if now > best or not is_safe():
            instruction.control.stall += 1
            break
        best, changed = now, changed + 1

print(f"{first:.0f} cycles before, {best:.0f} after {changed} stall counts were lowered by one")
