"""Names that are like a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LIKE = 0.6  # difflib's own default for close matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean connections?``: the known name that is most like this one; empty if none is."""
    by_folded = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.casefold(), by_folded, 1, _LIKE)
    return f"; did you mean {by_folded[close[0]]}?" if close else ""
