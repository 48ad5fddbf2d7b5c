"""Pods of a stateful set and containers of a service are replicas of one server, unless their numbers may be more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest

import wrkparse as wp
from tests.context.test_strangers import written

_Form = Callable[[str, str], str]


def _in_json(pod: str, line: str) -> str:
    return json.dumps({"pod": pod, "msg": line})


def _by_kubectl(pod: str, line: str) -> str:
    return f"[pod/{pod}/wrk] {line}"


def _by_compose(container: str, line: str) -> str:
    return f"{container}  | {line}"


def _log(form: _Form, processes: Iterable[str]) -> str:
    """A report of each process, no two alike."""
    return "".join(
        f"{form(process, line)}\n"
        for at, process in enumerate(processes)
        for line in written("-\n" * at + "@").splitlines()[at:]
    )


def _compared(form: _Form, processes: Iterable[str], rows: str | None = None) -> wp.ComparisonTable:
    return wp.compare(wp.parse_text(_log(form, processes), source="x.log"), rows=rows)


@pytest.mark.parametrize("form", [_in_json, _by_kubectl, _by_compose])
def test_replicas_of_two_servers_are_compared_as_two_servers(form: _Form) -> None:
    table = _compared(form, [f"{server}-{number}" for server in ("kiwi", "emu") for number in (0, 1, 2)])
    cells = table.cells[table.cells["metric"] == "throughput"]
    assert (table.compared, dict(zip(cells["framework"], cells["n"], strict=True))) == (
        ("framework",),
        {"kiwi": 3, "emu": 3},
    )


def test_pods_of_one_name_stay_settings() -> None:
    table = _compared(_by_kubectl, [f"kiwi-{number}" for number in (0, 1, 2)])
    assert set(table.cells["process"]) == {"pod/kiwi-0/wrk", "pod/kiwi-1/wrk", "pod/kiwi-2/wrk"}


@pytest.mark.parametrize("second", [("emu-0", "emu-1"), ("emu-1", "emu-2", "emu-4"), ("emu-blue", "emu-green")])
def test_pods_with_other_numbers_stay_settings(second: tuple[str, ...]) -> None:
    table = _compared(_by_kubectl, ["kiwi-0", "kiwi-1", "kiwi-2", *second])
    assert "process" in (*table.rows, *table.columns, *table.setting_keys)


@pytest.mark.parametrize("names", [("us-east", "us-west"), ("kiwi-http", "emu-http")])
def test_regions_and_versions_are_no_replicas(names: tuple[str, str]) -> None:
    table = _compared(_by_compose, [f"{name}-{number}" for name in names for number in (1, 2)])
    assert "process" in (*table.rows, *table.columns, *table.setting_keys)


def test_a_process_that_is_asked_for_is_shown_as_printed() -> None:
    table = _compared(_by_compose, [f"{server}-{number}" for server in ("kiwi", "emu") for number in (1, 2)], "process")
    assert set(table.cells["process"]) == {"kiwi-1", "kiwi-2", "emu-1", "emu-2"}
