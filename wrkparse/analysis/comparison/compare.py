"""Runs compared with runs: one cell for each row and column, each compared with a baseline."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from wrkparse.analysis.audit.audit import audit
from wrkparse.analysis.audit.trust import UnusedRuns, unused
from wrkparse.analysis.checks.usable import is_usable
from wrkparse.analysis.comparison.cells.cell_results import Center, Method, cells_with_results
from wrkparse.analysis.comparison.cells.cells import (
    ComparisonCell,
    LabelKeys,
    Labels,
    RowOrder,
    beside_baseline,
    compared_labels,
    confounded_labels,
    connections_of,
    make_cells,
    shared_labels,
    unlike_loads,
)
from wrkparse.analysis.comparison.cells.monotone import Monotone, monotone
from wrkparse.analysis.comparison.cells.order import RunLayout, Trend, layout, trend
from wrkparse.analysis.comparison.cells.over_settings import compare_over_settings
from wrkparse.analysis.comparison.cells.scatter import Scatter, scatter
from wrkparse.analysis.comparison.choice.axes import choose_axes
from wrkparse.analysis.comparison.choice.compared_runs import compared_runs
from wrkparse.analysis.comparison.choice.question import read_question
from wrkparse.analysis.comparison.result_tables import cells_table, geomeans_table, samples_table, sort_best_first
from wrkparse.analysis.comparison.sentences.sentences import sentences
from wrkparse.analysis.comparison.text.claims import Claim, values_of_cells
from wrkparse.analysis.comparison.text.overview import overview, overview_html
from wrkparse.analysis.go.trace_metrics import SUMS, traced_seconds
from wrkparse.analysis.runs.metrics import MetricValues, choose_metric, metric_values
from wrkparse.analysis.runs.selection import SelectedRun, without_copies
from wrkparse.analysis.shown.screen import terminal_width
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.dataset import Dataset, QueryError
from wrkparse.tools.common import ERRORS_CONNECT


@dataclass(frozen=True, repr=False)
class ComparisonTable:
    """The result of `compare`.

    ``cells`` has one row for each metric, row and column (rows in their order, then columns), with the labels of `rows`
    and `columns` and these columns:

    - ``metric``, ``unit`` (a base unit), ``better`` (``higher``, ``lower`` or missing).
    - ``center``, ``lo``, ``hi``, ``confidence`` (the level that the interval has), ``n`` (runs), ``invalid`` (runs that
      do not count, by `is_usable`: invalid ones, and for latencies those whose latencies are suspect), ``resolution``
      (half the last printed digit, the coarsest of the runs), ``within_cv`` (stdev / mean within a run as the tool
      prints it, for throughput that of Req/Sec; the median of the runs), ``varies`` (the labels that differ between the
      runs of the cell, joined by blanks).
    - With a baseline: ``ratio``, ``ratio_lo``, ``ratio_hi``, ``ratio_resolution`` (the uncertainty of the ratio that
      comes from the printed digits), ``p``, ``p_adjusted`` (Holm, over all comparisons of the metric), ``runs_needed``
      (on each side, if the true difference is the one seen), ``runs_needed_lo`` (if it is the largest that these runs
      allow), ``verdict``, ``equivalent`` (whether the ratio is within `same_within`; missing if that is not given).
      Failures are compared as shares of the requests (``is_share``, unit ``ratio``): they have no ratio but
      ``difference``, ``difference_lo`` and ``difference_hi``, the cell's share less the baseline's.
      A verdict is ``better`` or ``worse`` (``higher`` or ``lower`` if neither is better), ``undecided`` (no significant
      difference), ``too coarse`` (the printed digits alone could make the difference), ``too few``, ``no pairs``,
      ``baseline``, ``no baseline``, ``missing`` or ``invalid``.
    - A label that is called like one of these columns has ``label_`` in front, here and in the other tables:
      ``label_n`` for the label ``n``. `compare` takes both names.
    - ``rank_lo``, ``rank_hi``: without a baseline, the ranks that the cell may have among the cells of its setting. 1
      is best. They are missing if there are too few runs.

    The other attributes:

    - ``samples``: the runs of the cells in their order: metric, the labels, ``run``, ``source``, ``value``.
    - ``geomeans``: the geometric mean of the ratios of each variant: the compared labels, ``metric``, ``geomean``, and
      ``settings_used`` of ``settings``, the number of settings in which every variant has a ratio.
    - ``over_settings``: each variant compared with the baseline over all settings together (`stats.stratified`):
      metric, the compared labels, ``ratio``, ``lo``, ``hi`` (NaN for shares), ``lowest`` and ``highest`` (of the
      settings' ratios), ``p``, ``p_adjusted`` (Holm, over the variants), ``p_differ`` (of a test of whether the
      settings' ratios differ; missing if the runs are too few for a verdict), ``settings``, ``settings_higher``,
      ``settings_lower``, ``runs``, ``baseline_runs``, ``verdict``. It is empty without a baseline, and for variants
      with runs in one setting only.
    - ``copies``: runs with the same text as another run (``where``, ``copy_of``); they are left out (``dropped``) if
      both are in the same cell.
    - ``constants``: the labels that all runs share. ``also_differ``: other labels than the compared ones, in which the
      compared cells differ. ``loads``: by variant, those of them that say how it was loaded (connections, rate,
      payload, tool, keep-alive, GOGC …).
    - ``connections``: by the labels of `rows` and `columns`, the number of connections of each cell, if its runs agree
      in it and these labels do not say it. ``refused``: by the same labels, the largest share of the connections of a
      run that failed; from 1 on, attempts were counted, and it is left out.
    - ``separated``: columns that nobody asked for: labels in which runs of one cell would have differed. ``ignored``:
      labels that were ignored at the user's wish.
    - ``monotone``: metrics that rise or fall over the values of a compared amount, such as GOGC (`monotone.Monotone`).
    - ``layout``: how the runs of the settings follow each other (`order.RunLayout`). ``trends``: by metric, how the
      values depend on that order (`order.Trend`). ``scatters``: by metric, the cells with a slow first run or groups of
      values (`scatter.Scatter`).
    - ``tools``: the tools of the compared runs. ``loops``: each combination of a tool, its loop, and whether its
      latencies are corrected.
    - ``unused``: how many runs are invalid, and where, and of how many others the latencies do not count, with the
      codes of the findings (`UnusedRuns`).
    - ``traced_s``: the shortest and the longest time that a compared process was traced, if a metric is a sum over its
      trace; else None.
    """

    rows: LabelKeys
    columns: LabelKeys
    compared: LabelKeys
    baseline: Mapping[str, str | None]
    center: Center
    confidence: float
    alpha: float
    cells: pd.DataFrame
    samples: pd.DataFrame
    geomeans: pd.DataFrame
    over_settings: pd.DataFrame
    copies: pd.DataFrame
    constants: Mapping[str, str]
    also_differ: LabelKeys
    loads: Mapping[tuple[str | None, ...], Labels]
    connections: Mapping[tuple[str | None, ...], str]
    refused: Mapping[tuple[str | None, ...], float]
    separated: LabelKeys
    ignored: LabelKeys
    layout: RunLayout
    trends: Mapping[str, Trend]
    monotone: Mapping[str, Monotone]
    scatters: Mapping[str, Scatter]
    paired: bool
    same_within: float | None
    audited: bool
    warm_ups: int
    tools: tuple[str, ...]
    loops: tuple[tuple[str, str | None, str | None], ...]
    unused: tuple[UnusedRuns, ...]
    traced_s: tuple[float, float] | None

    @property
    def setting_keys(self) -> LabelKeys:
        """The labels of a setting: those of columns and rows that are not compared."""
        return tuple(key for key in (*self.columns, *self.rows) if key not in self.compared)

    @functools.cached_property
    def sentences(self) -> tuple[str, ...]:
        """What the comparison says, in a few sentences (`wrkparse.analysis.comparison.sentences.sentences`)."""
        return sentences(self)

    @property
    def cell_keys(self) -> LabelKeys:
        """The labels of a cell: those of rows and columns."""
        return (*self.rows, *self.columns)

    @functools.cached_property
    def values_of_cells(self) -> dict[tuple[str | None, ...], Floats]:
        """The values of the runs of each cell, by metric and the labels of `cell_keys`."""
        return values_of_cells(self)

    @functools.cached_property
    def known_claims(self) -> dict[tuple[str, str], tuple[Claim, ...]]:
        """The claims that were made of this table, by their kind and metric."""
        return {}

    def __repr__(self) -> str:
        return overview(self, terminal_width())

    def _repr_html_(self) -> str:
        return overview_html(self)


def compare(
    dataset: Dataset,
    *,
    rows: str | Sequence[str] | None = None,
    columns: str | Sequence[str] | None = None,
    metric: str | Sequence[str] | None = None,
    baseline: str | Mapping[str, object] | None = None,
    where: str | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    center: Center = "median",
    include_invalid: bool = False,
    sort: RowOrder = "labels",
    ignore: str | Sequence[str] | None = None,
    paired: bool = False,
    same_within: float | None = None,
) -> ComparisonTable:
    """Put runs into cells by the labels `rows` and `columns`, and compare the cells.

    - `rows`: by default, the most important label in which the runs differ, as `factors` orders them: the server before
      its load.
    - `columns`: runs of one cell are repeats of one setting, so labels in which they would differ become columns, too,
      except those of `ignore`. Without `rows`, such a label becomes one of the rows if it names variants of one row
      that the others lack (`rows_of_variants`).
    - `metric`: by default those of `default_metrics`: the rate, one latency, and failures.
    - `baseline` (``"framework=nginx"`` or a mapping): labels of `rows` or `columns`. Each cell is compared with the
      cell that has these labels and agrees in all others. Without `baseline` and `rows`, it is the value that is named
      like one (before, old, main …), else that of the first run that counts; if no other value has runs in the settings
      of this value, it is the value that shares the most settings. Without `baseline`, but with `rows`, rows are ranked
      within each column.
    - `where`: as in `Dataset.wide`. `include_invalid`: use invalid runs, and latencies of runs whose latencies are
      suspect. Copies of a run always count once.
    - `center`: ``median`` (Mann-Whitney U test, ratio by Hodges and Lehmann) or ``mean`` (Welch's t test, Fieller's
      interval); see `wrkparse.analysis.stats.comparisons`. `confidence` is the level of the intervals, `alpha` that of
      the tests.
    - `paired`: compare the i-th run of a cell with the i-th of the baseline, in the order in which they were made, or
      runs of one round: a folder with one run of each (`stats.pairs`).
    - `same_within`: also test whether cells are within this relative difference of the baseline: 0.02 for 2 %.
    - `sort`: order the rows by their labels, by their position in the source, or best first by the first metric.

    Raises QueryError for a label, metric or condition that does not exist or is not allowed, TooLittleError if there
    are no runs, or no baseline.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"compare takes a Dataset, as wrkparse.read(path) returns it; not {type(dataset).__name__}")
    question = read_question(dataset, rows, columns, ignore, baseline, where)
    if paired and center == "mean":
        raise QueryError("a paired comparison uses signed ranks; it has no mean")
    found = compared_runs(dataset, question, metric)
    values = found.values_by_metric
    axes = choose_axes(dataset, question, found.runs, include_invalid=include_invalid)
    if paired:
        _check_pairs(values, axes.baseline)
    # Only now, because the cells decide: the same report in two cells counts in both.
    runs, copies = without_copies(axes.runs, found.digests, axes.keys)
    cells = make_cells(runs, axes.rows, axes.columns, sort)
    compared, base = compared_labels(cells, axes.rows, axes.columns, axes.baseline)
    method = Method(confidence, alpha, center, include_invalid, paired, same_within)
    results = [cells_with_results(*of_metric, cells, compared, base, method) for of_metric in values.items()]
    if sort == "best":
        sort_best_first(results, axes.rows)
    by_metric = {metric.name: cells for metric, cells in zip(values, results, strict=True)}
    confounded = confounded_labels(cells, compared)
    beside = beside_baseline(cells, compared, base, include_invalid=include_invalid)
    return ComparisonTable(
        rows=axes.rows, columns=axes.columns, compared=compared, baseline=base,
        center=center, confidence=confidence, alpha=alpha, paired=paired, same_within=same_within,
        cells=cells_table(itertools.chain.from_iterable(results)),
        samples=samples_table(values, results),
        geomeans=geomeans_table(results, compared),
        over_settings=compare_over_settings(results, compared, base, method),
        copies=_all_copies(*found.shown_again, copies),
        constants=shared_labels(runs),
        also_differ=confounded, loads=unlike_loads(beside, compared, confounded),
        connections=connections_of(cells), refused=_refused(dataset, cells, values),
        separated=axes.separated, ignored=question.ignored,
        layout=layout(results[0], compared),
        trends={name: trend(of_metric) for name, of_metric in by_metric.items()},
        monotone=_monotone_metrics(by_metric, compared, method) if base else {},
        scatters={name: scatter(of_metric, axes.keys, compared) for name, of_metric in by_metric.items()},
        audited=any(run.valid is not None for run in runs),
        warm_ups=found.warm_ups,
        tools=tuple(sorted({run.labels["tool"] or "" for run in runs})),
        loops=_loops(runs),
        unused=() if include_invalid else _unused(dataset, runs, values),
        traced_s=_traced_seconds(dataset, values, runs),
    )  # fmt: skip


def _check_pairs(values: MetricValues, baseline: Labels) -> None:
    """Raise QueryError if runs can't be compared in pairs."""
    if not baseline:
        raise QueryError("a paired comparison needs a baseline")
    if shares := [metric.name for metric in values if metric.is_share]:
        raise QueryError(f"{', '.join(shares)} can't be compared in pairs: a share of 0 has no ratio")


def _all_copies(*found: pd.DataFrame) -> pd.DataFrame:
    filled = [copies for copies in found if len(copies)]
    return pd.concat(filled, ignore_index=True) if filled else found[0]


def _traced_seconds(dataset: Dataset, values: MetricValues, runs: Iterable[SelectedRun]) -> tuple[float, float] | None:
    """How long the compared processes were traced, if a metric grows with that."""
    is_sum = any(metric.name in SUMS for metric in values)
    return traced_seconds(dataset, {run.run for run in runs}) if is_sum else None


def _refused(
    dataset: Dataset, cells: Iterable[ComparisonCell], values: MetricValues
) -> dict[tuple[str | None, ...], float]:
    """The largest share of a run's connections that failed, by all labels of each cell; not of cells above 1."""
    if not any(metric.metric == ERRORS_CONNECT.name for metric in values):
        return {}
    counts = metric_values(dataset, choose_metric(dataset, ERRORS_CONNECT.name))
    found: dict[tuple[str | None, ...], float] = {}
    for cell in cells:
        known = [(counts[run.run].value, run.labels.get("connections")) for run in cell.runs if run.run in counts]
        shares = [count / int(opened) for count, opened in known if opened and opened.isdecimal() and int(opened)]
        if len(shares) == len(cell.runs) and shares and max(shares) <= 1:
            found[cell.values_of(cell.labels)] = max(shares)
    return found


def _unused(dataset: Dataset, runs: Iterable[SelectedRun], values: MetricValues) -> tuple[UnusedRuns, ...]:
    """The runs that count for none, or not all, of the metrics that they state."""
    found = [run for run in runs if any(run.run in of and not is_usable(run, one.metric) for one, of in values.items())]
    if not found:
        return ()
    invalid = {run.run: run.where for run in found if run.valid is False}
    return unused(audit(dataset), invalid, {run.run for run in found} - invalid.keys())


def _loops(runs: Iterable[SelectedRun]) -> tuple[tuple[str, str | None, str | None], ...]:
    """The combinations of tool, loop and correction among runs, sorted by the tool."""
    found = {(run.labels["tool"] or "", run.labels["loop"], run.labels["corrected"]) for run in runs}
    return tuple(sorted(found, key=lambda one: tuple(text or "" for text in one)))


def _monotone_metrics(
    by_metric: Mapping[str, list[ComparisonCell]], compared: LabelKeys, method: Method
) -> dict[str, Monotone]:
    found = {name: monotone(cells, compared, method) for name, cells in by_metric.items()}
    return {name: one for name, one in found.items() if one}
