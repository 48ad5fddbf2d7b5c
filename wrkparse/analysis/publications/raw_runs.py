"""The raw runs that published numbers are checked against: labels, numbers with their lines, errors of each run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.selection import TooLittleError, select_runs, text_digests
from wrkparse.context.study import matches
from wrkparse.dataset import Dataset, QueryError
from wrkparse.text.suggestions import did_you_mean

# The socket errors that make a run a failed one. A time-out is a slow answer and does not.
FAILURES = ("errors_connect", "errors_read", "errors_write")
TIMEOUTS = "errors_timeout"


class StatedValue(NamedTuple):
    """A number of a report: its value in the base unit and its line."""

    value: float
    line: int


@dataclass(frozen=True, slots=True)
class RawRun:
    """A run with its numbers by metric and stat.

    ``valid`` and ``latency_valid`` are the audit's, None if there is none; ``invalid_reason`` is None unless it is
    invalid. ``text_digest`` is the same for runs of the same text.
    """

    run: str
    source: str
    line: int
    labels: Mapping[str, str | None]
    numbers: Mapping[tuple[str, str], StatedValue]
    valid: bool | None
    latency_valid: bool | None
    invalid_reason: str | None
    text_digest: str

    def matches(self, wanted: Mapping[str, object]) -> bool:
        """Whether each label matches its wanted value, or one of a list: equal, a glob or a range, as in a study."""
        return all(_matches(self.labels.get(key), value) for key, value in wanted.items())

    def count(self, metric: str) -> int:
        """A count that the report states; 0 if it states none."""
        return int(self.numbers[metric, "total"].value) if (metric, "total") in self.numbers else 0

    @property
    def failures(self) -> str:
        """The connect, read and write errors, as ``write 417``; empty if there were none."""
        return ", ".join(f"{name.removeprefix('errors_')} {self.count(name)}" for name in FAILURES if self.count(name))


def _matches(label: str | None, wanted: object) -> bool:
    choices = wanted if isinstance(wanted, list | tuple) else [wanted]
    return label is not None and any(matches(label, str(choice)) for choice in choices)


def raw_runs(
    dataset: Dataset, where: str | None, keys: Iterable[str] = (), *, only: Iterable[str] = ()
) -> list[RawRun]:
    """The runs that match `where`, by source and line; with the metrics `only` and errors, or with all metrics.

    Raises QueryError if no run has one of the labels `keys`, or for a condition that DuckDB rejects.
    """
    selected = select_runs(dataset, where, list(keys))
    wanted = {*only, *FAILURES, TIMEOUTS} if only else None
    numbers = _stated_values(dataset, wanted)
    digests = text_digests(dataset)
    reasons = dict(dataset.runs[["run", "invalid_reason"]].itertuples(index=False, name=None))
    runs = []
    for one in selected:
        source, _, line = one.where.rpartition(":")
        reason = reasons[one.run] if one.valid is False else None
        invalid_reason = "the audit says so" if reason is pd.NA else reason
        # Short texts have no digest (`text_digests`), and are no copies.
        digest = digests.get(one.run, one.run)
        stated = numbers.get(one.run, {})
        audited = one.valid, one.latency_valid, invalid_reason
        runs.append(RawRun(one.run, source, int(line), one.labels, stated, *audited, digest))
    return runs


def _stated_values(dataset: Dataset, metrics: set[str] | None) -> dict[str, dict[tuple[str, str], StatedValue]]:
    """The numbers of each run, by run, then by metric and stat; of all metrics for None."""
    names = ", ".join(f"'{name}'" for name in sorted(metrics or ()))
    condition = f"AND metric IN ({names})" if names else ""
    rows = dataset.sql(f"SELECT run, metric, stat, value, line FROM measurements WHERE value IS NOT NULL {condition}")
    values: dict[str, dict[tuple[str, str], StatedValue]] = {}
    for run, metric, stat, value, line in rows.itertuples(index=False):
        values.setdefault(run, {})[metric, stat] = StatedValue(float(value), int(line))
    return values


def check_keys(keys: Iterable[str], runs: Sequence[RawRun]) -> None:
    """Raise TooLittleError if there are no runs, QueryError if one of `keys` is no label of the runs."""
    if not runs:
        raise TooLittleError("the study has no runs here")
    unknown = [key for key in keys if key not in runs[0].labels]
    if unknown:
        hint = did_you_mean(unknown[0], runs[0].labels)
        known = ", ".join(sorted(runs[0].labels))
        raise QueryError(f"there is no label {', '.join(unknown)}{hint}; there are: {known}")


def without_copies(runs: Iterable[RawRun]) -> list[RawRun]:
    """The runs without those whose text an earlier run has: the same report in two files is one run."""
    # Backwards, because the last entry of a key stays: that is the earliest run of each text.
    return list({run.text_digest: run for run in reversed(list(runs))}.values())[::-1]
