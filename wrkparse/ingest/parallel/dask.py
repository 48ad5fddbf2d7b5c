"""Reads on several machines: Dask jobs write the parts of a Parquet store (`wrkparse.store.parquet_store`).

The driver lists the files and groups new and changed ones into jobs. Each job reads its files and writes one part,
completely or not at all. If a worker dies, another one repeats its job under the same name. Needs the extra
``[distributed]``.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse._version import __version__
from wrkparse.analysis.audit.audit import verdicts
from wrkparse.ingest.ingest import FLUSH_ROWS, with_stored_name
from wrkparse.ingest.labels.structure_labels import NAMING_ROWS, RULED_RUNS, STORED_ROWS, structure_rows
from wrkparse.ingest.session import OnDiagnostic, Session
from wrkparse.ingest.summary import IngestSummary
from wrkparse.model.records import Diagnostic
from wrkparse.source.blocks import read_ahead
from wrkparse.source.discover import SourceFile, find_sources
from wrkparse.source.remote import MissingExtraError, is_url, url_path
from wrkparse.store import parquet_store
from wrkparse.store.duckdb_store import load
from wrkparse.store.errors import StoreError
from wrkparse.tools import plugins
from wrkparse.tools.schema import schema

if TYPE_CHECKING:
    from distributed import Client

    from wrkparse.store.parquet_store import Root

# A job ends at this many bytes or files: enough to make the cost of scheduling it small, and little enough to repeat if
# its worker dies.
_JOB_BYTES = 128 << 20
_JOB_FILES = 2000
_TRIES = 3  # tries of a job if files could not be read or its worker died
_CONNECT_TIMEOUT = 10  # seconds
_MOST_REPORTED = 20  # diagnostics of a code that a job sends to the driver; the tables have all

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class _Job:
    """The files that one worker reads. The new part replaces ``old``, and keeps the rows of the files in ``keep``."""

    root: str
    part: str
    found: tuple[SourceFile, ...]
    labels: Mapping[str, str]
    old: str | None = None
    keep: tuple[parquet_store.IngestedFile, ...] = ()
    tries: int = 1

    @property
    def size(self) -> int:
        """Bytes to read, as stored."""
        return sum(state.size for file in self.found if (state := file.stamp()))


@dataclass(slots=True)
class _JobResult:
    """The result of a job. The part is not active if files failed and another try may help."""

    job: _Job
    summary: IngestSummary
    diagnostics: list[tuple[Diagnostic, SourceFile | None]] = field(default_factory=list)
    active: bool = True


def ingest(
    paths: Iterable[str],
    root: str,
    *,
    labels: Mapping[str, str] | None = None,
    everything: bool = False,
    scheduler: str | None = None,
    report: OnDiagnostic | None = None,
    progress: Progress | None = None,
) -> IngestSummary:
    """Read new and changed files below `paths` into a directory of Parquet, on a Dask cluster.

    `root` is a path or URL. Without the address of a `scheduler`, a cluster on this machine's cores is started. After
    an interrupt, complete parts are kept. Raises StoreError if the directory or the cluster can't be used, and
    MissingExtraError.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    found, problems = find_sources(list(paths))
    session.note_found(len(found), problems)
    summary = session.summary
    with _store_errors(root):
        place = url_path(root if is_url(root) else str(Path(root).resolve()))
        parquet_store.delete_replaced_parts(place)
        known = parquet_store.ingested_files(place)
        jobs = list(_jobs(str(place), session, found, known, labels or {}, everything=everything))
        if jobs:
            with _client(scheduler) as client:
                for done in _completed(client, jobs, progress):
                    summary.add(done.summary)
                    for diagnostic, file in done.diagnostics:
                        if report:
                            report(diagnostic, file)
            parquet_store.delete_replaced_parts(place)
        _judge(place, has_new_parts=bool(jobs))
    summary.diagnostics.update(session.builder.diagnostics)
    summary.seconds = time.monotonic() - started
    return summary


@contextlib.contextmanager
def _store_errors(root: str) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise StoreError(f"{root} can't be used: {problem}") from problem


def _jobs(
    root: str,
    session: Session,
    found: Iterable[SourceFile],
    known: Mapping[str, tuple[str, parquet_store.IngestedFile]],
    labels: Mapping[str, str],
    *,
    everything: bool,
) -> Iterator[_Job]:
    """The jobs: new files in groups of limited size; changed files with the other files of their part."""
    states = {source: state for source, (_, state) in known.items()}
    names = {state.origin: source for source, state in states.items() if state.origin}
    new: list[SourceFile] = []
    changed: dict[str, list[SourceFile]] = defaultdict(list)
    for file in (with_stored_name(file, names, states) for file in found):
        now = file.stamp()
        if not everything and now and session.is_unchanged(states.get(file.source), file, now):
            session.summary.unchanged += 1
        elif file.source in known:
            changed[known[file.source][0]].append(file)
        else:
            new.append(file)
    session.summary.replaced = sum(map(len, changed.values()))
    for some in _grouped(new):
        yield _Job(root, _part_name(session, some), some, labels)
    for part, items in changed.items():
        changed_sources = {file.source for file in items}
        unchanged = tuple(
            state for source, (old_part, state) in known.items() if old_part == part and source not in changed_sources
        )
        name = _part_name(session, items, part)
        yield _Job(root, name, tuple(items), labels, old=part, keep=unchanged)


def _grouped(found: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, ...]]:
    some: list[SourceFile] = []
    size = 0
    for file in found:
        state = file.stamp()
        if some and (len(some) == _JOB_FILES or size + (state.size if state else 0) > _JOB_BYTES):
            yield tuple(some)
            some, size = [], 0
        some.append(file)
        size += state.size if state else 0
    if some:
        yield tuple(some)


def _part_name(session: Session, found: Iterable[SourceFile], *more: str) -> str:
    """A name that depends on the files, their size and time of change, and the settings.

    A job that is repeated on another worker, or after an interrupt, thus writes the same part again, not a second one.
    """
    # Size and time of a stamp; device and inode of a file may differ between machines.
    states = [f"{file.source}\0{file.origin}\0{(file.stamp() or ())[:2]}\0{session.settings(file)}" for file in found]
    return _name_of([*states, *more])


def _name_of(words: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(words).encode(), digest_size=10).hexdigest()


@contextlib.contextmanager
def _client(scheduler: str | None) -> Iterator[Client]:
    """A client of the scheduler, or of a local cluster: one process with one thread for each core."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError("--engine dask needs more packages: pip install 'wrkparse[distributed]'") from None
    with contextlib.ExitStack() as open_:
        try:
            if scheduler is None:
                cluster = open_.enter_context(
                    LocalCluster(threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50)
                )
                client = open_.enter_context(Client(cluster))
            else:
                client = open_.enter_context(Client(scheduler, timeout=_CONNECT_TIMEOUT))
        except (OSError, ValueError, RuntimeError) as problem:
            raise StoreError(f"the scheduler {scheduler or 'of this machine'} can't be reached: {problem}") from problem
        _same_version(client)
        yield client


def _same_version(client: Client) -> None:
    answers: dict[str, Any] = client.run(_version, on_error="return")
    if not answers:
        raise StoreError("the scheduler has no workers; start some with: dask worker ADDRESS")
    for worker, answer in answers.items():
        if answer != _version():
            raise StoreError(f"the worker {worker} has wrkparse {answer}, here it is {_version()}; install the same")


def _version() -> str:
    """The versions of wrkparse and of the plug-ins."""
    return ", ".join([__version__, *plugins.identity()])


def _completed(client: Client, jobs: list[_Job], progress: Progress | None) -> Iterator[_JobResult]:
    """Yield the result of each job as it completes; jobs with unreadable files are repeated."""
    from distributed import as_completed

    total, size = sum(job.size for job in jobs), 0
    largest_first = sorted(jobs, key=lambda job: -job.size)  # so that no large job is left alone at the end
    running = as_completed(client.map(_work, largest_first, retries=_TRIES, pure=False))
    for future in running:
        done: _JobResult = future.result()
        if not done.active:
            running.add(client.submit(_work, replace(done.job, tries=done.job.tries + 1), retries=_TRIES, pure=False))
            continue
        size += done.job.size
        if progress:
            progress(size, total, done.job.found[-1].source)
        yield done


def _work(job: _Job) -> _JobResult:
    """Read the files of a job and write its part; runs in a worker."""
    diagnostics: list[tuple[Diagnostic, SourceFile | None]] = []
    kinds: Counter[str] = Counter()

    def report(diagnostic: Diagnostic, file: SourceFile | None) -> None:
        kinds[diagnostic.code] += 1
        if kinds[diagnostic.code] <= _MOST_REPORTED:
            diagnostics.append((diagnostic, file))

    session = Session(job.labels, report)
    part = parquet_store.PartWriter(url_path(job.root), job.part, [job.old] if job.old else [])
    states = list(job.keep)
    if job.old and job.keep:
        # Parts are never changed: the rows of the other files of the old part are copied.
        part.append(_unchanged_rows(job))

    def flush(_: int) -> None:
        if session.builder.row_count > FLUSH_ROWS:
            part.append(session.drain())

    readers = zip(job.found, read_ahead(job.found), strict=True)
    read = (session.read_source(file, flush, blocks=blocks) for file, blocks in readers)
    done = [state._replace(resume=None) for state in read if state]  # the rows of a part are never changed
    part.append(session.drain() | session.studies())
    states += [state for state in done if state.source not in session.faulty]
    session.update_summary()
    if session.summary.failed and job.tries < _TRIES:
        return _JobResult(job, session.summary, active=False)
    part.finish(states)
    return _JobResult(job, session.summary, diagnostics)


def _unchanged_rows(job: _Job) -> dict[str, pa.Table]:
    """The rows of an old part that belong to unchanged files."""
    sources = pa.array([state.source for state in job.keep], pa.string())
    rows = parquet_store.read_part(url_path(job.root), job.old or "")
    runs = rows["runs"].filter(pc.is_in(rows["runs"]["source"], sources))["run"]
    kept_rows = {}
    for name, table in rows.items():
        by_source = "source" in schema(name).names
        key, wanted = ("source", sources) if by_source else ("run", runs.combine_chunks())
        # studies have no run; each part has a copy of its own
        kept_rows[name] = table if name == "studies" else table.filter(pc.is_in(table[key], wanted))
    return kept_rows


def _judge(root: Root, *, has_new_parts: bool) -> None:
    """Write the labels from structure and the verdicts of all runs, if there are new parts or a run has no verdict."""
    if not parquet_store.active_parts(root):
        return
    dataset = load(str(root))
    if has_new_parts or dataset.sql("SELECT count(*) AS n FROM runs WHERE verdict IS NULL")["n"].iloc[0]:
        ruled, stored = dataset.sql_arrow(RULED_RUNS)["run"], dataset.sql_arrow(STORED_ROWS)
        rows = structure_rows(dataset.arrow("runs"), ruled, dataset.sql_arrow(NAMING_ROWS), stored)
        parquet_store.write_parquet_file(root / parquet_store.STRUCTURE, rows)
        # Opened again: now with the labels from structure.
        parquet_store.write_parquet_file(root / parquet_store.VERDICTS, verdicts(load(str(root))))
