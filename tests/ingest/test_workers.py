"""Many small files are read by several processes as by one."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path

import duckdb
import pytest

from tests.samples import GC, WRK
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.parallel import workers
from wrkparse.ingest.parallel.workers import PendingFile, WorkerCounts, choose_worker_counts, process_pool, worker_pool
from wrkparse.ingest.session import Session
from wrkparse.model.records import Diagnostic
from wrkparse.source.discover import FileStamp, SourceFile, find_sources
from wrkparse.tools.columnar import compiled


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two studies, one of them with a mistake; reports, a trace, what is cut short behind its latencies, what is no text; one large file."""
    root = tmp_path / "logs"
    for name, study in (("a", "labels:\n- set: {cores: 4}\n"), ("b", "colour: red\n")):
        (root / name).mkdir(parents=True)
        (root / name / "wrkparse.yaml").write_text(study)
        for number in range(6):
            (root / name / f"c{number + 1}.txt").write_text(f"$ wrk -t1 -c9 --own{number}=1 http://h/\n{WRK}")
        (root / name / "cut.txt").write_text(WRK[:200])
        (root / name / "gc.log").write_text(GC.format(n=1, t="0.100"))
    (root / "picture.png").write_bytes(b"\0\1\2" * 100)
    (root / "large.log").write_text("".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 3000)))
    for path in root.rglob("*.*"):
        os.utime(path, (1_500_000_000, 1_500_000_000))  # a time stamp that is believed at once
    return root


def files_of(root: Path) -> list[PendingFile]:
    return [PendingFile(found, found.stamp()) for found in find_sources([str(root)])[0]]


def tables(store: Path) -> dict[str, list[tuple[object, ...]]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        names = [name for (name,) in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()]
        read = {name: f"SELECT * {'EXCLUDE (ingested_at)' if name == 'sources' else ''} FROM {name}" for name in names}
        return {name: sorted(connection.sql(query).fetchall(), key=repr) for name, query in read.items()}


def test_two_processes_make_the_same_store_and_say_the_same(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_BATCH_FILES", 5)
    found: list[tuple[object, ...]] = []
    for jobs in (1, 2):
        told: list[tuple[Diagnostic, SourceFile | None]] = []
        summary = ingest(
            [str(logs)], tmp_path / f"{jobs}.duckdb", labels={"machine": "m1"}, jobs=jobs,
            report=lambda *said, told=told: told.append(said),
        )  # fmt: skip
        found.append((asdict(summary) | {"seconds": 0}, told, tables(tmp_path / f"{jobs}.duckdb")))
    assert found[0] == found[1]
    assert len(found[0][2]["runs"]) == 17
    assert [said.code for said, _ in found[0][1]].count("bad-study") == 1


def test_small_files_are_read_together_and_large_ones_alone(logs: Path) -> None:
    with worker_pool(WorkerCounts(1, 1)) as helpers:
        groups = [[file.source_file.source for file in some] for some, _ in helpers.read_ahead(files_of(logs), {})]
    assert [len(group) for group in groups] == [1, 17]
    assert groups[0] == ["large.log"]


def test_files_that_hold_more_than_their_size_says_are_left_to_the_caller(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [file.source_file for file in files_of(logs) if file.small]
    assert workers.read_files(small, {}) is not None
    monkeypatch.setattr(workers, "_MOST_ROWS", 10)
    assert workers.read_files(small, {}) is None


def test_parts_that_have_more_columns_together_than_a_table_may_are_not_joined(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [file.source_file for file in files_of(logs / "a")]
    one, two = workers.read_files(found[:3], {}), workers.read_files(found[3:], {})
    assert one is not None
    assert two is not None
    monkeypatch.setattr("wrkparse.ingest.table_builder._MOST_DETAILS", 5)  # each of the six has a flag of its own
    session = Session({})
    assert session.merge(one.session)
    before = session.builder.runs.total(), session.summary.read
    assert not session.merge(two.session)
    assert (session.builder.runs.total(), session.summary.read) == before


def test_processes_are_started_where_there_is_much_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 8)
    found = SourceFile("a", tmp_path / "a", "a", True)
    few, much = [PendingFile(found, FileStamp(400, 0))] * 9_999, [PendingFile(found, FileStamp(200_000, 0))] * 400
    assert [choose_worker_counts(files, None).processes for files in (few, few + few[:1], much)] == [1, 8, 8]
    assert [choose_worker_counts(few, jobs) for jobs in (1, 3, 6)] == [(1, 1), (3, 3), (6, 4)]


@pytest.mark.usefixtures("loops")
def test_threads_help_with_a_large_file_where_loops_let_them_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 8)
    found = SourceFile("a", tmp_path / "a", "a", True)
    small, large = (PendingFile(found, FileStamp(size, 0)) for size in ((16 << 20) - 1, 16 << 20))
    assert choose_worker_counts([small], None) == (1, 1)
    assert choose_worker_counts([small, large], None) == (1, 4 if compiled.COMPILED else 1)


def test_a_worker_reads_without_pandas(logs: Path) -> None:
    with process_pool(1) as executor:
        assert executor.submit(workers.read_files, [files_of(logs)[0].source_file], {}).result() is not None
        assert executor.submit(_is_loaded, "pyarrow").result()
        assert not executor.submit(_is_loaded, "pandas").result()


def _is_loaded(name: str) -> bool:
    return name in sys.modules
