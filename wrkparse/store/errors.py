"""Turns errors of DuckDB and the file system into messages for users: what happened, where, and what to do."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb

from wrkparse.source import remote

_QUERY_ERRORS = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException, duckdb.DataError)
# 'Conflicting lock is held in /usr/bin/python3.11 (PID 4711)'
_HELD = re.compile(r"lock is held in (.+?) \(PID (\d+)\)")
_LOCKED = ("Could not set lock on file", "used by another process")  # on POSIX; on Windows
_INTERRUPTED = ("Query interrupted", "KeyboardInterrupt")
_FULL = ("No space left", "File too large", "quota exceeded")
_BROKEN = ("Input/output error", "I/O error", "fsync failed")  # DuckDB does not say why fsync failed
_FORBIDDEN = ("Permission denied", "Read-only file system")


class StoreError(Exception):
    """A store can't be read or written. The message says what happened, where, and what to do."""


class StoreBusyError(StoreError):
    """Another process, the ``holder``, kept the store for as long as this one could wait."""

    def __init__(self, message: str, holder: str) -> None:
        super().__init__(message)
        self.holder = holder


class BusyError(Exception):
    """Another connection has the file locked; the text names its process."""


def lock_holder(text: str) -> str | None:
    """The process that has locked the file; None if DuckDB's error text is about something else."""
    if match := _HELD.search(text):
        return f"{match[1].rsplit('/', 1)[-1]} (process {match[2]})"
    if any(words in text for words in _LOCKED):
        return "another process"
    return f"this process ({os.getpid()})" if "different configuration than existing" in text else None


@contextlib.contextmanager
def store_errors(path: Path, unchanged: str = "nothing was changed") -> Iterator[None]:
    """Turn errors of DuckDB and the system into StoreError or BusyError; errors in a query pass unchanged.

    `unchanged` says what a full disk left of the store.
    """
    try:
        yield
    except _QUERY_ERRORS:
        raise
    except (duckdb.Error, OSError, RuntimeError) as problem:
        text = str(problem)
        if any(words in text for words in _INTERRUPTED):  # Ctrl-C during a query
            raise KeyboardInterrupt from problem
        if isinstance(problem, RuntimeError):
            raise
        if holder := lock_holder(text):
            raise BusyError(holder) from None
        raise StoreError(f"{path} {_advice(text, unchanged)}") from problem


@contextlib.contextmanager
def url_errors(url: str) -> Iterator[None]:
    """Turn errors of a URL into StoreError."""
    try:
        yield
    except (OSError, remote.MissingExtraError, duckdb.Error) as problem:
        raise StoreError(f"{url} can't be read: {problem}") from problem


def _advice(text: str, unchanged: str) -> str:
    reason = text.split("\n", 1)[0]
    if any(words in text for words in _FULL):
        return f"can't be written, the disk is full ({reason}); {unchanged}: make room, or use another disk"
    if any(words in text for words in _BROKEN):
        return f"can't be used: the disk reports an error or is full ({reason}); check the disk, then ingest again"
    if any(words in text for words in _FORBIDDEN):
        return f"can't be opened ({reason}); change the permissions, or give another name"
    return f"can't be used ({reason}); if the file is damaged, move it away and ingest again"
