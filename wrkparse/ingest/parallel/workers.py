"""Reads many small files with processes, and large ones with threads; results come in the order of the files.

A worker process reads a batch of small files into tables and sends them back. Starting one takes half a second of CPU,
so this pays off only for thousands of files. The caller reads what depends on earlier files, and files that turn out
too large for a batch. Threads scan the blocks of a large file (`wrkparse.parse.events.scan`): the compiled loops
release Python's lock.
"""

from __future__ import annotations

import contextlib
import gc
import logging
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

from wrkparse.ingest.parallel.ordered_map import ordered_map
from wrkparse.ingest.session import Session, SessionResult
from wrkparse.ingest.source_reading import ResumePoint, ScanBlocks
from wrkparse.model.records import Diagnostic
from wrkparse.parse.events.scan import ScannedBlock, scan_block
from wrkparse.source.blocks import read_ahead
from wrkparse.source.discover import FileStamp, SourceFile
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.tools import plugins
from wrkparse.tools.columnar import compiled

P = ParamSpec("P")
R = TypeVar("R")

_BATCH_FILES = 250  # a batch ends at this many files ...
_BATCH_BYTES = 4 << 20  # ... or bytes
_SMALL_BYTES = 256 << 10  # a larger file gets no batch
# Worker processes are used from this many small files, or this many bytes of them. With less, starting them takes
# longer than it saves (measured on two cores).
_MANY_FILES = 10_000
_MANY_BYTES = 64 << 20
_THREADED_BYTES = 16 << 20  # a file of this size is read by threads
_MOST_THREADS = 4  # more gain nothing: the first one merges what the others have scanned
_MOST_ROWS = 500_000  # rows of a batch; beyond it, the caller reads its files one by one, to bound memory


class PendingFile(NamedTuple):
    """A file to be read, with its size and time of change, and where to resume it if it was read before."""

    source_file: SourceFile
    stamp: FileStamp | None
    resume: ResumePoint | None = None

    @property
    def size(self) -> int:
        """Size in bytes, 0 if unknown."""
        return self.stamp.size if self.stamp else 0

    @property
    def small(self) -> bool:
        """Whether it can be read in a batch, by any process."""
        return self._local and self.size <= _SMALL_BYTES

    @property
    def shared(self) -> bool:
        """Whether threads can read it."""
        return compiled.COMPILED and self._local and self.size >= _THREADED_BYTES

    @property
    def _local(self) -> bool:
        return self.resume is None and self.stamp is not None and self.source_file.local


@dataclass(slots=True)
class WorkerResult:
    """The result of a batch of files: tables and counts, the store's record of each file, diagnostics by source."""

    session: SessionResult
    files: list[IngestedFile]
    diagnostics: Mapping[str, list[Diagnostic]]


class _TooMuchError(Exception):
    """A batch has more rows than may be held at once."""


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerCounts(NamedTuple):
    """How many processes read small files, and how many threads a large one."""

    processes: int
    threads: int


def choose_worker_counts(files: Sequence[PendingFile], jobs: int | None) -> WorkerCounts:
    """`jobs` processes and threads; if None, as many as save time for these files."""
    if jobs is not None:
        return WorkerCounts(jobs, min(jobs, _MOST_THREADS))
    small = [file.size for file in files if file.small]
    processes = cores() if len(small) >= _MANY_FILES or sum(small) >= _MANY_BYTES else 1
    return WorkerCounts(processes, min(cores(), _MOST_THREADS) if any(file.shared for file in files) else 1)


class WorkerPool:
    """Reads files in this process, in the processes of an executor, if there is one, and in threads."""

    def __init__(self, executor: ProcessPoolExecutor | None, number: WorkerCounts) -> None:
        self._executor, self._number = executor, number

    def read_ahead(
        self, files: Sequence[PendingFile], labels: Mapping[str, str]
    ) -> Iterator[tuple[Sequence[PendingFile], WorkerResult | None]]:
        """Yield all files in order, in batches, each with its result.

        The result is None for files that the caller has to read.
        """
        if self._executor is None:
            return ((some, None) for some in _batches(files))
        executor = self._executor

        def submit(some: Sequence[PendingFile]) -> Future[WorkerResult | None] | None:
            return (
                _submit(executor, read_files, [file.source_file for file in some], dict(labels))
                if some[0].small
                else None
            )

        def read_here(some: Sequence[PendingFile]) -> WorkerResult | None:
            return read_files([file.source_file for file in some], labels) if some[0].small else None

        return ordered_map(_batches(files), submit, read_here, self._number.processes - 1)

    def block_scanner(self, file: PendingFile) -> ScanBlocks | None:
        """A scanner that uses threads for a large file; None for a file that the caller reads alone."""
        other_threads = self._number.threads - 1
        return partial(_scanned_blocks, other_threads=other_threads) if other_threads and file.shared else None


@contextlib.contextmanager
def worker_pool(number: WorkerCounts) -> Iterator[WorkerPool]:
    """A pool of this many processes and threads, the calling ones included."""
    if number.processes < 2:
        yield WorkerPool(None, number)
        return
    with process_pool(number.processes - 1) as executor:
        yield WorkerPool(executor, number)


@contextlib.contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """An executor of `jobs` processes, which end with the block, or when this process ends."""
    # Not fork: the copy of this process would have copies of locks that threads of DuckDB and Arrow hold.
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _prepare, gc.get_threshold())
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _prepare(*gc_thresholds: int) -> None:
    """Set up a worker process: ignore Ctrl-C, which the parent handles, and end when the parent ends.

    It looks for garbage as seldom as the parent.
    """
    gc.set_threshold(*gc_thresholds)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("wrkparse").setLevel(logging.ERROR)  # the parent has named plug-ins that are left out
    plugins.plug_ins()  # one of them may import pandas
    sys.meta_path.insert(0, _WithoutPandas)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


class _WithoutPandas:
    """Hides pandas from a worker: Arrow would import it to recognise its types, a third of the time of the start."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raises ModuleNotFoundError for pandas; Arrow works without it."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _batches(files: Sequence[PendingFile]) -> Iterator[Sequence[PendingFile]]:
    """Consecutive small files in batches, the others one by one."""
    some: list[PendingFile] = []
    size = 0
    for file in files:
        # A file that is not small is a batch by itself.
        if some and (len(some) == _BATCH_FILES or size > _BATCH_BYTES or not file.small or not some[-1].small):
            yield some
            some, size = [], 0
        some.append(file)
        size += file.size
    if some:
        yield some


def _scanned_blocks(blocks: Iterable[bytes], other_threads: int) -> Iterator[tuple[bytes, ScannedBlock | None]]:
    """The blocks in order, each with its scan by this thread or one of the others."""
    blocks = iter(blocks)
    yield from ((block, None) for block in islice(blocks, 1))  # the first block often has headings and commands
    with ThreadPoolExecutor(other_threads, "wrkparse-scan") as executor:
        try:
            yield from ordered_map(blocks, lambda block: executor.submit(scan_block, block), scan_block, other_threads)
        finally:
            executor.shutdown(cancel_futures=True)


def _submit(executor: ProcessPoolExecutor, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R] | None:
    """Submit a task to a worker. Returns None if all workers have been killed."""
    with contextlib.suppress(BrokenExecutor):
        return executor.submit(work, *args, **kwargs)
    return None


def read_files(files: Iterable[SourceFile], labels: Mapping[str, str]) -> WorkerResult | None:
    """Read a batch of files into tables; None if they have too many rows. Runs in a worker or in the caller."""
    diagnostics: defaultdict[str, list[Diagnostic]] = defaultdict(list)

    def report(diagnostic: Diagnostic, _: SourceFile | None) -> None:
        diagnostics[diagnostic.source].append(diagnostic)

    def bounded(_: int) -> None:
        if session.builder.row_count > _MOST_ROWS:
            raise _TooMuchError

    session = Session(labels, report, report_studies=False)
    try:
        files = list(files)
        readings = zip(files, read_ahead(files), strict=True)
        ingested = [done for file, blocks in readings if (done := session.read_source(file, bounded, blocks=blocks))]
    except _TooMuchError:
        return None
    result = session.result()
    return WorkerResult(result, [file for file in ingested if file.source not in session.faulty], diagnostics)
