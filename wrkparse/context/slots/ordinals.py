"""Removes numbers that only count titles: ``01 kiwi``, ``02 emu``, ``03 kiwi``, ``04 emu``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from wrkparse.context.titles.titles import Title

_ORDINAL = re.compile(r"(?:\W{1,3}|n[or]\.? |n° ?|№ ?)?([0-9]{1,4})[\s_.:)\]-]{1,9}(?=\w)", re.IGNORECASE)
_FEWEST = 4  # titles; in fewer, the numbers may be a setting by chance


def without_ordinals(texts: Mapping[int, str], read: Callable[[str], Title]) -> Mapping[int, str]:
    """Texts without the numbers in front, if these count all texts in order, from 0 or 1, and names come again.

    ``1 core``, ``2 cores`` … are settings, as `read` says; so are numbers in front of one name only, and those that may
    be an amount of what all titles say: ``1 ms kiwi``, ``2 ms emu``.
    """
    found = {text: _ORDINAL.match(text) for text in (texts[at] for at in sorted(texts))}  # several runs below one title
    matches = {text: match for text, match in found.items() if match}
    numbers = [int(match[1]) for match in matches.values()]
    rests = {text: text[match.end() :] for text, match in matches.items()}
    if len(matches) < max(len(found), _FEWEST) or numbers[0] > 1:
        return texts
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return texts
    if not 1 < len({rest.casefold() for rest in rests.values()}) < len(rests):
        return texts
    if any(_is_setting(match[1], read(text)) for text, match in matches.items()) or _are_counted(matches, rests):
        return texts
    return {at: rests[text] for at, text in texts.items()}


def _is_setting(number: str, title: Title) -> bool:
    """Whether a number is a setting of its title."""
    return any(value == number for _, value in (*title.settings, *title.possible_settings))


def _are_counted(matches: Mapping[str, re.Match[str]], rests: Mapping[str, str]) -> bool:
    """Whether plain numbers may be amounts of what the first or the last word of all titles says."""
    words = [rest.casefold().split() for rest in rests.values()]
    shared = {of_title[0].rstrip("s") for of_title in words}, {of_title[-1].rstrip("s") for of_title in words}
    return min(map(len, shared)) == 1 and all(match[0] == f"{match[1]} " for match in matches.values())
