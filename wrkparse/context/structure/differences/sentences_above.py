"""Labels runs that nothing else distinguishes by the text above them.

A sentence surely names nothing: ``Then I turned off keep-alive and ran it again:``. But runs of one source below
different sentences are not repeats of one setting, unless the text says so (``once more:``). The words in which the
sentences differ become their ``heading``.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, dropwhile, pairwise

from wrkparse.context.commands.programs import KNOWN_PROGRAMS
from wrkparse.context.nearby.counts_and_dates import is_equal_without_counts, is_version, mask_counts
from wrkparse.context.nearby.evidence import LINES_ABOVE, LINES_BELOW, NearbyText
from wrkparse.context.nearby.line_marks import is_marked_change, lines_about_each_run, without_change_mark
from wrkparse.context.nearby.log_messages import announces_next
from wrkparse.context.page.title_lines import is_message_or_result, is_repeat, repeated_names, without_progress
from wrkparse.context.slots.compounds import are_repeats_of_compound
from wrkparse.context.slots.places import FRAMEWORK, HEADING_KEYS, Place, SlotText, framework_of, setting_of
from wrkparse.context.slots.repeats import are_repeat_numbers
from wrkparse.context.structure.names.name_kinds import NameKind, kind_of_name
from wrkparse.context.structure.names.sentence_names import (
    sentence_names,
    shorten_names,
    text_written_by_sed,
    without_speaker,
    without_stamp,
)
from wrkparse.context.titles.decoration import undecorated, without_decoration
from wrkparse.context.titles.name_extraction import has_only_common_words, is_date, without_framework
from wrkparse.context.titles.titles import read_title

_MANY_RUNS = 4  # runs: the lines above so many runs may be any messages if all lines differ
_NAME = re.compile(r"[^\W\d_][\w.+#-]*(?: [^\W_][\w.+#-]*)?")  # a line of one or two words, which is not a sentence
_CONDITION_BEHIND = re.compile(r"\s?[(（][^()（）]{1,60}[)）][.:：]?\Z")
_REPEAT_NUMBER = re.compile(r"\A[#№] ?[0-9]{1,3}\Z")  # beside a framework: "kiwi#1"
_COLONS = (":", "：")
_COLON_SIGNS = "".join(_COLONS)
# Words for a change since the run before.
_CHANGE_WORD = re.compile(
    r"""\b(?:with|without|after|before|instead|now|rebuilt|rewrote|rewritten|(?:chang|switch|enabl|disabl|turn|remov
    |replac|upgrad|updat|increas|reduc|add|fix|patch|tun|optimi[sz]|recompil|revert)(?:ed|ing))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SAME_FOR = re.compile(r"\bsame\b.{1,40}\s(?:against|for|on|using)\s", re.IGNORECASE)  # "The same test for kiwi gives:"
# Commands that change a build or a configuration.
_EDIT_COMMAND = re.compile(
    r"""\A(?:git\s(?:am|apply|checkout|cherry-pick|merge|pull|rebase|reset|restore|revert|stash|switch)\b|patch\s|sed\s-i
    |(?:kubectl|oc)\s(?:apply|edit|patch|rollout|set)\b|helm\s(?:install|rollback|upgrade)\b
    |(?:emacs|nano|vim?)\s[^\s-]
    |(?:sudo\s)?(?:nginx\s-s\sreload|apache2?ctl\sgraceful|service\s\S{1,40}\sreload|systemctl\sreload\s))""",
    re.VERBOSE,
)
# Edits that change something else each time.
_REPEATABLE_EDIT = re.compile(r"\A(?:git\spull\b|(?:emacs|nano|vim?)\s[^\s-])")
# Commands that write or show a report: the file does not describe the run.
_WRITES_OR_SHOWS = re.compile(r"(?:tee|cat|tail|head|less|more)\s(?:-\S{1,9}\s(?:[0-9]{1,9}\s)?){0,3}\S{1,200}\Z")
_KERNEL_SETTING = re.compile(r">\s?/(?:proc|sys)/")
_REPLY_WORDS = re.compile(
    r"(?:(?:sure|yes|yep|yeah|ok|okay|done|thanks|sorry|wow|nice|hmm?|no problem|here you go)\W{0,5}(?!\w)){1,6}",
    re.IGNORECASE,
)
_WITH_OR_WITHOUT = re.compile(r"\bwith(?:out)? (?:it|that|them)\W*\Z", re.IGNORECASE)
_COMMIT = re.compile(r"commit [0-9a-f]{7,40}(?:\s\(.{1,60}\))?\Z")
_COMMIT_HEADER = re.compile(r"(?:Merge|Author|AuthorDate|Commit|CommitDate|Date):\s")
_PRINTED_NUMBER = re.compile(r"\W?[^\W\d_][\w-]{0,39}:\s{0,9}[0-9][0-9.,]{0,20}")  # of a loop: "allocated: 20"
# What sentences below it describe: "Case 2:", "Scenario B (cold): the cache is empty."
_CASE = re.compile(
    r"""((?:case|configuration|config|option|scenario|set-?up|variant|caso|cas|cenário|escenario|variante|вариант|случай)\s
        (?:\#|no\.?\s?)?(?:[0-9]{1,3}|[A-Z])
      |(?:案例|场景|場景|方案|用例|情况|ケース|シナリオ|パターン)\s?(?:[0-9]{1,3}|[A-Z]|[一二三四五六七八九十]))
    (?:\s?[(（][^()（）]{1,60}[)）])?(?:\Z|\s?[:：.。–—-])""",
    re.VERBOSE | re.IGNORECASE,
)
# Code, and "ana@ host:~/lab".
_CODE_OR_PROMPT = re.compile(
    r"\w\([^()]{0,80}[\"']|[{};(]\Z|=>|\A[\w.-]{1,40}@ \S{1,80}\Z|\A\"[\w./-]{1,80}\"\Z"
    r"|\A(?:import|include|package|require|use|using) \S{1,80}\Z|\A(?:from|import) \S{1,80} (?:as|from|import) \S"
    r"|\A(?:const|let|var|func|fn|def|class|return) \S"
)

_LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key
_Sentences = list[str]  # those of one run, the nearest last


def label_by_sentences_above(
    places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _LabelsOfRuns
) -> None:
    """Add a heading to the runs of one source that have the same labels and different sentences above them."""
    for runs in by_source.values():
        labels = places[runs[0]].labels
        if len(runs) < 2 or not (LINES_ABOVE in labels or LINES_BELOW in labels or "title" in labels):
            continue
        texts = [
            _text_around(places[at], found[at], None if before is None else places[before])
            for before, at in zip([None, *runs], runs, strict=False)
        ]
        if not any(map(any, texts)):
            continue
        sentences = _sentences_of_runs(texts, [places[at].section for at in runs])
        groups: dict[object, list[int]] = defaultdict(list)
        for number, at in enumerate(runs):
            groups[setting_of(places[at], found[at])].append(number)
        given: dict[int, SlotText] = {}
        for numbers in groups.values():
            nearest = _nearest_sentences([sentences[number] for number in numbers])
            if _describe_different_runs(nearest):
                names = sentence_names(filter(None, nearest))
                names |= _names_of_changes(names)
                sentence_of = {
                    number: sentence
                    for number, sentence in zip(numbers, nearest, strict=True)
                    if sentence and not _is_printed_number(sentence)
                }
                for number, sentence in sentence_of.items():
                    at = runs[number]
                    # The sentences above other frameworks are named alike.
                    rest = without_framework(names[sentence], framework_of(places[at], found[at]))
                    rest = " ".join(rest.split()) if any(map(str.isalnum, rest)) else names[sentence]
                    text = _REPEAT_NUMBER.sub("", rest)
                    given[at] = SlotText(text, sentence, "lead")
        given = _without_counts(runs, given)
        given |= _held_for_groups(runs, [framework_of(places[at], found[at]) for at in runs], given)
        keys: Sequence[str] = HEADING_KEYS
        if given and _are_names(given.values()) and not any(framework_of(places[at], found[at]) for at in runs):
            keys = (FRAMEWORK,)
            given |= _names_of_others(runs, sentences, given)
        for at, name in given.items():
            _add_label(places[at], found[at], name, keys)


def _names_of_changes(lines: Collection[str]) -> dict[str, str]:
    """The names of the lines that are commands that change something: what sed writes, or the command itself.

    Commands that write the same into several files keep their names.
    """
    commands = {line: without_change_mark(line) for line in lines}
    written = {command: text for command in commands.values() if (text := text_written_by_sed(command))}
    if len(set(written.values())) < len(written):
        written = {}
    changes = {line: command for line, command in commands.items() if is_marked_change(line)}
    short = shorten_names(changes.values())
    return {line: written.get(command) or short[command] for line, command in changes.items()}


def _without_counts(runs: Sequence[int], given: dict[int, SlotText]) -> dict[int, SlotText]:
    """The texts; none if they are numbers that a script prints with a leading 0, one more for each run: ``01_kiwi``."""
    texts = [given[at].value for at in runs if at in given]
    numbers = [int(text) for text in texts if text.isdecimal()]
    are_counts = len(numbers) == len(texts) and all(one < other for one, other in pairwise(numbers))
    return {} if are_counts and any(text.startswith("0") for text in texts) else given


def _is_printed_number(line: str) -> bool:
    """Whether a line is a number that a program prints, and no setting."""
    return _PRINTED_NUMBER.fullmatch(line) is not None and not read_title(line).settings


def _held_for_groups(
    runs: Sequence[int], frameworks: Sequence[str], given: Mapping[int, SlotText]
) -> dict[int, SlotText]:
    """The sentences that hold for the runs below them up to the next one: of groups of runs of the same frameworks.

    ``Plain:``, runs of kiwi and emu, ``8 pooled requests:``, runs of kiwi and emu: each sentence is above a kiwi only.
    """
    starts = [number for number, at in enumerate(runs) if at in given]
    if len(starts) < 2 or starts[0]:
        return {}
    groups = [slice(start, end) for start, end in zip(starts, [*starts[1:], len(runs)], strict=True)]
    first = frameworks[groups[0]]
    if len(set(first)) < max(len(first), 2) or any(frameworks[group] != first for group in groups):
        return {}
    return {at: given[runs[group.start]] for group in groups for at in runs[group]}


def _text_around(place: Place, found: Mapping[str, SlotText], before: Place | None) -> NearbyText:
    """The lines near a run, without a line below it that repeats its framework; its title if there are no lines.

    Empty if the run before (`before`) has the same title, too: the lines above that run are about both.
    """
    nearby = NearbyText.of(place.labels)
    if FRAMEWORK in found and nearby.below.casefold() == found[FRAMEWORK].value.casefold():
        nearby = nearby._replace(below="")
    is_same = before is not None and (before.title, before.section) == (place.title, place.section)
    return nearby if any(nearby) or is_same else NearbyText(place.title or "")


def _sentences_of_runs(texts: Sequence[NearbyText], sections: Sequence[str | None]) -> list[_Sentences]:
    """The sentences about each run; those about the run before if at most a date is between the two, and no heading."""
    found: list[_Sentences] = []
    about = _number_repeated_edits(lines_about_each_run(texts))
    everywhere = set.intersection(*(set(lines) for lines, _ in about))  # a prompt, say
    names = {line.rstrip(":： ").casefold() for lines, _ in about for line in lines if not is_repeat(line)}

    def is_again(line: str) -> bool:
        text = without_speaker(line)
        return is_repeat(text) and not repeated_names(text, names)

    for number, (of_run, upwards) in enumerate(about):
        lines = [without_stamp(line) for line in of_run if line not in everywhere and not is_date(line)]
        subject = _subject_of_commit(lines) or _case_of(lines)
        own = [subject] if subject else list(filter(_may_describe_run, lines))
        behind = list(dropwhile(lambda line: not is_again(line), lines))
        repeats = bool(behind) and all(is_again(line) or _REPLY_WORDS.fullmatch(line) for line in behind)
        goes_on = not upwards and (not lines or repeats)
        is_below_same = number > 0 and sections[number] == sections[number - 1]
        found.append(found[-1] if is_below_same and goes_on else own)
    return found


def _subject_of_commit(lines: Sequence[str]) -> str:
    """The first line of the message of a commit, as ``git log -1`` and ``git show`` print it; empty without one."""
    at = next((at for at, line in enumerate(lines) if _COMMIT.match(line)), len(lines))
    return next((line for line in lines[at + 1 :] if not _COMMIT_HEADER.match(line)), "")


def _case_of(lines: Sequence[str]) -> str:
    """The number of the case that lines describe: *Case 2* of ``Case 2:``, ``It opens late.``; empty without one."""
    cases = [match[1] for line in lines if (match := _CASE.match(undecorated(line)))]
    return cases[0] if len(cases) == 1 else ""


def _number_repeated_edits(about: list[tuple[list[str], bool]]) -> list[tuple[list[str], bool]]:
    """The lines about runs; a command with another change each time gets a number, from the second time on."""
    times: Counter[str] = Counter()
    found = []
    for lines, upwards in about:
        edits = {line for line in lines if _REPEATABLE_EDIT.match(without_change_mark(line))}
        times.update(edits)
        counted = [f"{line} ({times[line]})" if line in edits and times[line] > 1 else line for line in lines]
        found.append((counted, upwards))
    return found


def _nearest_sentences(sentences: Sequence[_Sentences]) -> list[str]:
    """The nearest sentence of each run among those that not all runs have; empty if there is none.

    Commands that edit come first, because other lines are their output. So are numbers that are printed below a name:
    ``kiwi:``, ``count: 163``. Lines that all runs have with other numbers, code and prompts come last.
    """
    common = set.intersection(*({line.casefold() for line in lines} for lines in sentences))
    own = [[line for line in reversed(lines) if line.casefold() not in common] for lines in sentences]
    counted = set.intersection(*(set(map(_without_counts_in, lines)) for lines in own))
    return [
        next(
            chain(
                filter(_is_edit_command, lines),
                filter(is_marked_change, lines),
                _name_above_numbers(lines),
                (
                    line
                    for line in lines
                    if not _CODE_OR_PROMPT.search(line) and _without_counts_in(line) not in counted
                ),
                (line for line in lines if not _CODE_OR_PROMPT.search(line)),
                lines,
            ),
            "",
        )
        for lines in own
    ]


@functools.lru_cache(maxsize=1024)  # each line is compared twice, and a page repeats its lines
def _without_counts_in(line: str) -> tuple[str, ...]:
    """The words of a line without those that count or date, and without marks of code; all of a key and its value."""
    words = line.replace("`", "").casefold().split()
    return tuple(words if ":" in line or "=" in line else mask_counts(words))


def _name_above_numbers(upwards: Sequence[str]) -> Iterator[str]:
    """The name with a colon that is above numbers that a program printed, if these are the nearest lines."""
    line = next(dropwhile(_is_printed_number, upwards), "")
    if line.endswith(_COLONS) and _is_name(line):
        yield line


def _is_edit_command(line: str) -> bool:
    """Whether a line is a command that changes a build or a configuration."""
    return _EDIT_COMMAND.match(without_change_mark(line)) is not None


def _may_describe_run(line: str) -> bool:
    """Whether a line may describe a run: not a message, a repeat, a short reply or a command that shows a report."""
    if is_marked_change(line):
        return True
    text = undecorated(without_speaker(line))
    if (is_message_or_result(text) and not announces_next(text)) or is_repeat(text) or _REPLY_WORDS.fullmatch(text):
        return False
    if _WRITES_OR_SHOWS.match(text):
        return False
    return any(
        (not has_only_common_words(text), _WITH_OR_WITHOUT.search(text), _EDIT_COMMAND.match(text), is_version(text))
    )


def _describe_different_runs(sentences: Sequence[str]) -> bool:
    """Whether sentences, in the order of their runs, are about different runs.

    A run without a sentence differs from later runs whose sentences report a change, or are names.
    """
    texts = sorted(set(filter(None, sentences)))
    if "" not in sentences and are_repeats_of_compound(texts):
        return False
    first_without = sentences.index("") if "" in sentences else len(sentences)
    later = sentences[first_without:]
    numbers = {read_title(text).numbers for text in texts if text.endswith(_COLONS)}  # a command has others
    return (
        any(
            _CHANGE_WORD.search(it)
            or _SAME_FOR.search(it)
            or is_marked_change(it)
            or _EDIT_COMMAND.match(it)
            or _is_name(it)
            or announces_next(it)
            or _CASE.match(it)
            for it in later
        )
        or any(_have_different_meaning(texts[0], text) for text in texts[1:])
        or (len(numbers) > 1 and not are_repeat_numbers(numbers))
    )


def _have_different_meaning(one: str, other: str) -> bool:
    """Whether two texts differ in more than counts or dates, or in their settings."""
    if any(tells(one) and tells(other) for tells in (is_marked_change, _is_edit_command, _KERNEL_SETTING.search)):
        return one != other
    if _CASE.match(one) and _CASE.match(other):
        return one != other
    one, other = without_progress(one), without_progress(other)
    first, second = read_title(one), read_title(other)
    if (first.repeat or second.repeat) and first[:2] == second[:2] and first.name:  # "kiwi", "kiwi, second batch:"
        return False
    return not is_equal_without_counts(one, other) or first.settings != second.settings


def _is_name(sentence: str) -> bool:
    """Whether a sentence is only a name, as a title is: ``kiwi:``."""
    name = undecorated(sentence).rstrip(":： ")
    return _NAME.fullmatch(name) is not None and kind_of_name(name) in (NameKind.KNOWN, NameKind.NAMES)


def _are_names(given: Collection[SlotText]) -> bool:
    """Whether the lines above runs are only names, as a script prints them with ``echo $1``, or ``Kiwi (reading):``.

    One of them must be above several runs: lines that are all different may be any messages. Lines with a colon are
    names if one is a known name: ``go:``, ``go kiwi:``.
    """
    different = {label.value for label in given}
    if len(different) < 2 or (len(different) == len(given) and len(given) >= _MANY_RUNS):
        return False
    signs = _COLON_SIGNS if NameKind.KNOWN in map(kind_of_name, different) else ""
    return all(
        label.value.casefold() == _CONDITION_BEHIND.sub("", without_decoration(label.text)).rstrip(signs).casefold()
        and _NAME.fullmatch(label.value)
        and (label.text.endswith(_COLONS) or label.value.split()[0] not in KNOWN_PROGRAMS)
        and kind_of_name(label.value) in (NameKind.KNOWN, NameKind.NAMES)
        for label in given
    )


def _names_of_others(
    runs: Sequence[int], sentences: Sequence[_Sentences], given: Mapping[int, SlotText]
) -> dict[int, SlotText]:
    """The only line above each other run that is a name or a state, where lines above runs are names: ``baseline``."""
    found: dict[int, SlotText] = {}
    for at, lines in zip(runs, sentences, strict=True):
        bare = [undecorated(line).rstrip(_COLON_SIGNS + " ") for line in lines if at not in given]
        names = [name for name in bare if _NAME.fullmatch(name) and kind_of_name(name) is not NameKind.OTHER]
        names = [name for name in names if name.split()[0] not in KNOWN_PROGRAMS]
        if len(names) == 1:
            found[at] = SlotText(names[0], names[0], "lead")
    return found


def _add_label(place: Place, labels: dict[str, SlotText], label: SlotText, keys: Sequence[str]) -> None:
    """Add a label under the first key that the run does not have."""
    key = next((key for key in keys if place.labels.get(key) is None and key not in labels), None)
    if label.value and key:
        labels[key] = label
