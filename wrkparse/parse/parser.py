"""One source's text → runs, batches of events and diagnostics, block after block in bounded memory.

The way of the data, in this order:

1. **blocks** of whole lines come from the source (`SourceParser.feed`). The rows of **files of samples** are taken out
   of them, and summed up (`wrkparse.parse.samples`).
2. The **prefilter** says what each piece of a block contains: nothing that is parsed, event lines only, or lines that
   must be parsed one by one. Event lines alone are taken out of the block as they stand (`_take_events`).
3. The rest is text. **Objects** of JSON that tools write are taken out of it, and **complete reports** are read in one
   piece, by a tool's layout (`_take_text`).
4. What stands between them is **normalised**: unwrapped from notebooks, records and markup (`_take_lines`).
5. Each **line** is an event, a report's line, or text of the page: it goes to the event dispatcher, to the dispatcher
   of reports, and from there to the context (`_take_line`).
6. Reports and traces give **items**: runs, batches of columns, diagnostics.

Steps 2 and 3 only save time: a line gives the same items if it goes all the way. They are barred while something is
open that the next lines may belong to; `wrkparse.parse.pending` has the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby

from wrkparse.context.page.document import Context
from wrkparse.model.records import Diagnostic, Label
from wrkparse.parse.events.dispatch import EventDispatcher, find_events, has_piece, lines_with_words
from wrkparse.parse.events.scan import ScannedBlock, find_in_lines, scan_block
from wrkparse.parse.items import Item
from wrkparse.parse.objects import Claimed, Damaged, ObjectFinder, Part
from wrkparse.parse.other_tools import OtherToolFinder
from wrkparse.parse.pending import BARS_COMPLETE, BARS_EVENTS, BARS_SAMPLES, BARS_SCAN, OBJECT, REPORT, UNWRAP
from wrkparse.parse.prefilter import Content, Piece, classify
from wrkparse.parse.reports.dispatch import ReportDispatcher, matcher, negative_cache
from wrkparse.parse.samples import SampleFinder, Taken, begins_without_head, signs
from wrkparse.text.normalize import LineNormalizer, NormalizedLine
from wrkparse.text.window import LineWindow
from wrkparse.text.wrapping.notebook import begins_notebook
from wrkparse.tools import report_tools

_SMALL = 64 << 10  # bytes: such a block is parsed as text. The prefilter keeps so much above a piece for the context
_HEAD = 4 << 10  # bytes of a long source that are parsed as text: enough to know a notebook, or a server's command
# Items that are made before they are given away: some 50 KB of runs. Four times as many would be more than the 700
# objects at which Python's collector of cycles starts to look at each.
_BATCH = 16
_TOGETHER = 64  # pieces that are parsed as one text: 512 KB, so that memory stays bounded


class SourceParser:
    """Parses one source: `feed` it blocks of whole lines in order, then `finish`."""

    def __init__(self, source: str, source_labels: Iterable[Label] = ()) -> None:
        self.source = source
        self.lines = 0
        self._context = Context(report_tools(), source_labels, source)
        self._normalizer = LineNormalizer()
        self._window = LineWindow()
        self._dispatcher = ReportDispatcher(source, self._context)
        self._events = EventDispatcher(source, self._context, self._window)
        self._opening = ""  # text in which both a notebook and an object may begin
        self._objects = ObjectFinder()
        self._samples: SampleFinder | None = None  # while a file of samples is open
        self._other_tools = OtherToolFinder()
        self._undecodable_told = False
        self._barred = 0  # the bits of `_pending` that bar complete reports, behind the last line read by itself

    @property
    def lines_claimed(self) -> int:
        """How many lines a tool's report or trace has."""
        return self._dispatcher.claimed + self._events.claimed

    @property
    def resembling(self) -> tuple[int, str, str] | None:
        """The first line that only resembles one of a report: its number, the tool, and its text; None if none does."""
        return self._dispatcher.resembling

    def feed(self, block: bytes, scanned: ScannedBlock | None = None, *, samples: bool = True) -> Iterator[Item]:
        """Parse a block of UTF-8 text that ends where a line does.

        ``scanned`` is what the block scanner found in it, if it has run already. Without ``samples`` no file of samples
        is looked for.
        """
        if samples and (self._samples is not None or max(map(block.find, signs()), default=-1) >= 0):
            yield from self._feed_parts(block, scanned)
            return
        if samples and not self.lines and block[:1].isdigit() and not self._opening and begins_without_head(block):
            yield from self._feed_parts(block, scanned)
            return
        if not block.isascii():
            yield from self._note_undecodable(block)
        head = 0 if self.lines or len(block) <= _SMALL else block.find(b"\n", _HEAD) + 1
        for part in filter(None, (block[:head], block[head:])):
            if self._pending & BARS_SCAN:
                scanned = None
            elif scanned is None:
                scanned = scan_block(part)
            if scanned:
                yield from self._begin_processes(self.lines + 1)
            items = self._take_scanned(scanned) if scanned else None
            yield from self._take_block(part) if items is None else items
            scanned = None

    def _feed_parts(self, block: bytes, scanned: ScannedBlock | None) -> Iterator[Item]:
        """Parse a block in which a file of samples may stand."""
        if self._samples is None:
            if self._bars_samples():
                yield from self.feed(block, scanned, samples=False)
                return
            self._samples = SampleFinder(at_start=not self.lines and not self._opening)
        yield from self._note_undecodable(block)
        for part in self._samples.parts(block, self.lines + 1, self._bars_samples):
            if isinstance(part, Taken):
                yield from self._take_samples(part)
            else:
                same = scanned if len(part) == len(block) else None
                yield from self.feed(part, same, samples=False)
        if not self._samples.is_open:
            self._samples = None

    def _bars_samples(self) -> bool:
        """Whether a line here is part of something that is open, so that no file of samples begins with it."""
        at_start = self._normalizer.may_be_notebook and not self._opening and not self._objects.is_open
        return bool(self._pending & BARS_SAMPLES) and not at_start

    def finish(self) -> Iterator[Item]:
        """End what is open."""
        if self._opening or self._objects.is_open:
            self._barred = self._pending & BARS_COMPLETE
            opening, self._opening = self._opening, ""
            yield from self._take_plain(opening)
            yield from self._take_parts(self._objects.finish(self.lines + 1))
        if self._samples is not None:
            yield from self._take_samples(self._samples.finish())
        rest = self._normalizer.finish()
        if rest or self._events.has_traces:
            self._window.advance(lambda: rest, self._events.held_from)
        if rest:
            yield from self._take_each(rest)
        self._context.nearby.end_section()
        yield from self._dispatcher.close()
        yield from self._events.close(self.lines)

    def abandon(self) -> Iterator[Item]:
        """End in the middle of a source that can't be read on: the runs of which rows were given, and nothing else."""
        return self._events.abandon()

    def settle(self) -> None:
        """Let go of lines that nothing waits for: between two blocks, before the parser is stored."""
        self._window.advance(list, self._events.held_from)

    @property
    def _pending(self) -> int:
        """What is open, as the bits of `parse.pending`."""
        unwrap = UNWRAP if self._normalizer.is_unwrapping else 0
        objects = OBJECT if self._objects.is_open else 0
        return unwrap | objects | self._dispatcher.pending | self._events.pending

    def _take_scanned(self, scanned: ScannedBlock) -> Iterator[Item] | None:
        """Take a block of common event lines; None, and nothing taken, if a trace can't take them so."""
        events = sum(len(some.indices) for some, _ in scanned.events)
        if len(scanned.block) <= _SMALL and events < scanned.lines:
            return None  # the other lines may be a title, or an item of a list
        items = self._events.take_scanned(scanned, self.lines + 1)
        if items is not None:
            self._window.advance(partial(_normalise, scanned.block, self.lines + 1), None)
            self._skip(scanned.block, events, scanned.lines)
        return items

    def _take_block(self, block: bytes) -> Iterator[Item]:
        """Take a block: as text if it is small, else in parts."""
        return self._take_text(block) if len(block) <= _SMALL else self._take_large(block)

    def _take_large(self, block: bytes) -> Iterator[Item]:
        """Take a block in parts: pieces of event lines, and pieces that are parsed as text."""
        for part, pieces in self._parts(block):
            if not pieces[0].by_line and not self._pending & BARS_EVENTS:
                yield from self._begin_processes(self.lines + 1)
                items = self._take_events(part, pieces)
            else:
                items = None
            yield from self._take_text(part) if items is None else items

    def _parts(self, block: bytes) -> Iterator[tuple[bytes, list[Piece]]]:
        """Neighbouring pieces that are read in the same way."""
        pieces = classify(block)
        if not self.lines:
            pieces[0] = pieces[0]._replace(content=Content.LINES)
        at = 0
        while at < len(pieces):
            by_line = pieces[at].by_line
            # A report that is open ends some lines on: the pieces behind these need not be parsed as text.
            most = _TOGETHER if by_line else 1 if self._pending & (REPORT | OBJECT) else len(pieces)
            end = at + 1
            while end < min(at + most, len(pieces)) and pieces[end].by_line == by_line:
                end += 1
            yield block[pieces[at].start : pieces[end - 1].end], pieces[at:end]
            at = end

    def _take_events(self, block: bytes, pieces: list[Piece]) -> Iterator[Item] | None:
        """Take the event lines out of pieces that hold nothing else; None if a line must be normalised first."""
        found = find_events(block, self.lines + 1, pieces)
        if found is None:
            return None
        self._window.advance(partial(_normalise, block, self.lines + 1), self._events.held_from)
        lines = block.count(b"\n") + (not block.endswith(b"\n"))
        self._skip(block, sum(len(events.numbers) for events in found), lines)
        kept = (item for events in found for item in self._events.keep(events, self.lines))
        return chain(kept, self._events.decode())

    def _skip(self, block: bytes, events: int, lines: int) -> None:
        """Count lines of which only events were taken, and tell the context of them."""
        self._context.skip(events=events, others=lines - events, parted=b"\n\n" in block)
        self.lines += lines

    def _take_text(self, block: bytes) -> Iterator[Item]:
        """Take a text: objects of JSON, complete reports, and what stands between them."""
        text = self._opening + block.decode("utf-8", "replace")
        if self._normalizer.may_be_notebook:
            is_notebook = begins_notebook(text)
            self._opening = text if is_notebook is None else ""
            if is_notebook is None:
                return
            if not is_notebook:
                self._normalizer.skip_notebook_check()
        for down, name in self._other_tools.find(text):
            message = f"looks like the output of {name}, which wrkparse does not read"
            line = self.lines + self._objects.lines + down + 1
            yield Diagnostic(self.source, line, "note", "other-tool", message)
        self._barred = self._pending & BARS_COMPLETE
        if self._barred & UNWRAP:
            yield from self._take_plain(text)
        else:
            yield from _in_batches(self._take_parts(self._objects.take(text, self.lines + 1)))

    def _take_parts(self, parts: Iterable[Part]) -> Iterator[Item]:
        """Take what tools wrote as JSON, and the text between."""
        for part in parts:
            if isinstance(part, str):
                yield from self._take_plain(part)
            elif isinstance(part, Damaged):
                message = f"{part.tool}: the JSON object that begins here {part.why}"
                yield Diagnostic(self.source, part.line, "warning", "bad-object", message)
            else:
                yield from self._take_claimed(part)

    def _take_claimed(self, part: Claimed) -> Iterator[Item]:
        """Take lines with objects that tools claim."""
        for found in part.objects:
            yield from self._dispatcher.take_object(found)
        self._barred = self._pending & BARS_COMPLETE
        self.lines += part.text.count("\n") + (not part.text.endswith("\n") if part.text else 0)

    def _take_samples(self, taken: Taken) -> Iterator[Item]:
        """Take lines of a file of samples."""
        if self._normalizer.may_be_notebook:
            self._normalizer.skip_notebook_check()
            opening, self._opening = self._opening, ""
            if opening:
                yield from self._take_plain(opening)
        for line, message, severity, code in taken.problems:
            yield Diagnostic(self.source, line, severity, code, f"{taken.tool.name}: {message}")
        self.lines += taken.lines
        yield from self._dispatcher.take_samples(taken)
        self._barred = self._pending & BARS_COMPLETE

    def _take_plain(self, text: str) -> Iterator[Item]:
        """Take text without such an object: complete reports in one piece, and the lines between them."""
        at = 0
        for tool, report in matcher().complete_reports(text):
            begin, end = report.match.span()
            if begin > at:
                yield from self._take_lines(text[at:begin])
            items = None if self._barred else self._dispatcher.take_complete(tool, report, self.lines + 1)
            if items is None:
                yield from self._take_lines(report.match[0])
            else:
                self.lines += report.shape.height
                yield from items
            at = end
        if at < len(text):
            yield from self._take_lines(text[at:])

    def _take_lines(self, text: str) -> Iterable[Item]:
        """Take lines: those that the negative cache knows at once, the others after they were normalised."""
        lines = text.removesuffix("\n").split("\n")
        if self._barred or not negative_cache().has_all(lines):
            return self._take_other_lines(text, lines)
        taken, items = self._dispatcher.take_page_lines(lines, self.lines + 1)
        self.lines += taken
        return items if taken == len(lines) else chain(items, self._normalise(lines[taken:]))

    def _take_other_lines(self, text: str, lines: list[str]) -> Iterator[Item]:
        """Take lines of which some are not in the negative cache.

        Lines around events stay together: an event that was torn or wrapped is rejoined from the lines behind it.
        """
        if self._barred or negative_cache().may_hold_event(text):
            yield from self._normalise(lines)
            return
        others: list[str] = []
        for of_page, group in groupby(lines, negative_cache().has):
            if not of_page:
                others += group
                continue
            if others:
                yield from self._normalise(others)
            page = list(group)
            barred = self._pending & BARS_COMPLETE
            taken, items = (0, ()) if barred else self._dispatcher.take_page_lines(page, self.lines + 1)
            self.lines += taken
            yield from items
            others = page[taken:]
        if others:
            yield from self._normalise(others)

    def _normalise(self, raws: list[str]) -> Iterator[Item]:
        lines = self._normalizer.feed(raws, self.lines + 1)
        self.lines += len(raws)
        yield from self._take_normalised(lines)

    def _take_normalised(self, lines: list[NormalizedLine]) -> Iterator[Item]:
        if lines:
            self._window.advance(lambda: lines, self._events.held_from)
            yield from self._take_each(lines)
            yield from self._events.decode()
        self._barred = self._pending & BARS_COMPLETE

    def _take_each(self, lines: list[NormalizedLine]) -> Iterator[Item]:
        """Take each line: as an event, or else as a report's line or the page's."""
        yield from self._begin_processes(lines[0].number)
        tools = lines_with_words(lines)
        events = find_in_lines(lines, tools) if tools else {}
        may_be_torn = has_piece("\n".join([line.plain for line in lines]))
        for index, line in enumerate(lines):
            found = events.get(index, ())
            if found:
                yield from self._dispatcher.release()
                yield from self._begin_processes(line.number)
                yield from self._events.keep_line(line, found, self.lines)
                self._context.note_parsed_line(is_event=True)
            elif items := self._dispatcher.take(line):
                yield from items
            if may_be_torn and has_piece(line.plain):
                yield from self._events.keep_piece(line, found, self.lines)
            if self._events.process_changed:
                yield from self._events.begin_processes(line.number)

    def _begin_processes(self, number: int) -> Iterable[Item]:
        """Let another process begin at a line if a command or a heading stood above it."""
        return self._events.begin_processes(number) if self._events.process_changed else ()

    def _note_undecodable(self, block: bytes) -> Iterator[Item]:
        """A note about the first bytes that are not UTF-8."""
        if self._undecodable_told:
            return
        try:
            block.decode()
        except UnicodeDecodeError as problem:
            held = self._opening.count("\n") + self._objects.lines
            line = self.lines + held + 1 + block.count(b"\n", 0, problem.start)
            message = "not UTF-8 from here on; what can't be decoded is shown as U+FFFD"
            yield Diagnostic(self.source, line, "note", "undecodable", message)
            self._undecodable_told = True


def _in_batches(items: Iterable[Item]) -> Iterator[Item]:
    """The items, many at a time: what makes them and what takes them runs in loops that the processor's caches hold."""
    some: list[Item] = []
    try:
        for item in items:
            some.append(item)
            if len(some) == _BATCH:
                yield from some
                some.clear()
    except Exception:
        yield from some  # a bug does not cost the items before it
        raise
    yield from some


def _normalise(block: bytes, first: int) -> list[NormalizedLine]:
    """The lines of a block, for whoever looks at the lines around an event."""
    return LineNormalizer().feed(block.decode("utf-8", "replace").removesuffix("\n").split("\n"), first)
