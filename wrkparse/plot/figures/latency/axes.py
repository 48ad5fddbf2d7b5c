"""Sets the axes of latency figures: percentiles as 1 / (1 - p), or shares of slower requests.

In all functions, `tail` is true for the figure of shares (`ccdf`), and false for that of percentiles (`latency`).
"""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.axes import Axes

from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.style import palette, ticks

DOTTED = (0, (1, 1.6))  # lines between a few printed percentiles
UNCORRECTED = (0, (5, 1.6))  # the dashes of latencies that wrk2 did not correct
_MAX_LINEAR_RANGE = 20.0  # if the largest latency is more than 20 times the smallest, the axis is logarithmic
# The factor on the axis of 1 / (1 - p) from the highest printed percentile to the maximum; 10 leads to the next nine.
_MAXIMUM_DISTANCE = 6.0
_LOG_SUFFIX = " (log scale)"


def title(*, tail: bool, log: bool) -> str:
    """The title of a figure: latency by percentile or, with `tail`, the share of slower requests."""
    return (
        "Share of requests slower than a latency" if tail else "Latency by percentile of requests"
    ) + _LOG_SUFFIX * log


def percentile_words(percentile: float) -> str:
    """``p99.9``, ``maximum``."""
    return "maximum" if percentile == 1 else f"p{100 * percentile:.6g}"


def is_list(table: pd.DataFrame) -> bool:
    """Whether all rows are percentiles that a report lists, as p50 and p99, and none come from a spectrum.

    The axis then ends with the maximum.
    """
    return bool(table["detail"].eq("printed").all() and (table["percentile"] < 1).any())


def with_near_maxima(table: pd.DataFrame) -> pd.DataFrame:
    """Rows with slower_ratio, in which the maximum of a list of percentiles is shortly after the highest percentile.

    As percentiles of 1 in n requests, they would be far away, and half of the axis would be empty.
    """
    if not is_list(table):
        return table
    maximum = float(table.loc[table["percentile"] < 1, "slower_ratio"].min()) / _MAXIMUM_DISTANCE
    return table.assign(slower_ratio=table["slower_ratio"].where(table["percentile"] < 1, maximum))


def is_log(table: pd.DataFrame) -> bool:
    """Whether the latencies in the column value_s need a logarithmic axis."""
    positive = table.loc[table["value_s"] > 0, "value_s"]
    return bool(len(positive) and positive.max() / positive.min() > _MAX_LINEAR_RANGE)


def set_axes(ax: Axes, table: pd.DataFrame, slo_s: float | None, *, log: bool, tail: bool) -> None:
    """Set scales, limits and ticks for rows with value_s and slower_ratio, and lo_s and hi_s if there are several runs.

    Raises NothingToPlotError if all latencies are 0 on a logarithmic axis.
    """
    seconds = pd.concat([table[name] for name in ("value_s", "lo_s", "hi_s") if name in table])
    seconds = pd.concat([seconds, pd.Series([slo_s or math.nan])])
    positive = seconds[seconds > 0]
    if tail:
        _set_tail_axes(ax, table, positive)
    else:
        _set_percentile_axes(ax, table, positive, log=log)


def _set_percentile_axes(ax: Axes, table: pd.DataFrame, positive: pd.Series[float], *, log: bool) -> None:
    most = float(1 / table["slower_ratio"].min())
    ax.set_xscale("log")
    ax.set_xlim(1, max(most * 1.3, 20))  # room for the last marker; at least to p95, which is 1 / (1 - 0.95) = 20
    places = [2.0, *(10.0**at for at in range(int(math.log10(ax.get_xlim()[1])) + 1))]
    maximum = most if is_list(table) and (table["percentile"] == 1).any() else math.inf
    # A percentile's label closer to the maximum would overlap with the word.
    shown = [*(at for at in places if at < maximum / 2), *([maximum] if math.isfinite(maximum) else [])]
    ticks.set_at_values(ax.xaxis, shown, text=lambda value: "maximum" if value == maximum else _percentile_label(value))
    ax.grid(visible=True, axis="x")
    ax.set_xlabel("percentile")
    if log:
        ax.set_yscale("log")
        # Room for the markers at both ends: 4 % of the axis, and more if it is so short that this is less than 15 %.
        room = (float(positive.max()) / float(positive.min())) ** 0.04
        ax.set_ylim(float(positive.min()) / max(room, 1.15), float(positive.max()) * max(room, 1.15))
        ticks.set_log(ax.yaxis, "s")
    else:
        ax.set_ylim(0, 1.06 * float(positive.max() if len(positive) else 0) or 1)
        ticks.set_linear(ax.yaxis, "s")


def _set_tail_axes(ax: Axes, table: pd.DataFrame, positive: pd.Series[float]) -> None:
    if not (table["value_s"] > 0).any():
        raise NothingToPlotError("all latencies are printed as 0")
    ax.set_xscale("log")
    ax.set_yscale("log")
    # Room for the markers at both ends of both axes.
    ax.set_ylim(float(table["slower_ratio"].min()) / 1.4, 1.15)
    ax.set_xlim(float(positive.min()) / 1.15, float(positive.max()) * 1.15)
    ticks.set_log(ax.yaxis, "ratio")
    ticks.set_log(ax.xaxis, "s")
    ax.grid(visible=True, axis="x")
    ax.set_xlabel(f"latency{_LOG_SUFFIX}")


def _percentile_label(value: float) -> str:
    """The percentile for a value of 1 / (1 - p): ``99 %`` for 100."""
    return f"{100 * (1 - 1 / value):.10g}\N{NO-BREAK SPACE}%"


def draw_slo(ax: Axes, slo_s: float | None, *, tail: bool) -> None:
    """Draw a line at the longest tolerable latency: across the axes or, with `tail`, upwards from the x axis."""
    if slo_s is None:
        return
    style = {"color": palette.TEXT, "linewidth": 0.8, "linestyle": (0, (5, 3)), "gid": "slo"}
    (ax.axvline if tail else ax.axhline)(slo_s, **style)  # type: ignore[arg-type]  # the options of a line
    ax.annotate(
        f"SLO {ticks.format_number(slo_s, 's')}", (slo_s, 0.01) if tail else (0.995, slo_s),
        xycoords=ax.get_xaxis_transform() if tail else ax.get_yaxis_transform(), xytext=(2, 2),
        textcoords="offset points", va="bottom", ha="left" if tail else "right", color=palette.MUTED, fontsize=8,
        bbox={"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.8},
    )  # fmt: skip
