"""Leaves out the ports of servers that were started anew, at another port, for each repeat."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from wrkparse.analysis.runs.labels.key_words import REPEAT_LABELS
from wrkparse.context.commands.load_tools import include_tool_name
from wrkparse.context.slots.repeats import are_repeat_numbers
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.context.titles.titles import Title, read_path_part, read_title

_PORT = re.compile(r"(?<=[^/:]):([0-9]{1,5})(?![0-9:])")  # behind a host
_NUMBER = re.compile("[0-9]+")
_HEADINGS = re.compile(r"\n| > ")  # between the headings of "Results > kiwi", and before the title


class PlacedRun(NamedTuple):
    """A run with what tells whether it is a repeat at another port."""

    url: str | None
    source: str
    headings: str  # and the title
    framework: str | None
    setting: Hashable  # the other labels


class _Numbered(NamedTuple):
    """The place of a run with a port."""

    port: str
    parts: tuple[str, ...]  # of the path, then of the headings
    parts_of_path: int
    form: str  # without the port, and with 0 for each number
    numbers: tuple[str, ...]  # besides the port


# The ports beside each number in places with as many numbers: how many, which of them, and its digits.
_Ports = dict[tuple[int, int, str], set[str]]


def without_ports_of_repeats(runs: Sequence[PlacedRun]) -> list[str | None]:
    """The URL of each run, without the port if the places of the runs show that it changes from repeat to repeat.

    So it is if runs with the same other labels all have ports of their own, and their places, which are paths and
    headings, differ only in the port and in a number that counts them. A word has to say so: ``run-1``, ``run-2``.
    Another number may say which server it is: ``node-1``, ``node-2``. It does not if it is beside the framework or a
    tool, and with another port elsewhere: ``kiwi/load.1.txt``, ``kiwi/load.2.txt``, ``emu/load.1.txt``.
    """
    places = {at: place for at, run in enumerate(runs) if (place := _place_of(run))}
    groups: dict[Hashable, list[int]] = defaultdict(list)
    bare = {at: _PORT.sub("", runs[at].url or "", count=1) for at in places}
    for at, url in bare.items():
        groups[url, runs[at].setting].append(at)
    ports: _Ports = defaultdict(set)
    for place in places.values():
        for at, number in enumerate(place.numbers):
            ports[len(place.numbers), at, number].add(place.port)
    found = [run.url for run in runs]
    for group in groups.values():
        if _are_repeats([places[at] for at in group], ports, runs[group[0]].framework or ""):
            for at in group:
                found[at] = bare[at]
    return found


def _place_of(run: PlacedRun) -> _Numbered | None:
    """The place of a run; None if its URL has no port."""
    match = _PORT.search(run.url or "")
    if match is None:
        return None
    text = f"{run.source}\n{run.headings}"
    # Places may name the port, as `kiwi-8081.log` does: that is no other number.
    rest = re.sub(rf"\b{match[1]}\b", "", text)
    numbers = tuple(_NUMBER.findall(rest))
    path, headings = run.source.split("/"), _HEADINGS.split(run.headings)
    return _Numbered(match[1], (*path, *headings), len(path), _NUMBER.sub("0", rest), numbers)


def _are_repeats(group: Sequence[_Numbered], ports: _Ports, framework: str) -> bool:
    """Whether runs with the same other labels are repeats at new ports; `ports` are those of all runs."""
    if not 1 < len(group) == len({place.port for place in group}) or len({place.form for place in group}) > 1:
        return False
    columns = zip(*(place.numbers for place in group), strict=True)
    differing = [at for at, column in enumerate(columns) if len(set(column)) > 1]
    if len(differing) != 1 or len({place.numbers for place in group}) < len(group):
        return False
    at = differing[0]
    if not are_repeat_numbers([(place.numbers[at],) for place in group]):
        return False
    titles = _titles_with_number(group)
    if all(map(_says_repeat, titles)):
        return True
    are_elsewhere = any(ports[len(place.numbers), at, place.numbers[at]] != {place.port} for place in group)
    return are_elsewhere and all(_names_nothing_else(title, framework) for title in titles)


def _titles_with_number(group: Sequence[_Numbered]) -> list[Title]:
    """For each run, the first part of its place in which the places differ, as it is read."""
    columns = zip(*(place.parts for place in group), strict=True)
    at = next(at for at, column in enumerate(columns) if len(set(column)) > 1)
    is_path = at < group[0].parts_of_path
    return [
        read_path_part(without_suffixes(place.parts[at]).replace(".", "-")) if is_path else read_title(place.parts[at])
        for place in group
    ]


def _says_repeat(title: Title) -> bool:
    """Whether a word says that a number counts repeats: ``run 1``, but not ``#1``."""
    return any(map(str.isalpha, title.repeat)) or any(key in REPEAT_LABELS for key, _ in title.settings)


def _names_nothing_else(title: Title, framework: str) -> bool:
    """Whether the name beside a number is the framework, a tool, or no name."""
    name = read_title(title.name).name  # of "load", which a document says of any run, nothing is left
    return name.casefold() in ("", framework.casefold()) or include_tool_name([name])
