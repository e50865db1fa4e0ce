# SPDX-License-Identifier: MIT
# %% [markdown]
# One loop, many register files
#
# The 8x8 tile of a matrix multiply as a compiler wrote it, and with registers mapped anew (traces/volta), on register
# files of one to eight banks. What do the better register names gain, and does the gain outlive more banks?
#
#   PYTHONPATH=build/python python3 docs/python/bank_study.py [PLOT.svg]

# %%
import sys

import smsim

LOOPS = {name: smsim.read(f"traces/volta/sgemm_8x8_{name}.sass") for name in ("compiler", "remapped")}
BANKS = [1, 2, 4, 8]


def cycles(program, banks):
    """Cycles per iteration at four warps, one on each processing block."""
    overrides = {"register_file.banks": banks, "register_file.mapping": f"R mod {banks}"}
    return smsim.predict(program, arch="volta-v100", warps=4, overrides=overrides).cycles_per_iteration


# %%
table = {name: [cycles(program, banks) for banks in BANKS] for name, program in LOOPS.items()}
print("banks     " + "".join(f"{banks:8d}" for banks in BANKS))
for name, row in table.items():
    print(f"{name:10s}" + "".join(f"{value:8.0f}" for value in row))
gains = [100 * (a / b - 1) for a, b in zip(table["compiler"], table["remapped"])]
print("gain %    " + "".join(f"{gain:8.1f}" for gain in gains))

# %%
if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    for name, row in table.items():
        axes.plot(BANKS, row, marker="o", label=name)
    axes.set(xlabel="register banks", ylabel="cycles per iteration", xticks=BANKS, ylim=(0, None))
    axes.legend()
    figure.savefig(sys.argv[1])
