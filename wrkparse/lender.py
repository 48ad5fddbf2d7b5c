"""One connection for the questions that come at once: opening a store takes longer than most answers.

A figure asks ten times, and DuckDB's lock keeps writers off while a connection is open: so it is kept for a moment
only, whatever is asked meanwhile.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakSet

import duckdb

KEPT_S = 1.0  # since it was opened


class Lender:
    """Lends connections that `connect` opens: the one that was given back if it is not `KEPT_S` old, else a new one."""

    def __init__(self, connect: Callable[[], duckdb.DuckDBPyConnection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._idle: tuple[duckdb.DuckDBPyConnection, float] | None = None  # and until when it may be lent
        _ALL.add(self)

    @contextmanager
    def lent(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that nobody else has for as long as the block lasts."""
        connection, until = self._taken() or self._opened()
        try:
            yield connection
        finally:
            with self._lock:
                kept = self._idle is None and time.monotonic() < until
                if kept:
                    self._idle = connection, until
            if not kept:
                connection.close()

    def close(self) -> None:
        """Close what nobody has."""
        if found := self._taken():
            found[0].close()

    def _opened(self) -> tuple[duckdb.DuckDBPyConnection, float]:
        opened = self._connect(), time.monotonic() + KEPT_S
        closing = threading.Timer(KEPT_S, self.close)
        closing.daemon = True
        closing.start()
        return opened

    def _taken(self) -> tuple[duckdb.DuckDBPyConnection, float] | None:
        with self._lock:
            found, self._idle = self._idle, None
        return found


_ALL: WeakSet[Lender] = WeakSet()


@atexit.register
def close_idle() -> None:
    """Close what all lenders of this process keep: a writer is about to come, or the end."""
    for lender in list(_ALL):
        lender.close()
