"""One reading: sources, one by one, into a builder, with what is remembered of each and what is told of it."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from wrkparse._version import __version__
from wrkparse.context.labels import path_labels
from wrkparse.context.study import Study
from wrkparse.context.study_file import StudyFinder
from wrkparse.ingest.table_builder import BuiltTables, TableBuilder
from wrkparse.model.records import INCOMPLETE, Diagnostic, Label
from wrkparse.parse.checkpoint import Checkpoint, Tail, freeze, thaw
from wrkparse.parse.event_scan import ScannedBlock
from wrkparse.parse.items import Item
from wrkparse.parse.parser import SourceParser
from wrkparse.source.blocks import DIGEST_NAME, BlockReader, NotTextError, new_digest
from wrkparse.source.discover import FileStamp, SourceFile
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.tools.schema import schema

if TYPE_CHECKING:
    from upath import UPath

_WORTH = 1 << 20  # bytes of a log that it is worth to go on with, rather than to read again
# A file changed within this time before it was read may change again without its time stamp telling.
_SETTLED_NS = 2_000_000_000

OnDiagnostic = Callable[[Diagnostic, SourceFile | None], None]
OnBlock = Callable[[int], None]  # given the bytes of the source that were read so far
ScanBlocks = Callable[
    [Iterable[bytes]], Iterator[tuple[bytes, ScannedBlock | None]]
]  # blocks, with what was seen in each


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

    def add(self, more: Summary) -> None:
        """Add what was done elsewhere."""
        for part in fields(Summary):
            if part.name not in ("found", "unchanged", "replaced", "seconds"):
                setattr(self, part.name, getattr(self, part.name) + getattr(more, part.name))


class SessionResult(NamedTuple):
    """What a session gathered, for another to take in."""

    tables: BuiltTables
    summary: Summary
    studies_used: dict[Path | UPath, Study]


class Session:
    """One reading: the same labels for all, one builder, one report.

    `tell_studies` is false where another session tells the mistakes in studies.
    """

    def __init__(
        self, labels: Mapping[str, str], report: OnDiagnostic | None = None, *, tell_studies: bool = True
    ) -> None:
        self.labels = labels
        self.builder = TableBuilder()
        self.summary = Summary()
        self._given = [Label(key, value, "cli") for key, value in labels.items()]
        self._report = report
        self._provisional = False
        self._studies = StudyFinder()
        self._study_in: dict[str, Study | None] = {}  # by directory
        self._settings: dict[tuple[str, str | None], str] = {}  # by directory and input label
        self._studies_told = 0 if tell_studies else None
        self.studies_used: dict[Path | UPath, Study] = {}

    def resume_point(self, known: IngestedFile | None, found: SourceFile, now: FileStamp | None) -> ResumePoint | None:
        """How to go on with a log that has grown; None for a file that is to be read from its beginning."""
        if known is None or known.resume is None or now is None or known.settings != self.settings(found):
            return None
        checkpoint, text = thaw(known.resume), BlockReader(found)
        if now.size >= known.size and checkpoint and text.after(known.size, known.digest, checkpoint.offset):
            self.summary.grown += 1
            return ResumePoint(text, checkpoint)
        message = "not what it was when it was last read: cut, rotated or written anew; read from its beginning"
        self.add_diagnostic(Diagnostic(found.source, None, "note", "rotated", message), found)
        return None

    def read_source(
        self, found: SourceFile, flush: OnBlock, begun: ResumePoint | None = None, ahead: ScanBlocks | None = None
    ) -> IngestedFile | None:
        """Read one source into the builder; None if it could not be read to its end. `ahead` has others help."""
        reading = SourceReading(self, found, begun)
        try:
            for block, looked in ahead(reading.text) if ahead else zip(reading.text, repeat(None)):
                reading.feed(block, looked)
                flush(reading.text.size)
        except NotTextError:
            self.summary.not_text += 1
            if found.named_by_user:
                self.add_diagnostic(Diagnostic(found.source, None, "note", "not-text", "not text; nothing read"), found)
            return None
        except OSError as problem:
            self.summary.failed += 1
            message = f"can't be read: {problem.strerror or problem}"
            self.add_diagnostic(Diagnostic(found.source, None, "error", "unreadable", message), found)
            return None
        return reading.finish(reading.text.state)

    @contextlib.contextmanager
    def uncounted(self) -> Iterator[None]:
        """While this lasts, what is collected is neither told nor counted: it will come again, reports whole."""
        builder, summary, report = self.builder, self.summary, self._report
        counters = copy.deepcopy((builder.runs, builder.label_keys, builder.events, builder.diagnostics))
        without = summary.without_runs
        self._report, self._provisional = None, True
        yield
        self._report, self._provisional, summary.without_runs = report, False, without
        builder.runs, builder.label_keys, builder.events, builder.diagnostics = counters

    def study_of(self, found: SourceFile) -> Study | None:
        """The study of a source; mistakes in it are told once."""
        where = _directory(found)
        if where not in self._study_in:
            self._study_in[where] = self._studies.study_of(found.path)
        if self._studies_told is not None:
            for problem in self._studies.problems[self._studies_told :]:
                self.add_diagnostic(problem, None)
            self._studies_told = len(self._studies.problems)
        return self._study_in[where]

    def add_item(self, item: Item, study: Study | None, found: SourceFile | None) -> list[Diagnostic]:
        """Collect one item, and report and return what it gives rise to."""
        if self._provisional and isinstance(item, Diagnostic) and item.code == INCOMPLETE:
            return []
        given = self._given
        if found and found.input_label:
            given = [*given, Label("input", found.input_label, "cli")]
        said = self.builder.add(item, study, given)
        for diagnostic in said:
            self.report(diagnostic, found)
        return said

    def report(self, diagnostic: Diagnostic, found: SourceFile | None) -> None:
        """Tell a diagnostic that is collected."""
        if self._report:
            self._report(diagnostic, found)

    def result(self) -> SessionResult:
        """All that was gathered."""
        return SessionResult(self.builder.built(), self.summary, self.studies_used)

    def merge(self, result: SessionResult) -> bool:
        """Take in what another session of the same labels gathered; False, and nothing done, if it can't be."""
        if not self.builder.merge(result.tables):
            return False
        self.summary.add(result.summary)
        self.studies_used |= result.studies_used
        return True

    def add_diagnostic(self, diagnostic: Diagnostic, found: SourceFile | None) -> None:
        """Collect and report a diagnostic of our own."""
        self.add_item(diagnostic, None, found)

    def studies(self) -> dict[str, pa.Table]:
        """The table of the studies that applied to any run; empty without one."""
        rows = [self.studies_used[path].row() for path in sorted(self.studies_used, key=str)]
        if not rows:
            return {}
        wanted = schema("studies")
        return {"studies": pa.table([list(column) for column in zip(*rows, strict=True)], wanted)}

    def update_summary(self) -> None:
        """Put what was collected into the summary."""
        summary, builder = self.summary, self.builder
        summary.runs, summary.events = builder.runs, builder.events
        summary.label_keys, summary.diagnostics = builder.label_keys, builder.diagnostics

    def settings(self, found: SourceFile) -> str:
        """A digest of all but the text that the tables of a source depend on, and of how the text's own is made."""
        where = _directory(found), found.input_label
        if where not in self._settings:
            self._settings[where] = self._digest_of(self._studies.study_of(found.path), found.input_label)
        return self._settings[where]

    def _digest_of(self, study: Study | None, input_label: str | None) -> str:
        parts = [__version__, DIGEST_NAME, study.digest if study else "", input_label or ""]
        parts += [f"{label.key}={label.value}" for label in self._given]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def is_unchanged(self, known: IngestedFile | None, found: SourceFile, now: FileStamp) -> bool:
        """Whether a store's rows of a source are those that reading it again would give."""
        if known is None or known.settings != self.settings(found) or known.size != now.size:
            return False
        same_time = now.mtime_ns is not None and known.mtime_ns == now.mtime_ns
        return same_time or known.digest == _digest(found)


class ResumePoint(NamedTuple):
    """A log that was read before: the rest of its text, and what was known at the end of the beginning."""

    text: BlockReader
    checkpoint: Checkpoint


class SourceReading:
    """One source on its way into a session's builder: `feed` it blocks, then `finish`."""

    def __init__(self, session: Session, found: SourceFile, begun: ResumePoint | None = None) -> None:
        self._session, self._found = session, found
        self._study = session.study_of(found)
        self._runs = session.builder.runs.total()
        self.text = begun.text if begun else BlockReader(found)
        self.reader = begun.checkpoint.reader if begun else SourceParser(found.source, path_labels(found.source))
        self._before = self.text.size, self.reader.lines, self.reader.lines_claimed
        self._unfinished = b""

    def feed(self, block: bytes, looked: ScannedBlock | None = None) -> None:
        """Take in a block of whole lines; one that does not end with a line's end is the text's last.

        `looked` is what was seen in it, if it was looked at.
        """
        if not block.endswith(b"\n"):
            start = block.rfind(b"\n") + 1
            block, self._unfinished = block[:start], block[start:]
        for item in self.reader.feed(block, looked) if block else ():
            self._session.add_item(item, self._study, self._found)

    def finish(self, now: FileStamp | None = None) -> IngestedFile:
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
        return IngestedFile(found.source, found.origin, text.size, mtime, text.digest, session.settings(found), resume)

    def end(self, tail: Tail) -> None:
        """Take in what the text's end gives: an unfinished line, open runs, notes."""
        rest = parse_blocks(self.reader, [self._unfinished] if self._unfinished else [])
        for item in chain(rest, self.text.notes):
            tail.add(item, self._session.add_item(item, self._study, self._found))
        builder, text, found = self._session.builder, self.text, self._found
        if builder.runs.total() > self._runs:
            if self._study:
                self._session.studies_used[self._study.path] = self._study
        else:
            self._session.summary.without_runs += 1
            if found.named_by_user:
                message = "no output of a known tool in it" if text.size else "an empty file"
                none = Diagnostic(found.source, None, "note", "no-runs", message)
                tail.add(none, self._session.add_item(none, self._study, found))
        reader = self.reader
        builder.add_source(found.source, text.size, text.digest, reader.lines, reader.lines_claimed, __version__)


def _directory(found: SourceFile) -> str:
    return os.path.dirname(found.origin or "")  # noqa: PTH120 (a Path takes ten times as long)


def _digest(found: SourceFile) -> str | None:
    if found.path is None:
        return None
    digest = new_digest()
    try:
        with found.path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def parse_blocks(reader: SourceParser, blocks: Iterable[bytes]) -> Iterator[Item]:
    """All that a reader makes of a text."""
    for block in blocks:
        yield from reader.feed(block)
    yield from reader.finish()
