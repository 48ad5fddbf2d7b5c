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

_LIMIT = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(<=|>=|<|>)\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*%\s*")
_BEYOND: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
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
    return Limit(match[1], match[2], float(match[3]) / 100)


def check_limit(table: ComparisonTable, limit: Limit) -> pd.DataFrame:
    """The cells of the limit's metric other than the baseline, with the columns ``change`` and ``outcome`` added.

    ``change`` is the ratio less 1. ``outcome`` is one of these:

    - ``regression``: the change is beyond the limit, and significant (Holm-adjusted p at or below alpha).
    - ``ok``: there is a verdict, and the whole interval of the ratio is within the limit. All cells have to be within
      it to pass, so the interval needs no adjustment (R. L. Berger, *Technometrics* 24, 1982: intersection-union
      tests).
    - ``undecided``: everything else.
    """
    names = zip(table.cells["metric"], table.cells["unit"], strict=True)
    of_metric = pd.Series(
        [limit.metric in {name, column_name(name, "total", unit)} for name, unit in names], index=table.cells.index
    )
    baseline = pd.Series(data=True, index=table.cells.index)
    for key, value in table.baseline.items():
        baseline &= table.cells[key].isna() if value is None else table.cells[key].eq(value).fillna(value=False)
    cells = table.cells[of_metric & ~baseline]
    bounds = "ratio_lo" if limit.relation.startswith("<") else "ratio_hi"
    outcomes = [_outcome(limit, *row) for row in zip(cells["ratio"], cells[bounds], cells["verdict"], strict=True)]
    return cells.assign(change=cells["ratio"] - 1, outcome=pd.array(outcomes, dtype="string"))


def _outcome(limit: Limit, ratio: float, interval_bound: float, verdict: str) -> str:
    """The outcome of one cell; `interval_bound` is the end of the ratio's interval that is nearer to failure."""
    beyond, failing_ratio = _BEYOND[limit.relation], 1 + limit.change
    if math.isnan(ratio) or verdict not in {*_SIGNIFICANT, "same?"}:
        return "undecided"
    if beyond(ratio, failing_ratio):
        return "regression" if verdict in _SIGNIFICANT else "undecided"
    return "undecided" if math.isnan(interval_bound) or beyond(interval_bound, failing_ratio) else "ok"
