#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documentation as a static site: README.md, CONTRIBUTING.md, CHANGELOG.md and docs/ as HTML.

usage: docs/site.py FOLDER     needs python3-markdown; what is in FOLDER under the same names is replaced
"""

import html
import re
import shutil
import sys
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "docs/lessons/*.md", "traces/**/*.md"]
FILES = ["docs/*.svg", "docs/*.json", "docs/python/*.py", "LICENSE"]
NAVIGATION = [("index.html", "smsim"), ("docs/model.html", "Model"), ("docs/accuracy.html", "Accuracy"),
              ("docs/lessons/index.html", "Lessons"), ("docs/studies.html", "Studies"), ("docs/formats.html", "Formats"),
              ("docs/configs.html", "Configs"), ("docs/python.html", "Python"), ("docs/lint.html", "Lint"),
              ("docs/remap.html", "Remap"), ("docs/ci.html", "CI")]
STYLE = """:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --card: #f6f8fa; --line: #d1d9e0; --link: #0858b3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --card: #161b22; --line: #30363d; --link: #79c0ff; } }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--link); } nav a { margin-right: 1rem; } nav { border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
pre { background: var(--card); padding: .75rem; overflow-x: auto; font-size: 13px; line-height: 1.4; }
code { background: var(--card); font-size: .9em; } pre code { font-size: 1em; }
table { border-collapse: collapse; display: block; overflow-x: auto; } th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; }
img { max-width: 100%; }
"""


def place(page):
    """Where a page goes, relative to the site: README.md is the index of its folder."""
    return page.parent / ("index.html" if page.name == "README.md" else page.stem + ".html")


def slug(text, separator):
    """Anchors as code hosts make them, which links in the pages are written for."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def linked(match, page, pages):
    """A link to another page of the site, or to what it copies."""
    target, _, fragment = match[2].partition("#")
    if re.match(r"[a-z]+:", match[2]) or not target:
        return match[0]
    file = Path(*(ROOT / page.parent / target).resolve().relative_to(ROOT).parts)
    if (ROOT / file).is_dir() and (file / "README.md") in pages:
        file = file / "README.md"
    if file in pages:
        up = "../" * len(page.parent.parts)
        return f'{match[1]}="{up}{place(file)}{"#" + fragment if fragment else ""}"'
    return match[0]


def render(page, pages):
    body = markdown.markdown((ROOT / page).read_text(encoding="utf-8"),
                             extensions=["tables", "fenced_code", "toc", "sane_lists"],
                             extension_configs={"toc": {"slugify": slug}})
    body = re.sub(r'\b(href|src)="([^"]*)"', lambda match: linked(match, page, pages), body)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
    up = "../" * len(page.parent.parts)
    navigation = " ".join(f'<a href="{up}{target}">{name}</a>' for target, name in NAVIGATION)
    name = html.escape(re.sub(r"<[^>]+>", "", title[1])) if title else page.stem
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{name}</title>'
            f'<style>{STYLE}</style></head>\n<body><nav>{navigation}</nav>\n<main>\n{body}\n</main></body></html>\n')


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    site = Path(arguments[0])
    pages = sorted({path.relative_to(ROOT) for pattern in PAGES for path in ROOT.glob(pattern)})
    for page in pages:
        target = site / place(page)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(page, pages), encoding="utf-8")
    for file in sorted({path.relative_to(ROOT) for pattern in FILES for path in ROOT.glob(pattern)}):
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, site / file)
    print(f"{site}: {len(pages)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
