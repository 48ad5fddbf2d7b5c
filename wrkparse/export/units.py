"""Base units as other programs spell them."""

from __future__ import annotations

_WORDS = {
    "s": "seconds",
    "bytes": "bytes",
    "ratio": "ratio",
    "1/s": "per_second",
    "bytes/s": "bytes_per_second",
}


def unit_word(unit: str) -> str:
    """A base unit as Prometheus spells it: ``seconds``; empty for counts."""
    return _WORDS.get(unit, "")


def unit_slug(unit: str) -> str:
    """A base unit at the end of a name with hyphens: ``-bytes-per-second``; empty for counts."""
    word = unit_word(unit).replace("_", "-")
    return f"-{word}" if word else ""
