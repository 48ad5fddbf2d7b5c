"""Leaves out the ports of servers that were started anew, at another port, for each repeat."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence

from wrkparse.context.slots.repeats import are_repeat_numbers

_PORT = re.compile(r"(?<=[^/:]):([0-9]{1,5})(?![0-9:])")  # behind a host
_NUMBER = re.compile("[0-9]+")


def without_ports_of_repeats(
    urls: Sequence[str | None], sources: Sequence[str | None], settings: Sequence[Hashable]
) -> list[str | None]:
    """The URL of each run, without the port if the paths of logs show that it changes from repeat to repeat.

    So it is if runs with the same other labels (`settings`) all have ports of their own, and the paths of their logs
    differ only in a number that counts them: ``kiwi/load.1.txt``, ``kiwi/load.2.txt``. A number that is the port counts
    nothing.
    """
    bare = [None if url is None else _PORT.sub("", url, count=1) for url in urls]
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at, (url, setting) in enumerate(zip(bare, settings, strict=True)):
        if url is not None and url != urls[at]:
            groups[url, setting].append(at)
    found = list(urls)
    for group in groups.values():
        of_group = [urls[at] for at in group]
        if 1 < len(group) == len(set(of_group)) and _are_numbered(
            [sources[at] or "" for at in group], [match[1] for url in of_group if url and (match := _PORT.search(url))]
        ):
            for at in group:
                found[at] = bare[at]
    return found


def _are_numbered(sources: Sequence[str], ports: Sequence[str]) -> bool:
    """Whether paths differ only in one number, which counts them and is not their port."""
    if len({_NUMBER.sub("0", source) for source in sources}) > 1 or len(set(sources)) < len(sources):
        return False
    columns = zip(*(_NUMBER.findall(source) for source in sources), strict=True)
    differing = [numbers for numbers in columns if len(set(numbers)) > 1]
    return len(differing) == 1 and differing[0] != tuple(ports) and are_repeat_numbers([(n,) for n in differing[0]])
