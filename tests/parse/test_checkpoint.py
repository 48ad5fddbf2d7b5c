"""A log that has grown is read on from where it was left; the store is as if it had been read at once."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import tracemalloc
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import GC, SCHED, WRK
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.summary import IngestSummary
from wrkparse.parse.checkpoint import Checkpoint, freeze, thaw
from wrkparse.parse.items import Run
from wrkparse.parse.parser import SourceParser
from wrkparse.tools.schema import columns

FIXTURES = Path(__file__).parents[1] / "fixtures"
LOGS = [
    *sorted((FIXTURES / "gctrace").glob("go1.[1-4].3*.log")), FIXTURES / "gctrace" / "go1.26.8-torn.log",
    FIXTURES / "gctrace" / "go1.26.8-several-processes.log", *sorted((FIXTURES / "wrk").glob("*.txt"))[:6],
    FIXTURES.parent.parent / "data" / "go-many-cores" / "logs" / "results.md",
]  # fmt: skip


@pytest.fixture(autouse=True)
def small_logs_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrkparse.ingest.source_reading._RESUMABLE_BYTES", 1)


def tables(store: Path) -> dict[str, list[str]]:
    dataset = wp.load(store)
    found = {}
    for name in columns():
        rows = dataset.arrow(name)
        found[name] = sorted(
            map(repr, rows.drop(["ingested_at"] if "ingested_at" in rows.column_names else []).to_pylist())
        )
    return found


def grown(log: Path, pieces: list[bytes], store: Path) -> IngestSummary:
    log.write_bytes(b"")
    for piece in pieces:
        with log.open("ab") as file:
            file.write(piece)
        summary = ingest([str(log)], store)
    return summary


def test_in_pieces_cut_anywhere_it_is_as_at_once(tmp_path: Path):
    """Each log by itself in its directory; all of them grow by a piece before each ingest."""
    texts = {tmp_path / "logs" / f"{n}" / path.name: path.read_bytes() for n, path in enumerate(LOGS)}
    ends = {  # amid lines, words and characters
        log: [*sorted(random.Random(log.name).sample(range(1, len(data)), 3)), len(data)] for log, data in texts.items()
    }
    for log in texts:
        log.parent.mkdir(parents=True)
    for step in range(4):
        for log, data in texts.items():
            log.write_bytes(data[: ends[log][step]])
        summary = ingest([str(log) for log in texts], tmp_path / "grown")
        assert (summary.read, summary.grown) == (len(LOGS), len(LOGS) if step else 0)
    ingest([str(log) for log in texts], tmp_path / "whole")
    found, expected = tables(tmp_path / "grown"), tables(tmp_path / "whole")
    for name in columns():
        assert found[name] == expected[name], name


def test_only_the_rest_is_read_and_the_process_goes_on(tmp_path: Path):
    log = tmp_path / "go.log"
    first = "".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 400)).encode()
    rest = "".join(GC.format(n=n, t=f"{n}.000") for n in range(400, 500)).encode()
    summary = grown(log, [first, rest], tmp_path / "s")
    assert (summary.read, summary.grown, summary.replaced, summary.bytes_read) == (1, 1, 0, len(rest))
    dataset = wp.load(tmp_path / "s")
    assert dataset.gc_cycles["gc"].tolist() == list(range(1, 500))
    assert dataset.gc_cycles["line"].tolist() == list(range(1, 500))
    assert dataset.runs[["line", "line_end", "verdict"]].values.tolist() == [[1, 499, "ok"]]
    assert dataset.sources["lines"].tolist() == [499]


def test_a_report_without_its_end_is_complete_when_it_has_come(tmp_path: Path):
    log, cut = tmp_path / "wrk.txt", WRK.index("Requests/sec")
    grown(log, [WRK[:cut].encode()], tmp_path / "s")
    assert wp.load(tmp_path / "s").wide()["latency_mean_s"].tolist() == [0.00019332]
    grown_once_more(log, WRK[cut:].encode(), tmp_path / "s")
    dataset = wp.load(tmp_path / "s")
    assert dataset.wide()["throughput_per_s"].tolist() == [40669.44]
    assert dataset.count("diagnostics") == 0


def test_a_log_with_a_custom_format_of_time_goes_on(tmp_path: Path):
    """The lines of a format are made by functions, which no checkpoint keeps: they are made again."""
    first, rest = (
        b"$ export TIME='took %e s'\n$ /usr/bin/time ./a\ntook 1.25 s\n",
        b"$ /usr/bin/time ./b\ntook 2.50 s\n",
    )
    assert grown(tmp_path / "t.log", [first, rest], tmp_path / "s").grown == 1
    assert wp.load(tmp_path / "s").measurements["value"].tolist() == [1.25, 2.5]


def grown_once_more(log: Path, piece: bytes, store: Path) -> IngestSummary:
    with log.open("ab") as file:
        file.write(piece)
    return ingest([str(log)], store)


@pytest.mark.parametrize("now", [b"", SCHED.format(t=1).encode(), WRK.encode() * 30], ids=["cut", "shorter", "longer"])
def test_a_log_that_was_rotated_is_read_from_its_beginning_and_it_is_said(tmp_path: Path, now: bytes):
    log = tmp_path / "go.log"
    grown(log, [GC.format(n=1, t="0.100").encode() * 20], tmp_path / "s")
    log.write_bytes(now)
    summary = ingest([str(log)], tmp_path / "s")
    assert (summary.grown, summary.replaced) == (0, 1)
    dataset = wp.load(tmp_path / "s")
    assert "rotated" in dataset.diagnostics["code"].tolist()
    assert dataset.count("gc_cycles") == 0


def test_other_labels_are_a_reason_to_read_all_again(tmp_path: Path):
    log = tmp_path / "go.log"
    grown(log, [GC.format(n=1, t="0.100").encode()], tmp_path / "s")
    with log.open("ab") as file:
        file.write(GC.format(n=2, t="0.200").encode())
    assert ingest([str(log)], tmp_path / "s", labels={"machine": "m1"}).grown == 0
    assert wp.load(tmp_path / "s").runs["machine"].tolist() == ["m1"]


def test_a_store_with_digests_of_another_kind_is_read_anew_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    log, store = tmp_path / "go.log", tmp_path / "s"
    with monkeypatch.context() as earlier:
        earlier.setattr("wrkparse.ingest.session.DIGEST_NAME", "BLAKE2b-128")
        earlier.setattr("wrkparse.source.blocks.new_digest", lambda: hashlib.blake2b(digest_size=16))
        grown(log, [GC.format(n=1, t="0.100").encode()], store)
    with log.open("ab") as file:
        file.write(GC.format(n=2, t="0.200").encode())
    for read in (1, 0):
        os.utime(log, (0, 0))
        summary = ingest([str(log)], store)
        assert (summary.read, summary.replaced, summary.grown) == (read, read, 0)
    dataset = wp.load(store)
    assert (dataset.count("runs"), dataset.count("gc_cycles"), dataset.count("sources")) == (1, 2, 1)
    assert len(dataset.diagnostics) == 0


class Evil:
    def __reduce__(self) -> object:
        return os.mkdir, ("made-by-a-store",)


def test_what_is_no_checkpoint_does_not_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    data = freeze(Checkpoint(SourceParser("x"), 0))
    assert data is not None
    assert isinstance(thaw(data), Checkpoint)
    version = data[: data.index(b"\n") + 1]
    for thing in (Evil(), {"a": 1}, Path("x"), SourceParser):
        assert thaw(version + pickle.dumps(thing)) is None
    assert list(tmp_path.iterdir()) == []
    assert thaw(b"") is None
    randomly = random.Random(1)
    for _ in range(300):
        at = randomly.randrange(len(data))
        thaw(data[:at] + bytes([randomly.randrange(256)]) + data[at + 1 :])  # nothing happens but None


@pytest.mark.parametrize("number", [b"r\xff\xff\xff\0", b"\x96\xff\xff\xff\7\0\0\0\0"], ids=["memo", "bytearray"])
def test_a_number_in_what_is_no_checkpoint_takes_no_memory(number: bytes) -> None:
    """pickle makes room for the objects or bytes that it announces, here more than 100 MB."""
    version = f"{wp.__version__}\n".encode()
    tracemalloc.start()
    try:
        assert thaw(version + b"\x80\x05N" + number + b".") is None
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_checkpoint_of_another_version_is_none() -> None:
    """Its reader may lack what this one's has."""
    data = freeze(Checkpoint(SourceParser("x"), 0))
    assert data is not None
    assert data.startswith(f"{wp.__version__}\n".encode())
    assert thaw(data[data.index(b"\n") + 1 :]) is None  # as 0.3.0 kept them
    assert thaw(b"0.1.0\n" + data[data.index(b"\n") + 1 :]) is None


def test_prefixes_that_were_learned_are_kept() -> None:
    text = "".join(f"zorin :: {line}\n" for _ in range(2) for line in WRK.splitlines())
    lines = [f"{line}\n".encode() for line in text.splitlines()]
    reader, items = SourceParser("x.log"), []
    for line in lines:
        items += reader.feed(line)
        kept = freeze(Checkpoint(reader, 0))
        later = thaw(kept) if kept else None
        assert later
        reader = later.parser
    items += reader.finish()
    whole = SourceParser("x.log")
    expected = [*whole.feed(text.encode()), *whole.finish()]
    assert repr([item for item in items if isinstance(item, Run)]) == repr(
        [item for item in expected if isinstance(item, Run)]
    )
    assert sum(isinstance(item, Run) for item in items) == 2
