"""Which cells of a comparison answered as many requests as were asked for: their throughput is that rate, no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis.checks.reports.load import TARGET_TOLERANCE
from wrkparse.tools.common import THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable


SAME_RATE_TOLERANCE = 0.005  # relative: what the start and the end of an open loop may change
# The part of the requested rate by which all may fall short alike: of 30 s, 1.5 s until the last responses are there.
_ALIKE_TOLERANCE = 0.05


def is_at_rate(metric: str, rate: str | None, *values: float) -> bool:
    """Whether values are the throughput at which requests were sent, so that they tell nothing of the servers."""
    if metric != THROUGHPUT.name or rate is None:
        return False
    asked = float(rate) if rate.replace(".", "", 1).isdecimal() else 0.0
    return all(abs(value - asked) <= TARGET_TOLERANCE * asked for value in values)


def reached_rates(table: ComparisonTable, metric: str) -> pd.Series[bool]:
    """Whether the throughput of each cell is the rate at which its requests were sent; empty if that is not known."""
    shares = _shares_of_rates(table, metric)
    # All servers fall short by the same part only if the load generator does: bombardier waits for its last responses.
    alike = len(shares) > 1 and bool(shares.max() <= shares.min() * (1 + SAME_RATE_TOLERANCE))
    return (shares - 1).abs() <= (_ALIKE_TOLERANCE if alike else TARGET_TOLERANCE)


def some_fall_short(table: ComparisonTable, metric: str) -> bool:
    """Whether cells do not reach their requested rates, though all may have answered what was sent."""
    return bool(((_shares_of_rates(table, metric) - 1).abs() > TARGET_TOLERANCE).any())


def _shares_of_rates(table: ComparisonTable, metric: str) -> pd.Series[float]:
    """The throughput of each cell as a share of its requested rate; empty if that is not known."""
    cells = table.cells[(table.cells["metric"] == metric) & table.cells["center"].notna()]
    if metric != THROUGHPUT.name or cells.empty or (printed := _requested(table, cells)) is None:
        return pd.Series(dtype=float)
    return cells["center"] / pd.to_numeric(printed, errors="coerce")


def has_own_rates(table: ComparisonTable) -> bool:
    """Whether each of the compared variants was loaded at a rate of its own, which is no label of the cells."""
    return "rate" not in table.cells and "rate" not in table.constants and bool(table.loads)


def _requested(table: ComparisonTable, cells: pd.DataFrame) -> pd.Series[str] | None:
    """The rate at which requests were sent to each cell; None if it is not known of all."""
    if "rate" in cells:
        return cells["rate"]
    if "rate" in table.constants:
        return pd.Series(table.constants["rate"], cells.index)
    if not table.loads:
        return None
    loads = [table.loads.get(variant, {}) for variant in cells[list(table.compared)].itertuples(index=False, name=None)]
    rates = [load.get("rate") for load in loads]
    return None if None in rates else pd.Series(rates, cells.index)


def settings_at_rate(table: ComparisonTable, metric: str) -> list[dict[str, str | None]]:
    """The settings whose cells all reached the rate of the setting, if other cells did not reach theirs."""
    reached = reached_rates(table, metric)
    if "rate" not in table.setting_keys or not len(reached) or reached.all():
        return []
    keys = list(table.setting_keys)
    places = table.cells.loc[reached.index, keys].astype(object)
    of_settings = reached.groupby([places[key] for key in keys], dropna=False, sort=False).all()
    found = of_settings[of_settings].reset_index()[keys].to_dict("records")
    return [{str(key): value if isinstance(value, str) else None for key, value in row.items()} for row in found]
