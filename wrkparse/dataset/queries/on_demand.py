"""A DuckDB connection that gets a view of a table when a statement first names the table.

Making a view takes DuckDB as long as answering a small query, and most queries name two of the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

import duckdb

Answer = TypeVar("Answer")

# Statements that list tables without naming them. One too many costs only a few milliseconds.
_LISTING = re.compile(r"\b(?:show|pragma|information_schema|(?:duckdb|pg|sqlite)_\w+)\b")
_DESCRIBING = re.compile(r"\bdesc(?:ribe)?\b")  # lists tables if it names none


class ConnectionOnDemand:
    """Like a DuckDB connection (`wrkparse.dataset.queries.sql.Connection`), with a view of each table in a statement.

    ``bare`` is the connection without these views.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, names: Iterable[str] = (), add: Callable[[str], object] = str
    ) -> None:
        """`add` makes the view of a table with one of the names, if it needs one."""
        self.bare, self._names, self._add_one = connection, frozenset(names), add
        self._missing = set(self._names)
        self.register, self.unregister = connection.register, connection.unregister
        self.extract_statements = connection.extract_statements

    def execute(self, query: str, /) -> duckdb.DuckDBPyConnection:
        """Run a statement."""
        return self._with_tables(self.bare.execute, query)

    def sql(self, query: str, /) -> duckdb.DuckDBPyRelation:
        """The answer to a query; None for a statement without one."""
        return self._with_tables(self.bare.sql, query)

    def execute_bare(self, query: str, /) -> duckdb.DuckDBPyConnection:
        """Run a statement that names no column, so a stored table can replace its view."""
        try:
            return self.bare.execute(query)
        except duckdb.CatalogException:  # a table is not stored
            return self.execute(query)

    def add_all(self) -> None:
        """Make the views of all tables."""
        self._add(self._missing)

    def close(self) -> None:
        """Close the connection."""
        self.bare.close()

    def forget(self, name: str) -> None:
        """Make the view of a table again when a statement next names it."""
        self._missing.add(name)

    def _with_tables(self, run: Callable[[str], Answer], query: str) -> Answer:
        if self._missing:
            self._add(self._named(query.lower()))
        try:
            return run(query)
        except duckdb.CatalogException:
            if not self._missing:
                raise
        self.add_all()  # DuckDB's message proposes similar names
        return run(query)

    def _named(self, text: str) -> set[str]:
        """The missing tables that a lower-case statement may name."""
        named = {name for name in self._names if name in text}
        lists = _LISTING.search(text) or (not named and _DESCRIBING.search(text))
        return self._missing if lists else self._missing & named

    def _add(self, names: Iterable[str]) -> None:
        for name in sorted(names):
            self._add_one(name)
            self._missing.discard(name)
