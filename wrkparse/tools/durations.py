"""Parses durations as ``time.Duration.String`` of Go and other programs print them: ``1m2.5s``, ``145.08ms``."""

from __future__ import annotations

import re
from decimal import Decimal

from wrkparse.model.units import Quantity

# "1m2.5s", "2h45m", "145.08ms"; the "m" of "ms" is no minute
_PARTS = re.compile(r"(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m(?!s))?(?:([0-9]{1,12})(?:\.([0-9]{1,9}))?(ns|[uµμ]s|ms|s))?")
_POWERS = {"ns": -9, "us": -6, "µs": -6, "μs": -6, "ms": -3, "s": 0}


def parse_duration(text: str, places: int | None = None) -> Quantity:
    """A duration in seconds; its resolution is half the last printed digit.

    A program that cuts trailing zeros prints `places` decimals of its unit. Raises ValueError for other text.
    """
    match = _PARTS.fullmatch(text)
    if not text or match is None:
        raise ValueError(f"{text[:40]!r} is not a duration")
    hours, minutes, whole, fraction, unit = match.groups()
    power = _POWERS[unit] if unit else 0
    value = Decimal(int(hours or 0) * 3600 + int(minutes or 0) * 60) + Decimal(f"{whole or 0}.{fraction or 0}e{power}")
    digits = len(fraction or "") if places is None or hours or minutes or unit == "ns" else places
    return Quantity(float(value), float(f"5e{power - digits - 1}") if unit and value else 0.0)
