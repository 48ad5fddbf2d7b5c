"""Names that are like a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LIKE = 0.75  # one wrong letter of four; at 0.6, difflib's default, "speed" is like "answered"
_BEGINNING = 3  # characters that name a longer word


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean connections?``: the known name that begins so, or is most like this one; empty if none."""
    by_folded = {one.casefold(): one for one in known}
    begun = [one for one in by_folded if len(name) >= _BEGINNING and one.startswith(name.casefold())]
    close = begun or difflib.get_close_matches(name.casefold(), by_folded, 1, _LIKE)
    return f"; did you mean {by_folded[close[0]]}?" if close else ""
