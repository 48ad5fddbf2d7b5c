"""The HTML page in a headless browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import AXE, BROWSER, Tab, browser
from tests.samples import WRK

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def tab(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    folder = tmp_path_factory.mktemp("browser")
    (folder / "page.html").write_text(page)
    with browser(folder) as opened:
        opened.open((folder / "page.html").as_uri(), 360)
        yield opened


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


SEEN = "[...document.querySelectorAll('.drawing')].filter(box => box.offsetParent !== null)"


def test_a_phone_has_narrow_figures_with_text_of_11_pixels(tab: Tab) -> None:
    """Two figures of wrkparse.plot; that of a notebook's own axes can't be drawn anew, and scrolls."""
    wide = f"{SEEN}.filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.closest('figure').id)"
    pixels = (
        "text => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getBoundingClientRect().width"
        " / text.ownerSVGElement.viewBox.baseVal.width"
    )
    smallest = f"Math.min(...{SEEN}.flatMap(box => [...box.querySelectorAll('svg:not(.points) text')].map({pixels})))"
    try:
        for width, scrolling in ((390, ["fig:curve"]), (1280, [])):
            tab.do(
                "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600
            )
            assert tab.value(f"{SEEN}.map(box => box.closest('figure').id)") == [
                "fig:curve",
                "fig:flight",
                "fig:pauses",
            ]
            assert tab.value(wide) == scrolling
            assert tab.value(smallest) >= 11
    finally:
        tab.do("Emulation.setDeviceMetricsOverride", width=360, height=800, deviceScaleFactor=1, mobile=True)


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
    write_in(tab, ".tools .tool:nth-child(1) input", "server")
    assert tab.value("[...document.querySelectorAll('tr.marked')].map(row => row.cells[0].textContent)") == [
        "高速 server"
    ]
    write_in(tab, ".tools .tool:nth-child(1) input", "throughput")
    assert tab.value("document.querySelector('svg text.marked').textContent").startswith("Throughput")
    write_in(tab, ".tools .tool:nth-child(3) input", "高速=<i>fast</i>")
    assert tab.value(cells) == ["nginx & <b>", "<i>fast</i> server"]
    write_in(tab, ".tools .tool:nth-child(3) input", "")
    write_in(tab, ".tools .tool:nth-child(2) input", "nginx")
    assert tab.value(cells) == ["高速 server"]
    write_in(tab, ".tools .tool:nth-child(2) input", "")
    write_in(tab, ".tools .tool:nth-child(1) input", "")
    assert tab.value("document.querySelectorAll('.marked').length") == 0
    assert tab.value(cells) == ["nginx & <b>", "高速 server"]


CARD = "document.getElementById('card')"
FLIGHT = "document.querySelector('#fig\\\\:flight .narrow .points')"
PAUSES = "document.querySelector('#fig\\\\:pauses .narrow .points')"


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
    tab.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    box = tab.value(f"{FLIGHT}.querySelector('circle').getBoundingClientRect().toJSON()")
    tab.do("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + box["width"] / 2 + 7, y=box["y"] + 3)
    assert "7.862 in flight" in card(tab, "7.862 in flight")
    tab.do("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    tab.value(f"new Promise(done => {{ const look = () => {CARD}.hidden ? done() : setTimeout(look, 20); look() }})")


def test_a_point_marks_what_it_belongs_to_in_all_figures(tab: Tab) -> None:
    tab.value(f"{PAUSES}.querySelector('circle').focus()")
    key(tab, "Enter")
    series = tab.value("document.activeElement.parentNode.dataset.setting")
    assert series == "sweep termination"
    assert "mark=sweep+termination" in tab.value("location.hash")
    marked = tab.value("[...document.querySelectorAll('circle.marked')].map(p => p.parentNode.dataset.setting)")
    assert marked == ["sweep termination"] * 2 * 2  # in the figure for screens and in that for phones
    key(tab, "Enter")
    assert tab.value("document.querySelectorAll('.marked').length") == 0
    key(tab, "Escape")


def test_a_name_in_a_table_marks_it_everywhere_and_the_field_suggests_names(tab: Tab) -> None:
    offered = tab.value("[...document.querySelectorAll('#names option')].map(option => option.value)")
    assert {"nginx & <b>", "高速 server", "sweep termination", "mark termination"} <= set(offered)
    assert tab.value("document.querySelector('.tools input').getAttribute('list')") == "names"
    press(tab, "#tbl\\:speed tbody th")
    assert tab.value("document.querySelector('.tools .chip').textContent") == "nginx & <b> ×"
    assert tab.value("[...document.querySelectorAll('tr.marked')].map(row => row.cells[0].textContent)") == [
        "nginx & <b>"
    ]
    press(tab, "#tbl\\:speed tbody th")
    assert tab.value("document.querySelectorAll('.marked').length") == 0


def test_lines_of_other_names_are_faint(tab: Tab) -> None:
    """The stems of the two kinds of pauses are lines with the names of their kinds."""
    faint = "[...document.querySelectorAll('svg .faint')].map(group => group.dataset.setting)"
    write_in(tab, ".tools .tool:nth-child(1) input", "sweep")
    assert set(tab.value(faint)) == {"mark termination"}
    write_in(tab, ".tools .tool:nth-child(1) input", "")
    assert tab.value(faint) == []


def test_a_link_shows_the_same_view(tab: Tab) -> None:
    url = tab.value("location.href").partition("#")[0]
    tab.open("about:blank", 360)
    tab.open(f"{url}#~tbl%3Along.sort=0%2C-1&mark=nginx", 360)
    assert tab.value(ROWS)[0] == "99"
    assert tab.value("document.querySelectorAll('tr.marked').length") == 1
    tab.open("about:blank", 360)
    tab.open(url, 360)


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
