"""Curves over cores for people: points, fits and notes of each, and a line for each."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wrkparse.analysis.comparison.text.run_notes import copies_note
from wrkparse.analysis.shown.numbers import quantity
from wrkparse.analysis.shown.screen import terminal_width
from wrkparse.analysis.wording import LAWS
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.scaling.scaling import ScalingResult

_WIDEST = 23  # characters of a label in the summary, so that it fits 80 columns


def scaling_text(result: ScalingResult, most: int | None = None) -> str:
    """A block for each curve with at least two values of N, or for the first `most`, then a line for each curve."""
    curves = result.groups[result.groups["points"] > 1]
    frames = (result.points, result.fits, result.other_fits, result.limits)
    tables = [_grouped(frame, result.keys) for frame in frames]
    blocks = []
    for group in curves.to_dict("records")[:most]:
        rows = [table.get(_labels(group, result.keys), []) for table in tables]
        blocks.append("\n".join(_block(result, group, _Rows(*rows))))
    if len(curves) > 1:
        # isin finds a missing study, too, which == does not.
        blocks += [_summary(result, curves[curves["study"].isin([study])]) for study in curves["study"].unique()]
    if result.separated:
        names = ",".join(result.separated)
        note = f"{', '.join(result.separated)}: they differ between the runs of one curve; --ignore {names} joins them"
        blocks.append(textwrap.fill(note, terminal_width() or 10_000, break_on_hyphens=False))
    if copies := copies_note(result.copies):
        blocks.append(textwrap.fill(printable(copies), terminal_width() or 10_000, break_on_hyphens=False))
    single = len(result.groups) - len(curves)
    if single:
        verb = "has" if single == 1 else "have"
        blocks.append(f"{single} of {len(result.groups)} groups {verb} fewer than two values of {result.n}; left out")
    return "\n\n".join(blocks)


def _grouped(frame: pd.DataFrame, keys: Sequence[str]) -> dict[tuple[str, ...], list[dict[Any, Any]]]:
    """The rows of each curve."""
    found: dict[tuple[str, ...], list[dict[Any, Any]]] = {}
    for row in frame.to_dict("records"):
        found.setdefault(_labels(row, keys), []).append(row)
    return found


def _labels(row: Mapping[Any, Any], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(_label(row[key]) for key in keys)


def _label(value: Any) -> str:
    return "" if value is None or value != value else str(value)  # noqa: PLR0124 NaN


class _Rows(NamedTuple):
    """The rows of one curve in the tables of a result."""

    points: list[dict[Any, Any]]
    fits: list[dict[Any, Any]]
    other_fits: list[dict[Any, Any]]
    limits: list[dict[Any, Any]]


def _block(result: ScalingResult, group: Mapping[Any, Any], rows: _Rows) -> Iterator[str]:
    """The title of a curve, its points, its fits and notes."""
    words = [f"{key}={_label(group[key])}" for key in result.keys if _label(group[key])]
    yield printable(", ".join(words) or "all runs")
    yield _points(result, rows.points)
    if rows.fits:
        yield _fits(result, rows.fits)
    for note in _notes(result, group, rows):
        yield textwrap.fill(printable(note), terminal_width() or 10_000, initial_indent="  ", subsequent_indent="    ")


def _points(result: ScalingResult, points: list[dict[Any, Any]]) -> str:
    fitted = any(_label(point[f"fitted_{result.metric}"]) for point in points)
    header = [result.n, result.metric.removesuffix("_per_s"), "speed-up", "efficiency", "fit off by", "runs"]
    rows = [
        [
            str(point[result.n]), quantity(point[result.metric], result.unit), _ratio(point["speedup"]),
            _efficiency(point), _misfit(point, result.metric),
            f"{point['runs']}" if point["usable"] else "invalid",
        ]
        for point in points
    ]  # fmt: skip
    if not fitted:
        # The column "fit off by".
        header.pop(4)
        rows = [[*row[:4], row[5]] for row in rows]
    return _indented(_aligned([header, *rows], right=range(len(header))))


def _ratio(value: float) -> str:
    return "" if value != value else f"×{value:#.4g}"  # noqa: PLR0124 NaN


def _efficiency(point: Mapping[Any, Any]) -> str:
    text, low, high = quantity(point["efficiency_ratio"], "ratio"), point["efficiency_lo"], point["efficiency_hi"]
    return text if low != low else f"{text} ({100 * low:.3g}–{100 * high:.3g})"  # noqa: PLR0124 NaN


def _misfit(point: Mapping[Any, Any], metric: str) -> str:
    off = point[f"fitted_{metric}"] / point[metric] - 1
    return "" if off != off else f"{100 * off:+.1f} %"  # noqa: PLR0124 NaN


def _fits(result: ScalingResult, fits: list[dict[Any, Any]]) -> str:
    """Two lines for each law: the coefficients, and their intervals."""
    rows = []
    for fit in fits:
        law = LAWS[fit["law"]]
        free = {"linear": (), "amdahl": ("sigma",), "usl": ("sigma", "kappa")}[fit["law"]]
        values = [_coefficient(fit, name) if name in free else "" for name in ("sigma", "kappa")]
        limits = [_interval(fit, name) if name in free else "" for name in ("sigma", "kappa")]
        scale = [quantity(fit[f"lambda{end}"], result.unit) for end in ("", "_lo", "_hi")]
        aicc = "" if fit["aicc"] != fit["aicc"] else f"{fit['aicc']:.1f}"
        rows.append([f"{law} *" if fit["supported"] else law, scale[0], *values, f"{fit['r2']:.4f}", aicc])
        rows.append(["", _span(*scale[1:]), *limits, "", ""])
    return _indented(_aligned([["law", "λ", "σ", "κ", "R²", "AICc"], *rows], right=(4, 5)))


def _span(low: str, high: str) -> str:
    """A range of two quantities, with one unit if both have the same."""
    number, _, unit = low.partition(" ")
    return f"{number}–{high}" if high.partition(" ")[2] == unit else f"{low}–{high}"


def _coefficient(fit: Mapping[Any, Any], name: str) -> str:
    return "0, its bound" if fit[f"{name}_at_bound"] else f"{fit[name]:.4g}"


def _interval(fit: Mapping[Any, Any], name: str) -> str:
    low, high = fit[f"{name}_lo"], fit[f"{name}_hi"]
    return "" if low != low else f"{low:.3g}–{high:.3g}"  # noqa: PLR0124 NaN


def _notes(result: ScalingResult, group: Mapping[Any, Any], rows: _Rows) -> Iterator[str]:
    if rows.fits:
        yield from _on_growth(result, group, rows)
    elif _label(group["note"]):
        yield f"{group['note']}"
    for limit in rows.limits:
        yield f"limited from {result.n}={limit['n_from']} on: {limit['message']} ({limit['code']})"
    varies = sorted({label for point in rows.points for label in point["varies"].split()})
    if varies:
        yield f"runs of one {result.n} differ in {', '.join(varies)}; they count as repeats"


def _on_growth(result: ScalingResult, group: Mapping[Any, Any], rows: _Rows) -> Iterator[str]:
    """Which law is supported, what it leaves open, and whether there is a peak."""
    # Up to 1.0005 the efficiency is printed as 100.0 %, which is not above 100 %.
    above = [point for point in rows.points if point["usable"] and point["efficiency_ratio"] > 1.0005]
    if group["superlinear"]:
        yield "faster than linear, which no law allows: something else may slow down the smallest N"
    else:
        yield _label(group["note"]) or _verdict(rows.fits)
        yield from _other_errors(rows)
        if above:
            most = max(above, key=lambda point: float(point["efficiency_ratio"]))
            yield (
                f"{quantity(most['efficiency_ratio'], 'ratio')} efficiency at {result.n}={most[result.n]}: not shown "
                f"to be above 100 %; more runs, above all of the smallest {result.n}, would decide"
            )
    lack = next((fit["lack_p"] for fit in rows.fits if fit["supported"]), math.nan)
    if lack <= 0.05:  # the usual level; the test only adds a sentence
        yield f"the runs differ from this law by more than from each other (lack of fit, p {lack:.2g})"
    # The laws are in the order of `LAWS`, of which the USL is the last.
    usl = rows.fits[-1]
    if _label(usl["peak"]):
        yield f"peak at N = {usl['peak']:.3g} ({usl['peak_lo']:.3g}–{usl['peak_hi']:.3g})"
    elif _label(usl["peak_doubt"]):
        yield f"no peak is claimed: {usl['peak_doubt']}"


def _other_errors(rows: _Rows) -> Iterator[str]:
    """The law that the other assumption on errors supports, with its coefficients."""
    other = next((fit for fit in rows.other_fits if fit["supported"]), None)
    if other is None:
        return
    free = {"linear": (), "amdahl": (("σ", "sigma"),), "usl": (("σ", "sigma"), ("κ", "kappa"))}[other["law"]]
    numbers = [f"{sign} {_coefficient(other, name)} ({_interval(other, name)})" for sign, name in free]
    yield f"with {other['errors']} errors: {', '.join([LAWS[other['law']], *numbers])}"


def _verdict(fits: list[dict[Any, Any]]) -> str:
    """Which law the F test supports, and whether AICc prefers another one."""
    supported = next((fit["law"] for fit in fits if fit["supported"]), None)
    if supported is None:
        return "three points: the USL goes through any three, so no law is supported"
    known = [fit for fit in fits if fit["aicc"] == fit["aicc"]]
    least = min(known, key=lambda fit: fit["aicc"])["law"] if known else supported
    if len(known) < len(fits):
        # Linear scaling has one coefficient, so the points are its degrees of freedom + 1. AICc needs two more than the
        # USL's three coefficients and the variance of the errors: 6.
        return f"* supported (F test); too few points for the USL's AICc: {fits[0]['dof'] + 1} of 6"
    return "* supported (F test)" + ("" if least == supported else f"; AICc prefers {LAWS[least]}")


def _summary(result: ScalingResult, curves: pd.DataFrame) -> str:
    """One line for each curve of a study."""
    keys = [key for key in result.keys if key != "study" and curves[key].notna().any()]
    titles = ["conns" if key == "connections" else key for key in keys]
    header = [*titles, result.n, "best", "speed-up", "efficiency", "law", "limit"]
    rows = [
        [
            *(_cut(_label(group[key])) for key in keys), f"{group['n_min']}→{group['n_max']}", str(group["best_n"]),
            _ratio(group["speedup"]), quantity(group["efficiency_ratio"], "ratio"),
            LAWS.get(group["law"], ""), "yes" if group["limited"] else "",
        ]
        for group in curves.to_dict("records")
    ]  # fmt: skip
    numbers = [place for place, key in enumerate(keys) if not any(isinstance(label, str) for label in curves[key])]
    text = _aligned([header, *rows], right=[*numbers, *range(len(keys), len(keys) + 4)])
    study = _label(curves["study"].iloc[0])
    return f"{printable(study)}\n{text}" if study else text


def _cut(text: str) -> str:
    return text if terminal_width() is None or len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _aligned(rows: Sequence[Sequence[str]], *, right: Sequence[int]) -> str:
    """Columns two blanks apart: with the gaps of `output.grid` the table does not fit 80 columns."""
    import tabulate

    sides = ["right" if place in right else "left" for place in range(len(rows[0]))]
    cells = [[printable(cell) for cell in row] for row in rows]
    return tabulate.tabulate(cells, tablefmt="plain", colalign=sides, disable_numparse=True)


def _indented(text: str) -> str:
    return "\n".join(f"  {line.rstrip()}" for line in text.splitlines())
