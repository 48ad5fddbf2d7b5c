"""Numbers as text for people: four significant digits, with a prefix and a unit."""

from __future__ import annotations

import math

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_BINARY = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def size(count: float) -> str:
    """Bytes for people: ``3.2 MiB``."""
    for factor, name in _BINARY:
        if abs(count) >= factor:
            return f"{count / factor:.1f} {name}"
    return f"{count:.0f} B"


def quantity(value: float | None, unit: str) -> str:
    """A number for people, with four significant digits and a prefix: ``193.3 µs``, ``40.67 k/s``; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if unit == "1":
        return f"{value:,.0f}"
    if unit == "ratio":
        return f"{100 * value:#.4g} %" if value else "0 %"
    if unit.startswith("bytes"):
        return size(value) + unit.removeprefix("bytes")
    if value == 0:
        return f"0 {unit.removeprefix('1')}"
    if unit == "s" and abs(value) >= 1:
        return f"{value:#.4g} s"
    if unit == "1/s" and abs(value) < 1:  # 20 m/s would be read as metres
        return f"{value:#.4g} /s"
    factor, prefix = next((p for p in _PREFIXES if abs(value) >= p[0]), _PREFIXES[-1])
    return f"{value / factor:#.4g} {prefix}{unit.removeprefix('1')}"
