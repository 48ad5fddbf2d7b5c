"""Paths → tables: in memory (`read`, `parse_text`) or into a store (`ingest`)."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse import __version__
from wrkparse.analysis.audit import audit, new_verdicts, verdict_columns
from wrkparse.collect import Collector
from wrkparse.dataset import Dataset
from wrkparse.labels import of_path
from wrkparse.lake import FileState
from wrkparse.reader import SourceReader
from wrkparse.records import Diagnostic, Label
from wrkparse.remote import is_url
from wrkparse.resume import Checkpoint, Tail, freeze, thaw
from wrkparse.runs import Item
from wrkparse.source import Found, NotTextError, State, Text, find, with_parents
from wrkparse.store import StoreError, Writer, is_store, load, writing
from wrkparse.study import Studies, Study
from wrkparse.tables import run_schema, schema

if TYPE_CHECKING:
    from upath import UPath

FLUSH = 122_880  # rows held before they are written
_WORTH = 1 << 20  # bytes of a log that it is worth to go on with, rather than to read again
# A file changed within this time before it was read may change again without its time stamp telling.
_SETTLED_NS = 2_000_000_000

Report = Callable[[Diagnostic, Found | None], None]
Progress = Callable[[int, int, str], None]
AfterBlock = Callable[[int], None]  # given the bytes of the source that were read so far


def read(*paths: str | os.PathLike[str], labels: Mapping[str, str] | None = None) -> Dataset:
    """Parse files, directories or ``label=path`` in memory.

    `labels` are given to every run and are stronger than what the text says. What can't be read is in
    ``ds.diagnostics``, missing paths too. Raises ValueError without a path.
    """
    if not paths:
        raise ValueError("read() needs at least one path")
    found, problems = find([os.fspath(path) for path in paths])
    session = Session(labels or {})
    kept: dict[str, list[pa.Table]] = {}
    for problem in problems:
        session.say(problem, None)
    for item in found:
        session.read(item, lambda _: _keep(kept, session.collector))
    _keep(kept, session.collector)
    return _judged({name: _joined(name, parts) for name, parts in kept.items()} | session.studies())


def open_dataset(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], where: str | None = None) -> Dataset:
    """The dataset of a store, or of files and directories of logs, which are read in memory.

    `where` keeps the runs for which a condition holds, as `Dataset.where` does. Raises `wrkparse.store.StoreError` for
    a path that is not there, or a store among several, `wrkparse.dataset.QueryError` for a condition that can't be
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
    reader = SourceReader(source)
    data = text.encode("utf-8", "replace")
    for item in _items(reader, [data] if data else []):
        session.take(item, None, None)
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    session.collector.source(source, len(data), digest, reader.lines, reader.lines_claimed, __version__)
    return _judged(session.collector.drain())


def _judged(tables: dict[str, pa.Table]) -> Dataset:
    """The dataset of these tables, with the audit's verdict on each run."""
    if "runs" in tables:
        runs = tables["runs"]
        verdicts = verdict_columns(audit(Dataset.of_tables(tables)))
        order = pc.index_in(runs["run"], verdicts["run"])
        for name in verdicts.column_names[1:]:
            at = runs.schema.get_field_index(name)
            runs = runs.set_column(at, runs.schema.field(at), verdicts[name].take(order))
        tables = tables | {"runs": runs}
    return Dataset.of_tables(tables)


@dataclass(slots=True)
class Summary:
    """What an ingest did, in numbers."""

    found: int = 0
    read: int = 0
    unchanged: int = 0
    replaced: int = 0
    grown: int = 0
    not_text: int = 0
    failed: int = 0
    without_runs: int = 0
    bytes_read: int = 0
    lines: int = 0
    lines_claimed: int = 0
    seconds: float = 0.0
    runs: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    label_keys: Counter[str] = field(default_factory=Counter)
    diagnostics: Counter[tuple[str, str]] = field(default_factory=Counter)


def ingest(
    paths: Iterable[str],
    store: Path,
    *,
    labels: Mapping[str, str] | None = None,
    everything: bool = False,
    report: Report | None = None,
    progress: Progress | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Summary:
    """Read what is new or changed below `paths` into a store, in one transaction.

    `everything` reads unchanged files too. `report` is told every diagnostic, `progress` the bytes done, the bytes in
    all and the source. Raises `wrkparse.store.StoreError` if the store can't be written; then it is as it was.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    found, problems = find(list(paths))
    if own := _own(store):
        found = [item for item in found if _identity(item.path) not in own]
    for problem in problems:
        session.say(problem, None)
    summary = session.summary
    summary.found, summary.failed = len(found), len(problems)
    if found:
        with writing(store, waiting=waiting) as writer:
            writer.forget(problem.source for problem in problems)
            _into(writer, session, found, everything=everything, progress=progress)
    session.tally()
    summary.seconds = time.monotonic() - started
    return summary


def _own(store: Path) -> set[tuple[int, int]]:
    """The files that are the store itself. None may be opened: closing it would drop the lock that DuckDB holds."""
    return {known for name in (store, store.with_name(f"{store.name}.wal")) if (known := _identity(name))}


def _identity(path: Path | UPath | None) -> tuple[int, int] | None:
    """The device and the number of a file of this machine."""
    if not isinstance(path, Path):
        return None
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _into(writer: Writer, session: Session, found: list[Found], *, everything: bool, progress: Progress | None) -> None:
    names = {state.origin: state.source for state in writer.files.values() if state.origin}
    todo: list[tuple[Found, State | None, Begun | None]] = []
    for item in [as_stored(item, names, writer.files) for item in found]:
        state, known = item.state(), writer.files.get(item.source)
        if not everything and state and session.unchanged(known, item, state):
            session.summary.unchanged += 1
        else:
            todo.append((item, state, None if everything else session.begun(known, item, state)))
    total = sum(state.size for _, state, _ in todo if state)
    session.summary.replaced = sum(item.source in writer.files and not begun for item, _, begun in todo)
    writer.forget(item.source for item, _, begun in todo if not begun)
    done = 0
    for item, state, begun in todo:
        if begun:
            writer.retract(item.source, begun.checkpoint.tail)
        flush = partial(_after_block, writer, session.collector, progress, done, total, item.source)
        if remembered := session.read(item, flush, begun):
            writer.remember(remembered)
        done += state.size if state else 0
    writer.append(session.collector.drain())
    if todo:
        settle(writer, session)


def settle(writer: Writer, session: Session) -> None:
    """Put the studies that were used, and the verdicts on runs that are new, into the store."""
    writer.forget(study.source for study in session.studies_used.values())
    writer.append(session.studies())
    writer.judge(new_verdicts(writer.dataset()))


def as_stored(found: Found, names: Mapping[str, str], files: Mapping[str, FileState]) -> Found:
    """A source under its name in the store: the one this very file has there, or one that no other file has."""
    if found.origin is not None and found.origin in names:
        stored = names[found.origin]
        return found if stored == found.source else dataclasses.replace(found, source=stored)
    named, depth = found, 0
    while (held := files.get(named.source)) and held.origin and _is_there(held.origin):
        depth += 1
        longer = with_parents(found, depth)
        if longer.source == named.source:
            break
        named = longer
    return named


def _is_there(origin: str) -> bool:
    """Whether a file that was read still exists; one elsewhere is taken to."""
    return is_url(origin) or os.path.lexists(origin)


def _after_block(
    writer: Writer, collector: Collector, progress: Progress | None, done: int, total: int, source: str, read: int
) -> None:
    """Write what has gathered, if it is much, so that memory stays bounded; tell how far we are."""
    if collector.weight > FLUSH:
        writer.append(collector.drain())
    if progress:
        progress(done + read, total, source)


class Session:
    """One reading: the same labels for all, one collector, one report."""

    def __init__(self, labels: Mapping[str, str], report: Report | None = None) -> None:
        self.collector = Collector()
        self.summary = Summary()
        self._given = [Label(key, value, "cli") for key, value in labels.items()]
        self._report = report
        self._studies = Studies()
        self._settings: dict[tuple[str, str | None], str] = {}  # by directory and input label
        self._studies_told = 0
        self.studies_used: dict[Path | UPath, Study] = {}

    def begun(self, known: FileState | None, found: Found, now: State | None) -> Begun | None:
        """How to go on with a log that has grown; None for a file that is to be read from its beginning."""
        if known is None or known.resume is None or now is None or known.settings != self.settings(found):
            return None
        checkpoint, text = thaw(known.resume), Text(found)
        if now.size >= known.size and checkpoint and text.after(known.size, known.digest, checkpoint.offset):
            self.summary.grown += 1
            return Begun(text, checkpoint)
        message = "not what it was when it was last read: cut, rotated or written anew; read from its beginning"
        self.say(Diagnostic(found.source, None, "note", "rotated", message), found)
        return None

    def read(self, found: Found, flush: AfterBlock, begun: Begun | None = None) -> FileState | None:
        """Read one source into the collector; None if it could not be read to its end."""
        reading = Reading(self, found, begun)
        now = found.state()
        try:
            for block in reading.text:
                reading.feed(block)
                flush(reading.text.size)
        except NotTextError:
            self.summary.not_text += 1
            if found.asked_for:
                self.say(Diagnostic(found.source, None, "note", "not-text", "not text; nothing read"), found)
            return None
        except OSError as problem:
            self.summary.failed += 1
            message = f"can't be read: {problem.strerror or problem}"
            self.say(Diagnostic(found.source, None, "error", "unreadable", message), found)
            return None
        return reading.finish(now)

    @contextlib.contextmanager
    def provisional(self) -> Iterator[None]:
        """While this lasts, what is collected is neither told nor counted: it will come again."""
        collector, summary, report = self.collector, self.summary, self._report
        counters = copy.deepcopy((collector.runs, collector.label_keys, collector.events, collector.diagnostics))
        without = summary.without_runs
        self._report = None
        yield
        self._report, summary.without_runs = report, without
        collector.runs, collector.label_keys, collector.events, collector.diagnostics = counters

    def study_of(self, found: Found) -> Study | None:
        """The study of a source; mistakes in it are told once."""
        study = self._studies.of(found.path)
        for problem in self._studies.problems[self._studies_told :]:
            self.say(problem, None)
        self._studies_told = len(self._studies.problems)
        return study

    def take(self, item: Item, study: Study | None, found: Found | None) -> list[Diagnostic]:
        """Collect one item, and report and return what it gives rise to."""
        given = self._given
        if found and found.input_label:
            given = [*given, Label("input", found.input_label, "cli")]
        said = self.collector.add(item, study, given)
        for diagnostic in said:
            if self._report:
                self._report(diagnostic, found)
        return said

    def say(self, diagnostic: Diagnostic, found: Found | None) -> None:
        """Collect and report a diagnostic of our own."""
        self.take(diagnostic, None, found)

    def studies(self) -> dict[str, pa.Table]:
        """The table of the studies that applied to any run; empty without one."""
        rows = [self.studies_used[path].row() for path in sorted(self.studies_used, key=str)]
        if not rows:
            return {}
        wanted = schema("studies")
        return {"studies": pa.table([list(column) for column in zip(*rows, strict=True)], wanted)}

    def tally(self) -> None:
        """Put what was collected into the summary."""
        summary, collector = self.summary, self.collector
        summary.runs, summary.events = collector.runs, collector.events
        summary.label_keys, summary.diagnostics = collector.label_keys, collector.diagnostics

    def settings(self, found: Found) -> str:
        """A digest of all but the text that the tables of a source depend on."""
        where = os.path.dirname(found.origin or ""), found.input_label  # noqa: PTH120 (a Path takes ten times as long)
        if where not in self._settings:
            self._settings[where] = self._digest_of(self._studies.of(found.path), found.input_label)
        return self._settings[where]

    def _digest_of(self, study: Study | None, input_label: str | None) -> str:
        parts = [__version__, study.digest if study else "", input_label or ""]
        parts += [f"{label.key}={label.value}" for label in self._given]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def unchanged(self, known: FileState | None, found: Found, now: State) -> bool:
        """Whether a store's rows of a source are those that reading it again would give."""
        if known is None or known.settings != self.settings(found) or known.size != now.size:
            return False
        same_time = now.mtime_ns is not None and known.mtime_ns == now.mtime_ns
        return same_time or known.digest == _digest(found)


class Begun(NamedTuple):
    """A log that was read before: the rest of its text, and what was known at the end of the beginning."""

    text: Text
    checkpoint: Checkpoint


class Reading:
    """One source on its way into a session's collector: `feed` it blocks, then `finish`."""

    def __init__(self, session: Session, found: Found, begun: Begun | None = None) -> None:
        self._session, self._found = session, found
        self._study = session.study_of(found)
        self._runs = session.collector.runs.total()
        self.text = begun.text if begun else Text(found)
        self.reader = begun.checkpoint.reader if begun else SourceReader(found.source, of_path(found.source))
        self._before = self.text.size, self.reader.lines, self.reader.lines_claimed
        self._unfinished = b""

    def feed(self, block: bytes) -> None:
        """Take in a block of whole lines; one that does not end with a line's end is the text's last."""
        if not block.endswith(b"\n"):
            start = block.rfind(b"\n") + 1
            block, self._unfinished = block[:start], block[start:]
        for item in self.reader.feed(block) if block else ():
            self._session.take(item, self._study, self._found)

    def finish(self, now: State | None = None) -> FileState:
        """Take in the end; returns what is to be remembered of the file."""
        text, session, found = self.text, self._session, self._found
        frozen, tail = None, Tail()
        if text.plain and text.size >= _WORTH:
            frozen = freeze(Checkpoint(self.reader, text.size - len(self._unfinished)))
        self.end(tail)
        resume = None
        if frozen and (checkpoint := thaw(frozen)):
            checkpoint.tail = tail
            resume = freeze(checkpoint)
        size, lines, claimed = self._before
        session.summary.read += 1
        session.summary.bytes_read += text.size - size
        session.summary.lines += self.reader.lines - lines
        session.summary.lines_claimed += self.reader.lines_claimed - claimed
        mtime = now.mtime_ns if now else None
        if mtime is not None and time.time_ns() - mtime <= _SETTLED_NS:
            mtime = None
        return FileState(found.source, found.origin, text.size, mtime, text.digest, session.settings(found), resume)

    def end(self, tail: Tail) -> None:
        """Take in what the text's end gives: an unfinished line, open runs, notes."""
        rest = _items(self.reader, [self._unfinished] if self._unfinished else [])
        for item in chain(rest, self.text.notes):
            tail.add(item, self._session.take(item, self._study, self._found))
        collector, text, found = self._session.collector, self.text, self._found
        if collector.runs.total() > self._runs:
            if self._study:
                self._session.studies_used[self._study.path] = self._study
        else:
            self._session.summary.without_runs += 1
            if found.asked_for:
                message = "no output of a known tool in it" if text.size else "an empty file"
                none = Diagnostic(found.source, None, "note", "no-runs", message)
                tail.add(none, self._session.take(none, self._study, found))
        reader = self.reader
        collector.source(found.source, text.size, text.digest, reader.lines, reader.lines_claimed, __version__)


def _digest(found: Found) -> str | None:
    if found.path is None:
        return None
    digest = hashlib.blake2b(digest_size=16)
    try:
        with found.path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def _items(reader: SourceReader, blocks: Iterable[bytes]) -> Iterator[Item]:
    for block in blocks:
        yield from reader.feed(block)
    yield from reader.finish()


def _keep(kept: dict[str, list[pa.Table]], collector: Collector) -> None:
    if collector.weight:
        for name, table in collector.drain().items():
            kept.setdefault(name, []).append(table)


def _joined(name: str, parts: list[pa.Table]) -> pa.Table:
    if name != "runs":
        return pa.concat_tables(parts)
    keys = {key for part in parts for key in part.column_names} - set(schema("runs").names)
    wanted = run_schema(keys)
    return pa.concat_tables(parts, promote_options="default").select(wanted.names).cast(wanted)
