"""The raw runs that printed numbers are looked up in: labels, numbers with their lines, and what went wrong in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.selection import Choice, TooLittleError, choose_runs, texts
from wrkparse.context.study import fits
from wrkparse.dataset import Dataset, QueryError
from wrkparse.model.records import Better
from wrkparse.tools import metrics

# Of wrk's socket errors these make a run a failed one; a time-out is a slow answer.
FAILURES = ("errors_connect", "errors_read", "errors_write")
TIMEOUTS = "errors_timeout"


class Stated(NamedTuple):
    """A number of a report: its value in the base unit and its line."""

    value: float
    line: int


@dataclass(frozen=True, slots=True)
class RawRun:
    """A run with all numbers that are asked for, by metric and stat. ``copy`` is the same for runs of one text."""

    run: str
    source: str
    line: int
    labels: Mapping[str, str | None]
    numbers: Mapping[tuple[str, str], Stated]
    invalid_reason: str | None
    copy: str

    def has(self, wanted: Mapping[str, object]) -> bool:
        """Whether each label fits its value, or one of a list of values: equal, a glob or a range, as in a study."""
        return all(_fits(self.labels.get(key), value) for key, value in wanted.items())

    def count(self, metric: str) -> int:
        """A count of its report, 0 where that prints none."""
        return int(self.numbers[metric, "total"].value) if (metric, "total") in self.numbers else 0

    @property
    def failures(self) -> str:
        """Connect, read and write errors, as ``write 417``; empty if it had none."""
        return ", ".join(f"{name.removeprefix('errors_')} {self.count(name)}" for name in FAILURES if self.count(name))


def _fits(label: str | None, value: object) -> bool:
    choices = value if isinstance(value, list | tuple) else [value]
    return label is not None and any(fits(label, str(choice)) for choice in choices)


def raw_runs(
    dataset: Dataset, where: str | None, keys: Iterable[str] = (), *, only: Iterable[str] = ()
) -> list[RawRun]:
    """The runs for which `where` holds, by source and line; with the metrics `only` (and errors), or all.

    Raises QueryError for a key that is no label of any run, or a condition that can't be answered.
    """
    chosen = choose_runs(dataset, where, keys)
    wanted = {*only, *FAILURES, TIMEOUTS} if only else None
    stated = _stated(dataset, wanted)
    digests = texts(dataset)
    reasons = dict(dataset.runs[["run", "invalid_reason"]].itertuples(index=False, name=None))
    runs = []
    for one in chosen:
        source, _, line = one.where.rpartition(":")
        reason = reasons[one.run] if one.valid is False else None
        said = "the audit says so" if reason is pd.NA else reason
        copy = digests.get(one.run, one.run)
        runs.append(RawRun(one.run, source, int(line), one.labels, stated.get(one.run, {}), said, copy))
    return runs


def check_keys(keys: Iterable[str], runs: Sequence[RawRun]) -> None:
    """Raise TooLittleError without a run, QueryError for a key that is no label."""
    if not runs:
        raise TooLittleError("no run of the study is there")
    unknown = [key for key in keys if key not in runs[0].labels]
    if unknown:
        raise QueryError(f"there is no label {', '.join(unknown)}; there are: {', '.join(sorted(runs[0].labels))}")


def _stated(dataset: Dataset, metric_names: set[str] | None) -> dict[str, dict[tuple[str, str], Stated]]:
    names = ", ".join(f"'{name}'" for name in sorted(metric_names or ()))
    condition = f"AND metric IN ({names})" if names else ""
    rows = dataset.sql(f"SELECT run, metric, stat, value, line FROM measurements WHERE value IS NOT NULL {condition}")
    found: dict[str, dict[tuple[str, str], Stated]] = {}
    for run, metric, stat, value, line in rows.itertuples(index=False):
        found.setdefault(run, {})[metric, stat] = Stated(float(value), int(line))
    return found


def once(runs: Iterable[RawRun]) -> list[RawRun]:
    """Runs without those whose text was seen already: the same report in two files is one run."""
    return list({run.copy: run for run in reversed(list(runs))}.values())[::-1]


def choices(dataset: Dataset) -> list[Choice]:
    """Every number that reports state, in the order in which tools declare their metrics, totals and means first."""
    rows = dataset.sql("SELECT DISTINCT metric, stat, unit FROM measurements ORDER BY ALL")
    declared = list(metrics())
    found = []
    for metric, stat, unit in rows.itertuples(index=False):
        better: Better | None = metrics()[metric].better if metric in declared else None
        found.append(Choice(metric if stat == "total" else f"{metric}_{stat}", metric, stat, unit, better))
    order = {name: place for place, name in enumerate(declared)}
    return sorted(found, key=lambda one: (one.stat not in {"total", "mean"}, order.get(one.metric, len(order))))
