"""Changes the places of runs group by group, such as those of a section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from wrkparse.context.slots.places import Place


def changed_in_groups(
    places: Sequence[Place],
    key: Callable[[Place], Hashable],
    change: Callable[[Sequence[Place]], Sequence[Place]],
) -> Sequence[Place]:
    """The places of runs, in order, after each group of those with the same key is changed."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        groups[key(place)].append(at)
    found = list(places)
    for runs in groups.values():
        for at, changed in zip(runs, change([places[at] for at in runs]), strict=True):
            found[at] = changed
    return found
