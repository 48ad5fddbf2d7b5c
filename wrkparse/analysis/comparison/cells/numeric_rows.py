"""The rows of a comparison by the size of their labels, where those are numbers."""

from __future__ import annotations

from dataclasses import replace

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.runs.labels.labels import has_size, label_text, natural_order
from wrkparse.context.structure.differences.days import DAY

_SWITCHED_OFF = "off"  # the value of a setting that is otherwise a number: GOGC=off


def in_numeric_order(table: ComparisonTable) -> ComparisonTable:
    """The comparison with rows such as connections and GOGC by size, days by date, and what is off or unknown last.

    A reader looks for a trend along them, which an order by results hides. Rows with other labels keep their order.
    """
    values = [[label_text(value) for value in table.cells[key]] for key in table.rows]
    if not values or not all(
        key == DAY or value in (None, _SWITCHED_OFF) or has_size(value)
        for key, of_key in zip(table.rows, values, strict=True)
        for value in of_key
    ):
        return table
    places = {name: at for at, name in enumerate(dict.fromkeys(table.cells["metric"]))}
    metrics = [places[name] for name in table.cells["metric"]]
    sizes = [[natural_order(value) for value in of_row] for of_row in zip(*values, strict=True)]
    order = sorted(range(len(table.cells)), key=lambda at: (metrics[at], sizes[at]))
    return replace(table, cells=table.cells.iloc[order].reset_index(drop=True))
