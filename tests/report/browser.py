"""Chromium without a window, driven through the pipes that it offers for that (DevTools)."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageStat

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe", "--hide-scrollbars", "about:blank",
)  # fmt: skip
FREE = 20  # the first number for files that the browser is not given as 3 and 4
TEXT_WIDTH = 688  # px of CSS: A4 without its margins, 182 mm
LATEST = 60  # seconds that an answer may take


class Browser:
    """A tab. What it logs as an error, and what it asks the network for, is kept."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._read = b""
        self._number = 0
        self._session = ""
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        whole = memoryview(json.dumps(message).encode() + b"\0")
        while whole:
            whole = whole[os.write(self._commands, whole) :]
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            part = os.read(self._answers, 1 << 20)
            assert part, "the browser has ended"
            self._read += part
        line, _, self._read = self._read.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, about: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(about["exceptionDetails"])[:500])
        if method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.errors.append(json.dumps(about["args"])[:500])
        if method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        if method == "Network.requestWillBeSent":
            address = about["request"]["url"]
            if not address.startswith("data:"):
                self.requests.append(address)

    def open(self, page: Path, width: int = 1440, height: int = 900, dark: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.appear(dark)
        self.call("Page.navigate", url=page.as_uri())
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def appear(self, dark: bool) -> None:
        value = "dark" if dark else "light"
        features = [{"name": "prefers-color-scheme", "value": value}]
        self.call("Emulation.setEmulatedMedia", media="", features=features)

    def run(self, script: str) -> Any:
        """The value of a script."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until a script says true."""
        end = time.monotonic() + LATEST
        while not self.run(script):
            assert time.monotonic() < end, f"not true in {LATEST} s: {script}"
            time.sleep(0.03)

    def settle(self) -> None:
        """Wait for two frames."""
        self.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))")

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of an element, which is brought into view."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        return x, y

    def move(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def click(self, x: float, y: float) -> None:
        for what in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=what, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def click_on(self, selector: str) -> None:
        """Click where it stands when all above it that is drawn late has its height."""
        before, now = (-1.0, -1.0), self.place(selector)
        while now != before:
            self.settle()
            before, now = now, self.place(selector)
        self.click(*now)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def colour(self, x: float, y: float, side: int) -> list[float]:
        """The mean red, green and blue of a square on the screen."""
        shot = base64.b64decode(self.call("Page.captureScreenshot")["data"])
        with Image.open(BytesIO(shot)) as image:
            left, top = round(x - side / 2), round(y - side / 2)
            square = image.convert("RGB").crop((left, top, left + side, top + side))
            return ImageStat.Stat(square).mean

    def cut_on_paper(self) -> list[str]:
        """Tables and plots that a sheet of A4 does not hold, and tables that have lost columns."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=TEXT_WIDTH, height=1000, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.call("Emulation.setEmulatedMedia", media="print", features=[])
        self.run("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        self.settle()
        cut: list[str] = self.run(
            "[...document.querySelectorAll('table, .plot svg, figure')].filter("
            "e => e.getClientRects().length && e.getBoundingClientRect().right >"
            f" {TEXT_WIDTH} + 1).map(e => e.outerHTML.slice(0, 300))"
        )
        self.call("Emulation.setEmulatedMedia", media="", features=[])
        return cut

    def pdf(self) -> bytes:
        """The page as it is printed on A4."""
        sheet = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}
        return base64.b64decode(self.call("Page.printToPDF", **sheet)["data"])


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser of its own, ended at the end."""
    assert CHROMIUM is not None
    reading, commands = os.pipe()
    answers, writing = os.pipe()
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, FREE) for end in (reading, writing)]
    script = (
        f"import os, sys; os.dup2({theirs[0]}, 3); os.dup2({theirs[1]}, 4);"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, CHROMIUM, f"--user-data-dir={profile}", *FLAGS],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        pass_fds=theirs,
    )  # fmt: skip
    for end in (reading, writing, *theirs):
        os.close(end)
    try:
        yield Browser(commands, answers)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(commands)
        os.close(answers)
