"""Pipe tables of Markdown pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.analysis.publications.markdown_tables import markdown_tables

PAGE = """\
Results
-------

data size | CONN | nginx, 1core
---       | :--: | -----:
12 (a)    | 1000 | **33,454**
64bytes   | 1000

after

| a | b \\| c |
|---|--------|
| 1 | 2 |
"""


def test_header_rows_and_lines_are_found_under_their_heading():
    first, second = markdown_tables(PAGE)
    assert (first.line, first.heading) == (4, "Results")
    assert first.header == ("data size", "CONN", "nginx, 1core")
    assert first.rows == ((6, ("12 (a)", "1000", "**33,454**")), (7, ("64bytes", "1000", "")))
    assert (second.header, second.rows) == (("a", "b | c"), ((13, ("1", "2")),))


def test_lines_are_counted_as_editors_count_them() -> None:
    """Form feeds stand between the parts of old texts, U+2028 in what was copied from a web page."""
    (table,) = markdown_tables("one\f\u2028two\x85\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n")
    assert table.line == 3
    assert table.rows == ((5, ("1", "2")),)


@pytest.mark.parametrize(
    "text",
    [
        "```\na | b\n--|--\n1 | 2\n```\n",  # code
        "a | b\n1 | 2\n",  # no rule
        "a | b\n---\n1 | 2\n",  # a heading: fewer cells
        "wrk | tee log\n",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(text):
    assert list(markdown_tables(text)) == []


@given(st.text(alphabet="|-: \\\n`#ab1", max_size=200))
def test_any_page_gives_tables_of_full_rows(text):
    for table in markdown_tables(text):
        assert all(len(cells) == len(table.header) for _, cells in table.rows)


def test_a_long_rule_is_read_at_once():
    assert list(markdown_tables("a|b\n" + "|" + "-" * 10**5 + " " * 10**5 + "x\n")) == []
