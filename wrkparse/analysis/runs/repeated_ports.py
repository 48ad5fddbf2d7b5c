"""Leaves out the ports of servers that were started anew, at another port, for each repeat."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence

from wrkparse.context.slots.repeats import are_repeat_numbers

_PORT = re.compile(r"(?<=[^/:]):([0-9]{1,5})(?![0-9:])")  # behind a host
_NUMBER = re.compile("[0-9]+")


def without_ports_of_repeats(
    urls: Sequence[str | None], places: Sequence[str], settings: Sequence[Hashable]
) -> list[str | None]:
    """The URL of each run, without the port if the places of the runs show that it changes from repeat to repeat.

    So it is if runs with the same other labels (`settings`) all have ports of their own, and their places, which are
    paths and headings, differ only in the port and in a number that counts them: ``kiwi/load.1.txt``,
    ``kiwi/load.2.txt``.
    """
    bare = [None if url is None else _PORT.sub("", url, count=1) for url in urls]
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at, (url, setting) in enumerate(zip(bare, settings, strict=True)):
        if url is not None and url != urls[at]:
            groups[url, setting].append(at)
    found = list(urls)
    for group in groups.values():
        ports = {at: match[1] for at in group if (match := _PORT.search(urls[at] or ""))}
        counts_repeats = 1 < len(group) == len(set(ports.values())) and _are_numbered(
            [re.sub(rf"\b{port}\b", "", places[at]) for at, port in ports.items()]
        )
        for at in group if counts_repeats else ():
            found[at] = bare[at]
    return found


def _are_numbered(places: Sequence[str]) -> bool:
    """Whether places differ in one number, which counts them, and in nothing else."""
    if len({_NUMBER.sub("0", place) for place in places}) > 1 or len(set(places)) < len(places):
        return False
    columns = zip(*(_NUMBER.findall(place) for place in places), strict=True)
    differing = [numbers for numbers in columns if len(set(numbers)) > 1]
    return len(differing) == 1 and are_repeat_numbers([(number,) for number in differing[0]])
