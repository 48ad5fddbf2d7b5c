"""Reports side by side in one text."""

from __future__ import annotations

from itertools import zip_longest

import pytest

import wrkparse as wp
from tests.analysis.audit.reports import AB
from tests.samples import WRK
from wrkparse.text.wrapping.columns import TextColumns, find_columns

OTHER = WRK.replace("10.0.1.70", "10.0.1.71").replace("40669.44", "30669.44").replace("193.32us", "293.32us")
HEADLESS = WRK.partition("\n")[2]


def beside(between: str, *texts: str, margin: str = "") -> str:
    """The lines of some texts in columns, with `between` between them."""
    lines = [text.splitlines() for text in texts]
    widths = [max(map(len, column)) for column in lines]
    rows = (
        between.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in zip_longest(*lines, fillvalue="")
    )
    return "".join(f"{margin}{row}{margin}".rstrip() + "\n" for row in rows)


def values(text: str) -> list[dict[str, float]]:
    """The numbers of each run, in the order of their columns."""
    data = wp.parse_text(text)
    runs = data.runs if "process" not in data.runs else data.runs.sort_values("process")
    stated = data.measurements.assign(name=data.measurements["metric"] + " " + data.measurements["stat"])
    return [stated[stated["run"] == run].set_index("name")["value"].to_dict() for run in runs["run"]]


@pytest.mark.parametrize("between", ["   ", " | ", "|", "        ", "\t\t", " │ ", " || ", "||"])
@pytest.mark.parametrize("margin", ["", "| ", "  "])
def test_two_reports_in_columns_are_two_runs(between: str, margin: str) -> None:
    text = beside(between, WRK, OTHER, margin=margin)
    assert values(text) == [*values(WRK), *values(OTHER)]
    data = wp.parse_text(text)
    assert sorted(data.runs["url"]) == ["http://10.0.1.70:8080/hello", "http://10.0.1.71:8080/hello"]
    assert data.diagnostics.empty


@pytest.mark.parametrize("between", ["     ", " | "])
def test_three_reports_without_their_heads_are_three_runs(between: str) -> None:
    others = [HEADLESS.replace("40669", rate) for rate in ("40669", "30669", "20669")]
    assert values(beside(between, *others)) == [run for other in others for run in values(other)]


def test_equal_reports_side_by_side_are_runs_of_their_own() -> None:
    runs = wp.parse_text(beside(" | ", WRK, WRK)).runs
    assert (len(runs), runs["run"].is_unique) == (2, True)


@pytest.mark.parametrize("between", ["    ", " | "])
def test_reports_of_ab_stand_in_columns_too(between: str) -> None:
    other = AB.replace("24630.85", "14630.85").replace("Length:        13", "Length:        14")
    assert values(beside(between, AB, other)) == [*values(AB), *values(other)]


@pytest.mark.parametrize("between", [" | ", " || ", " │ "])
def test_a_report_of_wrk_stands_beside_one_of_ab(between: str) -> None:
    for one, other in ((WRK, AB), (AB, WRK)):
        data = wp.parse_text(beside(between, one, other))
        assert sorted(data.runs["tool"]) == ["ab", "wrk"]
        assert values(beside(between, one, other)) == [*values(one), *values(other)]


def test_a_bar_in_a_url_parts_no_columns() -> None:
    data = wp.parse_text(WRK.replace("/hello", "/hello?a=1 | tee wrk.txt"))
    assert data.runs["tool"].tolist() == ["wrk"]


@pytest.mark.parametrize("rule", ["", "|---|---|\n"])
def test_the_names_above_the_columns_are_those_of_the_runs(rule: str) -> None:
    head = f"| nginx | haproxy |\n{rule}" if rule else "nginx".ljust(52) + "haproxy\n"
    data = wp.parse_text(head + beside(" | " if rule else "  ", WRK, OTHER, margin="| " if rule else ""))
    runs = data.runs.sort_values("process")
    assert runs["framework"].tolist() == ["nginx", "haproxy"]


def test_each_pair_of_columns_has_the_names_above_it() -> None:
    first = "kiwi".ljust(52) + "emu\n" + beside("  ", WRK, OTHER)
    second = "moa".ljust(52) + "heron\n" + beside("  ", OTHER.replace("40669", "20669"), WRK.replace("40669", "10669"))
    runs = wp.parse_text(f"{first}\n{second}").runs.sort_values(["line", "process"])
    assert runs["framework"].tolist() == ["kiwi", "emu", "moa", "heron"]
    assert runs["title"].tolist() == ["kiwi", "emu", "moa", "heron"]


def test_columns_without_names_above_them_have_none_of_the_columns_before() -> None:
    first = "kiwi".ljust(52) + "emu\n" + beside("  ", WRK, OTHER)
    runs = wp.parse_text(f"{first}\n{beside('  ', OTHER, WRK)}").runs.sort_values(["line", "process"])
    assert runs["title"].fillna("").tolist() == ["kiwi", "emu", "", ""]


@pytest.mark.parametrize("rule", ["", "-" * 60 + "\n"])
def test_names_above_columns_are_read_where_their_line_is_known_already(rule: str) -> None:
    page = "nginx".ljust(52) + "haproxy\n" + rule + beside("  ", WRK, OTHER)
    for _ in range(5):
        frameworks = wp.parse_text(page).runs.sort_values("process")["framework"]
        assert frameworks.tolist() == ["nginx", "haproxy"]


def test_what_follows_the_columns_is_read_as_before() -> None:
    text = beside(" | ", WRK, OTHER) + f"\nAnd alone:\n\n# caddy\n\n{WRK}\n" + beside("    ", OTHER, WRK)
    assert len(values(text)) == 5
    framework = wp.parse_text(text).runs["framework"]
    assert framework.notna().sum() == 3  # below the heading


def test_a_line_without_a_gap_at_the_column_ends_the_columns() -> None:
    columns = TextColumns((0, 20), bar="")
    assert columns.split("a  b".ljust(19) + " c") is not None
    assert columns.split("one sentence that goes on and on over both of them") is None
    assert columns.split("short") == ["short", ""]


@pytest.mark.parametrize("shift", [-12, -7, 7, 12])
def test_a_column_may_begin_up_to_twelve_characters_from_that_of_the_first_line(shift: int) -> None:
    columns = TextColumns((0, 40), bar="")
    left = "kiwi in a line of some".ljust(40 + shift - 2, "x")
    assert columns.split(f"{left}  emu, and more of it") == [f"{left}  ", "emu, and more of it"]


@pytest.mark.parametrize("shift", [-13, 13])
def test_a_gap_further_from_a_column_does_not_begin_it(shift: int) -> None:
    left = "kiwi in a line of some".ljust(40 + shift - 2, "x")
    assert TextColumns((0, 40), bar="").split(f"{left}  emu, and more of it") is None


def test_a_word_that_comes_twice_in_a_sentence_makes_no_columns() -> None:
    assert find_columns("Running the test and Running it again", ["Running", "the"]) is None
    assert find_columns("8 threads and threads", ["8", "threads"]) is None
