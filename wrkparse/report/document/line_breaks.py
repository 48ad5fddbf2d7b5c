"""Prevents line breaks around signs of comparison, between a number and its unit, and within ``--an-option``."""

from __future__ import annotations

import re
from typing import Any

from wrkparse.report.document.pandoc import Node, text_inline

# The units that tables and captions print.
_UNITS = frozenset("ns µs ms s min h B KiB MiB GiB TiB KiB/s MiB/s GiB/s /s k/s M/s % × k M".split())
_NUMBER_AT_END = re.compile(r"[0-9]$")  # "18", "p99"
# The blank in "18 ms", "1.5 k/s", "95k requests/s".
_BEFORE_UNIT = re.compile(
    rf"(?<=[0-9]) (?=(?:{'|'.join(map(re.escape, sorted(_UNITS, key=len, reverse=True)))})(?:[.,;:)\s]|$))"
    r"|(?<=[0-9kM]) (?=requests/s)"
)
_COMPARISONS = frozenset("=<>≤≥")
_OPTION = re.compile(r"\W?--[a-z][a-z-]{1,30}\W{0,2}")  # "--latency", "(--latency-correction),"
_AFTER_UNIT = ".,;:)]"  # may follow a unit in its word


def bind_numbers(tree: Any) -> Any:
    """A copy of a tree of blocks or inlines, with no-break spaces in ``p = 0.5``, ``p < 0.1`` and ``18 ms``."""
    if isinstance(tree, dict):
        return {key: bind_numbers(value) for key, value in tree.items()}
    if not isinstance(tree, list):
        return tree
    kept = [bind_numbers(one) for one in tree]
    # Three neighbours at a time: a word, the blank, the next word.
    for at, (before, space, after) in enumerate(zip(kept, kept[1:], kept[2:], strict=False), 1):
        if (
            _is_node(space, "Space", "SoftBreak")
            and _is_node(before, "Str")
            and _is_node(after, "Str")
            and _belong_together(before, after)
        ):
            kept[at] = text_inline("\N{NO-BREAK SPACE}")
    return kept


def bound_text(text: str) -> str:
    """A title or a cell with no-break spaces between numbers and their units, and in front of ``requests/s``."""
    return _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", text)


def is_option(node: Node) -> bool:
    """Whether an inline is an option of a command, ``--latency-correction``, which must not break at its hyphens."""
    return node["t"] == "Str" and _OPTION.fullmatch(node["c"]) is not None


def _is_node(node: Any, *kinds: str) -> bool:
    return isinstance(node, dict) and node.get("t") in kinds


def _belong_together(before: Node, after: Node) -> bool:
    """Whether two words must be on one line."""
    if _COMPARISONS & {before["c"], after["c"]}:
        return True
    return bool(_NUMBER_AT_END.search(before["c"])) and after["c"].rstrip(_AFTER_UNIT) in _UNITS
