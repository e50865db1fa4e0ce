#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a person at a terminal sees is not what a pipe gets: no page of HTML, unless it is asked for.

usage: check_terminal.py SMSIM FILE
"""

import os
import pty
import subprocess
import sys


def on_terminal(*words):
    """Exit code, and what comes onto a terminal that is standard output."""
    mine, theirs = pty.openpty()
    with subprocess.Popen(words, stdout=theirs, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        seen = b""
        try:
            while more := os.read(mine, 1 << 16):
                seen += more
        except OSError:  # the other end is closed
            pass
        errors = process.stderr.read()
    os.close(mine)
    return process.returncode, seen, errors


def main(arguments):
    smsim, file = arguments
    code, seen, errors = on_terminal(smsim, "report", file)
    assert (code, seen) == (2, b"") and b"-o report.html" in errors, (code, seen[:100], errors)
    code, seen, errors = on_terminal(smsim, "report", file, "-o", "-")
    assert (code, errors) == (0, b"") and b"</html>" in seen, (code, errors)
    piped = subprocess.run([smsim, "report", file], capture_output=True, check=True)
    assert b"</html>" in piped.stdout
    code, seen, errors = on_terminal(smsim, "predict", file)
    assert code == 0 and b"\x1b[" in seen, (code, errors)  # in colour
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
