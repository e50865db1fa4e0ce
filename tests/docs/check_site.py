#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The static site is complete: every page, every link within it leads somewhere, nothing asks the network.

usage: check_site.py ROOT
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def anchors(text):
    return set(re.findall(r'\bid="([^"]+)"', text))


def breaches(site, root):
    for page in sorted(site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        assert "<h1" in text, f"{page} has no heading"
        assert not re.search(r'<(script|link|iframe)\b|src="https?:', text), f"{page} asks the network"
        for target in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, fragment = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            source = (root / page.relative_to(site).parent / name).resolve()
            if file.is_dir():
                file /= "index.html"
            if not file.exists() and not (source.exists() and source.suffix != ".md"):
                yield f"{page.relative_to(site)}: {target} leads nowhere"
            elif fragment and file.suffix == ".html" and fragment not in anchors(file.read_text(encoding="utf-8")):
                yield f"{page.relative_to(site)}: {target} has no such heading"


def main(arguments):
    root = Path(arguments[0]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder).resolve()
        subprocess.run([sys.executable, "-B", root / "docs/site.py", site], check=True)
        pages = [*root.glob("docs/*.md"), *root.glob("docs/lessons/*.md"), root / "README.md"]
        assert len(list(site.rglob("*.html"))) >= len(pages)
        found = list(breaches(site, root))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
