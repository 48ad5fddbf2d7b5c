"""Reads the stamps of log lines: times in the forms of ISO 8601, since 1970, and in words; and follows a clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FEWEST_FOR_ARROW = 32  # stamps; for fewer, the casts of pyarrow take longer than single ones


class StampTime(NamedTuple):
    """A time without ``tzinfo``: in UTC if the stamp names its zone (``zoned``), else in the zone of the clock."""

    at: datetime
    zoned: bool


def parse_stamp(stamp: str) -> StampTime | None:
    """The time of a stamp; None if it has no year or is not a time."""
    try:
        if stamp[:4].isdigit() and stamp[4:5] in ("-", "/"):
            return _parse_iso(stamp.replace("/", "-"))
        if stamp.replace(".", "", 1).isdigit():
            return _parse_epoch(stamp)
        return _parse_words(stamp)
    except (ValueError, OverflowError):
        return None


def _parse_iso(stamp: str) -> StampTime:
    """A time in the form of ISO 8601."""
    text = stamp.replace(" UTC", "Z").replace(" GMT", "Z").replace(", ", " ")
    text = text[:11] + text[11:].replace(" ", "")  # a blank before the zone: "2026-11-20 11:38:23 +0100"
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        return StampTime(at, zoned=False)
    return StampTime(at.astimezone(UTC).replace(tzinfo=None), zoned=True)


def _parse_epoch(stamp: str) -> StampTime | None:
    """A time since 1970, in s, ms, µs or ns by its number of digits (10, 13, 16, 19: the years 2001 to 2286)."""
    digits = len(stamp.partition(".")[0])
    if digits not in (10, 13, 16, 19):
        return None
    whole, _, decimals = stamp.partition(".")
    # The first 16 digits are microseconds, in whatever unit the stamp is.
    microseconds = int((whole + decimals + "000000")[:16])
    return StampTime(datetime(1970, 1, 1) + timedelta(microseconds=microseconds), zoned=True)  # noqa: DTZ001 (UTC)


def _parse_words(stamp: str) -> StampTime | None:
    """A time with words: ``Fri Nov 20 11:38:23 2026``, ``20/Nov/2026:11:38:23 +0100``."""
    words = stamp.replace(",", " ", 1).split() if stamp[:1].isalpha() else []
    if words and words[0] not in MONTHS and len(words) > 1 and words[1][:4].isdigit():  # "Fri 2026-11-20 11:38:23"
        return parse_stamp(stamp.partition(" ")[2])
    if words and words[0] not in MONTHS:
        words = words[1:]
    if len(words) == 4:
        month, day, clock, year = words
        return _parse_iso(f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02} {clock}")
    if not words and len(stamp) > 11 and stamp[3:6] in MONTHS:
        return _parse_iso(f"{stamp[7:11]}-{MONTHS.index(stamp[3:6]) + 1:02}-{stamp[:2]} {stamp[12:]}")
    return None


class Clock:
    """The times before the lines of one run: the earliest, the latest, and their zone: UTC, or None if unknown.

    All times of a run come from one clock. So if the first one has a zone, later ones without are left out, and vice
    versa.
    """

    def __init__(self) -> None:
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.zone: str | None = None

    def begin(self, stamps: pa.StringArray) -> None:
        """Take the first of these stamps that is a time, unless the clock has one: its zone is that of the clock."""
        for stamp in stamps if self.first is None else ():
            if stamp.is_valid and self._time(stamp.as_py()):
                return

    def times(self, stamps: Sequence[str] | pa.StringArray) -> list[datetime | None] | pa.Array:
        """The time of each stamp; None for a stamp that is empty, unknown or of another clock."""
        if len(stamps) >= _FEWEST_FOR_ARROW:
            array = stamps if isinstance(stamps, pa.StringArray) else pa.array(stamps)
            if (times := self._iso_times(array)) is not None:
                return times
        each = stamps.to_pylist() if isinstance(stamps, pa.StringArray) else stamps
        return [self._time(stamp) if stamp else None for stamp in each]

    def _iso_times(self, stamps: pa.StringArray) -> pa.Array | None:
        """The times of stamps if all are in the form of ISO 8601 and of this clock; else None."""
        begin = stamps[0].as_py()
        first = parse_stamp(begin) if begin[4:5] == "-" else None
        if first is None or (self.first is not None and first.zoned != (self.zone is not None)):
            return None
        try:
            times = pc.cast(stamps, pa.timestamp("ns", "UTC" if first.zoned else None))
        except pa.ArrowInvalid:
            return None
        times = pc.cast(times, pa.timestamp("us"), safe=False)  # a store keeps microseconds: the rest is cut off
        low, high = pc.min_max(times).as_py().values()
        if self.first is None or self.last is None:
            self.first, self.last, self.zone = low, high, "UTC" if first.zoned else None
        self.first, self.last = min(self.first, low), max(self.last, high)
        return times

    def _time(self, stamp: str) -> datetime | None:
        """The time of one stamp; None if it is unknown or of another clock."""
        found = parse_stamp(stamp)
        if found is None:
            return None
        if self.first is None or self.last is None:
            self.first = self.last = found.at
            self.zone = "UTC" if found.zoned else None
        elif found.zoned != (self.zone is not None):
            return None
        self.first, self.last = min(self.first, found.at), max(self.last, found.at)
        return found.at
