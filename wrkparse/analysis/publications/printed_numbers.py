"""Numbers as people print them in tables, and which way of rounding makes one out of a raw number.

Exact decimal arithmetic throughout: whether 95359.08 was cut off or rounded must not hang on binary fractions.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import NamedTuple

from wrkparse.model.units import BINARY, DECIMAL, PERCENT, PLAIN, SECONDS, Scale

RULES = ("exact", "floor", "round", "ceil")
_COUNTS: Scale = DECIMAL | {"K": (3, 1)}
_BYTES: Scale = PLAIN | BINARY | {"kB": (0, 2**10), "KiB": (0, 2**10), "MiB": (0, 2**20), "GiB": (0, 2**30)}
_SCALES: dict[str, Scale] = {
    "s": SECONDS | PLAIN, "bytes": _BYTES, "bytes/s": _BYTES, "ratio": PERCENT | PLAIN,
}  # fmt: skip
# A table that prints bare numbers has its unit in a heading at best: these are tried.
BARE = {"s": ("ms", "s", "us"), "bytes": ("", "MB", "KB", "GB"), "bytes/s": ("MB", "", "KB"), "ratio": ("%", "")}

_MARKUP = re.compile(r"[*`~≈]+|</?[a-z]{1,10}>|\[\^?[0-9]{1,3}\]|\\")
_NUMBER = re.compile(
    r"([+-]?)((?:[0-9]{1,3}(?:[,'\u00a0\u2009\u202f ][0-9]{3})+|[0-9]{1,30}))(?:\.([0-9]{1,20}))?"
    r" ?([a-zA-Zµμ]{1,3}|%)?(?: ?(?:/ ?s|/sec|(?:req|reqs|requests|r)/s(?:ec)?|rps|qps))?"
    r"(?: ?(?:±|\+/-).{0,40}| ?\([^()]{0,40}\))?"
)
_NOTHING = frozenset({"", "-", "--", "–", "—", "n/a", "na", "?", "…", "..."})
_STAY = 2  # significant digits that a number rounded to hundreds, thousands … must keep
_COARSER = 100  # one number in ten ends in a zero by chance


class Printed(NamedTuple):
    """A printed number in the base unit; ``step`` is one of its last digit, ``factor`` of the unit it is printed in."""

    value: Decimal
    step: Decimal
    factor: Decimal


class Rounding(NamedTuple):
    """How a printed number follows from a raw one: the rules that give it, and digits behind the point (-3: to 1000).

    ``exact`` alone if they are equal; else those of ``floor`` (cut off), ``round`` (to the nearest; a tie either way)
    and ``ceil`` that give it; none if it does not follow.
    """

    rules: tuple[str, ...]
    digits: int


def bare(text: str) -> str:
    """A cell without bold, code and footnote marks."""
    return _MARKUP.sub("", text).strip("_ \t")


def is_empty(text: str) -> bool:
    """Whether a cell says that nothing is printed there: empty, a dash, ``n/a``."""
    return text.strip().lower() in _NOTHING or bare(text).lower() in _NOTHING


def number(text: str, unit: str, suffix: str = "") -> Printed | None:
    """The number of a cell in the base `unit`; None if it is a word.

    Thousands separators, ``95k``, ``1.57ms``, ``12.5 MB/s`` (of 1024², as wrk prints them), ``83 %`` and ``95 ± 2`` (of
    which 95 counts) are read; a number without a unit is in `suffix`.
    """
    match = _NUMBER.fullmatch(bare(text))
    if match is None:
        return None
    sign, whole, fraction, printed = match.groups()
    scale = _SCALES.get(unit, _COUNTS)
    if (printed or suffix) not in scale:
        return None
    power, times = scale[printed or suffix]
    factor = Decimal(times).scaleb(power)
    digits = re.sub(r"[^0-9]", "", whole) + (fraction or "")
    step = factor.scaleb(-len(fraction or ""))
    return Printed(int(sign + digits) * step, step, factor)


def rounding(printed: Printed, raw: float) -> Rounding:
    """Which rules make `printed` of `raw`, which is the number nearest to what a tool printed.

    Where the last printed digit explains nothing and the number ends in two zeros or more, it may be rounded to the
    nearest hundred, thousand …, as long as two digits stay. Nothing else is tried there: 510 for 500.2, "rounded up to
    tens", is a slip of the pen.
    """
    exact = Decimal(repr(raw))
    step = printed.step
    if exact == printed.value:
        return Rounding(("exact",), _digits(step, printed.factor))
    rules = tuple(rule for rule in RULES[1:] if printed.value in _rounded(exact, step, rule))
    while not rules:
        step *= 10
        if printed.value % step or abs(printed.value / step) < 10 ** (_STAY - 1):
            return Rounding((), _digits(printed.step, printed.factor))
        if step >= printed.step * _COARSER and printed.value in _rounded(exact, step, "round"):
            rules = ("round",)
    return Rounding(rules, _digits(step, printed.factor))


def _rounded(value: Decimal, step: Decimal, rule: str) -> set[Decimal]:
    modes = {"floor": (ROUND_FLOOR,), "round": (ROUND_HALF_EVEN, ROUND_HALF_UP), "ceil": (ROUND_CEILING,)}[rule]
    return {(value / step).to_integral_value(mode) * step for mode in modes}


def _digits(step: Decimal, factor: Decimal) -> int:
    return -(step / factor).adjusted()
