"""Runs compared with runs: one cell for each row and column, each compared with a baseline."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from wrkparse.analysis.audit.audit import audit
from wrkparse.analysis.audit.trust import Unused, unused
from wrkparse.analysis.checks.usable import is_usable
from wrkparse.analysis.comparison.cells.baseline import (
    default_baseline,
    names_a_baseline,
    pairing_baseline,
    parse_baseline,
)
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
from wrkparse.analysis.comparison.cells.default_metrics import default_metrics
from wrkparse.analysis.comparison.cells.label_columns import label_columns
from wrkparse.analysis.comparison.cells.monotone import Monotone, monotone
from wrkparse.analysis.comparison.cells.order import Layout, Trend, layout, trend
from wrkparse.analysis.comparison.cells.over_settings import compare_over_settings
from wrkparse.analysis.comparison.cells.scatter import Scatter, scatter
from wrkparse.analysis.comparison.result_tables import cells_table, geomeans_table, samples_table, sort_best_first
from wrkparse.analysis.comparison.sentences.sentences import sentences
from wrkparse.analysis.comparison.text.claims import Claim, values_of_cells
from wrkparse.analysis.comparison.text.overview import overview, overview_html
from wrkparse.analysis.go.trace_metrics import SUMS, TRACE_METRICS, trace_values, traced_seconds
from wrkparse.analysis.runs.labels.factors import crossing_label, dividing_labels, separating_labels
from wrkparse.analysis.runs.labels.variants import rows_of_variants
from wrkparse.analysis.runs.metrics import (
    MetricStat,
    MetricValue,
    MetricValues,
    as_shares,
    choose_metric,
    metric_values,
)
from wrkparse.analysis.runs.other_places import without_other_places
from wrkparse.analysis.runs.possible_differences import may_differ
from wrkparse.analysis.runs.selection import (
    NothingToCompareError,
    SelectedRun,
    TooLittleError,
    matching_runs,
    numbers_of_reports,
    report_digests,
    without_copies,
    without_excerpts,
    without_warm_ups,
)
from wrkparse.analysis.runs.summaries import without_summaries
from wrkparse.analysis.shown.screen import terminal_width
from wrkparse.analysis.stats.arrays import Floats
from wrkparse.analysis.wording import word_list
from wrkparse.dataset import Dataset, QueryError
from wrkparse.dataset.aliases import full_name, label_name, label_names, split_names
from wrkparse.tools.common import ERRORS_CONNECT

_MOST_COPIES = 3  # that a message names


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

    ``samples`` has the runs of the cells in their order: metric, the labels, ``run``, ``source``, ``value``.

    ``geomeans`` has the geometric mean of the ratios of each variant: the compared labels, ``metric``, ``geomean``, and
    ``settings_used`` of ``settings``, the number of settings in which every variant has a ratio. ``copies`` has the
    runs with the same text as another run (``where``, ``copy_of``); they are left out (``dropped``) if both are in the
    same cell. ``constants`` has the labels that all runs share. ``also_differ`` has the labels beside the compared ones
    that differ between the compared cells. ``loads`` has those of them by variant that say how it was loaded
    (connections, rate, payload, tool, keep-alive, GOGC …), of what is compared with the baseline. ``connections`` has
    the number of connections of each cell, by its labels of `rows` and `columns`, if its runs agree in it and these
    labels do not say it. ``refused`` has the largest share of the connections of a run that failed, by the same labels,
    if that is below 1: more are attempts. ``separated`` has the columns that were not asked for: labels in which runs
    of one cell would have differed. ``ignored`` has the labels that were ignored at the user's wish.

    ``over_settings`` compares each variant with the baseline over all settings together (`stats.stratified`): metric,
    the compared labels, ``ratio``, ``lo``, ``hi`` (NaN for shares), ``lowest`` and ``highest`` (of the settings'
    ratios), ``p``, ``p_adjusted`` (Holm, over the variants), ``p_differ`` (of a test of whether the settings' ratios
    differ; missing if the runs are too few for a verdict), ``settings``, ``settings_higher``, ``settings_lower``,
    ``runs``, ``baseline_runs``, ``verdict``. It is empty without a baseline, and for variants with runs in one setting
    only.

    ``monotone`` has the metrics that rise or fall over the values of a compared amount, such as GOGC
    (`monotone.Monotone`). ``layout`` says how the runs of the settings follow each other, ``trends`` by metric what
    their order has to do with the values (`order.Layout`, `order.Trend`), and ``scatters`` by metric which cells have a
    slow first run or groups of values (`scatter.Scatter`). ``tools`` are those of the compared runs. ``loops`` has
    a tool, its loop and whether its latencies are corrected, for each combination among the compared runs. ``unused``
    says how many runs are invalid, and of how many others the latencies do not count, with the codes of the findings
    (`Unused`). ``traced_s`` is the shortest and the longest time that a compared process was traced, if a metric is a
    sum over its trace; else None.
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
    layout: Layout
    trends: Mapping[str, Trend]
    monotone: Mapping[str, Monotone]
    scatters: Mapping[str, Scatter]
    paired: bool
    same_within: float | None
    audited: bool
    warm_ups: int
    tools: tuple[str, ...]
    loops: tuple[tuple[str, str | None, str | None], ...]
    unused: tuple[Unused, ...]
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

    Without `rows`, the rows are the values of the most important label in which the runs differ, as `factors` orders
    them: what answers before how it is loaded. The baseline is then the value that is named like one (before, old, main
    …), else that of the first run that counts, if none is given; if no other value has runs in one of its settings, it
    is the value that shares the most. Without `metric`, the metrics are those of
    `default_metrics`: the rate, one latency, and failures.

    `baseline` (``"framework=nginx"`` or a mapping) gives labels of `rows` or `columns`; each cell is compared with the
    cell that has these labels and agrees in all others. Without it, rows are ranked within each column. `center` is
    ``median`` (Mann-Whitney U test, ratio by Hodges and Lehmann) or ``mean`` (Welch's t test, Fieller's interval); see
    `wrkparse.analysis.stats.comparisons`. Invalid runs, and latencies of runs whose latencies are suspect, are left out
    without `include_invalid`. Copies of a run count once. `where` is as in `Dataset.wide`. `sort` orders the rows by
    their labels, by their position in the source, or best first by the first metric.

    Runs of one cell are repeats of one setting. So labels in which they would differ become columns, too; `ignore`
    names those that make no difference. Without `rows`, such a label is one of the rows instead if it names variants
    of one row that the others lack (`rows_of_variants`). `paired` compares the i-th run of a cell with the i-th of the
    baseline's, in the order in which they were made, or with that of the same round, a folder with one run of each
    (`stats.pairs`).
    `same_within` (0.02 for 2 %) asks whether cells are the same.

    Raises QueryError for a label, metric or condition that does not exist or is not allowed, TooLittleError if there
    is no run or no baseline.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"compare takes a Dataset, as wrkparse.read(path) returns it; not {type(dataset).__name__}")
    known = dataset.label_keys()
    renamed = label_columns(known)
    row_keys, column_keys, ignored = (
        _columns_of(label_names(names, known), renamed) for names in (rows, columns, ignore)
    )
    base = {renamed.get(key := label_name(name, known), key): value for name, value in parse_baseline(baseline).items()}
    if rows is not None:
        _check_keys(base, row_keys, column_keys)
    if paired and center == "mean":
        raise QueryError("a paired comparison uses signed ranks; it has no mean")
    key_of = {column: key for key, column in renamed.items()}
    asked = [key_of.get(key, key) for key in (*row_keys, *column_keys, *ignored, *base)]
    matching = [_with_columns(run, renamed) for run in matching_runs(dataset, where, asked)]
    numbers = numbers_of_reports(dataset)
    selected, summaries = without_summaries(dataset, without_warm_ups(matching, where, asked), numbers)
    values = _values_by_metric(
        dataset, default_metrics(dataset, selected, where) if metric is None else split_names(metric)
    )
    stating, digests = _runs_stating(selected, values, where), report_digests(dataset, selected, numbers)
    stating, excerpts = without_excerpts(
        stating, digests, separating_labels(stating, (), ("study", *ignored)) if rows is None else ()
    )
    stating, elsewhere = _without_other_places(stating, digests, (*row_keys, *column_keys, *base))
    chooses = rows is None and not base
    outer: LabelKeys = ()
    counting = _counting(stating, include_invalid=include_invalid)
    if rows is None:
        _check_several(dataset, selected, stating, values)
        row_keys, outer = _default_rows(dataset, stating, base, column_keys, ignored)
        base = base or default_baseline(stating, counting, row_keys)
        _check_keys(base, row_keys, column_keys)
    if paired and not base:
        raise QueryError("a paired comparison needs a baseline")
    if paired and (shares := [metric.name for metric in values if metric.is_share]):
        raise QueryError(f"{', '.join(shares)} can't be compared in pairs: a share of 0 has no ratio")
    separated = (*outer, *separating_labels(stating, (*row_keys, *column_keys, *outer), ignored))
    if chooses and not outer:
        stating, row_keys, separated = rows_of_variants(stating, row_keys[0], separated)
        counting = _counting(stating, include_invalid=include_invalid)
        base = default_baseline(stating, counting, row_keys)
    if (chooses or len(row_keys) == 1) and set(base) <= set(row_keys):
        separated += dividing_labels(
            stating, row_keys, (*column_keys, *separated, *ignored),
            lone=base if chooses and not names_a_baseline(base) else {},
        )  # fmt: skip
    column_keys = (*column_keys, *separated)
    base = pairing_baseline(base, counting, column_keys) if chooses else base
    runs, copies = without_copies(stating, digests, (*row_keys, *column_keys))
    cells = make_cells(runs, row_keys, column_keys, sort)
    compared, base = compared_labels(cells, row_keys, column_keys, base)
    method = Method(confidence, alpha, center, include_invalid, paired, same_within)
    results = [cells_with_results(*of_metric, cells, compared, base, method) for of_metric in values.items()]
    if sort == "best":
        sort_best_first(results, row_keys)
    confounded = confounded_labels(cells, compared)
    beside = beside_baseline(cells, compared, base, include_invalid=include_invalid)
    return ComparisonTable(
        rows=row_keys, columns=column_keys, compared=compared, baseline=base,
        center=center, confidence=confidence, alpha=alpha,
        cells=cells_table(itertools.chain.from_iterable(results)),
        samples=samples_table(values, results),
        geomeans=geomeans_table(results, compared),
        over_settings=compare_over_settings(results, compared, base, method),
        copies=_all_copies(summaries, excerpts, elsewhere, copies),
        constants=shared_labels(runs),
        also_differ=confounded, loads=unlike_loads(beside, compared, confounded),
        connections=connections_of(cells), refused=_refused(dataset, cells, values),
        separated=separated, ignored=ignored, paired=paired, same_within=same_within,
        layout=layout(results[0], compared),
        trends={str(cells[0].record["metric"]): trend(cells) for cells in results},
        monotone=_monotone_metrics(results, compared, method) if base else {},
        scatters={
            str(cells[0].record["metric"]): scatter(cells, (*row_keys, *column_keys), compared) for cells in results
        },
        audited=any(run.valid is not None for run in runs),
        warm_ups=len(matching) - len(selected) - len(summaries),
        tools=tuple(sorted({run.labels["tool"] or "" for run in runs})),
        loops=_loops(runs),
        unused=() if include_invalid else _unused(dataset, runs, values),
        traced_s=_traced_seconds(dataset, values, runs),
    )  # fmt: skip


def _counting(runs: list[SelectedRun], *, include_invalid: bool) -> list[SelectedRun]:
    """The runs that count; all of them if none does."""
    return [run for run in runs if include_invalid or run.valid is not False] or runs


def _columns_of(keys: Iterable[str], renamed: Mapping[str, str]) -> LabelKeys:
    return tuple(renamed.get(key, key) for key in keys)


def _with_columns(run: SelectedRun, renamed: Mapping[str, str]) -> SelectedRun:
    """The run, with its labels called as their columns are."""
    if renamed.keys().isdisjoint(run.labels):
        return run
    return replace(run, labels={renamed.get(key, key): value for key, value in run.labels.items()})


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


def _all_copies(*found: pd.DataFrame) -> pd.DataFrame:
    filled = [copies for copies in found if len(copies)]
    return pd.concat(filled, ignore_index=True) if filled else found[0]


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


def _default_rows(
    dataset: Dataset, runs: list[SelectedRun], baseline: Labels, column_keys: LabelKeys, ignored: Sequence[str]
) -> tuple[LabelKeys, LabelKeys]:
    """The labels of the baseline; else the `crossing_label` of those that differ, and the label inside which it does.

    Raises NothingToCompareError if none differs.
    """
    named = tuple(key for key in baseline if key not in column_keys)
    if named:
        return named, ()
    # What is ignored may tell more runs apart than what is compared: no reason to compare nothing.
    differing = tuple(key for key in separating_labels(runs, (), column_keys) if key not in ignored)
    if not differing:
        between = may_differ(dataset, [run.run for run in runs])
        raise NothingToCompareError(
            f"the {len(runs)} runs differ in no label: nothing to compare{'; ' if between else ''}{between}. "
            "wrkparse compare A B compares two folders or files; wrkparse explain FILE shows what was read; "
            "wrkparse label DIRECTORY helps to write a wrkparse.yaml, which labels runs"
        )
    crossing = crossing_label(runs, differing, (*column_keys, *ignored))
    return (crossing,), differing[:1] if crossing != differing[0] else ()


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


def _unused(dataset: Dataset, runs: Iterable[SelectedRun], values: MetricValues) -> tuple[Unused, ...]:
    """The runs that count for none, or not all, of the metrics that they state."""
    found = [run for run in runs if any(run.run in of and not is_usable(run, one.metric) for one, of in values.items())]
    if not found:
        return ()
    invalid = {run.run for run in found if run.valid is False}
    return unused(audit(dataset), invalid, {run.run for run in found} - invalid)


def _loops(runs: Iterable[SelectedRun]) -> tuple[tuple[str, str | None, str | None], ...]:
    """The combinations of tool, loop and correction among runs, sorted by the tool."""
    found = {(run.labels["tool"] or "", run.labels["loop"], run.labels["corrected"]) for run in runs}
    return tuple(sorted(found, key=lambda one: tuple(text or "" for text in one)))


def _monotone_metrics(
    results: Iterable[list[ComparisonCell]], compared: LabelKeys, method: Method
) -> dict[str, Monotone]:
    found = {str(cells[0].record["metric"]): monotone(cells, compared, method) for cells in results}
    return {name: one for name, one in found.items() if one}


def _check_keys(baseline: Labels, row_keys: LabelKeys, column_keys: LabelKeys) -> None:
    """Raise QueryError if the labels of rows, columns and baseline do not fit together."""
    if not row_keys:
        raise QueryError("a comparison needs a label for its rows")
    if repeated := set(row_keys) & set(column_keys):
        raise QueryError(f"{', '.join(sorted(repeated))} can't be in both rows and columns")
    if unknown := set(baseline) - {*row_keys, *column_keys}:
        raise QueryError(f"the baseline's {', '.join(sorted(unknown))} is in neither rows nor columns")


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
