"""Numbers as tools print them, converted to base units.

The factor of a suffix depends on the column: wrk divides by 1000 for ``k`` in its Req/Sec row and by 1024 for ``K`` in
``KB`` (wrk ``src/units.c``: ``metric_units.scale`` 1000, ``binary_units.scale`` 1024). So each column has a *scale*,
which its parser names.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

# Suffix → (power of ten, factor): value = number · 10^power · factor. The printed digits are multiplied as integers, so
# "193.32us" becomes the float nearest to 0.00019332, not the product of two rounded floats.
Scale = dict[str, tuple[int, int]]

SECONDS: Scale = {
    "ns": (-9, 1),
    "us": (-6, 1),
    "µs": (-6, 1),  # U+00B5 micro sign
    "μs": (-6, 1),  # U+03BC Greek mu
    "ms": (-3, 1),
    "s": (0, 1),
    "m": (0, 60),
    "h": (0, 3600),
}
DECIMAL: Scale = {"": (0, 1), "k": (3, 1), "M": (6, 1), "G": (9, 1), "T": (12, 1)}
BINARY: Scale = {"B": (0, 1), "KB": (0, 2**10), "MB": (0, 2**20), "GB": (0, 2**30), "TB": (0, 2**40)}
PERCENT: Scale = {"%": (-2, 1)}
PLAIN: Scale = {"": (0, 1)}
MILLISECONDS: Scale = {"": (-3, 1)}
KIBIBYTES: Scale = {"": (0, 2**10)}

_NUMBER = re.compile(r"(-?[0-9]+)(?:\.([0-9]*))?([^0-9.\s]*)")  # "193.32us", "12", "5.k"
_GROUPED = re.compile(r"-?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?[^0-9.,\s]*")  # "5,295,495", "1,234.5ms"
_COUNT = re.compile(r"-?[0-9]+")
_NAN = re.compile(r"[+-]?nan(.*)", re.IGNORECASE)  # "nan", "-nanus"
# A 64-bit counter has up to 20 digits. A much longer "number" is two numbers without a blank between them.
_MAX_DIGITS = 30
_TOO_LARGE = 2.0**63  # for a column of integers; unsigned counters that fall below 0 are above it


class Quantity(NamedTuple):
    """A value in a base unit, and its resolution: half the last printed digit. Both are None for a printed ``nan``."""

    value: float | None
    resolution: float | None


NO_VALUE = Quantity(None, None)


def parse_quantity(text: str, scale: Scale) -> Quantity:
    """Parse a printed number with its suffix into the base unit of `scale`.

    Raises ValueError if the text is not a number with a suffix of `scale`; its message fits a diagnostic.
    """
    match = _NUMBER.fullmatch(_without_thousands_commas(text) if "," in text else text)
    if match is None:
        nan = _NAN.fullmatch(text)  # "-nan", and wrk2's "-nanus"
        if nan and nan[1] in ("", *scale):
            return NO_VALUE
        raise ValueError(f"{_shown(text)} is not a number")
    whole, fraction, suffix = match.groups()
    if suffix not in scale:
        raise ValueError(f"{_shown(text)} has the unit {_shown(suffix)}, expected {_choices(scale)}")
    if len(whole) + len(fraction or "") > _MAX_DIGITS:
        raise ValueError(f"{_shown(text)} has more digits than any tool prints")
    fraction = fraction or ""
    multiplier, divisor, resolution = _factors(*scale[suffix], len(fraction))
    return Quantity(int(whole + fraction) * multiplier / divisor, resolution)


@functools.cache
def _factors(power: int, factor: int, decimals: int) -> tuple[int, int, float]:
    """Multiplier and divisor of a number's digits, and its resolution.

    They are integers, so that the value is rounded only once.
    """
    power -= decimals
    return factor * 10 ** max(0, power), 10 ** max(0, -power), float(f"{5 * factor}e{power - 1}")


def parse_count(text: str) -> Quantity:
    """Parse a whole number. A count is exact, so its resolution is 0.

    Raises ValueError if the text is not a whole number from 0; its message fits a diagnostic.
    """
    if "," in text:
        text = _without_thousands_commas(text)
    if len(text) > _MAX_DIGITS or not _COUNT.fullmatch(text):
        raise ValueError(f"{_shown(text)} is not a count")
    if text[0] == "-":
        raise ValueError(f"{text} is below 0: the counter overflowed")
    if float(text) >= _TOO_LARGE:  # as a float even 2^63 - 1 is
        raise ValueError(f"{text} is not below 2^63: the counter overflowed, or two numbers touch")
    return Quantity(float(text), 0.0)


def _without_thousands_commas(text: str) -> str:
    """A number without thousands separators: ``5,295,495``."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "…")


def _choices(scale: Scale) -> str:
    return ", ".join(suffix or "none" for suffix in scale)
