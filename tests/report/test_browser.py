"""The HTML page in a headless browser, controlled through a pipe by the protocol of its developer tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.samples import WRK

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-pipe"
)
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium on this machine")


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

    def value(self, expression: str) -> Any:
        got = self.do("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in got, got
        return got["result"].get("value")


@pytest.fixture(scope="module")
def tab(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    folder = tmp_path_factory.mktemp("browser")
    (folder / "page.html").write_text(page)
    browser_reads, commands = os.pipe()
    answers, browser_writes = os.pipe()
    line = f"exec {PROGRAM} {FLAGS} --user-data-dir={folder}/profile 3<&{browser_reads} 4>&{browser_writes}"
    started = subprocess.Popen(
        ["bash", "-c", line],
        pass_fds=(browser_reads, browser_writes),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(browser_reads)
    os.close(browser_writes)
    opened = Tab(commands, answers)
    opened.open((folder / "page.html").as_uri(), 360)
    yield opened
    opened.commands.close()  # the browser exits when its pipe is closed
    opened.answers.close()
    started.wait(20)


def test_the_console_is_empty_and_there_are_no_requests(tab: Tab, tmp_path: Path) -> None:
    spoken = {"Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"}
    assert [event for event in tab.said if event.get("method") in spoken] == []
    asked = [
        event["params"]["request"]["url"] for event in tab.said if event.get("method") == "Network.requestWillBeSent"
    ]
    assert [url[:8] for url in asked if not url.startswith("data:")] == ["file:///"]


def test_a_phone_scrolls_wide_tables_and_not_the_page(tab: Tab) -> None:
    assert tab.value("document.documentElement.clientWidth") == 360
    assert tab.value("document.documentElement.scrollWidth") == 360
    wide = "[...document.querySelectorAll('.wide')].filter(box => box.scrollWidth > box.clientWidth + 1).length"
    assert tab.value(wide) >= 2
    smallest = "Math.min(...[...document.querySelectorAll('p, td, figcaption')].map(e => parseFloat(getComputedStyle(e).fontSize)))"
    assert tab.value(smallest) >= 14


def test_links_in_the_contents_lead_to_their_headings(tab: Tab) -> None:
    links = "[...document.querySelectorAll('nav a, main a[href^=\"#\"]')]"
    assert tab.value(f"{links}.length") >= 8
    lost = f"{links}.filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).map(a => a.hash)"
    assert tab.value(lost) == []
    there = (
        "(a => { a.click(); return document.querySelector(':target').textContent })(document.querySelector('nav a'))"
    )
    assert "What was measured" in tab.value(there)


def test_drawings_have_descriptions_and_use_the_embedded_fonts(tab: Tab) -> None:
    assert tab.value("[...document.querySelectorAll('img:not([alt])')].length") == 0
    assert tab.value("[...document.querySelectorAll('svg')].every(svg => svg.getAttribute('aria-label'))")
    loaded = "document.fonts.ready.then(() => [...document.fonts].filter(f => f.status == 'loaded').map(f => f.family))"
    assert {name.strip('"') for name in tab.value(loaded)} >= {"Source Sans Pro", "Noto Sans CJK JP"}


def test_dark_mode_is_dark(tab: Tab) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    assert tab.value(colour) == "rgb(255, 255, 255)"
    tab.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert tab.value(colour) == "rgb(18, 24, 29)"


ROWS = "[...document.getElementById('tbl:long').querySelectorAll('tbody tr')].map(row => row.textContent)"


def press(tab: Tab, selector: str) -> None:
    tab.value(f"document.querySelector({json.dumps(selector)}).click()")


def write_in(tab: Tab, selector: str, text: str) -> None:
    field = f"document.querySelector({json.dumps(selector)})"
    tab.value(f"{field}.value = {json.dumps(text)}; {field}.dispatchEvent(new Event('input'))")


def test_a_long_table_opens_sorts_and_filters(tab: Tab) -> None:
    """100 rows with the numbers 0 to 99."""
    assert len(tab.value(ROWS)) == 40
    press(tab, "#tbl\\:long button.more")
    assert len(tab.value(ROWS)) == 100
    press(tab, "#tbl\\:long th button")
    press(tab, "#tbl\\:long th button")
    assert tab.value(ROWS)[:3] == ["99", "98", "97"]
    assert tab.value("document.querySelector('#tbl\\\\:long th').getAttribute('aria-sort')") == "descending"
    write_in(tab, "#tbl\\:long .filter input", "7")
    expected = [str(n) for n in range(99, -1, -1) if "7" in str(n)]
    assert tab.value(ROWS) == expected
    assert tab.value("document.querySelector('#tbl\\\\:long output').textContent") == f"{len(expected)} of 100 rows"
    assert "tbl%3Along.filter=7" in tab.value("location.hash")
    write_in(tab, "#tbl\\:long .filter input", "")
    press(tab, "#tbl\\:long th button")
    assert tab.value(ROWS)[:3] == ["0", "1", "2"]


def test_a_name_is_marked_hidden_and_renamed_everywhere(tab: Tab) -> None:
    cells = "[...document.querySelectorAll('#tbl\\\\:speed tbody tr')].map(row => row.cells[0].textContent)"
    write_in(tab, ".tools label:nth-child(1) input", "server")
    assert tab.value("[...document.querySelectorAll('tr.marked')].map(row => row.cells[0].textContent)") == [
        "高速 server"
    ]
    write_in(tab, ".tools label:nth-child(1) input", "throughput")
    assert tab.value("document.querySelector('svg text.marked').textContent").startswith("Throughput")
    write_in(tab, ".tools label:nth-child(3) input", "高速=<i>fast</i>")
    assert tab.value(cells) == ["nginx & <b>", "<i>fast</i> server"]
    write_in(tab, ".tools label:nth-child(3) input", "")
    write_in(tab, ".tools label:nth-child(2) input", "nginx")
    assert tab.value(cells) == ["高速 server"]
    write_in(tab, ".tools label:nth-child(2) input", "")
    write_in(tab, ".tools label:nth-child(1) input", "")
    assert tab.value("document.querySelectorAll('.marked').length") == 0
    assert tab.value(cells) == ["nginx & <b>", "高速 server"]


CARD = "document.getElementById('card')"
FLIGHT = "document.querySelector('#fig\\\\:flight .points')"
PAUSES = "document.querySelector('#fig\\\\:pauses .points')"


def key(tab: Tab, name: str) -> None:
    """Press a key as a person would: the browser moves the focus and sends the events."""
    code = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "ArrowLeft": 37, "ArrowRight": 39}[name]
    for kind in ("keyDown", "keyUp"):
        tab.do("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)


def card(tab: Tab, words: str) -> str:
    """The text of the card, once it has these words; what it says after some seconds if it never has."""
    says = f"(!{CARD}.hidden && {CARD}.innerText.includes({json.dumps(words)}))"
    waits = f"new Promise(done => {{ let n = 0; const look = () => {says} || ++n > 300 ? done({CARD}.innerText) : setTimeout(look, 10); look() }})"
    return str(tab.value(waits))


def test_a_point_shows_its_run_and_the_lines_of_the_log(tab: Tab) -> None:
    tab.value(f"{FLIGHT}.querySelector('circle').focus()")
    said = card(tab, "in flight")
    assert "7.862 in flight on 8 connections" in said  # 40669.44/s · 193.32 µs
    assert "bench/page.md:1–8" in said
    lines = tab.value(f"[...{CARD}.querySelectorAll('pre div')].map(line => line.lastChild.textContent)")
    assert lines == WRK.splitlines()
    key(tab, "Escape")
    assert tab.value(f"{CARD}.hidden")


def test_the_keyboard_reaches_every_point_with_one_stop_for_a_figure(tab: Tab) -> None:
    stops = f"[...{PAUSES}.querySelectorAll('[tabindex=\"0\"]')].length"
    words = "document.activeElement.getAttribute('aria-label')"
    tab.value(f"{FLIGHT}.querySelector('circle').focus()")
    key(tab, "Tab")
    seen = [tab.value(words)]
    for _ in range(4):  # two collections with two pauses each; the last key stays at the end
        key(tab, "ArrowRight")
        seen.append(tab.value(words))
    assert len(set(seen)) == 4
    assert [label.rpartition(":")[2] for label in seen] == ["9", "9", "10", "10", "10"]
    assert tab.value(stops) == 1
    assert tab.value("document.activeElement.getAttribute('aria-describedby')") == "card"
    key(tab, "Tab")
    assert not tab.value(f"{PAUSES}.contains(document.activeElement)")


def test_the_pointer_finds_the_nearest_point(tab: Tab) -> None:
    tab.value("document.documentElement.style.scrollBehavior = 'auto'")
    tab.value(f"{FLIGHT}.querySelector('circle').scrollIntoView({{ block: 'center', inline: 'center' }})")
    box = tab.value(f"{FLIGHT}.querySelector('circle').getBoundingClientRect().toJSON()")
    tab.do("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + box["width"] / 2 + 7, y=box["y"] + 3)
    assert "7.862 in flight" in card(tab, "7.862 in flight")
    tab.do("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    tab.value(f"new Promise(done => {{ const look = () => {CARD}.hidden ? done() : setTimeout(look, 20); look() }})")


def test_a_point_marks_what_it_belongs_to_in_all_figures(tab: Tab) -> None:
    tab.value(f"{PAUSES}.querySelector('circle').focus()")
    key(tab, "Enter")
    series = tab.value("document.activeElement.parentNode.dataset.series")
    assert series == "sweep termination"
    assert "mark=sweep+termination" in tab.value("location.hash")
    marked = tab.value("[...document.querySelectorAll('circle.marked')].map(p => p.parentNode.dataset.series)")
    assert marked == ["sweep termination"] * 2
    key(tab, "Enter")
    assert tab.value("document.querySelectorAll('.marked').length") == 0
    key(tab, "Escape")


def test_a_name_in_a_table_marks_it_everywhere_and_the_field_suggests_names(tab: Tab) -> None:
    offered = tab.value("[...document.querySelectorAll('#names option')].map(option => option.value)")
    assert {"nginx & <b>", "高速 server", "sweep termination", "mark termination"} <= set(offered)
    assert tab.value("document.querySelector('.tools input').getAttribute('list')") == "names"
    press(tab, "#tbl\\:speed tbody th")
    assert tab.value("document.querySelector('.tools input').value") == "nginx & <b>"
    assert tab.value("[...document.querySelectorAll('tr.marked')].map(row => row.cells[0].textContent)") == [
        "nginx & <b>"
    ]
    press(tab, "#tbl\\:speed tbody th")
    assert tab.value("document.querySelectorAll('.marked').length") == 0


def test_lines_of_other_names_are_faint(tab: Tab) -> None:
    """The stems of the two kinds of pauses are lines with the names of their kinds."""
    faint = "[...document.querySelectorAll('svg .faint')].map(group => group.dataset.series)"
    write_in(tab, ".tools label:nth-child(1) input", "sweep")
    assert set(tab.value(faint)) == {"mark termination"}
    write_in(tab, ".tools label:nth-child(1) input", "")
    assert tab.value(faint) == []


def test_a_setting_marks_its_rows_by_the_numbers_in_their_cells(tab: Tab) -> None:
    rows = "<tr><th>wren</th><td>64</td></tr><tr><th>wren</th><td>8</td></tr>"
    tab.value(f"document.querySelector('main').insertAdjacentHTML('beforeend', '<table><tbody>{rows}</tbody></table>')")
    write_in(tab, ".tools label:nth-child(1) input", "wren, connections 8")
    assert tab.value("[...document.querySelectorAll('tr.marked')].map(row => row.textContent)") == ["wren8"]
    write_in(tab, ".tools label:nth-child(1) input", "")
    url = tab.value("location.href").partition("#")[0]
    tab.open("about:blank", 360)
    tab.open(url, 360)


def test_a_link_shows_the_same_view(tab: Tab) -> None:
    url = tab.value("location.href").partition("#")[0]
    tab.open("about:blank", 360)
    tab.open(f"{url}#~tbl%3Along.sort=0%2C-1&mark=nginx", 360)
    assert tab.value(ROWS)[0] == "99"
    assert tab.value("document.querySelectorAll('tr.marked').length") == 1
    tab.open("about:blank", 360)
    tab.open(url, 360)


# scripts/test installs it.
AXE = Path(__file__).parents[2] / "build" / "node" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; scripts/test does that where npm is")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, width: int, scheme: str) -> None:
    tab.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    url = tab.value("location.href")
    tab.open("about:blank", width)
    tab.open(url, width)
    tab.do("Runtime.evaluate", expression=AXE.read_text())
    found = tab.value("axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]))")
    assert found == []
