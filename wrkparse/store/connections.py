"""One connection for the questions that come at once: opening a store takes longer than most answers.

A figure asks ten times, and DuckDB's lock keeps writers off while a connection is open: so it is kept for the next
question for a moment only. Who asks twice a second leaves the store to writers for most of it.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from weakref import WeakSet

import duckdb

IDLE_S = 0.1  # without a question it is closed then; a writer that waits looks twice as often
MAX_AGE_S = 1.0  # since it was opened, and whatever is asked


class _Kept(NamedTuple):
    """A connection that nobody has: until when it may be lent, and what will close it."""

    connection: duckdb.DuckDBPyConnection
    until: float
    closing: threading.Timer


class ConnectionPool:
    """Lends connections that `connect` opens: the one given back a moment ago, or a new one."""

    def __init__(self, connect: Callable[[], duckdb.DuckDBPyConnection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._idle: _Kept | None = None
        _ALL.add(self)

    @contextmanager
    def connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that nobody else has for as long as the block lasts."""
        kept = self._taken()
        connection, until = (kept.connection, kept.until) if kept else (self._connect(), time.monotonic() + MAX_AGE_S)
        try:
            yield connection
        finally:
            if not self._keeps(connection, until):
                connection.close()

    def close(self) -> None:
        """Close what nobody has; return when what is being closed is."""
        with _CLOSING:
            if kept := self._taken():
                kept.connection.close()
            del kept  # to let go of a connection is DuckDB's too

    def _keeps(self, connection: duckdb.DuckDBPyConnection, until: float) -> bool:
        """Keep a connection for the next question, if it is not too old and there is none yet."""
        with self._lock:
            left = until - time.monotonic()
            if self._idle is not None or left <= 0:
                return False
            closing = threading.Timer(min(IDLE_S, left), self.close)
            closing.daemon = True
            closing.start()
            self._idle = _Kept(connection, until, closing)
        return True

    def _taken(self) -> _Kept | None:
        with self._lock:
            kept, self._idle = self._idle, None
        if kept:
            kept.closing.cancel()
        return kept


_ALL: WeakSet[ConnectionPool] = WeakSet()
_CLOSING = threading.Lock()  # Python must not end while a timer's thread is in DuckDB: that would abort the process


@atexit.register
def close_idle() -> None:
    """Close what all lenders of this process keep: a writer is about to come, or the end."""
    for lender in list(_ALL):
        lender.close()
