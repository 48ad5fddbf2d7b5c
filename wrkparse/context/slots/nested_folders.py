"""Finds folders of things that lie in the folder of another one: ``plain-kiwi/pooled-kiwi`` beside ``async-kiwi``."""

from __future__ import annotations

import re
from collections.abc import Collection

from wrkparse.context.titles.titles import read_path_part

_COMPOUND = re.compile(r".*[^\W_][-_ ]([^\W\d_]+)")
_FEWEST_PARTS = 3  # of a path with a folder in a folder


def without_outer_sibling(path: tuple[str, ...], paths: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """A path without the folder around its last one, if both are siblings by their names and their files.

    Their names end in one word, as those of other folders beside the outer one do, and the outer one has a file of the
    same name for itself. `paths` are those of all files.
    """
    if len(path) < _FEWEST_PARTS:
        return path
    *outside, outer, inner, file = path
    depth, family = len(outside), _last_word(inner)
    if not family or _last_word(outer) != family or (*outside, outer, file) not in paths:
        return path
    beside = {other[depth] for other in paths if len(other) > depth + 1 and list(other[:depth]) == outside}
    is_family = any(_last_word(folder) == family for folder in beside - {outer})
    return (*outside, inner, file) if is_family else path


def _last_word(folder: str) -> str:
    """The last of several words in the name of a folder; empty if it has one word."""
    match = _COMPOUND.fullmatch(read_path_part(folder).name)
    return match[1].casefold() if match else ""
