"""The latency distribution of each setting: of its runs the median, the lowest and the highest at each percentile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.checks.usable import is_usable
from wrkparse.analysis.runs.labels.factors import separating_labels
from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS
from wrkparse.analysis.runs.selection import SelectedRun, select_runs
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset

_DIGITS = 9  # of a percentile: finer than any that a tool prints


class DoubtfulRuns(NamedTuple):
    """How many runs do not count: because they are invalid, or because their latencies are suspect."""

    invalid: int
    suspect: int

    def line(self, what: str) -> str:
        """``3 runs not used: 1 invalid, latencies of 2 suspect.``; empty without runs."""
        reasons = {"invalid": self.invalid, "latencies suspect": self.suspect}
        some = [reason for reason, runs in reasons.items() if runs]
        why = some[0] if len(some) == 1 else f"{self.invalid:,} invalid, latencies of {self.suspect:,} suspect"
        return f"{counted(sum(self), 'run')} {what}: {why}." if some else ""


class LatencySettings(NamedTuple):
    """Distributions by setting.

    - ``by``, ``panel``: the labels of the settings; runs that agree in all of them are repeats.
    - ``points``: a row for each setting, distribution and percentile. Columns: the labels, corrected, detail,
      percentile and slower_ratio as in `latencies`; value_s, lo_s, hi_s: the median, the lowest and the highest of the
      values that the runs print there; runs: their number; members: a tuple of their identifiers.
    - ``left_out``: runs that are not used because they are invalid or their latencies suspect. If a setting has no
      others, they are used.
    - ``doubted``: such runs that are used.
    """

    by: tuple[str, ...]
    panel: tuple[str, ...]
    points: pd.DataFrame
    left_out: DoubtfulRuns
    doubted: DoubtfulRuns

    @property
    def doubts(self) -> tuple[str, ...]:
        """What a figure needs to say of runs that are invalid, or whose latencies are suspect."""
        lines = (self.left_out.line("not used"), self.doubted.line("drawn that do not count"))
        return tuple(filter(None, lines))

    @property
    def keys(self) -> tuple[str, ...]:
        """The labels of a setting."""
        return (*self.panel, *self.by)


def latency_settings(
    ds: Dataset, table: pd.DataFrame, *, where: str | None = None, by: Sequence[str] = (), panel: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> LatencySettings:  # fmt: skip
    """The distributions of `table` (rows of `latencies` for the same `where`), by setting.

    A percentile is left out of a setting if one of its runs does not print it. Nothing is interpolated or averaged.

    Labels in which runs of one setting would differ join `panel` if they are of the load or both are given, else `by`;
    `ignore` names those that make no difference. Raises NoLabelError for a label that no run has.
    """
    stating = set(table["run"])
    runs = [run for run in select_runs(ds, where, (*by, *panel, *ignore)) if run.run in stating]
    rest = separating_labels(runs, (*by, *panel), ("study", *ignore))
    if by and panel:
        panel = (*panel, *rest)
    elif by:
        panel = rest
    elif panel:
        by = rest
    else:
        by = tuple(key for key in rest if key not in LOAD_LABELS)
        panel = tuple(key for key in rest if key in LOAD_LABELS)
        # If only the load differs, its values are the lines of one panel.
        by, panel = (by, panel) if by else (panel, ())
    keys = (*panel, *by)
    used = _used(runs, keys)
    labels = pd.DataFrame([{"run": run.run, **{key: run.labels[key] for key in keys}} for run in runs])
    points = _points(table[table["run"].isin(used)].merge(labels, on="run", suffixes=("_", "")), keys)
    left_out, doubted = (_doubtful(run for run in runs if (run.run in used) == drawn) for drawn in (False, True))
    return LatencySettings(tuple(by), tuple(panel), points, left_out, doubted)


def _doubtful(runs: Iterable[SelectedRun]) -> DoubtfulRuns:
    unusable = [run for run in runs if not is_usable(run, "latency")]
    invalid = sum(run.valid is False for run in unusable)
    return DoubtfulRuns(invalid, len(unusable) - invalid)


def _used(runs: Sequence[SelectedRun], keys: Sequence[str]) -> set[str]:
    """The runs whose latencies count; all of a setting where none does."""
    settings: dict[tuple[str | None, ...], list[SelectedRun]] = {}
    for run in runs:
        settings.setdefault(tuple(run.labels[key] for key in keys), []).append(run)
    found: set[str] = set()
    for of_setting in settings.values():
        usable = [run.run for run in of_setting if is_usable(run, "latency")]
        found.update(usable or [run.run for run in of_setting])
    return found


def _points(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    # `wrk2 --u_latency` prints two distributions of one run, corrected and uncorrected.
    setting = [*keys, "corrected"]
    rows = rows.assign(percentile=rows["percentile"].round(_DIGITS), corrected=rows["corrected"].astype("boolean"))
    by_run = rows.groupby([*setting, "run", "percentile"], dropna=False, sort=False, as_index=False).agg(
        detail=("detail", "first"), slower_ratio=("slower_ratio", "min"), value_s=("value_s", "max")
    )
    count = by_run.groupby(setting, dropna=False)["run"].transform("nunique")
    points = (
        by_run.assign(count=count)
        .groupby([*setting, "percentile"], dropna=False, sort=False, as_index=False)
        .agg(
            detail=("detail", "first"), slower_ratio=("slower_ratio", "median"), lo_s=("value_s", "min"),
            hi_s=("value_s", "max"), value_s=("value_s", "median"), runs=("run", "nunique"), members=("run", tuple),
            count=("count", "first"),
        )
    )  # fmt: skip
    complete = points[points["runs"] == points["count"]].drop(columns="count")
    return complete.sort_values("percentile", kind="stable").reset_index(drop=True)
