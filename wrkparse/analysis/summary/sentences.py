"""What growth with cores and single settings show, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from wrkparse.analysis.audit.audit import AuditResult, audit
from wrkparse.analysis.audit.trust import Grade, doubt_of
from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, SUSPECT
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.text.run_notes import on_invalid
from wrkparse.analysis.comparison.text.scatter_notes import groups_words, outlier_words, places_words
from wrkparse.analysis.comparison.text.wording import (
    amount_words,
    counting_words,
    metric_words,
    name_words,
    place_words,
    ratio_decimals,
)
from wrkparse.analysis.go.trace_metrics import TRACE_METRICS
from wrkparse.analysis.runs.labels.labels import label_text
from wrkparse.analysis.runs.possible_differences import may_differ
from wrkparse.analysis.runs.selection import TooLittleError, select_runs
from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.analysis.shown.numbers import as_printed
from wrkparse.analysis.wording import counted, name_of
from wrkparse.dataset import Dataset

_LAWS_IN_WORDS = {"amdahl": "Amdahl's law", "usl": "the Universal Scalability Law"}
_ONE = "One run has no interval: the next one may differ by an unknown amount."


def levels(dataset: Dataset, where: str | None, *, include_invalid: bool = False) -> ComparisonTable | None:
    """The median of each default metric over runs of one setting; None if they state neither rate nor time."""
    try:
        table = compare(dataset, rows="tool", where=where, include_invalid=include_invalid)
    except TooLittleError:
        return None
    return None if table.cells["metric"].isin(TRACE_METRICS).any() else table  # `go.sentences` says these


def same_machine_sentence(judged: AuditResult, loads: int) -> Iterator[str]:
    """That load generator and server shared a machine, if the audit found that of some of so many `loads`."""
    shared = judged.findings.loc[judged.findings["code"] == "same-machine", "run"].nunique()
    if not shared:
        return
    where = "" if shared == loads else f" of {counted(shared, 'run')}"
    yield (
        f"The load generator{where} ran on the server's machine and used some of its cores, so these are not the "
        "rates of the server alone."
    )


def setting_sentences(dataset: Dataset, where: str | None, *, include_invalid: bool = False) -> tuple[str, ...]:
    """What the runs of one setting measured, and which of them do not count. Empty without a metric.

    Of a single run with what the audit doubts.
    """
    runs = [run.run for run in select_runs(dataset, where, ())]
    is_single = len(runs) == 1
    measured = levels(dataset, where, include_invalid=include_invalid or is_single)
    doubt = doubt_of(audit(dataset), runs)
    if measured is None:
        return ()
    left_out = on_invalid(measured) if measured.unused and doubt is None else ""  # a doubt is said with the numbers
    return (*level_sentences(measured, doubt, may_differ=bool(may_differ(dataset, runs))), *filter(None, [left_out]))


def level_sentences(table: ComparisonTable, doubt: Grade | None = None, *, may_differ: bool = False) -> tuple[str, ...]:
    """``Throughput: 62.51k requests/s, the median of 5 runs.``; with the interval if there are runs enough for one.

    `doubt` is what the audit says of all these runs, if none is sound. Runs that `may_differ` in something that no
    label says have no interval.
    """
    rows = [row for row in table.cells.to_dict("records") if row["n"]]
    single = [_ONE] if any(row["n"] == 1 for row in rows) else []
    apart = [
        f"{metric_words(metric)}: {places_words(one)}, though nothing else tells these runs apart."
        for metric, scatter in table.scatters.items()
        for one in scatter.places_apart
    ]
    far = [
        f"{metric_words(metric)}: {outlier_words(one)}."
        for metric, scatter in table.scatters.items()
        for one in scatter.outliers
    ]
    return (
        *apart[:1],
        *(_groups(table, row) or _level(row, doubt, may_differ=may_differ) for row in rows),
        *far[:1],
        *single,
    )


def level_words(table: ComparisonTable, doubt: Grade | None = None) -> str:
    """The rate, or else the time, and the latency of one setting for a title: ``51.35k requests/s, p99 5.0 ms``.

    Of several runs they are medians, and the words say so. Latencies that the audit doubts are left out. Empty if it
    doubts more, or if the runs form groups, of which a median describes none.
    """
    in_latency = doubt is not None and doubt.verdict == LATENCY_SUSPECT
    if (doubt is not None and not in_latency) or any(scatter.groups for scatter in table.scatters.values()):
        return ""
    rows = [row for row in table.cells.to_dict("records") if row["n"] and row["is_share"] is not True]
    words = [_center(row) for row in rows[:1]]
    words += [
        f"{row['metric'].removeprefix('latency_').replace('mean', 'mean latency')} {_center(row)}"
        for row in rows[1:]
        if row["metric"].startswith("latency_") and not in_latency
    ]
    several = any(row["n"] > 1 for row in rows)
    return f"{'medians ' if several and len(words) > 1 else 'median ' if several else ''}{', '.join(words)}"


def _center(row: Any) -> str:
    """The number in the middle of the runs, as it was printed, or the mean of two."""
    if pd.isna(row["resolution"]):
        return amount_words(row["center"], row["unit"], row["metric"])
    return counting_words(as_printed(row["center"], row["unit"], row["resolution"]), row["unit"], row["metric"])


def _level(row: Any, doubt: Grade | None, *, may_differ: bool) -> str:
    value = _center(row)
    is_doubted = row["is_share"] is not True and (
        doubt is None or doubt.verdict != LATENCY_SUSPECT or row["metric"].startswith("latency")
    )
    doubted = _doubted(doubt) if doubt and is_doubted else ""
    if row["n"] == 1:
        return f"{metric_words(row['metric'])}: {value}{doubted}."
    ends = [amount_words(row[end], row["unit"], row["metric"]) for end in ("lo", "hi")]
    known = f" ({' to '.join(ends)}, {100 * row['confidence']:.3g} %)" if all(ends) else ", too few for an interval"
    if may_differ:
        known = ", which may be of several settings"
    return f"{metric_words(row['metric'])}: {value}, the median of {counted(row['n'], 'run')}{known}{doubted}."


def _groups(table: ComparisonTable, row: Any) -> str:
    """That the runs form groups, whose median describes none of them; empty if they form none."""
    keys = table.cell_keys
    values = tuple(row[key] if isinstance(row[key], str) else None for key in keys)
    found = [one for one in table.scatters[row["metric"]].groups if one.cell == values]
    if not found:
        return ""
    groups = groups_words(found[0], row["unit"], row["metric"])
    return f"{metric_words(row['metric'])}: {counted(row['n'], 'run')} in {groups}, with none between."


def _doubted(doubt: Grade) -> str:
    """``, suspect: above Little's law``."""
    causes = ", ".join(name_of(code) for code, _ in doubt.causes)
    return f", {INVALID if doubt.verdict == INVALID else SUSPECT}{f': {causes}' if causes else ''}"


def scaling_sentence(result: ScalingResult, *, is_rise_said: bool = False) -> str | None:
    """How far throughput grows from the fewest cores to the most, over all curves; None without a curve.

    Of one curve whose rise another sentence says, only how far it is from linear growth.
    """
    curves = _grown(result)
    if curves.empty:
        return None
    speedups = curves["speedup"].map(float)
    high, low = (curves.iloc[int(at)] for at in (speedups.argmax(), speedups.argmin()))
    # a label that all curves share distinguishes none of them
    keys = [key for key in result.keys if len(curves) == 1 or len(set(curves[key].map(label_text))) > 1]
    if len(curves) == 1:
        law = f", as {_LAWS_IN_WORDS[high['law']]} describes" if high["law"] in _LAWS_IN_WORDS else ""
        linear = f"{100 * float(high['efficiency_ratio']):.0f} % of linear"
        if is_rise_said:
            return f"{result.what} on {int(high['n_max'])} cores is {linear} growth{law}.{_limits(result, curves)}"
        end = f" ({linear}){law}"
    elif _times(high) == _times(low):
        return f"{result.what} is {_times(high)} in {_of_all(len(curves))}.{_limits(result, curves)}"
    else:
        least = f", the least of {len(curves)} curves," if len(curves) > 2 else ""
        end = f"; that{_curve_words(low, keys)}{least} is {_times(low)}"
    return f"{result.what}{_curve_words(high, keys)} is {_times(high)}{end}.{_limits(result, curves)}"


def growth_title(result: ScalingResult) -> str:
    """``Throughput of heron was 5.0 times as high on 8 cores as on 1``; empty unless there is one curve that grows."""
    curves = _grown(result)
    if len(curves) != 1 or not float(curves["speedup"].iloc[0]) > 1:
        return ""
    return f"{result.what}{_curve_words(curves.iloc[0], result.keys)} was {_times(curves.iloc[0])}"


def _grown(result: ScalingResult) -> pd.DataFrame:
    """The curves with a speed-up."""
    return result.groups[(result.groups["points"] > 1) & result.groups["speedup"].notna()]


def peak_words(result: ScalingResult) -> str:
    """What the bar at a peak within the measured range says, behind a sentence on growth; empty without a peak."""
    last = {_labels(row, result.keys): row["n_max"] for row in result.groups.to_dict("records")}
    laws = result.fits[result.fits["supported"].astype(bool) & result.fits["peak"].notna()].to_dict("records")
    peaks = [law for law in laws if law["peak"] <= last[_labels(law, result.keys)]]
    if len(peaks) != 1:
        return "; thick bars show where throughput may be highest" if peaks else ""
    low, high = (round(float(peaks[0][column])) for column in ("peak_lo", "peak_hi"))
    between = f"{low} to {high}" if low != high else f"about {low}"
    return f"; the thick bar shows where throughput may be highest, on {between} {result.n}"


def _labels(row: Any, keys: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(label_text(row[key]) for key in keys)


def _curve_words(curve: Any, keys: Sequence[str]) -> str:
    """`` of nginx at 64 connections``; the study is left out."""
    labels = {key: text for key in keys if key != "study" and (text := label_text(curve[key])) is not None}
    return f" of {words}" if (words := name_words(labels)) else f" {place_words(labels)}".rstrip()


def _times(curve: Any) -> str:
    """``5.3 times as high on 8 cores as on 1``."""
    times = f"{curve['speedup']:.{ratio_decimals(float(curve['speedup']))}f} times"
    return f"{times} as high on {int(curve['n_max'])} cores as on {int(curve['n_min'])}"


def _of_all(count: int) -> str:
    return "both curves" if count == 2 else f"all {count} curves"


def _limits(result: ScalingResult, curves: pd.DataFrame) -> str:
    """What may keep the curves from being about the cores."""
    limited, beyond = int(curves["limited"].sum()), int(curves["superlinear"].sum())
    messages, codes = (list(dict.fromkeys(result.limits[column])) for column in ("message", "code"))
    causes = messages[0] if len(messages) == 1 else ", ".join(map(name_of, codes))
    varied = "the cores" if result.n == "cores" else result.n
    limits = f" Something other than {varied} may limit {_count_words(limited, curves)}: {causes}." if limited else ""
    if beyond:
        it = _count_words(beyond, curves)
        limits += f" {it[0].upper()}{it[1:]} {'grows' if beyond == 1 else 'grow'} faster than {varied} can explain."
    return limits


def _count_words(count: int, curves: pd.DataFrame) -> str:
    if len(curves) == 1:
        return "it"
    return _of_all(count) if count == len(curves) else f"{count} of {len(curves)} curves"
