"""Intervals of positive numbers: what a printed number can stand for, carried through a formula."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrkparse.analysis.stats.arrays import Bools, Floats

# wrk's src/units.c moves to the next unit at 0.85 of it; from ms to s at exactly 1 s. Lower ends of the units' ranges,
# in base units, by the size of the unit (us, ms, s, m; 1, k, M, G, T; B, KB, MB, GB, TB).
_TIME = {1e-6: 0.0, 1e-3: 850e-6, 1.0: 1.0, 60.0: 51.0}
_COUNT = {1000.0**power: 0.85 * 1000.0**power * (power > 0) for power in range(5)}
_BYTES = {1024.0**power: 0.85 * 1024.0**power * (power > 0) for power in range(5)}
WRK_UNITS = {"s": _TIME, "1/s": _COUNT, "bytes": _BYTES, "bytes/s": _BYTES}
_ROUNDING = 1e-9


class Interval(NamedTuple):
    """Ends of closed intervals, one for each run; NaN where the number is not known."""

    low: Floats
    high: Floats

    def __mul__(self, other: Interval | Floats) -> Interval:  # type: ignore[override]
        low, high = (other.low, other.high) if isinstance(other, Interval) else (other, other)
        return Interval(self.low * low, self.high * high)

    def __truediv__(self, other: Interval | Floats) -> Interval:
        low, high = (other.low, other.high) if isinstance(other, Interval) else (other, other)
        with np.errstate(divide="ignore", invalid="ignore"):
            return Interval(self.low / high, self.high / low)

    def above(self, other: Interval) -> Bools:
        """Where this lies wholly above the other."""
        return self.low > other.high * (1 + _ROUNDING)

    def apart(self, other: Interval) -> Bools:
        """Where the two have no number in common."""
        return self.above(other) | other.above(self)

    @property
    def middle(self) -> Floats:
        """Their middles; the finite end where the other is not."""
        return np.where(np.isfinite(self.high), (self.low + self.high) / 2, self.low)

    @property
    def half(self) -> Floats:
        """Half their widths."""
        return (self.high - self.low) / 2


def printed(value: Floats, resolution: Floats) -> Interval:
    """What a number rounded at `resolution` (half its last digit) can stand for; never below 0."""
    return Interval(np.maximum(value - resolution, 0.0), value + resolution)


def printed_by_wrk(value: Floats, resolution: Floats, unit: str) -> tuple[Interval, Bools]:
    """What a number printed by wrk's ``src/units.c`` can stand for, and whether wrk prints such a number at all.

    wrk prints two decimals, so the resolution tells the unit, and each unit has a range: ``0.85ms`` is 850 to 855 µs,
    for less would be printed in µs.
    """
    plain = printed(value, resolution)
    low, high, known = plain.low.copy(), plain.high.copy(), np.isnan(value)
    scale = WRK_UNITS[unit]
    ends = [*list(scale.values())[1:], np.inf]
    for (size, first), last in zip(scale.items(), ends, strict=True):
        inside = np.isclose(resolution, 0.005 * size, rtol=1e-6)
        inside &= (value >= first * (1 - _ROUNDING)) & (value <= last * (1 + _ROUNDING))
        low, high = np.where(inside, np.maximum(low, first), low), np.where(inside, np.minimum(high, last), high)
        known |= inside
    return Interval(low, high), ~known
