"""An Excel workbook with one sheet per table."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from wrkparse.dataset import Dataset, QueryError
from wrkparse.tools.schema import columns

_MOST_ROWS = 2**20 - 1  # of a sheet, below the header (ECMA-376, part 1)
_MOST_CHARACTERS = 32_767  # of a cell
_EXACT = 2**53  # numbers of Excel are doubles; a larger integer is text
# Text from a log stays text, whatever it begins with.
_OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """The sheet ``wide`` with one row per run, and a sheet for each other table that has rows.

    Values are in base units.

    Raises ImportError without XlsxWriter, QueryError if metrics are named or a table has more rows than a sheet.
    """
    import xlsxwriter

    if metric:
        raise QueryError("a workbook has all metrics; leave out --metric")
    written = io.BytesIO()
    with xlsxwriter.Workbook(written, _OPTIONS) as book:
        book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC)})  # the same data give the same bytes
        times = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        for name in ("wide", *columns()):
            table = dataset.wide_arrow() if name == "wide" else dataset.arrow(name)
            if not len(table) and name != "wide":
                continue
            if len(table) > _MOST_ROWS:
                raise QueryError(
                    f"{name} has {len(table):,} rows, and an Excel sheet has at most {_MOST_ROWS:,}; use --where"
                )
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            sheet.write_row(0, 0, table.column_names)
            for at, row in enumerate(zip(*(column.to_pylist() for column in table.columns), strict=True), 1):
                for place, value in enumerate(map(_cell, row)):
                    sheet.write(at, place, value, times if isinstance(value, datetime) else None)
    return written.getvalue()


def _cell(value: Any) -> Any:
    """A value for a cell: times are in UTC without a zone; missing values and NaN give an empty cell."""
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).replace(tzinfo=None)
    # XlsxWriter refuses NaN and infinity.
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        value = " ".join(map(str, value))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        value = str(value)
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else value
