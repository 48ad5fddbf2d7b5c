"""Finds versions of a runtime beside names of servers: ``kiwi-go1.21``, ``kiwi-go1.22``, ``emu-go1.21``.

By itself ``go1.21`` may be the framework. If several names have several versions each, it is a condition: the label
``go_version``, or the name of the runtime (``node=20``).
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText
from wrkparse.context.structure.names.name_kinds import NameKind, are_first_letters, kind_of_name
from wrkparse.context.titles.known_names import RUNTIMES, is_known_name, runtimes_in
from wrkparse.context.titles.path_parts import without_code_suffix, without_suffixes
from wrkparse.context.titles.titles import read_heading, read_path_part

RUNTIME = "runtime"  # key among the labels of a place: the runtime and its version as written
_NAMES = "|".join(sorted(RUNTIMES, key=len, reverse=True))
# "go1.21" in "kiwi-go1.21", "node-20", "python 3.12"; not "go1" of "go1.21.3.4".
_VERSION = re.compile(
    rf"(?<![^\W_])({_NAMES})[-_ @]?v?([0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{0,2}})(?![^\W_]|\.[0-9])",
    re.IGNORECASE,
)
_GUESSED_ORIGINS = frozenset({"heading", "path"})


class _RuntimeInPlace(NamedTuple):
    """A runtime in the place of a run: key and value of its label, its text, and the names in the place without it."""

    key: str
    value: str
    text: str
    kind: str  # of the slot that contains it
    names: tuple[str, ...]


def runtime_labels(places: Sequence[Place]) -> dict[int, dict[str, SlotText]]:
    """By run, the label of the runtime that its place names beside a server; empty if no server has several."""
    if not _VERSION.search("\n".join(dict.fromkeys(f"{place.source}\n{place.section}" for place in places))):
        return {}
    by_key: dict[str, dict[int, _RuntimeInPlace]] = defaultdict(dict)
    for at, place in enumerate(places):
        if found := _find_runtime(place.path or tuple(place.source.split("/")), place.section or ""):
            by_key[found.key][at] = found
    return {
        at: {key: SlotText(versioned.value, versioned.text, versioned.kind)}
        for key, of_runs in by_key.items()
        if _vary_beside_names(of_runs)
        for at, versioned in of_runs.items()
        if places[at].labels.get(key) is None
    }


def runtime_title_labels(places: Sequence[Place]) -> dict[int, dict[str, SlotText]]:
    """By run, the labels of the runtimes in the title below a heading that names a server.

    ``### Benchmarking Phoenix`` and ``Elixir 1.0.2, Erlang/OTP 17.4``. The headings name servers if each has one
    runtime, and one runtime is below several headings or a heading is a known name.
    """
    of_headings: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    runs: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        framework, section = place.labels.get(FRAMEWORK) or "", place.section or ""
        if place.title and place.framework_origin == "heading" and runtimes_in(framework):
            heading = place.source, place.tool, section
            of_headings[heading].add(framework)
            runs[heading].append(at)
    found: dict[int, dict[str, SlotText]] = {}
    for source_tool, headings in groupby(sorted(of_headings, key=_source_and_tool), key=_source_and_tool):
        sections = [(*source_tool, section) for _, _, section in headings]
        if _are_server_headings([section for _, _, section in sections], [of_headings[one] for one in sections]):
            found |= {at: _labels_of_title(places[at]) for one in sections for at in runs[one]}
    return found


def _are_server_headings(sections: Sequence[str], runtimes: Sequence[set[str]]) -> bool:
    """Whether headings, with the runtimes below each, name servers that use these runtimes."""
    names = [read_heading(section.rpartition(" > ")[2]).name for section in sections]
    if len(set(names)) < 2 or not all(names) or any(len(own) > 1 for own in runtimes):
        return False
    return len(set.union(*runtimes)) < len(names) or any(map(is_known_name, names))


def _source_and_tool(heading: tuple[str, str, str]) -> tuple[str, str]:
    """The source and the tool of the runs below a heading."""
    return heading[:2]


def _labels_of_title(place: Place) -> dict[str, SlotText]:
    """The labels of the runtimes that are the framework of a run."""
    framework = place.labels.get(FRAMEWORK) or ""
    return {key: SlotText(version, framework, "title") for key, version in runtimes_in(framework)}


def with_runtime(place: Place, labels: Mapping[str, SlotText]) -> Place:
    """The place of a run with the label of its runtime.

    Its words are no longer part of a name, and the runtime is not the framework.
    """
    given: dict[str, str | None] = {key: label.value for key, label in labels.items()}
    given[RUNTIME] = next(iter(labels.values())).text
    framework = place.labels.get(FRAMEWORK) or ""
    if place.framework_origin in _GUESSED_ORIGINS and (_VERSION.match(framework) or runtimes_in(framework)):
        given[FRAMEWORK] = None
    return place._replace(labels={**place.labels, **given})


@functools.lru_cache(maxsize=4096)  # the runs of a file share their place
def _find_runtime(path: tuple[str, ...], section: str) -> _RuntimeInPlace | None:
    """The only runtime in a place; None if it has none, or several."""
    *folders, file = path
    parts = [*folders, without_code_suffix(without_suffixes(file))]
    levels = section.split(" > ") if section else []
    kinds = [*("folder" for _ in folders), "file", *("section" for _ in levels)]
    texts = zip((*parts, *levels), kinds, strict=True)
    matches = [(match, kind) for text, kind in texts for match in _VERSION.finditer(text)]
    if len({match[0] for match, _ in matches}) != 1:
        return None
    match, kind = matches[0]
    name, version = match.groups()
    names = [read_path_part(_VERSION.sub("", part)).name for part in parts]
    names += [read_heading(_VERSION.sub("", level)).name for level in levels]
    return _RuntimeInPlace(RUNTIMES[name.lower()], version, match[0], kind, tuple(map(str.casefold, names)))


def _vary_beside_names(of_runs: Mapping[int, _RuntimeInPlace]) -> bool:
    """Whether a runtime is beside several names of servers, and has several versions beside at least one of them."""
    versions: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for versioned in of_runs.values():
        versions[versioned.names].add(versioned.value)
    if len(versions) < 2 or max(map(len, versions.values())) < 2:
        return False
    times = Counter(name for names in versions for name in set(names) if name)
    different = [name for name, count in times.items() if count < len(versions)]
    able = sum(kind_of_name(name) in (NameKind.KNOWN, NameKind.NAMES) for name in different)
    return 2 * able > len(different) > 1 and not are_first_letters(different)
