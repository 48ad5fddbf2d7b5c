"""Requests in titles: ``kiwi GET /json`` is kiwi, asked for /json, if titles of other names have the same request.

Expected labels are read by eye from the titles.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_strangers import WRK

_TIME = "real\t0m1.{number:03}s\nuser\t0m0.900s\nsys\t0m0.100s"


def _labels(titles: list[str], keys: list[str]) -> list[tuple[str, ...]]:
    """The labels of a run below each title; wrk prints the address of a title that has a path."""
    page = ""
    for number, title in enumerate(titles, 1000):
        path = next((path for word in title.split() if (path := word.strip("`)],")).startswith("/")), "/")
        report = WRK.format(requests=10 * number, rate=number)
        address = f"Running 10s test @ http://localhost:8080{path}"
        page += f"{title}\n\n{address}\n{report.partition(chr(10))[2]}\n"
    return _read(page, keys)


def _read(page: str, keys: list[str]) -> list[tuple[str, ...]]:
    runs = wp.parse_text(page, source="x.log").runs
    return [tuple(map(str, row)) for row in runs.reindex(columns=keys).itertuples(index=False)]


_TWO_BY_TWO = [("kiwi", "/"), ("kiwi", "/json"), ("emu", "/"), ("emu", "/json")]


@pytest.mark.parametrize(
    "form",
    [
        "--- {name} GET {path}",
        "## {name} (GET {path})",
        "## {name} [GET {path}]",
        "# {name} -> GET {path}",
        "## {name} GET {path} c=10",
        "=== {name} GET {path} ===",
        "## {name}: GET {path}",
        "## {name} GET `{path}`",
        "## {name} (GET {path}, 10 connections)",
    ],
)
def test_name_is_what_requests_are_sent_to(form: str) -> None:
    titles = [form.format(name=name, path=path) for name, path in _TWO_BY_TWO]
    assert _labels(titles, ["framework", "path"]) == _TWO_BY_TWO


def test_methods_are_settings() -> None:
    requests = [("kiwi", "GET"), ("kiwi", "PUT"), ("emu", "GET"), ("emu", "PUT")]
    titles = [f"## {name} {method} /item" for name, method in requests]
    assert _labels(titles, ["framework", "method"]) == requests


def test_path_is_setting_if_no_report_states_it() -> None:
    page = "\n".join(
        f"## {name} GET {path}\n\n{_TIME.format(number=number)}\n" for number, (name, path) in enumerate(_TWO_BY_TWO)
    )
    assert _read(page, ["framework", "path"]) == _TWO_BY_TWO


def test_descriptions_of_requests_are_no_names() -> None:
    titles = ["## List users (GET /users)", "## Show one (GET /users/1)", "## Search (GET /search)"]
    assert _labels(titles, ["framework"]) == [("nan",)] * 3


def test_runs_of_two_requests_are_no_repeats_if_all_reports_state_one_address() -> None:
    page = "\n".join(
        f"## {name} GET {path}\n\n{WRK.format(requests=10 * number, rate=number)}"
        for number, (name, path) in enumerate([("kiwi", "/a"), ("kiwi", "/b"), ("emu", "/a"), ("emu", "/b")], 1000)
    )
    assert wp.compare(wp.parse_text(page, source="x.log")).cells["n"].dropna().max() == 1
