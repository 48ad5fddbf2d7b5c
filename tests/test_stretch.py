"""What other processes have looked at comes out as if one had read it all."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path

import pytest

from tests.samples import GC, SCHED, WRK
from wrkparse import many, stretch
from wrkparse.collect import Collector
from wrkparse.found import Found
from wrkparse.ingest import ingest
from wrkparse.reader import SourceReader
from wrkparse.source import Text
from wrkparse.store import load
from wrkparse.stretch import Ask, Stretch, look, stretches

FIXTURES = Path(__file__).parent / "fixtures"
REAL = sorted([*(FIXTURES / "gctrace").glob("*.log"), *(FIXTURES / "schedtrace").glob("*.log")])
STAMP = "2026-11-20T10:00:{:02d}.{:09d}Z stderr F "


def cycles(count: int) -> list[str]:
    return [GC.format(n=n, t=f"{n}.000") for n in range(1, count + 1)]


def application(chance: random.Random, count: int) -> list[str]:
    return [
        f"worker {n % 16}: order {n} answered 200 in {chance.randrange(90)}ms, gc {n} pending\n" for n in range(count)
    ]


def mixed(chance: random.Random) -> str:
    """Two processes, one after the other, among lines of an application and another trace; now and then a report."""
    lines = [*cycles(120), *cycles(80)]
    others = [*application(chance, 60), *(SCHED.format(t=10 * n) for n in range(40)), WRK]
    for line in others:
        lines.insert(chance.randrange(5, len(lines)), line)
    return "".join(lines)


def stamped(chance: random.Random) -> str:
    lines = mixed(chance).splitlines(keepends=True)
    return "".join(STAMP.format(n // 60 % 60, n) + line for n, line in enumerate(lines))


def real(chance: random.Random) -> str:
    """Logs of all versions of Go, torn ones among them, one after the other."""
    return "".join(path.read_text() for path in chance.sample(REAL, 10))


def half_stamped(chance: random.Random) -> str:
    return "".join(STAMP.format(n % 60, n) * (n % 3 > 0) + line for n, line in enumerate(cycles(150)))


def here(ask: Ask) -> Future[Stretch | None]:
    future: Future[Stretch | None] = Future()
    future.set_result(look(ask))
    return future


def found_in(
    path: Path, folder: Path, block: int, submit: Callable[[Ask], Future[Stretch | None] | None] = here
) -> tuple[dict[str, list[str]], int]:
    """All rows by table, in no order; and how many stretches were taken in."""
    reader, collector, adopted = SourceReader("x"), Collector(), 0
    found = Found("x", path, "x", asked_for=True)
    for blocks, one in stretches(Text(found, block), found, submit, 1, str(folder)):
        items = None if one is None else reader.adopt(one)
        adopted += items is not None
        for part in [items] if items is not None else map(reader.feed, blocks):
            for item in part:
                collector.add(item)
    for item in reader.finish():
        collector.add(item)
    rows = {name: sorted(map(repr, table.to_pylist())) for name, table in collector.drain().items()}
    return rows | {"lines": [f"{reader.lines} {reader.lines_claimed}"]}, adopted


def at_once(text: str) -> dict[str, list[str]]:
    reader, collector = SourceReader("x"), Collector()
    for item in [*reader.feed(text.encode()), *reader.finish()]:
        collector.add(item)
    rows = {name: sorted(map(repr, table.to_pylist())) for name, table in collector.drain().items()}
    return rows | {"lines": [f"{reader.lines} {reader.lines_claimed}"]}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("log", [mixed, stamped, half_stamped, real], ids=lambda log: log.__name__)
def test_a_log_in_stretches_is_as_at_once(
    log: Callable[[random.Random], str], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"{log.__name__} {seed}")
    text, path, folder = log(chance), tmp_path / "x.log", tmp_path / "parts"
    path.write_text(text)
    folder.mkdir()
    block = chance.randrange(200, 2000)
    monkeypatch.setattr(stretch, "STRETCH", chance.randrange(block, 4 * block))
    rows, adopted = found_in(path, folder, block)
    assert rows == at_once(text)
    assert adopted > 0 or log is not stamped


def test_all_of_a_plain_trace_is_looked_at_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretch, "STRETCH", 4000)
    path = tmp_path / "go.log"
    path.write_text("".join([*cycles(200), *cycles(200)]))
    asked: list[Ask] = []
    rows, adopted = found_in(path, tmp_path, 1000, lambda ask: asked.append(ask) or here(ask))
    assert adopted == len(asked) > 5
    assert (
        sum(size for ask in asked for size, _ in ask.blocks) > path.stat().st_size - 2001
    )  # but its first block, and its last
    assert len(rows["gc_cycles"]) == 400
    assert len({row.partition("'line'")[0] for row in rows["gc_cycles"]}) == 2  # runs
    assert sorted(tmp_path.iterdir()) == [path]


def killed(_: Ask) -> Future[Stretch | None]:
    future: Future[Stretch | None] = Future()
    future.set_exception(BrokenExecutor())
    return future


def changed(ask: Ask) -> Future[Stretch | None]:
    """As if the file were another by now."""
    return here(ask._replace(offset=ask.offset + 8))


def gone(_: Ask) -> None:
    """As if there were no workers any longer."""


@pytest.mark.parametrize(("submit", "looked"), [(killed, True), (gone, True), (changed, False)])
def test_what_workers_do_not_give_is_read_here(
    submit: Callable[[Ask], Future[Stretch | None] | None], looked: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(stretch, "STRETCH", 4000)
    path = tmp_path / "go.log"
    path.write_text(text := "".join(cycles(200)))
    rows, adopted = found_in(path, tmp_path, 1000, submit)
    assert rows == at_once(text)
    assert bool(adopted) == looked


def test_two_processes_read_one_large_file_as_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_SHARED", 1 << 20)
    monkeypatch.setattr(stretch, "STRETCH", 1 << 20)
    log = tmp_path / "go.log"
    log.write_text("".join([*cycles(9_000), *cycles(13_000)]))
    stores = [tmp_path / f"{jobs}.duckdb" for jobs in (1, 2)]
    summaries = [ingest([str(log)], store, jobs=jobs) for jobs, store in enumerate(stores, 1)]
    assert [(one.lines, one.lines_claimed, one.events["gc_cycles"]) for one in summaries] == [(22_000,) * 3] * 2
    one, two = map(load, stores)
    for table in ("runs", "gc_cycles", "labels", "texts", "diagnostics"):
        assert one.arrow(table) == two.arrow(table), table
    assert one.sql("SELECT digest, lines FROM sources").equals(two.sql("SELECT digest, lines FROM sources"))
    assert ingest([str(log)], stores[1]).unchanged == 1
