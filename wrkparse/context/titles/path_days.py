"""The day that a file's path names."""

from __future__ import annotations

import re
from datetime import date

_IN_PATH = re.compile(r"(?<![0-9])(20[0-9]{2})[-_]?([01][0-9])[-_]?([0-3][0-9])(?![0-9])")


def day_in_path(path: str) -> date | None:
    """The one day that a path such as ``2026-11-20/nginx/run-1.txt`` names; None if it names none, or several."""
    days = {_day(match) for match in _IN_PATH.finditer(path)}
    return days.pop() if len(days) == 1 else None


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(*map(int, match.groups()))
    except ValueError:  # the 31st of February
        return None
