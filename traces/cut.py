#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cuts one function, with the dump's headers, out of a cuobjdump text.

usage: cut.py DUMP[.gz] FUNCTION > FUNCTION.sass
"""

import gzip
import sys


def cut(lines, function):
    """The lines before the first function, and those of the one asked for."""
    kept, inside, seen = [], True, False
    for line in lines:
        if "Function :" in line:
            inside = line.split(":", 1)[1].strip() == function
            seen = seen or inside
        if inside:
            kept.append(line)
    return kept if seen else None


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    opener = gzip.open if arguments[0].endswith(".gz") else open
    with opener(arguments[0], "rt") as dump:
        kept = cut(dump, arguments[1])
    if kept is None:
        print(f"{arguments[0]}: error: no function {arguments[1]}", file=sys.stderr)
        return 65
    sys.stdout.writelines(kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
