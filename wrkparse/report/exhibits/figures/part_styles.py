"""The styles that all figures of a part of a report share: one colour for each name."""

from __future__ import annotations

from contextlib import AbstractContextManager

from wrkparse.analysis.summary.summary import Part
from wrkparse.plot.series import label_values, shared_styles


def part_styles(part: Part | None) -> AbstractContextManager[None]:
    """Within this block, figures give each of the compared settings of a part the style that it has among all of them.

    A figure that leaves some out would otherwise give their colours to others.
    """
    table = part.comparison if part is not None else None
    if table is None:
        return shared_styles(())
    labels = table.cells[list(table.compared)]
    return shared_styles(label_values(row, table.compared) for row in labels.to_dict("records"))
