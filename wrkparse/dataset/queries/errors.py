"""Errors of queries and conditions."""

from __future__ import annotations


class QueryError(ValueError):
    """A query or condition that can't be answered; the message says why."""


class NoLabelError(QueryError):
    """No run has a label of this name: the name is misspelt, or the data does not say."""


def first_paragraph(problem: Exception) -> str:
    """What DuckDB says of an error, without the excerpt of the query below it."""
    return str(problem).split("\n\n")[0].strip()
