"""`wp.explore`: what the selectors show, and what there is without them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.report.exhibits import explore as module

RATES = {("heron", 8): 40000, ("heron", 64): 60000, ("plover", 8): 20000, ("plover", 64): 15000}


def report(load: int, rate: int) -> str:
    """A report of wrk whose rate is its requests over its time."""
    found = WRK.replace("8 connections", f"{load} connections").replace("40669.44", f"{rate}.00")
    return found.replace("410759", str(round(rate * 10.1)))


@pytest.fixture(scope="module")
def dataset() -> wp.Dataset:
    return wp.parse_text("".join(
        f"## {name}\n\n```\n{report(load, rate + n)}```\n\n" for (name, load), rate in RATES.items() for n in range(6)
    ))  # fmt: skip


def test_without_a_kernel_it_is_the_comparison(dataset: wp.Dataset) -> None:
    table = wp.explore(dataset)
    assert table.rows == ("framework",)
    assert table.columns == ("connections",)
    assert set(table.cells["metric"]) == {"throughput"}


@pytest.fixture
def selectors(dataset: wp.Dataset, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    pytest.importorskip("ipywidgets")
    monkeypatch.setattr(module, "_has_kernel", lambda: True)
    box, shown = wp.explore(dataset).children
    return [*box.children, shown]


def test_a_saved_notebook_shows_the_comparison_without_the_selectors(
    dataset: wp.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A code host has no widgets: it shows the HTML beside them, or the text."""
    pytest.importorskip("ipywidgets")
    monkeypatch.setattr(module, "_has_kernel", lambda: True)
    saved = wp.explore(dataset)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in saved
    assert "<svg" in saved["text/html"]
    assert all("60.00 k/s" in saved[form] for form in ("text/html", "text/plain"))


def test_selectors_offer_what_the_runs_have(selectors: list[Any]) -> None:
    baseline, load, metric, shown = selectors
    assert baseline.options == ("heron", "plover")
    assert load.options == ("all", "8", "64")
    assert metric.options[0] == "throughput"
    assert {"latency_mean", "latency_max"} <= set(metric.options)
    assert "60.00 k/s" in shown.value
    assert "<svg" in shown.value


def test_a_selector_changes_the_table_the_sentences_and_the_figure(selectors: list[Any]) -> None:
    baseline, load, metric, shown = selectors
    load.value = "64"
    assert "20.00 k/s" not in shown.value  # of plover with 8 connections
    assert "heron answers 4.0 times as many requests as plover" in shown.value
    baseline.value = "plover"
    assert re.search(r"heron answers 4(\.0+)? times as many requests as plover", shown.value)
    metric.value = "latency_max"
    assert "answers" not in shown.value
    assert "1.57 ms" in shown.value


def test_a_selection_without_runs_says_why(selectors: list[Any]) -> None:
    *_, shown = selectors
    metric = selectors[2]
    metric.options = (*metric.options, "latency_p99")
    metric.value = "latency_p99"
    assert "no run states latency_p99" in shown.value
