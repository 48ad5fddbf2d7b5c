"""Every kind of figure without options, on stores of different data: it is drawn, or the message says what to do."""

from __future__ import annotations

import contextlib
import functools
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.samples import GC, SCHED, WRK
from wrkparse.cli import main
from wrkparse.plot import KINDS

DATA = Path(__file__).parents[2] / "data"

Files = dict[str, str]


def load(rate: float, connections: int = 8) -> str:
    """A report of 10.10 s with a rate, and with percentiles."""
    spread = "  Latency Distribution\n     50%  190.00us\n     99%  310.00us\n  410759"
    text = WRK.replace("40669.44", f"{rate:.2f}").replace("8 connections", f"{connections} connections")
    return text.replace("  410759", spread).replace("410759", f"{rate * 10.10:.0f}")


def trace(count: int) -> str:
    return "".join(GC.format(n=n, t=n) for n in range(1, count + 1))


def servers() -> Files:
    return {
        f"{name}/{connections}-{n}.txt": load(rate * connections + n, connections)
        for name, rate in (("heron", 500), ("plover", 700))
        for connections in (8, 16, 32, 64)
        for n in (1, 2)
    }


def cores() -> Files:
    """Four points of a curve."""
    return {f"cores={n}/wrk.txt": load(1000.0 * n) for n in (1, 2, 4, 8)}


def settings(variable: str, *values: str) -> Callable[[], Files]:
    """Loads and traces under several values of a variable of Go."""

    def files() -> Files:
        found: Files = {}
        for place, value in enumerate(values, 1):
            found |= {f"{variable}={value}/wrk-{n}.txt": load(40000.0 + 100 * place + n) for n in (1, 2)}
            found |= {f"{variable}={value}/gc-{n}.log": trace(3 * place + n) for n in (1, 2)}
        return found

    return files


def traces() -> Files:
    return {"one.log": trace(4), "two.log": trace(6)}


def ticks() -> Files:
    line = "".join(SCHED.format(t=t) for t in range(0, 5000, 1000))
    return {"one.log": line, "two.log": line * 2}


def times() -> Files:
    return {
        f"{build}/{n}.txt": f"real\t0m{seconds + n / 10:.3f}s\nuser\t0m1.000s\nsys\t0m0.100s\n"
        for build, seconds in (("main", 4), ("lto", 5))
        for n in (1, 2)
    }


def clocked() -> Files:
    """Two loads that end 11 and 12 s after the start of a server, whose collections are at 1 to 5 s; all stamped."""

    def stamped(text: str, second: int) -> str:
        return "".join(f"2026-03-01T10:00:{second:02}.004Z {line}\n" for line in text.splitlines())

    collections = "".join(stamped(GC.format(n=n, t=n), n) for n in range(1, 6))
    loads = {f"c{count}.txt": stamped(load(40669.44, count), 3 + count) for count in (8, 9)}
    return {"server.log": collections, **loads}


STORES: dict[str, Callable[[], Files]] = {
    "one load": lambda: {"wrk.txt": load(40669.44)},
    "one trace": lambda: {"gc.log": trace(5)},
    "servers": servers,
    "cores": cores,
    "GOGC": settings("GOGC", "50", "100", "200"),
    "GOMEMLIMIT": settings("GOMEMLIMIT", "64MiB", "256MiB", "1GiB"),
    "traces": traces,
    "ticks": ticks,
    "times": times,
    "clocked": clocked,
    "without labels": lambda: {"all.txt": load(40669.44) + load(40670.44) + load(40671.44)},
}
LOADS = {"multiples", "latency", "ccdf", "audit"}
# The kinds whose data the store has, by how they can be drawn: without options, or with those that the message names.
DRAWN = {
    "one load": LOADS,
    "one trace": {"gc", "mmu"},
    "servers": LOADS | {"compare"},
    "cores": LOADS | {"compare", "scaling", "efficiency"},
    "GOGC": LOADS | {"compare", "gc_settings", "gc_costs", "mmu"},
    "GOMEMLIMIT": LOADS | {"compare", "gc_costs", "mmu"},
    "traces": {"compare", "gc_costs", "mmu"},  # of two files, which are settings
    "ticks": set(),
    "times": {"compare"},
    "clocked": {"compare", "gc", "mmu"},
    "without labels": LOADS,
}
NAMED = {
    "servers": {"scaling", "efficiency"},
    "GOGC": {"gc"},
    "GOMEMLIMIT": {"gc", "gc_settings"},
    "traces": {"gc"},
    "ticks": {"sched"},
    "clocked": {"scaling", "efficiency", "window"},
}
# What these kinds do with loads does not depend on the labels, and a memory limit is a setting as GOGC is.
CASES = [
    (store, kind)
    for store in STORES
    for kind in KINDS
    if (kind not in LOADS or store in ("one load", "servers", "without labels", "ticks"))
    and (store != "GOMEMLIMIT" or kind in ("gc", "gc_settings", "compare"))
]


def wrkparse(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a store by its name; each is made once."""

    @functools.cache
    def made(name: str) -> Path:
        folder = tmp_path_factory.mktemp("store")
        for path, text in STORES[name]().items():
            (folder / "logs" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "logs" / path).write_text(text)
        with contextlib.chdir(folder):
            assert wrkparse("ingest", "-q", "logs").exit_code == 0
        return folder

    return made


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_kind_is_drawn_or_the_message_has_a_command_that_draws_it(
    folder_of: Callable[[str], Path], name: str, kind: str
) -> None:
    with contextlib.chdir(folder_of(name)):
        result = wrkparse("plot", kind)
        assert result.exit_code == (0 if kind in DRAWN[name] else 3), result.output
        _, _, command = result.output.partition("; this draws one:\n")
        assert bool(command) is (kind in NAMED.get(name, ())), result.output
        if command:
            pasted = wrkparse(*shlex.split(command)[1:])
            assert (pasted.exit_code, pasted.output) == (0, f"figure: {kind}.svg\n")


def test_the_command_keeps_the_options_that_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in traces().items():
        (tmp_path / name).write_text(text)
    assert wrkparse("ingest", "-q", "one.log", "two.log", "-o", "the store.duckdb").exit_code == 0
    for place in (("-s", "the store.duckdb"), ("the store.duckdb",), ("one.log", "two.log")):
        result = wrkparse("plot", "gc", *place, "-o", "my figure.png", "--slo", "1ms")
        command = shlex.split(result.output.partition("; this draws one:\n")[2])
        assert wrkparse(*command[1:]).output == "figure: my figure.png\n"
        assert "0.001" in command
        assert (tmp_path / "my figure.png").exists()


@pytest.mark.parametrize("kind", ["scaling", "multiples"])
def test_too_many_panels_are_refused_without_another_try(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrkparse.cli.documents.plot.working_command", None)
    result = wrkparse("plot", kind, str(DATA / "nuster-nginx-varnish"))
    assert result.exit_code == 3
    assert "choose some of them, for example with --where" in result.output


@pytest.mark.parametrize("where", [(), ("--where", "connections > 100")], ids=["all", "some"])
def test_the_message_on_too_many_panels_has_a_command_that_draws_one(
    where: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = wrkparse("plot", "multiples", *where, str(DATA / "nuster-nginx-varnish"))
    _, _, command = result.output.partition("; this draws one of them:\n")
    assert all(word in command for word in where[1:])
    pasted = wrkparse(*shlex.split(command)[1:])
    assert (pasted.exit_code, pasted.output) == (0, "figure: multiples.svg\n")
