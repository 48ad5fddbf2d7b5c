"""The notes below a scaling figure: its marks, and each law in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.wording import name_of
from wrkparse.plot.figures.scaling.rows import CurveRow
from wrkparse.plot.series import Group

_MOST_LAWS = 4  # the coefficients of more have no room below the panels
# The coefficients of each law beside λ, the rate of one core; the others are not estimated.
_COEFFICIENTS = {"linear": (), "amdahl": (("σ", "sigma"),), "usl": (("σ", "sigma"), ("κ", "kappa"))}


# What each coefficient is, for readers who do not know the law.
_MEANINGS = {
    "λ": "λ is the rate of one core by the law",
    "σ": "σ the share of the work that can't run in parallel",
    "κ": "κ the cost of keeping each pair of cores in agreement",
}


def law_words(name: str, fits: pd.DataFrame, points: pd.DataFrame, result: ScalingResult) -> str:
    """The coefficients and the largest residual: ``go: λ 1.001 k/s, σ 0.049; the farthest point is 0.4 % off.``.

    `fits` has the law that the data of the curve support, `points` the measured rates.
    """
    fit, usable = fits.iloc[0], points[points["usable"]]
    numbers = [f"λ {quantity(float(fit['lambda']), result.unit)}"]
    numbers += [f"{sign} {float(fit[column]):.2g}" for sign, column in _COEFFICIENTS[str(fit["law"])]]
    off = float((usable[result.metric] / usable[f"fitted_{result.metric}"] - 1).abs().max())
    return f"{name}{': ' if name else ''}{', '.join(numbers)}; the farthest point is {100 * off:.2g} % off."


def notes(rows: Sequence[CurveRow], *, throughput: bool) -> Iterator[str]:
    """Notes that explain the marks in the figure. Laws and invalid runs are drawn only in panels of `throughput`."""
    points = [frame for row in rows for frame in row.points.values()]
    limited = [(row, group) for row in rows for group in row.points if group in row.limits]
    marks = dict.fromkeys(mark for row, group in limited for mark in _limit_marks(row, group))
    if marks:
        codes = dict.fromkeys(code for row, group in limited for code in row.limits[group]["code"])
        why = ", ".join(sorted(map(name_of, codes)))
        yield f"{' and '.join(marks).capitalize()}: something other than {rows[0].result.n} may limit the rate ({why})."
    if throughput:
        yield from _law_marks(rows)
    if all((frame["runs"] == 1).all() for frame in points):
        yield "Each marker is one run: no intervals."
    if throughput and not all(frame["usable"].all() for frame in points):
        yield "×: invalid runs, not used."


def _law_marks(rows: Sequence[CurveRow]) -> Iterator[str]:
    """Notes that explain the marks of laws, and of curves without one."""
    if any(row.peak_suffix(group) for row in rows for group in row.points):
        yield "Thick bar: the confidence interval of the peak, beyond which the law falls."
    if any(group not in row.lines for row in rows for group in row.points):
        yield "Thin lines join points that support no law."


def coefficients(rows: Sequence[CurveRow]) -> Iterator[tuple[str, str]]:
    """For each supported law the setting, and the coefficients with the farthest point; empty for many curves."""
    for row, group in _curves_with_law(rows):
        name = ", ".join(filter(None, (row.name(group), row.title if len(rows) > 1 else "")))
        yield row.setting(group), law_words(name, row.fits[group], row.points[group], row.result)


def meaning(rows: Sequence[CurveRow]) -> Iterator[str]:
    """``λ is the rate of one core by the law, σ the share of the work that can't run in parallel.``."""
    fits = [row.fits[group].iloc[0] for row, group in _curves_with_law(rows)]
    used = dict.fromkeys(sign for fit in fits for sign, _ in _COEFFICIENTS[str(fit["law"])])
    known = [words for sign, words in _MEANINGS.items() if sign == "λ" or sign in used]
    if fits:
        yield f"{', '.join(known)}."


def _curves_with_law(rows: Sequence[CurveRow]) -> list[tuple[CurveRow, Group]]:
    curves = [(row, group) for row in rows for group in row.points if group in row.fits]
    return curves if len(curves) <= _MOST_LAWS else []


def _limit_marks(row: CurveRow, group: Group) -> Iterator[str]:
    """The words for the marks of the limited part of a curve: dotted lines (for two or more points), grey markers."""
    start, n = row.limited_from(group), row.result.n
    points = row.points[group][row.points[group]["usable"]]
    # `_draw_line` dots a part of two points or more.
    if any((drawn[n] >= start).sum() > 1 for drawn in (points, row.lines.get(group, points))):
        yield "dotted lines"
    if (points[n] >= start).any():
        yield "grey markers"
