"""Styles that all figures on one part of a summary share: one colour for each name."""

from __future__ import annotations

from contextlib import AbstractContextManager

from wrkparse.analysis.summary.summary import StudyPart
from wrkparse.plot.colours import shared_styles
from wrkparse.plot.series import label_values


def part_styles(part: StudyPart | None) -> AbstractContextManager[None]:
    """Let all figures in the block draw a framework of the part, or another compared label, in the same colour.

    A figure that leaves settings out would otherwise give their colours to others.
    """
    table = part.comparison if part is not None else None
    if table is None:
        return shared_styles((), ())
    labels = table.cells[list(table.compared)]
    return shared_styles(table.compared, [label_values(row, table.compared) for row in labels.to_dict("records")])
