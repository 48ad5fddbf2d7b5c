"""Columns of the compared labels: a label that is called like a column of results has one with ``label_`` in front.

``n=10`` is a name of sub-benchmarks and of folders, and ``n`` the number of runs.
"""

from __future__ import annotations

from collections.abc import Iterable

# The columns of `ComparisonTable.cells` by their type, then those of `over_settings`.
INTEGERS = ("n", "invalid", "runs_needed", "runs_needed_lo", "rank_lo", "rank_hi")
FLOATS = (
    "center", "lo", "hi", "confidence", "resolution", "within_cv",
    "ratio", "ratio_lo", "ratio_hi", "ratio_resolution", "difference", "difference_lo", "difference_hi",
    "p", "p_adjusted",
)  # fmt: skip
TRUTHS = ("is_share", "equivalent")
OVER_SETTINGS_FLOATS = ("ratio", "lo", "hi", "p", "p_adjusted", "p_differ", "lowest", "highest")
OVER_SETTINGS_COUNTS = ("settings", "settings_higher", "settings_lower", "runs", "baseline_runs")
_TEXTS = ("metric", "unit", "better", "varies", "verdict")
_OF_OTHER_TABLES = ("run", "source", "value", "geomean", "settings_used", "change", "outcome")
_RESULTS = frozenset(
    (*INTEGERS, *FLOATS, *TRUTHS, *OVER_SETTINGS_FLOATS, *OVER_SETTINGS_COUNTS, *_TEXTS, *_OF_OTHER_TABLES)
)
_PREFIX = "label_"


def label_columns(keys: Iterable[str]) -> dict[str, str]:
    """The columns of those labels that are called like a column of results: ``label_n`` for ``n``."""
    known = set(keys)
    found: dict[str, str] = {}
    for key in sorted(known & _RESULTS):
        column = f"{_PREFIX}{key}"
        while column in known:
            column = f"{_PREFIX}{column}"
        found[key] = column
    return found


def without_prefix(key: str) -> str:
    """What people call the label of a column: ``n`` for ``label_n``."""
    return key.removeprefix(_PREFIX) if key.startswith(_PREFIX) else key
