"""Warm-ups, as scripts announce them above a report: they are no repeats of the runs that are measured.

Expected labels are read by eye from the text.
"""

from __future__ import annotations

import itertools

import pandas as pd
import pytest

import wrkparse as wp
from tests.context.test_strangers import written

_ANNOUNCED = [
    ("warming up", "measuring"),
    ("warm-up", "run {run}"),
    ("Warming up", "Benchmarking"),
    ("warmup run", "measured run {run}"),
    ("warm up", "round {run}"),
]
_FORMS = [
    "=== {name}: {what} ===",
    "## {name} {what}",
    "{what} {name}",
    "{what} {name}...",
    "{name}: {what}",
    "[{name}] {what}",
    "{what}: {name}",
    "{name} - {what}",
    "{name} ({what})",
]


def _runs(page: str) -> tuple[wp.Dataset, pd.DataFrame]:
    dataset = wp.parse_text(written(page), source="bench.log")
    return dataset, dataset.runs.sort_values("line").reindex(columns=["framework", "phase"])


@pytest.mark.parametrize(("announced", "form"), list(itertools.product(_ANNOUNCED, _FORMS)))
def test_warm_up_of_each_name_is_marked(announced: tuple[str, str], form: str) -> None:
    _, runs = _runs(_page(*announced, form))
    assert [at for at, phase in enumerate(runs["phase"]) if not pd.isna(phase)] == [0, 4]
    assert [runs["framework"].iloc[at] for at in (1, 2, 3, 5, 6, 7)] == ["kiwi"] * 3 + ["emu"] * 3


def test_counted_warm_ups_are_warm_ups() -> None:
    lines = ["warm-up 1/2", "warm-up 2/2", "run 1/2", "run 2/2"]
    _, runs = _runs("\n".join(f"{name} {line}\n@" for name in ("kiwi", "emu") for line in lines))
    assert runs["framework"].tolist() == ["kiwi"] * 4 + ["emu"] * 4
    assert runs["phase"].fillna("").tolist() == ["warm-up", "warm-up", "", ""] * 2


@pytest.mark.parametrize(
    "form", ["[{name}] {what} for 10s", "{name}: {what} for 10 seconds", "{name} {what} for 2 min"]
)
def test_a_warm_up_may_say_how_long_it_lasts(form: str) -> None:
    page = "".join(f"{form.format(name=n, what=w)}\n@\n" for n in ("kiwi", "emu") for w in ("warming up", "measuring"))
    _, runs = _runs(page)
    assert runs["framework"].tolist() == ["kiwi", "kiwi", "emu", "emu"]
    assert runs["phase"].fillna("").tolist() == ["warm-up", ""] * 2


def test_the_remark_behind_a_command_says_that_it_warms_up() -> None:
    command = "$ wrk -t2 -c10 http://127.0.0.1:8080/"
    page = "".join(f"$ ./{name} &\n{command}  # warm-up\n@\n{command}\n@\n" for name in ("kiwi", "emu"))
    _, runs = _runs(page)
    assert runs["phase"].fillna("").tolist() == ["warm-up", ""] * 2


def test_the_name_above_a_warm_up_holds_for_the_runs_below_it() -> None:
    """The measured runs had no name, and nothing was left to compare."""
    _, runs = _runs("".join(f"{name}\n\nWarmup...\n\n@\n\nTest...\n\n@\n\n" for name in ("kiwi", "emu") * 2))
    assert runs["framework"].tolist() == ["kiwi", "kiwi", "emu", "emu"] * 2


def test_comparisons_leave_warm_ups_out() -> None:
    dataset, _ = _runs(_page("warm-up", "run {run}", "{what} {name}..."))
    cells = wp.compare(dataset, metric="throughput").cells
    assert dict(zip(cells["framework"], cells["n"], strict=True)) == {"kiwi": 3, "emu": 3}


def _page(warm: str, measured: str, form: str) -> str:
    """A warm-up and three runs of two names, each below what a script prints."""
    return "\n\n".join(
        "\n\n".join(
            [f"{form.format(name=name, what=warm)}\n\n@"]
            + [f"{form.format(name=name, what=measured.format(run=run))}\n\n@" for run in (1, 2, 3)]
        )
        for name in ("kiwi", "emu")
    )


@pytest.mark.parametrize("between", ["", "\n\nmeasuring\n"])
def test_line_above_each_run_may_be_about_a_warm_up_whose_output_is_elsewhere(between: str) -> None:
    """The warm-up's output went to /dev/null: the runs in the log are measured."""
    page = "".join(f"## {name}\n\nWarming up...{between}\n@\n\n" for name in ("kiwi", "kiwi", "emu", "emu"))
    _, runs = _runs(page)
    assert runs["phase"].isna().all()


def test_first_of_several_runs_below_one_line_may_be_a_warm_up() -> None:
    """It was pooled with the measured runs, the second of which has no line of its own."""
    _, runs = _runs("".join(f"-- {name}\nwarming up\n@\nmeasuring\n@\n@\n" for name in ("kiwi", "emu")))
    assert runs["phase"].fillna("").tolist() == ["warm-up", "", ""] * 2


def test_the_line_of_another_section_says_nothing_about_a_warm_up() -> None:
    _, runs = _runs("## kiwi\n\nWarming up...\n@\n@\n\n## emu\n\nstarting in 3, 2, 1\n@\n@\n")
    assert runs["phase"].isna().all()


@pytest.mark.parametrize("announced", ["warm-up", "Warming up..."])
def test_a_counted_run_below_a_warm_up_without_output_is_measured(announced: str) -> None:
    """The first run was left out of comparisons."""
    dataset, runs = _runs("".join(f"== {name} ==\n{announced}\nrun 1\n@\nrun 2\n@\n" for name in ("kiwi", "emu")))
    assert runs["phase"].isna().all()
    cells = wp.compare(dataset, metric="throughput").cells
    assert dict(zip(cells["framework"], cells["n"], strict=True)) == {"kiwi": 2, "emu": 2}


def test_only_first_run_below_warming_up_need_not_be_one() -> None:
    _, runs = _runs("Warming up kiwi...\n@\n@\n@")
    assert runs["phase"].isna().all()


@pytest.mark.parametrize("line", ["kiwi after warm-up", "we let it warm up", "kiwi without warm-up"])
def test_settings_about_warm_ups_are_no_warm_ups(line: str) -> None:
    _, runs = _runs(f"## {line}\n\n@\n\n## emu\n\n@")
    assert runs["phase"].isna().all()


def test_run_is_of_the_name_that_any_of_several_messages_says_last() -> None:
    """``pass 2 kiwi...`` does not hold below ``probing emu...``."""
    lines = ["probing kiwi...", "pass 1 kiwi...", "pass 2 kiwi...", "probing emu...", "pass 1 emu...", "pass 2 emu..."]
    _, runs = _runs("\n\n".join(f"{line}\n\n@" for line in lines))
    assert runs["framework"].tolist() == ["kiwi"] * 3 + ["emu"] * 3
