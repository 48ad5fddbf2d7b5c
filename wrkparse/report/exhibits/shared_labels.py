"""What the logs say of all runs alike, as a clause instead of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrkparse.report.exhibits.origins import label_words, origin_words

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset


def shared_labels_clause(ds: Dataset) -> str:
    """``connections 64, duration 10 s (from the tool's output)``; empty if a label does not hold for all runs alike."""
    labels = ds.labels[~ds.labels["overruled"]].sort_values("key")
    # Each value that is stated must be that of all runs.
    if (labels.groupby(["key", "value"])["run"].nunique() < ds.count("runs")).any():
        return ""
    origins: dict[tuple[str, str], list[str]] = {}
    for key, value, origin in labels[["key", "value", "origin"]].itertuples(index=False):
        origins.setdefault((key, value), []).append(origin_words(origin))
    by_place: dict[str, list[str]] = {}
    for (key, value), places in origins.items():
        known = f"{label_words(key)} {value}{' s' if key.endswith('_s') else ''}"
        by_place.setdefault(" and ".join(dict.fromkeys(places)), []).append(known)
    return "; ".join(f"{', '.join(known)} (from {place})" for place, known in by_place.items())
