"""The runs of a comparison and the values of its metrics: no warm-up, and no report that another run shows again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from wrkparse.analysis.comparison.cells.cells import LabelKeys
from wrkparse.analysis.comparison.choice.default_metrics import default_metrics
from wrkparse.analysis.comparison.choice.question import Question
from wrkparse.analysis.go.trace_metrics import TRACE_METRICS, trace_values
from wrkparse.analysis.runs.labels.factors import separating_labels
from wrkparse.analysis.runs.metrics import (
    MetricStat,
    MetricValue,
    MetricValues,
    as_shares,
    choose_metric,
    metric_values,
)
from wrkparse.analysis.runs.other_places import without_other_places
from wrkparse.analysis.runs.selection import (
    NothingToCompareError,
    SelectedRun,
    TooLittleError,
    matching_runs,
    numbers_of_reports,
    report_digests,
    without_excerpts,
    without_warm_ups,
)
from wrkparse.analysis.runs.summaries import without_summaries
from wrkparse.analysis.wording import word_list
from wrkparse.dataset import Dataset, QueryError
from wrkparse.dataset.aliases import full_name, split_names

_MOST_COPIES = 3  # that a message names


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """The ``runs`` that state at least one of the metrics, by source and line, and the values of these.

    ``digests`` are those of `report_digests`. ``shown_again`` are tables of runs left out because they repeat others
    (as `without_copies` gives them), and ``warm_ups`` is how many warm-ups are left out.
    """

    runs: list[SelectedRun]
    values_by_metric: MetricValues
    digests: Mapping[str, str]
    shown_again: tuple[pd.DataFrame, ...]
    warm_ups: int


def compared_runs(dataset: Dataset, question: Question, metric: str | Sequence[str] | None) -> ComparedRuns:
    """The runs that a comparison is about; without `metric`, by the `default_metrics` of the selected runs.

    Raises TooLittleError if no run states a metric, or only one does and the caller names no rows.
    """
    where, asked = question.where, question.asked
    matching = [question.with_columns(run) for run in matching_runs(dataset, where, asked)]
    numbers = numbers_of_reports(dataset)
    # Before the metrics are chosen: a summary prints few percentiles, and the default is one that all runs print.
    selected, summaries = without_summaries(dataset, without_warm_ups(matching, where, asked), numbers)
    names = default_metrics(dataset, selected, where) if metric is None else split_names(metric)
    values = _values_by_metric(dataset, names)
    runs, digests = _runs_stating(selected, values, where), report_digests(dataset, selected, numbers)
    keys = separating_labels(runs, (), ("study", *question.ignored)) if question.rows is None else ()
    runs, excerpts = without_excerpts(runs, digests, keys)
    runs, elsewhere = _without_other_places(runs, digests, question.compared)
    if question.rows is None:
        _check_several(dataset, selected, runs, values)
    left_out = len(matching) - len(selected) - len(summaries)
    return ComparedRuns(runs, values, digests, (summaries, excerpts, elsewhere), left_out)


def _values_by_metric(dataset: Dataset, names: Sequence[str]) -> MetricValues:
    """The values of each metric, by metric and run."""
    if not names:
        raise QueryError("a comparison needs a metric")
    return dict(_metric_values(dataset, full_name(name)) for name in names)


def _metric_values(dataset: Dataset, name: str) -> tuple[MetricStat, dict[str, MetricValue]]:
    if name in TRACE_METRICS:
        return trace_values(dataset, name)
    metric = choose_metric(dataset, name)
    return as_shares(dataset, metric, metric_values(dataset, metric))


def _runs_stating(runs: list[SelectedRun], values: MetricValues, where: str | None) -> list[SelectedRun]:
    """The runs that state at least one of the metrics; TooLittleError if there is none."""
    stating = [run for run in runs if any(run.run in of_metric for of_metric in values.values())]
    if not stating:
        names = ", ".join(metric.name for metric in values)
        raise TooLittleError(f"no run states {names}" if where is None else f"no run with {where!r} states {names}")
    return stating


def _without_other_places(
    runs: list[SelectedRun], digests: Mapping[str, str], keys: LabelKeys
) -> tuple[list[SelectedRun], pd.DataFrame]:
    """As `without_other_places`; all runs, if only their places could be compared: the user may mean to.

    Raises NothingToCompareError if all runs are one report.
    """
    originals, copies = without_other_places(runs, digests, keys)
    if len(copies) and len(originals) == 1 and not keys:
        found = word_list([run.where for run in runs]) if len(runs) <= _MOST_COPIES else f"{len(runs)} places"
        raise NothingToCompareError(f"there is only one run, in {found}: nothing to compare")
    if len(copies) and not keys and not separating_labels(originals, (), ()):
        return runs, copies.head(0)
    return originals, copies


def _check_several(
    dataset: Dataset, selected: Sequence[SelectedRun], stating: Sequence[SelectedRun], values: MetricValues
) -> None:
    """Raise NothingToCompareError if one run states the metrics; TooLittleError if all state others to compare by."""
    if len(stating) > 1:
        return
    if len(selected) == 1:
        raise NothingToCompareError(
            "there is only one run: nothing to compare. wrkparse report describes it, and wrkparse audit checks it"
        )
    names = " or ".join(metric.name for metric in values)
    counts = Counter(
        metric
        for run, metric in dataset.answer_rows("SELECT DISTINCT run, metric FROM measurements")
        if run in {one.run for one in selected}
    )
    others = [name for name, count in counts.most_common() if count == len(selected)]
    known = f"only one of {len(selected)} runs states {names}: nothing to compare"
    if others:
        raise TooLittleError(f"{known}; all state {word_list(sorted(others))}, which --metric compares")
    raise NothingToCompareError(known)
