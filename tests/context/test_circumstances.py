"""Remarks below a run about what disturbed it, which are not a setting of the runs."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_between_logs import of_page
from tests.context.test_strangers import written
from wrkparse.context.nearby.circumstances import bracketed_circumstance, is_circumstance


@pytest.mark.parametrize(
    "remark",
    [
        "noisy",
        "somebody was compiling, ignore",
        "laptop on battery",
        "plugged in again",
        "the fans were loud",
        "Outlier!",
        "a cronjob ran",
        "doesn't count",
    ],
)
def test_a_remark_below_a_run_about_its_course_is_no_setting(remark: str) -> None:
    counted = f"kiwi 1:\n@\n\nkiwi 2:\n@\n^^^ {remark}\n\nemu 1:\n@\n\nemu 2:\n@\n"
    assert of_page(counted, "framework", "heading") == [("kiwi", "")] * 2 + [("emu", "")] * 2
    bracketed = f"## kiwi\n@\n({remark})\n\n@\n\n@\n## emu\n@\n\n@\n\n@\n"
    assert of_page(bracketed, "framework", "heading") == [("kiwi", "")] * 3 + [("emu", "")] * 3
    directly_above_next = f"kiwi:\n@\n({remark})\n@\nemu:\n@\n@\n"
    assert of_page(directly_above_next, "framework", "heading") == [("kiwi", "")] * 2 + [("emu", "")] * 2


@pytest.mark.parametrize(
    "remark",
    [
        "kiwi",
        "with a cache",
        "patched",
        "stable",
        "ignore_case=on",
        "fan-out",
        "8 fans",
        "without backup",
        "no browser",
        "ignore whitespace",
        "discard unused",
        "compiling templates each time",
        "odd pages",
        "charger on",
        "fans off",
        "not throttled",
    ],
)
def test_a_remark_that_may_be_a_name_or_a_setting_is_about_no_course(remark: str) -> None:
    assert not is_circumstance(remark)
    assert not bracketed_circumstance(f"({remark})")


def test_a_remark_in_brackets_above_a_run_is_about_that() -> None:
    assert bracketed_circumstance("(noisy)") == "noisy"
    found = of_page("## kiwi\n\n(laptop on battery)\n@\n\n(laptop on mains)\n@\n", "framework", "heading")
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    "page", ["@\n^ on battery\n\n@\n^ plugged in\n", "## kiwi\n@\n(on battery)\n\n@\n(plugged in)\n"]
)
def test_remarks_below_most_runs_compare_conditions(page: str) -> None:
    found = wp.parse_text(written(page)).runs
    keys = [key for key in ("framework", "heading") if key in found]
    assert len(found[keys].drop_duplicates()) == 2


def test_different_remarks_below_half_of_the_runs_are_kept() -> None:
    half = "## kiwi\n@\n(on battery)\n\n@\n## emu\n@\n(on mains)\n\n@\n"
    assert len(set(of_page(half, "framework", "heading"))) == 4


def test_a_remark_that_several_runs_share_is_kept() -> None:
    page = "## kiwi\n@\n\n@\n^^^ laptop unplugged\n\n@\n^^^ laptop unplugged\n\n@\n\n@\n"
    assert of_page(page, "heading") == [("",), ("laptop unplugged",), ("laptop unplugged",), ("",), ("",)]
    assert of_page(page.replace("unplugged", "plugged in", 1), "heading") == [("",)] * 5


@pytest.mark.parametrize("remark", ["ignore whitespace", "discard unused", "odd pages", "charger on"])
def test_a_setting_below_a_run_is_kept(remark: str) -> None:
    found = of_page(f"## kiwi\n@\n\n@\n\n@\n\n@\n^^^ {remark}\n\n@\n", "heading")
    assert found == [("",)] * 3 + [(remark,), ("",)]
