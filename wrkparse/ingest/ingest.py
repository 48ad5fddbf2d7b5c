"""Paths → tables: in memory (`read`, `parse_text`) or into a store (`ingest`)."""

from __future__ import annotations

import dataclasses
import importlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import compress
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse._version import __version__
from wrkparse.dataset import Dataset
from wrkparse.ingest.session import OnDiagnostic, Session, Summary, parse_blocks
from wrkparse.ingest.table_builder import TableBuilder, concat_parts
from wrkparse.ingest.workers import PendingFile, WorkerCounts, WorkerResult, choose_worker_counts, worker_pool
from wrkparse.parse.parser import SourceParser
from wrkparse.source.blocks import new_digest
from wrkparse.source.discover import FileStamp, SourceFile, find_sources, with_parent_directories
from wrkparse.source.remote import is_url
from wrkparse.store.duckdb_store import is_store, load
from wrkparse.store.errors import StoreError
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import StoreWriter, open_writer

FLUSH_ROWS = 122_880  # rows held before they are written

Progress = Callable[[int, int, str], None]


def read(*paths: str | os.PathLike[str], labels: Mapping[str, str] | None = None) -> Dataset:
    """Parse files, directories or ``label=path`` in memory.

    `labels` are given to every run and are stronger than what the text says. What can't be read is in
    ``ds.diagnostics``, missing paths too. Raises ValueError without a path.
    """
    if not paths:
        raise ValueError("read() needs at least one path")
    found, problems = find_sources([os.fspath(path) for path in paths])
    session = Session(labels or {})
    kept: dict[str, list[pa.Table]] = {}
    for problem in problems:
        session.add_diagnostic(problem, None)
    for item in found:
        session.read_source(item, lambda _: _keep(kept, session.builder))
    _keep(kept, session.builder)
    return _judged({name: concat_parts(name, parts) for name, parts in kept.items()} | session.studies())


def open_dataset(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], where: str | None = None) -> Dataset:
    """The dataset of a store, or of files and directories of logs, which are read in memory.

    `where` keeps the runs for which a condition holds, as `Dataset.where` does. Raises
    `wrkparse.store.errors.StoreError` for a path that is not there, or a store among several,
    `wrkparse.dataset.QueryError` for a condition that can't be
    answered.
    """
    places = [os.fspath(one) for one in ([path] if isinstance(path, str | os.PathLike) else path)]
    stores = [place for place in places if is_store(place) or not (is_url(place) or Path(place).exists())]
    if stores and len(places) > 1:
        raise StoreError(f"{stores[0]}: not a file or directory of logs; a store is opened by itself")
    dataset = load(places[0]) if stores else read(*places)
    return dataset if where is None else dataset.where(where)


def parse_text(text: str, source: str = "<text>", labels: Mapping[str, str] | None = None) -> Dataset:
    """Parse a string; `source` names it in the tables."""
    session = Session(labels or {})
    reader = SourceParser(source)
    data = text.encode("utf-8", "replace")
    for item in parse_blocks(reader, [data] if data else []):
        session.add_item(item, None, None)
    digest = new_digest(data).hexdigest()
    session.builder.add_source(source, len(data), digest, reader.lines, reader.lines_claimed, __version__)
    return _judged(session.builder.drain())


def _judged(tables: dict[str, pa.Table]) -> Dataset:
    """The dataset of these tables, with the audit's verdict on each run."""
    if "runs" not in tables:
        return Dataset.of_tables(tables)
    runs = tables["runs"]

    def judge(dataset: Dataset) -> pa.Table:
        from wrkparse.analysis.audit.audit import verdicts

        found = verdicts(dataset)
        judged, order = runs, pc.index_in(runs["run"], found["run"])
        for name in found.column_names[1:]:
            at = runs.schema.get_field_index(name)
            judged = judged.set_column(at, runs.schema.field(at), found[name].take(order))
        return judged

    return Dataset.of_tables(tables, judge)


def ingest(
    paths: Iterable[str],
    store: Path,
    *,
    labels: Mapping[str, str] | None = None,
    everything: bool = False,
    jobs: int | None = 1,
    report: OnDiagnostic | None = None,
    progress: Progress | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Summary:
    """Read what is new or changed below `paths` into a store, in one transaction.

    `everything` reads unchanged files too. `jobs` is how many processes read small files, and threads (four at
    most) a large one; None is as many as pay. Processes begin as Python does, so a script that asks for them needs its
    ``if __name__ == "__main__":``. `report` is told every diagnostic, `progress` the bytes done, the bytes in all and
    the source. Raises `wrkparse.store.errors.StoreError` if the store can't be written; then it is as it was.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    found, problems = find_sources(list(paths))
    states = [item.stamp() for item in found]
    if own := _own(store):
        kept = [not (state and state.identity in own) for state in states]
        found, states = list(compress(found, kept)), list(compress(states, kept))
    for problem in problems:
        session.add_diagnostic(problem, None)
    summary = session.summary
    summary.found, summary.failed = len(found), len(problems)
    if found:
        with open_writer(store, waiting=waiting) as writer:
            writer.delete_sources(problem.source for problem in problems)
            todo = _todo(writer, session, found, states, everything=everything)
            del found, states
            if todo:
                importlib.import_module("pandas")  # Arrow would, amid an array, and an interrupt be lost in it
            _into(writer, session, todo, choose_worker_counts(todo, jobs), progress)
            if todo:
                todo.clear()  # half a kilobyte for each file, which the audit has use for
                store_studies_and_verdicts(writer, session)
    session.update_summary()
    summary.seconds = time.monotonic() - started
    return summary


def _own(store: Path) -> set[tuple[int, int]]:
    """The files that are the store itself. None may be opened: closing it would drop the lock that DuckDB holds."""
    files = (SourceFile("", path, "", True).stamp() for path in (store, store.with_name(f"{store.name}.wal")))
    return {state.identity for state in files if state and state.identity}


def _todo(
    writer: StoreWriter, session: Session, found: list[SourceFile], states: list[FileStamp | None], *, everything: bool
) -> list[PendingFile]:
    """The files that are new or have changed."""
    names = {state.origin: state.source for state in writer.files.values() if state.origin}
    todo: list[PendingFile] = []
    for one, state in zip(found, states, strict=True):
        item = with_stored_name(one, names, writer.files)
        known = writer.files.get(item.source)
        if not everything and state and session.is_unchanged(known, item, state):
            session.summary.unchanged += 1
        else:
            todo.append(PendingFile(item, state, None if everything else session.resume_point(known, item, state)))
    return todo


def _into(
    writer: StoreWriter, session: Session, todo: list[PendingFile], number: WorkerCounts, progress: Progress | None
) -> None:
    fresh = [file.found.source for file in todo if not file.resume]
    session.summary.replaced = sum(source in writer.files for source in fresh)
    writer.delete_sources(fresh)
    total, done = sum(file.size for file in todo), 0
    with worker_pool(number) as helpers:
        for some, read in helpers.read_ahead(todo, session.labels):
            merged = read is not None and _merged(writer, session, some, read)
            for file in some:
                flush = partial(_after_block, writer, session.builder, progress, done, total, file.found.source)
                if file.resume:
                    writer.delete_tail(file.found.source, file.resume.checkpoint.tail)
                if merged:
                    flush(0)
                elif remembered := session.read_source(file.found, flush, file.resume, helpers.block_scanner(file)):
                    writer.record_file(remembered)
                done += file.size
    writer.append(session.builder.drain())


def _merged(writer: StoreWriter, session: Session, files: Sequence[PendingFile], read: WorkerResult) -> bool:
    """Take in what another process made of some files; False if it can't be."""
    if not session.merge(read.session):
        return False
    for found, *_ in files:
        session.study_of(found)  # to tell of mistakes in it
        for diagnostic in read.told.get(found.source, ()):
            session.report(diagnostic, found)
    for state in read.states:
        writer.record_file(state)
    return True


def store_studies_and_verdicts(writer: StoreWriter, session: Session) -> None:
    """Put the studies that were used, and the verdicts on runs that are new, into the store."""
    from wrkparse.analysis.audit.audit import new_verdicts  # brings pandas, which nothing unchanged waits for

    pa.default_memory_pool().release_unused()  # what reading has let go of
    writer.delete_sources(study.source for study in session.studies_used.values())
    writer.append(session.studies())
    with writer.dataset() as dataset:
        verdicts = new_verdicts(dataset)
    writer.set_verdicts(verdicts)


def with_stored_name(found: SourceFile, names: Mapping[str, str], files: Mapping[str, IngestedFile]) -> SourceFile:
    """A source under its name in the store: the one this very file has there, or one that no other file has."""
    if found.origin is not None and found.origin in names:
        stored = names[found.origin]
        return found if stored == found.source else dataclasses.replace(found, source=stored)
    named, depth = found, 0
    while (held := files.get(named.source)) and held.origin and _is_there(held.origin):
        depth += 1
        longer = with_parent_directories(found, depth)
        if longer.source == named.source:
            break
        named = longer
    return named


def _is_there(origin: str) -> bool:
    """Whether a file that was read still exists; one elsewhere is taken to."""
    return is_url(origin) or os.path.lexists(origin)


def _after_block(
    writer: StoreWriter, builder: TableBuilder, progress: Progress | None, done: int, total: int, source: str, read: int
) -> None:
    """Write what has gathered, if it is much, so that memory stays bounded; tell how far we are."""
    if builder.row_count > FLUSH_ROWS:
        writer.append(builder.drain())
    if progress:
        progress(done + read, total, source)


def _keep(kept: dict[str, list[pa.Table]], builder: TableBuilder) -> None:
    if builder.row_count:
        for name, table in builder.drain().items():
            kept.setdefault(name, []).append(table)
