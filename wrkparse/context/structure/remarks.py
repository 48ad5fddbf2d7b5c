"""Runs that nothing else tells apart, by the text above them: ``Then I turned off keep-alive and ran it again:``.

A sentence names nothing for sure. But runs of one source that stand below different ones are no repeats of one setting
either, unless the text says so (``once more:``). What varies between them is their ``heading``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, dropwhile

from wrkparse.context.chatter import tells_of_next
from wrkparse.context.commands.programs import KNOWN_PROGRAMS
from wrkparse.context.leads import (
    ABOVE,
    BELOW,
    Surroundings,
    about_each,
    is_change,
    is_of_one_kind,
    is_version,
    without_prompt,
)
from wrkparse.context.page.title_lines import is_message, is_repeat, name_again
from wrkparse.context.slots.name_kinds import Kind, kind_of_name
from wrkparse.context.slots.repeats import count_repeats
from wrkparse.context.slots.siblings import FRAMEWORK
from wrkparse.context.slots.slots import Place, SlotText, setting_of
from wrkparse.context.structure.remark_names import cut, names_of, without_speaker
from wrkparse.context.titles.reduction import beside, says_nothing
from wrkparse.context.titles.titles import read_title, without_decoration, without_type

_MANY = 4  # runs, each below a line of its own, that may be any messages
_NAME = re.compile(r"[^\W\d_][\w.+#-]*(?: [^\W_][\w.+#-]*)?")  # a line of a word or two, and no sentence
_KEYS = ("heading", "heading_2", "heading_3", "heading_4")
# What tells that something differs from a run before, of which nothing is said.
_CHANGE = re.compile(
    r"""\b(?:with|without|after|before|instead|now|rebuilt|rewrote|rewritten|(?:chang|switch|enabl|disabl|turn|remov
    |replac|upgrad|updat|increas|reduc|add|fix|patch|tun|optimi[sz]|recompil|revert)(?:ed|ing))\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Commands that change what is built or configured.
_EDIT = re.compile(
    r"""\A(?:git\s(?:am|apply|checkout|cherry-pick|merge|pull|rebase|reset|restore|revert|stash|switch)\b|patch\s|sed\s-i
    |(?:kubectl|oc)\s(?:apply|edit|patch|rollout|set)\b|helm\s(?:install|rollback|upgrade)\b
    |(?:emacs|nano|vim?)\s[^\s-])""",
    re.VERBOSE,
)
# Of them, those that change something else each time.
_ANY_EDIT = re.compile(r"\A(?:git\spull\b|(?:emacs|nano|vim?)\s[^\s-])")
# Commands that write or show a report: where to says nothing of the run.
_WRITES_OR_SHOWS = re.compile(r"(?:tee|cat|tail|head|less|more)\s(?:-\S{1,9}\s(?:[0-9]{1,9}\s)?){0,3}\S{1,200}\Z")
_KERNEL_SETTING = re.compile(r">\s?/(?:proc|sys)/")
_ASSENT = re.compile(
    r"(?:(?:sure|yes|yep|yeah|ok|okay|done|thanks|sorry|wow|nice|hmm?|no problem|here you go)\W{0,5}(?!\w)){1,6}",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"\bwith(?:out)? (?:it|that|them)\W*\Z", re.IGNORECASE)
_IDLE = re.compile(r"\w\([^()]{0,80}[\"']|[{};]\Z|=>|\A[\w.-]{1,40}@ \S{1,80}\Z")  # code, "ana@ host:~/lab"

_Found = Sequence[dict[str, SlotText]]  # by run, the labels by key
_Remarks = list[str]  # of one run, the nearest last


def label_remarks(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: _Found) -> None:
    """Give a heading to the runs of one source that have the same labels and different remarks above them."""
    for runs in by_source.values():
        labels = places[runs[0]].labels
        if len(runs) < 2 or not (ABOVE in labels or BELOW in labels or "title" in labels):
            continue
        said = [
            _said(places[at], found[at], None if before is None else places[before])
            for before, at in zip([None, *runs], runs, strict=False)
        ]
        if not any(map(any, said)):
            continue
        remarks = _remarks(said)
        groups: dict[object, list[int]] = defaultdict(list)
        for number, at in enumerate(runs):
            groups[setting_of(places[at], found[at])].append(number)
        given: dict[int, SlotText] = {}
        for numbers in groups.values():
            nearest = _nearest([remarks[number] for number in numbers])
            if _differ(nearest):
                names = names_of(filter(None, nearest))
                names |= {remark: cut(without_prompt(remark)) for remark in names if is_change(remark)}
                told = {number: remark for number, remark in zip(numbers, nearest, strict=True) if remark}
                for number, remark in told.items():
                    at = runs[number]
                    rest = beside(names[remark], _framework(places[at], found[at]))  # others are remarked on alike
                    given[at] = SlotText(" ".join(rest.split()) or names[remark], remark, "lead")
        keys: Sequence[str] = _KEYS
        if given and _are_names(given.values()) and not any(_framework(places[at], found[at]) for at in runs):
            keys = (FRAMEWORK,)
        for at, name in given.items():
            _give(places[at], found[at], name, keys)


def _said(place: Place, found: Mapping[str, SlotText], before: Place | None) -> Surroundings:
    """The lines around a run, without one below that its framework repeats; a title if there is no other line.

    None if it is the title of the run before, too: what is said above that holds for both.
    """
    said = Surroundings.of(place.labels)
    if FRAMEWORK in found and said.below.casefold() == found[FRAMEWORK].value.casefold():
        said = said._replace(below="")
    is_same = before is not None and (before.title, before.section) == (place.title, place.section)
    return said if any(said) or is_same else Surroundings(place.title or "")


def _remarks(said: Sequence[Surroundings]) -> list[_Remarks]:
    """The remarks that hold for each run: those about it; those of the run before if no text stands between."""
    found: list[_Remarks] = []
    about = _with_edits_counted(about_each(said))
    everywhere = set.intersection(*(set(lines) for lines, _ in about))  # a prompt, say
    names = {line.rstrip(":： ").casefold() for lines, _ in about for line in lines}

    def is_again(line: str) -> bool:
        text = without_speaker(line)
        return is_repeat(text) and name_again(text).casefold() not in names

    for of_run, upwards in about:
        lines = [line for line in of_run if line not in everywhere]
        own = list(filter(_is_remark, lines))
        behind = list(dropwhile(lambda line: not is_again(line), lines))
        repeats = bool(behind) and all(is_again(line) or _ASSENT.fullmatch(line) for line in behind)
        goes_on = not upwards and (not lines or repeats)
        found.append(found[-1] if found and goes_on else own)
    return found


def _with_edits_counted(about: list[tuple[list[str], bool]]) -> list[tuple[list[str], bool]]:
    """The lines about runs; what changes something else each time has its number behind it, from the second time on."""
    times: Counter[str] = Counter()
    found = []
    for lines, upwards in about:
        edits = {line for line in lines if _ANY_EDIT.match(without_prompt(line))}
        times.update(edits)
        counted = [f"{line} ({times[line]})" if line in edits and times[line] > 1 else line for line in lines]
        found.append((counted, upwards))
    return found


def _nearest(remarks: Sequence[_Remarks]) -> list[str]:
    """The nearest remark of each run among those that not all of them have; empty if there is none.

    Commands that edit come first: others print what they do. Code and prompts come last.
    """
    common = set.intersection(*({line.casefold() for line in lines} for lines in remarks))
    own = [[line for line in reversed(lines) if line.casefold() not in common] for lines in remarks]
    return [
        next(
            chain(
                filter(_is_edit, lines),
                filter(is_change, lines),
                (line for line in lines if not _IDLE.search(line)),
                lines,
            ),
            "",
        )
        for lines in own
    ]


def _is_edit(line: str) -> bool:
    return _EDIT.match(without_prompt(line)) is not None


def _is_remark(line: str) -> bool:
    if is_change(line):
        return True
    text = without_decoration(without_type(without_speaker(line)))
    if (is_message(text) and not tells_of_next(text)) or is_repeat(text) or _ASSENT.fullmatch(text):
        return False
    if _WRITES_OR_SHOWS.match(text):
        return False
    return any((not says_nothing(text), _CONTRAST.search(text), _EDIT.match(text), is_version(text)))


def _differ(remarks: Sequence[str]) -> bool:
    """Whether remarks, in the order of their runs, are different texts.

    A run without one differs from those below it of which a change is told, or a name.
    """
    texts = sorted(set(filter(None, remarks)))
    first_unsaid = remarks.index("") if "" in remarks else len(remarks)
    told = remarks[first_unsaid:]
    numbers = {read_title(text).numbers for text in texts if text.endswith((":", "："))}  # a command has others
    return (
        any(_CHANGE.search(it) or is_change(it) or _EDIT.match(it) or _is_name(it) or tells_of_next(it) for it in told)
        or any(_tell_apart(texts[0], text) for text in texts[1:])
        or (len(numbers) > 1 and not count_repeats(numbers))
    )


def _tell_apart(one: str, other: str) -> bool:
    """Whether two texts differ in more than what counts or dates, or in their settings."""
    if any(tells(one) and tells(other) for tells in (is_change, _is_edit, _KERNEL_SETTING.search)):
        return one != other
    first, second = read_title(one), read_title(other)
    if (first.repeat or second.repeat) and first[:2] == second[:2] and first.name:  # "kiwi", "kiwi, second batch:"
        return False
    return not is_of_one_kind(one, other) or first.settings != second.settings


def _is_name(remark: str) -> bool:
    """Whether a remark is nothing but a name, as a title is: ``kiwi:``."""
    name = without_decoration(without_type(remark)).rstrip(":： ")
    return _NAME.fullmatch(name) is not None and kind_of_name(name) in (Kind.KNOWN, Kind.NAMES)


def _are_names(given: Collection[SlotText]) -> bool:
    """Whether what stands above runs are names by themselves, as a script prints them with ``echo $1``.

    One of them stands above several runs: of messages that are all different nobody knows.
    """
    different = {said.value for said in given}
    if len(different) < 2 or (len(different) == len(given) and len(given) >= _MANY):
        return False
    return all(
        said.value.casefold() == without_decoration(said.text).casefold()
        and _NAME.fullmatch(said.value)
        and said.value.split()[0] not in KNOWN_PROGRAMS
        and kind_of_name(said.value) in (Kind.KNOWN, Kind.NAMES)
        for said in given
    )


def _framework(place: Place, labels: Mapping[str, SlotText]) -> str:
    """The framework of a run; empty if it has none."""
    return place.labels.get(FRAMEWORK) or (labels[FRAMEWORK].value if FRAMEWORK in labels else "")


def _give(place: Place, labels: dict[str, SlotText], said: SlotText, keys: Sequence[str]) -> None:
    key = next((key for key in keys if place.labels.get(key) is None and key not in labels), None)
    if said.value and key:
        labels[key] = said
