"""Parses the text of one source into runs, batches of events and diagnostics, block after block in bounded memory.

The way of the data, in this order:

1. **Blocks** of whole lines come from the source (`SourceParser.feed`). The rows of **files of samples** are taken out
   of them and summed up (`wrkparse.parse.samples`).
2. A block of nothing but common event lines is decoded as a whole (`_take_scanned`). In other long blocks, the
   **prefilter** says what each piece contains: nothing that is parsed, event lines only, or lines that
   must be parsed one by one. Event lines alone are taken out of the block without normalising them
   (`_take_event_pieces`).
3. The rest is text. **Objects** of JSON that tools write are taken out of it, and **complete reports** are read in one
   piece, with a tool's layout (`_take_text`).
4. The lines between them are **normalised**: unwrapped from notebooks, recordings, records and markup (`_take_lines`).
5. Each **line** is an event, a line of a report, or text of the page: it goes to the event dispatcher, to the report
   dispatcher, and from there to the context (`_take_each_line`).
6. Reports and traces give **items**: runs, batches of columns, diagnostics.

Steps 2 and 3 only save time: a line gives the same items if it goes all the way. They are forbidden while the next
lines may belong to something open; `wrkparse.parse.pending` has the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby

from wrkparse.context.page.document import Context
from wrkparse.model.records import Diagnostic, Label
from wrkparse.parse.events.dispatch import EventDispatcher, find_events_in_block, may_have_torn_piece, tools_with_words
from wrkparse.parse.events.scan import ScannedBlock, find_events_in_lines, scan_block
from wrkparse.parse.items import Item, in_batches
from wrkparse.parse.objects import ClaimedLines, DamagedObject, ObjectFinder, TextPart
from wrkparse.parse.other_tools import OtherToolFinder
from wrkparse.parse.pending import (
    FORBIDS_BLOCK_SCAN,
    FORBIDS_COMPLETE_REPORTS,
    FORBIDS_EVENT_SEARCH,
    FORBIDS_SAMPLES,
    OPEN_OBJECT,
    OPEN_WRAPPING,
)
from wrkparse.parse.prefilter import BlockPiece, classify_pieces
from wrkparse.parse.reports.dispatch import ReportDispatcher
from wrkparse.parse.reports.matcher import shared_matcher
from wrkparse.parse.reports.negative_cache import shared_negative_cache
from wrkparse.parse.samples import SampleFinder, TakenSamples, begins_with_sample_row, sample_signs
from wrkparse.text.normalize import LineNormalizer, NormalizedLine
from wrkparse.text.window import LineWindow
from wrkparse.text.wrapping.containers import begins_container
from wrkparse.tools import report_tools

# Bytes. A block of at most this size is parsed as text: the prefilter would mark all of it, because the 64 KiB above a
# report are parsed, too.
_SMALL_BLOCK = 64 << 10
# Bytes at the beginning of a long source that are parsed as text: enough to see a notebook, or the command of a server.
_HEAD_BYTES = 4 << 10
_MOST_PIECES = 64  # pieces that are parsed as one text: 512 KB, so that memory stays bounded


class SourceParser:
    """Parses one source: `feed` it blocks of whole lines in order, then call `finish`."""

    def __init__(self, source: str, source_labels: Iterable[Label] = ()) -> None:
        self.source = source
        self.lines = 0  # that were read
        self._context = Context(report_tools(), source_labels, source)
        self._normalizer = LineNormalizer()
        self._window = LineWindow()
        self._reports = ReportDispatcher(source, self._context)
        self._events = EventDispatcher(source, self._context, self._window)
        self._undecided = ""  # the beginning of a source that may be a notebook, a recording or an object
        self._objects = ObjectFinder()
        self._samples: SampleFinder | None = None  # while a file of samples is open
        self._other_tools = OtherToolFinder()
        self._has_noted_undecodable = False
        self._forbidden = 0  # the bits of `_pending` that forbid complete reports, after the last normalised line

    @property
    def lines_claimed(self) -> int:
        """The number of lines that belong to reports and traces."""
        return self._reports.lines_claimed + self._events.lines_claimed

    @property
    def first_lookalike(self) -> tuple[int, str, str] | None:
        """The first line that resembles a report's but is not read: its number, tool and text; None without one."""
        return self._reports.first_lookalike

    def feed(self, block: bytes, scanned: ScannedBlock | None = None, *, samples: bool = True) -> Iterator[Item]:
        """Parse a block of UTF-8 text that ends at the end of a line.

        ``scanned`` is what the block scanner found in the block, if it has run already. Files of samples are only
        searched if ``samples``.
        """
        if samples and (self._samples is not None or max(map(block.find, sample_signs()), default=-1) >= 0):
            yield from self._feed_with_samples(block, scanned)
            return
        if samples and not self.lines and block[:1].isdigit() and not self._undecided and begins_with_sample_row(block):
            yield from self._feed_with_samples(block, scanned)
            return
        if not block.isascii():
            yield from self._note_undecodable(block)
        head = 0 if self.lines or len(block) <= _SMALL_BLOCK else block.find(b"\n", _HEAD_BYTES) + 1
        for part in filter(None, (block[:head], block[head:])):
            if self._pending & FORBIDS_BLOCK_SCAN:
                scanned = None
            elif scanned is None:
                scanned = scan_block(part)
            if scanned:
                yield from self._allow_new_processes(self.lines + 1)
            items = self._take_scanned(scanned) if scanned else None
            yield from self._take_block(part) if items is None else items
            scanned = None

    def _feed_with_samples(self, block: bytes, scanned: ScannedBlock | None) -> Iterator[Item]:
        """Parse a block that may contain rows of a file of samples."""
        if self._samples is None:
            if self._is_within_open():
                yield from self.feed(block, scanned, samples=False)
                return
            self._samples = SampleFinder(at_start=not self.lines and not self._undecided)
        yield from self._note_undecodable(block)
        for part in self._samples.parts(block, self.lines + 1, self._is_within_open):
            if isinstance(part, TakenSamples):
                yield from self._take_samples(part)
            else:
                # the scan counts lines from the beginning of the block
                scan_of_part = scanned if len(part) == len(block) else None
                yield from self.feed(part, scan_of_part, samples=False)
        if not self._samples.is_open:
            self._samples = None

    def _is_within_open(self) -> bool:
        """Whether a line here belongs to open wrapping or an open object, so that it begins no file of samples."""
        at_start = self._normalizer.may_be_container and not self._undecided and not self._objects.is_open
        return bool(self._pending & FORBIDS_SAMPLES) and not at_start

    def _take_samples(self, taken: TakenSamples) -> Iterator[Item]:
        """Take rows of a file of samples."""
        if self._normalizer.may_be_container:
            self._normalizer.skip_container_check()
            opening, self._undecided = self._undecided, ""
            if opening:
                yield from self._take_plain_text(opening)
        for line, message, severity, code in taken.messages:
            yield Diagnostic(self.source, line, severity, code, f"{taken.tool.name}: {message}")
        self.lines += taken.lines
        yield from self._reports.take_samples(taken)
        self._forbidden = self._pending & FORBIDS_COMPLETE_REPORTS

    def _note_undecodable(self, block: bytes) -> Iterator[Item]:
        """A note about the first bytes that are not UTF-8, once for each source."""
        if self._has_noted_undecodable:
            return
        try:
            block.decode()
        except UnicodeDecodeError as problem:
            kept_lines = self._undecided.count("\n") + self._objects.held_lines
            line = self.lines + kept_lines + 1 + block.count(b"\n", 0, problem.start)
            message = "not UTF-8 from here on; bytes that can't be decoded are shown as U+FFFD"
            yield Diagnostic(self.source, line, "note", "undecodable", message)
            self._has_noted_undecodable = True

    def _take_scanned(self, scanned: ScannedBlock) -> Iterator[Item] | None:
        """Take a block of common event lines; None, with nothing taken, if it must be read in another way."""
        events = sum(len(some.indices) for some, _ in scanned.events)
        if len(scanned.block) <= _SMALL_BLOCK and events < scanned.lines:
            return None  # another line may be a title or an item of a list
        items = self._events.take_scanned(scanned, self.lines + 1)
        if items is not None:
            # None: `take_scanned` takes nothing while a line waits
            self._window.advance(partial(_normalised_lines, scanned.block, self.lines + 1), None)
            self._count_skipped(scanned.block, events, scanned.lines)
        return items

    def _take_block(self, block: bytes) -> Iterator[Item]:
        """Take a block: a small one as text, a large one in pieces."""
        return self._take_text(block) if len(block) <= _SMALL_BLOCK else self._take_large_block(block)

    def _take_large_block(self, block: bytes) -> Iterator[Item]:
        """Take a large block: pieces that contain only event lines, and pieces that are parsed as text."""
        for part, pieces in self._piece_groups(block):
            if not pieces[0].must_be_parsed and not self._pending & FORBIDS_EVENT_SEARCH:
                yield from self._allow_new_processes(self.lines + 1)
                items = self._take_event_pieces(part, pieces)
            else:
                items = None
            yield from self._take_text(part) if items is None else items

    def _piece_groups(self, block: bytes) -> Iterator[tuple[bytes, list[BlockPiece]]]:
        """Groups of neighbouring pieces that are read in the same way, each with its bytes."""
        pieces = classify_pieces(block)
        at = 0
        while at < len(pieces):
            by_line = pieces[at].must_be_parsed
            # What is open ends after some lines: the pieces after these need not be parsed as text.
            most = _MOST_PIECES if by_line else 1 if self._pending & FORBIDS_EVENT_SEARCH else len(pieces)
            end = at + 1
            while end < min(at + most, len(pieces)) and pieces[end].must_be_parsed == by_line:
                end += 1
            yield block[pieces[at].start : pieces[end - 1].end], pieces[at:end]
            at = end

    def _take_event_pieces(self, block: bytes, pieces: list[BlockPiece]) -> Iterator[Item] | None:
        """Take the event lines out of pieces without reports; None if a line must be normalised first."""
        found = find_events_in_block(block, self.lines + 1, pieces)
        if found is None:
            return None
        self._window.advance(partial(_normalised_lines, block, self.lines + 1), self._events.first_waiting)
        lines = block.count(b"\n") + (not block.endswith(b"\n"))
        self._count_skipped(block, sum(len(events.numbers) for events in found), lines)
        items = (item for events in found for item in self._events.keep_lines(events, self.lines))
        return chain(items, self._events.decode())

    def _count_skipped(self, block: bytes, events: int, lines: int) -> None:
        """Count the lines of a block from which only events were taken, and tell the context their numbers."""
        self._context.skip(events=events, others=lines - events, parted=b"\n\n" in block)
        self.lines += lines

    def _take_text(self, block: bytes) -> Iterator[Item]:
        """Take a text: objects of JSON, complete reports, and the lines between them."""
        # blocks end at the end of a line, so no character is cut
        text = self._undecided + block.decode("utf-8", "replace")
        if self._normalizer.may_be_container:
            is_container = begins_container(text)
            self._undecided = text if is_container is None else ""
            if is_container is None:
                return
            if not is_container:
                self._normalizer.skip_container_check()
        self._forbidden = self._pending & FORBIDS_COMPLETE_REPORTS
        if self._forbidden & OPEN_WRAPPING:
            yield from self._take_plain_text(text)
        else:
            yield from in_batches(self._take_text_parts(self._objects.take(text, self.lines + 1)))

    def _take_text_parts(self, parts: Iterable[TextPart]) -> Iterator[Item]:
        """Take the JSON that tools wrote, and the text between."""
        for part in parts:
            if isinstance(part, str):
                yield from self._take_plain_text(part)
            elif isinstance(part, DamagedObject):
                message = f"{part.tool}: the JSON object that begins here {part.why}"
                yield Diagnostic(self.source, part.line, "warning", "bad-object", message)
            else:
                yield from self._take_claimed_lines(part)

    def _take_claimed_lines(self, part: ClaimedLines) -> Iterator[Item]:
        """Take the lines of objects that tools claim."""
        for found in part.objects:
            yield from self._reports.take_object(found)
        self._forbidden = self._pending & FORBIDS_COMPLETE_REPORTS
        self.lines += part.text.count("\n") + (not part.text.endswith("\n") if part.text else 0)

    def _take_plain_text(self, text: str) -> Iterator[Item]:
        """Take text without such objects: complete reports in one piece, and the lines between them."""
        at = 0
        for tool, report in shared_matcher().find_complete_reports(text):
            begin, end = report.match.span()
            if begin > at:
                yield from self._take_lines(text[at:begin])
            items = None if self._forbidden else self._reports.take_complete(tool, report, self.lines + 1)
            if items is None:
                yield from self._take_lines(report.match[0])
            else:
                self.lines += report.shape.height
                yield from items
            at = end
        if at < len(text):
            yield from self._take_lines(text[at:])

    def _take_lines(self, text: str) -> Iterable[Item]:
        """Take lines: without normalising if the negative cache knows them all as text of the page."""
        lines = text.removesuffix("\n").split("\n")
        if self._forbidden or not shared_negative_cache().has_all(lines):
            return self._take_unknown_lines(text, lines)
        taken, items = self._reports.take_page_lines(lines, self.lines + 1)
        self.lines += taken
        return items if taken == len(lines) else chain(items, self._normalise_lines(lines[taken:]))

    def _take_unknown_lines(self, text: str, lines: list[str]) -> Iterator[Item]:
        """Take lines of which some are not in the negative cache.

        Lines around events stay together: an event that was torn or wrapped is rejoined from the lines after it.
        """
        for offset, name in self._other_tools.find(text):
            message = f"looks like the output of {name}, which wrkparse does not read"
            yield Diagnostic(self.source, self.lines + offset + 1, "note", "other-tool", message)
        if self._forbidden or shared_negative_cache().may_contain_event(text):
            yield from self._normalise_lines(lines)
            return
        unknown: list[str] = []
        for of_page, group in groupby(lines, shared_negative_cache().has):
            if not of_page:
                unknown += group
                continue
            if unknown:
                yield from self._normalise_lines(unknown)
            page = list(group)
            forbidden = self._pending & FORBIDS_COMPLETE_REPORTS
            taken, items = (0, ()) if forbidden else self._reports.take_page_lines(page, self.lines + 1)
            self.lines += taken
            yield from items
            unknown = page[taken:]
        if unknown:
            yield from self._normalise_lines(unknown)

    def _normalise_lines(self, raws: list[str]) -> Iterator[Item]:
        """Normalise lines and take them."""
        lines = self._normalizer.feed(raws, self.lines + 1)
        self.lines += len(raws)
        yield from self._take_normalised(lines)

    def _take_normalised(self, lines: list[NormalizedLine]) -> Iterator[Item]:
        """Take normalised lines, and decode the events among them."""
        if lines:
            self._window.advance(lambda: lines, self._events.first_waiting)
            yield from self._take_each_line(lines)
            yield from self._events.decode()
        self._forbidden = self._pending & FORBIDS_COMPLETE_REPORTS

    def _take_each_line(self, lines: list[NormalizedLine]) -> Iterator[Item]:
        """Take each line: as an event, or else as a line of a report or of the page."""
        yield from self._allow_new_processes(lines[0].number)
        text = "\n".join([line.plain for line in lines])
        tools = tools_with_words(text)
        events = find_events_in_lines(lines, tools) if tools else {}
        may_be_torn = may_have_torn_piece(text)
        session = self._context.session
        epoch = session.process_epoch  # compared here, because a property takes a hundredth of the time of a line
        for index, line in enumerate(lines):
            found = events.get(index, ())
            if found:
                yield from self._reports.release_held_line()
                yield from self._allow_new_processes(line.number)
                yield from self._events.keep_line(line, found, self.lines)
                self._context.note_parsed_line(is_event=True)
            elif items := self._reports.take(line):
                yield from items
            if may_be_torn and may_have_torn_piece(line.plain):
                yield from self._events.keep_torn_piece(line, found, self.lines)
            if session.process_epoch != epoch:
                epoch = session.process_epoch
                yield from self._allow_new_processes(line.number)

    def _allow_new_processes(self, number: int) -> Iterable[Item]:
        """Let another process begin at this line if a command or a heading is above it."""
        return self._events.allow_new_processes(number) if self._events.may_have_new_process else ()

    @property
    def _pending(self) -> int:
        """What is open, as the bits of `parse.pending`."""
        unwrap = OPEN_WRAPPING if self._normalizer.is_unwrapping else 0
        objects = OPEN_OBJECT if self._objects.is_open else 0
        return unwrap | objects | self._reports.pending | self._events.pending

    def finish(self) -> Iterator[Item]:
        """End the source: parse what was kept, and close reports and traces."""
        # what was kept goes on in the order of the stages above
        if self._undecided or self._objects.is_open:
            self._forbidden = self._pending & FORBIDS_COMPLETE_REPORTS
            opening, self._undecided = self._undecided, ""
            yield from self._take_plain_text(opening)
            yield from self._take_text_parts(self._objects.finish(self.lines + 1))
        if self._samples is not None:
            yield from self._take_samples(self._samples.finish())
        rest = self._normalizer.finish()
        if rest or self._events.has_traces:
            self._window.advance(lambda: rest, self._events.first_waiting)
        if rest:
            yield from self._take_each_line(rest)
        # before the last report is closed: the lines below it may label its run
        self._context.nearby.end_section()
        yield from self._reports.close()
        yield from self._events.close(self.lines)

    def finish_early(self) -> Iterator[Item]:
        """End in the middle of a source whose rest can't be read.

        Runs whose rows were returned are ended; everything else that is open is dropped.
        """
        return self._events.end_runs()

    def drop_unneeded_lines(self) -> None:
        """Drop the lines of the window for which nothing waits.

        Call it between two blocks, before the parser is stored.
        """
        self._window.advance(list, self._events.first_waiting)


def _normalised_lines(block: bytes, first: int) -> list[NormalizedLine]:
    """The lines of a block, normalised by themselves: the window provides them for events that wait for their rest."""
    return LineNormalizer().feed(block.decode("utf-8", "replace").removesuffix("\n").split("\n"), first)
