"""Reuses an open connection for successive queries, because opening a store takes longer than most queries.

A figure makes ten queries. DuckDB's lock keeps writers out while a connection is open, so an idle connection is kept
only for a moment. Even with two queries per second, the store is free for writers most of the time.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol
from weakref import WeakSet

from wrkparse.dataset.queries.sql import Connection

IDLE_S = 0.1  # an idle connection is closed after this time; a waiting writer tries twice as often
MAX_AGE_S = 1.0  # an older connection is closed, so that constant queries do not keep writers out


class _Closable(Connection, Protocol):
    """A connection that can be closed."""

    def close(self) -> None:
        """Close the connection."""


class _IdleConnection(NamedTuple):
    """An idle connection: when it becomes too old to be reused, and the timer that closes it."""

    connection: _Closable
    expires_at: float
    closing: threading.Timer


class ConnectionPool:
    """Reuses the connection that became idle last, or opens a new one with `connect`."""

    def __init__(self, connect: Callable[[], _Closable]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._idle: _IdleConnection | None = None
        _ALL.add(self)

    @contextmanager
    def connection(self) -> Iterator[_Closable]:
        """A connection for the exclusive use of the block."""
        idle = self._take_idle()
        connection, expires_at = (
            (idle.connection, idle.expires_at) if idle else (self._connect(), time.monotonic() + MAX_AGE_S)
        )
        try:
            yield connection
        finally:
            # the age counts from the opening: reuse does not make a connection younger
            if not self._keep(connection, expires_at):
                connection.close()

    def close(self) -> None:
        """Close the idle connection; returns when every close in progress has ended."""
        with _CLOSING:
            if idle := self._take_idle():
                idle.connection.close()
            del idle  # DuckDB releases the connection within the lock, too

    def _keep(self, connection: _Closable, expires_at: float) -> bool:
        """Keep a connection for the next query; False if it is too old, or another one is idle."""
        with self._lock:
            seconds_left = expires_at - time.monotonic()
            if self._idle is not None or seconds_left <= 0:
                return False
            closing = threading.Timer(min(IDLE_S, seconds_left), self.close)
            closing.daemon = True
            closing.start()
            self._idle = _IdleConnection(connection, expires_at, closing)
        return True

    def _take_idle(self) -> _IdleConnection | None:
        with self._lock:
            idle, self._idle = self._idle, None
        if idle:
            idle.closing.cancel()
        return idle


_ALL: WeakSet[ConnectionPool] = WeakSet()
_CLOSING = threading.Lock()  # the process aborts if Python ends while a timer thread is in DuckDB


@atexit.register
def close_idle() -> None:
    """Close the idle connections of all pools: called before a write, and at exit."""
    for pool in list(_ALL):
        pool.close()
