"""Sets ticks of axes, and formats numbers with unit prefixes: ``1.5 M``, ``20 ms``, ``64 MiB``, ``80 %``, ``1.2×``."""

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
_BINARY_PREFIXES = ((2.0**40, "Ti"), (2.0**30, "Gi"), (2.0**20, "Mi"), (2.0**10, "Ki"), (1.0, ""))
_MIB = 2.0**20
_NBSP = "\N{NO-BREAK SPACE}"
_GAP_PT = 5.0  # between two tick labels
_LABEL_HEIGHT_PT = 9.0  # of a tick label in 8 point type
_MIN_DECADES = 0.9  # on a shorter axis, ticks at 1, 2 and 5 of each decade are too few
_FIRST_PREFIXED = 1e6  # smaller counts are written in full
_MAX_DECADES_Y, _MAX_DECADES_X = 3, 4  # from this length on, only powers of ten have ticks


def format_number(value: float, unit: str, digits: int = 4, *, zeros: bool = False) -> str:
    """A number with its unit prefix, rounded to `digits` significant digits.

    - `unit`: ``1/s``, ``s``, ``bytes``, ``bytes/s``, ``ratio`` (in per cent), ``×`` (a factor) or ``1`` (a count).
    - `zeros`: keep zeros at the end.

    Rates and large counts get a prefix without a unit (``1.5 M``), because the title states the unit. Counts below a
    million are written in full (``1,024``). Infinite and missing values give an empty string.
    """
    if not math.isfinite(value):
        return ""
    if value == 0 and unit not in {"×", "ratio"}:
        return "0"
    factor, suffix = _unit_scale(value, unit, digits)
    text = f"{value / factor:#.{digits}g}".rstrip(".") if zeros and unit != "1" else ""
    return (text if text and "e" not in text else _plain_number(value / factor, digits)) + suffix


def format_axis(values: Sequence[float], unit: str) -> list[str]:
    """The numbers of one axis, all with the same prefix and number of decimals: ``0``, ``0.5 M``, ``1.0 M``."""
    largest = max(map(abs, values), default=0)
    factor, suffix = _unit_scale(largest, unit, 4) if largest else (1.0, "")
    places = max((_decimals(value / factor) for value in values), default=0)
    numbers = [f"{value / factor:,.{places if value else 0}f}" for value in values]
    return [
        number.replace("-", "\N{MINUS SIGN}") + (suffix if value or unit in {"×", "ratio"} else "")
        for number, value in zip(numbers, values, strict=True)
    ]


def _unit_scale(value: float, unit: str, digits: int) -> tuple[float, str]:
    """The factor to divide a number by, and the suffix to write after it."""
    if unit == "×":
        return 1.0, "×"
    if unit == "ratio":
        return 0.01, f"{_NBSP}%"
    size = abs(float(f"{value:.{digits}g}"))  # rounded first: 999.96 k becomes 1 M
    if unit == "1" and size < _FIRST_PREFIXED:
        return 1.0, ""
    symbol = {"s": "s", "bytes": "B", "bytes/s": "B/s"}.get(unit, "")
    prefixes = _BINARY_PREFIXES if unit.startswith("bytes") else _PREFIXES
    large = [pair for pair in prefixes if pair[0] <= 1] if unit == "s" else prefixes
    if unit in {"1", "1/s"}:
        large = [pair for pair in prefixes if pair[0] >= 1]
    factor, prefix = next((pair for pair in large if size >= pair[0]), large[-1])
    return factor, f"{_NBSP}{prefix}{symbol}" if prefix + symbol else ""


def _plain_number(value: float, digits: int) -> str:
    rounded = value if value.is_integer() and abs(value) < _FIRST_PREFIXED else float(f"{value:.{digits}g}")
    return f"{rounded:,.12g}".replace("-", "\N{MINUS SIGN}")


def _decimals(value: float) -> int:
    """How many decimals a number has, without the error of its binary representation."""
    # 0.1 + 0.2 is 0.30000000000000004: ten digits of it have one decimal.
    return len(f"{float(f'{value:.10g}'):.12f}".rstrip("0").partition(".")[2])


def set_linear(axis: Axis, unit: str, *, most: int = 6, whole_mib: bool = False) -> None:
    """Put ticks at round numbers of the prefixed unit, at most `most` intervals.

    `whole_mib` puts ticks at whole MiB only, for bytes that a tool prints in MiB.
    """
    locator = (
        _BinaryLocator(most, whole_mib=whole_mib)
        if unit.startswith("bytes")
        else MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])
    )
    axis.set_major_locator(locator)
    axis.set_minor_locator(NullLocator())
    # Heights of axes leave room for labels, widths of narrow panels may not.
    axis.set_major_formatter(
        _SpacedFormatter(partial(format_axis, unit=unit)) if axis is axis.axes.xaxis else _AxisFormatter(unit)
    )


def set_log(axis: Axis, unit: str) -> None:
    """Make an axis logarithmic, with ticks at 1, 2 and 5 of each decade, or at powers of ten on long axes.

    On an axis of less than a decade the ticks are at round numbers. Labels that would collide are left out. Call it
    after the data are drawn, or after the limits are set.
    """
    _set_log_scale(axis)
    low, high = sorted(float(end) for end in axis.get_view_interval())
    decades = math.log10(high / low)
    axis.set_major_formatter(_SpacedFormatter(_one_by_one(partial(format_number, unit=unit))))
    axis.set_minor_formatter(NullFormatter())
    if decades < _MIN_DECADES:
        axis.set_major_formatter(_SpacedFormatter(partial(format_axis, unit=unit)))
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        axis.set_minor_locator(NullLocator())
        return
    # Below, `numticks` is large: by itself, matplotlib makes 9 major ticks at most, and leaves out decades.
    many = decades >= (_MAX_DECADES_X if axis is axis.axes.xaxis else _MAX_DECADES_Y)
    axis.set_major_locator(LogLocator(10, subs=(1.0,) if many else (1.0, 2.0, 5.0), numticks=50))
    axis.set_minor_locator(LogLocator(10, subs=tuple(range(2, 10)), numticks=50) if many else NullLocator())


def format_label(value: float) -> str:
    """A number that is the value of a label, as logs and conditions have it: ``1024`` connections."""
    return f"{value:.12g}"


def set_at_values(
    axis: Axis,
    values: Iterable[float],
    *,
    base: float | None = None,
    text: Callable[[float], str] | None = None,
) -> None:
    """Put ticks at these values. Labels that would collide are left out.

    - `base`: make the axis logarithmic to this base.
    - `text`: turns a value into its label; by default the values are those of a label of the runs.
    """
    if base:
        _set_log_scale(axis, base=base)
    axis.set_minor_locator(NullLocator())
    axis.set_major_locator(FixedLocator(sorted({float(value) for value in values})))
    axis.set_major_formatter(_SpacedFormatter(_one_by_one(text or format_label)))


def _set_log_scale(axis: Axis, **options: Any) -> None:
    ax = axis.axes
    (ax.set_xscale if axis is ax.xaxis else ax.set_yscale)("log", **options)


class _AxisFormatter(Formatter):
    """Formats all labels of an axis with the same prefix and number of decimals."""

    def __init__(self, unit: str) -> None:
        self._unit = unit

    def __call__(self, value: float, pos: int | None = None) -> str:
        return format_number(value, self._unit)

    def format_ticks(self, values: Iterable[float]) -> list[str]:
        return format_axis([float(value) for value in values], self._unit)


class _SpacedFormatter(Formatter):
    """Formats labels, and leaves out those that would collide. matplotlib calls it for each layout and drawing."""

    axis: Axis  # matplotlib sets it

    def __init__(self, texts: Callable[[Sequence[float]], list[str]]) -> None:
        self._texts = texts

    def __call__(self, value: float, pos: int | None = None) -> str:
        return self._texts([value])[0]

    def format_ticks(self, values: Iterable[float]) -> list[str]:
        ticks = [float(value) for value in values]
        low, high = sorted(float(end) for end in self.axis.get_view_interval())
        # A tick at an end of the axis may be outside by the rounding of floats.
        rounding = 1e-9 * (high - low)
        inside = [value for value in ticks if low - rounding <= value <= high + rounding]
        labels = dict(zip(inside, self._texts(inside), strict=True))
        shown = _ticks_with_room(self.axis, inside, list(labels.values()))
        return [labels[value] if value in shown else "" for value in ticks]


def _one_by_one(text: Callable[[float], str]) -> Callable[[Sequence[float]], list[str]]:
    return lambda values: [text(value) for value in values]


def _ticks_with_room(axis: Axis, ticks: Sequence[float], labels: Sequence[str]) -> set[float]:
    """The ticks whose labels do not collide. Both ends are kept first, then the others from right to left."""
    across = axis is axis.axes.xaxis
    taken: dict[float, tuple[float, float]] = {}
    order = list(range(len(ticks)))[::-1]
    # A dict keeps the order of the first mention, so that the ends are not tried again.
    for at in dict.fromkeys([*order[:1], *order[-1:], *order]):
        middle, size = _position_pt(axis, ticks[at]), _label_width_pt(labels[at]) if across else _LABEL_HEIGHT_PT
        low, high = middle - (size + _GAP_PT) / 2, middle + (size + _GAP_PT) / 2
        if all(high <= other_low or other_high <= low for other_low, other_high in taken.values()):
            taken[ticks[at]] = low, high
    return set(taken)


def _position_pt(axis: Axis, value: float) -> float:
    """The position of a value along the axis, in points."""
    scaled = axis.get_transform().transform(np.array([value, *axis.get_view_interval()], float))
    box = axis.axes.bbox
    pixels = box.width if axis is axis.axes.xaxis else box.height
    figure = axis.axes.get_figure(root=True)
    assert figure is not None
    return float((scaled[0] - scaled[1]) / (scaled[2] - scaled[1]) * pixels * 72 / figure.dpi)


def _label_width_pt(label: str) -> float:
    """The width of a label in 8 point type: a digit of Source Sans Pro has 0.497 em, which is 4 points."""
    return 4.0 * len(label)


class _BinaryLocator(MaxNLocator):
    """Finds round numbers of KiB, MiB or GiB, according to the upper end of the axis, or whole MiB only."""

    def __init__(self, most: int, *, whole_mib: bool) -> None:
        # Powers of two among the steps: sizes of heaps and payloads often are such.
        super().__init__(most, steps=[1, 2, 4, 5, 8, 10])
        self._whole_mib = whole_mib

    def tick_values(self, vmin: float, vmax: float) -> Any:
        largest = max(abs(vmin), abs(vmax))
        factor = next(factor for factor, _ in _BINARY_PREFIXES if largest >= factor or factor == 1)
        if self._whole_mib:
            factor = max(factor, _MIB)
            # Of GiB, quarters are whole numbers of MiB; fifths are not.
            self.set_params(integer=factor == _MIB, steps=[1, 2, 4, 5, 8, 10] if factor == _MIB else [1, 2.5, 5, 10])
        return np.asarray(super().tick_values(vmin / factor, vmax / factor)) * factor
