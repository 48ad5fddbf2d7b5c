"""Reads sources one by one into tables, with their labels, diagnostics and counts."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from wrkparse._version import __version__
from wrkparse.context.study import Study
from wrkparse.context.study_file import StudyFinder
from wrkparse.ingest.faults import storing_fault
from wrkparse.ingest.held_rows import Fault, drop_runs, join_parts
from wrkparse.ingest.source_reading import ResumePoint, ScanBlocks, SourceReading
from wrkparse.ingest.summary import IngestSummary
from wrkparse.ingest.table_builder import BuiltTables, TableBuilder
from wrkparse.model.records import INCOMPLETE, Diagnostic, Label
from wrkparse.parse.checkpoint import thaw
from wrkparse.parse.items import Item
from wrkparse.source.blocks import DIGEST_NAME, BlockReader, NotTextError, new_digest
from wrkparse.source.discover import FileStamp, SourceFile
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.tools import plugins
from wrkparse.tools.schema import schema

if TYPE_CHECKING:
    from upath import UPath

_MOST_INDEX_BYTES = 16 << 20  # bytes of files without a run that may be an index

OnDiagnostic = Callable[[Diagnostic, SourceFile | None], None]
OnBlock = Callable[[int], None]  # gets the bytes of the source that were read so far


class SessionResult(NamedTuple):
    """Everything that a session has built, for another session to merge."""

    tables: BuiltTables
    summary: IngestSummary
    studies_used: dict[Path | UPath, Study]
    index_texts: dict[str, bytes]


class Session:
    """One ingest: reads sources, with the same user labels for all, into one builder.

    `report` gets each diagnostic with its file, if any. If `report_studies` is false, mistakes in study files are not
    reported, because another session does that.
    """

    def __init__(
        self, labels: Mapping[str, str], report: OnDiagnostic | None = None, *, report_studies: bool = True
    ) -> None:
        self.labels = labels
        self.builder = TableBuilder()
        self.summary = IngestSummary()
        self._given = [Label(key, value, "cli", rule="given") for key, value in labels.items()]
        self._report = report
        self._uncounted = False
        self._studies = StudyFinder()
        self._study_in: dict[str, Study | None] = {}  # by directory
        self._settings: dict[tuple[str, str | None], str] = {}  # by directory and input label
        self._studies_reported = 0 if report_studies else None
        self.studies_used: dict[Path | UPath, Study] = {}
        self.index_texts: dict[str, bytes] = {}  # of files without a run that may be an index, by source
        self._index_bytes = 0
        self.faulty: set[str] = set()  # sources of which runs could not be stored as they were read
        self.lost_runs: set[str] = set()

    def resume_point(self, known: IngestedFile | None, file: SourceFile, now: FileStamp | None) -> ResumePoint | None:
        """The point at which to resume a log that has grown; None for a file that has to be read from its beginning."""
        if known is None or known.resume is None or now is None or known.settings != self.settings(file):
            return None  # with other settings, the rows that are stored would have other labels
        checkpoint, blocks = thaw(known.resume), BlockReader(file)
        # cheapest test first: `resume_after` reads the known part of the file again for its digest
        if now.size >= known.size and checkpoint and blocks.resume_after(known.size, known.digest, checkpoint.offset):
            self.summary.grown += 1
            return ResumePoint(blocks, checkpoint)
        return None

    def note_rotated(self, known: IngestedFile | None, file: SourceFile) -> None:
        """Note that a log that might have been resumed now contains another text."""
        if known and known.resume is not None and known.settings == self.settings(file):
            message = "changed since it was last read (cut, rotated or rewritten); read from its beginning"
            self.add_diagnostic(Diagnostic(file.source, None, "note", "rotated", message), file)

    def read_source(
        self,
        file: SourceFile,
        flush: OnBlock,
        resume: ResumePoint | None = None,
        scan_blocks: ScanBlocks | None = None,
        blocks: BlockReader | None = None,
    ) -> IngestedFile | None:
        """Read one source into the builder. Returns None if it could not be read to its end; what was read is kept.

        `flush` is called after each block. `scan_blocks` lets other threads scan the blocks. `blocks` is the file's
        reader, if there is one already (`wrkparse.source.blocks.read_ahead`).
        """
        reading = SourceReading(self, file, resume, blocks)
        try:
            for size in reading.read(scan_blocks):
                flush(size)
        except NotTextError as problem:
            self.summary.not_text += 1
            if diagnostic := problem.diagnostic(file):
                self.add_diagnostic(diagnostic, file)
            return None
        except OSError as problem:
            self.summary.failed += 1
            message = f"can't be read: {problem.strerror or problem}"
            self.add_diagnostic(Diagnostic(file.source, None, "error", "unreadable", message), file)
            reading.finish_early()
            return None
        return reading.finish(reading.blocks.stamp)

    @contextlib.contextmanager
    def uncounted(self) -> Iterator[None]:
        """While the block runs, add items without counting or reporting them: they will be added again later.

        A followed log is committed with its open runs as they are, and the next commit replaces their rows.
        """
        builder, summary, report = self.builder, self.summary, self._report
        # copies, because the counters are changed in place
        counters = copy.deepcopy((builder.runs, builder.label_counts, builder.events, builder.diagnostics))
        without = summary.without_runs
        self._report, self._uncounted = None, True
        try:
            yield
        finally:
            self._report, self._uncounted, summary.without_runs = report, False, without
            builder.runs, builder.label_counts, builder.events, builder.diagnostics = counters

    def study_of(self, file: SourceFile) -> Study | None:
        """The study file that applies to a source; mistakes in it are reported once."""
        where = _directory(file)
        if where not in self._study_in:
            self._study_in[where] = self._studies.study_of(file.path)
        if self._studies_reported is not None:
            for problem in self._studies.problems[self._studies_reported :]:
                self.add_diagnostic(problem, None)
            self._studies_reported = len(self._studies.problems)
        return self._study_in[where]

    def add_item(self, item: Item, study: Study | None, file: SourceFile | None) -> None:
        """Add one item to the tables, and report the diagnostics that result."""
        for diagnostic in self.build(item, study, file):
            self.report(diagnostic, file)

    def build(self, item: Item, study: Study | None, file: SourceFile | None) -> list[Diagnostic]:
        """Add one item to the tables. Returns the resulting diagnostics, which are not reported yet."""
        # A report that is being written is not incomplete: its rest may come with the next line.
        if self._uncounted and isinstance(item, Diagnostic) and item.code == INCOMPLETE:
            return []
        given = self._given
        if file and file.input_label:
            given = [*given, Label("input", file.input_label, "cli", rule="given")]
        return self.builder.add(item, study, given)

    def report(self, diagnostic: Diagnostic, file: SourceFile | None) -> None:
        """Report a diagnostic that is already in the tables."""
        if self._report:
            self._report(diagnostic, file)

    def drain(self) -> dict[str, pa.Table]:
        """Everything that was built, by table; the builder is then empty.

        A run that can't be a row of its tables costs only its source, which gets a diagnostic and joins `faulty`.
        """
        faults: list[Fault] = []
        tables = self.builder.drain(faults)
        if not faults:
            return tables
        new = [fault for fault in faults if not fault.run or fault.run.run not in self.lost_runs]
        self.lost_runs.update(fault.run.run for fault in faults if fault.run)
        complete = drop_runs(tables, self.lost_runs)
        self.builder.events -= Counter({name: tables[name].num_rows - complete[name].num_rows for name in tables})
        finished = set(complete["sources"]["source"].to_pylist()) if "sources" in complete else set()
        for source in dict.fromkeys(fault.source for fault in new):
            self.summary.failed += source not in self.faulty
            # A source that was read to its end counted as read when it was added.
            self.summary.read -= source in finished
            self.faulty.add(source)
            self.add_diagnostic(storing_fault(source, [fault for fault in new if fault.source == source]), None)
        return join_parts([complete, self.builder.drain()])

    def result(self) -> SessionResult:
        """Everything that was built; the builder is then empty."""
        tables = self.drain()
        return SessionResult(self.builder.built(tables), self.summary, self.studies_used, self.index_texts)

    def merge(self, result: SessionResult) -> bool:
        """Add the result of another session with the same labels.

        Returns False, and adds nothing, if the runs of both would have too many columns.
        """
        if not self.builder.merge(result.tables):
            return False
        self.summary.add(result.summary)
        self.studies_used |= result.studies_used
        for source, text in result.index_texts.items():
            self.keep_text(source, text)
        return True

    def keep_text(self, source: str, text: bytes) -> None:
        """Keep the text of a file without a run that may be an index, unless the kept texts are already too large."""
        if self._index_bytes + len(text) <= _MOST_INDEX_BYTES:
            self._index_bytes += len(text)
            self.index_texts[source] = text

    def note_found(self, files: int, problems: Iterable[Diagnostic]) -> None:
        """Note how many files were found, and the diagnostics of the search; its errors count as files that failed."""
        self.summary.found, self.summary.failed = files, 0
        for problem in problems:
            self.add_diagnostic(problem, None)
            self.summary.failed += problem.severity == "error"

    def add_diagnostic(self, diagnostic: Diagnostic, file: SourceFile | None) -> None:
        """Add and report a diagnostic that does not come from a parser."""
        self.add_item(diagnostic, None, file)

    def studies(self) -> dict[str, pa.Table]:
        """The table of the studies that apply to any run; empty without one."""
        rows = [self.studies_used[path].row() for path in sorted(self.studies_used, key=str)]
        if not rows:
            return {}
        wanted = schema("studies")
        return {"studies": pa.table([list(column) for column in zip(*rows, strict=True)], wanted)}

    def update_summary(self) -> None:
        """Copy the counts of the tables into the summary."""
        summary, builder = self.summary, self.builder
        summary.runs, summary.events = builder.runs, builder.events
        summary.label_counts, summary.diagnostics = builder.label_counts, builder.diagnostics

    def settings(self, file: SourceFile) -> str:
        """A digest of what the rows of a source depend on besides its text: version, study, labels, kind of digest."""
        # Files of one directory have the same study file: its digest is made once.
        where = _directory(file), file.input_label
        if where not in self._settings:
            self._settings[where] = self._digest_of(self._studies.study_of(file.path), file.input_label)
        return self._settings[where]

    def _digest_of(self, study: Study | None, input_label: str | None) -> str:
        # Whatever changes the rows of an unchanged file belongs here, or the file is not read again.
        parts = [__version__, *plugins.identity(), DIGEST_NAME, study.digest if study else "", input_label or ""]
        parts += [f"{label.key}={label.value}" for label in self._given]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def is_unchanged(self, known: IngestedFile | None, file: SourceFile, now: FileStamp) -> bool:
        """Whether reading a source again would give the rows that are stored."""
        if known is None or known.settings != self.settings(file) or known.size != now.size:
            return False
        same_time = now.mtime_ns is not None and known.mtime_ns == now.mtime_ns
        # The digest needs the whole file: only one that was touched or copied is read for it.
        return same_time or known.digest == _digest(file)


def _directory(file: SourceFile) -> str:
    if file.directory is not None:
        return file.directory
    return os.path.dirname(file.origin or "")  # noqa: PTH120 (a Path takes ten times as long)


def _digest(file: SourceFile) -> str | None:
    if file.path is None:
        return None
    digest = new_digest()
    try:
        with file.path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()
