"""Where an ingest writes to while its calls fail, and what has to hold afterwards."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from children import Outcome, Shim, in_child

from tests.samples import GC, WRK
from wrkparse.cli import main
from wrkparse.context.structure.structure import ORIGIN
from wrkparse.ingest.ingest import parse_text
from wrkparse.ingest.parallel import dask
from wrkparse.store.duckdb_store import open_store
from wrkparse.tools.schema import columns

FAULTS = {"kill": 0, "full": errno.ENOSPC, "broken": errno.EIO}
_CAUSES = {"full": ("disk is full", "No space left"), "broken": ("Input/output error", "the disk reports an error")}
_FORBIDDEN = ("Traceback", "terminate called", "Fatal Python error", "nanobind", "Exception ignored")
_VERDICTS = "<verdicts>"
_LATER = ("ingested_at", "verdict", "valid", "latency_valid", "invalid_reason")  # columns of the time, and of the audit
_MOST_ROWS = 10_000_000  # of a store; of more, all tables are asked for
State = dict[str, str] | None
Content = frozenset[tuple[str, str]]


class Place:
    """A directory with logs and a store; an ingest of the logs as they are is what fails."""

    store = "s.duckdb"
    options: tuple[str, ...] = ()

    def __init__(self, root: Path, shim: Shim, cycles: int) -> None:
        self._work, self._saved, self._shim = root / "work", root / "saved", shim
        self._work.mkdir()
        (self._work / "logs").mkdir()
        self._prepare(cycles)
        self._before = self._state()
        shutil.copytree(self._work, self._saved)
        self._allowed = {*self._listing(), self.store}
        done = self._ingest(-1, 0)
        self._calls = int(done.output.split()[-1])
        self._after = self._state()
        self._later: dict[Content, tuple[State, list[str]]] = {}
        assert done.code == 0, done.errors
        assert self._after not in (None, self._before)

    def calls(self) -> int:
        """How many calls the ingest makes that change a file."""
        return self._calls

    def problems(self, fault: str, at: int) -> Iterator[str]:
        """Let an ingest fail at a call; yields what is not as it should be then."""
        shutil.rmtree(self._work)
        shutil.copytree(self._saved, self._work)
        failed = self._ingest(at, FAULTS[fault], full=fault == "full")
        yield from self._message_problems(fault, failed)
        # Many faults leave the same bytes, often those from before: the next ingest finds and does the same.
        content = _content_of(self._work)
        if content not in self._later:
            state = self._state()
            self._later[content] = state, list(self._problems_of_the_next(state))
        state, later = self._later[content]
        if not self._is_whole(state):
            yield f"the rows are neither those from before nor those from after{self._difference(state)}"
        if failed.code == 0 and state != self._after:
            yield "the ingest ended with 0, and its rows are not in the store"
        if "nothing was changed" in failed.errors and state != self._before:
            yield "the message says that nothing was changed, and something was"
        yield from (problem for problem in later if not self._is_expected(fault, problem))

    def _is_expected(self, fault: str, problem: str) -> bool:
        """Whether a problem of the next ingest may follow this fault."""
        return False

    def _problems_of_the_next(self, state: State) -> Iterator[str]:
        """What is not as it should be after the next ingest, which does not fail; `state` is the one before it."""
        again = self._ingest(-1, 0)
        if again.code or any(word in again.errors for word in _FORBIDDEN):
            yield f"the next ingest ended with {again.code}: {again.errors.strip()[-500:]}"
        if (state := self._state()) != self._after:
            yield f"after the next ingest the rows are not those from after{self._difference(state)}"
        if left := self._listing() - self._allowed:
            yield f"left behind: {', '.join(sorted(left))}"

    def _prepare(self, cycles: int) -> None:
        """Write the logs, and the store as it is before the ingest."""
        self._write(cycles)

    def _write(self, cycles: int, generation: int = 1) -> None:
        logs = self._work / "logs"
        for number in range(3):
            (logs / f"{number}.txt").write_text(WRK.replace("8 threads", f"{number + generation} threads"))
        lines = (GC.format(n=number, t=f"{number}.000") for number in range(1, cycles + 1))
        (logs / "go.log").write_text("".join(lines).replace("4 P", f"{generation} P"))

    def _ingest(self, at: int, error: int, *, full: bool = False) -> Outcome:
        def run() -> None:
            self._shim.begin(self._work, at, error, full=full)
            try:
                with self._around():
                    main(self._arguments(), prog_name="wrkparse")
            finally:
                os.write(1, f"\n{self._shim.count()}".encode())

        return in_child(run)

    def _arguments(self) -> list[str]:
        return ["ingest", str(self._work / "logs"), "-o", str(self._work / self.store), *self.options]

    def _around(self) -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext()

    def _message_problems(self, fault: str, failed: Outcome) -> Iterator[str]:
        if any(word in failed.errors for word in _FORBIDDEN):
            yield f"standard error has {failed.errors.strip()[-1500:]!r}"
        if fault == "kill":
            return
        if failed.code not in (0, 3):
            yield f"it ended with {failed.code}: {failed.errors.strip()[-500:]}"
        elif failed.code and not any(cause in failed.errors for cause in _CAUSES[fault]):
            yield f"the message does not name the cause: {failed.errors.strip()[-500:]}"

    def _state(self) -> State:
        """A digest of the rows of each table; None without a store."""
        if not (self._work / self.store).exists():
            return None
        done = in_child(lambda: _digests(self._work / self.store))
        return done.result if done.code == 0 else {"error": done.errors[-500:]}

    def _is_whole(self, state: State) -> bool:
        return state in (self._before, self._after)

    def _difference(self, state: State) -> str:
        if state is None or "error" in state:
            return f": {state}"
        after = self._after or {}
        return f": {', '.join(name for name in state if state[name] != after.get(name))} differ from after"

    def _listing(self) -> set[str]:
        return {path.name for path in self._work.iterdir()}


def warm_up() -> None:
    """Load what an ingest loads when it first needs it: a child then has it."""
    parse_text(WRK + GC.format(n=1, t="1.000"))
    columns()


class Existing(Place):
    """A store with an older generation of the logs: of some the text has changed, one is new, one was renamed."""

    def _prepare(self, cycles: int) -> None:
        self._write(cycles)
        (self._work / "logs" / "old.txt").write_text(WRK.replace("8 threads", "9 threads"))
        self._ingest(-1, 0)
        self._write(cycles, 2)
        (self._work / "logs" / "old.txt").rename(self._work / "logs" / "old.txt.1")
        (self._work / "logs" / "new.txt").write_text(WRK.replace("8 threads", "7 threads"))


class Parquet(Existing):
    """A directory of Parquet, written by this process in place of a cluster."""

    store = "tables"
    options = ("--engine", "dask")

    @contextlib.contextmanager
    def _around(self) -> Iterator[None]:
        names = dask._client, dask._completed
        dask._client, dask._completed = _no_cluster, _completed  # type: ignore[assignment]
        try:
            yield
        finally:
            dask._client, dask._completed = names

    def _is_whole(self, state: State) -> bool:
        """Each part appears by itself, then the labels from structure, and the verdicts last."""
        before, after = self._before or {}, self._after or {}
        sources = {*before, *after, *(state or {})} - {_VERDICTS}
        return all((state or {}).get(source) in (before.get(source), after.get(source)) for source in sources)


class Exported(Place):
    """A file with a table, written over an older one."""

    store = "runs.parquet"

    def _prepare(self, cycles: int) -> None:
        """Write the logs, the store that is exported, which lies elsewhere, and the older file."""
        self._write(cycles)
        kept = str(self._work.parent / "kept.duckdb")
        self._main("ingest", str(self._work / "logs"), "-o", kept)
        self._main("export", "--store", kept, "--where", "line = 0", "-o", str(self._work / self.store))

    def _main(self, *arguments: str) -> None:
        done = in_child(lambda: main(arguments, prog_name="wrkparse"))
        assert done.code == 0 or "no runs" in done.errors, done.errors

    def _arguments(self) -> list[str]:
        return ["export", "--store", str(self._work.parent / "kept.duckdb"), "-o", str(self._work / self.store)]

    def _state(self) -> State:
        """A digest of each file; None without any."""
        path = self._work / self.store
        files = sorted(path.iterdir()) if path.is_dir() else [path] if path.exists() else []
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files} or None

    def _is_expected(self, fault: str, problem: str) -> bool:
        """What a killed export left is deleted an hour later."""
        return fault == "kill" and problem.startswith("left behind: .") and problem.endswith(".partial")

    def _problems_of_the_next(self, state: State) -> Iterator[str]:
        """The same, but a directory is not written twice."""
        if state != self._after or not (self._work / self.store).is_dir():
            yield from super()._problems_of_the_next(state)


class ExportedTables(Exported):
    """A directory of Parquet with all tables."""

    store = "tables"

    def _prepare(self, cycles: int) -> None:
        self._write(cycles)
        self._main("ingest", str(self._work / "logs"), "-o", str(self._work.parent / "kept.duckdb"))


def _content_of(directory: Path) -> Content:
    """The names below a directory, each with a digest of its bytes if it is a file."""
    return frozenset(
        (str(path.relative_to(directory)), hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in directory.rglob("*")
    )


def _no_cluster(_: object) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


def _completed(_: object, jobs: list[Any], progress: object) -> Iterator[Any]:
    """Do the jobs here; what raises is tried again, as Dask does."""
    for job in jobs:
        for left in reversed(range(dask._TRIES + 1)):
            try:
                done = dask._work(job)
            except OSError:
                if not left:
                    raise
            else:
                break
        yield done


def _digests(store: Path) -> dict[str, str]:
    """A digest of the rows of each source, and of the verdicts; without the time when they were written.

    The labels from structure depend on all runs, as the verdicts do, and are with them.
    """
    with open_store(store) as dataset:
        copy = dataset.in_memory(_MOST_ROWS)  # asks for no table without rows
        tables = {name: copy.arrow(name).to_pylist() for name in columns() if name != "studies"}
    rows, run_table = defaultdict(list), tables["runs"]
    of_run = {row["run"]: row["source"] for row in run_table}
    placed = {(row["run"], row["key"]) for row in tables["labels"] if row["origin"] == ORIGIN}
    for name, table in tables.items():
        for row in table:
            if row.get("origin") == ORIGIN:
                continue
            later = {*_LATER, *(key for run, key in placed if name == "runs" and run == row["run"])}
            values = {key: value for key, value in sorted(row.items()) if key not in later and value is not None}
            rows[row["source"] if "source" in row else of_run.get(row["run"])].append(f"{name} {values}")
    rows[_VERDICTS] = [f"{row['run']} {row['verdict']}" for row in run_table] + [
        f"{row['run']} {key}={row[key]}" for row in run_table for run, key in sorted(placed) if run == row["run"]
    ]
    return {source: hashlib.sha256("\n".join(sorted(some)).encode()).hexdigest() for source, some in rows.items()}


PLACES: dict[str, Callable[[Path, Shim, int], Place]] = {
    "new": Place,
    "existing": Existing,
    "parquet": Parquet,
    "export": Exported,
    "tables": ExportedTables,
}
