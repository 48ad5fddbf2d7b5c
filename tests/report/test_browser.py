"""The HTML page in a headless browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import AXE, BROWSER, Tab, browser

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
