# SPDX-License-Identifier: MIT
"""A headless Chromium, driven through its DevTools protocol over two pipes; nothing else is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """The program's name; None if there is none."""
    return next((name for name in NAMES if shutil.which(name)), None)


class Page:
    """One page with what went wrong on it: `problems` holds console messages, exceptions, requests."""

    def __init__(self, width=1280, height=900):
        self.problems, self.requests = [], []
        self._next, self._replies, self._buffer, self._events = 0, {}, b"", []
        self._folder = tempfile.TemporaryDirectory()
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        command = [find(), "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--headless",
                   "--hide-scrollbars", "--no-first-run", f"--user-data-dir={self._folder.name}",
                   f"--window-size={width},{height}", "about:blank"]

        def wire():  # the protocol's pipes are file descriptors 3 and 4
            spare = [os.dup(to_browser), os.dup(from_browser)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                         preexec_fn=wire, pass_fds=(3, 4, to_browser, from_browser))
        os.close(to_browser)
        os.close(from_browser)
        targets = self._call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def _receive(self, limit):
        """One message; hears of the page's problems."""
        until = time.monotonic() + limit
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._read, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self._buffer += data
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"].get("exception", {}).get("description", "?"))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append(str([one.get("value") for one in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        return message

    def _call(self, method, session=None, **params):
        self._next += 1
        message = {"id": self._next, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._receive(60)
            if reply.get("id") == message["id"]:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]
            if "method" in reply:
                self._events.append(reply["method"])

    def call(self, method, **params):
        return self._call(method, self._session, **params)

    def open(self, path):
        self._events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        until = time.monotonic() + 60
        while "Page.loadEventFired" not in self._events:
            message = self._receive(max(0.1, until - time.monotonic()))
            self._events.append(message.get("method"))

    def eval(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def hover(self, selector):
        """Moves the mouse to the middle of an element, which is scrolled into view."""
        box = self.eval(f"""(() => {{ const one = document.querySelector({json.dumps(selector)});
            one.scrollIntoView({{block: "center"}});
            const box = one.getBoundingClientRect();
            return [box.left + Math.min(box.width, 200) / 2, box.top + box.height / 2]; }})()""")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def width(self, pixels):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=900, deviceScaleFactor=1, mobile=False)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
