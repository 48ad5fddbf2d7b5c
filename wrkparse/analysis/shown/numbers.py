"""Numbers as text for people: four significant digits, with a prefix and a unit."""

from __future__ import annotations

import math

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_HALF = 0.01  # how near to a half is one, in units of the last decimal
_BINARY = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def byte_size_text(count: float) -> str:
    """Bytes for people: ``3.2 MiB``."""
    for factor, name in _BINARY:
        if abs(count) >= factor:
            return f"{count / factor:.1f} {name}"
    return f"{count:.0f} B"


def whole_mib(count: float) -> str:
    """Bytes that a log prints as whole MiB, without the unit; the heap of gctrace is cut, so its 0 is less than 1.

    >>> whole_mib(3 * 2**20), whole_mib(0), whole_mib(1.5 * 2**20)
    ('3', '<1', '1.5')
    """
    return f"{count / 2**20:,.1f}".removesuffix(".0") if count else "<1"


def rounded(value: float, unit: str) -> str:
    """A `quantity` without the zeros at the end of its decimals, for what logs print with fewer digits.

    >>> rounded(0.0037, "s"), rounded(0.00004, "s"), rounded(0.1586, "ratio"), rounded(0.0123, "s")
    ('3.7 ms', '40 µs', '15.86 %', '12.3 ms')
    """
    number, _, name = quantity(value, unit).partition(" ")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {name}"


def as_printed(value: float, unit: str, resolution: float) -> str:
    """A `quantity` of one number of a log, with no more decimals than `resolution` has, half the last printed digit.

    >>> as_printed(0.0028, "s", 5e-6), as_printed(30, "s", 0), as_printed(1267015352, "bytes", 5368709)
    ('2.80 ms', '30 s', '1.18 GiB')
    >>> as_printed(0.8805, "ratio", 5e-5), as_printed(29834.84, "1/s", 0.005), as_printed(895792, "1", 0)
    ('88.05 %', '29.83 k/s', '895,792')

    The mean of two has one more if it lies half-way between them.

    >>> as_printed(0.0165, "s", 5e-4), as_printed(0.00131, "s", 5e-6)
    ('16.5 ms', '1.31 ms')
    """
    if unit == "1" or not value or not math.isfinite(value):
        return quantity(value, unit)
    number, _, name = quantity(value, unit).partition(" ")
    if unit.startswith("bytes"):
        scale = float({name: factor for factor, name in _BINARY}.get(name.removesuffix("/s"), 1))
        number = f"{value / scale:#.4g}" if scale > 1 else number
    else:
        # The factor of the prefix. The text is rounded, so the quotient is only near the power of ten.
        scale = 10.0 ** round(math.log10(value / float(number)))
    if not resolution > 0:  # none, or not known
        return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {name}"
    printed = half_way(value / scale, max(0, round(-math.log10(2 * resolution / scale))))
    shown = min(printed, len(number.partition(".")[2]))
    return f"{value / scale:.{shown}f} {name}"


def half_way(number: float, places: int) -> int:
    """One decimal more for a number that lies half-way between two numbers with so many: ``16.5`` between 16 and 17."""
    return places + int(abs(abs(number) * 10**places % 1 - 0.5) < _HALF)


def quantity(value: float | None, unit: str) -> str:
    """A number for people, with four significant digits and a prefix: ``193.3 µs``, ``40.67 k/s``; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if unit == "1":
        return f"{value:,.0f}"
    if unit == "ratio":
        return f"{100 * value:#.4g} %" if value else "0 %"
    if unit.startswith("bytes"):
        return byte_size_text(value) + unit.removeprefix("bytes")
    if value == 0:
        return f"0 {unit.removeprefix('1')}"
    if unit == "s" and abs(value) >= 1:
        return f"{value:#.4g} s"
    if unit == "1/s" and abs(value) < 1:  # 20 m/s would be read as metres
        return f"{value:#.4g} /s"
    factor, prefix = next((p for p in _PREFIXES if abs(value) >= p[0]), _PREFIXES[-1])
    return f"{value / factor:#.4g} {prefix}{unit.removeprefix('1')}"
