"""Limits on a comparison: whether it shows a regression, and whether it could have shown one."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.dataset import QueryError, column_name
from wrkparse.dataset.aliases import full_name

_LIMIT = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(<=|>=|<|>)\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*%\s*")  # "throughput < -5%"
_BEYOND: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_DIGITS = 12  # a change of just the limit is within it: 95/100 - 1 is -0.050000000000000044
_SIGNIFICANT = {"better", "worse", "higher", "lower"}


class Limit(NamedTuple):
    """A limit such as ``throughput < -5%``: a metric, and the changes against the baseline that fail.

    ``change`` is a ratio less 1: -0.05 for -5 %.
    """

    metric: str
    relation: str
    change: float

    def __str__(self) -> str:
        return f"{self.metric} {self.relation} {100 * self.change:+g} %"


def parse_limit(text: str) -> Limit:
    """The limit that a text such as ``throughput < -5%`` states. Raises QueryError for any other text."""
    match = _LIMIT.fullmatch(text)
    if not match:
        raise QueryError(f"limit {text!r}: expected METRIC < -N% or METRIC > N%, as in 'throughput < -5%'")
    return Limit(full_name(match[1]), match[2], float(match[3]) / 100)


def check_limit(table: ComparisonTable, limit: Limit) -> pd.DataFrame:
    """The cells of the limit's metric other than the baseline, with the columns ``change`` and ``outcome`` added.

    ``change`` is the ratio less 1; of failures it is the difference of the shares of requests. ``outcome`` is one of
    these:

    - ``regression``: the whole interval of the change is beyond the limit, and the change is significant
      (Holm-adjusted p at or below alpha).
    - ``ok``: there is a verdict, and the whole interval is within the limit. All cells have to be within it to pass, so
      the interval needs no adjustment (R. L. Berger, *Technometrics* 24, 1982: intersection-union tests).
    - ``undecided``: everything else.
    """
    names = zip(table.cells["metric"], table.cells["unit"], strict=True)
    of_metric = pd.Series(
        [limit.metric in {name, column_name(name, "total", unit)} for name, unit in names], index=table.cells.index
    )
    baseline = pd.Series(data=True, index=table.cells.index)
    for key, value in table.baseline.items():
        # The baseline `gogc=` has the cells without the label.
        baseline &= table.cells[key].isna() if value is None else table.cells[key].eq(value).fillna(value=False)
    cells = table.cells[of_metric & ~baseline]
    changes = pd.DataFrame(
        {
            name: cells[f"difference{end}"].where(cells["is_share"].eq(other=True), cells[f"ratio{end}"] - 1)
            for name, end in (("change", ""), ("lo", "_lo"), ("hi", "_hi"))
        }
    )
    outcomes = [
        outcome_of(limit, lo, hi, verdict)
        for lo, hi, verdict in zip(changes["lo"], changes["hi"], cells["verdict"], strict=True)
    ]
    return cells.assign(change=changes["change"], outcome=pd.array(outcomes, dtype="string"))


def outcome_of(limit: Limit, lo: float, hi: float, verdict: str) -> str:
    """The outcome of one cell whose change has this interval."""
    beyond = _BEYOND[limit.relation]
    # `throughput < -5%` is exceeded by a fall: the lower end of the change is the worst that the runs allow.
    worst, best = (lo, hi) if limit.relation.startswith("<") else (hi, lo)
    if math.isnan(worst) or verdict not in {*_SIGNIFICANT, "undecided", "too coarse"}:
        return "undecided"
    if not beyond(round(worst, _DIGITS), limit.change):
        return "ok"
    return "regression" if verdict in _SIGNIFICANT and beyond(round(best, _DIGITS), limit.change) else "undecided"
