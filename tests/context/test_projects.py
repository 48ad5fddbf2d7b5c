"""Folders of a whole project: a load generator, another one and a trace of the server, for each repeat.

Each project has two servers, two loads and three repeats, in another layout of folders and names. The expected labels
are read by eye from the paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import GC
from tests.samples import RATED_WRK as WRK

_AB = (Path(__file__).parent.parent / "fixtures" / "ab" / "n2000.txt").read_text()
_LAYOUTS = {
    "a folder for each load": (
        "{name}/c{load}/load.{run}.txt",
        "{name}/c{load}/ab.{run}.txt",
        "{name}/c{load}/server.{run}.log",
    ),
    "a folder for each server": (
        "{name}/wrk-c{load}-{run}.txt",
        "{name}/ab-c{load}-{run}.txt",
        "{name}/gc-c{load}-{run}.log",
    ),
    "a folder for each tool": (
        "wrk/{name}-c{load}-{run}.txt",
        "ab/{name}-c{load}-{run}.txt",
        "gc/{name}-c{load}-{run}.txt",
    ),
    "a folder for each repeat": (
        "run{run}/{name}/c{load}.wrk",
        "run{run}/{name}/c{load}.ab",
        "run{run}/{name}/c{load}.gc",
    ),
    "one folder": ("{name}_c{load}_{run}.wrk.txt", "{name}_c{load}_{run}.ab.txt", "{name}_c{load}_{run}.gctrace.log"),
    "pairs": (
        "{name}/conns={load}/rep={run}/wrk.txt",
        "{name}/conns={load}/rep={run}/ab.txt",
        "{name}/conns={load}/rep={run}/srv.txt",
    ),
}


def _turns() -> Iterator[tuple[int, str, int, int]]:
    """The place of each turn, the server, the load and the repeat."""
    return ((at, *turn) for at, turn in enumerate(product(("alder", "birch"), (10, 20), (1, 2, 3))))


def _wrk_report(rate: int, port: int) -> str:
    return WRK.format(requests=10 * rate, rate=rate).replace("8080", str(port))


def _ab_report(rate: int, load: int, port: int) -> str:
    """A report of ab with another rate, load and port; its times follow from the rate."""
    values = {
        "Server Port": f"{port}",
        "Concurrency Level": f"{load}",
        "Time taken for tests": f"{2000 / rate:.3f} seconds",
        "Requests per second": f"{rate:.2f} [#/sec] (mean)",
    }
    return re.sub(rf"^({'|'.join(values)}): .*$", lambda line: f"{line[1]}: {values[line[1]]}", _AB, flags=re.MULTILINE)


def _write(folder: Path, layout: tuple[str, ...], *, new_ports: bool) -> None:
    """Write the logs of a project; with `new_ports`, each server is started at another port for each turn."""
    for at, name, load, run in _turns():
        port = 9400 + at if new_ports else 8080
        wrk = WRK.format(requests=10 * (1000 + at), rate=1000 + at).replace("10 connections", f"{load} connections")
        texts = (wrk.replace("8080", str(port)), _ab_report(2000 + at, load, port), GC.format(n=1, t=f"0.{at:03}"))
        for path, text in zip(layout, texts, strict=False):
            file = folder / path.format(name=name, load=load, run=run)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


@pytest.mark.parametrize("layout", _LAYOUTS.values(), ids=_LAYOUTS)
@pytest.mark.parametrize("new_ports", [False, True], ids=["one port", "a port for each run"])
@pytest.mark.parametrize("tools", [3, 1], ids=["all tools", "wrk alone"])
def test_servers_are_compared_by_tool_and_load(
    layout: tuple[str, ...], new_ports: bool, tools: int, tmp_path: Path
) -> None:
    _write(tmp_path, layout[:tools], new_ports=new_ports)
    comparison = wp.compare(wp.read(tmp_path), metric="throughput")
    assert comparison.rows == ("framework",)
    cells = comparison.cells
    assert set(cells["framework"]) == {"alder", "birch"}
    assert set(cells["n"]) == {3}
    assert len(cells) == (8 if tools > 1 else 4)


def test_ports_that_are_the_numbers_of_files_are_no_repeats(tmp_path: Path) -> None:
    for port in (8081, 8082, 8083):
        (tmp_path / f"{port}.txt").write_text(_wrk_report(port, port))
    assert len(wp.compare(wp.read(tmp_path), metric="throughput").cells) == 3


def test_ports_of_runs_of_one_log_are_settings(tmp_path: Path) -> None:
    """Nothing says that they are repeats: two servers may listen there."""
    log = tmp_path / "x.log"
    log.write_text("".join(_wrk_report(port, port) for port in (8081, 8082)))
    assert len(wp.compare(wp.read(log), metric="throughput").cells) == 2


@pytest.mark.parametrize(
    "heading", ["## alder run {run}", "=== alder #{run} (port {port})", "[alder] run={run} port={port}"]
)
def test_ports_of_numbered_headings_are_no_settings(heading: str) -> None:
    text = (
        "".join(
            f"{heading.format(run=run, port=9400 + run)}\n{_wrk_report(1000 + run, 9400 + run)}\n" for run in (1, 2, 3)
        )
        + f"{heading.format(run=1, port=9500).replace('alder', 'birch')}\n{_wrk_report(2000, 9500)}"
    )
    cells = wp.compare(wp.parse_text(text, source="x.md"), metric="throughput").cells
    assert dict(zip(cells["framework"], cells["n"], strict=True)) == {"alder": 3, "birch": 1}


@pytest.mark.parametrize("name", ["node-{}.txt", "http_{}.txt", "kiwi-{}.txt", "load.{}.txt", "server{}/wrk.txt"])
def test_a_number_that_may_say_which_server_it_is_counts_no_repeats(name: str, tmp_path: Path) -> None:
    """Each server may listen at a port of its own: no word says *run*, and nothing else was loaded."""
    for number in (1, 2, 3):
        file = tmp_path / name.format(number)
        file.parent.mkdir(exist_ok=True)
        file.write_text(_wrk_report(1000 * number, 9400 + number))
    assert set(wp.compare(wp.read(tmp_path), metric="throughput").cells["n"]) == {1}


@pytest.mark.parametrize("heading", ["## Backend {}", "=== app #{}", "v{}:", "Option {}:", "## Worker {}"])
def test_a_number_of_a_heading_that_may_say_which_server_it_is_counts_no_repeats(heading: str) -> None:
    text = "".join(f"{heading.format(number)}\n{_wrk_report(1000 * number, 9400 + number)}\n" for number in (1, 2, 3))
    assert set(wp.compare(wp.parse_text(text, source="x.md"), metric="throughput").cells["n"]) == {1}


@pytest.mark.parametrize("name", ["{}/v-{}.txt", "{}/app-{}.txt", "{}_shard_{}.txt"])
def test_versions_of_two_servers_at_ports_of_their_own_are_no_repeats(name: str, tmp_path: Path) -> None:
    for at, (server, number) in enumerate(product(("alder", "birch"), (1, 2))):
        file = tmp_path / name.format(server, number)
        file.parent.mkdir(exist_ok=True)
        file.write_text(_wrk_report(1000 + at, 9400 + at))
    assert set(wp.compare(wp.read(tmp_path), metric="throughput").cells["n"]) <= {0, 1}


def test_a_number_that_always_goes_with_one_port_counts_no_repeats(tmp_path: Path) -> None:
    for load, number in product((10, 20), (1, 2)):
        report = _wrk_report(1000 + load, 9400 + number).replace("10 connections", f"{load} connections")
        (tmp_path / f"alder_c{load}_{number}.txt").write_text(report)
    assert len(wp.compare(wp.read(tmp_path), metric="throughput").cells) == 4


@pytest.mark.parametrize("name", ["run{}.txt", "rep-{}.txt", "round_{}/wrk.txt"])
def test_a_word_says_that_numbers_count_repeats_at_other_ports(name: str, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        file = tmp_path / name.format(number)
        file.parent.mkdir(exist_ok=True)
        file.write_text(_wrk_report(1000 + number, 9400 + number))
    birch = tmp_path / "birch.txt"
    birch.write_text(_wrk_report(2000, 9404).replace("10 connections", "20 connections"))
    cells = wp.compare(wp.read(tmp_path), metric="throughput").cells
    assert set(cells["n"]) == {3, 1}


def test_the_port_alone_is_named_if_it_keeps_runs_apart() -> None:
    """Loads are the same for both servers: only each run's own port keeps the settings apart."""
    text = "".join(
        f"## {name}\n{_wrk_report(1000 + at, 9400 + at).replace('10 connections', f'{load} connections')}\n"
        for at, (name, load, _) in enumerate(product(("alder", "birch"), (10, 20), "ab"))
    )
    first, *_ = wp.compare(wp.parse_text(text, source="x.md"), metric="throughput").sentences
    assert first.endswith("they differ in url; wrkparse compare --ignore url compares them.")


def test_numbered_servers_are_machines_without_other_names_of_the_same_numbers(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"server-{number}.txt").write_text(WRK.format(requests=10_000 + number, rate=1000 + number))
    assert len(wp.compare(wp.read(tmp_path), metric="throughput").cells) == 2


@pytest.mark.parametrize("name", ["kiwi-{}0000.txt", "kiwi-c64-{}5000.txt"])
def test_round_numbers_of_files_count_no_repeats(name: str, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / name.format(number)).write_text(_wrk_report(1000 + number, 8080))
    assert list(wp.compare(wp.read(tmp_path), metric="throughput").cells["n"]) == [1, 1, 1]


@pytest.mark.parametrize("machine", ["server", "host", "machine", "box"])
def test_machines_that_one_tool_measured_beside_repeats_of_another_name_are_told_apart(
    machine: str, tmp_path: Path
) -> None:
    for at, (name, number) in enumerate(product((machine, "kiwi"), (1, 2))):
        (tmp_path / f"{name}-{number}.txt").write_text(_wrk_report(1000 + at, 8080))
    assert sorted(wp.compare(wp.read(tmp_path), metric="throughput").cells["n"]) == [1, 1, 2]


def test_files_with_names_of_servers_are_not_called_by_their_tools(tmp_path: Path) -> None:
    """Kiwi was loaded with wrk and emu with ab, each with two loads."""
    for load in (10, 20):
        folder = tmp_path / f"c{load}"
        folder.mkdir()
        wrk = _wrk_report(1000 + load, 8080).replace("10 connections", f"{load} connections")
        (folder / "kiwi.txt").write_text(wrk)
        (folder / "emu.txt").write_text(_ab_report(2000, load, 8080))
    runs = wp.read(tmp_path).runs
    assert dict(zip(runs["tool"], runs["framework"], strict=True)) == {"wrk": "kiwi", "ab": "emu"}
