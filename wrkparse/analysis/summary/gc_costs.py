"""What garbage collection costs under each of several settings, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from wrkparse.analysis.comparison.text.claims import labels_of
from wrkparse.analysis.comparison.text.wording import name_words, place_words
from wrkparse.analysis.go.gc.costs import GcCosts
from wrkparse.analysis.shown.numbers import whole_mib


def cost_sentence(costs: GcCosts) -> str:
    """The settings with the most and the fewest collections, as a sentence; empty without two that differ."""
    words = cost_words(costs)
    return f"{words[:1].upper()}{words[1:]}." if words and costs.compares else ""


def cost_words(costs: GcCosts) -> str:
    """``most collections with GOGC=50 (36 per second, …), fewest with GOGC=400 (…)``; empty without two settings.

    If even these two have the same rate in three digits, that is said instead.
    """
    rows = costs.settings.to_dict("records")
    known = sorted((row for row in rows if row["cycles_per_s"] > 0), key=lambda row: row["cycles_per_s"])
    if len(known) < 2:
        return ""
    if (rate := _rate_words(known[0])) == _rate_words(known[-1]):
        return f"{rate} collections per second in each setting"
    many, few = (_collections_words(costs, row) for row in (known[-1], known[0]))
    return f"most collections {many}, fewest {few}"


def gc_setting_words(costs: GcCosts, row: Mapping[Any, Any]) -> str:
    """``with GOGC=50``, ``heron with GOGC=off with GOMEMLIMIT=64MiB``."""
    labels = {key: value for key, value in labels_of(row, costs.keys).items() if value is not None}
    return name_words(labels) or place_words(labels) or "without a setting"


def _collections_words(costs: GcCosts, row: Mapping[Any, Any]) -> str:
    """``with GOGC=50 (36 per second, largest heap 97 MiB)``."""
    heap = row["heap_max_bytes"]
    beside = f", largest heap {whole_mib(heap)} MiB" if not math.isnan(heap) else ""
    return f"{gc_setting_words(costs, row)} ({_rate_words(row)} per second{beside})"


def _rate_words(row: Mapping[Any, Any]) -> str:
    return f"{row['cycles_per_s']:.3g}"
