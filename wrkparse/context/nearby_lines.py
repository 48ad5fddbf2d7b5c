"""The lines of text near a run that are neither heading nor title: messages of scripts and servers, and captions.

The form of a line does not show whether it names the thing that is measured: ``Now testing kiwi``,
``transport = nio``, ``HEAD is now at …``. Its siblings do. Lines that are equal except for a word or two are one
message. If these words differ between the runs of a source, they distinguish the runs. A message holds until the next
line of the same message (the idea of log templates: He et al., "Drain: An Online Log Parsing Approach with Fixed Depth
Tree", ICWS 2017).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple, Self

from wrkparse.context.log_messages import (
    is_log_message,
    is_result_below_report,
    name_of_ended,
    says_server_ended,
)
from wrkparse.context.section_ends import closing_lines, differ_in_one_word
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import has_only_common_words, is_sentence
from wrkparse.context.titles.setting_extraction import REPEAT
from wrkparse.context.titles.vocabulary import DURATION_NOUNS, TIME_WORDS
from wrkparse.model.records import Label
from wrkparse.text.wrapping.prefixes import longest_prefix

LINES_ABOVE = "above"  # key of the label with the lines above a run
# key of the label with the lines below a run that are about it: captions, "^ that is kiwi" of a chat
LINES_BELOW = "below"
# key of the label with the lines below the last run of a section whose first run has none above it
LINES_BELOW_LAST_RUN = "below_last"
ARGUMENTS = "arguments"  # key of the label with the arguments of a program without an option, as a shell quotes them
REMARK = "remark"  # key of the label with the remark behind the command of a load generator: wrk http://h/ # cached
PREFIX_WORDS = "prefix_words"  # key of the label with the words of the prefix of a run's lines that may be its name
RESTARTED_UNIT = "restarted"  # key of the label with the unit that a service manager restarted
SHELL_LOOP = "shell_loop"  # key of the label with the shell loop that made a run: its line and its text
# Keys of labels from which labels from structure are made. Runs are not compared by them.
EVIDENCE_KEYS = frozenset(
    {LINES_ABOVE, LINES_BELOW, LINES_BELOW_LAST_RUN, ARGUMENTS, PREFIX_WORDS, REMARK, RESTARTED_UNIT, SHELL_LOOP}
)
LINE_SEPARATOR = "\n"
_MOST_LINES = 8  # lines kept above a run, the nearest; bounds memory
_LONGEST = 100  # characters of a line
_MOST_MESSAGES = 40  # messages of one source; the log of a server has more, and none of them names a run
_MOST_ARGUMENTS = 7  # of a script whose calls are compared, whatever the number of their arguments
_MOST_DIFFERING_WORDS = 3  # words in which the lines of one message may differ

_SIGN_WORDS = "=:,;|\"'(){}<>[]"  # each is a word by itself
_ESCAPED_SIGNS = re.escape(_SIGN_WORDS)
_WORDS = re.compile(rf"[a-z]{{2,9}}://[^\s,;|\"'(){{}}<>]+|[^\s{_ESCAPED_SIGNS}]+|[{_ESCAPED_SIGNS}]", re.IGNORECASE)
# Numbers, dates, random values and people differ between repeats, so they distinguish nothing. Addresses have labels of
# their own.
_TWO_NUMBERS = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_COUNT_OR_DATE = re.compile(
    r"@\w[\w-]{0,39}|[\W_]*(?:[0-9][0-9.,:/+-]*[A-Za-zµ%]{0,3}|[0-9a-f]{12,64}|[0-9a-f-]{32,36}|0x[0-9a-f]+"
    rf"|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T\S*|[a-z]{{2,9}}://\S+|{TIME_WORDS}|{DURATION_NOUNS})[\W_]*",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[mnuµ]?s|secs?|mins?|[KMGT]?i?B(?:/s)?|%", re.IGNORECASE)  # after a number and a blank
# Rows of tables with a latency, or with a sign in the first cell, and percentiles: "| 99 | 2.5 ms |", "99.9% 2.5ms".
_OF_A_TABLE = re.compile(
    r"\|.*[0-9] ?[mnuµ]?s\s*\|.*|\|[^|\w]*\|[^|]*\|.*"
    r"|[0-9.]{1,9}% {1,20}[0-9][0-9.,]{0,20} ?(?:[mnuµ]?s|m)"
)
# A version, which distinguishes runs. It has three numbers, so it is not an address, a date or a decimal.
_VERSION = re.compile(r"v?[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?:-[a-z0-9][a-z0-9.]{0,20})?[:：]?")
_COLON_PAIR = re.compile(r"([^\w\s]?\s?\w[\w .-]{0,30}?)\s?[:=]\s{1,4}(\S.*)")  # "- Algorithm: round robin"
_ABOUT_RUN_ABOVE = re.compile(r"\A(?:\^+|↑+|⬆\S{0,2})\s*(?=\w)")  # at the beginning of a line about the run above it
_EDITOR_COMMAND = re.compile(r"(?:emacs|nano|vim?)\s")  # the edited file does not name the framework
# Words that mean something only with the next word.
_JOINING_WORDS = frozenset("with without no not and or w/o".split())
_CALL = re.compile(r"""(?:\w{1,40}\s?=\s?)?[\w.]{1,60}\(\s?(["'])([^"'(),]{1,60})\1\)?[;.]?""")
_SENTENCE_END = re.compile(r"(?<=[^.\s][.!?])\s+|(?<=。)")
_FEWEST_NAMING = 3  # sentences of one pattern that name the run below each
_CHANGE_MARK = "$ "  # before a command that changes the runs below it
_END_SIGNS = " .…,;:!()[]"
_POSSESSIVE = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)  # "my results" names nothing
_SCRIPT = re.compile(r"\.{0,2}/\S{1,80}|\S{1,80}\.(?:sh|bash|py|js|rb|pl)")  # "./bench.sh kiwi pool"
_PLAIN_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_DIRECTORY = re.compile(r"(?:~|/[\w.@+-]{1,60})(?:/[\w.@+-]{1,60}){1,20}")  # a line that is only this: a prompt
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_LONG_NUMBER = re.compile(r"[0-9]{5}")
_DATE_OF_BUILD = re.compile(r"[-_.](?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9]\Z")  # at the end of "kiwi-20240216"


def mark_as_change(line: str) -> str:
    """A command with the mark of commands that change the runs below it."""
    return line if is_marked_change(line) else f"{_CHANGE_MARK}{line}"


def is_marked_change(line: str) -> bool:
    """Whether a line has the mark of commands that change the runs below it."""
    return line.startswith(_CHANGE_MARK)


def without_change_mark(line: str) -> str:
    """A line without the mark of commands that change the runs below it."""
    return line.removeprefix(_CHANGE_MARK)


def mark_as_about_run_above(line: str) -> str:
    """A line with the mark of lines about the run above it."""
    return f"^ {line}"


class NearbyText(NamedTuple):
    """The lines above and below a run, as in the labels `LINES_ABOVE` and `LINES_BELOW`; empty without lines."""

    above: str = ""
    below: str = ""

    @classmethod
    def of(cls, labels: Mapping[str, str | None]) -> Self:
        """The text near the run that has these labels."""
        return cls(labels.get(LINES_ABOVE) or "", labels.get(LINES_BELOW) or "")


def may_have_captions_below(above_first_run: Sequence[str], below_last_run: Sequence[str]) -> bool:
    """Whether captions may be below their runs.

    Either no line is above the first run, or one that names nothing (``Here are my results:``). A line that names
    nothing may still be the title of a list of sentences, so then the line below the last run must be one word.
    """
    first = above_first_run[-1] if above_first_run else ""
    return not first or (has_only_common_words(_POSSESSIVE.sub("", first)) and len(below_last_run[-1].split()) == 1)


def lines_about_each_run(runs: Iterable[NearbyText]) -> list[tuple[list[str], bool]]:
    """The lines about each run of a source, the lines below it last, and whether lines about a run may be below it.

    Lines below a report that is a JSON object are found above the next run. The flag is set if the lines about this run
    or about the run before it were below.
    """
    found: list[tuple[list[str], bool]] = []
    before = ""
    for above, below in runs:
        lines = above.split(LINE_SEPARATOR) if above else []
        upwards = [line for line in lines if _ABOUT_RUN_ABOVE.match(line)]
        if found:
            found[-1][0].extend(_ABOUT_RUN_ABOVE.sub("", line) for line in upwards)
        own = [line for line in lines if line not in upwards]
        own += below.split(LINE_SEPARATOR) if below else []
        found.append((own, bool(upwards or before)))
        before = below
    return found


class NearbyLines:
    """Collects the lines above the next run of a document; ``below`` has those of them that are about the run before.

    A report and the trace of the measured program have the same lines above them, so the lines are kept twice.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.below: list[str] = []
        self._commands: set[str] = set()  # the commands among the lines
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
        self, line: str, printed_by: int | None = None, *, names_run: bool = False, is_command: bool = False
    ) -> bool:
        """Take in a line, unless it has only signs and numbers. The first line below a run starts a new collection.

        `printed_by`: the epoch of the processes, if the program of a command printed the line. `names_run`: the line
        surely says which run follows. `is_command`: the line is a command. Returns whether the line opens a section and
        lines above it close the section before.
        """
        if len(line) > _LONGEST:
            line = _nearest_part(line)
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
            self.lines, self.are_taken = [], False
            self._commands.clear()
        has_closed = self._close_section(line) if self._above_last and self.lines else False
        self.lines.append(line)
        if is_command:
            self._commands.add(line)
        del self.lines[:-_MOST_LINES]
        if _ABOUT_RUN_ABOVE.match(line):
            self.below.append(line)
            del self.below[:-_MOST_LINES]
        else:
            may_begin = (self.is_after_gap or names_run) and printed_by is None
            self._note_since_trace(line, printed_by, may_begin=may_begin)
            self.is_after_gap = False
        return has_closed

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
        has_all = 0 < len(self.lines) < _MOST_LINES and not self.are_taken
        if has_all and self.has_several_runs and self.above_first_run is not None:
            may_be_captions = may_have_captions_below([self.above_first_run], self.lines)
            self.below_last_run = self.lines if may_be_captions else []

    def take_below(self) -> str:
        """Return the lines about the run above, and forget them; empty if there are none."""
        below, self.below = self.below, []
        self.lines = [line for line in self.lines if line not in below]
        return LINE_SEPARATOR.join(_ABOUT_RUN_ABOVE.sub("", line) for line in below)

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


def _nearest_part(line: str) -> str:
    """The first words of a long line; of its last sentence, if that ends in a colon and would be lost.

    The stamp of a log is left out. Part of a word is left out, too: it may be half of a name.
    """
    prefix = longest_prefix(line)
    if prefix.stamp and not prefix.stream:
        line = line[prefix.end :].strip()
    last = _SENTENCE_END.split(line[_LONGEST:])[-1] if line[-1:] in (":", "：") else ""
    part = last if last and last != line[_LONGEST:] else line
    words, blank, _ = part[: _LONGEST + 1].rpartition(" ")
    return words if blank and len(part) > _LONGEST else part[:_LONGEST]


@dataclass
class _Message:
    """Lines that are equal except for some words, which are None in ``words``."""

    words: list[str | None]
    lines: list[list[str]]  # the words of some of the lines
    words_by_run: dict[int, list[str]] = field(default_factory=dict)  # by run, the words of the last such line above it
    directly_above: set[int] = field(default_factory=set)  # the runs that have such a line above them, none between
    is_sentence: bool = False
    varies_above_one_run: bool = False  # several different lines of the message are above one run

    def matches(self, words: Sequence[str]) -> bool:
        """Whether a line is another line of this message: at most some of its words differ from those of one line.

        The lines of a message together may differ in more: ``Testing kiwi pool``, ``Testing kiwi tls``, ``Testing emu
        tls``.
        """
        if len(words) != len(self.words) or words[0] != self.words[0]:
            return False
        most = min(_MOST_DIFFERING_WORDS, sum(not word or word not in _SIGN_WORDS for word in words) // 2)
        is_near = any(_count_differing(line, words) <= most for line in self.lines)
        return is_near and _count_differing(self.words, words) <= _MOST_DIFFERING_WORDS

    def add(self, words: list[str]) -> None:
        """Take in another line of this message."""
        self.words = [mine if mine == word else None for mine, word in zip(self.words, words, strict=True)]
        if len(self.lines) < _MOST_LINES and words not in self.lines:
            self.lines.append(words)

    def names_each_run(self) -> bool:
        """Whether the lines directly above runs are all different, and are one line or enough to show a pattern."""
        lines = [tuple(self.words_by_run.get(run, ())) for run in self.directly_above]
        return len(lines) == 1 or len(set(lines)) == len(lines) >= _FEWEST_NAMING

    def differing_words(self) -> dict[int, str]:
        """The words that differ, by run.

        They are one word if it distinguishes as many runs as all do; a commit only if no other word does. Of the
        arguments of a script each may be a variant of the ones before it, unless some are files.
        """
        places = [at for at, word in enumerate(self.words) if word is None]
        every = {run: " ".join(filter(None, (words[at] for at in places))) for run, words in self.words_by_run.items()}
        if _SCRIPT.fullmatch(self.words[0] or "") and all(map(_PLAIN_WORDS.fullmatch, every.values())):
            return every
        for at in sorted(
            places, key=lambda at: all(_COMMIT.fullmatch(words[at]) for words in self.words_by_run.values())
        ):
            # "without tls"
            wide = 2 if any(words[at].casefold() in _JOINING_WORDS for words in self.words_by_run.values()) else 1
            alone = {run: " ".join(words[at : at + wide]) for run, words in self.words_by_run.items()}
            if len(set(alone.values())) == len(set(every.values())):
                return alone
        return every


def _count_differing(words: Sequence[str | None], others: Sequence[str]) -> int:
    """The number of words that differ."""
    return sum(one != other for one, other in zip(words, others, strict=True))


def distinguishing_words(nearby: Mapping[int, NearbyText], sections: Mapping[int, str | None]) -> list[dict[int, str]]:
    """For each message above the runs of one source, in order: the words in which it differs, by run.

    Only messages that differ between runs are returned. Runs before the first line of a message are missing in its
    dict. A sentence holds for the runs of its section; a sentence that some runs of several sections lack is ignored.
    Sentences of several patterns that name the run below each are one message.
    """
    found: dict[tuple[int, ...], dict[int, str]] = {}  # the first message of each way to distinguish the runs
    named: dict[int, str] | None = None  # by sentences, each above its run
    for message in _group_messages(nearby, sections):
        if message.is_sentence and len(set(sections.values())) > 1 and message.words_by_run.keys() != nearby.keys():
            continue
        names = {
            run: name
            for run, said in message.differing_words().items()
            if (name := _strip_end_signs(_call_argument(said)))
        }
        names = _without_shared_folders(names)
        different = {name.casefold().removesuffix("s") for name in names.values()}  # "1 thread", "2 threads"
        are_commands = any(name.startswith("$ ") for name in names.values())  # "Terminal 2: $ dune build"
        if len(different) > 1 and not message.varies_above_one_run and not are_commands:
            if message.is_sentence and message.names_each_run():
                if named is not None and named.keys().isdisjoint(names):
                    named |= names
                    continue
                named = names if named is None else named
            numbers: dict[str, int] = {}
            first = found.setdefault(
                tuple(numbers.setdefault(names.get(run, ""), len(numbers)) for run in nearby), names
            )
            named = None if named is names and first is not names else named  # what is left out takes in no others
    return list(found.values())


def _call_argument(said: str) -> str:
    """The only argument of a call, as in the cell of a notebook: ``start("kiwi")`` → kiwi; other text unchanged."""
    call = _CALL.fullmatch(said)
    return call[2] if call else said


def _strip_end_signs(said: str) -> str:
    """A text without the signs at its ends; the bracket of ``nginx/1.18.0 (Ubuntu)`` stays."""
    stripped = said.strip(_END_SIGNS)
    return f"{stripped})" if stripped.count("(") > stripped.count(")") and f"{stripped})" in said else stripped


def _without_shared_folders(names: dict[int, str]) -> dict[int, str]:
    """Directories, as in prompts, without the folders that contain all of them: ``~/lab/kiwi``, ``\\lab\\emu``."""
    joint = "\\" if all(name.startswith("\\") for name in names.values()) else "/"
    if not all(name.startswith(("~/", joint)) for name in names.values()):
        return names
    levels = zip(*(name.split(joint)[:-1] for name in names.values()), strict=False)
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, levels))
    return {run: name.split(joint, shared)[-1] for run, name in names.items()}


def _group_messages(nearby: Mapping[int, NearbyText], sections: Mapping[int, str | None]) -> list[_Message]:
    """The messages above the runs of one source."""
    messages: list[_Message] = []
    current: dict[int, list[str]] = {}  # by message, the words of the last one
    runs = sorted(nearby)
    section = sections[runs[0]] if runs else None
    for run, (lines, upwards) in zip(runs, lines_about_each_run([nearby[run] for run in runs]), strict=True):
        if upwards:  # lines about this run may be below it
            current.clear()
        if sections[run] != section:
            section = sections[run]
            current = {kind: words for kind, words in current.items() if not messages[kind].is_sentence}
        above: dict[int, list[str]] = {}
        for line in map(without_change_mark, lines):
            if REPEAT.fullmatch(line) or _EDITOR_COMMAND.match(line):
                continue
            words = _words_of_line(line)
            kind = next((kind for kind, message in enumerate(messages) if message.matches(words)), len(messages))
            if kind < len(messages):
                messages[kind].add(words)
            elif kind < _MOST_MESSAGES and len(words) > 1:
                messages.append(_Message([*words], [words], is_sentence=is_sentence(line)))
            else:
                continue
            messages[kind].varies_above_one_run |= above.setdefault(kind, words) != words
            messages[kind].directly_above.add(run)
            current[kind] = words
        for kind, words in current.items():
            messages[kind].words_by_run[run] = words
    _end_messages_at_sentences(messages)
    return messages


def _words_of_line(line: str) -> list[str]:
    """The words in which a line is compared with others."""
    if _DIRECTORY.fullmatch(line):
        return ["", line]
    pair = _COLON_PAIR.fullmatch(line)
    words = _mask_counts(pair.groups() if pair else _WORDS.findall(line))
    is_script = bool(words) and _SCRIPT.fullmatch(words[0]) is not None
    # The calls of a script are one message, with any number of arguments.
    return words + [""] * (_MOST_ARGUMENTS + 1 - len(words)) if is_script else words


def _end_messages_at_sentences(messages: Sequence[_Message]) -> None:
    """Let no message hold for a run below a sentence that names only this run: the run may differ from the message.

    So may runs below sentences that are all different, if the message is never directly above such a run: ``I added
    kiwi and this is the result.``, ``I added emu and this is the result.`` below a run of moss.
    """
    naming = [message.directly_above for message in messages if message.is_sentence and message.names_each_run()]
    for message in messages:
        for named in naming:
            if len(named) == 1 or named.isdisjoint(message.directly_above):
                for run in named - message.directly_above:
                    message.words_by_run.pop(run, None)


def is_equal_without_counts(one: str, other: str) -> bool:
    """Whether two lines are equal without the words that count or date."""
    words, others = (_mask_counts(_WORDS.findall(line.casefold())) for line in (one, other))
    return words == others


def _mask_counts(words: Iterable[str]) -> list[str]:
    """Words, with an empty text for each that counts or dates. The word after a known name is a version: Go 1.22."""
    found: list[str] = []
    before = ""
    for printed in words:
        word = _DATE_OF_BUILD.sub("", printed)
        is_version = _VERSION.fullmatch(word) or (_TWO_NUMBERS.fullmatch(word) and is_known_name(before))
        is_unit = before[-1:].isdecimal() and _UNIT.fullmatch(word)
        found.append(word if is_version or not (is_unit or _is_count_or_date(word)) else "")
        before = word
    return found


def _is_count_or_date(word: str) -> bool:
    """Whether a word is a count, a date, a duration, an address or a number drawn at random."""
    return bool(_COUNT_OR_DATE.fullmatch(word) or _LONG_NUMBER.search(word))


@functools.lru_cache(maxsize=1024)  # a log repeats its lines
def _names_no_run(line: str) -> bool:
    """Whether a line surely names no run: signs and numbers, cells, the end of a server, a log message."""
    has_words = line[:1].isalpha() or any(map(str.isalpha, line)) or is_version(line)
    is_cell = _OF_A_TABLE.fullmatch(line) is not None
    return not has_words or is_cell or says_server_ended(line) or is_log_message(line)


def is_version(line: str) -> bool:
    """Whether a line is only the number of a version: ``5.9.1:``."""
    return _VERSION.fullmatch(line.strip("* ")) is not None
