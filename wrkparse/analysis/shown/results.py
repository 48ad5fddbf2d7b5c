"""Results of analyses as text and as HTML, for ``print`` and for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from wrkparse.text.escape import one_line, printable

_MOST_ROWS = 20  # of one table; the attributes have all


class ResultView(NamedTuple):
    """What is shown of a result: a line that sums it up, and tables by their names."""

    summary: str
    tables: Mapping[str, pd.DataFrame] = {}


class ShownResult:
    """A result that is shown as a summary and the first rows of its tables."""

    __slots__ = ()

    def exhibit(self) -> ResultView:
        """What is shown."""
        raise NotImplementedError

    def __str__(self) -> str:
        summary, tables = self.exhibit()
        parts = [
            f"{name}{_of_all(table)}:\n{printable(table.head(_MOST_ROWS).to_string(index=False))}"
            for name, table in tables.items()
            if len(table)
        ]
        return "\n\n".join([printable(summary), *parts])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        summary, tables = self.exhibit()
        parts = [
            f"<p>{html.escape(name)}{_of_all(table)}</p>{table.head(_MOST_ROWS).to_html(index=False, na_rep='')}"
            for name, table in tables.items()
            if len(table)
        ]
        return f"<p>{html.escape(one_line(summary))}</p>{''.join(parts)}"


def _of_all(table: pd.DataFrame) -> str:
    return f", {_MOST_ROWS} of {len(table):,} rows" if len(table) > _MOST_ROWS else ""


def count_list(values: pd.Series[str]) -> str:
    """How often each value occurs, the most frequent first: ``120 ok, 3 suspect``."""
    return ", ".join(f"{count:,} {value}" for value, count in values.value_counts().items())
