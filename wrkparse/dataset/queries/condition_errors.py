"""Says what is wrong with a user's condition, without showing the query around it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import duckdb

from wrkparse.dataset.aliases import ALIASES
from wrkparse.dataset.queries.errors import first_paragraph
from wrkparse.text.suggestions import did_you_mean

# What DuckDB 2.0 says: 'Referenced column "conns2" not found in FROM clause!', 'syntax error at or near "ms"', "Could
# not convert string 'abc' to INT32", "Scalar Function with name foo does not exist!".
_NO_COLUMN = re.compile(r'Referenced column "(.+?)" (?:was )?not found')
_NEAR = re.compile(r'syntax error at or near "(.*)"')
_NOT_CONVERTED = re.compile(r"Could not convert string '(.*?)' to (?:DOUBLE|U?(?:BIG|SMALL|TINY|HUGE)?INT\w*)")
_NO_FUNCTION = re.compile(r"Function with name (\S+) does not exist")
_KIND = re.compile(r"^(?:\w+ )+Error: ")  # "Parser Error: ", "Binder Error: "
# The condition before a name that stands for a value: "server = ", "server in ('emu', ".
_COMPARED = re.compile(r'(?:[=<>]|\bin\s?\([^()]*)\s*"?$', re.IGNORECASE)
_NUMBER = r"(\d+\.?\d*|\.\d+)"
# Units that people write behind numbers: "10ms", "2m", "10k". Unicode has two letters µ.
_SCALES = {"us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "k": 1e3, "K": 1e3, "M": 1e6}
_OPERATORS = {"&&": "and", "||": "or"}


def condition_error(where: str, problem: duckdb.Error, names: Iterable[str]) -> str:
    """DuckDB's error as a message about the condition; `names` are the columns that the condition may name."""
    text = first_paragraph(problem)
    # First, because DuckDB has other operators of these names: && for lists, || for text.
    if hint := _on_operators(where):
        return f"condition {where!r}: {hint}"
    if match := _NO_COLUMN.search(text):
        return f"condition {where!r}: {_unknown_name(where, match[1], names)}"
    if match := _NEAR.search(text):
        return f"condition {where!r}: {_mistake_at(where, match[1])}"
    if match := _NOT_CONVERTED.search(text):
        return f"condition {where!r}: {match[1]!r} is not a number"
    if match := _NO_FUNCTION.search(text):
        kind = "function" if match[1][:1].isalnum() else "operator"
        return f"condition {where!r}: there is no {kind} {match[1]}"
    if "cannot contain aggregates" in text:
        return f"condition {where!r}: it applies to each run, so it can't contain sums, means or counts over runs"
    if isinstance(problem, duckdb.ParserException) and "end of input" in text:
        return f"condition {where!r}: it ends too early"
    return f"condition {where!r}: {_KIND.sub('', text.splitlines()[0])}"


def with_full_name(error: str, columns: Iterable[str]) -> str:
    """An error of DuckDB. If the condition has a short name that is not a column, it names the column of `wide`."""
    match = _NO_COLUMN.search(error)
    full = ALIASES.get(match[1]) if match else None
    column = next((name for name in columns if full and (name == full or name.startswith(f"{full}_"))), None)
    return f"{error}\n{match[1]} is {column} in the view wide" if match and column else error


def _unknown_name(where: str, name: str, names: Iterable[str]) -> str:
    message = f"there is no label or metric {name}{did_you_mean(name, names)}"
    # `server = emu`: the name stands where a value is expected, so its quotes are missing.
    position = where.find(name)
    is_value = position > 0 and _COMPARED.search(where[:position])
    return f"{message}; put text in single quotes: '{name}'" if is_value else message


def _mistake_at(where: str, stop: str) -> str:
    """What is wrong at `stop`, where DuckDB stopped. If it is not in the condition, the condition ended too early."""
    words = where.split()
    # The query has the condition in parentheses, so DuckDB stops at the ")" behind one that is not finished.
    if stop not in where or (stop == ")" and where.count(")") <= where.count("(")):
        return f"it ends too early, after {words[-1]!r}" if words else "it is empty"
    if number := re.search(rf"(?<![\w.]){_NUMBER}{re.escape(stop)}\b", where) if stop in _SCALES else None:
        unit = "" if stop in "kKM" else "; times are in seconds"
        return f"numbers have no unit: {float(number[1]) * _SCALES[stop]:g} for {number[0]}{unit}"
    return f"it can't be understood at {stop!r}"


def _on_operators(where: str) -> str:
    """What to write for an operator of other languages; empty if there is none outside of quotation marks."""
    # `server = 'a&&b'` has no operator in it.
    bare = re.sub(r"'[^']*'", "", where)
    return next((f"write {word} for {sign}" for sign, word in _OPERATORS.items() if sign in bare), "")
