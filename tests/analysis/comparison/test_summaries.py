"""Summaries of runs beside their reports: a list of a few numbers is no second run."""

from __future__ import annotations

import pytest

import wrkparse as wp
from wrkparse.analysis.runs.selection import NothingToCompareError

REPORT = """Running 10s test @ http://127.0.0.1:8080/
  4 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     5.11ms    1.10ms  30.00ms   90.00%
    Req/Sec     7.90k     0.20k     9.90k    70.00%
  {requests} requests in 10.00s, 50.00MB read
Requests/sec:  {rate}
Transfer/sec:      5.00MB
"""


def page(summary: str, rates: dict[str, float]) -> str:
    return "".join(
        f"## {name} Detailed Results\n\n### Metrics\n{summary.format(rate=rate)}\n\n### Raw Output\n```\n"
        + REPORT.format(rate=rate, requests=round(rate * 10))
        + "```\n\n"
        for name, rate in rates.items()
    )


RATES = {"Kiwi": 31677.78, "Emu": 25631.25}


def test_a_summary_above_the_report_is_the_same_run() -> None:
    table = wp.compare(wp.parse_text(page("- **Requests/sec:** {rate}", RATES)))
    assert (table.compared, table.columns) == (("framework",), ())
    assert table.cells[["framework", "n"]].to_numpy().tolist()[:2] == [["Emu", 1], ["Kiwi", 1]]
    assert table.copies["dropped"].tolist() == [True, True]
    assert table.sentences[0] == "Emu answered 0.81 times as many requests as Kiwi (one run each)."


@pytest.mark.parametrize(
    ("summary", "rates"),
    [
        ("- **Requests/sec:** 30000.12", RATES),  # another rate
        ("- **Requests/sec:** {rate}\n- **Transfer/sec:** 7.00MB", RATES),  # another number beside it
        ("- **Requests/sec:** {rate}", {"Kiwi": 42.25, "Emu": 36.25}),  # few digits, which are equal by chance
    ],
)
def test_a_report_with_a_number_of_its_own_or_a_short_rate_is_another_run(
    summary: str, rates: dict[str, float]
) -> None:
    table = wp.compare(wp.parse_text(page(summary, rates)), metric="throughput")
    assert not table.copies["dropped"].any()
    assert table.cells["n"].sum() == 4


SHORT = """\
  Total:\t{total} secs
  Slowest:\t0.0784 secs
  Fastest:\t0.0028 secs
  Average:\t0.0275 secs
  Requests/sec:\t{rate}
"""
OHA = """\
Summary:
  Success rate:\t1.0000
{short}
  Total data:\t126.95 KiB
  Size/request:\t13 B
  Size/sec:\t22.98 KiB

Response time histogram:
  0.028 [10000] |■■■■■■■■■■

Latency distribution:
  10% in 0.0190 secs
  50% in 0.0263 secs
  99% in 0.0551 secs

Status code distribution:
  [200] 10000 responses
"""


def test_the_first_lines_of_oha_above_its_report_are_the_same_run() -> None:
    """They are those of hey, too."""
    kiwi, emu = SHORT.format(total="5.5254", rate="1809.8244"), SHORT.format(total="4.1314", rate="2420.4870")
    short = f"# In short\n\n## Kiwi\n```\n{kiwi}```\n\n## Emu\n```\n{emu}```\n\n"
    whole = "".join(f"## {name}\n```\n{OHA.format(short=of)}```\n\n" for name, of in (("Kiwi", kiwi), ("Emu", emu)))
    dataset = wp.parse_text(f"{short}# In full\n\n{whole}")
    assert dataset.runs["tool"].tolist() == ["hey", "hey", "oha", "oha"]
    table = wp.compare(dataset)
    assert (table.compared, table.tools, table.copies["dropped"].tolist()) == (("framework",), ("oha",), [True, True])
    other = f"{short.replace('0.0784', '0.0785')}# In full\n\n{whole}"
    assert wp.compare(wp.parse_text(other)).tools == ("hey", "oha")


def test_two_short_reports_in_columns_of_the_same_lines_are_no_copies() -> None:
    """The text of both runs is that of the lines."""
    head = ("Running 10s test @ http://a/", "  4 threads and 64 connections")
    left = (*head, "  1012730 requests in 10.00s, 5.00MB read", "Requests/sec:  101273.00")
    right = (*head, "  2012730 requests in 10.00s, 5.00MB read", "Requests/sec:  201273.00")
    text = "".join(f"{a:<50}{b}\n" for a, b in zip(left, right, strict=True))
    table = wp.compare(wp.parse_text(text))
    assert table.cells.loc[table.cells["metric"] == "throughput", "center"].tolist() == [101273.0, 201273.0]
    assert len(table.copies) == 0


CYCLES = (
    "gc 1 @0.010s 2%: 0.018+1.1+0.029 ms clock, 0.22+0.047/0.074/0.048+0.34 ms cpu, 4->7->3 MB, 5 MB goal, 12 P",
    "gc 2 @0.021s 2%: 0.021+0.9+0.031 ms clock, 0.25+0.051/0.081/0.042+0.37 ms cpu, 5->6->1 MB, 6 MB goal, 12 P",
)


@pytest.mark.parametrize("shown_again", [CYCLES[1:], CYCLES[:1], CYCLES])
def test_lines_of_a_trace_that_are_explained_below_it_are_no_second_trace(shown_again: tuple[str, ...]) -> None:
    text = "\n".join(
        ("```", *CYCLES, "```", "", "## What a line says", "", *shown_again, "", "the second number is the time")
    )
    with pytest.raises(NothingToCompareError, match="there is only one run"):
        wp.compare(wp.parse_text(text))


@pytest.mark.parametrize(
    ("own", "other"), [("0.031 ms clock", "0.032 ms clock"), ("+0.9+", "+0.8+"), ("5->6->1 MB", "5->6->2 MB")]
)
def test_a_trace_with_a_collection_of_its_own_is_another_trace(own: str, other: str) -> None:
    """Two processes may share a time and all but one of the numbers."""
    cycle = CYCLES[1].replace(own, other)
    text = "\n".join(("## Kiwi", "```", *CYCLES, "```", "", "## Emu", "```", CYCLES[0], cycle, "```"))
    table = wp.compare(wp.parse_text(text), metric="gc_cycles")
    assert table.cells["n"].tolist() == [1, 1]
