"""Parses numbers as ``%g`` and ``%.6g`` of Go print them: ``0.000289524``, ``6.8472e-05``, ``10035``."""

from __future__ import annotations

import re
from decimal import Decimal

from wrkparse.model.units import Quantity
from wrkparse.tools.lines import Cell, read_by

NUMBER = r"-?[0-9]{1,15}(?:\.[0-9]{1,20})?(?:e[+-][0-9]{2,3})?"
"""The pattern of such a number."""

_NUMBER = re.compile(NUMBER)
_CLOCK = 5e-10  # seconds: times in Go are differences of whole nanoseconds


def _decimal(text: str) -> Decimal:
    """The number in a text. Raises ValueError for other text."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a number")
    return Decimal(text)


def significant(digits: int) -> Cell:
    """A number of ``%.<digits>g``: its resolution is half of the last of these digits, even if zeros were left out."""

    def parse(text: str) -> Quantity:
        value = _decimal(text)
        return Quantity(float(value), float(f"5e{value.adjusted() - digits}") if value else 0.0)

    return read_by(parse, NUMBER)


def nanoseconds() -> Cell:
    """A time in seconds of ``%g``, with all its digits: its resolution is that of the clock."""
    return read_by(lambda text: Quantity(float(_decimal(text)), _CLOCK), NUMBER)
