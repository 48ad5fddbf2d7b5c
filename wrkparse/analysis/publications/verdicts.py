"""The verdict on a printed cell: whether it follows from the raw run that its labels name."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wrkparse.analysis.publications.printed_numbers import (
    ROUNDING_RULES,
    PrintedNumber,
    Rounding,
    cell_text,
    find_rounding,
    is_empty,
    parse_printed_number,
)
from wrkparse.analysis.publications.raw_runs import TIMEOUTS, RawRun, StatedValue, without_copies
from wrkparse.analysis.runs.metrics import MetricStat

FOLLOWS, DIFFERS, NO_RUN, SEVERAL = "follows", "differs", "no raw run", "several raw runs"
EXPLAINED, UNEXPLAINED, EMPTY = "explained", "unexplained", "not printed"
_RULE_TEXTS = {"exact": "as the tool printed it", "floor": "cut off", "round": "rounded", "ceil": "rounded up"}
_MOST_LISTED_RUNS = 3  # that explain one printed number


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """How a table prints a metric: the unit of numbers without a unit, and the rounding rules that it may use."""

    metric: MetricStat
    suffix: str = ""
    rules: tuple[str, ...] = ROUNDING_RULES

    def parse(self, text: str) -> PrintedNumber | None:
        """The number of a cell; None if it is a word."""
        return parse_printed_number(text, self.metric.unit, self.suffix)

    def value_in(self, run: RawRun) -> StatedValue | None:
        """The run's value of the metric; None if its report does not state it."""
        return run.numbers.get((self.metric.metric, self.metric.stat))

    def rounding(self, printed: PrintedNumber, value: float) -> Rounding | None:
        """How the printed number follows from a raw one by the allowed rules; None if it does not."""
        rounding = find_rounding(printed, value)
        rules = tuple(rule for rule in rounding.rules if rule in self.rules)
        return Rounding(rules, rounding.digits) if rules else None


class Verdict(NamedTuple):
    """The verdict on a cell, with the printed value in the base unit.

    ``run`` is the raw run that the cell was compared with, None unless there is exactly one; ``stated`` is its value.
    """

    verdict: str
    explanation: str
    printed: float | None = None
    run: RawRun | None = None
    stated: StatedValue | None = None
    rounding: Rounding | None = None


def judge_cell(text: str, runs: Sequence[RawRun] | None, others: Sequence[RawRun], style: PrintStyle) -> Verdict:
    """Compare a cell with the runs that have its labels.

    `runs` is None if no run has labels such as those of the cell's row or column. If the cell differs from its run, the
    explanation names the run among `others` that has the printed number, if there is exactly one.
    """
    if is_empty(text):
        return Verdict(EMPTY, "nothing is printed")
    stating = [run for run in without_copies(runs or ()) if style.value_in(run)]
    printed = style.parse(text)
    value = float(printed.value) if printed else None
    if not stating:
        return Verdict(NO_RUN, _no_run_reason(runs, style), value)
    if printed is None:
        return _judge_word(text, stating, style)
    if len(stating) > 1:
        return _judge_among_several(printed, stating, style)
    stated = style.value_in(stating[0])
    assert stated is not None
    rounding = style.rounding(printed, stated.value)
    if rounding:
        explanation = _rounding_text(rounding) + _errors_note(stating[0])
        return Verdict(FOLLOWS, explanation, value, stating[0], stated, rounding)
    return Verdict(DIFFERS, _difference_reason(printed, stated, others, style), value, stating[0], stated)


def _no_run_reason(runs: Sequence[RawRun] | None, style: PrintStyle) -> str:
    if runs:
        return f"the run states no {style.metric.name}"
    return "its row or column names no run" if runs is None else ""


def _rounding_text(rounding: Rounding) -> str:
    if rounding.rules == ("exact",):
        return _RULE_TEXTS["exact"]
    if rounding.digits > 0:
        step = f"{rounding.digits} decimal{'' if rounding.digits == 1 else 's'}"
    else:
        step = f"multiples of {10**-rounding.digits:,}" if rounding.digits else "whole numbers"
    return f"{' or '.join(_RULE_TEXTS[rule] for rule in rounding.rules)} to {step}"


def _errors_note(run: RawRun) -> str:
    timeouts = f"timeout {run.count(TIMEOUTS)}" if run.count(TIMEOUTS) else ""
    errors = ", ".join(filter(None, (run.failures, timeouts)))
    return f"; the run has socket errors: {errors}" if errors else ""


def _difference_reason(printed: PrintedNumber, stated: StatedValue, others: Sequence[RawRun], style: PrintStyle) -> str:
    other_rules = find_rounding(printed, stated.value).rules
    if other_rules:
        texts = " or ".join(_RULE_TEXTS[rule] for rule in other_rules)
        return f"it would follow {texts}, but the study file states another rule"
    # The few digits of a small number match many runs. The source is only clear if a single run matches.
    matching = [run for run in others if (value := style.value_in(run)) and style.rounding(printed, value.value)]
    if len(matching) == 1:
        return f"it is the number of {matching[0].source}:{matching[0].line}"
    return ""


def _judge_word(text: str, runs: list[RawRun], style: PrintStyle) -> Verdict:
    """A word in place of a number is explained if each of the runs failed or is invalid."""
    run = runs[0] if len(runs) == 1 else None
    stated = style.value_in(run) if run else None
    reasons = []
    for one in runs:
        if one.failures:
            reasons.append(f"socket errors: {one.failures}")
        elif one.invalid_reason:
            reasons.append(f"invalid: {one.invalid_reason}")
    if len(reasons) == len(runs):
        return Verdict(EXPLAINED, "; ".join(dict.fromkeys(reasons)), None, run, stated)
    note = _errors_note(run) if run else ""
    explanation = f"{cell_text(text)!r}: the run had no connect, read or write errors{note}"
    return Verdict(UNEXPLAINED, explanation, None, run, stated)


def _judge_among_several(printed: PrintedNumber, runs: list[RawRun], style: PrintStyle) -> Verdict:
    """The labels match several runs: the number may be that of one of them, or a summary of all."""
    stated = [(run, value) for run in runs if (value := style.value_in(run))]
    matching = [(run, value) for run, value in stated if style.rounding(printed, value.value)]
    printed_value = float(printed.value)
    if matching:
        where = ", ".join(f"{run.source}:{run.line}" for run, _ in matching[:_MOST_LISTED_RUNS])
        unlisted = len(matching) - _MOST_LISTED_RUNS
        more = f" and {unlisted} more" if unlisted > 0 else ""
        run, value = matching[0] if len(matching) == 1 else (None, None)
        explanation = f"{len(matching)} of {len(runs)} give it: {where}{more}"
        return Verdict(SEVERAL, explanation, printed_value, run, value)
    values = [value.value for _, value in stated]
    for name, summary in (
        ("median", statistics.median),
        ("mean", statistics.fmean),
        ("largest", max),
        ("smallest", min),
    ):
        if style.rounding(printed, summary(values)):
            return Verdict(SEVERAL, f"the {name} of {len(runs)} gives it", printed_value)
    explanation = f"none of {len(runs)} runs gives it, nor their median or mean"
    return Verdict(DIFFERS, explanation, printed_value, None, StatedValue(statistics.median(values), 0))
