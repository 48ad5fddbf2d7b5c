"""Formats columns of a table for readers: one unit prefix in the header, and as many decimals in all rows.

A number that a tool printed with fewer decimals has only these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS
from wrkparse.analysis.shown.numbers import half_way, whole_mib
from wrkparse.report.exhibits.tables.alignment import digits_after_point
from wrkparse.text.escape import one_line

# Endings of column names and their units, the longest first.
_UNIT_OF_SUFFIX = {"_bytes_per_s": "bytes/s", "_per_s": "1/s", "_bytes": "bytes", "_ratio": "ratio", "_s": "s"}
_DECIMAL_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_BINARY_PREFIXES = ((2.0**40, "Ti"), (2.0**30, "Gi"), (2.0**20, "Mi"), (2.0**10, "Ki"), (1.0, ""))
_DIGITS = 4  # significant digits of the largest number of a column
# `1,234.25` beside `5.11` has six digits. Beside `0.500` it would have seven: each then has its own decimals.
_FEWEST_DIGITS, _MOST_DIGITS = 3, 6  # of the smallest and the largest number of a column with equally many decimals

# A unit of `UNITS`, a format specification for the built-in ``format``, or a function of one value.
ColumnFormat = str | Callable[[object], str]
UNITS = (
    "s", "printed s", "1/s", "bytes", "bytes/s", "whole MiB", "ratio", "points", "×", "factor", "number", "1", "text"
)  # fmt: skip


class FormattedColumn(NamedTuple):
    """A formatted column. The unit belongs in the header; `right` says whether the column is aligned at the right."""

    title: str
    unit: str
    right: bool
    cells: list[str]


def format_column(
    values: pd.Series, title: str | None = None, form: ColumnFormat | None = None, resolutions: pd.Series | None = None
) -> FormattedColumn:
    """Format a column of a frame. Missing values become empty cells.

    Without `form`, the unit comes from the end of the name (``latency_p99_s``). Without `title`, the title is
    the rest of the name. `resolutions` are half the last printed digits of the values: a cell has no further digits.
    """
    name = str(values.name)
    suffix = next((end for end in _UNIT_OF_SUFFIX if name.endswith(end)), "")
    if title is None:
        title = name.removesuffix(suffix).replace("_", " ")
    if form is None:
        form = _UNIT_OF_SUFFIX.get(suffix) or _default_format(values)
    if form == "text":
        return FormattedColumn(title, "", False, _format_cells(values, str))
    numeric = not pd.api.types.is_bool_dtype(values) and pd.api.types.is_numeric_dtype(values)
    if callable(form) or form not in UNITS:
        words = form if callable(form) else _formatter(form)
        return FormattedColumn(title, "", numeric, _format_cells(values, words))
    known = [math.nan] * len(values) if resolutions is None else _floats(resolutions.head(len(values)))
    return _format_measured(values, title, form, known)


def _default_format(values: pd.Series) -> ColumnFormat:
    """The format of a column whose name has no unit, from its type."""
    if pd.api.types.is_bool_dtype(values):
        return lambda value: "yes" if value else "no"
    if pd.api.types.is_integer_dtype(values):
        return str if values.name in LOAD_LABELS else "1"  # the value of a label as logs have it: 1024 connections
    return "number" if pd.api.types.is_float_dtype(values) else "text"


def _number_cells(numbers: list[float]) -> list[str]:
    """Numbers without a unit; in a column with very small or very large ones, these have an exponent."""
    # Outside of these, decimals or groups of digits would fill the column: 0.0000001, 1,000,000,000.
    extreme = [bool(number) and math.isfinite(number) and not 1e-5 <= abs(number) < 1e9 for number in numbers]
    if not any(extreme):
        return _column_cells(numbers)
    shown = zip(numbers, extreme, strict=True)
    return [f"{number:.{_DIGITS - 1}e}" if is_extreme else format_significant(number) for number, is_extreme in shown]


def _formatter(specification: str) -> Callable[[object], str]:
    return lambda value: format(value, specification)


def _format_cells(values: pd.Series, words: Callable[[object], str]) -> list[str]:
    return ["" if pd.api.types.is_scalar(value) and pd.isna(value) else one_line(words(value)) for value in values]


def _floats(values: pd.Series) -> list[float]:
    return [math.nan if pd.isna(value) else float(value) for value in values]


def _format_measured(values: pd.Series, title: str, unit: str, resolutions: list[float]) -> FormattedColumn:
    """Format numbers of a unit with the prefix that suits their median."""
    numbers = _floats(values)
    if unit == "1":
        return FormattedColumn(title, "", True, _format_cells(pd.Series(numbers), lambda value: f"{value:,.0f}"))
    if unit == "whole MiB":
        return FormattedColumn(title, "MiB", True, ["" if math.isnan(one) else whole_mib(one) for one in numbers])
    if unit == "printed s":  # as few digits as the runtime of Go prints: 34 beside 8.9
        column = _format_measured(values, title, "s", resolutions)
        return column._replace(cells=[_without_zeros(cell) for cell in column.cells])
    if unit == "ratio":
        return FormattedColumn(title, "%", True, _column_cells([100 * number for number in numbers]))
    if unit == "points":
        cells = _column_cells([100 * number for number in numbers])
        signs = ["+" if number > 0 else "" for number in numbers]
        return FormattedColumn(
            title, "% points", True, [f"{sign}{cell}" for sign, cell in zip(signs, cells, strict=True)]
        )
    if unit == "number":
        return FormattedColumn(title, "", True, _number_cells(numbers))
    if unit == "factor":
        return FormattedColumn(title, "", True, _factor_cells(numbers, resolutions))
    if unit == "×":
        return FormattedColumn(title, "×", True, _column_cells(numbers))
    factor, prefix = _median_prefix(numbers, _BINARY_PREFIXES if unit.startswith("bytes") else _DECIMAL_PREFIXES)
    scaled = [number / factor for number in numbers]
    places = [_printed_places(resolution / factor) for resolution in resolutions]
    return FormattedColumn(title, _prefixed_unit(prefix, unit), True, _cut_cells(_column_cells(scaled), scaled, places))


def _column_cells(numbers: list[float]) -> list[str]:
    """Numbers with equally many decimals, or with four significant digits each if their sizes differ too much.

    The largest has four significant digits, or more so that the smallest has three. Decimals that are 0 in the whole
    column are left out: the tool probably did not print them.
    """
    places = _common_places(numbers)
    cells = [format_significant(number) if places is None else _with_decimals(number, places) for number in numbers]
    most = max((len(digits_after_point(cell).rstrip("0")) for cell in cells), default=0)
    return [cell[: len(cell) - max(len(digits_after_point(cell)) - most, 0)].rstrip(".") for cell in cells]


def _factor_cells(numbers: list[float], resolutions: list[float]) -> list[str]:
    """Ratios with three decimals if all are below 2, where a hundredth may matter; else with two, or none from 100.

    The last decimal of a ratio is the first that the printed digits leave open. A ratio without a resolution, such as
    the 1 of a baseline, has as many decimals as the others.
    """
    largest = max((abs(number) for number in numbers if math.isfinite(number)), default=1.0)
    places = 3 if largest < 2 else 2 if largest < 100 else 0
    sure = [_sure_places(*each) for each in zip(numbers, resolutions, strict=True)]
    most = max((one for one in sure if one is not None), default=places)
    cells = [_with_decimals(number, places) for number in numbers]
    return _cut_cells(cells, numbers, [most if one is None else one for one in sure])


def _sure_places(ratio: float, resolution: float) -> int | None:
    """The decimals up to the first that is not sure, but one digit at least; None if all may be sure."""
    if not resolution > 0 or not ratio > 0 or not math.isfinite(ratio):
        return None
    return max(0, math.ceil(-math.log10(resolution)), -_exponent(ratio, 1))


def _without_zeros(cell: str) -> str:
    """A number without the zeros at the end of its decimals."""
    return cell.rstrip("0").rstrip(".") if "." in cell else cell


def _printed_places(resolution: float) -> int | None:
    """The decimals of a number whose last printed digit is twice the resolution; None if that is not known."""
    # Of `5.11` the resolution is 0.005: two decimals.
    return max(0, round(-math.log10(2 * resolution))) if resolution > 0 else None


def _cut_cells(cells: list[str], numbers: list[float], places: list[int | None]) -> list[str]:
    """The cells with at most so many decimals; one more for the mean of two, half-way between them."""
    return [
        cell
        if most is None or len(digits_after_point(cell)) <= (shown := half_way(number, most))
        else f"{number:,.{shown}f}"
        for cell, number, most in zip(cells, numbers, places, strict=True)
    ]


def _common_places(numbers: list[float]) -> int | None:
    """The number of decimals for a whole column; None if the largest would have more than `_MOST_DIGITS` digits."""
    sizes = [abs(number) for number in numbers if number and math.isfinite(number)]
    if not sizes:
        return 0
    digits = _DIGITS - 1 - _exponent(max(sizes), _DIGITS)
    places = max(digits, _FEWEST_DIGITS - 1 - _exponent(min(sizes), _FEWEST_DIGITS), 0)
    return places if digits >= places - (_MOST_DIGITS - _DIGITS) else None


def _with_decimals(number: float, places: int) -> str:
    if number and math.isfinite(number):
        return f"{number:,.{places}f}"
    return format_significant(number)


def _exponent(number: float, digits: int) -> int:
    """The power of ten of the first digit of a number that is rounded to `digits` digits."""
    return math.floor(math.log10(abs(float(f"{number:.{digits - 1}e}"))))


def _median_prefix(numbers: list[float], prefixes: tuple[tuple[float, str], ...]) -> tuple[float, str]:
    sizes = sorted(abs(number) for number in numbers if number and math.isfinite(number))
    # The median, so that one outlier of seconds does not turn a column of ms into zeros.
    middle = sizes[len(sizes) // 2] if sizes else 1.0
    return next((pair for pair in prefixes if middle >= pair[0]), prefixes[-1])


def _prefixed_unit(prefix: str, unit: str) -> str:
    if unit == "1/s":
        return f"{prefix or '1'}/s"
    return prefix + unit.replace("bytes", "B")


def format_significant(number: float) -> str:
    """A number with four significant digits, without an exponent; empty for NaN.

    >>> format_significant(40669.44), format_significant(0.19332), format_significant(0)
    ('40,669', '0.1933', '0')
    """
    if math.isnan(number):
        return ""
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    if number == 0:
        return "0"
    places = _DIGITS - 1 - _exponent(number, _DIGITS)
    return f"{number:,.{max(places, 0)}f}"
