"""How throughput grows with cores: speed-up, efficiency, fitted scalability laws, and limits other than the cores."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from wrkparse.analysis.audit.audit import audit
from wrkparse.analysis.checks.finding import NOTE
from wrkparse.analysis.comparison.text.wording import metric_words
from wrkparse.analysis.scaling import curves
from wrkparse.analysis.scaling.curves import Curve, OtherLimit
from wrkparse.analysis.scaling.doubts import doubt_of_peak, is_superlinear, lack_of_fit
from wrkparse.analysis.scaling.laws import Errors, UslFit
from wrkparse.analysis.scaling.rated_runs import WORK_PER_SECOND, RatedRuns, choose_rate, rated_runs
from wrkparse.analysis.scaling.text import scaling_text
from wrkparse.analysis.shown.results import ResultView, ShownResult
from wrkparse.dataset import Dataset
from wrkparse.dataset.aliases import label_name, label_names, split_names
from wrkparse.text.escape import printable
from wrkparse.tools.common import ELAPSED

_COEFFICIENTS = ("lambda", "sigma", "kappa", "peak")
_MOST_CURVES_IN_TEXT = 12  # about as many as fit a terminal with their fits
_TABLES = ("points", "samples", "groups", "fits", "limits", "curves")  # besides `other_fits`
_CURVE_STEPS = 100  # values of N at which a fitted law is computed, so that its line looks smooth
_FIT_COLUMNS = (
    "law", "supported", "lambda", "lambda_lo", "lambda_hi", "sigma", "sigma_lo", "sigma_hi", "sigma_at_bound",
    "kappa", "kappa_lo", "kappa_hi", "kappa_at_bound", "peak", "peak_lo", "peak_hi", "interval", "dof", "r2",
    "residual_se", "aicc", "errors", "lack_p", "peak_doubt",
)  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class ScalingResult(ShownResult):
    """The result of `scaling`.

    Each table but ``copies`` has the columns `keys` of the group: study, the labels `by`, the load, and those of
    ``separated``, further labels in which the runs of a group would differ.

    ``points`` has one row for each N: the N (named as its label), the metric (median of the runs), half its last
    printed digit (the metric with ``_resolution``), ``lo`` and ``hi`` (the median's interval by order statistics;
    missing if there are too few runs), ``runs``, ``invalid`` (runs that the audit
    found invalid; they are left out if there are valid ones), ``usable`` (whether there are valid ones), ``speedup``
    and ``efficiency_ratio`` against the smallest usable N with their intervals (``speedup_lo``, ``efficiency_lo`` …;
    missing if there are too few runs), ``fitted_``… (the metric by the supported law, else by the
    USL), ``varies`` (labels that differ between the runs, joined by blanks).

    ``samples`` has one row for each run: the N and ``run``.

    ``groups`` has one row for each group: ``n_min``, ``n_max``, ``best_n`` (the smallest N whose rate equals the
    highest one within the printed digits), ``speedup`` and ``efficiency_ratio`` at ``n_max``, ``points`` (usable ones),
    ``law`` (that the data support; missing for three points or fewer, without a fit, if the printed digits alone could
    make another law do as well, and if the rate grows faster than N), ``superlinear`` (whether the rate grows faster
    than N, significantly), ``limited`` (whether `limits` has an entry), ``note`` (why there is no fit, or that the
    printed digits are too coarse for a supported law; that three points support no law is not repeated there).

    All intervals and tests allow for rounding: they hold for all true rates that round to the printed ones.

    ``fits`` has one row for each group and law: ``law``; ``lambda``, ``sigma``, ``kappa`` with ``_lo``, ``_hi`` and
    ``_at_bound``; ``peak``, ``peak_lo``, ``peak_hi`` (missing if the data show none, or if
    ``peak_doubt`` says why it is not claimed); ``interval``, ``dof``, ``r2``, ``residual_se``, ``aicc``,
    ``supported``, ``errors`` (as in `UslFit`); ``lack_p`` (of the test for lack of fit; missing without
    repeated runs); ``peak_doubt`` (why the law's peak is not claimed). λ and ``residual_se`` have the metric's unit
    (``residual_se`` is a ratio if errors are relative). ``other_fits`` has the same with the other assumption on
    errors.

    ``limits``: ``code``, ``n_from`` (the smallest N where it shows), ``message``.

    ``curves`` has the supported law at close values of N within the measured range: N (named as its label), the metric,
    ``lo`` and ``hi`` (its confidence band; missing if the fit has none).

    ``copies`` has the runs with the same text as another run, as `without_copies` returns them: of those on one curve
    and at one N, only the first counts.
    """

    keys: tuple[str, ...]
    separated: tuple[str, ...]
    n: str
    metric: str
    unit: str
    points: pd.DataFrame
    samples: pd.DataFrame
    groups: pd.DataFrame
    fits: pd.DataFrame
    limits: pd.DataFrame
    curves: pd.DataFrame
    copies: pd.DataFrame
    _make_other_fits: Callable[[], pd.DataFrame]

    @property
    def other_fits(self) -> pd.DataFrame:
        """The fits with the other assumption on errors; reports do not need them, so they are made when asked for."""
        return self._make_other_fits()

    def exhibit(self) -> ResultView:
        """The groups with their limits, and the fits."""
        by = f" by {', '.join(self.keys)}" if self.keys else ""
        return ResultView(f"{self.metric} over {self.n}{by}", {"groups": self.groups, "fits": self.fits})

    def __str__(self) -> str:
        """As ``wrkparse scaling`` prints it, with the points and fits of the first curves."""
        return f"{printable(self.exhibit().summary)}\n\n{scaling_text(self, _MOST_CURVES_IN_TEXT)}"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    @property
    def what(self) -> str:
        """What grows with N, as a sentence begins with it: ``Throughput``; of runs of ``time`` ``Work per second``."""
        return "Work per second" if self.metric == WORK_PER_SECOND else metric_words(self.metric.removesuffix("_per_s"))

    def only(self, **labels: Any) -> ScalingResult:
        """The part of the result with these labels, which are some of `keys` (None: missing).

        Nothing is computed again, and ``copies`` stays as it is.
        """

        def part(table: pd.DataFrame) -> pd.DataFrame:
            chosen = np.ones(len(table), bool)
            for key, value in labels.items():
                chosen &= (table[key].isna() if pd.isna(value) else table[key].eq(value)).to_numpy(bool, na_value=False)
            return table[chosen]

        tables: dict[str, Any] = {name: part(getattr(self, name)) for name in _TABLES}
        return replace(self, **tables, _make_other_fits=functools.cache(lambda: part(self.other_fits)))


def scaling(
    dataset: Dataset,
    *,
    by: str | Sequence[str] = ("framework",),
    load: str | None = "connections",
    n: str = "cores",
    metric: str | None = None,
    where: str | None = None,
    errors: Errors = "absolute",
    confidence: float = 0.95,
    include_invalid: bool = False,
    ignore: str | Sequence[str] | None = None,
    fit: bool = True,
) -> ScalingResult:
    """Speed-up X(N)/X(N₁) and efficiency X(N)·N₁/(X(N₁)·N) against the smallest N, and fitted laws, for each group.

    A group has the runs of one study with the same labels `by` and `load`; with ``load=None`` runs are not grouped by
    their load. `n` is the label that is N. `where` and `include_invalid` are those of `wrkparse.compare`. Labels in
    which the runs of a group would differ make further groups (`line_labels`); `ignore` names those that make no
    difference. Each N counts once, with the median of its runs, because all runs at an N share the error of a law
    there. With three N or more, the laws of `wrkparse.analysis.scaling.laws` are fitted, with `errors` and `confidence`
    as in `fit_usl`; without `fit`, none is.

    A group is ``limited`` if the audit finds that the network is full (``nic-limit``), that server and load generator
    share a machine (``same-machine``) or, over `cores`, that there are fewer connections than cores
    (``few-connections``); if, over `cores`, the load generator has fewer threads than the server has cores
    (``few-threads``); if the same server is 1.25 times as fast under a larger load (``small-load``); or if two or more
    groups have a plateau at the same rate (``shared-ceiling``): the last N adds less than 5 % to each, and their
    highest rates agree within 5 %. A fitted law then describes that limit, not the server.

    The default `metric` is the throughput. For runs of ``time`` it is the work per second, 1 / elapsed time
    (``work_per_s``), which assumes that all runs of a group did the same work. Runs of different commands are refused;
    those whose command is unknown are not checked.

    A peak is claimed only if the rate at the largest N is 5 % below the highest, the network or a shared ceiling is not
    the limit, and it is supported with absolute and with relative errors. If the rate grows faster than N, no law is
    supported.

    Raises QueryError for a label, metric or condition that does not exist, TooLittleError if there are no runs, or if
    timed runs ran different commands.
    """
    rate = choose_rate(dataset, metric)
    known = dataset.label_keys()
    n = label_name(n, known)
    # `by` may name N, which can't also tell the curves apart.
    keys = [key for key in ("study", *label_names([*split_names(by), load or ""], known)) if key != n]
    runs = rated_runs(dataset, rate, keys, n, where, label_names(ignore, known), include_invalid=include_invalid)
    all_curves = [
        Curve(
            _labels(runs.keys, values), n, runs.value, rows,
            curves.curve_points(rows, runs.labels, n, runs.value, confidence),
        )
        for values, rows in runs.rows.groupby(runs.keys, dropna=False)
    ]  # fmt: skip
    findings = _limiting_findings(dataset)
    analysed = []
    for curve in all_curves:
        fits, note = curves.fit_curve(curve, errors, confidence) if fit else ([], "")
        limits = list(curves.find_limits(curve, all_curves, load, findings))
        superlinear = is_superlinear(curve, confidence)
        if superlinear:
            fits = curves.without_support(fits)
        others = functools.cache(functools.partial(_other_fits, curve, errors, confidence, superlinear=superlinear))
        analysed.append(_AnalysedCurve(curve, fits, others, note, limits, superlinear))
    return _result(runs, n, "1/s" if rate.metric == ELAPSED.name else rate.unit, analysed)


def _other_fits(curve: Curve, errors: Errors, confidence: float, *, superlinear: bool) -> list[UslFit]:
    """The fits of a curve with the other assumption than `errors`."""
    fits, _ = curves.fit_curve(curve, "absolute" if errors == "relative" else "relative", confidence)
    return curves.without_support(fits) if superlinear else fits


class _AnalysedCurve(NamedTuple):
    """A curve with its fits, those with the other errors (made when first called), why there are none, its limits."""

    curve: Curve
    fits: list[UslFit]
    others: Callable[[], list[UslFit]]
    note: str
    limits: list[OtherLimit]
    superlinear: bool


def _limiting_findings(dataset: Dataset) -> list[curves.RunFinding]:
    """The findings of the audit that limit a rate. A network that is only nearly full does not."""
    findings = audit(dataset).findings
    nearly_full = (findings["code"] == "nic-limit") & (findings["severity"] == NOTE)
    limiting = findings[findings["code"].isin(curves.AUDIT_LIMITS) & ~nearly_full]
    rows = zip(*(limiting[name].tolist() for name in ("run", "code", "value")), strict=True)
    return [curves.RunFinding(str(run), str(code), float(value)) for run, code, value in rows]


def _result(runs: RatedRuns, n: str, unit: str, analysed: list[_AnalysedCurve]) -> ScalingResult:
    keys = runs.keys
    fits = [{**analysis.curve.labels, **_fit_row(analysis, fit)} for analysis in analysed for fit in analysis.fits]
    limits = [{**analysis.curve.labels, **limit._asdict()} for analysis in analysed for limit in analysis.limits]
    fitted = _fitted_or_first(analysed)
    lines = [_supported_curve(analysis.curve, analysis.fits) for analysis in fitted]
    return ScalingResult(
        keys=tuple(keys),
        separated=runs.separated,
        n=n,
        metric=runs.value,
        unit=unit,
        points=_labelled(
            [analysis.curve for analysis in analysed],
            pd.DataFrame([point for analysis in analysed for point in _points(analysis.curve, analysis.fits)]),
            [len(analysis.curve.points) for analysis in analysed],
        ),
        samples=runs.rows[[*keys, n, "run"]].reset_index(drop=True),
        groups=pd.DataFrame([_group_row(analysis) for analysis in analysed]),
        fits=pd.DataFrame(fits, columns=[*keys, *_FIT_COLUMNS]),
        limits=pd.DataFrame(limits, columns=[*keys, *OtherLimit._fields]),
        curves=_labelled(
            [analysis.curve for analysis in fitted], pd.concat(lines, ignore_index=True), list(map(len, lines))
        ),
        copies=runs.copies,
        _make_other_fits=functools.cache(functools.partial(_other_fit_rows, keys, analysed)),
    )


def _other_fit_rows(keys: list[str], analysed: list[_AnalysedCurve]) -> pd.DataFrame:
    """`ScalingResult.other_fits`."""
    rows = [{**one.curve.labels, **_fit_row(one, fit)} for one in analysed for fit in one.others()]
    return pd.DataFrame(rows, columns=[*keys, *_FIT_COLUMNS])


def _fitted_or_first(analysed: list[_AnalysedCurve]) -> list[_AnalysedCurve]:
    """The curves to which laws were fitted; the first curve if there are none, so that the table has its columns."""
    return [analysis for analysis in analysed if analysis.fits] or analysed[:1]


def _labels(keys: Sequence[str], values: tuple[Any, ...]) -> dict[str, Any]:
    # `groupby` gives NaN for a label that the runs of a group lack.
    return {key: None if pd.isna(value) else value for key, value in zip(keys, values, strict=True)}


def _fit_to_show(fits: Sequence[UslFit]) -> UslFit | None:
    """The fit of the supported law; if there is none, that of the USL."""
    return next((fit for fit in fits if fit.law == (fit.supported or "usl")), None)


def _points(curve: Curve, fits: Sequence[UslFit]) -> list[dict[str, Any]]:
    """The points of a curve, with the rates of a fitted law."""
    fit = _fit_to_show(fits)
    fitted = fit.predict([point[curve.n] for point in curve.points]).tolist() if fit else [np.nan] * len(curve.points)
    return [{**point, f"fitted_{curve.value}": rate} for point, rate in zip(curve.points, fitted, strict=True)]


def _supported_curve(curve: Curve, fits: Sequence[UslFit]) -> pd.DataFrame:
    """The supported law between the smallest and the largest N; no rows without one."""
    fit = next((fit for fit in fits if fit.law == fit.supported), None)
    # Even steps on the logarithmic axis of the figure, and the measured N, at which a reader compares law and points.
    n = np.unique([*fit.n, *np.geomspace(fit.n.min(), fit.n.max(), _CURVE_STEPS)]) if fit else np.empty(0)
    lo, hi = fit.band(n) if fit else (n, n)
    return pd.DataFrame({curve.n: n, curve.value: fit.predict(n) if fit else n, "lo": lo, "hi": hi})


def _labelled(of_curves: Sequence[Curve], table: pd.DataFrame, rows: Sequence[int]) -> pd.DataFrame:
    """A table with some rows of each curve in turn, with the labels of the curves as the first columns."""
    for position, key in enumerate(of_curves[0].labels):
        labels = [curve.labels[key] for curve in of_curves]
        # Of the dtype object, None stays None; pandas would make it NaN, and integers beside it floats.
        column = pd.Series(labels, dtype=object if None in labels else None)
        table.insert(position, key, column[np.repeat(np.arange(len(labels)), rows)].reset_index(drop=True))
    return table


def _group_row(analysed: _AnalysedCurve) -> dict[str, Any]:
    curve, fits = analysed.curve, analysed.fits
    first, last = (curve.usable[0], curve.usable[-1]) if curve.usable else ({}, {})
    return {
        **curve.labels,
        "points": len(curve.usable),
        "n_min": first.get(curve.n, np.nan),
        "n_max": last.get(curve.n, np.nan),
        "best_n": curve.best_n,
        "speedup": last.get("speedup", np.nan),
        "efficiency_ratio": last.get("efficiency_ratio", np.nan),
        "law": fits[0].supported if fits else None,
        "superlinear": analysed.superlinear,
        "limited": bool(analysed.limits),
        "note": analysed.note or None,
    }


def _fit_row(analysed: _AnalysedCurve, fit: UslFit) -> dict[str, Any]:
    """A row of ``fits``. A peak needs the USL's fit with the other assumption on errors, too."""

    def usl_with_other_errors() -> UslFit | None:
        # `fit` may itself be one of the fits with the other assumption; then the first ones are the others.
        others = analysed.others() if fit in analysed.fits else analysed.fits
        return next((other for other in others if other.law == "usl"), None)

    doubt = doubt_of_peak(analysed.curve, fit, usl_with_other_errors, analysed.limits)
    numbers: dict[str, Any] = {"law": fit.law, "supported": fit.law == fit.supported}
    for name, estimate in zip(_COEFFICIENTS, (fit.lambda_, fit.sigma, fit.kappa, fit.peak), strict=True):
        if estimate is not None and (name != "peak" or doubt is None):
            numbers |= {name: estimate.value, f"{name}_lo": estimate.lo, f"{name}_hi": estimate.hi}
    numbers |= {"sigma_at_bound": fit.sigma.at_bound, "kappa_at_bound": fit.kappa.at_bound}
    more = ("interval", "dof", "r2", "residual_se", "errors")
    return numbers | {name: getattr(fit, name) for name in more} | {
        "aicc": fit.aicc[fit.law], "lack_p": lack_of_fit(analysed.curve, fit), "peak_doubt": doubt,
    }  # fmt: skip
