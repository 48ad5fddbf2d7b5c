"""Finds the factors: the slots in which runs of one tool differ, and of which kind their names are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from wrkparse.context.commands.load_tools import include_tool_name, tool_group
from wrkparse.context.slots.places import FRAMEWORK, Names, Place, PlaceSlot, SlotText
from wrkparse.context.structure.factors.siblings import FrameworkCandidates, framework_candidates
from wrkparse.context.structure.names.combined_names import split_combined_names
from wrkparse.context.structure.names.name_kinds import (
    NameKind,
    are_first_letters,
    are_one_word_with_numbers,
    are_switch_states,
    are_weekdays,
    differ_only_in_conditions,
    include_baseline,
    include_request,
    kind_of_name,
)
from wrkparse.context.structure.names.runner_targets import without_runner
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.path_parts import PATH_SLOT_KINDS
from wrkparse.context.titles.titles import read_path_part

# Runs. If each of so many runs has another message above it, the messages may be about anything: they count requests,
# or note what a server did.
_MANY_RUNS = 4
_WORD = re.compile(r"[^\W_]+")
# "Database state: empty", "Размер базы: 1 млн": what is after such a key is no server.
_CONDITION_KEY = re.compile(
    r"[^:：]{0,40}(?<!\w)(?:state|size|estado|tamaño|taille|état|zustand|größe|状态|大小|数量"
    r"|(?:состояние|размер|объ[её]м|количество)(?: [^\s:：]{1,30})?)\s?[:：]",
    re.IGNORECASE,
)
# "node (nginx)", "Node - NGINX"
_PAIR = re.compile(r"[^()]{1,60}\s(?:\((?P<bracketed>[^()]{1,60})\)|[–—-]\s(?P<behind>[^()]{1,60}))")


class Factor(NamedTuple):
    """A slot in which runs differ, with the name of each run in it, and what kind of names they are.

    ``candidates`` are the names that may be frameworks. A series of letters (a, b, c) counts runs.
    """

    slot: PlaceSlot
    names: Names
    candidates: FrameworkCandidates
    kind: NameKind
    is_series: bool
    is_of_one_source: bool = False


LabelsOfRuns = Sequence[dict[str, SlotText]]  # for each run, its labels by key


def find_factors(
    places: Sequence[Place],
    slots: Mapping[PlaceSlot, Names],
    runs: Sequence[int],
    texts: Mapping[PlaceSlot, Names],
    lettered: Collection[PlaceSlot] = (),
) -> list[Factor]:
    """The slots in which some of these runs of one tool differ; `texts` are those of slots within one source.

    The names of `lettered` slots are letters that may count, as second halves of names of paths may: ``kiwi-a``.
    """
    return [
        Factor(part, of_part, named, NameKind.OTHER if is_series else _kind_of_names(part, named, of_slot), is_series)
        for slot, names in slots.items()
        for part, of_part in ([(slot, names)] if _are_frameworks(places, names) else split_combined_names(slot, names))
        if _varies(places, of_part, runs)
        and not (slot.kind == "file" and _follow_from_tools(places, of_part, runs))
        and not _are_requests_to_same_servers(places, of_part)
        for of_slot in [texts.get(slot, {})]
        for named in [framework_candidates(places, of_part, slot, of_slot)]
        for is_series in [part in lettered or _is_half_of_letters(part, of_part)]
    ]


def _are_requests_to_same_servers(places: Sequence[Place], names: Names) -> bool:
    """Whether each name is in the path of the URL of its runs, and below each the same ports were loaded.

    ``list.txt`` and ``search.txt``, each with runs of ``:3001`` and ``:3002``, are named after requests to two servers,
    which the label of the path states.
    """
    ports: dict[str, set[str | None]] = defaultdict(set)
    for at, name in names.items():
        if name.casefold() not in _WORD.findall((places[at].labels.get("path") or "").casefold()):
            return False
        ports[name].add(places[at].port)
    first, *others = ports.values()
    return len(first) > 1 and bool(others) and all(other == first for other in others)


def _are_frameworks(places: Sequence[Place], names: Names) -> bool:
    """Whether most names are frameworks as a whole, and so not combined names: ``nginx + php-fpm``.

    Half of them is enough if their second halves are known servers: ``node (nginx)`` beside ``node (direct)``.
    """
    whole = {name for at, name in names.items() if name == places[at].labels.get(FRAMEWORK)}
    different = len(set(names.values()))
    joined = sum(" + " in name for name in whole)
    pairs = filter(None, map(_PAIR.fullmatch, whole))
    paired = sum(is_known_name(pair["bracketed"] or pair["behind"]) for pair in pairs)
    return 2 * joined > different or 2 * paired >= different


def are_counting_letters(texts: Iterable[str]) -> bool:
    """Whether letters count files or folders: ``wrk-a.log``, ``wrk-b.log``; but ``a-c8.log`` is a at 8 connections."""
    titles = list(map(read_path_part, set(texts)))
    return not any(title.settings or title.possible_settings for title in titles) and are_first_letters(
        title.name for title in titles
    )


def _is_half_of_letters(part: PlaceSlot, names: Names) -> bool:
    """Whether the second halves of names of paths are the first letters of the alphabet."""
    return part.kind in PATH_SLOT_KINDS and part.part > 1 and are_first_letters(names.values())


def _varies(places: Sequence[Place], names: Names, runs: Iterable[int]) -> bool:
    """Whether two runs of one tool, or of two tools that load servers, have different names, or only one has a name.

    Names of tools do not distinguish runs of two tools.
    """
    first: dict[str, str] = {}
    kind_of = str if include_tool_name(set(names.values())) else tool_group
    return any(
        first.setdefault(kind_of(places[at].tool), name) != name
        for at in runs
        for name in [names.get(at, "").casefold()]
    )


def _follow_from_tools(places: Sequence[Place], names: Names, runs: Iterable[int]) -> bool:
    """Whether files are called by what made them: each tool has one name, in the same folders, and several of them.

    One of the names contains that of a tool; else they may be servers.
    ``kiwi/load.txt`` and ``emu/load.txt`` beside ``kiwi/ab.txt`` and ``emu/ab.txt``, whose name is that of the tool.
    """
    names_of: dict[str, set[str]] = defaultdict(set)
    folders_of: dict[str, set[str]] = defaultdict(set)
    for at in runs:
        names_of[places[at].tool].add(names.get(at, "").casefold())
        folders_of[places[at].tool].add(places[at].source.rpartition("/")[0])
    return (
        len(names_of) > 1
        and include_tool_name(names.values())
        and all(len(of_tool) == 1 for of_tool in names_of.values())
        and len(set(map(frozenset, folders_of.values()))) == 1
        and min(map(len, folders_of.values())) > 1
    )


def _kind_of_names(slot: PlaceSlot, named: FrameworkCandidates, texts: Names) -> NameKind:
    """The kind of names; of several kinds, that of most names. Names beside other frameworks are conditions.

    So are those of texts that all state a size or the like: ``Database state: empty``.
    """
    different = set(named.names.values())
    if (
        slot.is_number
        or len(different) < 2
        or differ_only_in_conditions(different)
        or are_one_word_with_numbers(different)
        or are_weekdays(different)
        or (texts and all(map(_CONDITION_KEY.match, texts.values())))
    ):
        return NameKind.OTHER
    if slot.kind in PATH_SLOT_KINDS and are_switch_states(different):
        return NameKind.STATES
    kinds = list(map(kind_of_name, without_runner(different).values()))
    # one known name is enough: its siblings are servers, too
    if NameKind.KNOWN in kinds:
        return NameKind.KNOWN
    if slot.kind == "lead" and _MANY_RUNS <= len(named.names) == len(different):
        return NameKind.OTHER
    able = sum(kind is not NameKind.OTHER for kind in kinds)
    # half of the names or fewer may name something: the slot has conditions, with some names among them
    if 2 * able <= len(kinds):
        return NameKind.STATES if include_baseline(different) and not include_request(different) else NameKind.OTHER
    return NameKind.NAMES if NameKind.NAMES in kinds else NameKind.STATES


def value_or_empty(label: SlotText | None) -> str:
    """The value of a label; empty without a label."""
    return label.value if label else ""
