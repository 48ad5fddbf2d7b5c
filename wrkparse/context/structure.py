"""The labels that follow from where runs stand among each other: headings, folders and file names that vary.

A single heading says little about a server that no list names. Its siblings say more: where the runs of a page stand
under ``## kiwi`` and ``## emu``, the headings tell them apart. So this module looks at all runs at once, by the slots
of `wrkparse.context.slots`. A slot in which runs of one tool differ is a factor. One factor is the framework, where
only one can be; the others get a key that says where they stand. No label that a run has otherwise is overruled.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from wrkparse.context.names import is_known_name, is_prose
from wrkparse.context.reduction import WHERE_WORDS, without_description
from wrkparse.context.slots import Names, Place, Slot, Slots, SlotText, read_slots, split_products

__all__ = ["FACTOR_KEYS", "ORIGIN", "Place", "structural_labels"]

ORIGIN = "structure"
_FRAMEWORK = "framework"
_KEYS = {"folder": "directory", "file": "file_name", "section": "heading", "title": "heading"}
FACTOR_KEYS = tuple(dict.fromkeys(_KEYS.values()))
_LONGEST_NAME = 60  # characters; a longer text is a sentence
_MOST_WORDS = 7
# Words of sentences that are nouns of a name in its last place: "kiwi release build".
_LAST_NOUNS = frozenset("build config configuration example package setup version".split())

# Words that say in which state or how something was measured, not what. A factor that has only such words is the
# framework only if nothing else can be.
_STATES = frozenset(
    """after base baseline before branch candidate control current experiment feature first fix fixed head improved
    last latest main master modified naive new next old optimised optimized original patch patched pr previous
    reference second stock trunk tuned unpatched untuned upstream with without""".split()
)
# Words of protocols, payloads, loads and modes: a factor that has only such words is never the framework.
_CONDITIONS = frozenset(
    """access async big bulk busy bytes c10k cache cached caching client close cluster clustered cold compressed
    concurrency concurrent connection connections cpu cpus core cores db debug default delete disabled docker dynamic
    empty enabled error errors fast file full get gzip heavy hello high hot html http http/1.0 http/1.1 http/2 http/3
    http1 http2 http3 https idle images io ipv4 ipv6 json kb keep-alive keepalive lan large latency light load local
    local localhost long low lua max mb medium middle min mixed multi multi-core multi-threaded native no nocache none
    off on only peak pipeline pipelined pipelining plain plaintext post pre-fork prefork process put queries query
    random rate read reads release remote request requests sequential short single single-core single-threaded slow
    small socket spike ssl static steady stress sustained sync tcp test text thread threaded threads throughput tiny
    tls udp uncached unix update updates user users vm wan warm warmup web websocket wifi world write writes""".split()
)

# A request, as a page of one server's end points has them in its headings: "List users (GET /users)".
_REQUEST = re.compile(r"(?<![\w-])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?![\w-])|(?:\A|[\s(])/\w")
_PARTS = re.compile(r"[\s_/+-]+")
# A size, or a letter and a number, which count or set something: "8k", "r1", "c64"; but "v2" is a version.
_COUNTED = re.compile(r"[a-uw-z]?[0-9]+[a-z]{0,2}")
_COMMIT = re.compile(r"(?=[a-f]{0,39}[0-9])(?=[0-9]{0,39}[a-f])[0-9a-f]{7,40}")
_MACHINE = re.compile(r"(?:server|host|machine|box|vm|instance|rack|laptop|desktop|client)[0-9]{1,5}")


class _Kind(IntEnum):
    """What the names of a factor say, the likeliest framework first."""

    KNOWN = 0  # one of them is that of a known server, framework or language
    NAMES = 1
    STATES = 2
    OTHER = 3  # conditions, sentences, numbers


class _Factor(NamedTuple):
    """A slot in which runs differ."""

    slot: Slot
    names: Names
    kind: _Kind
    inner: bool = False  # of one source


_Found = Sequence[dict[str, SlotText]]  # by run, the labels by key


def structural_labels(places: Sequence[Place]) -> list[dict[str, SlotText]]:
    """The labels that each run gets from its place among the others, with the text of the place that gives each.

    ``framework`` where one factor can be it, else and for further factors ``heading``, ``directory`` and ``file_name``,
    with ``_2`` for a second one of a key. Names such as ``c64`` and ``t4`` give connections and threads where siblings
    have other numbers and the run says nothing of it.
    """
    slots = read_slots(places)
    found: list[dict[str, SlotText]] = [dict(slots.settings.get(at, ())) for at in range(len(places))]
    outer = _factors(places, slots.outer, range(len(places)))
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        by_source[place.source].append(at)
    inner = {
        source: [factor._replace(inner=True) for factor in _factors(places, own, by_source[source])]
        for source, own in slots.inner.items()
    }
    _name_frameworks(places, by_source, outer, inner, found, slots)
    _label(places, range(len(places)), outer, found, slots)
    for source, factors in inner.items():
        _label(places, by_source[source], factors, found, slots)
    return [
        {key: value for key, value in labels.items() if place.labels.get(key) is None}
        for place, labels in zip(places, found, strict=True)
    ]


def _factors(places: Sequence[Place], slots: Mapping[Slot, Names], runs: Sequence[int]) -> list[_Factor]:
    """The slots in which some of these runs differ that are of one tool."""
    return [
        _Factor(part, of_part, _kind_of(places, part, of_part))
        for slot, names in slots.items()
        for part, of_part in split_products(slot, names)
        if _varies(places, of_part, runs)
    ]


def _varies(places: Sequence[Place], names: Names, runs: Iterable[int]) -> bool:
    """Whether two runs of one tool have different names; to have none differs from any."""
    first: dict[str, str] = {}
    return any(
        first.setdefault(places[at].tool, name) != name for at in runs for name in [names.get(at, "").casefold()]
    )


def _kind_of(places: Sequence[Place], slot: Slot, names: Names) -> _Kind:
    """What names say; of several kinds, what most of them say. Names beside other frameworks are conditions."""
    if slot.is_number or any(_contradicts(name, places[at].labels.get(_FRAMEWORK)) for at, name in names.items()):
        return _Kind.OTHER
    different = set(names.values())
    if len(different) == 1 or _only_conditions(different):
        return _Kind.OTHER
    kinds = [_kind_of_name(name) for name in different]
    if _Kind.KNOWN in kinds:
        return _Kind.KNOWN
    able = sum(kind is not _Kind.OTHER for kind in kinds)
    if 2 * able <= len(kinds):
        return _Kind.OTHER
    return _Kind.NAMES if _Kind.NAMES in kinds else _Kind.STATES


def _only_conditions(names: Iterable[str]) -> bool:
    """Whether names differ in nothing but conditions and sizes: ``kiwi-GET-8k`` and ``kiwi-PUT-1k``."""
    parts = [{part for part in _PARTS.split(name.casefold()) if part} for name in names]
    shared = set.intersection(*parts)
    rest = {part for of_name in parts for part in of_name - shared if not _COUNTED.fullmatch(part)}
    return bool(shared and rest) and rest <= _CONDITIONS


def _kind_of_name(name: str) -> _Kind:
    name = _called(name)
    words = name.casefold().split()
    if not name or _REQUEST.search(name) or _PARTS.split(words[0])[0] in WHERE_WORDS or _CONDITIONS.issuperset(words):
        return _Kind.OTHER
    parts = {part for word in words for part in _PARTS.split(word) if part and not _COUNTED.fullmatch(part)}
    if all(map(_is_state, parts)):
        return _Kind.OTHER if parts <= _CONDITIONS else _Kind.STATES
    return _Kind.KNOWN if any(map(is_known_name, words)) else _Kind.NAMES


def _is_state(part: str) -> bool:
    """Whether a part of a name says in which state, how or where something was measured."""
    return part in _CONDITIONS or part in _STATES or bool(_COMMIT.fullmatch(part) or _MACHINE.fullmatch(part))


def _called(name: str) -> str:
    """A name without the description behind it, if that makes it too long to be one; empty if there is none."""
    if _is_name(name):
        return name
    front = without_description(name)
    return front if _is_name(front) else ""


def _is_name(name: str) -> bool:
    """Whether a text may be a name: short, with a letter, and no sentence."""
    words = [word for word in name.split() if any(map(str.isalnum, word))]
    if len(name) > _LONGEST_NAME or len(words) > _MOST_WORDS:
        return False
    if len(words) > 1 and words[-1].casefold() in _LAST_NOUNS:
        words.pop()
    # "Service A" is no sentence, and a state may be called "before".
    if is_prose(" ".join(word for word in words if len(word) > 1 and word.casefold() not in _STATES)):
        return False
    return any(map(str.isalpha, name)) and not name.endswith((".", "?", "!", "。", "？", "！", "…"))


def _name_frameworks(
    places: Sequence[Place],
    by_source: Mapping[str, Sequence[int]],
    outer: Sequence[_Factor],
    inner: Mapping[str, Sequence[_Factor]],
    found: _Found,
    slots: Slots,
) -> None:
    """Give runs the framework that one factor names: of their own source if it has one, else of all sources."""
    everywhere: dict[Slot, Names] = defaultdict(dict)  # the names of inner factors in all sources
    for factor in (factor for own in inner.values() for factor in own):
        everywhere[factor.slot] |= factor.names
    if _are_own_studies(inner, {place.source for place in places if place.section}):
        outer = [factor for factor in outer if factor.slot.kind not in ("section", "title")]
    spelling: dict[str, str] = {}
    chosen: dict[tuple[object, ...], _Factor | None] = {}  # sources with the same slots have the same choice
    for source, runs in by_source.items():
        if all(places[at].labels.get(_FRAMEWORK) is not None for at in runs):
            continue
        own = [factor._replace(names=everywhere[factor.slot]) for factor in inner.get(source, ())]
        has_sections = any(places[at].section for at in runs)
        known = (has_sections, *((factor.slot, factor.kind) for factor in own))
        if known not in chosen:
            best = _chosen([*outer, *own], files=not has_sections)
            chosen[known] = best and best._replace(names=_names_of_varying_tools(places, best.names))
        if (naming := chosen[known]) is None:
            continue
        names = naming.names
        called = _called_apart({names[at] for at in runs if at in names})
        for at in runs:
            if name := called.get(names.get(at, "")):
                name = spelling.setdefault(name.casefold(), name)
                found[at][_FRAMEWORK] = slots.said(name, naming.slot, at, source if naming.inner else None)


def _are_own_studies(inner: Mapping[str, Sequence[_Factor]], pages: Collection[str]) -> bool:
    """Whether most pages compare names in themselves: the heading of another page is no sibling of theirs then."""
    comparing = sum(any(factor.kind is not _Kind.OTHER for factor in inner.get(page, ())) for page in pages)
    return 2 * comparing > len(pages)


def _called_apart(names: Iterable[str]) -> dict[str, str]:
    """What each name is called, without those of several names that would be called alike."""
    called = {name: _called(name) for name in names}
    times = Counter(called.values())
    return {name: short for name, short in called.items() if short == name or times[short] == 1}


def _names_of_varying_tools(places: Sequence[Place], names: Names) -> Names:
    """The names without those that only runs of tools have that have no second one: ``gc.txt`` beside two of wrk's."""
    by_tool: dict[str, set[str]] = defaultdict(set)
    for at, name in names.items():
        by_tool[places[at].tool].add(name)
    kept = {name for of_tool in by_tool.values() if len(of_tool) > 1 for name in of_tool}
    return {at: name for at, name in names.items() if name in kept}


def _chosen(factors: Sequence[_Factor], *, files: bool) -> _Factor | None:
    """The factor that names the framework of a source's runs; None if several may, or none does.

    The name of a file may do so if it has no headings: that of a page says what the page is about.
    """
    able = [factor for factor in factors if factor.kind is not _Kind.OTHER and (files or factor.slot.kind != "file")]
    best = [factor for factor in able if factor.kind == min(other.kind for other in able)]
    while len(best) > 1 and _follows(best[0].names, best[-1].names):
        del best[0]  # an outer name that follows from the inner one groups the names
    return best[0] if len(best) == 1 else None


def _contradicts(name: str, framework: str | None) -> bool:
    """Whether a run has another framework than this name."""
    if framework is None:
        return False
    one, other = name.casefold(), framework.casefold()
    words, others = ({part.strip("()[],;:") for part in _PARTS.split(text)} for text in (one, other))
    return not (one in other or other in one or words <= others or others <= words)


def _follows(outer: Names, inner: Names) -> bool:
    """Whether runs with one inner name have one outer name, too."""
    held: dict[str, str] = {}
    return all(held.setdefault(name, outer.get(at, "")) == outer.get(at, "") for at, name in inner.items())


def _label(
    places: Sequence[Place], runs: Iterable[int], factors: Sequence[_Factor], found: _Found, slots: Slots
) -> None:
    """Give runs the factors that their labels so far do not determine."""
    runs = list(runs)
    frameworks = [places[at].labels.get(_FRAMEWORK) or _value(found[at].get(_FRAMEWORK)) for at in runs]
    used: dict[str, int] = defaultdict(int)
    for factor in factors:
        key = _KEYS.get(factor.slot.kind)
        if key is None:  # the prefix is a label already
            continue
        names = [_beside(factor.names.get(at, ""), name) for at, name in zip(runs, frameworks, strict=True)]
        before = [
            (places[at].tool, name, *sorted((key, said.value) for key, said in found[at].items()))
            for at, name in zip(runs, frameworks, strict=True)
        ]
        if not _adds(before, names):
            continue
        used[key] += 1
        named = key if used[key] == 1 else f"{key}_{used[key]}"
        for at, name in zip(runs, names, strict=True):
            if name:
                source = places[at].source if factor.inner else None
                found[at].setdefault(named, slots.said(name, factor.slot, at, source))


def _value(said: SlotText | None) -> str:
    return said.value if said else ""


def _beside(name: str, framework: str) -> str:
    """What a name says beside the framework's; as it is if it does not hold the latter."""
    if not framework or framework.casefold() not in name.casefold():
        return name
    at = name.casefold().index(framework.casefold())
    return f"{name[:at]} {name[at + len(framework) :]}".strip(" -_/.,+")


def _adds(before: Iterable[tuple[object, ...]], names: Iterable[str]) -> bool:
    """Whether runs differ in a factor that agree in the tool, the framework and the factors before."""
    held: dict[tuple[object, ...], str] = {}
    return any(held.setdefault(known, name) != name for known, name in zip(before, names, strict=True))
