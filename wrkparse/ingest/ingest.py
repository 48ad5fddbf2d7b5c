"""Reads paths into tables: in memory (`read`, `parse_text`) or in a store (`ingest`)."""

from __future__ import annotations

import dataclasses
import importlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import compress, repeat
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse._version import __version__
from wrkparse.context.slots.places import FRAMEWORK
from wrkparse.dataset import Dataset
from wrkparse.ingest.following.renamed import note_copies, note_renamed, renamed_files
from wrkparse.ingest.held_rows import drop_runs
from wrkparse.ingest.labels.index_labels import store_index_labels, with_index
from wrkparse.ingest.labels.structure_labels import (
    INDEXED_ROWS,
    NAMING_ROWS,
    RULED_RUNS,
    STORED_ROWS,
    frameworks_without_structure,
    structure_rows,
)
from wrkparse.ingest.labels.unused_rules import USED_RULES, unused_rules
from wrkparse.ingest.parallel.workers import PendingFile, WorkerCounts, WorkerResult, choose_worker_counts, worker_pool
from wrkparse.ingest.read_logs import dataset_of_logs
from wrkparse.ingest.session import OnDiagnostic, Session
from wrkparse.ingest.source_reading import parse_blocks
from wrkparse.ingest.summary import IngestSummary
from wrkparse.model.records import Diagnostic
from wrkparse.parse.parser import SourceParser
from wrkparse.source.blocks import new_digest, read_ahead
from wrkparse.source.discover import (
    SEARCH_CODES,
    FileStamp,
    SourceFile,
    find_sources,
    utf8_name,
    with_parent_directories,
)
from wrkparse.source.remote import is_url
from wrkparse.store.duckdb_file import real_path
from wrkparse.store.kept import TakenStore, delete_taken, kept_beside, take_in_kept_stores
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import StoreWriter, open_writer
from wrkparse.tools.schema import concat_parts

_FEW_ROWS = 20_000  # of a store that is copied for the audit, whose queries of a store take longer than the copy
FLUSH_ROWS = 122_880  # rows that are collected before they become Arrow tables: the size of DuckDB's row groups

Progress = Callable[[int, int, str], None]


def read(
    *paths: str | os.PathLike[str], labels: Mapping[str, str] | None = None, progress: Progress | None = None
) -> Dataset:
    """Parse files, directories or ``label=path`` in memory.

    Every run gets `labels`, which take precedence over labels from the text. ``ds.diagnostics`` lists missing paths and
    everything that can't be read. `progress` gets the bytes done, all bytes and the source. Raises ValueError without a
    path.
    """
    if not paths:
        raise ValueError("read() needs at least one path")
    found, problems = find_sources([os.fspath(path) for path in paths])
    session = Session(labels or {})
    tables: dict[str, list[pa.Table]] = {}
    session.note_found(len(found), problems)
    sizes = [stamp.size if progress and (stamp := item.stamp()) else 0 for item in found]
    done = 0
    for item, size, blocks in zip(found, sizes, read_ahead(found), strict=True):

        def after_block(read: int, done: int = done, source: str = item.source) -> None:
            _drain_read_into(tables, session, FLUSH_ROWS)
            if progress:
                progress(done + read, sum(sizes), source)

        session.read_source(item, after_block, blocks=blocks)
        done += size
    _drain_read_into(tables, session, 0)
    if session.studies_used:
        _note_unused_rules(session, Dataset.of_tables(_joined(tables)))
        _drain_read_into(tables, session, 0)
    # the events of a run may be in an earlier part than the fault that lost it
    whole = drop_runs(_joined(tables), session.lost_runs)
    return dataset_of_logs(with_index(whole, session, found) | session.studies(), found)


def _note_unused_rules(session: Session, dataset: Dataset) -> None:
    for problem in unused_rules(session.studies_used.values(), dataset.sql_arrow(USED_RULES)):
        session.add_diagnostic(problem, None)


def _joined(parts: Mapping[str, list[pa.Table]]) -> dict[str, pa.Table]:
    return {name: concat_parts(name, some) for name, some in parts.items()}


def parse_text(text: str, source: str = "<text>", labels: Mapping[str, str] | None = None) -> Dataset:
    """Parse a string; `source` is its name in the tables."""
    session = Session(labels or {})
    parser = SourceParser(source)
    data = text.encode("utf-8", "replace")
    for item in parse_blocks(parser, [data] if data else []):
        session.add_item(item, None, None)
    digest = new_digest(data).hexdigest()
    session.builder.add_source(source, len(data), digest, parser.lines, parser.lines_claimed, __version__)
    return dataset_of_logs(session.drain())


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
) -> IngestSummary:
    """Read new and changed files below `paths` into a store, in one transaction.

    `everything` reads unchanged files too. `jobs` is the number of processes that read small files, and of threads (at
    most four) that read a large one; None uses as many as save time. Worker processes import the main module, so a
    script that uses them needs ``if __name__ == "__main__":``. `report` gets every diagnostic, `progress` the bytes
    done, all bytes and the source. Raises `wrkparse.store.errors.StoreError` if the store can't be written; the store
    is then unchanged.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    paths = list(paths)
    found, problems = find_sources(paths)
    stamps = [file.stamp() for file in found]
    # a store may be below the folder of the logs: opening it as a log would drop the lock
    if own := _store_identities(real_path(store)):
        is_other_file = [not (stamp and stamp.identity in own) for stamp in stamps]
        found, stamps = list(compress(found, is_other_file)), list(compress(stamps, is_other_file))
    session.note_found(len(found), problems)
    summary = session.summary
    if found:
        with open_writer(store, waiting=waiting) as writer:
            # First: kept rows have records of files, too, which say below what is unchanged.
            taken = take_in_kept(writer, session, real_path(store))
            _delete_problems(writer, paths, problems)
            pending = _pending_files(writer, session, found, stamps, everything=everything)
            del found, stamps
            replaced = _replaced_sources(writer, session, pending, everything=everything)
            if pending or taken:
                # Otherwise Arrow imports it while it converts an array, and an interrupt is lost there.
                importlib.import_module("pandas")
            # in one call: each may scan all tables
            writer.delete_sources(replaced)
            _read_into(writer, session, pending, choose_worker_counts(pending, jobs), progress)
            if pending or taken:
                pending.clear()  # half a kilobyte of memory for each file, before the audit
                # In this order: labels from structure depend on those of an index.
                store_index_labels(writer, session)
                store_conclusions(writer, session)
        delete_taken(taken)
    session.update_summary()
    summary.seconds = time.monotonic() - started
    return summary


def _delete_problems(writer: StoreWriter, paths: Iterable[str], problems: Sequence[Diagnostic]) -> None:
    """Delete the diagnostics of earlier searches on these paths, and on what this search finds to be a problem again.

    Runs that were read from a file stay when it is gone.
    """
    gone = {problem.source for problem in problems}
    with_runs = writer.sources_with_runs(gone) if gone else set()
    writer.delete_sources(gone - with_runs)
    writer.delete_diagnostics_of([*with_runs, *map(utf8_name, paths)], SEARCH_CODES)


def take_in_kept(writer: StoreWriter, session: Session, store: Path) -> list[TakenStore]:
    """Take in the rows that ended processes kept beside the store while it was in use, and say so.

    `wrkparse.store.kept.delete_taken` follows when the writer has committed them.
    """
    taken = take_in_kept_stores(writer, store)
    for kept in (kept for kept in taken if kept.rows):
        if kept.replaced:
            session.add_diagnostic(replaced_input(kept.source), None)
        message = (
            f"{kept.rows:,} rows that were kept in {kept.path.name} while the store was in use are in the store now"
        )
        session.add_diagnostic(Diagnostic(kept.source, None, "note", "taken-in", message), None)
    return taken


def _store_identities(store: Path) -> set[tuple[int, int]]:
    """The identities of the store's own files. Opening and closing one would drop DuckDB's lock on it."""
    if not store.name:  # the root directory, which `open_writer` refuses
        return set()
    own = (store, store.with_name(f"{store.name}.wal"), *kept_beside(store))
    stamps = (SourceFile("", path, "", True).stamp() for path in own)
    return {stamp.identity for stamp in stamps if stamp and stamp.identity}


def _pending_files(
    writer: StoreWriter, session: Session, found: list[SourceFile], stamps: list[FileStamp | None], *, everything: bool
) -> list[PendingFile]:
    """The files that are new or changed."""
    # A file keeps the name that it got first, even if files of the same name are read now.
    names = {file.origin: file.source for file in writer.files.values() if file.origin}
    pending: list[PendingFile] = []
    for source, stamp in zip(found, stamps, strict=True):
        file = with_stored_name(source, names, writer.files)
        known = writer.files.get(file.source)
        if not everything and stamp and session.is_unchanged(known, file, stamp):
            session.summary.unchanged += 1
        else:
            pending.append(PendingFile(file, stamp, None if everything else session.resume_point(known, file, stamp)))
    return pending


def _replaced_sources(
    writer: StoreWriter, session: Session, pending: list[PendingFile], *, everything: bool
) -> list[str]:
    """The stored sources that the pending files replace: those with the same name, and those that were renamed."""
    renamed = renamed_files(pending, writer)
    before = {source for sources in renamed.values() for source in sources}
    fresh = [file.source_file for file in pending if not file.resume]
    for file in fresh:
        if file.source in renamed:
            note_renamed(file, renamed[file.source], session)
        elif file.source in writer.files and file.source not in before:
            session.summary.replaced += 1
            if file.path is None:
                session.add_diagnostic(replaced_input(file.source), file)
            elif not everything:
                session.note_rotated(writer.files[file.source], file)
    session.summary.renamed = len(renamed)
    return list(before.union(file.source for file in fresh))


def replaced_input(source: str) -> Diagnostic:
    """The note that standard input replaces the earlier runs from standard input."""
    message = "replaces the earlier runs from standard input; to keep both, name each: wrkparse ingest run2=-"
    return Diagnostic(source, None, "note", "replaced", message)


def _read_into(
    writer: StoreWriter, session: Session, pending: list[PendingFile], number: WorkerCounts, progress: Progress | None
) -> None:
    total, done = sum(file.size for file in pending), 0
    with worker_pool(number) as pool:
        for batch, result in pool.read_ahead(pending, session.labels):
            merged = result is not None and _merge(writer, session, batch, result)
            # a batch is small files, or one other file
            is_ahead = batch[0].small and not merged
            readers = read_ahead(file.source_file for file in batch) if is_ahead else repeat(None)
            for file, blocks in zip(batch, readers, strict=False):
                flush = partial(_after_block, writer, session, progress, done, total, file.source_file.source)
                if file.resume:
                    writer.delete_tail(file.source_file.source, file.resume.checkpoint.tail)
                if merged:
                    flush(0)
                elif ingested := session.read_source(
                    file.source_file, flush, file.resume, pool.block_scanner(file), blocks
                ):
                    writer.record_file(ingested)
                else:
                    writer.forget_file(file.source_file.source)
                done += file.size
    writer.append(session.drain())
    forget_faulty(writer, session)
    note_copies(pending, writer, session)
    writer.append(session.drain())


def _merge(writer: StoreWriter, session: Session, files: Sequence[PendingFile], result: WorkerResult) -> bool:
    """Add the result of a batch. Returns False if that is not possible, and the files have to be read here."""
    if not session.merge(result.session):
        return False
    for file, *_ in files:
        session.study_of(file)  # reports mistakes in the study file
        for diagnostic in result.diagnostics.get(file.source, ()):
            session.report(diagnostic, file)
    for ingested in result.files:
        writer.record_file(ingested)
    return True


def forget_faulty(writer: StoreWriter, session: Session) -> None:
    """Make the next ingest read sources again from their beginning if some of their runs could not be stored."""
    writer.delete_events(session.lost_runs)
    for source in session.faulty:
        writer.forget_file(source)


def store_studies(writer: StoreWriter, session: Session) -> None:
    """Write the studies that apply."""
    writer.delete_sources(study.source for study in session.studies_used.values())
    writer.append(session.studies())


def store_conclusions(writer: StoreWriter, session: Session) -> None:
    """Write the studies that apply, the labels from structure, and the verdicts of new runs into the store."""
    from wrkparse.analysis.audit.audit import (
        new_verdicts,  # imports pandas, which an ingest of unchanged files does not need
    )

    pa.default_memory_pool().release_unused()  # memory that reading has freed
    store_studies(writer, session)
    if session.studies_used:
        with writer.dataset() as dataset:
            _note_unused_rules(session, dataset)
    writer.append(session.drain())
    with writer.dataset() as dataset:
        runs, stored = dataset.arrow("runs"), dataset.sql_arrow(STORED_ROWS)
        naming = dataset.sql_arrow(NAMING_ROWS)
        ruled, indexed = (dataset.sql_arrow(query) for query in (RULED_RUNS, INDEXED_ROWS))
        rows = structure_rows(runs, ruled["run"], naming, stored, indexed)
    named = frameworks_without_structure(naming)
    writer.set_structure(rows, stored, named)
    # New runs have no verdict yet: the summary counts the labels of these only.
    fresh = runs.filter(pc.is_null(runs["verdict"]))["run"]
    overruling = pc.and_(pc.equal(rows["key"], FRAMEWORK), pc.is_in(rows["run"], named["run"].combine_chunks()))
    counted = pc.and_(pc.is_in(rows["run"], fresh.combine_chunks()), pc.invert(overruling))
    session.builder.label_counts.update(rows.filter(counted)["key"].to_pylist())
    with writer.dataset() as dataset:
        verdicts = new_verdicts(dataset.in_memory(_FEW_ROWS))
    writer.set_verdicts(verdicts)


def with_stored_name(found: SourceFile, names: Mapping[str, str], files: Mapping[str, IngestedFile]) -> SourceFile:
    """A source with the name of its file in the store, or with a name that no other existing file has there."""
    if found.origin is not None and found.origin in names:
        stored = names[found.origin]
        return found if stored == found.source else dataclasses.replace(found, source=stored)
    named, depth = found, 0
    while (namesake := files.get(named.source)) and namesake.origin and _exists(namesake.origin):
        depth += 1
        # `kiwi/1.log`, `run-2/kiwi/1.log` …, until no other existing file has the name, or there are no more folders.
        renamed = with_parent_directories(found, depth)
        if renamed.source == named.source:
            break
        named = renamed
    return named


def _exists(origin: str) -> bool:
    """Whether a file that was read still exists. Remote files are assumed to exist."""
    return is_url(origin) or os.path.lexists(origin)


def _after_block(
    writer: StoreWriter, session: Session, progress: Progress | None, done: int, total: int, source: str, read: int
) -> None:
    """Write rows if many are held, so that memory stays bounded; report progress."""
    if session.builder.row_count > FLUSH_ROWS:
        writer.append(session.drain())
    if progress:
        progress(done + read, total, source)


def _drain_read_into(tables: dict[str, list[pa.Table]], session: Session, most: int) -> None:
    """Move the session's rows to the tables if it holds more than this many."""
    if session.builder.row_count > most:
        for name, table in session.drain().items():
            tables.setdefault(name, []).append(table)
