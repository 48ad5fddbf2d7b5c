"""Many small files, or a large one, read by several workers: the same comes of them, in the same order.

For small files these are processes: a worker reads some into tables and sends these back; a process more than pays only
where files come by the thousand. What depends on all files that were read before, or is larger than it seemed, is left
to the caller. For a large file they are threads, which look at its blocks (`wrkparse.parse.event_scan`):
the compiled loops let each other run.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from typing import NamedTuple, ParamSpec, TypeVar

from wrkparse.ingest.ordered_map import ordered_map
from wrkparse.ingest.session import ResumePoint, ScanBlocks, Session, SessionResult
from wrkparse.model.records import Diagnostic
from wrkparse.parse.event_scan import ScannedBlock, scan_block
from wrkparse.source.discover import FileStamp, SourceFile
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.tools.columnar import compiled

P = ParamSpec("P")
R = TypeVar("R")

_TOGETHER = 250  # files that a worker reads at a time ...
_BYTES = 4 << 20  # ... or so many bytes
_SMALL = 256 << 10  # a larger file is read by itself
_MANY = 10_000  # files from which on a process for each core pays, of less than that ...
_MUCH = 64 << 20  # ... or bytes of small ones
_SHARED = 16 << 20  # bytes of a file that others help to read
_THREADS = 4  # that can read one log: the first gathers what all have found
_HELD = 500_000  # rows of some small files, which are not small then


class PendingFile(NamedTuple):
    """A file to be read, as it was when it was looked at, from where it was left if it is ``begun``."""

    found: SourceFile
    state: FileStamp | None
    resume: ResumePoint | None = None

    @property
    def size(self) -> int:
        """Its bytes, 0 where that is not known."""
        return self.state.size if self.state else 0

    @property
    def small(self) -> bool:
        """Whether it can be read together with others, by whichever process."""
        return self._local and self.size <= _SMALL

    @property
    def shared(self) -> bool:
        """Whether several threads can read it together."""
        return compiled.COMPILED and self._local and self.size >= _SHARED

    @property
    def _local(self) -> bool:
        return self.resume is None and self.state is not None and self.found.local


@dataclass(slots=True)
class WorkerResult:
    """What came of some files: a part of a session, what is to be remembered of each, what was said of each."""

    session: SessionResult
    states: list[IngestedFile]
    told: Mapping[str, list[Diagnostic]]


class _TooMuchError(Exception):
    """Small files that are not."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerCounts(NamedTuple):
    """How many processes read small files, and how many threads a large one."""

    processes: int
    threads: int


def choose_worker_counts(files: Sequence[PendingFile], jobs: int | None) -> WorkerCounts:
    """So many, or as many as are worth their start for reading these files."""
    if jobs is not None:
        return WorkerCounts(jobs, min(jobs, _THREADS))
    small = [file.size for file in files if file.small]
    processes = cores() if len(small) >= _MANY or sum(small) >= _MUCH else 1
    return WorkerCounts(processes, min(cores(), _THREADS) if any(file.shared for file in files) else 1)


class WorkerPool:
    """Processes and threads that read ahead of this one; no other processes without an executor."""

    def __init__(self, executor: ProcessPoolExecutor | None, number: WorkerCounts) -> None:
        self._executor, self._number = executor, number

    def read_ahead(
        self, files: Sequence[PendingFile], labels: Mapping[str, str]
    ) -> Iterator[tuple[Sequence[PendingFile], WorkerResult | None]]:
        """All files in order, some at a time, with what came of them; None for those that the caller has to read."""
        if self._executor is None:
            return ((some, None) for some in _batches(files))
        executor = self._executor

        def submit(some: Sequence[PendingFile]) -> Future[WorkerResult | None] | None:
            return _submit(executor, read_files, [file.found for file in some], dict(labels)) if some[0].small else None

        def here(some: Sequence[PendingFile]) -> WorkerResult | None:
            return read_files([file.found for file in some], labels) if some[0].small else None

        return ordered_map(_batches(files), submit, here, self._number.processes - 1)

    def block_scanner(self, file: PendingFile) -> ScanBlocks | None:
        """How to read a large file with their help; None for one that the caller has to read alone."""
        others = self._number.threads - 1
        return partial(_scanned_blocks, others=others) if others and file.shared else None


@contextlib.contextmanager
def worker_pool(number: WorkerCounts) -> Iterator[WorkerPool]:
    """So many processes and threads, of which this is one."""
    if number.processes < 2:
        yield WorkerPool(None, number)
        return
    with process_pool(number.processes - 1) as executor:
        yield WorkerPool(executor, number)


@contextlib.contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, which end with the block, and with this process."""
    # a copy of this process (fork) would have copies of locks that DuckDB's and Arrow's threads hold
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _prepare)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _prepare() -> None:
    """In a worker: leave Ctrl-C to the parent, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.meta_path.insert(0, _WithoutPandas)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


class _WithoutPandas:
    """In a worker: Arrow imports pandas to learn whether an array is a series of it, a third of a worker's start."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raises ModuleNotFoundError for pandas; Arrow goes on without."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _batches(files: Sequence[PendingFile]) -> Iterator[Sequence[PendingFile]]:
    """Small files that follow each other, some at a time; the others one by one."""
    some: list[PendingFile] = []
    size = 0
    for file in files:
        if some and (len(some) == _TOGETHER or size > _BYTES or not file.small or not some[-1].small):
            yield some
            some, size = [], 0
        some.append(file)
        size += file.size
    if some:
        yield some


def _scanned_blocks(blocks: Iterable[bytes], others: int) -> Iterator[tuple[bytes, ScannedBlock | None]]:
    """The blocks of a text in their order, with what was seen in them by this thread and others."""
    blocks = iter(blocks)
    yield from ((block, None) for block in islice(blocks, 1))  # a log's begin may hold anything
    with ThreadPoolExecutor(others, "wrkparse-look") as executor:
        try:
            yield from ordered_map(blocks, lambda block: executor.submit(scan_block, block), scan_block, others)
        finally:
            executor.shutdown(cancel_futures=True)


def _submit(executor: ProcessPoolExecutor, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R] | None:
    """What a worker is at; None if there are none any longer."""
    with contextlib.suppress(BrokenExecutor):
        return executor.submit(work, *args, **kwargs)
    return None


def read_files(files: Iterable[SourceFile], labels: Mapping[str, str]) -> WorkerResult | None:
    """What a worker does; None if the files hold more than files of their size do."""
    told: defaultdict[str, list[Diagnostic]] = defaultdict(list)

    def tell(diagnostic: Diagnostic, _: SourceFile | None) -> None:
        told[diagnostic.source].append(diagnostic)

    def bounded(_: int) -> None:
        if session.builder.row_count > _HELD:
            raise _TooMuchError

    session = Session(labels, tell, tell_studies=False)
    try:
        states = [state for found in files if (state := session.read_source(found, bounded))]
    except _TooMuchError:
        return None
    return WorkerResult(session.result(), states, told)
