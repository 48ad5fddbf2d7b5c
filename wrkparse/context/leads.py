"""The lines around a run that are neither heading nor title: what a script or a server prints between runs, captions.

No form says which of them names what is measured: ``Now testing kiwi``, ``transport = nio``, ``HEAD is now at …``.
Their siblings do: lines that agree but for a word or two are one message. Where these words differ between the runs of
a source, they tell the runs apart. A message holds until the next one of its kind (the idea of log templates: He et
al., "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple, Self

from wrkparse.context.chatter import finished_name, has_ended, is_chatter
from wrkparse.context.section_ends import closing
from wrkparse.context.titles.names import is_known_name
from wrkparse.context.titles.reduction import is_sentence
from wrkparse.context.titles.spans import REPEAT
from wrkparse.context.titles.vocabulary import DURATION_NOUNS, TIME_WORDS
from wrkparse.model.records import Label

ABOVE = "above"  # the label of these lines
BELOW = "below"  # the label of captions, and of lines of a chat that point up: "^ that is kiwi"
BELOW_LAST = "below_last"  # the label of the lines below the last run of a section whose first run has none above it
ARGUMENTS = "arguments"  # the label of what a program was given without an option's name, as a shell quotes it
RESTARTED = "restarted"  # the label of the unit that a service manager restarted: a name if there are several
LOOP = "shell_loop"  # the label of the loop of a shell that a run is of: its line, and its text
MATERIAL = frozenset(
    {ABOVE, BELOW, BELOW_LAST, ARGUMENTS, RESTARTED, LOOP}
)  # labels of which siblings make others; nothing is compared by them
SEPARATOR = "\n"
_MOST_LINES = 8  # above a run; those nearest to it
_LONGEST = 100  # characters of a line
_MOST_KINDS = 40  # of messages in one source; a log of a server has more, and none of them names a run
_MOST_WORDS = 3  # of a message that differ

_SIGNS = "=:,;|\"'(){}<>[]"  # each is a word by itself
_OTHERS = re.escape(_SIGNS)
_WORDS = re.compile(rf"[a-z]{{2,9}}://[^\s,;|\"'(){{}}<>]+|[^\s{_OTHERS}]+|[{_OTHERS}]", re.IGNORECASE)
# What numbers or dates a message, is drawn at random, or is a person: it tells runs apart that are repeats. Addresses
# have labels of their own.
_TWO_PARTS = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_COUNTED = re.compile(
    r"@\w[\w-]{0,39}|[\W_]*(?:[0-9][0-9.,:/+-]*[A-Za-zµ%]{0,3}|[0-9a-f]{12,64}|[0-9a-f-]{32,36}|0x[0-9a-f]+"
    rf"|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T\S*|[a-z]{{2,9}}://\S+|{TIME_WORDS}|{DURATION_NOUNS})[\W_]*",
    re.IGNORECASE,
)
# A version, which tells runs apart: three numbers, so it is no address, no date and no decimal.
_VERSION = re.compile(r"v?[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?:-[a-z0-9][a-z0-9.]{0,20})?[:：]?")
_PAIR = re.compile(r"([^\w\s]?\s?\w[\w .-]{0,30}?)\s?[:=]\s{1,4}(\S.*)")  # "- Algorithm: round robin"
_UPWARDS = re.compile(r"\A(?:\^+|↑+|⬆\S{0,2})\s*(?=\w)")  # of a chat: the line is about the run above it
_EDITOR = re.compile(r"(?:emacs|nano|vim?)\s")  # the file that is edited is no name of what is measured
_JOINTS = frozenset("with without no not and or w/o".split())  # such a word says something with the next one only
_CALL = re.compile(r"""(?:\w{1,40}\s?=\s?)?[\w.]{1,60}\(\s?(["'])([^"'(),]{1,60})\1\)?[;.]?""")
_CHANGE = "$ "  # in front of a command that changes the runs below it, whatever it is
_EDGES = " .…,;:!()[]"
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_IDENTIFIER = re.compile(r"[0-9]{5}")


def as_change(line: str) -> str:
    """A command as one that changes the runs below it."""
    return line if is_change(line) else f"{_CHANGE}{line}"


def is_change(line: str) -> bool:
    """Whether a line is a command that changes the runs below it."""
    return line.startswith(_CHANGE)


def without_prompt(line: str) -> str:
    """A line without the sign of a command that changes the runs below it."""
    return line.removeprefix(_CHANGE)


def point_up(line: str) -> str:
    """A line as one about the run above it."""
    return f"^ {line}"


class Surroundings(NamedTuple):
    """The labels `ABOVE` and `BELOW` of a run; empty where it has none."""

    above: str = ""
    below: str = ""

    @classmethod
    def of(cls, labels: Mapping[str, str | None]) -> Self:
        """Those of a run with these labels."""
        return cls(labels.get(ABOVE) or "", labels.get(BELOW) or "")


def may_be_below(above_first: Sequence[str], below_last: Sequence[str]) -> bool:
    """Whether captions may be below their runs: nothing is above the first run, or a sentence where they are words."""
    first = above_first[-1] if above_first else ""
    return not first or (len(first.split()) > 1 and len(below_last[-1].split()) == 1)


def about_each(runs: Iterable[Surroundings]) -> list[tuple[list[str], bool]]:
    """The lines that are about each run of a source; those below it come last.

    Of a report that is an object of JSON, what points up stands above the next run. The flag tells that what is about
    the run itself may stand below it, as it does for the run before.
    """
    found: list[tuple[list[str], bool]] = []
    before = ""
    for above, below in runs:
        lines = above.split(SEPARATOR) if above else []
        upwards = [line for line in lines if _UPWARDS.match(line)]
        if found:
            found[-1][0].extend(_UPWARDS.sub("", line) for line in upwards)
        own = [line for line in lines if line not in upwards]
        own += below.split(SEPARATOR) if below else []
        found.append((own, bool(upwards or before)))
        before = below
    return found


class Lead:
    """The lines above the next run of a document; those of them that are about the run before are ``below`` that.

    A report and the trace of the program that it is about have the same lines above them, so those are kept twice.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.below: list[str] = []
        self._typed: set[str] = set()  # those of the lines that are commands
        self._taken = False  # a report has them
        self._above_last: list[str] = []  # the lines above the last run that has some
        self._since_trace: list[tuple[str, int | None]] = []
        self._above_trace = ""
        self._process: tuple[int, int] | None = None  # epoch and part of the processes whose traces have the lines
        self.parts = 0  # of the document, between which traces stand
        self.has_report = False  # one stands above the next line
        # "kiwi done" stands above the first report: such lines say what was prepared for the run below them.
        self._ends_stand_above = False
        self.is_parted = True  # an empty line or a report stands above the next line
        self.above_first: str | None = None  # the line above the first report of the section; None: it has none yet
        self.has_several = False  # the section has more reports than one
        self.below_last: list[str] = []  # the lines below the last report of a section, if they may name reports

    def note(self, line: str, printed_by: int | None = None, *, is_told: bool = False, is_typed: bool = False) -> bool:
        """Take in a line; the first one below a run begins anew. Signs and numbers alone say nothing.

        `printed_by` is the epoch of the processes, if a command's program printed the line. `is_told`: it is known to
        say what the run is. `is_typed`: it is a command. Returns whether the line opens a section, and those above it
        close the one before.
        """
        line = line[:_LONGEST]
        may_be_finished = not is_told and ("one" in line or "inished" in line or "hat was" in line)
        name = finished_name(line) if may_be_finished else ""
        if name and not self.has_report:
            self._ends_stand_above = True
        if name and not self._ends_stand_above:
            line = point_up(name)
        elif not is_told and (not _says_something(line) or has_ended(line) or is_chatter(line)):
            return False
        if self._taken:
            self.lines, self._taken = [], False
            self._typed.clear()
        has_closed = self._close(line) if self._above_last and self.lines else False
        self.lines.append(line)
        if is_typed:
            self._typed.add(line)
        del self.lines[:-_MOST_LINES]
        if _UPWARDS.match(line):
            self.below.append(line)
            del self.below[:-_MOST_LINES]
        else:
            if (self.is_parted or is_told) and printed_by is None and not self._since_trace:
                self.parts += 1
            self.is_parted = False
            self._since_trace.append((line, printed_by))
            del self._since_trace[:-_MOST_LINES]
        return has_closed

    def _close(self, opening: str) -> bool:
        """Forget the lines that close the section of the runs above, before the line that opens the next section."""
        if not (closed := closing(self.lines, self._above_last, opening)):
            return False
        self.lines = [line for line in self.lines if line not in closed]
        self._since_trace = [noted for noted in self._since_trace if noted[0] not in closed]
        return True

    def mark_changes(self) -> None:
        """Note that what was typed since the run above changes the runs below: the server was started anew."""
        if not self._taken:
            self.lines = [as_change(line) if line in self._typed else line for line in self.lines]

    def is_about_run_above(self, line: str) -> bool:
        """Whether a line says what the runs above it were, as a script does: ``kiwi done``."""
        return self.has_report and not self._ends_stand_above and bool(finished_name(line))

    def forget(self) -> None:
        """Forget the lines above: a heading stands below them. Those that point up are about the run before."""
        if self.lines and not self._taken:
            self.end_section()
        self.lines, self._taken, self.above_first, self.has_several = [], False, None, False
        self._since_trace, self._process = [], None

    def end_section(self) -> None:
        """Keep the lines below the section's last report, if those between its reports may name the ones above them."""
        if self.lines and not self._taken and self.above_first is not None and self.has_several:
            few = len(self.lines) < _MOST_LINES
            self.below_last = self.lines if few and may_be_below([self.above_first], self.lines) else []

    def take_below(self) -> str:
        """The lines that point up to the run above them, which has them from now on; empty if there are none."""
        below, self.below = self.below, []
        self.lines = [line for line in self.lines if line not in below]
        return SEPARATOR.join(_UPWARDS.sub("", line) for line in below)

    def take(self, titles: Sequence[Label]) -> str:
        """The lines above a run that begins here; none if it follows another directly.

        A single line is none if it is a title already, one of the labels `titles`.
        """
        self.below = []
        if self._taken:
            return ""
        self._taken = True
        self._above_last = self.lines or self._above_last
        if len(self.lines) == 1 and any(label.key == "title" and label.value in self.lines[0] for label in titles):
            return ""
        return SEPARATOR.join(self.lines)

    def of_process(self, epoch: int) -> str:
        """The lines above the traces of a process: those since the traces of the process before.

        `epoch` is another one where another process may have begun. What programs before it printed is about those.
        """
        if self._process != (epoch, self.parts):
            own = [line for line, printed_by in self._since_trace if printed_by in (None, epoch)]
            self._process, self._above_trace = (epoch, self.parts), SEPARATOR.join(own)
            self._since_trace = []
            self._above_last = own or self._above_last
        return self._above_trace


@dataclass
class _Message:
    """Lines that agree but for some words, which are None in ``words``."""

    words: list[str | None]
    said: dict[int, list[str]] = field(default_factory=dict)  # by run, the words of the last such line above it
    directly: set[int] = field(default_factory=set)  # the runs that have such a line above them, none between
    is_sentence: bool = False
    is_log: bool = False  # several different ones stand above one run

    def takes(self, words: Sequence[str]) -> bool:
        """Whether a line is one more of this kind, at most some of whose words differ."""
        if len(words) != len(self.words) or words[0] != self.words[0]:
            return False
        differing = sum(own is None or own != word for own, word in zip(self.words, words, strict=True))
        return differing <= min(_MOST_WORDS, sum(not word or word not in _SIGNS for word in words) // 2)

    def names(self) -> dict[int, str]:
        """What differs, by run: one word if it tells as many apart as all do; a commit only if no other does."""
        places = [at for at, word in enumerate(self.words) if word is None]
        every = {run: " ".join(filter(None, (words[at] for at in places))) for run, words in self.said.items()}
        for at in sorted(places, key=lambda at: all(_COMMIT.fullmatch(words[at]) for words in self.said.values())):
            wide = 2 if any(words[at].casefold() in _JOINTS for words in self.said.values()) else 1  # "without tls"
            alone = {run: " ".join(words[at : at + wide]) for run, words in self.said.items()}
            if len(set(alone.values())) == len(set(every.values())):
                return alone
        return every


def told_apart(leads: Mapping[int, Surroundings], sections: Mapping[int, str | None]) -> list[dict[int, str]]:
    """What each kind of message says above the runs of one source, in their order: the words that differ, by run.

    Only kinds that say different things are returned; a run in front of the first message of a kind is absent. A
    sentence is about runs of its section; one that some runs of several sections lack is a remark.
    """
    found: dict[tuple[int, ...], dict[int, str]] = {}  # by how runs are told apart; the first message of each way
    for message in _messages(leads, sections):
        if message.is_sentence and len(set(sections.values())) > 1 and message.said.keys() != leads.keys():
            continue
        names = {run: name for run, said in message.names().items() if (name := _without_edges(_quoted(said)))}
        names = _without_shared_folders(names)
        different = {name.casefold().removesuffix("s") for name in names.values()}  # "1 thread", "2 threads"
        are_commands = any(name.startswith("$ ") for name in names.values())  # "Terminal 2: $ dune build"
        if len(different) > 1 and not message.is_log and not are_commands:
            numbers: dict[str, int] = {}
            found.setdefault(tuple(numbers.setdefault(names.get(run, ""), len(numbers)) for run in leads), names)
    return list(found.values())


def _quoted(said: str) -> str:
    """The one argument of a call in code, as in a notebook's cell: ``start("kiwi")`` → kiwi; else all that is said."""
    call = _CALL.fullmatch(said)
    return call[2] if call else said


def _without_edges(said: str) -> str:
    """What is said without the signs at its ends; the bracket of ``nginx/1.18.0 (Ubuntu)`` stays."""
    stripped = said.strip(_EDGES)
    return f"{stripped})" if stripped.count("(") > stripped.count(")") and f"{stripped})" in said else stripped


def _without_shared_folders(names: dict[int, str]) -> dict[int, str]:
    """Directories, as prompts have them, without the folders that all are in: ``~/lab/kiwi``, ``\\lab\\emu``."""
    joint = "\\" if all(name.startswith("\\") for name in names.values()) else "/"
    if not all(name.startswith(("~/", joint)) for name in names.values()):
        return names
    levels = zip(*(name.split(joint)[:-1] for name in names.values()), strict=False)
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, levels))
    return {run: name.split(joint, shared)[-1] for run, name in names.items()}


def _messages(leads: Mapping[int, Surroundings], sections: Mapping[int, str | None]) -> list[_Message]:
    """The kinds of messages above the runs of one source."""
    messages: list[_Message] = []
    current: dict[int, list[str]] = {}  # by message, the words of the last one
    runs = sorted(leads)
    section = sections[runs[0]] if runs else None
    for run, (lines, upwards) in zip(runs, about_each([leads[run] for run in runs]), strict=True):
        if upwards:  # what is about this run may stand below it
            current.clear()
        if sections[run] != section:
            section = sections[run]
            current = {kind: words for kind, words in current.items() if not messages[kind].is_sentence}
        above: dict[int, list[str]] = {}
        for line in map(without_prompt, lines):
            if REPEAT.fullmatch(line) or _EDITOR.match(line):
                continue
            pair = _PAIR.fullmatch(line)
            words = _masked(pair.groups() if pair else _WORDS.findall(line))
            kind = next((kind for kind, message in enumerate(messages) if message.takes(words)), len(messages))
            if kind < len(messages):
                own = messages[kind].words
                messages[kind].words = [mine if mine == word else None for mine, word in zip(own, words, strict=True)]
            elif kind < _MOST_KINDS and len(words) > 1:
                messages.append(_Message([*words], is_sentence=is_sentence(line)))
            else:
                continue
            messages[kind].is_log |= above.setdefault(kind, words) != words
            messages[kind].directly.add(run)
            current[kind] = words
        for kind, words in current.items():
            messages[kind].said[run] = words
    _end_by_sentences(messages)
    return messages


def _end_by_sentences(messages: Sequence[_Message]) -> None:
    """Let a message hold for a run only if no sentence of its own stands above that: it may say something else."""
    told = set().union(
        *(message.directly for message in messages if message.is_sentence and len(message.directly) == 1)
    )
    for message in messages:
        for run in told - message.directly:
            message.said.pop(run, None)


def is_of_one_kind(one: str, other: str) -> bool:
    """Whether two lines differ in nothing but what counts or dates."""
    words, others = (_masked(_WORDS.findall(line.casefold())) for line in (one, other))
    return words == others


def _masked(words: Iterable[str]) -> list[str]:
    """Words, with nothing in place of those that count or date. Behind a known name stands its version: Go 1.22."""
    found: list[str] = []
    before = ""
    for word in words:
        is_version = _VERSION.fullmatch(word) or (_TWO_PARTS.fullmatch(word) and is_known_name(before))
        found.append(word if is_version or not _is_counted(word) else "")
        before = word
    return found


def _is_counted(word: str) -> bool:
    return bool(_COUNTED.fullmatch(word) or _IDENTIFIER.search(word))


def _says_something(line: str) -> bool:
    """Whether a line has words, or is a version."""
    return any(map(str.isalpha, line)) or is_version(line)


def is_version(line: str) -> bool:
    """Whether a line is the number of a version alone: ``5.9.1:``."""
    return _VERSION.fullmatch(line.strip("* ")) is not None
