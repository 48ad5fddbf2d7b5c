"""Notes below the tables of a comparison: what a reader needs to know before using its numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.comparison.loads import on_requested_rate
from wrkparse.analysis.comparison.text.claims import cell_claims
from wrkparse.analysis.comparison.text.run_notes import (
    copies_note,
    on_alike_names,
    on_days,
    on_invalid,
    on_separated,
    on_warm_ups,
)
from wrkparse.analysis.comparison.text.scatter_notes import on_scatter
from wrkparse.analysis.comparison.text.wording import (
    compared_noun,
    label_list,
    metric_words,
    p_text,
    p_words,
    percent_text,
    ratio_text,
    value_words,
)
from wrkparse.analysis.go.trace_metrics import SUMS
from wrkparse.analysis.runs.labels.key_words import key_with_option, key_words
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.tools import counting
from wrkparse.tools.base import NO_COUNTING
from wrkparse.tools.common import NON_2XX

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

# Of footnotes; the tenth and further ones are numbers in brackets.
MARKS = "¹²³⁴⁵⁶⁷⁸⁹"


def marks(table: ComparisonTable) -> dict[str, str]:
    """A mark for each set of labels that varies within a cell."""
    sets = [varies for varies in dict.fromkeys(table.cells["varies"]) if varies]
    return {varies: MARKS[index] if index < len(MARKS) else f"({index + 1})" for index, varies in enumerate(sets)}


def notes(table: ComparisonTable) -> list[str]:
    """Notes that a reader needs before using the numbers, most important first; some may be empty."""
    found = [
        *on_scatter(table),
        *_on_order(table),
        _on_unknown_order(table),
        *on_separated(table),
        *_on_single_runs(table),
    ]
    found += [_on_intervals(table), *_on_tests(table)]
    for varies, mark in marks(table).items():
        found.append(f"{mark} the runs of this cell vary in {varies.replace(' ', ', ')}")
    found += [
        on_others(table),
        *_on_generators(table),
        _on_traces(table),
        on_invalid(table),
        on_alike_names(table),
        on_warm_ups(table),
        copies_note(table.copies),
    ]
    if table.constants:
        found.append("all runs: " + " ".join(f"{key}={value}" for key, value in table.constants.items()))
    return found


def cautions(table: ComparisonTable) -> list[str]:
    """The notes without which the sentences of a comparison would mislead; some may be empty."""
    found = [
        *on_scatter(table), *_on_order(table), on_days(table), on_others(table), *_on_generators(table),
        _on_traces(table), *_on_ratios(table), on_invalid(table),
    ]  # fmt: skip
    return [*found, on_alike_names(table), on_warm_ups(table), copies_note(table.copies)]


def doubts(table: ComparisonTable) -> list[str]:
    """The `cautions` that are not about runs left out by the audit; none is empty. They are for readers of a report."""
    found = [
        *on_scatter(table), *_on_order(table), on_days(table), on_others(table, typed=False), *_on_generators(table),
        _on_traces(table), on_alike_names(table), copies_note(table.copies),
    ]  # fmt: skip
    return [note for note in found if note]


def on_others(table: ComparisonTable, *, typed: bool = True) -> str:
    """In what else the settings differ that are compared; empty without such labels.

    If `typed`, labels have the names that a command takes, else those that readers of a report know.
    """
    if not table.also_differ:
        return ""
    others = ", ".join(map(key_with_option if typed else key_words, table.also_differ))
    compared = ", ".join(table.compared if typed else map(key_words, table.compared))
    return f"the compared runs differ in more than {compared}: {others}"


def _on_traces(table: ComparisonTable) -> str:
    """Over what time numbers of collections and pauses are sums."""
    if table.traced_s is None:
        return ""
    titles = [metric_words(name) for name in SUMS if name in set(table.cells["metric"])]
    shortest, longest = (quantity(seconds, "s") for seconds in table.traced_s)
    names = [f"{title[0].lower()}{title[1:]}" for title in titles]
    what = f"{' and '.join(names)} are sums" if len(names) > 1 else f"{names[0]} is a sum"
    return f"{what} over the time that is traced: {shortest} to {longest}"


def _on_generators(table: ComparisonTable) -> list[str]:
    """What can't be compared between load generators of different kinds, and what an open loop's throughput is."""
    compared = tuple(table.cells["metric"].drop_duplicates())
    latencies = any(name.startswith("latency") for name in compared)
    found = [_on_correction(table), _on_tools(table)] if latencies else []
    found.append(_on_error_statuses(table))
    return [
        _on_loops(
            table,
            latencies=latencies,
            throughput="throughput" in compared and not on_requested_rate(table, "throughput"),
        ),
        *found,
    ]


def _on_loops(table: ComparisonTable, *, latencies: bool, throughput: bool) -> str:
    """Open against closed loops; without closed ones, what the throughput of an open loop is."""
    loops = {kind: _tools_with(table, 1, kind) for kind in ("open", "closed")}
    if not loops["open"]:
        return ""
    asked = "the throughput of an open loop is the requested rate as long as the server keeps up" if throughput else ""
    if not loops["closed"]:
        return asked
    found = f"open loops ({loops['open']}) send at a rate, closed ones ({loops['closed']}) wait for responses"
    found += ": their latencies can't be compared" if latencies else ""
    return f"{found}; {asked}" if asked else found


def _on_correction(table: ComparisonTable) -> str:
    """Latencies with the wait of the generator against latencies without it."""
    corrected, plain = _tools_with(table, 2, "true"), _tools_with(table, 2, "false")
    if not (corrected and plain):
        return ""
    return (
        f"latencies of {corrected} are corrected for coordinated omission, those of {plain} are not: "
        "a difference may come from that alone"
    )


def _tools_with(table: ComparisonTable, at: int, value: str) -> str:
    """The tools whose `ComparisonTable.loops` have a value at this place."""
    return ", ".join(dict.fromkeys(one[0] for one in table.loops if one[at] == value))


def _on_tools(table: ComparisonTable) -> str:
    """What the latencies of several tools count, if they are in one comparison."""
    if len(table.tools) < 2:
        return ""
    known = counting()
    counts = [f"{tool} {known.get(tool, NO_COUNTING).latency or 'in its own way'}" for tool in table.tools]
    return f"latencies of several tools count the time to a response differently: {'; '.join(counts)}"


def _on_error_statuses(table: ComparisonTable) -> str:
    """Which statuses the tools of a comparison count as errors, where these differ and there are any."""
    counted = table.cells.loc[table.cells["metric"] == NON_2XX.name, "center"]
    known = counting()
    tools: dict[str, list[str]] = {}
    for tool in table.tools:
        if statuses := known.get(tool, NO_COUNTING).error_statuses:
            tools.setdefault(statuses, []).append(tool)
    if len(tools) < 2 or not (counted > 0).any():
        return ""
    counts = [f"{', '.join(names)} {statuses}" for statuses, names in tools.items()]
    return f"{NON_2XX.name} counts responses of different statuses: {'; '.join(counts)}"


def over_settings(table: ComparisonTable, metric: str) -> list[str]:
    """A note for each variant: what all settings say together."""
    rows = table.over_settings[table.over_settings["metric"] == metric].to_dict("records")
    return [_over_settings(table, row) for row in rows]


def _over_settings(table: ComparisonTable, row: dict[Any, Any]) -> str:
    variant = " / ".join(value_words(row[key], key) for key in table.compared)
    settings, higher, lower = row["settings"], row["settings_higher"], row["settings_lower"]
    text = f"over {settings} settings together: {variant}"
    if not math.isnan(row["ratio"]):
        text += f" {ratio_text(row['ratio'])} × {label_list(table.baseline)}"
        text += f" ({ratio_text(row['lo'])} to {ratio_text(row['hi'])})" if not math.isnan(row["lo"]) else ""
    sides = [f"{side} in {count}" for side, count in (("higher", higher), ("lower", lower)) if count]
    text += f", {' and '.join(sides) or 'equal in all'} of {settings}, {_verdict_over_settings(row)}"
    if row["p_differ"] <= table.alpha:
        text += (
            f"; the settings differ from each other ({p_words(row['p_differ'])}, ratios {ratio_text(row['lowest'])} to "
            f"{ratio_text(row['highest'])}): read them one by one"
        )
    return text


def _verdict_over_settings(row: dict[Any, Any]) -> str:
    verdict = row["verdict"]
    if verdict == "too few":
        return f"p {p_text(row['p_adjusted'])}: too few for a verdict"
    if row["runs"] == row["baseline_runs"] == row["settings"] and verdict != "undecided":
        verdict += " in these settings (one run each says nothing about the next run)"
    return f"p {p_text(row['p_adjusted'])}: {verdict}"


def _on_order(table: ComparisonTable) -> list[str]:
    """Notes on the order in which the runs were made, if it may be the reason of a difference."""
    from wrkparse.analysis.stats.summaries import runs_for_interval

    found = []
    blocks, turns, settings, timed, _ = table.layout
    one = compared_noun(table.compared)
    if blocks:
        where = "" if settings == 1 else f" in {blocks} of {settings} settings"
        how = "were made" if timed else "are in the file"
        found.append(
            f"all runs of one {one} {how} before those of the next{where}: drift between runs would look like "
            "a difference; measure in turns" + ("" if timed else ", if they were made in that order")
        )
        if table.paired:
            found.append("these pairs are not neighbours, so --paired does not remove the drift")
    for metric, trend in table.trends.items():
        if trend.p <= table.alpha:
            found.append(
                f"{metric_words(metric)} drifts from run to run of a setting{_drift_words(trend.change)} "
                f"({p_words(trend.p)}), in the order of {'their times' if timed else 'the file'}; the runs are not "
                "repeats under equal conditions"
            )
        # Runs that alternate, with a correlation below 0, are worth no fewer.
        elif trend.lag1_p <= table.alpha and trend.lag1 > 0:
            found.append(
                f"{metric_words(metric)}: successive runs of a setting are correlated ({trend.lag1:.2f}, "
                f"{p_words(trend.lag1_p)}); they are worth fewer independent runs"
            )
    # The pairs that the signed-rank test needs for a verdict (`stats.pairs.compare_pairs`).
    enough = table.cells.loc[table.cells["n"] > 1, "n"].min() >= runs_for_interval(1 - table.alpha)
    if turns and turns == settings and enough and table.baseline and not table.paired:
        found.append("the runs were made in turns; --paired compares each with its neighbour, which removes drift")
    return found


def _on_unknown_order(table: ComparisonTable) -> str:
    if not table.layout.unknown:
        return ""
    return "the order of the runs is not known (several files, no times), so blocks and drift were not checked"


def _drift_words(change: float) -> str:
    return (
        "" if math.isnan(change) else f", by {'+' if change > 0 else '-'}{percent_text(abs(change))} from first to last"
    )


def _on_single_runs(table: ComparisonTable) -> list[str]:
    """Notes for cells of one run: no verdict, the runs that one would need, and what other numbers do not mean."""
    cells = table.cells[table.cells["n"] > 0]
    single = cells[cells["n"] == 1]
    if not len(single):
        return []
    found = ["one run each: no interval and no verdict" if len(single) == len(cells) else "one run: no verdict"]
    if len(needed := single["runs_needed"].dropna()):
        compared = cells[~cells["verdict"].isin(["baseline", "no baseline", "invalid"])]
        # Holm's adjustment asks for the more runs, the more comparisons of a metric there are.
        family = int(compared.groupby("metric").size().max())
        among = f" among {family} comparisons" if family > 1 else ""
        found[0] += (
            f"; at alpha {table.alpha:g}{among} it takes at least {needed.min()} runs on each side, "
            "enough if they do not overlap"
        )
    rounding = (single["ratio_resolution"] / single["ratio"]).max()
    if not math.isnan(rounding):
        digits = "0.001 % or better" if rounding < 1e-5 else percent_text(rounding)
        found.append(f"the printed digits fix each ratio to ±{digits}; a second run may differ by far more")
    spreads = [
        _spread(str(metric), group["within_cv"].dropna()) for metric, group in single.groupby("metric", sort=False)
    ]
    if any(spreads):
        found.append(
            f"stdev / mean within a run: {', '.join(filter(None, spreads))}; it shows how steady that run was, "
            "not how much a second run would differ"
        )
    return found


def _spread(metric: str, values: pd.Series[float]) -> str:
    if not len(values):
        return ""
    lo, hi = percent_text(values.min()), percent_text(values.max())
    of = "one thread's rate" if metric == "throughput" else metric
    return f"{of} {lo}" if lo == hi else f"{of} {lo} to {hi}"


def _on_intervals(table: ComparisonTable) -> str:
    """A note for cells with several runs, but fewer than an interval needs."""
    several = table.cells[table.cells["n"] > 1]
    if table.center == "mean" or not (several["lo"].isna()).any():
        return ""
    from wrkparse.analysis.stats.summaries import runs_for_interval

    return f"a {100 * table.confidence:g} % interval of a median takes {runs_for_interval(table.confidence)} runs"


def _on_tests(table: ComparisonTable) -> list[str]:
    cells = table.cells
    test = "Mann-Whitney U" if table.center == "median" else "Welch's t"
    test = "Wilcoxon signed ranks of pairs" if table.paired else test
    found = []
    if table.paired:
        found.append("ratio: of pairs, the i-th run and the i-th run of the baseline")
    # Of one run each, both are the same quotient.
    elif table.center == "median" and (cells["ratio"].notna() & cells["p"].notna() & (cells["n"] > 1)).any():
        found.append("ratio: the median of the quotients of a run and a baseline run, not the quotient of the medians")
    if cells["p"].notna().any():
        found.append(f"p: {test}, Holm-adjusted over all comparisons of a metric; the intervals are not adjusted")
    if table.monotone:
        found.append("trend p: Jonckheere and Terpstra's test of a rise or fall over all values; not adjusted")
    if cells["rank_lo"].notna().any():
        places = " of all columns" if table.columns else ""
        found.append(f"rank: by {test}, Holm-adjusted over all pairs{places}; tied: equal at alpha {table.alpha:g}")
    if (cells["runs_needed"].notna() & (cells["n"] > 1)).any():
        found.append(
            "runs to tell: on each side, with 80 % power, if the true difference is the one seen; in brackets: if it "
            "is the largest that these runs allow"
        )
    if (cells["verdict"] == "too coarse").any():
        digits = ", ".join(f"{name} ±{quantity(half, unit)}" for name, unit, half in _resolutions(cells))
        found.append(f"too coarse: the printed digits alone could make the difference ({digits})")
    if cells["is_share"].any():
        found.append(
            "failures are compared as shares of the requests; the difference is the share minus the baseline's"
        )
    if table.same_within is not None:
        found.append(
            f"within ±{percent_text(table.same_within)}: by two one-sided tests at alpha {table.alpha:g}, divided by "
            "the number of comparisons; not shown does not mean that they differ; failures are not tested"
        )
    return found


def _resolutions(cells: pd.DataFrame) -> list[tuple[str, str, float]]:
    """The metrics with a cell that is too coarse: name, unit, and the coarsest resolution."""
    coarse = cells[cells["verdict"] == "too coarse"]
    return [
        (str(name), str(group["unit"].iloc[0]), float(cells.loc[cells["metric"] == name, "resolution"].max()))
        for name, group in coarse.groupby("metric", sort=False)
    ]


def _on_ratios(table: ComparisonTable) -> list[str]:
    """What a ratio is, where the medians beside it say the opposite."""
    if table.center != "median" or not table.baseline:
        return []
    for metric in table.cells["metric"].drop_duplicates():
        for claim in cell_claims(table, str(metric)):
            medians = claim.center / claim.base_center if claim.base_center else math.nan
            if (medians - 1) * (claim.ratio - 1) < 0:
                return ["ratio: the median of the quotients of all pairs of runs, not the quotient of the medians"]
    return []
