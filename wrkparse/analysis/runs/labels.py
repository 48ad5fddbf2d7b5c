"""Values of labels as text, their order, and which labels differ between runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from wrkparse.tools import schema

TITLE = "title"  # the line above a run as it is; what it tells is in other labels


def label_text(value: object) -> str | None:
    """A label's value as text: ``36``, ``0.5``, ``off``; None if it is missing."""
    return None if value is pd.NA else schema.label_text(value)


def natural_order(value: str | None) -> tuple[bool, bool, float, str]:
    """The sort key of a label's value: numbers by size, then text, then missing values."""
    try:
        return value is None, False, float(value or ""), ""
    except ValueError:
        return value is None, True, 0.0, value or ""


def differing_labels(runs: Iterable[Mapping[str, str | None]]) -> list[str]:
    """The keys of the labels whose values differ; `runs` are the labels of each run, all with the same keys."""
    listed = list(runs)
    return [key for key in (listed[0] if listed else ()) if len({labels[key] for labels in listed}) > 1]


def without_repeated_environment(keys: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """The keys without those that repeat another: ``env_GOGC`` where `keys` or `others` has ``gogc``."""
    listed = list(keys)
    return [key for key in listed if key.removeprefix("env_").lower() not in {*listed, *others}.difference([key])]


def varying_labels(runs: Iterable[Mapping[str, str | None]]) -> list[str]:
    """`differing_labels` without those that repeat another."""
    return without_repeated_environment(key for key in differing_labels(runs) if key != TITLE)
