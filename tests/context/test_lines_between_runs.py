"""Lines between two runs: which of them are about the run above, as the first and the last run of a log show.

``@`` is a report of wrk, as in `tests.context.test_strangers`.
"""

from __future__ import annotations

import pytest

from tests.cases import each_case
from tests.context.test_near_runs import labels
from tests.context.test_strangers import named

ABOVE = [
    "[{k}/2] {name}: measuring",
    "running {name}...",
    "{name}",
    "{name}:",
    "INFO start {name} #{k}",
    "launching {name}",
]
BELOW = [
    "[{k}/2] {name}: finished in 10s", "{name}: OK", "... {name} took 10 s", "cooling down after {name}...",
    "12:0{k}:22 end {name}", "INFO stop {name} #{k}", "<<< {name} run {k} end", "✔ {name} ({k}/2)",
    "[{name}] finished run {k} of 2", "{name} run {k} ok, next in 5s", "-- end of {name} --", "took 10.{k} s",
]  # fmt: skip
TAILS = ["", "\nAll runs are done!\nReport in /tmp/out\n", "\nSummary\n" + "brask is slower\n" * 9]


def log(above: str, below: str, tail: str = "", names: tuple[str, ...] = ("brask", "quenlo", "tarn")) -> str:
    """A log of a script that prints one line above and one below each run; two runs for each name."""
    runs = [(name, number) for name in names for number in (1, 2)]
    lines = [f"{line.format(name=name, k=k)}\n" if line else "" for name, k in runs for line in (above, below)]
    return "".join(f"{before}@\n{behind}" for before, behind in zip(lines[::2], lines[1::2], strict=True)) + tail


@each_case("below", BELOW)
@each_case("above", ABOVE)
def test_a_line_below_each_run_is_not_about_the_next_one(above: str, below: str) -> None:
    assert named(log(above, below)) == ["brask"] * 2 + ["quenlo"] * 2 + ["tarn"] * 2


@pytest.mark.parametrize("below", [line for line in BELOW if "{name}" in line])
def test_lines_below_runs_alone_name_them(below: str) -> None:
    assert named(log("", below)) == ["brask"] * 2 + ["quenlo"] * 2 + ["tarn"] * 2


@pytest.mark.parametrize("tail", TAILS)
def test_text_at_the_end_of_a_log_changes_nothing(tail: str) -> None:
    assert named(log("measuring {name} ({k})", "{name}: OK", tail)) == ["brask"] * 2 + ["quenlo"] * 2 + ["tarn"] * 2


def test_a_line_below_runs_names_them_if_the_lines_above_do_not() -> None:
    assert named(log("next measurement", "{name}: OK")) == ["brask"] * 2 + ["quenlo"] * 2 + ["tarn"] * 2


def test_lines_above_the_runs_of_a_group_may_be_more_above_its_first_run() -> None:
    page = "".join(
        f"group {name}\nbegin {name} 1\n@\n{name}: OK\nbegin {name} 2\n@\n{name}: OK\n" for name in ("brask", "quenlo")
    )
    assert named(page) == ["brask"] * 2 + ["quenlo"] * 2


def test_without_a_line_below_the_last_run_lines_are_about_the_next_one() -> None:
    page = "".join(f"server is {name}\nbegin {name}\n@\n" for name in ("brask", "quenlo", "tarn"))
    assert named(page) == ["brask", "quenlo", "tarn"]


@pytest.mark.parametrize("names", [("brask", "quenlo"), ("brask", "quenlo", "tarn")])
def test_a_line_below_runs_that_names_the_next_one_changes_nothing(names: tuple[str, ...]) -> None:
    following = (*names[1:], "brask")  # a script that sets everything back
    page = "".join(
        f"upstream set to {name}\n@\nupstream {after} drained\n" for name, after in zip(names, following, strict=True)
    )
    assert named(page) == list(names)


@pytest.mark.parametrize("last", ["shutdown", "cleanup", "teardown"])
def test_the_last_step_of_a_script_names_no_run(last: str) -> None:
    assert named(f"@\nquenlo\n@\ntarn\n@\n{last}\n")[1:] == ["quenlo", "tarn"]


def test_prose_between_runs_that_these_lines_do_not_explain_stays_with_the_run_below() -> None:
    """The remark on the first result is above ``GET:`` and unlike any line above ``PUT:``."""
    page = "".join(
        f"## {name}\nPUT:\n\n@\nProfile of 15 s:\n\nThat was not what we expected of it.\n\nGET:\n\n@\nProfile of 15 s:\n\n"
        for name in ("brask", "quenlo")
    )
    assert labels(page, "framework", "heading") == [
        ("brask", "PUT"), ("brask", "GET"), ("quenlo", "PUT"), ("quenlo", "GET"),
    ]  # fmt: skip


def test_a_title_above_the_count_of_the_first_repeat_holds_for_the_next_ones() -> None:
    """The first title stands in a paragraph of the first line of the log, so that only the others show what it is."""
    page = "Benchmark v2\n" + "".join(
        f"[{at}/2] {name}\n  -> round 1\n@\n  <- round 1\n  -> round 2\n@\n  <- round 2\n"
        for at, name in ((1, "brask"), (2, "quenlo"))
    )
    assert named(page) == ["brask"] * 2 + ["quenlo"] * 2
