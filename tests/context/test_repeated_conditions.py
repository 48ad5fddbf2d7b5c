"""Conditions that come again below several names: a run is of the name above, not of the condition."""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.context.test_strangers import written

Pairs = list[tuple[str | None, str | None]]


def named(page: str, key: str = "heading") -> Pairs:
    """The framework of each run, and another label."""
    runs = wp.parse_text(written(page)).runs.sort_values("line")
    columns = [runs[name] if name in runs else pd.Series([None] * len(runs)) for name in ("framework", key)]
    return [
        (None if pd.isna(name) else str(name), None if pd.isna(value) else str(value))
        for name, value in zip(*columns, strict=True)
    ]


@pytest.mark.parametrize(
    "page",
    [
        "{kiwi}\n@\n{with cache}\n@\n{emu}\n@\n{with cache}\n@",
        "{kiwi}\n@\n@\n{with cache}\n@\n@\n{emu}\n@\n@\n{with cache}\n@\n@",
        "# All\n\n{kiwi}\n@\n{with cache}\n@\n{emu}\n@\n{with cache}\n@",
    ],
)
@pytest.mark.parametrize("form", ["## {}", "{}:", "benchmarking {}...", "=== {} ===", "**{}**"])
def test_a_condition_below_each_name(page: str, form: str) -> None:
    for text in ("kiwi", "with cache", "emu"):
        page = page.replace(f"{{{text}}}", f"{form.format(text)}\n")
    found = named(page)
    per_setting = len(found) // 4
    condition = "with cache" if "benchmarking" not in form else "cache"  # "benchmarking with" begins a sentence
    expected = [("kiwi", None), ("kiwi", condition), ("emu", None), ("emu", condition)]
    assert found == [pair for pair in expected for _ in range(per_setting)]


@pytest.mark.parametrize("condition", ["pipelined", "keep-alive", "without TLS", "mit Cache"])
def test_forms_of_conditions(condition: str) -> None:
    pairs = named(f"## kiwi\n\n@\n\n## {condition}\n\n@\n\n## emu\n\n@\n\n## {condition}\n\n@")
    assert pairs == [("kiwi", None), ("kiwi", condition), ("emu", None), ("emu", condition)]


def test_settings_below_each_name() -> None:
    page = "## kiwi\n\n@\n\n## 4 workers\n\n@\n\n## emu\n\n@\n\n## 4 workers\n\n@\n\n## 8 workers\n\n@"
    found = named(page, "workers")
    assert found == [("kiwi", None), ("kiwi", "4"), ("emu", None), ("emu", "4"), ("emu", "8")]


def test_a_known_name_holds_for_the_conditions_below_it() -> None:
    found = named("## nginx\n\n@\n\n## with cache\n\n@\n\n## kiwi\n\n@\n\n## with cache\n\n@")
    assert found == [("nginx", None), ("nginx", "with cache"), ("kiwi", None), ("kiwi", "with cache")]


def test_a_server_that_comes_again_is_no_condition() -> None:
    """The same server between others is a control: its runs are repeats."""
    found = named("## kiwi\n\n@\n\n## heron\n\n@\n\n## emu\n\n@\n\n## heron\n\n@")
    assert [name for name, _ in found] == ["kiwi", "heron", "emu", "heron"]


def test_a_condition_that_comes_once_is_a_variant() -> None:
    found = named("## Baseline\n\n@\n\n## with cache\n\n@\n\n## with cache and gzip\n\n@")
    assert [name for name, _ in found] == ["Baseline", "with cache", "with cache and gzip"]


def test_a_condition_above_each_name_belongs_to_no_name_before() -> None:
    """Nothing says what the first run is of."""
    found = named("with cache:\n@\nkiwi:\n@\nwith cache:\n@\nemu:\n@")
    assert [name for name, _ in found] == ["with cache", "kiwi", "with cache", "emu"]


def test_quantities_behind_words_of_the_path_do_not_name_alone() -> None:
    page = "".join(
        f"## {name} ({rows})\n\n$ wrk http://127.0.0.1/{name.lower()}\n@\n\n"
        for name in ("Plants", "Birds")
        for rows in ("50 rows", "single row")
    )
    assert [framework for framework, _ in named(page)] == [None] * 4
    assert named(page) == [(None, name) for name in ("Plants", "Plants", "Birds", "Birds")]


@pytest.mark.parametrize(("rate", "value"), [("3358", None), ("1256", None), ("1250", 1250.0), ("2048", 2048.0)])
def test_a_rate_that_is_not_round_was_measured(rate: str, value: float | None) -> None:
    runs = wp.parse_text(written(f"## kiwi {rate} req/sec\n\n@\n\n## emu 3000 req/sec\n\n@")).runs.sort_values("line")
    assert (runs["rate"].iloc[0] if "rate" in runs else None) == value
