"""Labels the arguments in which runs of a program differ: ``./kiwi 2`` and ``./kiwi 4`` → arg1.

One command alone does not show whether an argument matters, and the arguments of two programs have nothing in common:
``python3 nbody.py 50`` and ``pypy3 nbody.py 50`` are runs of one setting.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from wrkparse.context.nearby.evidence import ARGUMENTS
from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, setting_of

KEYS = ("arg1", "arg2", "arg3", "arg4")  # few programs have more, and each is a column of `runs`
_VERSION = "version"
_REVISION = re.compile(r"v[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}|[0-9]{1,4}(?:\.[0-9]{1,4}){2}")  # not 0.5, nor an address


def label_arguments(places: Sequence[Place], found: Sequence[dict[str, SlotText]]) -> None:
    """Add the arguments in which runs of one program and tool differ to `found`, the labels by run.

    If only one of them is a version, it gets that key: ``./kiwi v1.9`` and ``./kiwi v1.10``.

    Runs of other programs of the tool get these arguments, too, so that programs are compared at the same size. An
    argument is left out if it is the port of a URL that was loaded: ``./kiwi 8081``, ``./kiwi 0.0.0.0:8081``.
    """
    if not places or ARGUMENTS not in places[0].labels:  # all places have the same keys
        return
    texts = {at: place.labels.get(ARGUMENTS) or "" for at, place in enumerate(places) if place.labels.get("program")}
    if _are_told_apart(places, found, texts):
        return
    programs: dict[tuple[str, str | None], list[int]] = defaultdict(list)
    for at in texts if any(texts.values()) else ():
        programs[places[at].tool, places[at].labels["program"]].append(at)
    ports = {place.port for place in places} - {None}
    words = {text: shlex.split(text) for text in texts.values()}
    differing = {
        (tool, key)
        for (tool, _), runs in programs.items()
        for key, values in zip(KEYS, zip_longest(*(words[texts[at]] for at in runs)), strict=False)
        if len(set(values)) > 1 and not ports.issuperset(value and value.rpartition(":")[2] for value in values)
    }
    for at, text in texts.items() if differing else ():
        own = {key: word for key, word in zip(KEYS, words[text], strict=False) if (places[at].tool, key) in differing}
        versions = [key for key, word in own.items() if _REVISION.fullmatch(word)]
        is_version = len(versions) == 1 and not places[at].labels.get(_VERSION)
        for key, word in own.items():
            if word:
                label = _VERSION if is_version and key in versions else key
                found[at].setdefault(label, SlotText(word, text, "argument"))


def _are_told_apart(places: Sequence[Place], found: Sequence[Mapping[str, SlotText]], texts: Mapping[int, str]) -> bool:
    """Whether names and other labels distinguish all runs that have different arguments."""
    if not any(FRAMEWORK in found[at] or places[at].labels.get(FRAMEWORK) for at in texts):
        return False
    arguments: dict[object, str] = {}
    return all(arguments.setdefault(setting_of(places[at], found[at]), text) == text for at, text in texts.items())
