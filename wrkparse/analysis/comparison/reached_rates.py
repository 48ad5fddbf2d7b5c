"""Which cells of a comparison answered as many requests as were asked for: their throughput is that rate, no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis.checks.reports.load import TARGET_TOLERANCE
from wrkparse.tools.common import THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable


def is_at_rate(metric: str, rate: str | None, *values: float) -> bool:
    """Whether values are the throughput at which requests were sent, so that they tell nothing of the servers."""
    if metric != THROUGHPUT.name or rate is None:
        return False
    asked = float(rate) if rate.replace(".", "", 1).isdecimal() else 0.0
    return all(abs(value - asked) <= TARGET_TOLERANCE * asked for value in values)


def reached_rates(table: ComparisonTable, metric: str) -> pd.Series[bool]:
    """Whether the throughput of each cell is the rate at which its requests were sent; empty if that is not known."""
    if metric != THROUGHPUT.name or ("rate" not in table.cells and "rate" not in table.constants):
        return pd.Series(dtype=bool)
    cells = table.cells[(table.cells["metric"] == metric) & table.cells["center"].notna()]
    printed = cells["rate"] if "rate" in cells else pd.Series(table.constants["rate"], cells.index)
    rates = pd.to_numeric(printed, errors="coerce")
    return (cells["center"] - rates).abs() <= TARGET_TOLERANCE * rates


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
