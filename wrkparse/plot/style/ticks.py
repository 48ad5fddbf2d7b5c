"""Axes in the reader's units: ``1.5 M``, ``20 ms``, ``64 MiB``, ``80 %``, ``1.2×``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axis import Axis
from matplotlib.ticker import (
    FixedLocator,
    Formatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
)

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_BINARY = ((2.0**40, "Ti"), (2.0**30, "Gi"), (2.0**20, "Mi"), (2.0**10, "Ki"), (1.0, ""))
_BLANK = "\N{NO-BREAK SPACE}"
_GAP = 5.0  # points between labels of ticks
_LABEL_HEIGHT = 9.0
_FEW_DECADES = 0.9  # of which 1, 2 and 5 say too little
_IN_FULL = 1e6  # counts below need no prefix
_MANY_UP, _MANY_ACROSS = 3, 4  # decades of which only the starts have labels


def reader(value: float, unit: str, digits: int = 4, *, zeros: bool = False) -> str:
    """A number for a figure: `unit` is ``1/s``, ``s``, ``bytes``, ``ratio``, ``×`` or ``1``.

    It has no zeros at its end, unless `zeros` asks for all digits.

    Rates and large counts have a prefix and no unit (the title states it): ``1.5 M``; counts below a million stand in
    full: ``1,024``. Ratios are in per cent; ``×`` is a factor.
    """
    if not math.isfinite(value):
        return ""
    if value == 0 and unit not in {"×", "ratio"}:
        return "0"
    factor, suffix = _scale_of(value, unit, digits)
    text = f"{value / factor:#.{digits}g}".rstrip(".") if zeros and unit != "1" else ""
    return (text if text and "e" not in text else _number(value / factor, digits)) + suffix


def alike(values: Sequence[float], unit: str) -> list[str]:
    """The numbers of one axis: one prefix, as many decimals for all: ``0``, ``0.5 M``, ``1.0 M``."""
    largest = max(map(abs, values), default=0)
    factor, suffix = _scale_of(largest, unit, 4) if largest else (1.0, "")
    places = max((_places(value / factor) for value in values), default=0)
    numbers = [f"{value / factor:,.{places if value else 0}f}" for value in values]
    return [
        number.replace("-", "\N{MINUS SIGN}") + (suffix if value or unit in {"×", "ratio"} else "")
        for number, value in zip(numbers, values, strict=True)
    ]


def _scale_of(value: float, unit: str, digits: int) -> tuple[float, str]:
    """What a number is divided by, and what then stands behind it."""
    if unit == "×":
        return 1.0, "×"
    if unit == "ratio":
        return 0.01, f"{_BLANK}%"
    size = abs(float(f"{value:.{digits}g}"))  # 999.96 k is 1 M
    if unit == "1" and size < _IN_FULL:
        return 1.0, ""
    symbol = {"s": "s", "bytes": "B", "bytes/s": "B/s"}.get(unit, "")
    prefixes = _BINARY if unit.startswith("bytes") else _PREFIXES
    large = [pair for pair in prefixes if pair[0] <= 1] if unit == "s" else prefixes
    if unit in {"1", "1/s"}:
        large = [pair for pair in prefixes if pair[0] >= 1]
    factor, prefix = next((pair for pair in large if size >= pair[0]), large[-1])
    return factor, f"{_BLANK}{prefix}{symbol}" if prefix + symbol else ""


def _number(value: float, digits: int) -> str:
    rounded = value if value.is_integer() and abs(value) < _IN_FULL else float(f"{value:.{digits}g}")
    return f"{rounded:,.12g}".replace("-", "\N{MINUS SIGN}")


def _places(value: float) -> int:
    """Decimals that a number has, but for what binary fractions leave of it."""
    return len(f"{float(f'{value:.10g}'):.12f}".rstrip("0").partition(".")[2])


def linear(axis: Axis, unit: str, *, most: int = 6) -> None:
    """Ticks at round numbers of the reader's unit, `most` intervals."""
    locator = _BinaryLocator(most) if unit.startswith("bytes") else MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])
    axis.set_major_locator(locator)
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(_Alike(unit))


def log(axis: Axis, unit: str) -> None:
    """A logarithmic axis: ticks at 1, 2 and 5 of each decade, or at its start only if there are many.

    Within less than a decade, ticks are at round numbers. Those without room have no label. To be called when the
    limits are set, or the data are drawn.
    """
    _scale(axis, "log")
    low, high = sorted(float(end) for end in axis.get_view_interval())
    decades = math.log10(high / low)
    axis.set_major_formatter(_Roomy(_each(partial(reader, unit=unit))))
    axis.set_minor_formatter(NullFormatter())
    if decades < _FEW_DECADES:
        axis.set_major_formatter(_Roomy(partial(alike, unit=unit)))
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        axis.set_minor_locator(NullLocator())
        return
    many = decades >= (_MANY_ACROSS if axis is axis.axes.xaxis else _MANY_UP)
    axis.set_major_locator(LogLocator(10, subs=(1.0,) if many else (1.0, 2.0, 5.0), numticks=50))
    axis.set_minor_locator(LogLocator(10, subs=tuple(range(2, 10)), numticks=50) if many else NullLocator())


def at_values(
    axis: Axis,
    values: Iterable[float],
    unit: str = "1",
    *,
    base: float | None = None,
    text: Callable[[float], str] | None = None,
) -> None:
    """Ticks at what was measured, on a logarithmic axis if `base` says so; those without room have no label.

    `text` says what a label is, in place of the number in its `unit`.
    """
    if base:
        _scale(axis, "log", base=base)
    axis.set_minor_locator(NullLocator())
    axis.set_major_locator(FixedLocator(sorted({float(value) for value in values})))
    axis.set_major_formatter(_Roomy(_each(text or partial(reader, unit=unit))))


def _scale(axis: Axis, name: str, **options: Any) -> None:
    ax = axis.axes
    (ax.set_xscale if axis is ax.xaxis else ax.set_yscale)(name, **options)


class _Alike(Formatter):
    """Labels with one prefix and the same decimals."""

    def __init__(self, unit: str) -> None:
        self._unit = unit

    def __call__(self, value: float, pos: int | None = None) -> str:
        return reader(value, self._unit)

    def format_ticks(self, values: Iterable[float]) -> list[str]:
        return alike([float(value) for value in values], self._unit)


class _Roomy(Formatter):
    """Labels for the ticks that have room: it is asked for all of them whenever the axis is laid out or drawn."""

    axis: Axis  # the formatter is told which

    def __init__(self, texts: Callable[[Sequence[float]], list[str]]) -> None:
        self._texts = texts

    def __call__(self, value: float, pos: int | None = None) -> str:
        return self._texts([value])[0]

    def format_ticks(self, values: Iterable[float]) -> list[str]:
        ticks = [float(value) for value in values]
        low, high = sorted(float(end) for end in self.axis.get_view_interval())
        rounding = 1e-9 * (high - low)
        inside = [value for value in ticks if low - rounding <= value <= high + rounding]
        labels = dict(zip(inside, self._texts(inside), strict=True))
        shown = _with_room(self.axis, inside, list(labels.values()))
        return [labels[value] if value in shown else "" for value in ticks]


def _each(text: Callable[[float], str]) -> Callable[[Sequence[float]], list[str]]:
    return lambda values: [text(value) for value in values]


def _with_room(axis: Axis, ticks: Sequence[float], labels: Sequence[str]) -> set[float]:
    """The ticks whose labels stand clear of each other: first the ends, then from the right."""
    across = axis is axis.axes.xaxis
    taken: dict[float, tuple[float, float]] = {}
    order = list(range(len(ticks)))[::-1]
    for at in dict.fromkeys([*order[:1], *order[-1:], *order]):
        middle, size = _along(axis, ticks[at]), _text_width(labels[at]) if across else _LABEL_HEIGHT
        low, high = middle - (size + _GAP) / 2, middle + (size + _GAP) / 2
        if all(high <= other_low or other_high <= low for other_low, other_high in taken.values()):
            taken[ticks[at]] = low, high
    return set(taken)


def _along(axis: Axis, value: float) -> float:
    """Where on the axis a value lies, in points."""
    scaled = axis.get_transform().transform(np.array([value, *axis.get_view_interval()], float))
    box = axis.axes.bbox
    pixels = box.width if axis is axis.axes.xaxis else box.height
    figure = axis.axes.get_figure(root=True)
    assert figure is not None
    return float((scaled[0] - scaled[1]) / (scaled[2] - scaled[1]) * pixels * 72 / figure.dpi)


def _text_width(label: str) -> float:
    """Points, by the width of a digit in 8 point type (0.497 em in Source Sans Pro)."""
    return 4.0 * len(label)


class _BinaryLocator(MaxNLocator):
    """Round numbers of KiB, MiB, GiB …, whichever the upper end is counted in."""

    def __init__(self, most: int) -> None:
        super().__init__(most, steps=[1, 2, 4, 5, 8, 10])

    def tick_values(self, vmin: float, vmax: float) -> Any:
        largest = max(abs(vmin), abs(vmax))
        factor = next(factor for factor, _ in _BINARY if largest >= factor or factor == 1)
        return np.asarray(super().tick_values(vmin / factor, vmax / factor)) * factor
