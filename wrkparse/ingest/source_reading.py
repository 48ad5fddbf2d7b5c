"""Reads the blocks of one source into the tables of a session, from its beginning or from where it was resumed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

from wrkparse._version import __version__
from wrkparse.context.index.blocks import LARGEST_INDEX, index_form
from wrkparse.context.labels import path_labels
from wrkparse.ingest.faults import reading_fault
from wrkparse.model.records import Diagnostic
from wrkparse.parse.checkpoint import Checkpoint, Tail, freeze, thaw
from wrkparse.parse.events.scan import ScannedBlock
from wrkparse.parse.items import Item
from wrkparse.parse.known_words import find_known_words
from wrkparse.parse.parser import SourceParser
from wrkparse.source.blocks import BlockReader, NotTextError
from wrkparse.source.discover import FileStamp, SourceFile
from wrkparse.store.parquet_store import IngestedFile

if TYPE_CHECKING:
    from wrkparse.ingest.session import Session

# A log that has grown is resumed from this many bytes. Reading a smaller one again takes less time than a checkpoint.
_RESUMABLE_BYTES = 1 << 20
# A file that changed within this time before it was read may change again under the same time stamp: the coarsest
# stamps (FAT) have steps of 2 s.
_SETTLED_NS = 2_000_000_000
_LONGEST_HEAD = 1 << 20  # bytes that are searched for words of tools
_NOTHING_KNOWN = "no output of a known tool in it"
# Pairs each block with the result of the block scanner, None where it has not run.
ScanBlocks = Callable[[Iterable[bytes]], Iterator[tuple[bytes, ScannedBlock | None]]]


class ResumePoint(NamedTuple):
    """A log that was read before: the rest of its blocks, and the parser's state before them."""

    blocks: BlockReader
    checkpoint: Checkpoint


class SourceReading:
    """One source that is being read into the tables of a session: `feed` blocks, then `finish`.

    An error in wrkparse itself ends only this source; the error is then in ``fault``.
    """

    def __init__(
        self, session: Session, file: SourceFile, resume: ResumePoint | None = None, blocks: BlockReader | None = None
    ) -> None:
        self._session, self._file = session, file
        self._study = session.study_of(file)
        self._runs = session.builder.runs.total()
        self.blocks = resume.blocks if resume else blocks or BlockReader(file)
        self.parser = resume.checkpoint.parser if resume else SourceParser(file.source, path_labels(file.source))
        self._before = (self.blocks.size, self.parser.lines, self.parser.lines_claimed) if resume else (0, 0, 0)
        self._unfinished = b""
        self._index_blocks: list[bytes] | None = None if resume or not index_form(file.source) else []
        self._head = b""  # the first blocks, until a line is claimed
        self._is_noted = False  # whether there is a diagnostic about this source
        self.fault: Diagnostic | None = None

    def read(self, scan_blocks: ScanBlocks | None = None) -> Iterator[int]:
        """Feed all blocks. Yields the number of bytes read after each. Raises OSError and NotTextError."""
        try:
            for block, scan in scan_blocks(self.blocks) if scan_blocks else zip(self.blocks, repeat(None)):
                self.feed(block, scan)
                yield self.blocks.size
                if self.fault:
                    return
        except (OSError, NotTextError):
            raise
        except Exception as problem:  # noqa: BLE001 (of the blocks; as in `_add`)
            self._fail(problem)

    def feed(self, block: bytes, scan: ScannedBlock | None = None) -> None:
        """Parse a block of whole lines; only the last block of a source may end without a line break.

        `scan` is the result of the block scanner, if it has run already.
        """
        # An index is a small file without a run; whether it has one is known at its end.
        if self._index_blocks is not None:
            is_small = len(block) + sum(map(len, self._index_blocks)) <= LARGEST_INDEX
            self._index_blocks = [*self._index_blocks, block] if is_small else None
        # A log that is still being written ends in a line that is not finished. `end` reads it.
        if not block.endswith(b"\n"):
            start = block.rfind(b"\n") + 1
            block, self._unfinished = block[:start], block[start:]
        if not self._head:
            self._head = block
        elif len(self._head) < _LONGEST_HEAD and not self.parser.lines_claimed:
            self._head += block
        self._add(self.parser.feed(block, scan) if block else ())

    def _add(self, items: Iterable[Item], tail: Tail | None = None) -> None:
        """Add items to the tables, and report the resulting diagnostics; `tail` records the items."""
        session, file = self._session, self._file
        found: list[Diagnostic] = []
        try:
            for item in () if self.fault else items:
                diagnostics = session.build(item, self._study, file)
                found += diagnostics
                if tail:
                    tail.add(item, diagnostics)
        except Exception as problem:  # noqa: BLE001 (a bug in reading one source must not cost the others)
            self._fail(problem)
        for diagnostic in found:
            self._is_noted = True
            session.report(diagnostic, file)

    def _fail(self, problem: Exception) -> None:
        """End this source with a diagnostic about an error in wrkparse itself."""
        self.fault = reading_fault(self._file.source, self.parser.lines, problem)
        self._session.summary.failed += 1
        self._session.add_diagnostic(self.fault, self._file)
        with contextlib.suppress(Exception):  # a second error adds nothing
            self.finish_early()

    def finish_early(self) -> None:
        """End a source that can't be read further: a trace keeps the events so far, and an open report is dropped."""
        for item in self.parser.finish_early():
            self._session.add_item(item, self._study, self._file)

    def finish(self, now: FileStamp | None = None) -> IngestedFile | None:
        """Parse the end of the source. Returns the record of the file for the store, None if it could not be read."""
        blocks, session, file = self.blocks, self._session, self._file
        # The parser is copied before `end` ends its open runs: if the log has grown, the copy goes on with them.
        frozen, tail = None, None
        if not self.fault and blocks.is_plain and blocks.size >= _RESUMABLE_BYTES:
            # From the unfinished line on, because the rest of it may be written later.
            frozen, tail = freeze(Checkpoint(self.parser, blocks.size - len(self._unfinished))), Tail()
        self.end(tail)
        if self.fault or file.source in session.faulty:
            return None
        resume = None
        if frozen and tail and (checkpoint := thaw(frozen)):
            checkpoint.tail = tail
            resume = freeze(checkpoint)
        size, lines, claimed = self._before
        session.summary.read += 1
        session.summary.bytes_read += blocks.size - size
        session.summary.lines += self.parser.lines - lines
        session.summary.lines_claimed += self.parser.lines_claimed - claimed
        mtime = now.mtime_ns if now else None
        if mtime is not None and time.time_ns() - mtime <= _SETTLED_NS:
            mtime = None
        return IngestedFile(file.source, file.origin, blocks.size, mtime, blocks.digest, session.settings(file), resume)

    def end(self, tail: Tail | None) -> None:
        """Parse an unfinished last line and end the open runs; `tail` records the rows that this adds."""
        rest = parse_blocks(self.parser, [self._unfinished] if self._unfinished else [])
        self._add(chain(rest, self.blocks.notes), tail)
        builder, text, file = self._session.builder, self.blocks, self._file
        if builder.runs.total() > self._runs:
            if self._study:
                self._session.studies_used[self._study.path] = self._study
            if self.parser.first_lookalike:
                line, tool, shown = self.parser.first_lookalike
                message = f"{tool}: this line resembles one of a report, but is not read as one: {shown}"
                self._add([Diagnostic(file.source, line, "note", "resembling", message)], tail)
        elif not self.fault:
            self._session.summary.without_runs += 1
            if self._index_blocks:
                self._session.keep_text(file.source, b"".join(self._index_blocks))
            if file.named_by_user:
                self._add([self._without_runs()], tail)
        parser = self.parser
        builder.add_source(file.source, text.size, text.digest, parser.lines, parser.lines_claimed, __version__)

    def _without_runs(self) -> Diagnostic:
        """The diagnostic about a source without runs; it points to a lookalike, if there is one."""
        line, message = None, self._why_without_runs()
        if self.parser.first_lookalike:
            line, tool, shown = self.parser.first_lookalike
            message = f"no run in it; this line resembles one of {tool}'s: {shown}"
        elif message == _NOTHING_KNOWN and (known := find_known_words(self._head.decode("utf-8", "replace"))):
            line, message = known.line, f"no run in it; this line has words of {known.tool}: {known.words}"
        return Diagnostic(self._file.source, line, "note", "no-runs", message)

    def _why_without_runs(self) -> str:
        if not self.blocks.size:
            return "an empty file"
        if any(note.severity == "error" for note in self.blocks.notes):
            return "no run in what could be read of it"
        if self.parser.lines_claimed or self._is_noted or self.blocks.size > _LONGEST_HEAD:
            return "no run in it"
        return _NOTHING_KNOWN


def parse_blocks(parser: SourceParser, blocks: Iterable[bytes]) -> Iterator[Item]:
    """All items that a parser returns for a text."""
    for block in blocks:
        yield from parser.feed(block)
    yield from parser.finish()
