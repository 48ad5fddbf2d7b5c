"""The next label that could be compared, beside the one that a comparison chose."""

from __future__ import annotations

from typing import Any

from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.loads import on_requested_rate
from wrkparse.analysis.comparison.text.run_notes import next_label
from wrkparse.analysis.runs.labels.factors import REQUEST_LABELS
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import Dataset

_REQUESTED = frozenset({"path", "url", *REQUEST_LABELS})  # labels of what was requested


def next_label_sentences(dataset: Dataset, table: ComparisonTable, **options: Any) -> tuple[str, ...]:
    """What the first metric that tells something says of `next_label`, all else equal; empty if there is no such label.

    Also empty if the label says what was requested: paths are not alternatives to each other.

    `table` is a comparison of `dataset` by the label that `compare` chose; `options` are those that it was given.
    """
    label = next_label(table)
    if not label or label in _REQUESTED:
        return ()
    names = dict.fromkeys(map(str, table.cells["metric"]))
    first = next((name for name in names if not on_requested_rate(table, name)), next(iter(names)))
    try:
        second = compare(dataset, columns=table.rows, metric=first, **options)
    except TooLittleError:
        return ()
    if second.rows != (label,):
        return ()
    return tuple(sentence for sentence in second.sentences if sentence not in table.sentences)
