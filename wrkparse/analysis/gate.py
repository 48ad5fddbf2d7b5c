"""Limits on a comparison: whether it shows a regression, and whether it could have shown one."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.compare import ComparisonTable
from wrkparse.dataset import QueryError

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

    ``regression``: the change is beyond the limit and told from chance (Holm-adjusted p at or below alpha).
    ``undecided``: there is no ratio or no verdict, or the change is beyond the limit and might be chance. ``ok``: runs
    enough for a verdict, and a change within the limit. Cells of the baseline are not in the answer.
    """
    of_metric = table.cells["metric"] == limit.metric
    baseline = pd.Series(data=True, index=table.cells.index)
    for key, value in table.baseline.items():
        baseline &= table.cells[key].isna() if value is None else table.cells[key].eq(value).fillna(value=False)
    cells = table.cells[of_metric & ~baseline]
    outcomes = [_outcome(limit, *pair) for pair in zip(cells["ratio"], cells["verdict"], strict=True)]
    return cells.assign(change=cells["ratio"] - 1, outcome=pd.array(outcomes, dtype="string"))


def _outcome(limit: Limit, ratio: float, verdict: str) -> str:
    if math.isnan(ratio) or verdict not in {*_TOLD, "same?"}:
        return "undecided"
    if not _BEYOND[limit.relation](ratio, 1 + limit.change):
        return "ok"
    return "regression" if verdict in _TOLD else "undecided"
