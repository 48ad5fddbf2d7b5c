"""Little's law as a picture: the requests under way against the connections that were there for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from wrkparse.analysis.audit import OK
from wrkparse.analysis.checks.finding import INVALID, NOTE
from wrkparse.analysis.checks.law import HIGH, LOW, TOLERANCE
from wrkparse.analysis.little import CODES, little_law
from wrkparse.analysis.wording import name_of
from wrkparse.plot import runs
from wrkparse.plot.drawn import remember
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.layout import settle
from wrkparse.plot.series import short
from wrkparse.plot.style import palette, ticks
from wrkparse.plot.style.house import WIDTH_MM, dress, new_axes, styled, title

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_LOOKS = dict(zip(CODES, (palette.look(1), palette.look(0), palette.look(3), palette.look(2)), strict=True))
_MOST_NAMED = 8
_FINE = "#8A9BAA"


@styled
def audit(ds: Dataset, *, ax: Axes | None = None, where: str | None = None, width: float = WIDTH_MM) -> Axes:
    """Throughput × mean latency against the open connections, both logarithmic, a point per run; the law is the line.

    The band is the audit's tolerance of 5 %, dashed lines are where a run becomes suspect (half and twice). Grey points
    agree; coloured ones have the audit's finding, hollow if it is a note. A cross is over runs that are invalid. Runs
    furthest off are named, as many as have room. Numbers: `wrkparse.analysis.little.little_law`.
    """
    table = little_law(ds, where=where)
    if table.empty:
        raise NothingToPlotError(
            "no load report states connections, throughput and mean latency, which Little's law needs"
        )
    one = new_axes(width, 95.0) if ax is None else dress(ax)
    title(one, "Requests under way (throughput × mean latency) by connections")
    _law(one, table)
    fine = table[table["severity"] == OK]
    one.plot(
        fine["connections"], fine["under_way"], "o", color=_FINE, markersize=3.5, markeredgewidth=0, alpha=0.8, gid=OK,
        label=f"agrees ({len(fine)})",
    )  # fmt: skip
    for code, look in _LOOKS.items():
        _found(one, table[table["code"] == code], code, look)
    bad = table[table["verdict"] == INVALID]
    if not bad.empty:
        one.plot(
            bad["connections"], bad["under_way"], "x", color=palette.INVALID, markersize=7, gid=INVALID,
            label=f"invalid run ({len(bad)})",
        )  # fmt: skip
    one.set_xlabel("connections")
    one.grid(visible=True, axis="x")
    one.legend(
        loc="upper left", facecolor="white", edgecolor="none", framealpha=0.85, fontsize=8, handletextpad=0.3,
        borderaxespad=0.2, labelspacing=0.3,
    )  # fmt: skip
    ticks.at_values(one.xaxis, table["connections"].unique())
    settle(one)
    _names(one, table, runs.names(ds.runs, table["run"], shown=("connections", "threads", "path")))
    return remember(one, table)


def _law(ax: Axes, table: pd.DataFrame) -> None:
    numbers = [*table["connections"], *table["under_way"]]
    low, high = float(table["connections"].min()) / 1.5, float(table["connections"].max()) * 1.5
    ends = np.array([low, high])
    ax.fill_between(
        ends, ends * (1 - TOLERANCE), ends * (1 + TOLERANCE), color=palette.BAR, alpha=0.6, linewidth=0, gid="band"
    )
    ax.plot(ends, ends, color=palette.TEXT, linewidth=0.8, gid="law")
    for factor in (LOW, HIGH):
        ax.plot(ends, factor * ends, color=palette.MUTED, linewidth=0.6, linestyle=(0, (4, 3)), gid=f"{factor:g}")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(min(*numbers, low) / 1.2, max(*numbers, high) * 1.6)
    ticks.log(ax.yaxis, "1")


def _found(ax: Axes, rows: pd.DataFrame, code: str, look: palette.Look) -> None:
    for severity in dict.fromkeys(rows["severity"]):
        of = rows[rows["severity"] == severity]
        note = severity == NOTE
        ax.plot(
            of["connections"], of["under_way"], look.marker, color=look.colour, markersize=4.2, markeredgewidth=0.9,
            markerfacecolor="none" if note else look.colour, gid=f"{code} {severity}",
            label=f"{name_of(code)}{', note' if note else ''} ({len(of)})",
        )  # fmt: skip


def _names(ax: Axes, table: pd.DataFrame, names: dict[str, str]) -> None:
    """Names beside the suspect runs, from the furthest off, where they hide neither points, lines nor each other."""
    suspect = table[~table["severity"].isin([OK, NOTE])]
    order = np.log(suspect["ratio"]).abs().sort_values(ascending=False).index
    along = np.geomspace(*ax.get_xlim(), 200)
    lines = [np.column_stack([along, factor * along]) for factor in (LOW, 1, HIGH)]
    places = np.concatenate([table[["connections", "under_way"]].to_numpy(float), *lines])
    points = ax.transData.transform(places)
    legend = ax.get_legend()
    taken = [legend.get_window_extent()] if legend else []
    said: set[tuple[str, float, str]] = set()
    for at in order:
        row = table.loc[at]
        name = short(names[row["run"]], 40)
        if (name, row["connections"], row["code"]) in said:
            continue  # a neighbour has said it, in the same colour
        for right in (True, False):
            text = ax.annotate(
                name, (row["connections"], row["under_way"]), xytext=(5 if right else -5, 0),
                textcoords="offset points", ha="left" if right else "right", va="center", fontsize=7.5,
                color=_LOOKS[row["code"]].ink, gid="name", in_layout=False,
                bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.3},
            )  # fmt: skip
            box = text.get_window_extent()
            if _free(box, taken, points, ax.bbox):
                taken.append(box)
                said.add((name, row["connections"], row["code"]))
                break
            text.remove()
        if len(said) == _MOST_NAMED:
            return


def _free(box: Bbox, taken: list[Bbox], points: np.ndarray, room: Bbox) -> bool:
    inside = box.x0 >= room.x0 and box.x1 <= room.x1
    hidden = (points >= [box.x0 - 1, box.y0]) & (points <= [box.x1 + 1, box.y1])
    return inside and not hidden.all(axis=1).any() and not any(box.overlaps(other) for other in taken)
