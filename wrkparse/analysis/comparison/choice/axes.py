"""The labels of rows and columns, and the baseline: those that the caller names, and what the runs differ in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wrkparse.analysis.comparison.cells.cells import LabelKeys, Labels
from wrkparse.analysis.comparison.choice.baseline import default_baseline, names_a_baseline, pairing_baseline
from wrkparse.analysis.comparison.choice.question import Question
from wrkparse.analysis.runs.labels.factors import crossing_label, dividing_labels, separating_labels
from wrkparse.analysis.runs.labels.variants import rows_of_variants
from wrkparse.analysis.runs.possible_differences import may_differ
from wrkparse.analysis.runs.selection import NothingToCompareError, SelectedRun
from wrkparse.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Axes:
    """The labels of ``rows`` and ``columns``, the last of which are ``separated``: not asked for, but different.

    ``runs`` are those of the comparison, without the addresses that distinguish none of them (`rows_of_variants`).
    """

    runs: list[SelectedRun]
    rows: LabelKeys
    columns: LabelKeys
    separated: LabelKeys
    baseline: Labels

    @property
    def keys(self) -> LabelKeys:
        """The labels of a cell."""
        return (*self.rows, *self.columns)


def choose_axes(dataset: Dataset, question: Question, runs: list[SelectedRun], *, include_invalid: bool) -> Axes:
    """The axes of a comparison of these runs, as `compare` describes them.

    Raises NothingToCompareError if the runs differ in nothing.
    """
    if question.rows is not None:
        return _axes_around(question, runs, question.rows, question.baseline, ())
    rows, outer = _default_rows(dataset, runs, question)
    if question.baseline:
        return _axes_around(question, runs, rows, question.baseline, outer)
    separated = _separated(question, runs, rows, outer)
    if not outer:
        runs, rows, separated = rows_of_variants(runs, rows[0], separated)
    # If all runs are invalid, one of them is the baseline all the same.
    counting = [run for run in runs if include_invalid or run.valid is not False] or runs
    baseline = default_baseline(runs, counting, rows)
    separated += _dividing(question, runs, rows, separated, baseline)
    columns = (*question.columns, *separated)
    return Axes(runs, rows, columns, separated, pairing_baseline(baseline, counting, columns))


def _axes_around(
    question: Question, runs: list[SelectedRun], rows: LabelKeys, baseline: Labels, outer: LabelKeys
) -> Axes:
    """The axes for given rows and baseline."""
    separated = _separated(question, runs, rows, outer)
    separated += _dividing(question, runs, rows, separated, baseline)
    return Axes(runs, rows, (*question.columns, *separated), separated, baseline)


def _separated(question: Question, runs: Sequence[SelectedRun], rows: LabelKeys, outer: LabelKeys) -> LabelKeys:
    """`outer`, and the labels in which runs of one cell would differ."""
    return (*outer, *separating_labels(runs, (*rows, *question.columns, *outer), question.ignored))


def _dividing(
    question: Question, runs: Sequence[SelectedRun], rows: LabelKeys, separated: LabelKeys, baseline: Labels
) -> LabelKeys:
    """The labels that divide the values of one row label further; none for several, or a baseline among columns."""
    if not (question.chooses or len(rows) == 1) or not set(baseline) <= set(rows):
        return ()
    lone = baseline if question.chooses and not names_a_baseline(baseline) else {}
    return dividing_labels(runs, rows, (*question.columns, *separated, *question.ignored), lone=lone)


def _default_rows(dataset: Dataset, runs: list[SelectedRun], question: Question) -> tuple[LabelKeys, LabelKeys]:
    """The labels of the baseline; else the `crossing_label` of those that differ, and the label inside which it does.

    Raises NothingToCompareError if none differs.
    """
    named = tuple(key for key in question.baseline if key not in question.columns)
    if named:
        return named, ()
    # Runs may differ in ignored labels only by more than in the compared ones: still, something can be compared.
    differing = tuple(key for key in separating_labels(runs, (), question.columns) if key not in question.ignored)
    if not differing:
        between = may_differ(dataset, [run.run for run in runs])
        raise NothingToCompareError(
            f"the {len(runs)} runs differ in no label: nothing to compare{'; ' if between else ''}{between}. "
            "wrkparse compare A B compares two folders or files; wrkparse explain FILE shows what was read; "
            "wrkparse label DIRECTORY helps to write a wrkparse.yaml, which labels runs"
        )
    crossing = crossing_label(runs, differing, (*question.columns, *question.ignored))
    return (crossing,), differing[:1] if crossing != differing[0] else ()
