"""A headless browser, controlled through a pipe by the protocol of its developer tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-pipe"
)
# scripts/test installs it.
AXE = Path(__file__).parents[1] / "build" / "node" / "node_modules" / "axe-core" / "axe.min.js"


class Tab:
    """A page of the browser: commands and their answers are JSON, ended by a NUL byte."""

    def __init__(self, write: int, read: int) -> None:
        self.commands, self.answers = os.fdopen(write, "wb", 0), os.fdopen(read, "rb", 0)
        self.count, self.rest, self.session = 0, b"", ""
        self.said: list[dict[str, Any]] = []
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.do(f"{domain}.enable")

    def next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            got = os.read(self.answers.fileno(), 1 << 16)
            assert got, "the browser ended"
            self.rest += got
        message, _, self.rest = self.rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        self.said.append(found)
        return found

    def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.count += 1
        command = {"id": self.count, "method": method, "params": parameters}
        command |= {"sessionId": self.session} if self.session else {}
        self.commands.write(json.dumps(command).encode() + b"\0")
        while (answer := self.next()).get("id") != self.count:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, url: str, width: int) -> None:
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        self.do("Page.navigate", url=url)
        while self.next().get("method") != "Page.loadEventFired":
            pass

    def search(self, selector: str, text: str) -> None:
        """Type a text into a field, and press Enter, which leads to another page."""
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        self.do("Input.insertText", text=text)
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        before = len(self.said)
        self.do("Input.dispatchKeyEvent", type="keyDown", **key)
        while not any(said.get("method") == "Page.loadEventFired" for said in self.said[before:]):
            self.next()

    def value(self, expression: str) -> Any:
        got = self.do("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in got, got
        return got["result"].get("value")


@contextmanager
def browser(folder: Path) -> Iterator[Tab]:
    """A tab of a browser that keeps its profile in a folder."""
    browser_reads, commands = os.pipe()
    answers, browser_writes = os.pipe()
    line = f"exec {BROWSER} {FLAGS} --user-data-dir={folder}/profile 3<&{browser_reads} 4>&{browser_writes}"
    started = subprocess.Popen(
        ["bash", "-c", line],
        pass_fds=(browser_reads, browser_writes),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(browser_reads)
    os.close(browser_writes)
    opened = Tab(commands, answers)
    yield opened
    opened.commands.close()  # the browser exits when its pipe is closed
    opened.answers.close()
    started.wait(20)
