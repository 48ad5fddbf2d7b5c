"""A connection is kept for the next question, for a moment, and by nobody who writes."""

from __future__ import annotations

import threading
from pathlib import Path

import duckdb
import pytest

from tests.samples import WRK
from wrkparse.ingest.ingest import ingest
from wrkparse.store import connections
from wrkparse.store.connections import ConnectionPool
from wrkparse.store.duckdb_store import load
from wrkparse.store.writer import open_writer


def is_open(connection: duckdb.DuckDBPyConnection) -> bool:
    try:
        connection.execute("SELECT 1")
    except duckdb.ConnectionException:
        return False
    return True


@pytest.fixture
def store(tmp_path: Path) -> Path:
    log = tmp_path / "wrk.txt"
    log.write_text(WRK)
    made = tmp_path / "runs.duckdb"
    ingest([str(log)], made)
    return made


@pytest.fixture(autouse=True)
def on_a_busy_machine_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE_S", 0.3)


def test_the_next_question_has_the_same_connection() -> None:
    lending = ConnectionPool(duckdb.connect)
    with lending.connection() as first:
        pass
    with lending.connection() as second:
        assert second is first


def test_nobody_shares_a_connection_at_the_same_time() -> None:
    lending = ConnectionPool(duckdb.connect)
    with lending.connection() as first, lending.connection() as second:
        assert second is not first
    assert [is_open(first), is_open(second)] == [False, True]  # one is enough to keep


def closing(lending: ConnectionPool) -> threading.Timer:
    """What will close the connection that is kept."""
    (timer,) = (one for one in threading.enumerate() if getattr(one, "function", None) == lending.close)
    assert isinstance(timer, threading.Timer)
    return timer


def test_without_a_question_it_is_closed_in_a_moment() -> None:
    lending = ConnectionPool(duckdb.connect)
    with lending.connection() as connection:
        pass
    timer = closing(lending)
    assert is_open(connection)
    timer.join()
    assert not is_open(connection)


def test_a_question_that_lasts_is_not_cut_off() -> None:
    lending = ConnectionPool(duckdb.connect)
    with lending.connection():
        pass
    timer = closing(lending)
    with lending.connection() as connection:
        timer.join()
        assert is_open(connection)


def test_whoever_asks_all_the_time_has_a_new_one_at_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_AGE_S", 0.0)
    lending = ConnectionPool(duckdb.connect)
    with lending.connection() as connection:
        pass
    assert not is_open(connection)


def test_a_question_that_fails_leaves_the_connection_as_it_was() -> None:
    lending = ConnectionPool(duckdb.connect)
    with pytest.raises(duckdb.CatalogException), lending.connection() as connection:
        connection.execute("FROM nothing")
    assert is_open(connection)


def test_a_writer_of_this_process_does_not_wait(store: Path) -> None:
    dataset = load(store)
    assert dataset.count("runs") == 1
    said: list[str] = []
    with open_writer(store, waiting=said.append) as writer:
        writer.delete_sources(list(writer.files))
    assert said == []
    assert dataset.count("runs") == 0


def test_the_end_waits_for_a_connection_that_is_being_closed() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    class Slow:
        def close(self) -> None:
            begun.set()
            may_end.wait(10)

    lending = ConnectionPool(Slow)  # type: ignore[arg-type]
    with lending.connection():
        pass
    threading.Thread(target=lending.close).start()
    assert begun.wait(10)
    end = threading.Thread(target=lambda: (connections.close_idle(), ended.set()))
    end.start()
    assert not ended.wait(0.05)
    may_end.set()
    end.join(10)
    assert ended.is_set()
