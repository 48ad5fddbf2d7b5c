"""Logs of servers that have variants each: runs of different servers or variants are no repeats of one setting."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_strangers import written

_NOT_COMPARED = {"above", "title", "below"}


def settings(page: str, name: str = "x.log") -> list[frozenset[tuple[str, str]]]:
    """For each run, the labels that distinguish it from others."""
    found = wp.parse_text(written(page), source=name)
    labels = found.labels[~found.labels["overruled"] & ~found.labels["key"].isin(_NOT_COMPARED)]
    return [
        frozenset(zip(own["key"], own["value"], strict=True))
        for run in found.runs.sort_values("line")["run"]
        for own in [labels[labels["run"] == run]]
    ]


def groups(page: str, name: str = "x.log") -> list[int]:
    """For each run, the number of its setting, in the order of the page."""
    of_runs = settings(page, name)
    return [of_runs.index(setting) for setting in of_runs]


@pytest.mark.parametrize(
    "form",
    ["$ ./bench.sh {}\n@\n", "+ ./bench.sh {}\n@\n", "run.sh {}\n@\n", "make {}\n@\n", "now measuring: {}\n@\n"],
)
@pytest.mark.parametrize(
    "calls",
    [
        ("kiwi pool", "kiwi nopool", "emu pool"),
        ("kiwi pool", "kiwi nopool", "emu pool", "emu nopool"),
        ("kiwi pool", "emu pool", "emu nopool"),
    ],
)
def test_a_server_and_its_variant_as_arguments(form: str, calls: tuple[str, ...]) -> None:
    page = "".join(form.format(call) for call in calls for _ in range(2))
    assert groups(page) == [at - at % 2 for at in range(2 * len(calls))]


def test_a_script_with_and_without_a_second_argument() -> None:
    page = "".join(f"$ ./bench.sh {call}\n@\n" for call in ("kiwi", "kiwi pool", "emu") for _ in range(2))
    assert groups(page) == [0, 0, 2, 2, 4, 4]


def test_arguments_that_differ_together_are_one_name() -> None:
    page = "".join(f"$ ./bench.sh {call}\n@\n" for call in ("kiwi pool", "emu nopool") for _ in range(2))
    names = [dict(setting)["framework"] for setting in settings(page)]
    assert names == ["kiwi pool", "kiwi pool", "emu nopool", "emu nopool"]


def test_the_file_to_which_a_script_writes_is_no_variant() -> None:
    page = "".join(f"$ ./bench.sh {server} {server}.txt\n@\n" for server in ("kiwi", "emu") for _ in range(2))
    assert [dict(setting)["framework"] for setting in settings(page)] == ["kiwi", "kiwi", "emu", "emu"]


@pytest.mark.parametrize(
    ("line", "steps"),
    [("{}\n", ("cold", "hot")), ("{}:\n", ("cold", "hot")), ("{}\n", ("delay 0", "delay 20"))],
)
@pytest.mark.parametrize("per_step", [1, 2])
@pytest.mark.parametrize("mark", ["", "Round {}\n"])
def test_rounds_of_servers_and_steps(line: str, steps: tuple[str, str], per_step: int, mark: str) -> None:
    page = "".join(
        (mark.format(number) if server == "kiwi" else "")
        + line.format(server)
        + "".join(line.format(step) + "@\n" * per_step for step in steps)
        for number in (1, 2)
        for server in ("kiwi", "emu")
    )
    of_round = [at for first in range(4) for at in [first * per_step] * per_step]
    assert groups(page) == of_round * 2


def test_rounds_of_which_the_last_one_was_ended_early() -> None:
    page = "kiwi\ncold\n@\nhot\n@\nemu\ncold\n@\nhot\n@\nkiwi\ncold\n@\nhot\n@\nemu\ncold\n@"
    assert groups(page) == [0, 1, 2, 3, 0, 1, 2]


@pytest.mark.parametrize(
    "form", ["== {} variant={} ==", "== {}, variant: {} ==", "## {} (variant={})", "{} build={} c=10"]
)
def test_a_variant_behind_a_name_is_a_setting(form: str) -> None:
    page = "".join(f"{form.format(server, kind)}\n@\n" for server in ("kiwi", "emu") for kind in ("pool", "plain"))
    found = wp.parse_text(written(page), source="x.log").runs.sort_values("line")
    key = "build" if "build" in form else "variant"
    assert list(zip(found["framework"], found[key], strict=True)) == [
        ("kiwi", "pool"),
        ("kiwi", "plain"),
        ("emu", "pool"),
        ("emu", "plain"),
    ]


@pytest.mark.parametrize("form", ["variant={}", "[1/2] variant={}", "Running variant={} c=10"])
def test_a_variant_without_a_name_before_it_is_the_name(form: str) -> None:
    page = "".join(f"{form.format(kind)}\n@\n" for kind in ("heron", "kiwi"))
    assert [dict(setting)["framework"] for setting in settings(page)] == ["heron", "kiwi"]


def test_a_program_with_a_version_is_a_name_without_its_folder() -> None:
    page = "".join(f"== ./{call} ==\n@\n" for call in ("gin v1.9", "heron v0.3") for _ in range(2))
    assert [dict(setting)["framework"] for setting in settings(page)] == ["gin v1.9"] * 2 + ["heron v0.3"] * 2


@pytest.mark.parametrize("arguments", [("v1.9 v1.21", "v1.8 v1.22"), ("10.0.0.1", "10.0.0.2")])
def test_several_versions_and_addresses_stay_arguments(arguments: tuple[str, str]) -> None:
    page = "".join(f"$ ./heron {words} &\n$ wrk -c10 http://127.0.0.1:8080/\n@\n" for words in arguments)
    key = f"arg{len(arguments[0].split())}"
    assert [dict(setting)[key] for setting in settings(page)] == [words.split()[-1] for words in arguments]


@pytest.mark.parametrize(("versions", "key"), [(("v1.9", "v1.10"), "version"), (("0.5", "1.5"), "arg1")])
def test_the_argument_of_a_started_program_may_be_its_version(versions: tuple[str, str], key: str) -> None:
    page = "".join(f"$ ./heron {version} &\n$ wrk -c10 http://127.0.0.1:8080/\n@\n" for version in versions)
    assert [dict(setting)[key] for setting in settings(page)] == [*versions]
