from __future__ import annotations

import contextlib
import os
import random
import resource
import runpy
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wrkparse
from wrkparse.store import duckdb_store
from wrkparse.store.duckdb_store import connect, load
from wrkparse.store.errors import StoreError
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import open_writer
from wrkparse.tools.schema import columns, run_schema, schema

WRITER = Path(__file__).with_name("store_writer.py")
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(wrkparse.__file__).parents[1])}
HELPER = runpy.run_path(str(WRITER))
write: Callable[[Path, int, int], None] = HELPER["write"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.duckdb"


def run_table(run: str, source: str, **labels: object) -> pa.Table:
    return pa.table({"run": [run], "source": [source], **{key: [value] for key, value in labels.items()}})


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with connect(path) as connection:
        return connection.execute(query).fetchall()


def generation(path: Path) -> int | None:
    """The one generation whose rows the store holds, all of them; None without a store."""
    if not path.exists():
        return None
    found = rows(
        path,
        """
        SELECT (SELECT list(DISTINCT value::BIGINT) FROM measurements), (SELECT list(DISTINCT line) FROM texts),
            (SELECT list(run) FROM runs), (SELECT list(source) FROM files), (SELECT max(size) FROM files),
            (SELECT count(*) FROM measurements), (SELECT count(DISTINCT line) FROM measurements),
            (SELECT count(*) FROM texts),
            (SELECT list(column_name) FROM (DESCRIBE runs) WHERE column_name LIKE 'generation_%')
        """,
    )
    [(values, lines, runs, sources, size, measured, distinct, texts, labels)] = found
    [current] = values
    assert lines == [current]
    assert (runs, sources, labels) == ([f"run-{current}"], [f"source-{current}"], [f"generation_{current}"])
    assert size == measured == distinct == texts
    return int(current)


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def other(path: Path, code: str) -> subprocess.Popen[str]:
    """Another process that runs `code`; ``path`` is the store."""
    begin = "import sys, time; from pathlib import Path; from wrkparse.store.duckdb_store import *; from wrkparse.store.writer import *; path = Path(sys.argv[1])\n"
    command = [sys.executable, "-c", begin + code, str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)


@contextlib.contextmanager
def opened_elsewhere(path: Path, opened: str) -> Iterator[int]:
    """Another process has the store open; gives its process id."""
    process = other(path, f"with {opened}:\n    print('open', flush=True)\n    sys.stdin.read()")
    with process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        yield process.pid
        process.communicate("")


# --- what a store holds


def test_a_new_store_has_every_table_with_its_columns(path: Path):
    with open_writer(path) as writer:
        assert not writer.existed
    with connect(path) as connection:
        for name in columns():
            found = connection.sql(f"FROM {name}").to_arrow_table().schema
            assert found.names == schema(name).names
            assert found.types == schema(name).types


def test_a_table_that_lacks_columns_gets_them_when_it_is_first_named(path: Path):
    with open_writer(path) as writer:
        writer.append({"gc_cycles": pa.table({"run": ["a"], "line": [1], "cpu_background_s": [0.5]})})
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    with contextlib.closing(duckdb_store.connect_on_demand(path)) as connection:
        assert connection.bare.execute(views).fetchall() == []
        found = connection.sql("SELECT * FROM GC_Cycles").to_arrow_table()
        assert found.select(("run", "line", "cpu_background_s")).to_pylist() == [
            {"run": "a", "line": 1, "cpu_background_s": 0.5}
        ]
        assert found.column_names == schema("gc_cycles").names
        assert connection.bare.execute(views).fetchall() == [("gc_cycles",)]
        assert {name for (name,) in connection.execute("SHOW TABLES").fetchall()}.issuperset(columns())


def test_an_ingest_s_dataset_has_all_columns_and_leaves_no_view(path: Path):
    rows_of_trace = pa.table({"run": ["a"], "line": [1], "cpu_background_s": [0.5]})
    with open_writer(path) as writer:
        writer.append({"gc_cycles": rows_of_trace})
        with writer.dataset() as dataset:
            assert dataset.gc_cycles.columns.tolist() == schema("gc_cycles").names
        writer.append({"gc_cycles": rows_of_trace})
    assert rows(path, "SELECT run, cpu_background_s FROM gc_cycles") == [("a", 0.5)] * 2


def test_rows_come_back_as_they_were_appended(path: Path):
    with open_writer(path) as writer:
        measured = pa.table({"run": ["a", "a"], "metric": ["latency", "requests"], "value": [0.25, None]})
        writer.append({"runs": run_table("a", "x.log", cores=4), "measurements": measured})
    assert rows(path, "SELECT run, source, cores, tool FROM runs") == [("a", "x.log", 4, None)]
    assert rows(path, "SELECT run, metric, value, line FROM measurements ORDER BY metric") == [
        ("a", "latency", 0.25, None),
        ("a", "requests", None, None),
    ]


def test_a_later_writing_adds_to_what_is_there(path: Path):
    for name in ("a", "b"):
        with open_writer(path) as writer:
            writer.append({"runs": run_table(name, f"{name}.log")})
    assert rows(path, "SELECT run FROM runs ORDER BY run") == [("a",), ("b",)]


def test_files_are_remembered_by_source(path: Path):
    first = IngestedFile("x.log", "/logs/x.log", 10, 1_700_000_000_123_456_789, "d1", "s")
    stdin = IngestedFile("<stdin>", None, 3, None, "d2", "s")
    with open_writer(path) as writer:
        assert writer.files == {}
        writer.record_file(first)
        writer.record_file(stdin)
    changed = IngestedFile("x.log", "/logs/x.log", 11, None, "d3", "s")
    with open_writer(path) as writer:
        assert writer.existed
        assert writer.files == {"x.log": first, "<stdin>": stdin}
        writer.record_file(changed)
    with open_writer(path) as writer:
        assert writer.files == {"x.log": changed, "<stdin>": stdin}


def test_forgetting_a_source_deletes_its_rows_in_every_table_and_no_others(path: Path):
    with open_writer(path) as writer:
        for name in ("a", "b"):
            source = f"{name}.log"
            for table in columns():
                key = {"source": [source]} if "source" in schema(table).names else {"run": [name]}
                writer.append({table: pa.table(key) if table != "runs" else run_table(name, source)})
            writer.record_file(IngestedFile(source, None, 1, None, "", ""))
    with open_writer(path) as writer:
        writer.delete_sources(source for source in ["b.log", "never-there.log"])
        assert list(writer.files) == ["a.log"]
    with connect(path) as connection:
        for name in columns():
            key, kept = ("source", "a.log") if "source" in schema(name).names else ("run", "a")
            assert connection.execute(f"SELECT {key} FROM {name}").fetchall() == [(kept,)], name


def test_label_columns_are_those_that_runs_have_in_canonical_order(path: Path):
    with open_writer(path) as writer:
        writer.append({"runs": run_table("a", "a.log", zeta="z", cores=4)})
    with open_writer(path) as writer:
        writer.append({"runs": run_table("b", "b.log", gogc="off", alpha="a", framework="warp")})
    with connect(path) as connection:
        found = connection.sql("FROM runs").to_arrow_table().schema
    assert found.names[len(schema("runs").names) :] == ["framework", "cores", "gogc", "alpha", "zeta"]
    assert found.names == run_schema({"zeta", "cores", "gogc", "alpha", "framework"}).names
    assert found.field("cores").type == pa.int64()
    with open_writer(path) as writer:
        writer.delete_sources(["b.log"])
    assert rows(path, "SELECT * FROM runs")[0][len(schema("runs").names) :] == (4, "z")


def test_label_keys_may_hold_any_characters(path: Path):
    with open_writer(path) as writer:
        writer.append({"runs": pa.table({"run": ["a"], 'my "odd" key; --': ["v"]})})
    assert rows(path, 'SELECT "my ""odd"" key; --" FROM runs') == [("v",)]


def test_times_are_read_in_utc_wherever_the_reader_is(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        with open_writer(path) as writer:
            moment = pa.array([1_700_000_000_000_000], pa.timestamp("us", tz="UTC"))
            writer.append({"sources": pa.table({"source": ["a"], "ingested_at": moment})})
        assert rows(path, "SELECT ingested_at::VARCHAR FROM sources") == [("2023-11-14 22:13:20+00",)]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_store_is_loaded_as_a_dataset(path: Path):
    with open_writer(path) as writer:
        writer.append({"runs": run_table("a", "x.log", framework="warp")})
    assert load(str(path)).count("runs") == 1


def test_a_store_that_lacks_a_table_and_a_column_is_read_with_them_and_completed_by_writing(path: Path):
    with open_writer(path) as writer:
        writer.append({"runs": run_table("a", "x.log", cores=2), "texts": pa.table({"run": ["a"], "text": ["t"]})})
    with duckdb.connect(path) as connection:
        connection.execute(
            "DROP TABLE spectrum; ALTER TABLE texts DROP COLUMN line; ALTER TABLE runs DROP COLUMN valid"
        )
    for _ in range(2):
        assert rows(path, "SELECT run, line, text FROM texts") == [("a", None, "t")]
        assert rows(path, "SELECT run, percentile FROM spectrum") == []
        assert rows(path, "SELECT run, cores, valid FROM runs") == [("a", 2, None)]
        with open_writer(path):
            pass
    with duckdb.connect(path, read_only=True) as connection:
        assert [name for name, *_ in connection.execute("DESCRIBE texts").fetchall()] == ["run", "line", "text"]


# --- all or nothing


def interrupted(path: Path, interruption: type[BaseException]) -> None:
    with open_writer(path) as writer:
        writer.delete_sources(["source-1"])
        writer.append(HELPER["tables"](2, 200_000))
        raise interruption


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_an_existing_store_as_it_was(path: Path, interruption: type[BaseException]):
    write(path, 1, 1000)
    with pytest.raises(interruption):
        interrupted(path, interruption)
    assert generation(path) == 1
    assert names(path) == ["results.duckdb"]


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_nothing_of_a_new_store(path: Path, interruption: type[BaseException]):
    with pytest.raises(interruption):
        interrupted(path, interruption)
    assert names(path) == []


def append_until_stopped(path: Path, alarm: threading.Timer) -> None:
    many = {"texts": pa.table({"run": pa.repeat("run-2", 500_000)})}
    with open_writer(path) as writer:
        alarm.start()
        for _ in range(1000):  # ten seconds or more, were there no interrupt
            writer.append(many)


def test_an_interrupt_while_rows_are_written_is_a_keyboard_interrupt(path: Path):
    write(path, 1, 1000)
    with pytest.raises(KeyboardInterrupt):
        append_until_stopped(path, threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]))
    assert generation(path) == 1


def test_a_new_store_is_not_there_until_it_is_complete(path: Path):
    with open_writer(path) as writer:
        writer.append(HELPER["tables"](1, 10))
        assert names(path) == [".results.duckdb.partial"]
    assert names(path) == ["results.duckdb"]


def test_what_appeared_under_the_name_meanwhile_is_left_alone(path: Path):
    with pytest.raises(StoreError, match="meanwhile"), open_writer(path):
        path.write_text("somebody's notes")
    assert path.read_text() == "somebody's notes"
    assert names(path) == ["results.duckdb"]


def test_a_link_to_a_store_stays_a_link(path: Path):
    link = path.with_name("latest.duckdb")
    link.symlink_to(path.name)
    write(link, 1, 10)
    write(link, 2, 10)
    assert link.is_symlink()
    assert generation(path) == 2


@pytest.mark.parametrize("sizes", [(500,), (1000, 200_000)], ids=["small", "large"])
def test_a_writer_killed_at_any_moment_leaves_the_store_before_or_after(path: Path, sizes: tuple[int, ...]):
    chance = random.Random(20260101)
    command = [sys.executable, str(WRITER), str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen(command, env=ENVIRONMENT, **pipes) as process:
        for kill in range(14):
            if kill % 3 == 0:
                path.unlink(missing_ok=True)
                path.with_name("results.duckdb.wal").unlink(missing_ok=True)
            before, first = generation(path), 1000 * (kill + 1)
            process.stdin.write(f"{first} {' '.join(map(str, sizes))}\n")
            worker = int(process.stdout.readline())
            time.sleep(0.3 * chance.random())
            os.kill(worker, signal.SIGKILL)
            told = list(iter(process.stdout.readline, "killed\n"))
            last = int(told[-1]) if told else None
            assert generation(path) in ({before, first} if last is None else {last, last + 1})
        process.stdin.close()
    write(path, 1, 10)
    assert generation(path) == 1
    assert names(path) == ["results.duckdb"]


def test_a_store_is_whole_where_the_writer_died_right_after_the_commit(path: Path):
    write(path, 1, 1000)
    code = (
        "import os, signal, runpy, wrkparse.store.writer as store\n"
        "class Dying:\n"
        "    def __init__(self, inner): self.inner = inner\n"
        "    def __getattr__(self, name): return getattr(self.inner, name)\n"
        "    def commit(self):\n"
        "        self.inner.commit()\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "open_ = store._open\n"
        "store._open = lambda path: (lambda found: (Dying(found[0]), found[1]))(open_(path))\n"
        f"runpy.run_path({str(WRITER)!r})['write'](path, 2, 1000)"
    )
    with other(path, code) as process:
        pass
    assert process.returncode == -signal.SIGKILL
    assert names(path) == ["results.duckdb", "results.duckdb.wal"]
    assert generation(path) == 2
    write(path, 3, 10)
    assert generation(path) == 3
    assert names(path) == ["results.duckdb"]


def test_what_a_killed_writer_left_is_swept_by_the_next_one(path: Path):
    partial = path.with_name(".results.duckdb.partial")
    partial.write_bytes(b"cut short")
    partial.with_name(f"{partial.name}.wal").write_bytes(b"as well")
    write(path, 1, 10)
    assert generation(path) == 1
    assert names(path) == ["results.duckdb"]


@contextlib.contextmanager
def file_size_limit(limit: int) -> Iterator[None]:
    """No file may grow beyond a limit, which to the writer is a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)


# The small generation is written to the log when it is committed, the large one to the file before that.
@pytest.mark.parametrize(("size", "limit"), [(3000, 1000), (3000, 50_000), (300_000, 50_000), (300_000, 400_000)])
def test_a_full_disk_leaves_an_existing_store_as_it_was(path: Path, size: int, limit: int):
    write(path, 1, 1000)
    with file_size_limit(limit), pytest.raises(StoreError, match="disk is full"):
        write(path, 2, size)
    assert generation(path) == 1
    write(path, 3, 10)
    assert generation(path) == 3


@pytest.mark.parametrize(
    ("size", "limit"), [(3000, 0), (3000, 1000), (3000, 50_000), (3000, 400_000), (300_000, 400_000)]
)
def test_a_full_disk_leaves_nothing_of_a_new_store(path: Path, size: int, limit: int):
    with file_size_limit(limit), pytest.raises(StoreError, match="disk is full"):
        write(path, 1, size)
    assert names(path) == []


# --- several at once


@pytest.mark.parametrize("existed", [True, False], ids=["existing", "new"])
def test_a_second_writer_waits_and_both_ingests_are_in_the_store(path: Path, existed: bool):
    if existed:
        with open_writer(path):
            pass
    told: list[str] = []
    code = "with open_writer(path) as w:\n    w.record_file(IngestedFile('a.log', None, 1, None, '', ''))\n    print(flush=True); "
    with other(path, code + "time.sleep(0.5)") as process:
        assert process.stdout
        process.stdout.readline()
        with open_writer(path, waiting=told.append) as writer:
            assert writer.existed
            assert list(writer.files) == ["a.log"]
            writer.record_file(IngestedFile("b.log", None, 1, None, "", ""))
    assert [str(process.pid) in message for message in told] == [True]
    assert rows(path, "SELECT source FROM files ORDER BY source") == [("a.log",), ("b.log",)]


def test_many_writers_that_make_the_same_new_store_lose_nothing(path: Path):
    code = "with open_writer(path) as w: w.record_file(IngestedFile(sys.stdin.read(), None, 1, None, '', ''))"
    processes = [other(path, code) for _ in range(4)]
    for number, process in enumerate(processes):
        process.stdin.write(str(number))  # type: ignore[union-attr]
        process.stdin.close()  # type: ignore[union-attr]
    assert [process.wait() for process in processes] == [0] * 4
    for process in processes:
        process.stdout.close()  # type: ignore[union-attr]
    assert rows(path, "SELECT source FROM files ORDER BY source") == [("0",), ("1",), ("2",), ("3",)]
    assert names(path) == ["results.duckdb"]


def test_threads_of_one_process_write_one_after_the_other(path: Path):
    def remember(source: str) -> None:
        with open_writer(path, wait_s=20) as writer:
            writer.record_file(IngestedFile(source, None, 1, None, "", ""))
            time.sleep(0.02)

    threads = [threading.Thread(target=remember, args=[str(number)]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows(path, "SELECT source FROM files ORDER BY source") == [("0",), ("1",), ("2",), ("3",)]


@pytest.mark.parametrize("opened", ["open_writer(path)", "connect(path)"])
def test_a_writer_that_waited_in_vain_says_who_has_the_store(path: Path, opened: str):
    write(path, 1, 10)
    with opened_elsewhere(path, opened) as pid, pytest.raises(StoreError, match=rf"still in use by .*process {pid}"):  # noqa: SIM117
        with open_writer(path, wait_s=0.1):
            pass
    assert generation(path) == 1


def test_a_partial_store_that_is_being_written_is_not_swept(path: Path):
    with (
        opened_elsewhere(path, "open_writer(path)"),
        pytest.raises(StoreError, match="in use"),
        open_writer(path, wait_s=0.1),
    ):
        pass
    assert names(path) == ["results.duckdb"]
    assert rows(path, "FROM runs") == []


def test_a_reader_says_who_is_writing(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(duckdb_store, "READ_WAIT_S", 0.1)
    write(path, 1, 10)
    with (
        opened_elsewhere(path, "open_writer(path)") as pid,
        pytest.raises(StoreError, match=rf"in use by .*process {pid}"),
    ):
        connect(path)


def test_readers_share_a_store(path: Path):
    write(path, 1, 10)
    with opened_elsewhere(path, "connect(path)"), connect(path):
        assert generation(path) == 1


def test_a_process_that_reads_a_store_is_told_that_it_has_it_open_itself(path: Path):
    write(path, 1, 10)
    with connect(path), pytest.raises(StoreError, match="this process"), open_writer(path, wait_s=0):
        pass


# --- what is no store


def _text(path: Path) -> None:
    path.write_text("Running 10s test @ http://10.0.0.1/\n")


def _empty(path: Path) -> None:
    path.touch()


def _sqlite(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (i)")
        connection.commit()


def _foreign(path: Path) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE meta (key VARCHAR, value VARCHAR); INSERT INTO meta VALUES ('a', 'b')")


def _newer(path: Path) -> None:
    with open_writer(path):
        pass
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
        connection.execute("UPDATE meta SET value = '9.9' WHERE key = 'wrkparse_version'")


def _corrupt(path: Path) -> None:
    write(path, 1, 1000)
    data = bytearray(path.read_bytes())
    for place in (4200, 8300):  # both headers of the database
        data[place] ^= 0xFF
    path.write_bytes(data)


def _cut(path: Path) -> None:
    write(path, 1, 1000)
    path.write_bytes(path.read_bytes()[:5000])


NO_STORES = {
    _text: "not a wrkparse store: it begins with b'Running 10s test",
    _empty: "not a wrkparse store: it is empty",
    _sqlite: "not a wrkparse store: it begins with b'SQLite format 3",
    _foreign: "DuckDB file, but not a wrkparse store",
    _newer: r"made by wrkparse 9\.9 \(schema 99\).*update",
    _corrupt: "can't be used.*damaged, move it away",
    _cut: "can't be used.*damaged, move it away",
}


@pytest.mark.parametrize("action", ["read", "write"])
@pytest.mark.parametrize("make", NO_STORES, ids=lambda make: make.__name__)
def test_what_is_no_store_is_refused_with_the_reason_and_left_alone(
    path: Path, make: Callable[[Path], None], action: str
):
    make(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=NO_STORES[make]) as caught, contextlib.ExitStack() as stack:
        stack.enter_context(open_writer(path) if action == "write" else connect(path))
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before
    assert names(path) == ["results.duckdb"]


def test_a_path_that_is_not_utf_8_is_refused_as_a_store(tmp_path: Path):
    path = tmp_path / os.fsdecode(b"caf\xe9.duckdb")
    with pytest.raises(StoreError, match=r"caf\\xe9\.duckdb: .*not UTF-8"), open_writer(path):
        pass
    with pytest.raises(StoreError, match="not UTF-8"):
        connect(path)
    assert names(path) == []


def test_a_missing_store_cannot_be_read(path: Path):
    with pytest.raises(StoreError, match=r"does not exist; make it with: wrkparse ingest PATH -o results\.duckdb"):
        connect(path)


@pytest.mark.parametrize(
    ("place", "reason"),
    [("missing/results.duckdb", "directory .*missing does not exist"), (".", "is a directory"), ("pipe", "or a pipe")],
)
def test_a_store_is_not_written_where_none_can_be(tmp_path: Path, place: str, reason: str):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match=reason), open_writer(tmp_path / place):
        pass


def test_the_log_of_a_store_that_is_gone_is_not_mistaken_for_that_of_a_new_one(path: Path):
    log = path.with_name("results.duckdb.wal")
    log.write_bytes(b"somebody's")
    with pytest.raises(StoreError, match="left of a store that is gone; delete it"), open_writer(path):
        pass
    assert log.read_bytes() == b"somebody's"


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Root is refused nothing: be nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("mode", [0o555, 0o000], ids=["read-only", "closed"])
def test_missing_permissions_are_named(mode: int):
    with tempfile.TemporaryDirectory() as directory:  # those of pytest are closed to others already
        path = Path(directory, "results.duckdb")
        write(path, 1, 10)
        path.chmod(0o000)
        path.parent.chmod(mode)
        new = path.with_name("new.duckdb")
        for attempt in (lambda: connect(path), open_writer(path).__enter__, open_writer(new).__enter__):
            with unprivileged(), pytest.raises(StoreError, match=r"ermission denied.*change the permissions"):
                attempt()
        path.parent.chmod(0o700)
        assert names(path) == ["results.duckdb"]


# --- reading, and nothing else


@pytest.mark.parametrize(
    "query",
    [
        "FROM read_csv('{0}')",
        "COPY (SELECT 1) TO '{0}'",
        "ATTACH '{0}'",
        "INSTALL httpfs",
        "INSERT INTO texts (run) VALUES (1)",
    ],
)
def test_a_query_reaches_no_other_file_and_changes_nothing(path: Path, query: str):
    write(path, 1, 10)
    secret = path.with_name("secret.csv")
    secret.write_text("a,b\n1,2\n")
    with connect(path) as connection, pytest.raises(duckdb.Error):
        connection.execute(query.format(secret))
    assert secret.read_text() == "a,b\n1,2\n"


def _parquet_store(directory: Path, run: str = "a") -> None:
    (directory / "measurements").mkdir(parents=True)
    pq.write_table(run_table(run, "x.log", cores=4), directory / "runs.parquet")
    for part, metric in enumerate(["latency", "requests"]):
        measured = pa.table({"run": [run], "metric": [metric], "value": np.array([part + 0.5])})
        pq.write_table(measured, directory / "measurements" / f"{part}.parquet")


@pytest.mark.parametrize("name", ["store", "o'dd [a-z]*?"])
def test_a_directory_of_parquet_is_read_like_a_store(tmp_path: Path, name: str):
    _parquet_store(tmp_path / name)
    _parquet_store(tmp_path / "o'dd bcd", run="not this")  # what the odd name means as a pattern
    query = "SELECT metric, value, line FROM measurements ORDER BY metric"
    assert rows(tmp_path / name, query) == [("latency", 0.5, None), ("requests", 1.5, None)]
    assert rows(tmp_path / name, "SELECT run, cores, valid FROM runs") == [("a", 4, None)]
    assert rows(tmp_path / name, "SELECT run, percentile FROM spectrum") == []


def test_a_query_on_parquet_reaches_no_file_elsewhere(tmp_path: Path):
    _parquet_store(tmp_path / "store")
    pq.write_table(run_table("b", "y.log"), tmp_path / "secret.parquet")
    with connect(tmp_path / "store") as connection, pytest.raises(duckdb.PermissionException):
        connection.execute(f"FROM read_parquet('{tmp_path}/secret.parquet')")


def test_a_directory_without_tables_is_no_store(tmp_path: Path):
    with pytest.raises(StoreError, match=r"neither runs\.parquet nor runs/\*\.parquet"):
        connect(tmp_path)


def test_a_broken_parquet_file_is_named(tmp_path: Path):
    (tmp_path / "runs.parquet").write_text("not parquet at all")
    with pytest.raises(StoreError, match=r"runs\.parquet"):
        connect(tmp_path)


def test_that_rows_can_not_be_written_is_told_though_a_thread_writes_them(tmp_path: Path) -> None:
    def write() -> None:
        with open_writer(tmp_path / "s.duckdb") as writer:
            writer.append({"texts": pa.table({"line": [1]})})
            writer.append({"texts": pa.table({"line": ["one"]})})

    with pytest.raises(duckdb.ConversionException, match="one"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_what_was_appended_does_not_stay_in_memory(tmp_path: Path) -> None:
    size = 1 << 20
    with open_writer(tmp_path / "s.duckdb") as writer:
        before = pa.total_allocated_bytes()
        for _ in range(4):
            writer.append({"texts": pa.table({"line": pa.repeat(1, size // 8)})})
        assert pa.total_allocated_bytes() - before < 2 * size  # one is being written
