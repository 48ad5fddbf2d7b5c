"""Where no line may break: around signs of comparison, between a number and its unit, within ``--an-option``."""

from __future__ import annotations

import re
from typing import Any

from wrkparse.report.document.pandoc import Node, text_inline

_UNITS = frozenset("ns µs ms s min h B KiB MiB GiB TiB KiB/s MiB/s GiB/s /s k/s M/s % × k M".split())
_ENDS_IN_NUMBER = re.compile(r"[0-9]$")
_COMPARISONS = frozenset("=<>≤≥")
_OPTION = re.compile(r"\W?--[a-z][a-z-]{1,30}\W{0,2}")
_BEHIND = ".,;:)]"  # what may stand behind a unit


def bind_numbers(tree: Any) -> Any:
    """A copy of a tree of blocks or inlines in which ``p = 0.5``, ``p < 0.1`` and ``18 ms`` are never on two lines."""
    if isinstance(tree, dict):
        return {key: bind_numbers(value) for key, value in tree.items()}
    if not isinstance(tree, list):
        return tree
    kept = [bind_numbers(one) for one in tree]
    for at, (before, space, behind) in enumerate(zip(kept, kept[1:], kept[2:], strict=False), 1):
        if _is(space, "Space", "SoftBreak") and _is(before, "Str") and _is(behind, "Str") and _stay(before, behind):
            kept[at] = text_inline("\N{NO-BREAK SPACE}")
    return kept


def is_option(node: Node) -> bool:
    """Whether an inline is an option of a command, ``--latency-correction``, which breaks at none of its hyphens."""
    return node["t"] == "Str" and _OPTION.fullmatch(node["c"]) is not None


def _is(node: Any, *kinds: str) -> bool:
    return isinstance(node, dict) and node.get("t") in kinds


def _stay(before: Node, behind: Node) -> bool:
    """Whether two words stay on one line."""
    if _COMPARISONS & {before["c"], behind["c"]}:
        return True
    return bool(_ENDS_IN_NUMBER.search(before["c"])) and behind["c"].rstrip(_BEHIND) in _UNITS
