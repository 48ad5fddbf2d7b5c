"""Settings that a reader hides, marks and renames, in every kind of figure, in a headless browser."""

from __future__ import annotations

import functools
import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from matplotlib.axes import Axes

import wrkparse as wp
from tests.analysis.go.test_gc_costs import logs as gc_logs
from tests.analysis.go.test_gc_costs import trace
from tests.analysis.go.test_windows import logs as window_logs
from tests.browser import AXE, BROWSER, Tab, browser
from tests.once import made_once
from tests.report.test_changes import side
from tests.samples import GC, SCHED, WRK
from wrkparse.report.document.model import MARKER, Document, Exhibit
from wrkparse.report.exhibits.mime_types import FIGURE, FOR_REPORT, PAGES, TABLE
from wrkparse.report.output.html import render_html

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")

NAMES = ("heron", "plover", "wren")
STUDY = Path(__file__).parents[2] / "data" / "nuster-nginx-varnish"


def report_text(rate: float, connections: int, tail: float = 4.0) -> str:
    """A report of wrk without a contradiction: requests = rate × time, latency = connections / rate."""
    mean_us = 1e6 * connections / rate
    percentiles = (("50%", 0.8), ("90%", 1.5), ("99%", tail))
    latencies = "".join(f"     {level}  {times * mean_us / 1e3:.3f}ms\n" for level, times in percentiles)
    return (
        WRK.replace("40669.44", f"{rate:.2f}")
        .replace("8 connections", f"{connections} connections")
        .replace("193.32us", f"{mean_us:.2f}us")
        .replace("1.57ms", "15.70ms")
        .replace("  410759 ", f"  Latency Distribution\n{latencies}  {rate * 10.1:.0f} ")
    )


@functools.cache
def loads(names: tuple[str, ...] = NAMES, connections: tuple[int, ...] = (8, 64), runs: int = 3) -> wp.Dataset:
    """Runs of servers under loads, each lark-aa % slower than the one before."""
    chance = random.Random(7)
    parts = []
    for place, name in enumerate(names):
        for load in connections:
            for _ in range(runs):
                rate = 40000 * 0.9 ** (3 * place / len(names)) * (1 + math.log(load) / 20) * chance.uniform(0.99, 1.01)
                parts.append(f"## {name}\n```\n{report_text(rate, load, 4 + place / len(names))}```\n")
    return wp.parse_text("".join(parts), "bench/servers.md")


@functools.cache
def growth(names: tuple[str, ...] = NAMES, connections: tuple[int, ...] = (8, 64)) -> wp.Dataset:
    """Rates by cores that follow Amdahl's law, up to a per mille."""
    parts = []
    for place, name in enumerate(names):
        for load in connections:
            for cores, error in ((1, 1.001), (2, 0.999), (4, 1.0005), (8, 0.9995), (16, 1.0)):
                rate = (9000 - 500 * place + load) * cores / (1 + 0.03 * (cores - 1)) * error
                server = f"$ GOMAXPROCS={cores} ./{name}\n$ wrk -t8 -c{load} http://10.0.1.70:8080/hello\n"
                parts.append(f"## {name}\n```\n{server}{report_text(rate, load)}```\n")
    return wp.parse_text("".join(parts), "bench/cores.md")


class Kind(NamedTuple):
    """A figure, a setting that is hidden in it, and a text that must stay."""

    draw: Callable[[Path], Axes]
    hide: str
    stays: str


def gc_settings_text() -> str:
    rates = {"50": 0.9, "100": 1.0, "200": 1.1}
    return "".join(
        f"## {name}\n```\n$ GOGC={gogc} ./{name}\n{report_text(30000 * rate, load)}```\n"
        for name in NAMES
        for gogc, rate in rates.items()
        for load in (8, 64)
    )


def cost_logs(folder: Path) -> Path:
    return gc_logs(
        folder,
        gogc_400_1=trace(stop_us=40, every_ms=100, heap_mib=40),
        gogc_50_1=trace(stop_us=30, every_ms=10, heap_mib=8),
        gogc_50_2=trace(stop_us=50, every_ms=20, heap_mib=10),
    )


def compared_sides(folder: Path) -> Axes:
    sides = [
        side(folder / "old", heron=40000, plover=30000, wren=20000),
        side(folder / "now", heron=36000, plover=30030, wren=20020),
    ]
    ds, inputs = wp.open_sides(sides)
    return wp.plot.changes(wp.Changes(ds, inputs).table, inputs, metric="throughput")


def window_figure(folder: Path) -> Axes:
    return wp.plot.window(wp.read(window_logs(folder, ticks=True)))


def sched_text() -> str:
    """A trace of each of two servers."""
    ticks = "".join(SCHED.format(t=1000 * n) for n in range(6))
    return "".join(f"## {name}\n```\n{ticks}```\n" for name in ("heron", "plover"))


LONG = tuple(f"quartz-{part}-" + "y" * 30 + f"-{part}-end" for part in ("alpha", "beta", "gamma"))
# Figures of one process, each with its setting and another one.
ONE_PROCESS: dict[str, Kind] = {
    "one-gc": Kind(lambda folder: wp.plot.gc(wp.read(cost_logs(folder)), where="gogc = '400'"), "GOGC 400", "GOGC 50"),
    "one-sched": Kind(
        lambda _: wp.plot.sched(wp.parse_text(sched_text(), "bench/s.md"), where="framework = 'heron'"),
        "heron", "plover",
    ),
}  # fmt: skip
MANY = tuple(f"lark-{one}{two}" for one in "abcde" for two in "abcdef")
KINDS = {
    "forest": Kind(lambda _: wp.plot.compare(loads(connections=(8,)), baseline="framework=heron"), "plover", "wren"),
    "forest-groups": Kind(lambda _: wp.plot.compare(loads(), baseline="framework=heron"), "plover", "wren"),
    "forest-setting": Kind(
        lambda _: wp.plot.compare(loads(), baseline="framework=heron"), "plover, connections 8", "plover"
    ),
    "forest-many": Kind(
        lambda _: wp.plot.compare(loads(MANY, (8,), 2), baseline="framework=lark-aa"), "lark-ab", "lark-ac"
    ),
    "forest-rest": Kind(
        lambda _: wp.plot.compare(loads(MANY, (8,), 2), baseline="framework=lark-aa"), "lark-ef", "20 more rows"
    ),
    "forest-together": Kind(
        lambda _: wp.plot.compare(loads(MANY), baseline="framework=lark-aa"), "lark-ac", "lark-ad"
    ),
    "long-names": Kind(
        lambda _: wp.plot.compare(loads(LONG, (8,)), baseline=f"framework={LONG[0]}"), LONG[1], "gamma"
    ),
    "bars": Kind(lambda _: wp.plot.compare(loads(connections=(8,))), "plover", "wren"),
    "bars-panels": Kind(
        lambda _: wp.plot.compare(loads(), rows="framework", columns="connections"), "plover", "wren"
    ),
    "multiples": Kind(lambda _: wp.plot.multiples(loads()), "plover", "wren"),
    "multiples-panels": Kind(lambda _: wp.plot.multiples(growth()), "plover", "wren"),
    "heat": Kind(lambda _: wp.plot.multiples(loads(MANY)), "lark-ac", "lark-ad"),
    "scaling": Kind(lambda _: wp.plot.scaling(growth(NAMES, (8,))), "plover", "wren"),
    "scaling-loads": Kind(lambda _: wp.plot.scaling(growth()), "connections 64", "connections 8"),
    "efficiency": Kind(lambda _: wp.plot.efficiency(growth()), "plover", "wren"),
    "latency-runs": Kind(lambda _: wp.plot.latency(loads(connections=(8,), runs=1)), "plover", "wren"),
    "latency": Kind(lambda _: wp.plot.latency(loads()), "plover", "wren"),
    "latency-panel": Kind(lambda _: wp.plot.latency(loads()), "connections 64", "wren"),
    "latency-rows": Kind(lambda _: wp.plot.latency(loads(MANY, (8,))), "lark-ac", "lark-ad"),
    "ccdf": Kind(lambda _: wp.plot.ccdf(loads(connections=(8,))), "plover", "wren"),
    "audit": Kind(lambda _: wp.plot.audit(loads()), "plover", "agrees"),
    "changes": Kind(compared_sides, "heron", "wren"),
    "gc-settings": Kind(
        lambda _: wp.plot.gc_settings(wp.parse_text(gc_settings_text(), "bench/gc.md")), "GOGC 200", "heron"
    ),
    "gc-costs": Kind(lambda folder: wp.plot.gc_costs(wp.read(cost_logs(folder))), "GOGC 50", "GOGC 400"),
    "mmu": Kind(lambda folder: wp.plot.mmu(wp.read(cost_logs(folder))), "GOGC 50", "GOGC 400"),
    "gc": Kind(
        lambda _: wp.plot.gc(wp.parse_text("".join(GC.format(n=n, t=n) for n in range(1, 6)))),
        "sweep termination", "mark termination",
    ),
    "window": Kind(window_figure, "waiting", "idle Ps"),
    "reproduce": Kind(lambda _: wp.plot.reproduce(wp.read(STUDY)), "varnish", "nuster"),
}  # fmt: skip


def exhibit(name: str, content: dict[str, Any], kind: str = FIGURE) -> Exhibit:
    caption = {"t": "Str", "c": f"The figure {name}"}
    return Exhibit(content, kind, 1, 1, [caption])


def page_of(exhibits: list[Exhibit]) -> str:
    blocks = [{"t": "RawBlock", "c": [MARKER, str(at)]} for at in range(len(exhibits))]
    return render_html(Document("Figures", [], blocks, exhibits), "by nobody").decode()


def figure_content(drawn: Axes, name: str) -> dict[str, Any]:
    figure = wp.Figure(drawn, "Drawn", f"fig:{name}", "a figure")
    only_wide = figure._for_page(figure.drawing, figure.label)  # narrow ones take as long again
    return {"label": figure.label, "caption": figure.caption, "alt": figure.alt} | only_wide


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return made_once(tmp_path_factory, "settings-in-figures", lambda: draw_all(tmp_path_factory.mktemp("figures")))


def draw_all(folder: Path) -> dict[str, dict[str, Any]]:
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOR_REPORT, PAGES)
        for name, kind in (KINDS | ONE_PROCESS).items():
            (folder / name).mkdir()
            found[name] = figure_content(kind.draw(folder / name), name)
    return found


@pytest.fixture(scope="module")
def tab(contents: dict[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    folder = tmp_path_factory.mktemp("page")
    table = {
        "label": "tbl:servers", "csv": "", "left_out": 0, "more_rows": [], "repeats": "", "caption": "",
        "columns": [{"title": title, "unit": "", "right": right} for title, right in (("framework", False), ("connections", True), ("GOGC", False), ("runs", True))],
        "rows": [[name, load, gogc, "8"] for name in ("heron", "plover", "plover-tls") for load, gogc in (("8", "50"), ("64", "off"))],
    }  # fmt: skip
    loads = table | {
        "label": "tbl:loads",
        "columns": [*table["columns"][1::-1]],
        "rows": [["8", "heron"], ["64", "heron"]],
    }
    loads["columns"] = [column | {"right": False} for column in loads["columns"]]
    exhibits = [exhibit(name, content) for name, content in contents.items()] + [exhibit("loads", loads, TABLE)]
    (folder / "page.html").write_text(page_of([*exhibits, exhibit("servers", table, TABLE)]))
    with browser(folder) as opened:
        opened.open((folder / "page.html").as_uri(), 1280)
        yield opened


BOX = "document.getElementById('fig:{name}')"
# What a reader sees of a figure: its marks and texts with their places.
SEEN = """(() => {{
  const box = document.getElementById('fig:{name}');
  return [...box.querySelectorAll('.plot svg:not(.points) :is(path, use, text, image)')]
    .filter(one => !one.closest('defs') && one.getClientRects().length)
    .map(one => [one.tagName, one.tagName === 'text' ? one.textContent : '', getComputedStyle(one).fill,
                 getComputedStyle(one).stroke, ...[one.getBoundingClientRect()].flatMap(r => [r.x, r.y, r.width, r.height])]);
}})()"""
POINTS = "[...document.getElementById('fig:{name}').querySelectorAll('.points circle')].filter(p => p.getClientRects().length).map(p => p.parentNode.dataset.setting)"


def seen(tab: Tab, name: str) -> list[list[Any]]:
    tab.value("scrollTo(0, 0)")
    found: list[list[Any]] = tab.value(SEEN.format(name=name))
    return found


def write_in(tab: Tab, tool: str, text: str) -> None:
    place = ("mark", "hide", "rename").index(tool) + 1
    field = f"document.querySelector('.tools .tool:nth-child({place}) input')"
    tab.value(f"{field}.value = {json.dumps(text)}; {field}.dispatchEvent(new Event('input'))")


def words_of(shown: list[list[Any]]) -> list[str]:
    return [text for tag, text, *_ in shown if tag == "text"]


def is_of(text: str, hidden: str) -> bool:
    """Whether a text of a figure names the hidden setting; a title that says what ratios are to is part of the scale."""
    return hidden in text and "relative to" not in text


@pytest.mark.parametrize("name", KINDS)
def test_a_hidden_setting_has_no_mark_and_no_text(tab: Tab, name: str) -> None:
    kind = KINDS[name]
    before, points = seen(tab, name), tab.value(POINTS.format(name=name))
    write_in(tab, "hide", kind.hide)
    try:
        after = seen(tab, name)
        left = [text for text in words_of(after) if is_of(text, kind.hide)]
        assert left == []
        assert any(kind.stays in text for text in words_of(after))
        assert len(after) < len(before)
        wanted = set(kind.hide.split(", "))
        shown = [setting for setting in tab.value(POINTS.format(name=name)) if wanted <= set(setting.split(", "))]
        assert shown == []
    finally:
        write_in(tab, "hide", "")
    assert seen(tab, name) == before
    assert tab.value(POINTS.format(name=name)) == points


# Figures with a row for each setting: a row is as high as its texts.
ROWS = ("forest", "forest-many", "bars", "latency-rows", "heat", "gc-costs")
# Figures with a colour for each name, in the order of the names: the second is that of plover.
COLOURED = ("multiples", "scaling", "efficiency", "latency-runs", "latency", "ccdf")
VERMILLION = "rgb(213, 94, 0)"  # of Okabe and Ito


@pytest.mark.parametrize("name", ROWS)
def test_nothing_is_left_in_the_row_of_a_hidden_setting(tab: Tab, name: str) -> None:
    hidden = KINDS[name].hide

    def of_row(shown: list[list[Any]]) -> list[list[Any]]:
        return [one for one in shown if one[7] < 40 and abs(one[5] + one[7] / 2 - place) < 4]

    before = seen(tab, name)
    place = next(y + height / 2 for tag, text, _, _, _, y, _, height in before if text.strip() == hidden)
    assert len(of_row(before)) >= 4
    write_in(tab, "hide", hidden)
    try:
        assert of_row(seen(tab, name)) == []
    finally:
        write_in(tab, "hide", "")


@pytest.mark.parametrize("name", COLOURED)
def test_nothing_is_left_in_the_colour_of_a_hidden_setting(tab: Tab, name: str) -> None:
    def coloured() -> int:
        return sum(VERMILLION in one[2:4] for one in seen(tab, name))

    assert coloured() >= 2
    write_in(tab, "hide", "plover")
    try:
        assert coloured() == 0
    finally:
        write_in(tab, "hide", "")


@pytest.mark.parametrize(
    ("name", "hidden", "markers"),
    [
        ("audit", "plover", 6),  # 2 loads, 3 runs each
        ("audit", "connections 8", 9),  # 3 names, 3 runs each
        ("audit", "plover, connections 8", 3),
        ("forest-groups", "connections 8", 11),  # 3 rings and a marker for each of 2, and 3 rings of the baseline
        ("forest-rest", "lark-ef", 1),  # among the dots of all rows that are folded
        ("forest-together", "connections 64", 10),  # a dot in each of the ten rows that are not folded
    ],
)
def test_the_markers_of_a_hidden_setting_are_hidden(tab: Tab, name: str, hidden: str, markers: int) -> None:
    def count() -> int:
        return sum(one[0] == "use" and one[6] < 12 for one in seen(tab, name))

    before = count()
    write_in(tab, "hide", hidden)
    try:
        assert before - count() == markers
    finally:
        write_in(tab, "hide", "")


NOTE = "document.querySelector('#fig\\\\:{name} .all-hidden').getClientRects().length"


def test_a_figure_says_that_all_it_shows_is_hidden(tab: Tab) -> None:
    assert not tab.value(NOTE.format(name="gc-costs"))
    write_in(tab, "hide", "GOGC")  # of every setting in this figure
    try:
        assert seen(tab, "gc-costs") == []
        assert tab.value(NOTE.format(name="gc-costs"))
        assert tab.value("document.querySelector('#fig\\\\:gc-costs figcaption').getClientRects().length")
        assert seen(tab, "latency")
        assert not tab.value(NOTE.format(name="latency"))
    finally:
        write_in(tab, "hide", "")
    assert seen(tab, "gc-costs")


@pytest.mark.parametrize("name", ONE_PROCESS)
def test_a_figure_of_one_process_is_hidden_with_its_setting(tab: Tab, name: str) -> None:
    before = seen(tab, name)
    for hidden, left in ((ONE_PROCESS[name].stays, before), (ONE_PROCESS[name].hide, [])):
        write_in(tab, "hide", hidden)
        assert seen(tab, name) == left
        assert bool(tab.value(NOTE.format(name=name))) == (left == [])
    write_in(tab, "hide", "")
    assert seen(tab, name) == before


FAINT = "[...document.querySelectorAll('#fig\\\\:{name} svg :is(path, use, text)')].filter(one => one.getClientRects().length && one.closest('.faint')).map(one => one.closest('[data-setting]').dataset.setting)"


@pytest.mark.parametrize("name", [*COLOURED, "forest-groups", "bars", "audit", "multiples-panels"])
def test_other_settings_are_faint_where_one_is_marked(tab: Tab, name: str) -> None:
    write_in(tab, "mark", "plover")
    try:
        faint = [setting.split(", ") for setting in tab.value(FAINT.format(name=name))]
        assert {"heron", "wren"} <= {part for parts in faint for part in parts}
        assert not any("plover" in parts for parts in faint)
        solid = f"[...document.querySelectorAll('#fig\\\\:{name} .own')].length"
        assert tab.value(solid) > 0
    finally:
        write_in(tab, "mark", "")
    assert tab.value(FAINT.format(name=name)) == []


def test_a_new_name_is_in_all_figures(tab: Tab) -> None:
    old = {name: [text for text in words_of(seen(tab, name)) if "plover" in text] for name in KINDS}
    write_in(tab, "rename", "plover=Curlew 2")
    try:
        for name, texts in old.items():
            shown = words_of(seen(tab, name))
            assert not [text for text in shown if "plover" in text]
            assert [text for text in shown if "Curlew 2" in text] == [
                text.replace("plover", "Curlew 2") for text in texts
            ]
        assert sum(map(bool, old.values())) >= 15
    finally:
        write_in(tab, "rename", "")
    assert not [text for name in KINDS for text in words_of(seen(tab, name)) if "Curlew 2" in text]


def test_a_label_whose_name_was_cut_gets_the_new_name(tab: Tab) -> None:
    before = words_of(seen(tab, "long-names"))
    assert LONG[1] not in before
    write_in(tab, "rename", f"{LONG[1]}=beta")
    try:
        after = words_of(seen(tab, "long-names"))
        assert [text for text in after if text not in before] == ["beta"]
        assert len(after) == len(before)
    finally:
        write_in(tab, "rename", "")


ODD = ("go", "go 1.22", "gogo", "R&D+x=y")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A page with a figure of names that contain each other or signs."""
    folder = tmp_path_factory.mktemp("odd")
    rules = []
    for at, name in enumerate(ODD):
        (folder / f"{at}.txt").write_text(report_text(40000 - 3000 * at, 8))
        rules.append(f"- when: {{file: {at}.txt}}\n  set: {{framework: {json.dumps(name)}}}\n")
    (folder / "wrkparse.yaml").write_text("labels:\n" + "".join(rules))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOR_REPORT, PAGES)
        content = figure_content(wp.plot.latency(wp.read(folder)), "odd")
    (folder / "page.html").write_text(page_of([exhibit("odd", content)]))
    with browser(folder) as opened:
        opened.open((folder / "page.html").as_uri(), 1280)
        yield opened


@pytest.mark.parametrize(
    ("renames", "shown"),
    [
        ((), ODD),
        (("go=Go",), ("Go", "go 1.22", "gogo", "R&D+x=y")),  # a whole name, not the first word of another one
        (("go 1.22=Old", "go=New"), ("New", "Old", "gogo", "R&D+x=y")),
        (("go=gogo", "gogo=go"), ("gogo", "go 1.22", "go", "R&D+x=y")),  # swapped
        (("R&D+x=y=lab",), ("go", "go 1.22", "gogo", "lab")),  # "=" is part of the old name
        (("go=a=b",), ("a=b", "go 1.22", "gogo", "R&D+x=y")),  # and here of the new one
        (("1.2=1.3",), ("go", "go 1.32", "gogo", "R&D+x=y")),  # no name of the page: everywhere
    ],
)
def test_new_names_stand_for_whole_names(odd: Tab, renames: tuple[str, ...], shown: tuple[str, ...]) -> None:
    odd.value(f"view.set('rename', {json.dumps(renames)}); page.redrawAll()")
    known = {*ODD, *shown}
    assert sorted(text for text in words_of(seen(odd, "odd")) if text in known) == sorted(shown)
    odd.value("view.set('rename', []); page.redrawAll()")


def test_a_setting_can_be_hidden_and_marked_by_its_new_name(odd: Tab) -> None:
    odd.value("view.set('rename', ['gogo=Wren']); page.redrawAll()")
    write_in(odd, "mark", "wren")
    assert "gogo" in odd.value("[...document.querySelectorAll('.own')].map(one => one.dataset.setting)")
    write_in(odd, "mark", "")
    write_in(odd, "hide", "wren")
    assert sorted(text for text in words_of(seen(odd, "odd")) if text in {*ODD, "Wren"}) == ["R&D+x=y", "go", "go 1.22"]
    write_in(odd, "hide", "")
    odd.value("view.set('rename', []); page.redrawAll()")


def test_an_address_that_is_typed_into_the_open_page_is_shown(odd: Tab) -> None:
    before = len(odd.said)
    odd.value("void (location.hash = '#~hide=gogo')")
    while not any(said.get("method") == "Page.loadEventFired" for said in odd.said[before:]):
        odd.next()
    assert "gogo" not in words_of(seen(odd, "odd"))
    write_in(odd, "hide", "")
    odd.value("document.querySelector('.chip').click()")
    assert "gogo" in words_of(seen(odd, "odd"))


def test_a_link_within_the_page_keeps_the_view_in_the_address(odd: Tab) -> None:
    odd.value("view.set('hide', ['gogo']); page.redrawAll()")
    address = odd.value("location.hash")
    moved = "new Promise(done => { addEventListener('hashchange', () => setTimeout(done), { once: true }); "
    odd.value(f"{moved} location.hash = '#fig:odd'; }})")
    assert odd.value("location.hash") == address
    odd.value("view.set('hide', []); page.redrawAll()")


def test_a_print_says_what_is_hidden(odd: Tab) -> None:
    said = (
        "[...document.querySelectorAll('.view')].filter(one => one.getClientRects().length).map(one => one.innerText)"
    )
    odd.do("Emulation.setEmulatedMedia", media="print")
    assert odd.value(said) == []
    odd.value("view.set('hide', ['gogo', 'go 1.22']); view.set('rename', ['go=Go']); page.redrawAll()")
    assert odd.value(said) == ["Hidden: gogo; go 1.22. Renamed: go=Go."]
    odd.do("Emulation.setEmulatedMedia", media="")
    assert odd.value(said) == []  # the fields say it
    odd.value("view.set('hide', []); view.set('rename', []); page.redrawAll()")


def test_a_long_name_makes_no_page_of_a_phone_wider(odd: Tab) -> None:
    url = odd.value("location.href").partition("#")[0]
    odd.open("about:blank", 390)
    odd.open(f"{url}#~hide={'x' * 90}&mark={'y' * 90}", 390)
    assert odd.value("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    odd.open("about:blank", 1280)
    odd.open(url, 1280)


TABLE_ROWS = "[...document.querySelectorAll('#tbl\\\\:servers tbody tr')].map(row => [...row.cells].slice(0, 2).map(cell => cell.textContent).join(' '))"


@pytest.mark.parametrize(
    ("hidden", "left"),
    [
        ("plover", ["heron 8", "heron 64", "plover-tls 8", "plover-tls 64"]),  # a whole name is this name alone
        ("plov", ["heron 8", "heron 64"]),
        ("connections 64", ["heron 8", "plover 8", "plover-tls 8"]),
        ("connections 8", ["heron 64", "plover 64", "plover-tls 64"]),  # not by their 8 runs
        ("GOGC off", ["heron 8", "plover 8", "plover-tls 8"]),
        ("heron, connections 8", ["heron 64", "plover 8", "plover 64", "plover-tls 8", "plover-tls 64"]),
    ],
)
def test_rows_of_a_hidden_setting_are_hidden(tab: Tab, hidden: str, left: list[str]) -> None:
    write_in(tab, "hide", hidden)
    try:
        assert tab.value(TABLE_ROWS) == left
    finally:
        write_in(tab, "hide", "")
    assert len(tab.value(TABLE_ROWS)) == 6


def test_a_click_on_a_number_marks_what_figures_call_it(tab: Tab) -> None:
    tab.value("document.querySelectorAll('#tbl\\\\:loads tbody th')[1].click()")
    assert tab.value("view.all('mark')") == ["connections 64"]
    assert "plover, connections 64" in tab.value(
        "[...document.querySelectorAll('.own')].map(one => one.dataset.setting)"
    )
    tab.value("document.querySelectorAll('#tbl\\\\:loads tbody th')[1].click()")
    suggested = tab.value("[...document.querySelectorAll('#names option')].map(one => one.value)")
    assert "connections 64" in suggested
    assert "64" not in suggested


def press(tab: Tab, name: str) -> None:
    code = {"Tab": 9, "Enter": 13, "Delete": 46}[name]
    text = {"text": "\r"} if name == "Enter" else {}
    tab.do("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, **text)
    tab.do("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)


def test_the_keyboard_hides_several_settings_and_shows_them_again(tab: Tab) -> None:
    tab.value("document.querySelector('.tools .tool:nth-child(2) input').focus()")
    tab.do("Input.insertText", text="plover")
    press(tab, "Enter")
    tab.do("Input.insertText", text="wren")
    press(tab, "Enter")
    assert [text for text in words_of(seen(tab, "latency")) if text in NAMES] == ["heron"]
    assert "hide=plover&hide=wren" in tab.value("location.hash")
    chips = "[...document.querySelectorAll('.chip')].map(chip => chip.getAttribute('aria-label'))"
    assert tab.value(chips) == ["Show plover", "Show wren"]
    url = tab.value("location.href")
    tab.open("about:blank", 1280)
    tab.open(url, 1280)  # a link shows the same view
    assert [text for text in words_of(seen(tab, "latency")) if text in NAMES] == ["heron"]
    tab.value("document.querySelector('.tools .tool:nth-child(2) input').focus()")
    for _ in range(2):
        press(tab, "Tab")
        press(tab, "Enter")  # the focus returns to the field
    assert tab.value(chips) == []
    assert sorted(text for text in words_of(seen(tab, "latency")) if text in NAMES) == list(NAMES)
    assert "hide" not in tab.value("location.hash")


def test_delete_hides_the_setting_of_a_point_and_the_arrow_keys_pass_over_it(tab: Tab) -> None:
    layer = "document.querySelector('#fig\\\\:multiples .points')"
    tab.value(f"{layer}.querySelector('g[data-setting=\"plover\"] circle').focus()")
    press(tab, "Delete")
    assert "hide=plover" in tab.value("location.hash")
    assert tab.value("document.activeElement.closest('.points g')?.dataset.setting") in {"heron", "wren"}
    assert tab.value(f"[...{layer}.querySelectorAll('[tabindex=\"0\"]')].length") == 1
    tab.value("document.querySelector('.chip').click()")
    assert tab.value("document.querySelectorAll('.gone').length") == 0


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; scripts/test does that where npm is")
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_axe_finds_nothing_where_settings_are_hidden(tab: Tab, width: int, scheme: str) -> None:
    tab.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    url = tab.value("location.href").partition("#")[0]
    tab.open("about:blank", width)
    tab.open(f"{url}#~hide=GOGC&hide=plover&mark=wren&rename=heron%3DHeron", width)
    tab.do("Runtime.evaluate", expression=AXE.read_text())
    found = tab.value("axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]))")
    assert found == []
