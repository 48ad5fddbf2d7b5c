"""Facts at the top of sections whose headings name nothing: ``## Benchmark 1``, ``- limit-conn 512``, headings of runs.

The expected labels are read by eye.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_names_in_pages import labels, report


def page_of(*facts: str, word: str = "Benchmark") -> str:
    """A page of a section with two runs below times for each of the facts."""
    page = "# Notes\n\n"
    for at, text in enumerate(facts):
        page += f"## {word} {at + 1}\n\n{text}\n\n"
        page += "".join(f"### 11:{at}{run}:40\n\n{report(10 * at + run)}\n" for run in range(2))
    return page


@pytest.mark.parametrize(
    "facts",
    [
        ["- limit-conn 512\n- log-level fatal", "- limit-conn 1024\n- log-level fatal"],
        ["- limit-conn: 512\n- log-level: fatal", "- limit-conn: 1024\n- log-level: fatal"],
        ["* limit-conn=512\n* log-level=fatal", "* limit-conn=1024\n* log-level=fatal"],
        ["limit-conn 512", "limit-conn 1024"],
    ],
)
def test_settings_at_the_top_of_numbered_sections_are_those_of_their_runs(facts: list[str]) -> None:
    assert labels(page_of(*facts), "limit_conn") == ["512", "512", "1024", "1024"]
    assert not {"heading", "log_level"} & wp.parse_text(page_of(*facts)).label_keys()


def test_counts_are_read_with_their_nouns() -> None:
    assert labels(page_of("- 4 cores\n- Debian", "- 8 cores\n- Debian"), "cores") == ["4", "4", "8", "8"]


@pytest.mark.parametrize(
    "facts",
    [
        ["- small pool\n- Debian", "- big pool\n- Debian"],
        ["The pool has room for small jobs.", "The pool has room for big jobs."],
    ],
)
def test_sections_with_other_facts_are_no_repeats(facts: list[str]) -> None:
    assert labels(page_of(*facts), "heading") == ["Benchmark 1", "Benchmark 1", "Benchmark 2", "Benchmark 2"]


@pytest.mark.parametrize(
    "facts",
    [
        ["- small pool", "- small pool"],
        ["- small pool", ""],
        ["- started at 10:05, process 31337", "- started at 11:25, process 31443"],
        ["- pid 4121\n- load average: 0.52", "- pid 4188\n- load average: 0.61"],
        ["- memory free 4121 MB", "- memory free 4001 MB"],
        ["- errors: 1", "- errors: 2"],
    ],
)
def test_sections_with_the_same_facts_or_others_are_repeats(facts: list[str]) -> None:
    runs = wp.parse_text(page_of(*facts)).runs
    assert not {"heading", "framework", "errors"} & set(runs.columns)


def test_numbered_configurations_with_other_facts_are_no_repeats() -> None:
    facts = {"Configuration 1": "3 servers", "Configuration 2": "5 servers", "Configuration 3": "5 servers, no cache"}
    page = "".join(
        f"### Cluster {name}:\n* {fact}\n* 10 seconds\n\n{report(at)}\n"
        for at, (name, fact) in enumerate(facts.items())
    )
    assert labels(page, "heading") == [f"Cluster {name}" for name in facts]


def test_numbered_runs_with_other_remarks_are_no_repeats() -> None:
    remarks = ["One semaphore, everything inlined.", "Same as above except 8 semaphores.", ""]
    page = "".join(f"## Run {at}\n{remark}\n\n{report(at)}\n{report(at + 5)}\n" for at, remark in enumerate(remarks))
    assert labels(page, "heading") == [f"Run {at}" for at in range(3) for _ in range(2)]
