"""Finds the day in the path of a file."""

from __future__ import annotations

import re
from datetime import date

_DAY = r"(?<![0-9])(20[0-9]{2})[-_]?([01][0-9])[-_]?([0-3][0-9])"
_DAY_IN_PATH = re.compile(rf"{_DAY}(?![0-9])")
_DAY_AND_TIME = re.compile(rf"{_DAY}[T_-]?[0-2][0-9][-:.hH]?[0-5][0-9]")


def day_in_path(path: str) -> date | None:
    """The one day in a path such as ``2026-11-20/nginx/run-1.txt``; None if it has none, or several."""
    days = {_parse_day(match) for match in _DAY_IN_PATH.finditer(path)}
    return days.pop() if len(days) == 1 else None


def has_time_of_day(path: str) -> bool:
    """Whether a path has a time after a day: ``wrk-20261120-2340.txt``."""
    return _DAY_AND_TIME.search(path) is not None


def _parse_day(match: re.Match[str]) -> date | None:
    """The day of a match; None if the calendar lacks it."""
    try:
        return date(*map(int, match.groups()))
    except ValueError:  # the 31st of February
        return None
