"""Several messages of a script that say the same names: which of them names a run.

Expected labels are read by eye from the text.
"""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.context.test_strangers import written


def _runs(page: str) -> pd.DataFrame:
    return wp.parse_text(written(page), source="bench.log").runs.sort_values("line")


@pytest.mark.parametrize(
    ("ended", "begun"),
    [("killing {}", "starting {}"), ("removed {}", "installed {}"), ("leaving {}...", "entering {}...")],
)
def test_what_ends_above_a_run_does_not_name_it(ended: str, begun: str) -> None:
    """*killing emu* and *starting kiwi* distinguish the same runs by the same names; kiwi runs."""
    order = [("emu", "kiwi"), ("kiwi", "emu")] * 2
    page = "".join(f"{ended.format(old)}\n{begun.format(new)}\n@\n@\n" for old, new in order)
    assert _runs(page)["framework"].tolist() == ["kiwi", "kiwi", "emu", "emu"] * 2


def test_what_ended_before_names_none_of_several_runs() -> None:
    names = ["kiwi", "emu", "moa"]
    page = "".join(f"removed {old}\ninstalled {new}\n@\n" for old, new in zip(["rhea", *names], names, strict=False))
    assert _runs(page)["framework"].tolist() == names


@pytest.mark.parametrize(
    ("about", "beside"), [("server: {}", "client: {}"), ("server {}", "baseline {}"), ("now: {}", "next: {}")]
)
def test_the_first_of_two_statements_names_a_run(about: str, beside: str) -> None:
    order = [("kiwi", "emu"), ("emu", "kiwi")] * 2
    page = "".join(f"{about.format(one)}\n{beside.format(other)}\n@\n@\n" for one, other in order)
    assert _runs(page)["framework"].tolist() == ["kiwi", "kiwi", "emu", "emu"] * 2


@pytest.mark.parametrize("word", ["testing", "target"])
def test_a_line_above_a_run_ends_what_a_line_above_an_earlier_run_says(word: str) -> None:
    """Only *emu* has another line above it. The second run of kiwi had the heading *emu*, and was not compared."""
    page = f"{word} kiwi\n@\nbuilt 3 files\n{word} emu\n@\n{word} kiwi\n@\n{word} emu\n@\n"
    runs = _runs(page)
    assert "heading" not in runs.columns
    assert [name.split()[-1] for name in runs["framework"]] == ["kiwi", "emu"] * 2


def test_two_things_whose_names_come_again_in_other_pairs_are_told_apart() -> None:
    """Above the third run, *proxy is kiwi* was taken for the end of the section before."""
    pairs = [("kiwi", "emu"), ("emu", "kiwi"), ("kiwi", "kiwi"), ("emu", "emu")]
    runs = _runs("".join(f"proxy is {proxy}\nbackend is {backend}\n@\n" for proxy, backend in pairs))
    assert list(zip(runs["heading"], runs["heading_2"], strict=True)) == pairs
