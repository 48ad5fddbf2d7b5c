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
_TOLD = {"better", "worse", "higher", "lower"}


class Limit(NamedTuple):
    """``throughput < -5%``: a metric, and the change against the baseline (a ratio less 1) that is a failure."""

    metric: str
    relation: str
    change: float

    def __str__(self) -> str:
        return f"{self.metric} {self.relation} {100 * self.change:+g} %"


def limit_of(text: str) -> Limit:
    """Read ``throughput < -5%``. Raises QueryError for anything else."""
    match = _LIMIT.fullmatch(text)
    if not match:
        raise QueryError(f"limit {text!r}: expected METRIC < -N% or METRIC > N%, as in 'throughput < -5%'")
    return Limit(match[1], match[2], float(match[3]) / 100)


def judge(table: ComparisonTable, limit: Limit) -> pd.DataFrame:
    """The cells that were to be compared, with ``change`` (ratio less 1) and ``outcome``.

    ``regression``: the change is beyond the limit and told from chance (Holm-adjusted p at or below alpha). ``ok``:
    there is a verdict, and the ratio's whole interval is within the limit; all cells have to be, so it needs no
    adjustment (R. L. Berger, *Technometrics* 24, 1982: intersection-union tests). ``undecided``: all else. Cells of the
    baseline are not in the answer.
    """
    names = zip(table.cells["metric"], table.cells["unit"], strict=True)
    of_metric = pd.Series(
        [limit.metric in {name, column_name(name, "total", unit)} for name, unit in names], index=table.cells.index
    )
    baseline = pd.Series(data=True, index=table.cells.index)
    for key, value in table.baseline.items():
        baseline &= table.cells[key].isna() if value is None else table.cells[key].eq(value).fillna(value=False)
    cells = table.cells[of_metric & ~baseline]
    ends = "ratio_lo" if limit.relation.startswith("<") else "ratio_hi"
    outcomes = [_outcome(limit, *row) for row in zip(cells["ratio"], cells[ends], cells["verdict"], strict=True)]
    return cells.assign(change=cells["ratio"] - 1, outcome=pd.array(outcomes, dtype="string"))


def _outcome(limit: Limit, ratio: float, end: float, verdict: str) -> str:
    """`end` is that of the ratio's interval which is nearer to failure."""
    beyond, bound = _BEYOND[limit.relation], 1 + limit.change
    if math.isnan(ratio) or verdict not in {*_TOLD, "same?"}:
        return "undecided"
    if beyond(ratio, bound):
        return "regression" if verdict in _TOLD else "undecided"
    return "undecided" if math.isnan(end) or beyond(end, bound) else "ok"
