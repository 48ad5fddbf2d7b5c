"""The curves of a scaling figure, grouped into rows of panels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.plot.colours import series_styles
from wrkparse.plot.errors import NothingToPlotError
from wrkparse.plot.series import (
    Group,
    describe_group,
    group_rows,
    refuse_many_panels,
    series_name,
    setting_words,
)
from wrkparse.plot.style.palette import SeriesStyle


@dataclass(frozen=True)
class CurveRow:
    """The curves that share a study and a load, in one row of panels.

    `place` is the whole name of what all its curves share, empty if there is one row, `keys` are the labels of a curve.
    `points`, `lines` (of the fitted law), `limits`, `peaks`, `runs` and `fits` (the supported law) are frames by the
    labels of a curve.
    """

    result: ScalingResult
    title: str
    place: str
    keys: list[str]
    points: dict[Group, pd.DataFrame]
    lines: dict[Group, pd.DataFrame]
    limits: dict[Group, pd.DataFrame]
    peaks: dict[Group, pd.DataFrame]
    styles: Mapping[Group, SeriesStyle]
    runs: dict[Group, pd.DataFrame]
    fits: dict[Group, pd.DataFrame]

    def limited_from(self, group: Group) -> float:
        """The smallest N at which something other than N limits this curve; infinite if nothing does."""
        limits = self.limits.get(group)
        return math.inf if limits is None else float(limits["n_from"].min())

    def name(self, group: Group) -> str:
        """The name of a curve; empty for a single curve that no label names."""
        return "" if len(self.styles) == 1 and not any(group) else series_name(group)

    def setting(self, group: Group) -> str:
        """The whole name of a curve and of what its row has in common."""
        own = setting_words(self.keys, group) if any(group) or not self.place else ""
        return ", ".join(filter(None, (own, self.place)))

    def peak_suffix(self, group: Group) -> str:
        """``, peak 34`` if the data support a peak within the measured range; beyond it, a peak is extrapolated."""
        fit, line = self.peaks.get(group), self.lines.get(group)
        # The line ends at the largest measured N.
        if fit is None or line is None or fit["peak"].iloc[0] > line[self.result.n].max():
            return ""
        return f", peak {fit['peak'].iloc[0]:.1f}"


def scaling_rows(result: ScalingResult, load: Sequence[str], panels_each: int) -> list[CurveRow]:
    """The curves with two or more values of N, by study, load, and the labels in which runs of one curve differ."""
    outer = [key for key in result.keys if key in {"study", *load, *result.separated}]
    inner = [key for key in result.keys if key not in outer]
    # A curve of one N has no slope: it is left out, and so is a row of such curves only.
    several = result.points.groupby(list(result.keys), dropna=False)[result.n].transform("size") > 1
    points = result.points[several]
    if points.empty:
        raise NothingToPlotError(f"no curve has two values of {result.n}: a figure needs two")
    panels = group_rows(points, outer)
    separated = [key for key in result.separated if len(points[key].unique()) > 1]
    # The limit is on panels, and each row has `panels_each`.
    refuse_many_panels([panel for panel in panels for _ in range(panels_each)], outer, separated)
    # Of all rows together, so that a curve has the same colour in each row.
    styles = series_styles(inner, (value for frame in panels.values() for value in group_rows(frame, inner)))
    laws = result.fits[result.fits["supported"].astype(bool)]
    peaks = laws[laws["peak"].notna()]
    varied = [key for key in outer if len(points[key].unique()) > 1]
    lines, limits, tops, runs, fits = (
        group_rows(table, outer) for table in (result.curves, result.limits, peaks, result.samples, laws)
    )
    # A row may lack a law, limits or a peak; its table is then one without rows.
    empty = result.limits.iloc[:0]
    return [
        CurveRow(
            result,
            describe_group(varied, shared := [part for key, part in zip(outer, value, strict=True) if key in varied]),
            setting_words(varied, shared) if any(shared) else "",
            inner,
            group_rows(frame, inner),
            group_rows(lines.get(value, empty), inner),
            group_rows(limits.get(value, empty), inner),
            group_rows(tops.get(value, empty), inner),
            styles,
            group_rows(runs.get(value, result.samples.iloc[:0]), inner),
            group_rows(fits.get(value, laws.iloc[:0]), inner),
        )
        for value, frame in panels.items()
    ]
