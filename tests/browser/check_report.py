#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A report page in a headless Chromium: it renders, hovering and the keyboard work, nothing is wrong.

usage: check_report.py SMSIM ROOT FOLDER     screenshots go to FOLDER; exit code 77 without a browser
"""

import os
import subprocess
import sys

import chromium

SKIPPED = 77
LARGEST = 1_000_000  # bytes of a page of a loop of about 100 instructions

CONTRAST = """(() => {
  const parse = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (rgb) => { const [r, g, b] = rgb.map((v) => { v /= 255;
    return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const paper = light(parse(getComputedStyle(document.body).backgroundColor));
  return [...document.querySelectorAll("p, td, th, dt, dd, a, li, h1, h2")].map((one) => {
    const ink = light(parse(getComputedStyle(one).color));
    return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05); }).reduce((a, b) => Math.min(a, b)); })()"""


def write(smsim, folder, name, *words):
    path = os.path.join(folder, name + ".html")
    done = subprocess.run([smsim, "report", *words, "-o", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert os.path.getsize(path) < LARGEST, f"{name} has {os.path.getsize(path)} bytes"
    return path


def text(page, selector):
    return page.eval(f"document.querySelector('{selector}').innerText")


def check_contents(page, path):
    page.open(path)
    fetched = [url for url in page.requests if not url.startswith("data:")]
    assert fetched == ["file://" + path], fetched
    for section in ("slots", "loop", "timeline", "banks", "bounds", "whatif", "graph", "occupancy", "lint", "assumptions"):
        assert page.eval(f"document.getElementById('{section}').offsetHeight") > 60, section
    assert page.eval("document.querySelectorAll('#chart g rect').length") > 50
    assert page.eval("document.querySelectorAll('#bank-chart rect').length") > 5
    assert page.eval("document.querySelectorAll('#names [role=option]').length") == \
        page.eval("document.querySelectorAll('#chart g').length")
    assert page.eval("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than it is"
    unlabelled = page.eval("[...document.querySelectorAll('button, select, [role=img], [tabindex]')].filter("
                           "(one) => !(one.ariaLabel || one.labels?.length || one.innerText.trim())).length")
    assert unlabelled == 0, f"{unlabelled} controls without a name"


def check_control_words(page):
    assert page.eval("document.getElementById('tip').hidden")
    page.hover("#loop .f.set")
    words = text(page, "#tip")
    assert not page.eval("document.getElementById('tip').hidden")
    assert "barrier" in words or "Stall count" in words or "Yield" in words, words
    page.eval("document.querySelector('#loop .f').focus()")
    assert "Wait mask" in text(page, "#tip")
    page.press("Escape")
    assert page.eval("document.getElementById('tip').hidden")


def check_timeline(page, instruction, waited_for):
    """Hovering shows what an instruction waited for; arrow keys go on to the next one."""
    row = page.eval(f"[...document.querySelectorAll('#names [role=option]')].findIndex("
                    f"(one) => one.innerText.includes('{instruction}')) + 1")
    page.hover(f"#names [role=option]:nth-child({row})")
    words = text(page, "#details")
    assert instruction in words and waited_for in words and "Depends on" in words, words
    assert page.eval("document.querySelectorAll('#chart .arrow').length") > 0
    page.hover(f"#chart g:nth-of-type({row + 1})")
    assert text(page, "#details") != words
    page.eval("document.getElementById('names').focus()")
    page.press("ArrowUp")
    assert text(page, "#details") == words
    assert page.eval("""(() => { const box = document.getElementById("scroll").getBoundingClientRect();
        const bar = document.querySelector("#chart .row-on ~ .c-issue").getBoundingClientRect();
        return bar.left >= box.left && bar.right <= box.right; })()"""), "what was chosen does not show"
    width = page.eval("document.getElementById('chart').clientWidth")
    page.eval("document.getElementById('in').click()")
    assert page.eval("document.getElementById('chart').clientWidth") > width
    page.eval("document.getElementById('fit').click()")


def check_narrow(page):
    """Beside the timeline an instruction's opcode and destination show, whatever has to go for them."""
    hidden = page.eval("""[...document.querySelectorAll('#names [role=option]')].filter((one) => {
        const text = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE), range = document.createRange();
        range.setStart(text, 0);
        range.setEnd(text, (text.data.indexOf(',') + 1 || text.data.length) - 1);
        return range.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right; })
        .map((one) => one.innerText)""")
    assert not hidden, f"cut short: {hidden}"


def check_looks(page, folder, name):
    for width in (1200, 500):
        page.width(width)
        page.eval("document.getElementById('fit').click()")
        assert page.eval("document.documentElement.scrollWidth <= innerWidth"), f"wider than its {width} pixels"
        check_narrow(page)
        for dark in (False, True):
            page.dark(dark)
            contrast = page.eval(CONTRAST)
            assert contrast >= 4.5, f"contrast {contrast:.1f} in {'dark' if dark else 'light'}"
            page.screenshot(os.path.join(folder, f"{name}-{width}-{'dark' if dark else 'light'}.png"))
    page.width(1200)


def check_hostile_names(page, smsim, folder):
    """Names from a file are text, whatever they hold."""
    source = os.path.join(folder, "hostile.sass")
    with open(source, "w", encoding="utf-8") as file:
        file.write("\tcode for sm_90\n\t\tFunction : <img src=x onerror=alert(1)></script><b>\n"
                   "        /*0000*/  EXIT ;  /* 0x000000000000794d */\n"
                   "                          /* 0x000fea0003800000 */\n")
    page.open(write(smsim, folder, "hostile", source))
    assert page.eval("document.querySelectorAll('img:not([src^=\"data:image\"]), b').length") == 0
    assert "<img" in text(page, "h1")


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    smsim, root, folder = arguments
    if chromium.find() is None:
        print("skipped: no Chromium (Debian: chromium-headless-shell)")
        return SKIPPED
    os.makedirs(folder, exist_ok=True)
    stencil = write(smsim, folder, "stencil3", os.path.join(root, "traces/hopper/stencil3.sass"))
    large = write(smsim, folder, "outer8x8", os.path.join(root, "traces/hopper/outer8x8.sass"), "--warps", "16")
    with chromium.Page() as page:
        check_contents(page, stencil)
        check_control_words(page)
        check_timeline(page, "FMUL", "short_scoreboard")
        check_looks(page, folder, "stencil3")
        page.requests.clear()
        check_contents(page, large)
        check_looks(page, folder, "outer8x8")
        check_hostile_names(page, smsim, folder)
        assert not page.problems, page.problems
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
