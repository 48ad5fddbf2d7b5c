"""Collects the lines above and below the runs of a document that are neither headings nor titles.

`wrkparse.context.nearby.messages` compares them: the form of a single line does not show whether it names its run.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from wrkparse.context.nearby.counts_and_dates import is_version
from wrkparse.context.nearby.evidence import LINE_SEPARATOR
from wrkparse.context.nearby.line_marks import ABOUT_RUN_ABOVE, mark_as_about_run_above, mark_as_change
from wrkparse.context.nearby.log_messages import (
    is_bisect_step,
    is_log_message,
    is_result_below_report,
    name_of_ended,
    says_how_run_went,
    says_server_ended,
)
from wrkparse.context.nearby.section_ends import closing_lines, differ_in_one_word
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.titles import states_result
from wrkparse.model.records import Label
from wrkparse.text.wrapping.markup import is_figure
from wrkparse.text.wrapping.prefixes import longest_prefix

_MOST_LINES = 8  # lines kept above a run, the nearest; bounds memory
_LONGEST = 160  # characters of a line
_SHORTEST_WRAPPED = 60  # characters: editors wrap at 72 to 120, before the word that is too long
_LONGEST_SENTENCE = 400  # characters; bounds memory
_FEWEST_BLANKS = 6  # in it: fewer words are hardly a sentence
# Rows of tables with a latency, or with a sign in the first cell, and percentiles: "| 99 | 2.5 ms |", "99.9% 2.5ms".
_OF_A_TABLE = re.compile(
    r"\|.*[0-9] ?[mnuµ]?s\s*\|.*|\|[^|\w]*\|[^|]*\|.*"
    r"|[0-9.]{1,9}% {1,20}[0-9][0-9.,]{0,20} ?(?:[mnuµ]?s|m)"
)
_MOST_BARS = 6  # of a row that may name a run; a table of more than five columns has results, or facts of machines
_SENTENCE_END = re.compile(r"(?<=[^.\s][.!?])\s+|(?<=。)")
_POSSESSIVE = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)  # "my results" names nothing


def may_have_captions_below(above_first_run: Sequence[str], below_last_run: Sequence[str]) -> bool:
    """Whether captions may be below their runs.

    Either no line is above the first run, or one that names nothing (``Here are my results:``). A line that names
    nothing may still be the title of a list of sentences, so then the line below the last run must be one word.
    """
    first = above_first_run[-1] if above_first_run else ""
    return not first or (has_only_common_words(_POSSESSIVE.sub("", first)) and len(below_last_run[-1].split()) == 1)


class NearbyLines:
    """Collects the lines above the next run of a document; ``below`` has those of them that are about the run before.

    A report and the trace of the measured program have the same lines above them, so the lines are kept twice.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.below: list[str] = []
        self._first_below: list[str] = []  # the first lines below the report above
        self._commands: set[str] = set()  # the commands among the lines
        self._code: set[str] = set()  # the lines of source code among them
        self.are_taken = False  # a report has them
        self._above_last: list[str] = []  # the lines above the last run that had lines above it
        # Each line, the epoch of the processes that printed it, and whether it is like one above the last trace.
        self._since_trace: list[tuple[str, int | None, bool]] = []
        self._above_trace = ""
        self._process: tuple[int, int] | None = None  # epoch and part of the processes whose traces have the lines
        self.parts = 0  # the number of parts of the document; the traces of one part have the same lines above them
        self.has_report = False  # a report is above the next line
        # "kiwi done" is above the first report: such lines say what was prepared for the run below them.
        self._ends_are_above = False
        self._checks_out = False  # the command of a run has checked out its commit
        self._wrapped = ""  # the last of the lines, if its sentence goes on in the next one
        self.is_after_gap = True  # an empty line or a report is directly above the next line
        self.is_below_report = False  # no text is between the last report and the next line, except results of it
        self._is_below_result = False  # the line above is such a result
        self.above_first_run: str | None = None  # the line above the first report of the section; None: no report yet
        self.has_several_runs = False  # the section has more than one report
        self.below_last_run: list[str] = []  # the lines below the last report of a section, if they may name reports

    def forget_lines_inside_report(self) -> bool:
        """Forget the lines since the first line of a report whose last one was just read: they are about its run.

        Returns whether there were any.
        """
        if self.are_taken or not self.lines:
            return False
        self.lines, self.are_taken = [], True
        return True

    def takes_result(self, line: str) -> bool:
        """Whether a line directly below a report states one more result of it; such a line is about no other run.

        A key that is also above the runs is a setting.
        """
        goes_on = self._is_below_result and not self.is_after_gap
        key = line[: line.find(":") + 1]
        is_setting = any(above.startswith(key) for above in self._above_last)
        self._is_below_result = not is_setting and is_result_below_report(line, goes_on=goes_on)
        self.is_after_gap &= not self._is_below_result
        return self._is_below_result

    def note(
        self,
        line: str,
        printed_by: int | None = None,
        *,
        names_run: bool = False,
        is_command: bool = False,
        is_code: bool = False,
    ) -> bool:
        """Take in a line, unless it has only signs and numbers. The first line below a run starts a new collection.

        `printed_by`: the epoch of the processes, if the program of a command printed the line. `names_run`: the line
        surely says which run follows. `is_command`: the line is a command; `is_code`: one of source code. Returns
        whether the line opens a section and lines above it close the section before.
        """
        if self._wrapped or len(line) >= _SHORTEST_WRAPPED:
            line = self._shortened(line, may_be_sentence=printed_by is None and not is_command)
            if not line:
                return False
        name = "" if names_run else name_of_ended(line)
        if name and not self.has_report:
            self._ends_are_above = True
        if name and not self._ends_are_above:
            line = mark_as_about_run_above(name)
        elif name and "/" in line:  # "kiwi 1/3 OK" above its run
            line = name
        elif not names_run and _names_no_run(line):
            return False
        if self.are_taken:
            self.lines, self.are_taken, self._first_below = [], False, []
            self._commands.clear()
            self._code.clear()
        self._first_below.append(line)
        del self._first_below[_MOST_LINES:]
        has_closed = self._close_section(line) if self._above_last and self.lines else False
        self._keep(line, self._commands if is_command else self._code if is_code else None)
        if ABOUT_RUN_ABOVE.match(line):
            self.below.append(line)
            del self.below[:-_MOST_LINES]
        else:
            may_begin = (self.is_after_gap or names_run) and printed_by is None
            self._note_since_trace(line, printed_by, may_begin=may_begin)
            self.is_after_gap = False
        return has_closed

    def _keep(self, line: str, kind: set[str] | None) -> None:
        """Keep a line of this kind among the nearest: the first lines of code go before the text above the code."""
        self.lines.append(line)
        if kind is not None:
            kind.add(line)
        if len(self.lines) > _MOST_LINES:
            oldest = next((at for at, kept in enumerate(self.lines) if kept in self._code), 0) if self._code else 0
            dropped = self.lines.pop(oldest)
            if dropped not in self.lines:
                for known in (self._commands, self._code):  # as few as the lines, however long the text is
                    known.discard(dropped)

    def _shortened(self, line: str, *, may_be_sentence: bool) -> str:
        """The nearest part of a long line; empty if it is the rest of the sentence above, which gets it."""
        above = self._wrapped
        is_open = above and self.lines and not (self.is_after_gap or self.are_taken)
        is_rest = is_open and may_be_sentence and _may_be_rest(line) and self.lines[-1] == _nearest_part(above)
        sentence = f"{above} {line}" if is_rest else line
        may_go_on = may_be_sentence and _may_be_wrapped(line) and len(sentence) < _LONGEST_SENTENCE
        self._wrapped = sentence if may_go_on else ""
        if is_rest:
            self.lines[-1] = _nearest_part(sentence)
            return ""
        return _nearest_part(line)

    def _note_since_trace(self, line: str, printed_by: int | None, *, may_begin: bool) -> None:
        """Note a line below a trace, which begins a part of the document if it `may_begin` one and is the first."""
        is_like_above = printed_by is not None and self._is_like_line_above_trace(line)
        if is_like_above:  # what the program of the trace printed before is not about the next one
            self._since_trace = [noted for noted in self._since_trace if noted[1] is None or noted[2]]
        if (may_begin or is_like_above) and not self._since_trace:
            self.parts += 1
        self._since_trace.append((line, printed_by, is_like_above))
        del self._since_trace[:-_MOST_LINES]

    def _is_like_line_above_trace(self, line: str) -> bool:
        """Whether a line below a trace is like one above it: ``starting kiwi``, a trace, ``starting emu``.

        Then it is about the next trace, unless a command starts the program of that one.
        """
        for above in self._above_trace.split(LINE_SEPARATOR) if self._above_trace else ():
            is_alike = line[0] == above[0] or line[-1] == above[-1] or (line[0].isdecimal() and above[0].isdecimal())
            if is_alike and differ_in_one_word(line, above):
                return True
        return False

    def _close_section(self, opening: str) -> bool:
        """Drop the lines that close the section of the runs above, before the line that opens the next section."""
        if not (closed := closing_lines(self.lines, self._above_last, opening)):
            return False
        self.lines = [line for line in self.lines if line not in closed]
        self._since_trace = [noted for noted in self._since_trace if noted[0] not in closed]
        return True

    def forget_shown_files(self, load: str) -> None:
        """Forget commands that show a file which a load sends: ``cat body.json`` above ``ab -p body.json``."""
        if any(line.startswith("cat ") for line in self._commands):
            self.lines = [line for line in self.lines if not (line[:4] == "cat " and line[4:] in load.split())]

    def forget_bisect_steps(self) -> None:
        """Forget what ``git bisect`` printed above the command of a run that checks out a commit by itself."""
        self._checks_out = True
        if not self.are_taken:
            self.lines = [line for line in self.lines if not is_bisect_step(line)]

    def mark_changes(self) -> None:
        """Mark the commands since the run above as changes of the runs below: the server was started anew."""
        if not self.are_taken:
            self.lines = [mark_as_change(line) if line in self._commands else line for line in self.lines]

    def is_about_run_above(self, line: str) -> bool:
        """Whether a line names the runs above it, as a script does: ``kiwi done``."""
        return self.has_report and not self._ends_are_above and bool(name_of_ended(line))

    def forget(self) -> None:
        """Forget the lines above a heading, except those about the run before."""
        if self.lines and not self.are_taken:
            self.end_section()
        self.lines, self.are_taken, self.above_first_run, self.has_several_runs = [], False, None, False
        self._since_trace, self._process = [], None
        self.is_below_report = False

    def end_section(self) -> None:
        """Keep the lines below the section's last report, if those between its reports may name the ones above them.

        Of `_MOST_LINES` the first may be lost: then the nearest to the report is unknown.
        """
        if not self.has_several_runs or self.above_first_run is None or not self.lines or self.are_taken:
            return
        if self._checks_out and all(map(is_bisect_step, self.lines)):  # about the next step, which has no run
            return
        has_all = len(self.lines) < _MOST_LINES
        if has_all and may_have_captions_below([self.above_first_run], self.lines):
            self.below_last_run = self.lines
        elif any(differ_in_one_word(self._first_below[0], line) for line in self._above_last):
            self.below_last_run = self._first_below

    def take_below(self) -> str:
        """Return the lines about the run above, and forget them; empty if there are none."""
        below, self.below = self.below, []
        self.lines = [line for line in self.lines if line not in below]
        return LINE_SEPARATOR.join(ABOUT_RUN_ABOVE.sub("", line) for line in below)

    def take_above(self, titles: Sequence[Label]) -> str:
        """The lines above a run that begins here; empty if the run directly follows another one.

        A single line that is also a title, one of the labels `titles`, is left out.
        """
        self.below = []
        if self.are_taken:
            return ""
        self.are_taken = True
        self._above_last = self.lines or self._above_last
        if len(self.lines) == 1 and any(label.key == "title" and label.value in self.lines[0] for label in titles):
            return ""
        return LINE_SEPARATOR.join(self.lines)

    def give_back(self) -> None:
        """Let the lines above the last report be above the next one, of which its lines are the beginning.

        autocannon prints wrk's first line.
        """
        self.are_taken = False
        if not self.has_several_runs:
            self.above_first_run = None

    def above_process(self, epoch: int) -> str:
        """The lines above the traces of a process, since the traces of the process before.

        `epoch` changes where another process may have begun. Lines that earlier programs printed are about those
        programs.
        """
        if self._process != (epoch, self.parts):
            own = [line for line, printed_by, _ in self._since_trace if printed_by in (None, epoch)]
            self._process, self._above_trace = (epoch, self.parts), LINE_SEPARATOR.join(own)
            self._since_trace = []
            self._above_last = own or self._above_last
        return self._above_trace


def _may_be_wrapped(line: str) -> bool:
    """Whether a line is so long a part of a sentence that the rest may be in the next line; not one of a log."""
    if len(line) < _SHORTEST_WRAPPED or line[-1] in ".:!?;。：！？" or "=" in line:
        return False
    return line[0] not in "[{<(0123456789" and line.count(" ") >= _FEWEST_BLANKS


def _may_be_rest(line: str) -> bool:
    """Whether a line may be the rest of a wrapped sentence."""
    return line[0].islower() and "=" not in line


def _nearest_part(line: str) -> str:
    """A line; the first words of a long one, or of its last sentence, if that ends in a colon and would be lost.

    The stamp of a log is left out. Part of a word is left out, too: it may be half of a name.
    """
    if len(line) <= _LONGEST:
        return line
    prefix = longest_prefix(line)
    if prefix.stamp and not prefix.stream:
        line = line[prefix.end :].strip()
    last = _SENTENCE_END.split(line[_LONGEST:])[-1] if line[-1:] in (":", "：") else ""
    part = last if last and last != line[_LONGEST:] else line
    words, blank, _ = part[: _LONGEST + 1].rpartition(" ")
    return words if blank and len(part) > _LONGEST else part[:_LONGEST]


@functools.lru_cache(maxsize=1024)  # a log repeats its lines
def _names_no_run(line: str) -> bool:
    """Whether a line surely names no run: signs and numbers, results, the end of a server, a log message."""
    has_words = line[:1].isalpha() or any(map(str.isalpha, line)) or is_version(line)
    is_cell = _OF_A_TABLE.fullmatch(line) is not None or (line[:1] == "|" and line.count("|") > _MOST_BARS)
    is_result = is_cell or (":" in line and states_result(line)) or (line[-1] == ")" and is_figure(line))
    return not has_words or is_result or says_server_ended(line) or is_log_message(line) or says_how_run_went(line)
