"""Functions run in forked children: Python and wrkparse are imported once, and an ingest takes a tenth of a second."""

from __future__ import annotations

import atexit
import ctypes
import importlib
import os
import pickle
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

_IMPORTED = ("pandas", "duckdb", "pyarrow.parquet", "wrkparse.cli.tables.ingest", "wrkparse.ingest.parallel.dask")
_IMPORTED += ("pyarrow.dataset", "upath.implementations.local")  # those of a directory of Parquet
_IMPORTED += ("wrkparse.analysis.audit.audit", "wrkparse.ingest.ingest", "wrkparse.store.duckdb_store")


class Shim:
    """The preloaded library: counts the calls below a directory, and lets one of them fail."""

    def __init__(self, path: Path) -> None:
        for name in _IMPORTED:
            importlib.import_module(name)
        self._library = ctypes.CDLL(str(path))

    def begin(self, below: Path, at: int = -1, error: int = 0, *, full: bool = False) -> None:
        """Count from here; call number `at` (from 0) fails with this errno, 0: the process is killed instead."""
        self._library.faults_begin(os.fsencode(below), ctypes.c_long(at), error, int(full))

    def count(self) -> int:
        """The calls since `begin`."""
        return int(self._library.faults_count())


class Outcome(NamedTuple):
    """How a child ended: its exit code (negative: a signal), what it printed, and what its function returned."""

    code: int
    output: str
    errors: str
    result: Any


def in_child(function: Callable[[], Any]) -> Outcome:
    """Run a function in a forked child; it may exit as a command does."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as answer:
        child = os.fork()
        if not child:
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            _run(function, answer.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (output, errors, answer):
            file.seek(0)
            texts.append(file.read())
    result = pickle.loads(texts[2]) if texts[2] else None  # noqa: S301 (our own child wrote it)
    return Outcome(code, texts[0].decode("utf-8", "replace"), texts[1].decode("utf-8", "replace"), result)


def _run(function: Callable[[], Any], answer: int) -> None:
    """Run a function as a whole program would run, and end the process."""
    code = 0
    try:
        os.write(answer, pickle.dumps(function()))
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 (as Python does at its top)
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()  # noqa: SLF001 (os._exit would leave them out)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
