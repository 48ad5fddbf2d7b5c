"""Reading on many machines: files into a `wrkparse.store.parquet_store`, a part at a time, by Dask.

The driver lists the files and cuts what is new or changed into jobs; each job reads its files and writes one part,
whole or not at all. A worker that dies loses its job, which another does again under the same name. The extra
``[distributed]`` brings what it needs.
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
from wrkparse.ingest.session import OnDiagnostic, Session, Summary
from wrkparse.model.records import Diagnostic
from wrkparse.source.discover import SourceFile, find_sources
from wrkparse.source.remote import MissingExtraError, is_url, url_path
from wrkparse.store import parquet_store
from wrkparse.store.duckdb_store import load
from wrkparse.store.errors import StoreError
from wrkparse.tools.schema import schema

if TYPE_CHECKING:
    from distributed import Client

    from wrkparse.store.parquet_store import Root

_JOB_BYTES = 128 << 20
_JOB_FILES = 2000
_TRIES = 3  # of a job whose files could not all be read, and of one whose worker died
_TOLD = 20  # diagnostics of a kind that a job sends to the driver; all are in the tables

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class _Job:
    """What one worker reads at a time. ``old`` is the part that the new one replaces, ``keep`` its sources to keep."""

    root: str
    part: str
    found: tuple[SourceFile, ...]
    labels: Mapping[str, str]
    old: str | None = None
    keep: tuple[parquet_store.IngestedFile, ...] = ()
    tries: int = 1

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(state.size for item in self.found if (state := item.stamp()))


@dataclass(slots=True)
class _Done:
    """What came of a job. Where files failed and another try may help, the part is not in force."""

    job: _Job
    summary: Summary
    told: list[tuple[Diagnostic, SourceFile | None]] = field(default_factory=list)
    in_force: bool = True


def ingest(
    paths: Iterable[str],
    root: str,
    *,
    labels: Mapping[str, str] | None = None,
    everything: bool = False,
    scheduler: str | None = None,
    report: OnDiagnostic | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Read what is new or changed below `paths` into a directory of Parquet, on a Dask cluster.

    `root` is a path or a URL. Without the address of a `scheduler` a cluster of this machine's cores serves. What is
    interrupted keeps the parts that are complete. Raises StoreError if the directory can't be read or written or the
    cluster not be used; MissingExtraError.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    found, problems = find_sources(list(paths))
    for problem in problems:
        session.add_diagnostic(problem, None)
    summary = session.summary
    summary.found, summary.failed = len(found), len(problems)
    with _store_errors(root):
        place = url_path(root if is_url(root) else str(Path(root).resolve()))
        parquet_store.delete_replaced_parts(place)
        known = parquet_store.ingested_files(place)
        jobs = list(_jobs(str(place), session, found, known, labels or {}, everything=everything))
        if jobs:
            with _client(scheduler) as client:
                for done in _completed(client, jobs, progress):
                    summary.add(done.summary)
                    for diagnostic, item in done.told:
                        if report:
                            report(diagnostic, item)
            parquet_store.delete_replaced_parts(place)
        _judge(place, again=bool(jobs))
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
    """What is to be read: new files in jobs of some size, changed ones with the rest of the part that they are in."""
    states = {source: state for source, (_, state) in known.items()}
    names = {state.origin: source for source, state in states.items() if state.origin}
    new: list[SourceFile] = []
    changed: dict[str, list[SourceFile]] = defaultdict(list)
    for item in (with_stored_name(item, names, states) for item in found):
        now = item.stamp()
        if not everything and now and session.is_unchanged(states.get(item.source), item, now):
            session.summary.unchanged += 1
        elif item.source in known:
            changed[known[item.source][0]].append(item)
        else:
            new.append(item)
    session.summary.replaced = sum(map(len, changed.values()))
    for some in _cut(new):
        yield _Job(root, _part_name(session, some), some, labels)
    for part, items in changed.items():
        again = {item.source for item in items}
        keep = tuple(state for source, (of, state) in known.items() if of == part and source not in again)
        name = _part_name(session, items, part)
        yield _Job(root, name, tuple(items), labels, old=part, keep=keep)


def _cut(found: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, ...]]:
    some: list[SourceFile] = []
    size = 0
    for item in found:
        state = item.stamp()
        if some and (len(some) == _JOB_FILES or size + (state.size if state else 0) > _JOB_BYTES):
            yield tuple(some)
            some, size = [], 0
        some.append(item)
        size += state.size if state else 0
    if some:
        yield tuple(some)


def _part_name(session: Session, found: Iterable[SourceFile], *more: str) -> str:
    """The same for the same files in the same state, read in the same way."""
    states = [f"{item.source}\0{item.origin}\0{(item.stamp() or ())[:2]}\0{session.settings(item)}" for item in found]
    return _name_of([*states, *more])


def _name_of(words: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(words).encode(), digest_size=10).hexdigest()


@contextlib.contextmanager
def _client(scheduler: str | None) -> Iterator[Client]:
    """A client of the scheduler, or of a cluster of this machine's cores: processes of one thread each."""
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
                client = open_.enter_context(Client(scheduler, timeout=10))
        except (OSError, ValueError, RuntimeError) as problem:
            raise StoreError(f"the scheduler {scheduler or 'of this machine'} can't be reached: {problem}") from problem
        _same_version(client)
        yield client


def _same_version(client: Client) -> None:
    answers: dict[str, Any] = client.run(_version, on_error="return")
    if not answers:
        raise StoreError("the scheduler has no workers; start some with: dask worker ADDRESS")
    for worker, answer in answers.items():
        if answer != __version__:
            raise StoreError(f"the worker {worker} has wrkparse {answer}, here it is {__version__}; install the same")


def _version() -> str:
    return __version__


def _completed(client: Client, jobs: list[_Job], progress: Progress | None) -> Iterator[_Done]:
    """What came of each job, as they are done; jobs with files that could not be read are tried again."""
    from distributed import as_completed

    total, size = sum(job.size for job in jobs), 0
    largest_first = sorted(jobs, key=lambda job: -job.size)
    running = as_completed(client.map(_work, largest_first, retries=_TRIES, pure=False))
    for future in running:
        done: _Done = future.result()
        if not done.in_force:
            running.add(client.submit(_work, replace(done.job, tries=done.job.tries + 1), retries=_TRIES, pure=False))
            continue
        size += done.job.size
        if progress:
            progress(size, total, done.job.found[-1].source)
        yield done


def _work(job: _Job) -> _Done:
    """Read a job's files and write its part: what a worker does."""
    told: list[tuple[Diagnostic, SourceFile | None]] = []
    kinds: Counter[str] = Counter()

    def tell(diagnostic: Diagnostic, found: SourceFile | None) -> None:
        kinds[diagnostic.code] += 1
        if kinds[diagnostic.code] <= _TOLD:
            told.append((diagnostic, found))

    session = Session(job.labels, tell)
    part = parquet_store.PartWriter(url_path(job.root), job.part, [job.old] if job.old else [])
    states = list(job.keep)
    if job.old and job.keep:
        part.append(_kept(job))

    def flush(_: int) -> None:
        if session.builder.row_count > FLUSH_ROWS:
            part.append(session.builder.drain())

    read = (session.read_source(item, flush) for item in job.found)
    states += [state._replace(resume=None) for state in read if state]
    part.append(session.builder.drain() | session.studies())
    session.update_summary()
    if session.summary.failed and job.tries < _TRIES:
        return _Done(job, session.summary, in_force=False)
    part.finish(states)
    return _Done(job, session.summary, told)


def _kept(job: _Job) -> dict[str, pa.Table]:
    """The rows of an old part that its successor takes over: those of files that have not changed."""
    sources = pa.array([state.source for state in job.keep], pa.string())
    rows = parquet_store.read_part(url_path(job.root), job.old or "")
    runs = rows["runs"].filter(pc.is_in(rows["runs"]["source"], sources))["run"]
    kept = {}
    for name, table in rows.items():
        by_source = "source" in schema(name).names
        key, wanted = ("source", sources) if by_source else ("run", runs.combine_chunks())
        kept[name] = table if name == "studies" else table.filter(pc.is_in(table[key], wanted))
    return kept


def _judge(root: Root, *, again: bool) -> None:
    """Write the audit's verdicts on all runs, if there are new ones or some have none."""
    if not parquet_store.active_parts(root):
        return
    dataset = load(str(root))
    if again or dataset.sql("SELECT count(*) AS n FROM runs WHERE verdict IS NULL")["n"].iloc[0]:
        parquet_store.write_table(root / parquet_store.VERDICTS, verdicts(dataset))
