"""The runs of scaling curves: those that have an N and a rate, each report once, with the labels of their curves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.labels.lines import line_labels
from wrkparse.analysis.runs.metrics import MetricStat, choose_metric, metric_values, stated_metrics
from wrkparse.analysis.runs.selection import (
    SelectedRun,
    TooLittleError,
    numbers_of_reports,
    report_digests,
    select_runs,
    without_copies,
)
from wrkparse.analysis.scaling.curves import resolution_of
from wrkparse.dataset import Dataset, NoLabelError, QueryError, column_name
from wrkparse.dataset.aliases import with_short_names
from wrkparse.text.shell import parse_commands
from wrkparse.text.suggestions import did_you_mean
from wrkparse.tools.common import ELAPSED, THROUGHPUT
from wrkparse.tools.schema import CANONICAL

WORK_PER_SECOND = "work_per_s"  # the column of 1 / elapsed time


class RatedRuns(NamedTuple):
    """The runs of curves.

    ``rows`` has the columns ``run``, ``valid``, ``usable``, those of ``keys``, N, the rate in the column ``value``,
    half its last printed digit, and ``labels``, the other labels. ``keys`` are the labels of a curve, the last of which
    are ``separated``: not asked for, but different within a curve. ``copies`` is as in `without_copies`.
    """

    rows: pd.DataFrame
    keys: list[str]
    separated: tuple[str, ...]
    labels: list[str]
    value: str
    copies: pd.DataFrame


def rated_runs(
    dataset: Dataset,
    rate: MetricStat,
    keys: Sequence[str],
    n: str,
    where: str | None,
    ignored: Sequence[str],
    *,
    include_invalid: bool,
) -> RatedRuns:
    """The runs that have the label `n` and a rate.

    Raises TooLittleError if there are none, or if timed runs of a curve ran different commands.
    """
    value, known = _column(rate), dataset.label_keys()
    rows = _rows(dataset, keys, n, rate, where)
    with_rate = set(rows["run"])
    asked = [key for key in (*ignored, *keys) if key in known]
    selected = [run for run in select_runs(dataset, where, asked) if run.run in with_rate]
    if not selected:
        raise TooLittleError(
            f"only warm-ups state {rate.metric} and have the label {n}; --where \"phase = 'warm-up'\" asks for them"
        )
    separated = _separate(rows, selected, keys, n, ignored)
    keys = [*keys, *separated]
    if value == WORK_PER_SECOND:
        _refuse_different_work(rows, keys, n)
    cell = [key for key in (*keys, n) if key in selected[0].labels]
    originals, copies = without_copies(selected, report_digests(dataset, selected, numbers_of_reports(dataset)), cell)
    rows = rows[rows["run"].isin([run.run for run in originals])].copy()
    # A run without a verdict, from a dataset without an audit, counts as valid.
    rows["usable"] = True if include_invalid else rows["valid"].fillna(value=True).astype(bool)
    labels = sorted(known - {*keys, n})
    rows = rows[list(dict.fromkeys(["run", "valid", "usable", *keys, n, value, resolution_of(value), *labels]))]
    return RatedRuns(rows, keys, separated, labels, value, copies)


def choose_rate(dataset: Dataset, name: str | None) -> MetricStat:
    """The rate to compare, or the elapsed time whose inverse it is."""
    if name is None:
        stated = [stated_metric for stated_metric in stated_metrics(dataset) if stated_metric.stat == "total"]
        rated = any(stated_metric.metric == THROUGHPUT.name for stated_metric in stated)
        name = (
            ELAPSED.name
            if not rated and any(stated_metric.metric == ELAPSED.name for stated_metric in stated)
            else THROUGHPUT.name
        )
    rate = choose_metric(dataset, name)
    if rate.metric != ELAPSED.name and not rate.unit.endswith("/s"):
        raise QueryError(f"{rate.name} is not a rate: scaling compares work done per second")
    return rate


def _refuse_different_work(rows: pd.DataFrame, keys: Sequence[str], n: str) -> None:
    """Raise TooLittleError if the runs of a group ran different commands; an argument may be N itself."""
    for _, group in rows.groupby(list(keys), dropna=False):
        commands = group[["command", n]].dropna().itertuples(index=False, name=None)
        works = list(dict.fromkeys((_words(command), number) for command, number in commands))
        for other in works[1:]:
            if not _do_the_same(works[0], other):
                shown, beside = " ".join(works[0][0]), " ".join(other[0])
                raise TooLittleError(f"the timed runs may have done different work: {shown!r} and {beside!r}")


def _words(command: str) -> tuple[str, ...]:
    """A command without variables and wrappers."""
    # "sudo taskset -c 0-3 make -j4" at 4 cores and "make -j8" at 8 do the same work: wrappers say where a command runs.
    return tuple(word for typed in parse_commands(command) for word in (typed.program, *typed.args))


def _do_the_same(one: tuple[tuple[str, ...], int], other: tuple[tuple[str, ...], int]) -> bool:
    """Whether two commands, each with its N, are equal word by word, or where each word has the run's own N."""
    (words, n), (others, m) = one, other
    return len(words) == len(others) and all(
        word == beside or _with_n(word, n) == _with_n(beside, m) for word, beside in zip(words, others, strict=True)
    )


def _with_n(word: str, n: int) -> str:
    return re.sub(rf"(?<![0-9.]){n}(?![0-9.])", "N", word)  # "--threads=8" at N = 8, but not "1.8"


def _column(rate: MetricStat) -> str:
    return WORK_PER_SECOND if rate.metric == ELAPSED.name else column_name(rate.metric, rate.stat, rate.unit)


def _rows(dataset: Dataset, keys: Sequence[str], n: str, rate: MetricStat, where: str | None) -> pd.DataFrame:
    """The runs that have an N and a rate: columns of `keys`, N, the rate, and half its last printed digit."""
    rows = dataset.wide(where).copy()  # in one piece: pandas warns where a column is added to one of a hundred pieces
    value, printed = _column(rate), column_name(rate.metric, rate.stat, rate.unit)
    resolutions = {run: measured.resolution for run, measured in metric_values(dataset, rate).items()}
    rows[resolution_of(value)] = rows["run"].map(resolutions).astype(float)
    if value != printed:  # 1 / t, whose digits are uncertain by Δt / t²
        # `time` prints 0.00 for a run that is too short to measure: it has no rate.
        rows[value] = 1 / rows[printed].where(rows[printed] > 0)
        rows[resolution_of(value)] *= rows[value] ** 2
    for key in [*keys, n]:
        if key not in rows and key not in CANONICAL:
            known = sorted(dataset.label_keys())
            hint = did_you_mean(key, with_short_names([*known, *CANONICAL]))
            raise NoLabelError(f"there is no label {key}{hint}; there are: {', '.join(known)}")
        if key not in rows:
            rows[key] = pd.NA
    rows[n] = pd.to_numeric(rows[n], errors="coerce")
    # A rate of 0 has no speed-up, and no law reaches it; NaN is no rate.
    stating = rows[rows[value] > 0]
    rows = stating[(stating[n] >= 1).fillna(value=False)]
    if rows.empty:
        raise TooLittleError(f"no run that states {rate.metric} has the label {n}{_other_numbers(stating, n)}")
    return rows.astype({n: "int64"})


def _other_numbers(rows: pd.DataFrame, n: str) -> str:
    """A hint at the labels of the load, besides `n`, of which runs have different numbers; empty if there is none."""
    found = [
        key
        for key in ("cores", "workers", "threads", "connections")
        if key != n and key in rows and len(set(pd.to_numeric(rows[key], errors="coerce").dropna())) > 1
    ]
    return f"; these labels differ: {', '.join(found)} (--over {found[0]})" if found else ""


def _separate(
    rows: pd.DataFrame, selected: Sequence[SelectedRun], keys: Sequence[str], n: str, ignored: Sequence[str]
) -> tuple[str, ...]:
    """The labels besides `keys` in which curves differ; `rows` gets a column for each that it lacks."""
    present = [key for key in (*keys, n) if key in selected[0].labels]
    separated = line_labels(selected, [key for key in present if key != n], n, ignored)
    for key in separated:
        if key not in rows:
            rows[key] = rows["run"].map({run.run: run.labels[key] for run in selected})
    return separated
