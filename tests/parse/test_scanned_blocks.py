"""What other threads have looked at comes out as if one had read it all."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.samples import GC, SCHED, WRK
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.parallel import workers
from wrkparse.ingest.table_builder import TableBuilder
from wrkparse.parse.events.scan import ScannedBlock, scan_block
from wrkparse.parse.parser import SourceParser
from wrkparse.source.blocks import BlockReader
from wrkparse.store.duckdb_store import load
from wrkparse.tools.columnar import compiled

FIXTURES = Path(__file__).parents[1] / "fixtures"
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


def found_in(
    text: str, block: int, looking: Callable[[bytes], ScannedBlock | None] = scan_block
) -> tuple[dict[str, list[str]], int]:
    """All rows by table, in no order, of a text that comes in such blocks; and how many were taken in as looked at."""
    reader, builder, taken = SourceParser("x"), TableBuilder(), 0
    blocks = cut(text.encode(), block)
    for number, each in enumerate(blocks):
        looked = looking(each) if number else None
        with pytest.MonkeyPatch.context() as patch:
            again: list[bytes] = []
            patch.setattr(
                "wrkparse.parse.parser.scan_block", lambda part, again=again: again.append(part) or scan_block(part)
            )
            for item in reader.feed(each, looked):
                builder.add(item)
        assert not (looked and again)  # no block is looked at twice
        taken += looked is not None
    for item in reader.finish():
        builder.add(item)
    return rows_of(builder, reader), taken


def cut(text: bytes, size: int) -> list[bytes]:
    """In blocks of whole lines of this size or more."""
    blocks, at = [], 0
    while at < len(text):
        end = text.find(b"\n", at + size) + 1 or len(text)
        blocks.append(text[at:end])
        at = end
    return blocks


def rows_of(builder: TableBuilder, reader: SourceParser) -> dict[str, list[str]]:
    rows = {name: sorted(map(repr, table.to_pylist())) for name, table in builder.drain().items()}
    return rows | {"lines": [f"{reader.lines} {reader.lines_claimed}"]}


def at_once(text: str) -> dict[str, list[str]]:
    reader, builder = SourceParser("x"), TableBuilder()
    for item in [*reader.feed(text.encode()), *reader.finish()]:
        builder.add(item)
    return rows_of(builder, reader)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("log", [mixed, stamped, half_stamped, real], ids=lambda log: log.__name__)
def test_a_log_that_was_looked_at_is_as_at_once(log: Callable[[random.Random], str], seed: int) -> None:
    chance = random.Random(f"{log.__name__} {seed}")
    text = log(chance)
    rows, taken = found_in(text, chance.randrange(200, 2000))
    assert rows == at_once(text)
    assert taken > 0 or log is not stamped


def test_all_of_a_plain_trace_but_its_first_block_is_looked_at() -> None:
    text = "".join([*cycles(200), *cycles(200)])
    rows, taken = found_in(text, 1000)
    assert taken == len(cut(text.encode(), 1000)) - 1 > 5
    assert len(rows["gc_cycles"]) == 400
    assert len({row.partition("'line'")[0] for row in rows["gc_cycles"]}) == 2  # runs


def test_what_nobody_looked_at_is_read_all_the_same() -> None:
    text = "".join(cycles(200))
    assert found_in(text, 1000, lambda _: None) == (at_once(text), 0)


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        (GC.format(n=1, t="0.5"), True),
        (GC.format(n=1, t="0.5").rstrip(), False),  # the line may go on
        (GC.format(n=1, t="0.5").replace("ms clock", "clock"), False),
        (GC.format(n=1, t="0.5") + WRK, False),
        ("nothing\n", True),
    ],
)
def test_a_block_with_more_than_sound_events_is_left(text: str, sound: bool) -> None:
    assert (scan_block(text.encode()) is not None) == sound


@pytest.mark.skipif(not compiled.COMPILED, reason="the package was installed without a C compiler")
def test_two_threads_read_one_large_file_as_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_THREADED_BYTES", 1 << 20)
    monkeypatch.setattr(BlockReader.__init__, "__defaults__", (100_000,))
    looked: set[str] = set()
    monkeypatch.setattr(
        workers, "scan_block", lambda block: looked.add(threading.current_thread().name) or scan_block(block)
    )
    log = tmp_path / "go.log"
    log.write_text("".join([*cycles(9_000), *cycles(13_000)]))
    stores = [tmp_path / f"{jobs}.duckdb" for jobs in (1, 2)]
    summaries = [ingest([str(log)], store, jobs=jobs) for jobs, store in enumerate(stores, 1)]
    assert any(name.startswith("wrkparse-scan") for name in looked)
    assert [(one.lines, one.lines_claimed, one.events["gc_cycles"]) for one in summaries] == [(22_000,) * 3] * 2
    one, two = map(load, stores)
    for table in ("runs", "gc_cycles", "labels", "texts", "diagnostics"):
        assert one.arrow(table) == two.arrow(table), table
    assert one.sql("SELECT digest, lines FROM sources").equals(two.sql("SELECT digest, lines FROM sources"))
    assert ingest([str(log)], stores[1]).unchanged == 1
