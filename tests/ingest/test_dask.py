"""Reading by Dask into a directory of Parquet: on real schedulers, workers and an S3 server, all on loopback."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner

import wrkparse as wp
from tests.ingest.conftest import WORKER, process
from tests.ingest.test_structure import ALONE, OVERRULED, frameworks, named, page
from tests.samples import GC, SCHED, WRK, logs
from wrkparse.cli import main
from wrkparse.dataset import Dataset
from wrkparse.ingest.ingest import ingest
from wrkparse.ingest.parallel import dask
from wrkparse.model.records import Diagnostic
from wrkparse.store import parquet_store
from wrkparse.store.duckdb_store import open_store
from wrkparse.store.errors import StoreError
from wrkparse.tools.schema import columns

# Each process of a run imports this module, and one has its tests.
pytestmark = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")
DATA = Path(__file__).parents[2] / "data"


def rows(dataset: Dataset, table: str) -> list[str]:
    """A table's rows in no order, but for the time at which it was read."""
    found = dataset.arrow(table)
    names = [name for name in found.column_names if name != "ingested_at"]
    return sorted(map(repr, found.select(names).to_pylist()))


def assert_same(one: str | Path, other: str | Path) -> None:
    with open_store(one) as first, open_store(other) as second:
        for table in columns():
            assert rows(first, table) == rows(second, table), table
        assert len(first.runs)


@pytest.fixture
def bucket(s3_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """An empty bucket."""
    import s3fs

    for name, value in s3_environment.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    name = tmp_path.name.replace("_", "-")
    s3fs.S3FileSystem().mkdir(name)
    yield f"s3://{name}"
    s3fs.S3FileSystem.clear_instance_cache()


def write_logs(root: Path, count: int) -> None:
    root.mkdir(exist_ok=True)
    for n in range(count):
        (root / f"{n:02d}.txt").write_text(WRK.replace("8 threads", f"{n + 1} threads"))
    (root / "go.log").write_text("".join(GC.format(n=n, t=f"{n}.000") for n in range(1, 3000)) + SCHED.format(t=100))
    (root / "wrkparse.yaml").write_text("title: 比較\nlabels:\n  - set: {framework: nginx}\n")


def test_the_result_equals_a_local_ingest(tmp_path: Path, scheduler: str):
    ingest([str(DATA)], tmp_path / "local.duckdb", labels={"machine": "m1"})
    summary = dask.ingest([str(DATA)], str(tmp_path / "lake"), labels={"machine": "m1"}, scheduler=scheduler)
    assert_same(tmp_path / "local.duckdb", tmp_path / "lake")
    assert summary.runs == {"wrk": 214, "ab": 1, "time": 1, "gctrace": 1, "schedtrace": 1}
    assert set(wp.load(tmp_path / "lake").runs.verdict) >= {"ok"}


def test_a_second_ingest_adds_only_what_is_new(tmp_path: Path, scheduler: str):
    logs, out = tmp_path / "logs", str(tmp_path / "lake")
    write_logs(logs, 3)
    assert dask.ingest([str(logs)], out, scheduler=scheduler).read == 4
    before = set(parquet_store.active_parts(Path(out)))
    (logs / "new.txt").write_text(WRK)
    summary = dask.ingest([str(logs)], out, scheduler=scheduler)
    assert (summary.read, summary.unchanged, summary.replaced) == (1, 4, 0)
    assert before < set(parquet_store.active_parts(Path(out)))
    assert dask.ingest([str(logs)], out, scheduler=scheduler).unchanged == 5


def test_a_changed_file_takes_the_place_of_its_rows_and_of_no_others(tmp_path: Path, scheduler: str):
    logs, out = tmp_path / "logs", str(tmp_path / "lake")
    write_logs(logs, 4)
    dask.ingest([str(logs)], out, scheduler=scheduler)
    (logs / "01.txt").write_text(WRK.replace("8 threads", "99 threads"))
    (logs / "03.txt").unlink()  # rows of a file that is gone stay, as in a local store
    summary = dask.ingest([str(logs)], out, scheduler=scheduler)
    assert (summary.read, summary.replaced) == (1, 1)
    dataset = wp.load(out)
    assert sorted(dataset.runs.threads.dropna()) == [1, 3, 4, 99]
    assert dataset.count("gc_cycles") == 2999
    assert len(dataset.studies) == 1
    assert len(parquet_store.active_parts(Path(out))) == 1
    assert len(list(Path(out, "files").iterdir())) == 1  # the old part is swept away


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch):
    write_logs(tmp_path / "logs", 12)
    ingest([str(tmp_path / "logs")], tmp_path / "local.duckdb")
    monkeypatch.setattr(dask, "_JOB_FILES", 1)
    with process(*WORKER, scheduler) as victim:
        from distributed import Client

        with Client(scheduler) as client:
            client.wait_for_workers(2, timeout=60)
        told: list[int] = []

        def kill(done: int, total: int, source: str) -> None:
            if not told:
                victim.kill()
            told.append(done)

        dask.ingest([str(tmp_path / "logs")], str(tmp_path / "lake"), scheduler=scheduler, progress=kill)
    assert len(told) == 13
    assert_same(tmp_path / "local.duckdb", tmp_path / "lake")


def test_from_a_bucket_into_a_bucket(
    tmp_path: Path, bucket: str, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import s3fs

    monkeypatch.setattr("distributed.deploy.local.CPU_COUNT", 1)  # each process imports for seconds
    logs = tmp_path / "logs"
    write_logs(logs, 5)
    files = s3fs.S3FileSystem()
    files.put(f"{logs}/", f"{bucket}/logs/", recursive=True)
    summary = dask.ingest([f"{bucket}/logs"], f"{bucket}/tables")  # a cluster of this machine's own
    assert (summary.read, summary.runs["wrk"], summary.failed) == (6, 5, 0)
    ingest([str(logs)], tmp_path / "local.duckdb")
    with open_store(tmp_path / "local.duckdb") as local, open_store(f"{bucket}/tables") as far:
        for table in ("runs", "labels", "measurements", "gc_cycles", "sched_ticks", "texts", "diagnostics"):
            assert rows(local, table) == rows(far, table), table
    assert wp.load(f"{bucket}/tables").studies.title.tolist() == ["比較"]
    again = dask.ingest([f"{bucket}/logs"], f"{bucket}/tables", scheduler=scheduler)
    assert (again.read, again.unchanged) == (0, 6)
    command = ["runs", f"{bucket}/tables", "--where", "threads = 3", "--format", "csv"]
    assert len(CliRunner().invoke(main, command).stdout.splitlines()) == 2


def test_a_bucket_is_read_into_a_local_store_too(tmp_path: Path, bucket: str):
    import s3fs

    files = s3fs.S3FileSystem()
    files.pipe(f"{bucket}/logs/a/one.txt", WRK.encode())
    files.pipe(f"{bucket}/logs/b/one.txt", WRK.encode())
    summary = ingest([f"{bucket}/logs", f"x={bucket}/logs/a/one.txt", f"{bucket}/none"], tmp_path / "s.duckdb")
    assert (summary.read, summary.failed) == (2, 1)
    assert sorted(wp.load(tmp_path / "s.duckdb").runs.source) == ["b/one.txt", "x/one.txt"]
    assert ingest([f"{bucket}/logs/b"], tmp_path / "s.duckdb").unchanged == 1


def test_a_part_without_its_list_of_files_does_not_count(tmp_path: Path):
    root = tmp_path / "lake"
    part = parquet_store.PartWriter(root, "aaaa")
    part.append({"diagnostics": pa.table({"source": ["x"], "line": [1], "message": ["whole"]})})
    part.finish([parquet_store.IngestedFile("x", "/x", 1, None, "d", "s")])
    parquet_store.PartWriter(root, "bbbb").append(
        {"diagnostics": pa.table({"source": ["y"], "line": [1], "message": ["torn"]})}
    )
    assert wp.load(root).diagnostics.message.tolist() == ["whole"]


def test_a_part_that_was_replaced_does_not_come_back(tmp_path: Path):
    root = tmp_path / "lake"
    parquet_store.PartWriter(root, "old").finish([])
    parquet_store.PartWriter(root, "new", ["old"]).finish([])
    assert set(parquet_store.active_parts(root)) == {"new"}
    parquet_store.PartWriter(root, "newest", ["new"]).finish([])
    assert set(parquet_store.active_parts(root)) == {"newest"}
    parquet_store.delete_replaced_parts(root)
    assert [path.name for path in (root / "files").iterdir()] == ["newest~new.parquet"]
    assert set(parquet_store.active_parts(root)) == {"newest"}


def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dask, "_CONNECT_TIMEOUT", 1)
    (tmp_path / "a.txt").write_text(WRK)
    with pytest.raises(StoreError, match=r"scheduler tcp://127\.0\.0\.1:9 can't be reached"):
        dask.ingest([str(tmp_path / "a.txt")], str(tmp_path / "lake"), scheduler="tcp://127.0.0.1:9")


def test_a_missing_path_is_told_and_the_rest_is_read(tmp_path: Path, scheduler: str):
    (tmp_path / "a.txt").write_text(WRK)
    told: list[Diagnostic] = []
    summary = dask.ingest(
        [str(tmp_path / "a.txt"), str(tmp_path / "none")], str(tmp_path / "lake"), scheduler=scheduler,
        report=lambda diagnostic, found: told.append(diagnostic),
    )  # fmt: skip
    assert (summary.read, summary.failed) == (1, 1)
    assert [diagnostic.code for diagnostic in told] == ["missing"]


def test_labels_from_structure_are_those_of_a_store(tmp_path: Path, scheduler: str) -> None:
    folder, root = tmp_path / "logs", tmp_path / "store"
    dask.ingest([str(logs(folder, "kiwi/c8.txt", "kiwi/c64.txt"))], str(root), scheduler=scheduler)
    assert frameworks(wp.load(root)) == {"kiwi/c64.txt": None, "kiwi/c8.txt": None}
    dask.ingest([str(logs(folder, "emu/c8.txt"))], str(root), scheduler=scheduler)
    names = {"emu/c8.txt": "emu", "kiwi/c64.txt": "kiwi", "kiwi/c8.txt": "kiwi"}
    assert frameworks(wp.load(root)) == names
    rows = wp.load(root).sql("SELECT value FROM labels WHERE origin = 'structure' AND key = 'framework' ORDER BY value")
    assert rows["value"].tolist() == ["emu", "kiwi", "kiwi"]
    assert frameworks(wp.load(root).where("framework = 'emu'")) == {"emu/c8.txt": "emu"}


def test_an_overruled_path_is_marked(tmp_path: Path, scheduler: str) -> None:
    log, root = tmp_path / "rails.md", tmp_path / "store"
    log.write_text(page("moa gem", "rails basic"))
    for _ in range(2):
        dask.ingest([str(log)], str(root), scheduler=scheduler)
        assert named(wp.load(root)) == OVERRULED
    log.write_text(page("moa gem"))
    dask.ingest([str(log)], str(root), scheduler=scheduler)
    assert named(wp.load(root)) == ALONE
