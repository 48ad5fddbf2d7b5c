"""Captions and alternative texts of the main figure, made from its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.claims import SIGNIFICANT, cell_claims, labels_of
from wrkparse.analysis.comparison.text.headline import disagreeing_key, headline, unlike_words
from wrkparse.analysis.comparison.text.statements import small_metric
from wrkparse.analysis.comparison.text.wording import (
    amount_words,
    base_words,
    metric_words,
    name_words,
    place_words,
    ratio_words,
)
from wrkparse.analysis.go.sentences import gc_sentences, sched_sentences
from wrkparse.analysis.runs.latencies import latencies
from wrkparse.analysis.runs.selection import select_runs
from wrkparse.analysis.shown.numbers import rounded
from wrkparse.analysis.summary.first_page import decided_metric
from wrkparse.analysis.summary.sentences import peak_words, scaling_sentence
from wrkparse.analysis.summary.summary import Summary, says_rise_with_cores
from wrkparse.analysis.wording import counted
from wrkparse.plot.runs import MAX_NAMED
from wrkparse.report.exhibits.figures.gc_costs import conditions_line, describe_costs
from wrkparse.text.escape import escaped, one_line

# For each figure of a trace: what it shows, the column with the number of events, and their name.
_TRACE_WORDS = {"gc": ("Pauses and heap", "cycles", "collections"), "sched": ("Run queues", "ticks", "ticks")}
_TAIL_PERCENTILE = 0.99
_MOST_CELLS = 12  # cells that an alternative text lists; the table has all


def describe_main_figure(summary: Summary) -> tuple[str, str]:
    """The caption, in Markdown, and the alternative text of the main figure of a summary."""
    caption, alt = _caption_and_alt(summary)
    of = (
        f" ({summary.main.study})" if summary.main is not None and len(summary.parts) > 1 and summary.main.study else ""
    )
    held = summary.main.conditions.line(pooled=summary.figure != "latency") if summary.main is not None else ""
    held = conditions_line(summary, summary.costs) if summary.figure == "gc_costs" else held
    return f"{escaped(caption + of)}." + (f"  \n{escaped(held)}" if held else ""), one_line(alt)


def shown_comparison(summary: Summary) -> ComparisonTable | None:
    """The comparison of the main figure. Its first metric is one with a verdict, if any has: the figure shows that."""
    table = summary.main.comparison if summary.main is not None else None
    if table is None:
        return None
    shown = decided_metric(table)
    return replace(table, cells=table.cells.sort_values("metric", key=lambda names: names.ne(shown), kind="stable"))


def _caption_and_alt(summary: Summary) -> tuple[str, str]:
    main, table = summary.main, shown_comparison(summary)
    if summary.figure == "compare" and table is not None:
        return comparison_caption(table), comparison_alt(table)
    if summary.figure == "scaling" and summary.growth is not None:
        # The ratio of two medians beside the median of all ratios would be a second number of the same thing.
        sentence = scaling_sentence(summary.growth, is_rise_said=main is not None and says_rise_with_cores(main))
        finding = f": {finding_clause(sentence)}" if sentence else ""
        return (
            f"{summary.growth.what} by cores, and the share of linear growth{finding}{peak_words(summary.growth)}",
            sentence or summary.title,
        )
    if summary.figure == "latency":
        where = main.where if main else None
        return _latency_caption(summary, where), latency_alt(summary, where)
    if summary.figure == "gc_costs":
        return describe_costs(summary.costs)
    if summary.figure == "gc":
        return trace_caption("gc", summary.gc), " ".join(gc_sentences(summary.gc)) or summary.title
    return trace_caption("sched", summary.sched), " ".join(sched_sentences(summary.sched)) or summary.title


def _latency_caption(summary: Summary, where: str | None) -> str:
    """The caption of the latency figure: whether a line is a run, and the range of the p99.

    If there are too many runs for a line each, a line is a setting. For a single run, the caption has the latencies of
    half and of 99 % of the requests.
    """
    table = latencies(summary.dataset, where=where)
    runs = table["run"].nunique()
    if runs == 1:
        known = dict(zip(table["percentile"], table["value_s"], strict=True))
        shares = [f"{share} of the requests took at most {rounded(known[at], 's')}"
                for at, share in ((0.5, "half"), (0.99, "99 %")) if at in known]  # fmt: skip
        return f"Latency by percentile{': ' if shares else ''}{', '.join(shares)}"
    measured = len(select_runs(summary.dataset, where, ()))
    some = "" if runs == measured else " that print percentiles"
    each = f"each of the {runs:,} runs{some}" if some else "each run"
    tails = table.loc[table["percentile"] == _TAIL_PERCENTILE, "value_s"]
    ends = (
        " to ".join(dict.fromkeys(rounded(float(end), "s") for end in (tails.min(), tails.max()))) if len(tails) else ""
    )
    which = f"a line for {each}" if runs <= MAX_NAMED else f"of {runs:,} runs{some} as one setting"
    return f"Latency by percentile, {which}{f': the p99 is {ends}' if ends else ''}"


def finding_clause(text: str) -> str:
    """A sentence to follow a colon: without its full stop, and with a small first letter."""
    first = text.split(". ", maxsplit=1)[0].rstrip(".")
    return f"{first[:1].lower()}{first[1:]}"


def trace_caption(kind: str, traces: pd.DataFrame) -> str:
    """The caption for the trace with the most events: ``Pauses and heap over time: the longest pause is 24 ms``."""
    what, events, noun = _TRACE_WORDS[kind]
    drawn = traces.sort_values([events, "run"], ascending=[False, True]).iloc[0]
    several, tied = len(traces) > 1, (traces[events] == drawn[events]).sum() > 1
    of = (
        f", of one of {len(traces):,} processes"
        if tied
        else f", of the process with the most {noun}"
        if several
        else ""
    )
    value = drawn["pause_max_s" if kind == "gc" else "waiting_max"]
    if pd.isna(value) or not value:
        return f"{what} over time{of}"
    longest = f"the longest pause is {rounded(float(value), 's')}"
    most = f"at most {counted(int(value), 'goroutine')} waited"
    return f"{what} over time{of}: {longest if kind == 'gc' else most}"


def comparison_caption(table: ComparisonTable) -> str:
    """The caption of a comparison, with its finding: ``… of each setting beside heron: no difference is decided``."""
    metric = str(table.cells["metric"].iloc[0])
    words = metric_words(metric)
    if table.baseline and not cell_claims(table, metric):
        return f"{words} of each setting: nothing can be compared"
    base = base_words(table.baseline) if table.baseline else ""
    beside = f" beside {base}" if base else ""
    found = small_metric(headline(table, turn=False) or "", metric) or _undecided_words(table, metric)
    return f"{words} of each setting{beside}: {found}"


def _undecided_words(table: ComparisonTable, metric: str) -> str:
    """The words of a caption if there is no finding for all settings. Some settings may have a verdict."""
    if unlike := unlike_words(table):
        return unlike
    if key := disagreeing_key(table, metric):
        return f"which one is ahead depends on {key}"
    if _has_verdict(table.over_settings, metric):
        return "none is ahead in all settings"
    if _has_verdict(table.cells, metric):
        return _unused_verdict_words(table, metric)
    if trend := table.monotone.get(metric):
        return f"no single ratio is decided, but the {'rise' if trend.rises else 'fall'} over all values is"
    return "no difference is decided"


def _has_verdict(rows: pd.DataFrame, metric: str) -> bool:
    return len(rows) > 0 and bool(rows.loc[rows["metric"] == metric, "verdict"].isin(SIGNIFICANT).any())


def _unused_verdict_words(table: ComparisonTable, metric: str) -> str:
    """Why none of the verdicts on single settings is the finding for all of them."""
    if table.setting_keys and len(table.cells[[*table.setting_keys]].drop_duplicates()) > 1:
        return "a difference is decided in some settings only"
    if table.scatters[metric].groups:
        return "the runs of one of them form groups"
    return "no difference under one load is decided"


def comparison_alt(table: ComparisonTable, metric: str | None = None) -> str:
    """The first numbers of a metric, the first by default, as text: setting, median, and ratio with its interval."""
    chosen = metric or table.cells["metric"].iloc[0]
    cells = table.cells[(table.cells["metric"] == chosen) & table.cells["center"].notna()]
    listed = list(_cell_texts(table, cells.head(_MOST_CELLS)))
    more = f"; and {len(cells) - len(listed)} more" if len(cells) > len(listed) else ""
    return (
        f"{metric_words(str(cells['metric'].iloc[0]))}: {'; '.join(listed)}{more}."
        if listed
        else "No setting has a value."
    )


def _cell_texts(table: ComparisonTable, cells: pd.DataFrame) -> Iterator[str]:
    for row in cells.to_dict("records"):
        text = f"{setting_words(table, row)} {amount_words(row['center'], row['unit'], row['metric'])}"
        # A missing ratio (NaN) is not equal to itself.
        if row["verdict"] != "baseline" and row["ratio"] == row["ratio"]:
            words = ratio_words(row["ratio"], row["ratio_lo"], row["ratio_hi"], row["ratio_resolution"])
            number, blank, ends = words.partition(" ")
            text += f", {number} times{blank}{ends}"
        yield text


def setting_words(table: ComparisonTable, row: Mapping[Any, Any]) -> str:
    """The setting of a cell: ``heron at 64 connections``."""
    rows, columns = labels_of(row, table.rows), labels_of(row, table.columns)
    return " ".join(filter(None, (name_words(rows) or place_words(rows), place_words(columns))))


def latency_alt(summary: Summary, where: str | None) -> str:
    """The printed percentiles of the first runs: ``bench.md: p50 0.9 ms, p99 10 ms, longest 17 ms``."""
    rows = latencies(summary.dataset, where=where).merge(summary.dataset.runs[["run", "source", "line"]], on="run")
    lines = []
    # The latencies may have lines of their own; pandas then calls that of the run `line_y`.
    for (source, line), points in rows.groupby(["source", "line_y" if "line_y" in rows else "line"], sort=False):
        chosen = points[points["percentile"].isin([0.5, 0.9, 0.99, 1.0])]
        words = [
            f"{'longest' if at == 1 else f'p{100 * at:g}'} {rounded(value, 's')}"
            for at, value in chosen[["percentile", "value_s"]].itertuples(index=False)
        ]
        lines.append(f"{source}:{line}: {', '.join(words)}")
    more = f"; and {len(lines) - 3} more runs" if len(lines) > 3 else ""
    return f"Latency by percentile. {'; '.join(lines[:3])}{more}."
