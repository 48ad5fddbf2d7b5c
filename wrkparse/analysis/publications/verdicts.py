"""What a printed cell is worth: whether it follows from the raw run that its labels name."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wrkparse.analysis.publications.printed_numbers import Printed, Rounding, bare, is_empty, number, rounding
from wrkparse.analysis.publications.raw_runs import TIMEOUTS, RawRun, Stated, once
from wrkparse.analysis.runs.selection import Choice

FOLLOWS, DIFFERS, NO_RUN, SEVERAL = "follows", "differs", "no raw run", "several raw runs"
EXPLAINED, UNEXPLAINED, EMPTY = "explained", "unexplained", "not printed"
_WAYS = {"exact": "as the tool printed it", "floor": "cut off", "round": "rounded", "ceil": "rounded up"}
_ANY = ("exact", "floor", "round", "ceil")


@dataclass(frozen=True, slots=True)
class Print:
    """How a table prints a metric: the number's name, the unit of bare numbers, the rules that its author used."""

    choice: Choice
    suffix: str = ""
    rules: tuple[str, ...] = _ANY

    def read(self, text: str) -> Printed | None:
        """The number of a cell; None if it is a word."""
        return number(text, self.choice.unit, self.suffix)

    def stated(self, run: RawRun) -> Stated | None:
        """The run's number of this metric."""
        return run.numbers.get((self.choice.metric, self.choice.stat))

    def follows(self, printed: Printed, value: float) -> Rounding | None:
        """How the cell follows from a raw number, by a rule that may be used; None if it does not."""
        found = rounding(printed, value)
        rules = tuple(rule for rule in found.rules if rule in self.rules)
        return Rounding(rules, found.digits) if rules else None


class Verdict(NamedTuple):
    """``run`` is the raw run that the cell is held against, if it is one."""

    verdict: str
    explanation: str
    printed: float | None = None
    run: RawRun | None = None
    stated: Stated | None = None
    rounding: Rounding | None = None


def judge(text: str, runs: Sequence[RawRun] | None, others: Sequence[RawRun], how: Print) -> Verdict:
    """Hold a cell against the runs that its labels fit (None: they are no run's labels, whatever the others).

    Where it differs, `others` are looked at for whose number it may be instead.
    """
    if is_empty(text):
        return Verdict(EMPTY, "nothing is printed")
    known = [run for run in once(runs or ()) if how.stated(run)]
    printed = how.read(text)
    value = float(printed.value) if printed else None
    if not known:
        why = (
            f"the run states no {how.choice.name}" if runs else "its row or column names no run" if runs is None else ""
        )
        return Verdict(NO_RUN, why, value)
    if printed is None:
        return _word(text, known, how)
    if len(known) > 1:
        return _several(printed, known, how)
    stated = how.stated(known[0])
    assert stated is not None
    found = how.follows(printed, stated.value)
    if found:
        return Verdict(FOLLOWS, _way(found) + _aside(known[0]), value, known[0], stated, found)
    return Verdict(DIFFERS, _difference(printed, stated, others, how), value, known[0], stated)


def _way(found: Rounding) -> str:
    if found.rules == ("exact",):
        return _WAYS["exact"]
    places = f"{found.digits} decimal{'' if found.digits == 1 else 's'}"
    to = places if found.digits > 0 else f"multiples of {10**-found.digits:,}" if found.digits else "whole numbers"
    return f"{' or '.join(_WAYS[rule] for rule in found.rules)} to {to}"


def _aside(run: RawRun) -> str:
    errors = ", ".join(filter(None, (run.failures, f"timeout {run.count(TIMEOUTS)}" if run.count(TIMEOUTS) else "")))
    return f"; the run has socket errors: {errors}" if errors else ""


def _difference(printed: Printed, stated: Stated, others: Sequence[RawRun], how: Print) -> str:
    said = rounding(printed, stated.value).rules
    if said:
        return f"{' or '.join(_WAYS[rule] for rule in said)} it would follow; the table is said to be otherwise"
    # The few digits of a small number fit many runs: only one that fits a single run says whose it is.
    whose = [run for run in others if (its := how.stated(run)) and how.follows(printed, its.value)]
    if len(whose) == 1:
        return f"it is the number of {whose[0].source}:{whose[0].line}"
    return ""


def _word(text: str, runs: list[RawRun], how: Print) -> Verdict:
    run = runs[0] if len(runs) == 1 else None
    stated = how.stated(run) if run else None
    reasons = []
    for one in runs:
        if one.failures:
            reasons.append(f"socket errors: {one.failures}")
        elif one.invalid_reason:
            reasons.append(f"invalid: {one.invalid_reason}")
    if len(reasons) == len(runs):
        return Verdict(EXPLAINED, "; ".join(dict.fromkeys(reasons)), None, run, stated)
    why = f"{bare(text)!r}: the run had no connect, read or write errors" + (_aside(run) if run else "")
    return Verdict(UNEXPLAINED, why, None, run, stated)


def _several(printed: Printed, runs: list[RawRun], how: Print) -> Verdict:
    stated = [(run, its) for run in runs if (its := how.stated(run))]
    matching = [(run, its) for run, its in stated if how.follows(printed, its.value)]
    value = float(printed.value)
    if matching:
        where = ", ".join(f"{run.source}:{run.line}" for run, _ in matching[:3])
        more = f" and {len(matching) - 3} more" if len(matching) > 3 else ""
        said = f"{len(matching)} of {len(runs)} give it: {where}{more}"
        run, its = matching[0] if len(matching) == 1 else (None, None)
        return Verdict(SEVERAL, said, value, run, its)
    numbers = [its.value for _, its in stated]
    for name, reduce in (
        ("median", statistics.median),
        ("mean", statistics.fmean),
        ("largest", max),
        ("smallest", min),
    ):
        if how.follows(printed, reduce(numbers)):
            return Verdict(SEVERAL, f"the {name} of {len(runs)} gives it", value)
    centre = statistics.median(numbers)
    return Verdict(
        DIFFERS, f"none of {len(runs)} runs gives it, nor their median or mean", value, None, Stated(centre, 0)
    )
