"""Finds the words in which the lines near the runs of a source differ: messages of scripts and servers, and captions.

The form of a line does not show whether it names the thing that is measured: ``Now testing kiwi``,
``transport = nio``, ``HEAD is now at …``. Its siblings do. Lines that are equal except for a word or two are one
message. If these words differ between the runs of a source, they distinguish the runs. A message holds until the next
line of the same message (the idea of log templates: He et al., "Drain: An Online Log Parsing Approach with Fixed Depth
Tree", ICWS 2017).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from wrkparse.context.nearby.counts_and_dates import SIGN_WORDS, WORD_OR_SIGN, mask_counts
from wrkparse.context.nearby.evidence import NearbyText
from wrkparse.context.nearby.line_marks import lines_about_each_run, without_change_mark
from wrkparse.context.titles.name_extraction import is_sentence
from wrkparse.context.titles.settings.setting_extraction import REPEAT

_MOST_MESSAGES = 40  # messages of one source; the log of a server has more, and none of them names a run
_MOST_ARGUMENTS = 7  # of a script whose calls are compared, whatever the number of their arguments
_MOST_KEPT = 8  # different lines of a message; bounds memory
_MOST_DIFFERING_WORDS = 3  # words in which the lines of one message may differ
_COLON_PAIR = re.compile(r"([^\w\s]?\s?\w[\w .-]{0,30}?)\s?[:=]\s{1,4}(\S.*)")  # "- Algorithm: round robin"
_EDITOR_COMMAND = re.compile(r"(?:emacs|nano|vim?)\s")  # the edited file does not name the framework
# Words that mean something only with the next word.
_JOINING_WORDS = frozenset("with without no not and or w/o".split())
_CALL = re.compile(r"""(?:\w{1,40}\s?=\s?)?[\w.]{1,60}\(\s?(["'])([^"'(),]{1,60})\1\)?[;.]?""")
_FEWEST_NAMING = 3  # sentences of one pattern that name the run below each
_SWITCHES = frozenset("true false on off yes no enabled disabled".split())  # they say nothing without their key
# A line of source code that a page shows: "const kiwi = Kiwi({"; not an object of JSON, which a script prints.
_CODE = re.compile(r"[^\s{].{0,200}(?:[{;]|\{.{0,200}\}\))")
_END_SIGNS = " .…,;:!()[]`"
_SCRIPT = re.compile(r"\.{0,2}/[^/\s]\S{0,80}|\S{1,80}\.(?:sh|bash|py|js|rb|pl)")  # "./bench.sh kiwi pool"
_PLAIN_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_DIRECTORY = re.compile(r"(?:~|/[\w.@+-]{1,60})(?:/[\w.@+-]{1,60}){1,20}")  # a line that is only this: a prompt
_SUBSTITUTION = re.compile(
    r"(?<=['\"\s])s([/|#,])(?:\\.|(?!\1).){1,100}\1((?:\\.|(?!\1).){0,100})\1[a-zA-Z]{0,3}(?=['\"\s])"
)
_RELATIVE_CD = re.compile(r"\Acd (?:\.{1,2}/)+(?=\w)")
_END = re.compile(
    r"(?:clos|delet|destroy|disabl|drop|end|exit|finish|halt|kill|leav|quitt?|remov|shutt|stopp?|terminat|undeploy"
    r"|uninstall|unload)(?:e|ed|ing)?\Z",
    re.IGNORECASE,
)
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


@dataclass
class _Message:
    """Lines that are equal except for some words, which are None in ``words``."""

    words: list[str | None]
    lines: list[list[str]]  # the words of some of the lines
    words_by_run: dict[int, list[str]] = field(default_factory=dict)  # by run, the words of the last such line above it
    directly_above: set[int] = field(default_factory=set)  # the runs that have such a line above them, none between
    is_sentence: bool = False
    is_code: bool = False
    varies_above_one_run: bool = False  # several different lines of the message are above one run

    def matches(self, words: Sequence[str]) -> bool:
        """Whether a line is another line of this message: at most some of its words differ from those of one line.

        The lines of a message together may differ in more: ``Testing kiwi pool``, ``Testing kiwi tls``, ``Testing emu
        tls``.
        """
        if len(words) != len(self.words) or words[0] != self.words[0]:
            return False
        most = min(_MOST_DIFFERING_WORDS, sum(not word or word not in SIGN_WORDS for word in words) // 2)
        is_near = any(_count_differing(line, words) <= most for line in self.lines)
        return is_near and _count_differing(self.words, words) <= _MOST_DIFFERING_WORDS

    def add(self, words: list[str]) -> None:
        """Take in another line of this message."""
        self.words = [mine if mine == word else None for mine, word in zip(self.words, words, strict=True)]
        if len(self.lines) < _MOST_KEPT and words not in self.lines:
            self.lines.append(words)

    def tells_of_end(self) -> bool:
        """Whether the lines say that something ends: ``killing emu``."""
        return _END.match(self.words[0] or "") is not None

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
            if (
                at > 1
                and self.words[at - 1] == "="
                and all(_strip_end_signs(word) in _SWITCHES for word in alone.values())
            ):
                alone = {run: f"{self.words[at - 2]}={word}" for run, word in alone.items()}  # "logging=true"
            if len(set(alone.values())) == len(set(every.values())):
                return alone
        return every


def _count_differing(words: Sequence[str | None], others: Sequence[str]) -> int:
    """The number of words that differ."""
    return sum(one != other for one, other in zip(words, others, strict=True))


def distinguishing_words(nearby: Mapping[int, NearbyText], sections: Mapping[int, str | None]) -> list[dict[int, str]]:
    """For each message above the runs of one source, in order: the words in which it differs, by run.

    Only messages that differ between runs are returned. Runs before the first line of a message are missing in its
    dict. A sentence or a line of code holds for the runs of its section; a sentence that some runs of several sections
    lack is ignored. Sentences of several patterns that name the run below each are one message. A message that tells of
    an end is ignored if another one distinguishes the runs alike: ``killing emu`` and ``starting kiwi``.
    """
    found: dict[tuple[int, ...], tuple[_Message, dict[int, str]]] = {}  # by the way to distinguish the runs
    named: dict[int, str] | None = None  # by sentences, each above its run
    for message, names in _merge_messages_of_same_names(_naming_messages(nearby, sections), sorted(nearby)):
        if message.is_sentence and message.names_each_run():
            if named is not None and named.keys().isdisjoint(names):
                named |= names
                continue
            named = names if named is None else named
        numbers: dict[str, int] = {}
        way = tuple(numbers.setdefault(names.get(run, ""), len(numbers)) for run in nearby)
        first, known = found.setdefault(way, (message, names))
        named = None if named is names and known is not names else named  # what is left out takes in no others
        if first.tells_of_end() and not message.tells_of_end():
            found[way] = message, names
    return [names for _, names in found.values()]


def _naming_messages(
    nearby: Mapping[int, NearbyText], sections: Mapping[int, str | None]
) -> Iterator[tuple[_Message, dict[int, str]]]:
    """The messages that differ between runs, each with the words in which it differs, by run."""
    for message in _group_messages(nearby, sections):
        if message.is_sentence and len(set(sections.values())) > 1 and message.words_by_run.keys() != nearby.keys():
            continue
        names = {
            run: name
            for run, words in message.differing_words().items()
            if (name := _strip_end_signs(_call_argument(words)))
        }
        names = _without_shared_folders(names)
        are_commands = any(name.startswith("$ ") for name in names.values())  # "Terminal 2: $ dune build"
        if len(_different_names(names)) > 1 and not message.varies_above_one_run and not are_commands:
            yield message, names


def _different_names(names: Mapping[int, str]) -> set[str]:
    return {name.casefold().removesuffix("s") for name in names.values()}  # "1 thread", "2 threads"


def _merge_messages_of_same_names(
    messages: Iterable[tuple[_Message, dict[int, str]]], runs: Sequence[int]
) -> list[tuple[_Message, dict[int, str]]]:
    """Messages with their names; those that differ in the same names are one, which holds until the next of any.

    ``warming up kiwi...`` and ``run 1 kiwi...``: a run below ``warming up emu...`` is not of kiwi, although no ``run 1
    emu...`` was printed yet. Messages that say two names above one run are about two things.
    """
    found: list[tuple[_Message, dict[int, str]]] = []
    for message, names in messages:
        for at, (first, known) in enumerate(found):
            if any(one.is_sentence and one.names_each_run() for one in (first, message)):
                continue
            if _different_names(names) != _different_names(known):
                continue
            if (both := _nearest_names([(first, known), (message, names)], runs)) is not None:
                first.directly_above |= message.directly_above
                found[at] = first, both
                break
        else:
            found.append((message, names))
    return found


def _nearest_names(messages: Sequence[tuple[_Message, dict[int, str]]], runs: Sequence[int]) -> dict[int, str] | None:
    """The name that is nearest above each run; None if several are directly above one."""
    nearest: dict[int, str] = {}
    last = ""
    for run in runs:
        above = {names[run] for message, names in messages if run in message.directly_above and run in names}
        if len(above) > 1:
            return None
        last = next(iter(above), last)
        if last and any(run in names for _, names in messages):
            nearest[run] = last
    return nearest


def _call_argument(words: str) -> str:
    """The only argument of a call, as in the cell of a notebook: ``start("kiwi")`` → kiwi; other text unchanged."""
    call = _CALL.fullmatch(words)
    return call[2] if call else words


def _strip_end_signs(words: str) -> str:
    """A text without the signs at its ends; the bracket of ``nginx/1.18.0 (Ubuntu)`` stays."""
    stripped = words.strip(_END_SIGNS)
    return f"{stripped})" if stripped.count("(") > stripped.count(")") and f"{stripped})" in words else stripped


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
            current = {
                kind: words
                for kind, words in current.items()
                if not (messages[kind].is_sentence or messages[kind].is_code)
            }
        above: dict[int, list[str]] = {}
        for line in map(without_change_mark, lines):
            if REPEAT.fullmatch(line) or _EDITOR_COMMAND.match(line):
                continue
            words = _words_of_line(line)
            kind = next((kind for kind, message in enumerate(messages) if message.matches(words)), len(messages))
            if kind < len(messages):
                messages[kind].add(words)
            elif kind < _MOST_MESSAGES and len(words) > 1:
                is_code = _CODE.fullmatch(line) is not None
                messages.append(_Message([*words], [words], is_sentence=is_sentence(line), is_code=is_code))
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
    line = _RELATIVE_CD.sub("cd ", line)
    if "sed " in line:  # what a command of sed wrote, not what was there before
        line = _SUBSTITUTION.sub(r"\2", line)
    pair = _COLON_PAIR.fullmatch(line)
    words = mask_counts(pair.groups() if pair else WORD_OR_SIGN.findall(line))
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
