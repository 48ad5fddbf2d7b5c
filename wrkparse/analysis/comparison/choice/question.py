"""What the caller of a comparison names: labels of rows, columns and baseline, under the names of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wrkparse.analysis.comparison.cells.cells import LabelKeys, Labels
from wrkparse.analysis.comparison.cells.label_columns import label_columns
from wrkparse.analysis.comparison.choice.baseline import parse_baseline
from wrkparse.analysis.runs.selection import SelectedRun
from wrkparse.dataset import Dataset, QueryError
from wrkparse.dataset.aliases import label_name, label_names


@dataclass(frozen=True, slots=True)
class Question:
    """The labels that the caller names, each called as its column is; ``rows`` are None if the caller names none.

    ``renamed`` has the columns of the labels that are called otherwise (`label_columns`), ``where`` the condition that
    selects runs.
    """

    rows: LabelKeys | None
    columns: LabelKeys
    ignored: LabelKeys
    baseline: Labels
    where: str | None
    renamed: Mapping[str, str]

    @property
    def chooses(self) -> bool:
        """Whether rows and baseline are left to `wrkparse`."""
        return self.rows is None and not self.baseline

    @property
    def compared(self) -> LabelKeys:
        """The labels that the runs are to be compared by, as far as the caller names them."""
        return (*(self.rows or ()), *self.columns, *self.baseline)

    @property
    def asked(self) -> list[str]:
        """All labels that the caller names, as the runs call them."""
        key_of = {column: key for key, column in self.renamed.items()}
        return [key_of.get(key, key) for key in (*(self.rows or ()), *self.columns, *self.ignored, *self.baseline)]

    def with_columns(self, run: SelectedRun) -> SelectedRun:
        """The run, with its labels called as their columns are."""
        if self.renamed.keys().isdisjoint(run.labels):
            return run
        return replace(run, labels={self.renamed.get(key, key): value for key, value in run.labels.items()})


def read_question(
    dataset: Dataset,
    rows: str | Sequence[str] | None,
    columns: str | Sequence[str] | None,
    ignore: str | Sequence[str] | None,
    baseline: str | Mapping[str, object] | None,
    where: str | None,
) -> Question:
    """The labels that the arguments of `compare` name.

    Raises QueryError if those of rows, columns and baseline do not fit together.
    """
    known = dataset.label_keys()
    renamed = label_columns(known)
    labels = parse_baseline(baseline)
    question = Question(
        None if rows is None else _column_names(label_names(rows, known), renamed),
        _column_names(label_names(columns, known), renamed),
        _column_names(label_names(ignore, known), renamed),
        {renamed.get(key := label_name(name, known), key): value for name, value in labels.items()},
        where,
        renamed,
    )
    if question.rows is not None:
        _check_labels(question.baseline, question.rows, question.columns)
    return question


def _column_names(keys: Iterable[str], renamed: Mapping[str, str]) -> LabelKeys:
    return tuple(renamed.get(key, key) for key in keys)


def _check_labels(baseline: Labels, row_keys: LabelKeys, column_keys: LabelKeys) -> None:
    """Raise QueryError if the labels of rows, columns and baseline do not fit together."""
    if not row_keys:
        raise QueryError("a comparison needs a label for its rows")
    if repeated := set(row_keys) & set(column_keys):
        raise QueryError(f"{', '.join(sorted(repeated))} can't be in both rows and columns")
    if unknown := set(baseline) - {*row_keys, *column_keys}:
        raise QueryError(f"the baseline's {', '.join(sorted(unknown))} is in neither rows nor columns")
