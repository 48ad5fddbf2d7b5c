"""Which labels tell lines over a number apart."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from wrkparse.analysis.runs.labels.lines import line_labels
from wrkparse.analysis.runs.selection import SelectedRun


def selected(*runs: dict[str, str | None]) -> list[SelectedRun]:
    keys = {key for run in runs for key in run}
    return [
        SelectedRun(f"run{at}", "log", at, {key: run.get(key) for key in sorted(keys)}, True, True)
        for at, run in enumerate(runs)
    ]


def at(connections: int, **labels: str) -> dict[str, str | None]:
    return {"connections": str(connections), "tool": "wrk", **labels}


def test_a_line_does_not_join_ab_on_one_path_with_wrk_on_another() -> None:
    """At each number of connections there is one tool and one path, so no point mixes anything."""
    runs = selected(at(8, tool="ab", path="/plaintext"), at(16, tool="wrk", path="/json"))
    assert line_labels(runs, (), "connections") == ("path",)  # it tells the tools apart, too
    assert line_labels(runs, (), "connections", ignored=("path",)) == ("tool",)
    assert line_labels(runs, (), "connections", ignored=("path", "tool")) == ()


@pytest.mark.parametrize("key", ["heading", "go_version", "gogc", "payload_bytes", "environment", "framework"])
def test_what_answers_is_the_same_along_a_line(key: str) -> None:
    runs = selected(at(8, **{key: "1"}), at(16, **{key: "2"}))
    assert line_labels(runs, (), "connections") == (key,)
    assert line_labels(runs, (key,), "connections") == ()


@pytest.mark.parametrize("key", ["threads", "duration_s", "url", "env_GOMAXPROCS", "flag_timeout"])
def test_how_the_load_is_made_may_follow_it(key: str) -> None:
    runs = selected(at(8, **{key: "1"}), at(16, **{key: "2"}), at(32, **{key: "2"}))
    assert line_labels(runs, (), "connections") == ()


def test_at_one_number_of_connections_no_label_may_differ() -> None:
    runs = selected(at(8, threads="1"), at(8, threads="2"), at(16, threads="2"))
    assert line_labels(runs, (), "connections") == ("threads",)


@pytest.mark.parametrize(("machines", "apart"), [("abc", ()), ("aab", ("machine",)), ("aaa", ())])
def test_a_label_of_ones_own_may_follow_the_number_one_to_one(machines: Sequence[str], apart: tuple[str, ...]) -> None:
    runs = selected(*(at(8 * 2**i, machine=machine) for i, machine in enumerate(machines)))
    assert line_labels(runs, (), "connections") == apart


def test_numbers_of_repeats_make_no_line() -> None:
    runs = selected(*(at(connections, rep=str(rep)) for connections in (8, 16) for rep in (1, 2)))
    assert line_labels(runs, (), "connections") == ()


def test_no_runs_have_no_labels() -> None:
    assert line_labels([], (), "connections") == ()


def test_each_size_of_a_payload_may_be_a_path_of_its_own() -> None:
    """Files of 64 and 128 bytes at ``/64b`` and ``/128b``; but not one path at two sizes beside another one."""

    def file(size: int, path: str) -> dict[str, str | None]:
        return {"payload_bytes": str(size), "path": path, "tool": "wrk"}

    assert line_labels(selected(file(64, "/64b"), file(128, "/128b")), (), "payload_bytes") == ()
    mixed = selected(file(64, "/a"), file(128, "/a"), file(256, "/b"))
    assert line_labels(mixed, (), "payload_bytes") == ("path",)
