"""Has the assemblers of a source, one for each stream: processes that print into one log have a stream each."""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.context.page.document import Context
from wrkparse.parse.items import Item
from wrkparse.parse.pending import MOST_STREAMS, OPEN_REPORT, SEVERAL_STREAMS
from wrkparse.parse.reports.assembler import LONGEST_GAP, ReportAssembler
from wrkparse.parse.reports.matcher import ends_name, shared_matcher
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.columns import COLUMN_STREAM
from wrkparse.text.wrapping.prefixes import Prefix, longest_prefix
from wrkparse.tools.report import Report

# Lines of other streams after which an open report ends: it bounds how long the report of a killed process stays open.
_LONGEST_GAP_OF_STREAM = 20_000
ENDS_OF_PREFIXES = "]Z"  # of prefixes of one word, without the blank behind it: "[kiwi]", "2026-11-20T10:00:00Z"


class ReportStreams:
    """The assemblers of one source. Wrapping, prefixes and names in front of the lines name their streams."""

    def __init__(self, source: str, context: Context) -> None:
        self._source, self._context = source, context
        self.main = ReportAssembler(source, context, shared_matcher())  # of lines that name no stream
        self._assemblers = {"": self.main}

    def new_assembler(self, stream: str) -> ReportAssembler:
        """An assembler, which belongs to the source when it is given to `keep`."""
        return ReportAssembler(self._source, self._context, shared_matcher(), stream)

    @property
    def pending(self) -> int:
        """The bits of `parse.pending` that are set: OPEN_REPORT, FORMAT_IN_FORCE, SEVERAL_STREAMS."""
        main = self.main
        pending = main.pending if main.report is not None or self._context.session.has_format else 0
        if len(self._assemblers) > 1:
            pending |= SEVERAL_STREAMS
            if any(assembler.pending & OPEN_REPORT for assembler in self._assemblers.values()):
                pending |= OPEN_REPORT
        return pending

    def of_line(self, line: NormalizedLine, prefix: Prefix) -> ReportAssembler:
        """The assembler of the stream that the wrapping and the prefix of a line name."""
        stream = f"{line.stream} {prefix.stream}".strip() if line.stream or prefix.stream else ""
        return self._assemblers.get(stream) or self.new_assembler(stream)

    def of_name(self, words: list[str], assembler: ReportAssembler) -> ReportAssembler:
        """The assembler of a line with another name in front than the open report has, which still awaits results.

        Processes print by turns, each line after their name: ``kiwi: Running 10s test @ http://h/``.
        """
        name = words[0]
        if assembler.stream or not ends_name(name) or assembler.has_name(name):
            return assembler
        known = self._assemblers.get(name)
        if known is None and assembler.awaits_results and assembler.begins_with(words[1:]):
            known = self.new_assembler(name)
        return known or assembler

    def is_cut_prefix(self, word: str) -> bool:
        """Whether a word alone in its line is a prefix without its last blank: an editor has removed it.

        It is then that of an empty line: a stamp, or the name of a stream in which a report was found, ``[kiwi]``.
        """
        prefix = longest_prefix(f"{word} ")
        return bool(prefix.stamp) or (bool(prefix.stream) and prefix.stream in self._assemblers)

    def open_report(self, stream: str) -> Report | None:
        """The open report of a stream; None if there is none."""
        assembler = self._assemblers.get(stream)
        return assembler.report if assembler else None

    def keep(self, assembler: ReportAssembler) -> Sequence[Item]:
        """Keep the assembler of a stream. If there are too many, the report of the oldest one ends."""
        finished: list[Item] = []
        if assembler.stream not in self._assemblers and len(self._assemblers) >= MOST_STREAMS:
            oldest = next(stream for stream in self._assemblers if stream)
            finished = self._assemblers.pop(oldest).close()
        self._assemblers[assembler.stream] = assembler
        return finished

    def skip_line(self, assembler: ReportAssembler) -> Sequence[Item]:
        """Note that a line of an assembler's stream belongs to no report; return what that finished."""
        if len(self._assemblers) == 1:
            if self.main.report is None:
                return ()
            return self.main.skip_line(LONGEST_GAP if self.main is assembler else _LONGEST_GAP_OF_STREAM)
        finished: list[Item] = []
        for each in self._assemblers.values():
            finished += each.skip_line(LONGEST_GAP if each is assembler else _LONGEST_GAP_OF_STREAM)
        return finished

    def end_columns(self) -> list[Item]:
        """End the reports that are side by side in columns."""
        columns = [stream for stream in self._assemblers if stream.startswith(COLUMN_STREAM)]
        return [item for stream in columns for item in self._assemblers.pop(stream).close()]

    def close(self) -> list[Item]:
        """End all reports."""
        finished: list[Item] = []
        for assembler in self._assemblers.values():
            finished += assembler.close()
        return finished
