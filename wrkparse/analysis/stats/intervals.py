"""Arithmetic with intervals of positive numbers: the range that a printed, rounded number can stand for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrkparse.analysis.stats.arrays import Bools, Floats

# src/units.c of wrk moves to the next unit at 0.85 of it, and from ms to s at exactly 1 s. Each mapping gives the lower
# end of a unit's range, in base units, by the size of the unit (us, ms, s, m; 1, k, M, G, T; B, KB, MB, GB, TB).
# The loop of `format_units` stops before the last unit of its lists: it never prints `h` or `P`. It takes seconds from
# a list that begins at `s`, so the range of `m` begins at 0.85 · 60 s.
_TIME = {1e-6: 0.0, 1e-3: 850e-6, 1.0: 1.0, 60.0: 51.0}
# The base unit, of power 0, has no unit below it: its range begins at 0.
_COUNT = {1000.0**power: 0.85 * 1000.0**power * (power > 0) for power in range(5)}
_BYTES = {1024.0**power: 0.85 * 1024.0**power * (power > 0) for power in range(5)}
WRK_UNITS = {"s": _TIME, "1/s": _COUNT, "bytes": _BYTES, "bytes/s": _BYTES}
_BYTE_SUFFIXES = ("B", "KB", "MB", "GB", "TB")
_SUFFIXES = {
    "s": ("us", "ms", "s", "m"),
    "1/s": ("", "k", "M", "G", "T"),
    "bytes": _BYTE_SUFFIXES,
    "bytes/s": _BYTE_SUFFIXES,
}
_WRK_PLACES = 2  # decimals that wrk prints (src/units.c)
_ROUNDING = 1e-9  # relative: far above the errors of float arithmetic, far below the last digit that any tool prints
_SAME_RESOLUTION = 1e-8  # half a hundredth of a microsecond, the smallest, is 5e-9


class Interval(NamedTuple):
    """The ends of closed intervals, one for each run; NaN where the number is not known."""

    low: Floats
    high: Floats

    def __mul__(self, other: Interval | Floats) -> Interval:  # type: ignore[override]
        low, high = (other.low, other.high) if isinstance(other, Interval) else (other, other)
        return Interval(self.low * low, self.high * high)

    def __truediv__(self, other: Interval | Floats) -> Interval:
        low, high = (other.low, other.high) if isinstance(other, Interval) else (other, other)
        with np.errstate(divide="ignore", invalid="ignore"):
            # A baseline of 0 gives infinity, and 0 / 0 gives NaN, which no comparison takes as above another number.
            return Interval(self.low / high, self.high / low)

    def above(self, other: Interval) -> Bools:
        """Where the whole interval lies above the other."""
        return self.low > other.high * (1 + _ROUNDING)

    def disjoint(self, other: Interval) -> Bools:
        """Where the two intervals have no number in common."""
        return self.above(other) | other.above(self)

    @property
    def middle(self) -> Floats:
        """The middle of each interval; its lower end if the upper end is infinite."""
        return np.where(np.isfinite(self.high), (self.low + self.high) / 2, self.low)

    @property
    def half_width(self) -> Floats:
        """Half the width of each interval."""
        return (self.high - self.low) / 2


def printed_interval(value: Floats, resolution: Floats) -> Interval:
    """What a printed number can stand for; `resolution` is half its last digit. Never below 0."""
    return Interval(np.maximum(value - resolution, 0.0), value + resolution)


def printed_by_wrk(value: Floats, resolution: Floats, unit: str) -> tuple[Interval, Bools]:
    """What a number printed by ``src/units.c`` of wrk can stand for, and where wrk would not print such a number.

    wrk prints two decimals, so the resolution gives the unit, and each unit has a range: ``0.85ms`` stands for 850 to
    855 µs, because wrk prints less than 850 µs in µs. `unit` is a key of `WRK_UNITS`.
    """
    rounded = printed_interval(value, resolution)
    low, high, printable = rounded.low.copy(), rounded.high.copy(), np.isnan(value)
    range_starts = WRK_UNITS[unit]
    range_ends = [*list(range_starts.values())[1:], np.inf]
    for (size, start), end in zip(range_starts.items(), range_ends, strict=True):
        half_digit = 0.005 * size
        in_unit = np.abs(resolution - half_digit) <= _SAME_RESOLUTION + 1e-6 * half_digit
        in_unit &= (value >= start * (1 - _ROUNDING)) & (value <= end * (1 + _ROUNDING))
        low, high = np.where(in_unit, np.maximum(low, start), low), np.where(in_unit, np.minimum(high, end), high)
        printable |= in_unit
    return Interval(low, high), ~printable


def text_as_printed(value: float, resolution: float, unit: str) -> str:
    """A number as wrk prints it, with its suffix; `unit` is a key of `WRK_UNITS`.

    The resolution says which is the last digit. Of the suffixes that leave at most two decimals it is the largest.
    """
    for size, suffix in reversed(list(zip(WRK_UNITS[unit], _SUFFIXES[unit], strict=True))):
        places = round(-np.log10(2 * resolution / size)) if resolution > 0 else 0
        if places <= _WRK_PLACES:
            return f"{value / size:.{max(0, places)}f}{suffix}"
    return f"{value:.6g}{_SUFFIXES[unit][0]}"
