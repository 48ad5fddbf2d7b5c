"""A report on the changes between several inputs, against the first one."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import Any

import pandas as pd

from wrkparse.analysis.comparison.choice.default_metrics import default_metrics
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.gate import parse_limit
from wrkparse.analysis.comparison.outcome import WORDS, Judged, exit_code, judge, outcome_lines
from wrkparse.analysis.comparison.text.claims import SIGNIFICANT, labels_of
from wrkparse.analysis.comparison.text.headline import headline
from wrkparse.analysis.comparison.text.notes import cautions
from wrkparse.analysis.comparison.text.wording import amount_words, metric_words, name_words, p_cell, place_words
from wrkparse.analysis.runs.labels.conditions import conditions
from wrkparse.analysis.runs.labels.key_words import key_words
from wrkparse.analysis.runs.labels.labels import INPUT
from wrkparse.analysis.runs.selection import TooLittleError, select_runs
from wrkparse.analysis.runs.unread import unread_files
from wrkparse.analysis.summary.title import tool_words
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset
from wrkparse.dataset.aliases import label_names
from wrkparse.plot.figures.comparison.changes import changes as draw_changes
from wrkparse.report.exhibits.about import Paragraphs
from wrkparse.report.exhibits.captioned import Figure, Table, attempt
from wrkparse.report.exhibits.mime_types import FACTS, FOR_REPORT, PARTS, Bundle
from wrkparse.report.exhibits.tables.columns import UNITS, ColumnFormat
from wrkparse.text.escape import escaped, one_line, printable

SAME_WITHIN = 0.02  # a ratio this near 1 counts as the same: two rounds of one server on a quiet machine differ so far
_MOST_CHANGES = 6  # that an alternative text lists; the table has all
_TITLES = {
    "ratio": "ratio", "ratio_lo": "at least", "ratio_hi": "at most", "p_adjusted": "p", "verdict": "verdict",
}  # fmt: skip
_FORMATS: dict[str, ColumnFormat] = dict.fromkeys(["ratio", "ratio_lo", "ratio_hi"], "factor") | {
    "p_adjusted": lambda value: p_cell(float(str(value)))
}
_EVERY_SETTING = """\
## Every setting

The inputs are compared setting by setting: runs of one setting agree in all else that the logs say of them. A line
ends blue or orange where the difference is significant. *Same* means that the whole interval is within the grey band.
If an input has one run of a setting, there is no interval and no verdict."""


class Changes:
    """The changes between several inputs, against the first one: the front page of a report, and its exhibits.

    - ``ds``: a dataset whose runs have the label ``input``, as `wrkparse.open_sides` makes it.
    - ``inputs``: the values of that label in their order; the first one is the baseline.
    - ``limits``: texts such as ``throughput < -5%``; the page begins with the outcome.
    - ``same_within``: how far from 1 a ratio counts as the same, 0.02 for 2 %.
    - ``ignore``: labels that make no difference, as in `wrkparse.compare`: runs that differ only in these are repeats.

    Raises TooLittleError without a second input.
    """

    def __init__(
        self, ds: Dataset, inputs: Sequence[str], *, limits: Sequence[str] = (), same_within: float = SAME_WITHIN,
        ignore: str | Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self.dataset, self.inputs = ds, tuple(inputs)
        self.ignored = label_names(ignore, ds.label_keys())
        self.same_within, self.limits = same_within, [parse_limit(text) for text in limits]
        if len(self.inputs) < 2:
            raise TooLittleError("there is nothing to compare with: wrkparse report --against STORE")

    @functools.cached_property
    def table(self) -> ComparisonTable:
        """The comparison: a row for each input, a column for each setting."""
        known = default_metrics(self.dataset, select_runs(self.dataset, None, ()))
        names = list(dict.fromkeys([*known, *(limit.metric for limit in self.limits)]))
        base = {INPUT: self.inputs[0]}
        return compare(
            self.dataset, rows=INPUT, baseline=base, same_within=self.same_within, metric=names, ignore=self.ignored
        )

    @functools.cached_property
    def judged(self) -> Judged:
        """The cells of each limit with their outcomes."""
        return judge(self.table, self.limits)

    @property
    def outcome(self) -> int | None:
        """The exit code of --fail-on with these limits; None without limits."""
        return exit_code(self.judged) if self.limits else None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        text = self._markdown()
        if FOR_REPORT not in os.environ:
            return {"text/plain": str(self.table), "text/markdown": text}
        runs = self.dataset.runs
        counts = {str(tool): int(count) for tool, count in runs["tool"].value_counts().items()}
        beside = "; ".join(f"{name}: {counted(int((runs[INPUT] == name).sum()), 'run')}" for name in self.inputs)
        found = headline(self.table) or self._title()
        title, *byline = (printable(one_line(part)) for part in (found, tool_words(counts), beside))
        facts = {"title": title, "byline": byline, "day": False, "runs": len(runs), "counted": True}
        facts |= {"outcome": self.outcome, "unread": unread_files(self.dataset)}
        return {"text/plain": title, FACTS: facts, PARTS: [{"text/markdown": text}]}

    def _title(self) -> str:
        """The title if there is no headline: ``now beside old: throughput is worse in 2 of 4 settings``."""
        for name in dict.fromkeys(map(str, self.table.cells["metric"])):
            if changed := self._changed(name):
                return f"{self.inputs[-1]} beside {self.inputs[0]}: {_uncapitalised(metric_words(name))} is {changed}"
        return f"{', '.join(self.inputs[1:])} beside {self.inputs[0]}: no difference is decided"

    def _changed(self, metric: str) -> str:
        """The significant differences of the last input, ``worse in 2 of 4 settings, better in 1``; empty if none."""
        cells = self.table.cells
        cells = cells[(cells["metric"] == metric) & (cells[INPUT] == self.inputs[-1]) & (cells["n"] > 0)]
        counts = {verdict: int((cells["verdict"] == verdict).sum()) for verdict in SIGNIFICANT}
        clauses = [f"{verdict} in {count}" for verdict, count in counts.items() if count]
        # Only the first clause states how many there are.
        clauses[:1] = [f"{first} of {counted(len(cells), 'setting')}" for first in clauses[:1]]
        return ", ".join(clauses)

    def _markdown(self) -> str:
        """The outcome of the limits, the sentences of the comparison, and cautions."""
        outcome = "" if self.outcome is None else f"**{WORDS[self.outcome]}.**\n\n"
        lines = outcome_lines(self.table, self.judged) if self.limits else []
        compares = (self.table.cells["ratio"].notna() & (self.table.cells["verdict"] != "baseline")).any()
        noted = [f"{note[:1].upper()}{note[1:]}." for note in (cautions(self.table) if compares else ()) if note]
        return outcome + "\n".join(f"- {escaped(line)}" for line in (*lines, *self.table.sentences, *noted))

    def exhibits(self) -> list[object]:
        """A figure and a table for each metric, with every setting."""
        names = list(dict.fromkeys(map(str, self.table.cells["metric"])))
        shown: list[object] = [Paragraphs(_EVERY_SETTING)]
        for number, name in enumerate(names, 1):
            cells = self.table.cells[self.table.cells["metric"] == name]
            drawn = attempt(draw_changes, self.table, self.inputs, metric=name)
            if drawn:
                shown.append(
                    Figure(drawn, self._caption(name), f"fig:changes-{number}", _changes_alt(self.table, name))
                )
            shown.append(self._table(cells, name, f"tbl:changes-{number}"))
        return shown

    def _caption(self, name: str) -> str:
        held = conditions(self.dataset, ignored=self.ignored).line(pooled=True)
        what = "Changes" if len(self.inputs) == 2 else "History"
        first = f"{what} of {_uncapitalised(metric_words(name))} against {self.inputs[0]}, a line for each setting"
        changed = self._changed(name)
        return f"{escaped(f'{first}: {changed}' if changed else first)}.  \n{escaped(held)}"

    def _table(self, cells: pd.DataFrame, name: str, label: str) -> Table:
        """A table of the cells of one metric, sorted by setting."""
        keys = [*self.table.setting_keys, INPUT]
        # Settings in the order of the comparison, inputs in that of the caller.
        order = pd.DataFrame({key: pd.factorize(cells[key].fillna(""))[0] for key in keys[:-1]}, index=cells.index)
        order[INPUT] = [self.inputs.index(one) for one in cells[INPUT]]
        cells = cells.loc[order.sort_values(keys, kind="stable").index]
        cells = cells[cells["n"] > 0]
        cells = cells.assign(
            verdict=[
                "same" if not pd.isna(same) and same else verdict
                for same, verdict in cells[["equivalent", "verdict"]].itertuples(index=False)
            ]
        )
        columns = {key: key_words(key) for key in keys} | {"center": "median", "n": "runs"}
        columns |= {key: title for key, title in _TITLES.items() if key in cells}
        formats: dict[str, ColumnFormat] = {key: form for key, form in _FORMATS.items() if key in cells}
        unit = str(cells["unit"].iloc[0]) if len(cells) else ""
        formats |= {"center": unit} if unit in UNITS else {}
        caption = f"{metric_words(name)} of every setting, and ratios to {self.inputs[0]}"
        return Table(cells, escaped(caption), label, columns=columns, formats=formats, empty="No run states it.")


def _changes_alt(table: ComparisonTable, name: str) -> str:
    """The alternative text of a figure: the first changes in words."""
    cells = table.cells[table.cells["metric"] == name]
    known = cells[cells["ratio"].notna() & (cells["verdict"] != "baseline")]
    listed = [_change_words(table, row) for row in known.head(_MOST_CHANGES).to_dict("records")]
    more = f"; and {len(known) - len(listed)} more" if len(known) > len(listed) else ""
    return f"{metric_words(name)} against the first input: {'; '.join(listed)}{more}."


def _change_words(table: ComparisonTable, row: dict[Any, Any]) -> str:
    """``now at 64 connections 60.10k requests/s, 0.96 times, worse``."""
    places = labels_of(row, table.setting_keys)
    setting = name_words(places) or place_words(places)
    numbers = f"{amount_words(row['center'], row['unit'], row['metric'])}, {row['ratio']:.3g} times, {row['verdict']}"
    return " ".join(filter(None, (str(row[INPUT]), setting, numbers)))


def _uncapitalised(words: str) -> str:
    return words[:1].lower() + words[1:]
