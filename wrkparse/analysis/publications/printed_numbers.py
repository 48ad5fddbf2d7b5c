"""Numbers as people print them in tables, and the rounding rule that turns a raw number into a printed one.

All arithmetic is decimal and exact, so that binary fractions cannot decide whether 95359.08 was cut off or rounded.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import NamedTuple

from wrkparse.model.units import BINARY, DECIMAL, PERCENT, PLAIN, SECONDS, Scale

ROUNDING_RULES = ("exact", "floor", "round", "ceil")
_COUNTS: Scale = DECIMAL | {"K": (3, 1)}  # people write K, tools k
# All prefixes are powers of 1024, as wrk prints them; authors write kB and KB for the same.
_BYTES: Scale = PLAIN | BINARY | {"kB": (0, 2**10), "KiB": (0, 2**10), "MiB": (0, 2**20), "GiB": (0, 2**30)}
_SCALES: dict[str, Scale] = {
    "s": SECONDS | PLAIN, "bytes": _BYTES, "bytes/s": _BYTES, "ratio": PERCENT | PLAIN,
}  # fmt: skip
# The units that are tried for numbers without a unit, by base unit. A table has the unit in a heading at best.
UNITS_OF_BARE_NUMBERS = {
    "s": ("ms", "s", "us"), "bytes": ("", "MB", "KB", "GB"), "bytes/s": ("MB", "", "KB"), "ratio": ("%", ""),
}  # fmt: skip

_MARKUP = re.compile(r"[*`~≈]+|</?[a-z]{1,10}>|\[\^?[0-9]{1,3}\]|\\")  # "**", "~", "<sup>", "[^1]"
# "95,359.08", "1.57ms", "12.5 MB/s", "95 ± 2". A comma, an apostrophe or one of four blanks separates thousands.
_NUMBER = re.compile(
    r"([+-]?)((?:[0-9]{1,3}(?:[,'\u00a0\u2009\u202f ][0-9]{3})+|[0-9]{1,30}))(?:\.([0-9]{1,20}))?"
    r" ?([a-zA-Zµμ]{1,3}|%)?(?: ?(?:/ ?s|/sec|(?:req|reqs|requests|r)/s(?:ec)?|rps|qps))?"
    r"(?: ?(?:±|\+/-).{0,40}| ?\([^()]{0,40}\))?"
)
# What authors write where there is no number.
_EMPTY_CELLS = frozenset({"", "-", "--", "–", "—", "n/a", "na", "?", "…", "..."})
_FEWEST_DIGITS = 2  # significant digits that a number rounded to hundreds, thousands … must keep
# In last printed digits; rounding to tens is not assumed: one number in ten ends in 0 by chance.
_FINEST_COARSE_STEP = 100


class PrintedNumber(NamedTuple):
    """A printed number in its base unit.

    ``step`` is one unit of its last digit, ``factor`` the unit that it is printed in; both in the base unit.
    """

    value: Decimal
    step: Decimal
    factor: Decimal


class Rounding(NamedTuple):
    """How a printed number follows from a raw number.

    ``rules`` is ``("exact",)`` if they are equal. Otherwise it has those of ``floor`` (cut off), ``round`` (to the
    nearest; a tie either way) and ``ceil`` that give the printed number; it is empty if none does. ``digits`` counts
    the digits after the decimal point (-3: rounded to thousands).
    """

    rules: tuple[str, ...]
    digits: int


def cell_text(text: str) -> str:
    """The text of a cell without marks for bold, code and footnotes."""
    return _MARKUP.sub("", text).strip("_ \t")


def is_empty(text: str) -> bool:
    """Whether a cell is empty or has only a sign for "nothing": a dash, ``n/a``."""
    return text.strip().lower() in _EMPTY_CELLS or cell_text(text).lower() in _EMPTY_CELLS


def parse_printed_number(text: str, unit: str, suffix: str = "") -> PrintedNumber | None:
    """The number of a cell in the base unit `unit`; None if the cell is not a number of that unit.

    Accepts thousands separators, ``95k``, ``1.57ms``, ``12.5 MB/s`` (of 1024², as wrk prints them), ``83 %``, and
    ``95 ± 2``, which is 95. A number without a unit is in `suffix`.
    """
    match = _NUMBER.fullmatch(cell_text(text))
    if match is None:
        return None
    sign, integer, fraction, printed_unit = match.groups()
    scale = _SCALES.get(unit, _COUNTS)
    if (printed_unit or suffix) not in scale:
        return None
    power, multiplier = scale[printed_unit or suffix]
    factor = Decimal(multiplier).scaleb(power)
    digits = re.sub(r"[^0-9]", "", integer) + (fraction or "")
    step = factor.scaleb(-len(fraction or ""))
    return PrintedNumber(int(sign + digits) * step, step, factor)


def find_rounding(printed: PrintedNumber, raw: float) -> Rounding:
    """The rules that turn `raw`, the float nearest to what a tool printed, into `printed`.

    If no rule does so at the last printed digit, rounding to the nearest hundred, thousand … is tried, as long as the
    number ends in as many zeros and two digits remain. Nothing else is tried: 510 for 500.2, "rounded up to tens", is
    taken as a mistake of the writer.
    """
    # repr gives the shortest decimal number that is read as this float: the one that the tool printed.
    exact = Decimal(repr(raw))
    step = printed.step
    if exact == printed.value:
        return Rounding(("exact",), _digits(step, printed.factor))
    rules = tuple(rule for rule in ROUNDING_RULES[1:] if printed.value in _rounded(exact, step, rule))
    while not rules:
        step *= 10
        # This ends the loop for any number: at some step fewer than two digits are left.
        if printed.value % step or abs(printed.value / step) < 10 ** (_FEWEST_DIGITS - 1):
            return Rounding((), _digits(printed.step, printed.factor))
        if step >= printed.step * _FINEST_COARSE_STEP and printed.value in _rounded(exact, step, "round"):
            rules = ("round",)
    return Rounding(rules, _digits(step, printed.factor))


def _rounded(value: Decimal, step: Decimal, rule: str) -> set[Decimal]:
    # Half-way between two numbers, people round up and C's printf to the even one: 2.5 is 3 or 2.
    modes = {"floor": (ROUND_FLOOR,), "round": (ROUND_HALF_EVEN, ROUND_HALF_UP), "ceil": (ROUND_CEILING,)}[rule]
    return {(value / step).to_integral_value(mode) * step for mode in modes}


def _digits(step: Decimal, factor: Decimal) -> int:
    return -(step / factor).adjusted()
