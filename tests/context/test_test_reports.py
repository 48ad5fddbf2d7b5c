"""Runs in the reports of test frameworks: JUnit's XML, as many tools write it, and the messages of TeamCity."""

from __future__ import annotations

from html import escape

import pytest

import wrkparse as wp
from tests.samples import RATED_WRK as WRK
from wrkparse.text.wrapping.heading_formats import test_headings as headings_of

SERVERS = ["plover", "plover", "curlew", "curlew"]


def report(number: int) -> str:
    return WRK.format(requests=10 * (1000 + number), rate=1000 + number)


def rows(text: str) -> list[tuple[object, float, int]]:
    """The framework, the throughput and the connections of each run, in the order of the lines."""
    dataset = wp.parse_text(text)
    rates = dataset.measurements.query("metric == 'throughput'").set_index("run")["value"]
    runs = dataset.runs.sort_values("line")
    return [(row["framework"], rates[row["run"]], row["connections"]) for _, row in runs.iterrows()]


def expected(names: list[str]) -> list[tuple[str, float, int]]:
    return [(name, 1000 + number, 10) for number, name in enumerate(names)]


@pytest.mark.parametrize("escaped", [False, True])
@pytest.mark.parametrize("end", ["", "\n"])
def test_each_test_case_has_the_runs_below_it(end: str, escaped: bool) -> None:
    def output(number: int) -> str:
        return escape(report(number)) if escaped else f"<![CDATA[{report(number)}]]>"

    cases = "".join(
        f'<testcase classname="load" name="{name}[{number}]" time="10.2"><system-out>{output(number)}</system-out>'
        f"</testcase>{end}"
        for number, name in enumerate(SERVERS)
    )
    text = f'<?xml version="1.0"?>{end}<testsuite name="load" tests="4">{end}{cases}</testsuite>\n'
    assert rows(text) == expected(SERVERS)


def test_a_class_may_name_what_was_measured() -> None:
    cases = "".join(
        f'<testcase name="run{number % 2 + 1}" classname="org.example.{name}"><system-out><![CDATA[{report(number)}]]>'
        "</system-out></testcase>\n"
        for number, name in enumerate(["PloverTest", "PloverTest", "CurlewTest", "CurlewTest"])
    )
    names = [f"org.example.{name}" for name in ("PloverTest", "PloverTest", "CurlewTest", "CurlewTest")]
    assert rows(f"<testsuite name='load'>\n{cases}</testsuite>\n") == expected(names)


@pytest.mark.parametrize(
    ("line", "headings"),
    [
        ('<testsuite name="load" tests="4">', [(1, "load")]),
        ('<testcase time="1" name="a &amp; b" classname="c">', [(2, "c"), (3, "a & b")]),
        ('<testsuite name="load"> <testcase name="a"><system-out>', [(1, "load"), (3, "a")]),
        ('<testcase name="a" classname="c"/>', [(2, "")]),
        ("]]></system-out></testcase>", [(2, "")]),
        ("</testcase></testsuite></testsuites>", [(2, ""), (1, "")]),
        ('a report has <testcase name="a"> and more', []),
        ('<testcase classname="tests.load" name="test_load[plover-64]">', [(2, "tests.load"), (3, "test_load"), (4, "plover-64")]),
        ('<testcase name="plover[2]">', [(3, "plover[2]")]),
        ("<testcase>", []),
        ('<testsuites name="all">', []),
        ("a testcase", []),
    ],
)  # fmt: skip
def test_the_headings_of_an_element(line: str, headings: list[tuple[int, str]]) -> None:
    assert headings_of(line) == headings


@pytest.mark.parametrize(
    "page",
    [
        "".join(
            f"##teamcity[testStarted name='{name}.run{number % 2}' captureStandardOutput='true']\n@{number}\n"
            f"##teamcity[testFinished name='{name}.run{number % 2}' duration='10123']\n"
            for number, name in enumerate(SERVERS)
        ),
        "".join(
            f"##teamcity[blockOpened name='{name}']\n@{first}\n@{first + 1}\n##teamcity[blockClosed name='{name}']\n"
            for first, name in ((0, "plover"), (2, "curlew"))
        ),
        "".join(
            f"##teamcity[testStarted flowId='it|'s' name='{name}']\n@{number}\n" for number, name in enumerate(SERVERS)
        ),
    ],
)
def test_the_tests_and_blocks_of_teamcity_are_headings(page: str) -> None:
    for number in range(4):
        page = page.replace(f"@{number}\n", report(number))
    assert rows(page) == expected(SERVERS)


@pytest.mark.parametrize(
    "page",
    [
        '<testsuite name="load">\n<testcase name="plover"></testcase>\n@0\n</testsuite>\n',
        '<testsuite name="load">\n<testcase name="plover"/>\n<system-out><![CDATA[@0\n]]></system-out>\n</testsuite>\n',
        "##teamcity[testStarted name='plover']\nok\n##teamcity[testFinished name='plover' duration='3']\n@0\n",
        "##teamcity[blockOpened name='plover']\nok\n##teamcity[blockClosed name='plover']\n@0\n",
    ],
)
def test_a_run_behind_a_test_is_not_of_it(page: str) -> None:
    dataset = wp.parse_text(page.replace("@0\n", report(0)))
    assert not {"framework", "title"} & {*dataset.runs.columns}
    assert set(dataset.runs["section"].dropna()) <= {"load"}


@pytest.mark.parametrize("example", ['<testcase name="a"/>', '<testsuite name="b">\n<testcase name="a">\n</testsuite>'])
def test_an_example_in_a_page_ends_no_heading_of_the_page(example: str) -> None:
    page = "".join(f"## {name}\n\n```xml\n{example}\n```\n\n{report(number)}\n" for number, name in enumerate(SERVERS))
    assert rows(page) == expected(SERVERS)


@pytest.mark.parametrize("row", ["| {} | ", "| {} | 64 | ", "| 1 | {} | "])
def test_the_cells_before_a_report_in_a_cell_name_it(row: str) -> None:
    page = "| server | result |\n|---|---|\n" + "".join(
        row.format(name) + report(number).strip().replace("\n", "<br>") + " |\n" for number, name in enumerate(SERVERS)
    )
    assert rows(page) == expected(SERVERS)


def test_a_suite_may_contain_suites() -> None:
    def output(number: int) -> str:
        return f'<testcase name="t"><system-out><![CDATA[{report(number)}]]></system-out></testcase>\n'

    inner = '<testsuite name="load">\n{}</testsuite>\n<testsuite name="burst">\n{}</testsuite>\n'
    text = "<testsuites>\n" + "".join(
        f'<testsuite name="{name}">\n{inner.format(output(first), output(first + 1))}</testsuite>\n'
        for first, name in ((0, "plover"), (2, "curlew"))
    )
    sections = ["plover > load > t", "plover > burst > t", "curlew > load > t", "curlew > burst > t"]
    assert wp.parse_text(f"{text}</testsuites>\n").runs["section"].tolist() == sections
    assert rows(f"{text}</testsuites>\n") == expected(SERVERS)
