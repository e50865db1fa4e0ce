#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of README.md and the commands that docs/ci.md shows run as they stand, and its workflow's words are ones that smsim takes.

usage: check_blocks.py ROOT SMSIM
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml


def check_examples(root, environment):
    """README's examples run on the dump that it names; the one with cuobjdump gets that dump from it."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    dump = re.search(r"where `k.sass` may be\s+`(\S+)`:", readme)[1]
    examples = re.findall(r"^    ((?:cuobjdump -sass app \| )?smsim predict .*?)   ", readme, re.MULTILINE)
    assert len(examples) == 5, examples
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "k.sass").symlink_to(root / dump)
        (Path(folder) / "cuobjdump").write_text("#!/bin/sh\nexec cat k.sass\n", encoding="utf-8")
        (Path(folder) / "cuobjdump").chmod(0o755)
        environment = dict(environment, PATH=f"{folder}:{environment['PATH']}")
        for example in examples:
            subprocess.run(["bash", "-euo", "pipefail", "-c", example], cwd=folder, env=environment, check=True)


def main(arguments):
    root, smsim = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
    page = (root / "docs/ci.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"```(yaml)\n(.*?)```", page, re.DOTALL))
    scripts = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    environment = dict(os.environ, PATH=f"{smsim.parent}:{os.environ['PATH']}")
    check_examples(root, environment)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(root / "traces", Path(folder) / "traces")
        for script in scripts:
            subprocess.run(["bash", "-euc", script], cwd=folder, env=environment, check=True)
        sarif = json.loads((Path(folder) / "lint.sarif").read_text(encoding="utf-8"))
        assert sarif["version"] == "2.1.0", sarif["version"]

        # the workflow on a kernel that got slower
        steps = yaml.safe_load(blocks["yaml"])["jobs"]["predict"]["steps"]
        commands = [step["run"] for step in steps if "smsim " in step.get("run", "") and "apt-get" not in step["run"]]
        commands += [step["run"] for step in steps if step.get("run", "").startswith("cp ")]
        assert len(commands) == 3
        (Path(folder) / "kernels").mkdir()
        codes = []
        for name in ("remapped", "compiler"):
            kernel = Path(folder) / "kernels/gemm.cubin"
            kernel.unlink(missing_ok=True)
            kernel.symlink_to(root / f"traces/volta/sgemm_8x8_{name}.sass")
            codes.append([subprocess.run(["bash", "-ec", command], cwd=folder, env=environment, check=False).returncode
                          for command in commands])
        assert codes[0] == [0, 0, 0], codes
        assert codes[1][:2] == [0, 1], codes
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
