"""Has the assemblers of a source, one for each stream: processes that print into one log have a stream each."""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.context.page.document import Context
from wrkparse.parse.items import Item
from wrkparse.parse.pending import MOST_STREAMS, OPEN_REPORT, SEVERAL_STREAMS
from wrkparse.parse.reports.assembler import LONGEST_GAP, ReportAssembler
from wrkparse.parse.reports.matcher import MatchedLine, ends_name, shared_matcher
from wrkparse.text.normalize import NormalizedLine
from wrkparse.text.wrapping.columns import COLUMN_STREAM
from wrkparse.text.wrapping.prefixes import THREAD_STREAM, Prefix, longest_prefix
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
        # The report of `main` whose lines are behind names in brackets, and these names; that of its last line is last.
        self._report_of_threads: Report | None = None
        self._threads: list[str] = []
        self._are_processes = False  # such names are those of processes: two of them have printed by turns

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
        if self._are_processes and prefix.thread and not stream:
            stream = THREAD_STREAM + prefix.thread
        return self._assemblers.get(stream) or self.new_assembler(stream)

    def of_thread(self, matched: MatchedLine, thread: str) -> tuple[ReportAssembler, list[Item]]:
        """The assembler of a line of `main` that is behind a name in brackets, and what that finished.

        Lines of one report may have the names of several threads. If a report begins behind another name than the open
        one had last, the names are taken for those of processes: each has a stream from there on. Whose lines an open
        report has that had several names and has no results yet, can't be known.
        """
        main = self.main
        if main.report is None or main.report is not self._report_of_threads or thread == self._threads[-1]:
            return main, []
        are_several = len(self._threads) > 1
        if main.continues(*matched[:2]) or (are_several and not main.awaits_results):
            return main, []
        finished = main.drop_mixed_report(self._threads) if are_several else []
        self._are_processes = True
        main.stream = THREAD_STREAM + self._threads[-1]
        self.main = self.new_assembler("")
        self._assemblers |= {"": self.main, main.stream: main}
        return self.new_assembler(THREAD_STREAM + thread), finished

    def note_thread(self, thread: str) -> None:
        """Note the name in brackets in front of a line that `main` has taken."""
        if self.main.report is not self._report_of_threads:
            self._report_of_threads, self._threads = self.main.report, []
        self._threads = [*(name for name in self._threads if name != thread), thread]

    def keep_others_open(self, line: NormalizedLine, assembler: ReportAssembler, epoch: int) -> None:
        """Let the reports of other processes go on: a heading or a command of one process has ended the `epoch`."""
        thread = "" if assembler.stream else longest_prefix(line.plain).thread
        if thread and self.main.report is self._report_of_threads and thread not in self._threads:
            self.main.go_on(epoch)
        for other in self._assemblers.values() if assembler.stream or thread else ():
            if other.stream and other.stream != assembler.stream:
                other.go_on(epoch)

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
