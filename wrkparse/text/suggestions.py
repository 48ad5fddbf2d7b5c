"""Suggests known names for a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SIMILARITY = 0.75  # one wrong letter of four; at 0.6, the default of difflib, "speed" is similar to "answered"
_SHORTEST_BEGINNING = 3  # characters of the shortest beginning for which a longer word is suggested


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean connections?``: the known name with this beginning, or the most similar one; or empty."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    with_beginning = [
        candidate
        for candidate in by_folded
        if len(name) >= _SHORTEST_BEGINNING and candidate.startswith(name.casefold())
    ]
    close = with_beginning or difflib.get_close_matches(name.casefold(), by_folded, 1, _SIMILARITY)
    return f"; did you mean {by_folded[close[0]]}?" if close else ""
