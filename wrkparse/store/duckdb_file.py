"""Opens a store's DuckDB file: waits while another process has it, and checks that it is a store."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb

from wrkparse._version import __version__
from wrkparse.source.discover import utf8_name
from wrkparse.store import ddl
from wrkparse.store.ddl import SCHEMA_VERSION
from wrkparse.store.errors import BusyError, StoreBusyError, StoreError, lock_holder, store_errors

T = TypeVar("T")

# A query must not make DuckDB download or load an extension.
OFFLINE: dict[str, str | bool] = {"autoload_known_extensions": False, "autoinstall_known_extensions": False}
# Seconds between two attempts to open a store that another process has: half of `connections.IDLE_S`.
_POLL_S = 0.05
_HEADER_BYTES = 24  # at the beginning of a file, which show whether it is a store
_MAGIC_AT = slice(8, 12)  # DuckDB writes DUCK there, after a checksum of 8 bytes


def connect_file(path: Path, config: dict[str, str | bool], *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB file. Raises BusyError if it is in use, and StoreError if it is another kind of file."""
    with store_errors(path):
        existed = path.exists()
        try:
            return duckdb.connect(str(path), read_only=read_only, config=dict(config))
        except duckdb.Error as problem:
            # A new file is empty if the disk is full.
            # A locked file is not opened: closing it would drop a lock that this process has.
            header = _header(path) if existed and lock_holder(str(problem)) is None else None
            if header is not None and header[_MAGIC_AT] != b"DUCK":
                content = f"it begins with {header!r}" if header else "it is empty"
                raise StoreError(f"{path} is not a wrkparse store: {content}; give another name") from None
            raise


def is_duckdb_file(path: Path) -> bool:
    """Whether a file begins like a DuckDB file. False for a pipe, because a reader would wait."""
    return path.is_file() and (_header(path) or b"")[_MAGIC_AT] == b"DUCK"


def _header(path: Path) -> bytes | None:
    """The first bytes of a file, None if it can't be read.

    On POSIX, closing a file drops the locks that this process has on it: call this only while DuckDB has no
    connection to the file.
    """
    try:
        with path.open("rb") as file:
            return file.read(_HEADER_BYTES)
    except OSError:
        return None


def retry_while_busy(
    attempt: Callable[[], T], path: Path, wait_s: float, waiting: Callable[[str], None] | None,
    is_given_up: Callable[[], bool] = bool,
) -> T:  # fmt: skip
    """Call `attempt` until it raises no BusyError. Raises StoreBusyError after `wait_s` seconds, or if `is_given_up`.

    `waiting` gets one message when the wait begins.
    """
    began = time.monotonic()
    while True:
        try:
            return attempt()
        except BusyError as busy:
            waited = time.monotonic() - began
            if waited >= wait_s or is_given_up():
                message = f"{path} is still in use by {busy} after {waited:.0f} s"
                raise StoreBusyError(f"{message}; close it there, or try again later", str(busy)) from None
            if waiting is not None:
                endless = "until it is free, or a few seconds after Ctrl-C"
                limit = endless if wait_s == math.inf else f"for up to {wait_s:g} s"
                waiting(f"{path} is in use by {busy}; waiting {limit}")
                waiting = None
        time.sleep(_POLL_S)


def real_path(path: str | Path) -> Path:
    """The path without symbolic links: the store's log and partial file belong beside the real file."""
    return Path(os.path.realpath(path))


def check_name(path: Path) -> None:
    """Raise StoreError for a path that is not UTF-8: DuckDB can't open it."""
    if str(path) != utf8_name(str(path)):
        raise StoreError(f"{utf8_name(str(path))}: DuckDB opens no path that is not UTF-8; give another name")


def check_version(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raise StoreError unless the file is a store that this version can use."""
    meta: dict[str, str] = {}
    if ddl.existing_columns(connection, "meta") == ["key", "value"]:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    version = str(meta.get("schema_version"))
    if not version.isdecimal() or "wrkparse_version" not in meta:
        raise StoreError(f"{path} is a DuckDB file, but not a wrkparse store; give another name")
    if int(version) > SCHEMA_VERSION:
        store_version = f"{path} was made by wrkparse {meta['wrkparse_version']} (schema {version})"
        own_version = f"this is {__version__} (schema {SCHEMA_VERSION})"
        raise StoreError(f"{store_version}, {own_version}; update wrkparse, or give another name")
