"""How throughput grows with cores: speed-up, efficiency, fitted laws, and what else than the cores may have set it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from wrkparse.analysis.audit.audit import audit
from wrkparse.analysis.checks.finding import NOTE
from wrkparse.analysis.runs.metrics import choose_metric
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.analysis.scaling import curves
from wrkparse.analysis.scaling.curves import Curve, Limit
from wrkparse.analysis.scaling.laws import Errors, UslFit
from wrkparse.dataset import Dataset, NoLabelError, QueryError, column_name
from wrkparse.tools.schema import CANONICAL

_COEFFICIENTS = ("lambda", "sigma", "kappa", "peak")
_STEPS = 100  # of a line that is to look smooth
_FIT = (
    "law", "supported", "lambda", "lambda_lo", "lambda_hi", "sigma", "sigma_lo", "sigma_hi", "sigma_at_bound",
    "kappa", "kappa_lo", "kappa_hi", "kappa_at_bound", "peak", "peak_lo", "peak_hi", "interval", "dof", "r2",
    "residual_se", "aicc",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScalingResult:
    """What `scaling` found; each table has the columns `keys` of the group (study, the labels asked for, the load).

    ``points``: the N (named as its label), the metric (median of the runs), ``lo`` and ``hi`` (its interval by order
    statistics; missing where the runs are too few), ``runs``, ``invalid`` (runs that the audit
    found invalid; they are left out if there are others), ``usable`` (whether there are others), ``speedup`` and
    ``efficiency_ratio`` against the smallest usable N, ``fitted_``… (the metric by the supported law, else the USL),
    ``varies`` (labels that differ among the runs of this point, joined by blanks).

    ``groups``: ``n_min``, ``n_max``, ``best_n`` (the highest rate measured), ``speedup`` and ``efficiency_ratio`` at
    ``n_max``, ``points`` (usable ones), ``law`` (the law that the data support; missing where no more than three points
    are, or no fit), ``limited`` (whether `limits` names anything), ``note`` (why nothing was fitted).

    ``fits``: ``law``; ``lambda``, ``sigma``, ``kappa`` with ``_lo``, ``_hi`` and ``_at_bound``; ``peak``, ``peak_lo``,
    ``peak_hi`` (missing: no peak is shown by the data); ``interval``, ``dof``, ``r2``, ``residual_se``, ``aicc``,
    ``supported``. λ and ``residual_se`` have the metric's unit (``residual_se`` is a ratio if errors are relative).

    ``limits``: ``code``, ``n_from`` (the smallest N where it shows), ``message``.

    ``curves``: the law that the data support, at values of N within those measured, close enough for a smooth line: N
    (named as its label), the metric, ``lo`` and ``hi`` (its confidence band; missing where the fit has none).
    """

    keys: tuple[str, ...]
    n: str
    metric: str
    unit: str
    points: pd.DataFrame
    groups: pd.DataFrame
    fits: pd.DataFrame
    limits: pd.DataFrame
    curves: pd.DataFrame

    def only(self, **labels: Any) -> ScalingResult:
        """What of it is about these labels, some of `keys` (None: runs without one); nothing is computed again."""
        tables = {name: getattr(self, name) for name in ("points", "groups", "fits", "limits", "curves")}
        for key, value in labels.items():
            tables = {name: of[of[key].isna() if pd.isna(value) else of[key] == value] for name, of in tables.items()}
        return replace(self, **tables)


def scaling(
    dataset: Dataset,
    *,
    by: str | Sequence[str] = ("framework",),
    load: str | None = "connections",
    n: str = "cores",
    metric: str = "throughput",
    where: str | None = None,
    errors: Errors = "absolute",
    confidence: float = 0.95,
    include_invalid: bool = False,
) -> ScalingResult:
    """Speed-up X(N)/X(N₁) and efficiency X(N)·N₁/(X(N₁)·N) against the smallest N, and fitted laws, for each group.

    A group is the runs of one study with the same labels `by` and `load`; `n` is the label that is N. Each N counts
    once, with the median of its runs, for what a law misses at an N is shared by all runs there. From three N on the
    laws of `wrkparse.analysis.scaling.laws` are fitted, with `errors` and `confidence` as there.

    A group is ``limited`` where the audit finds the network full (``nic-limit``), server and load generator on one
    machine (``same-machine``) or fewer connections than cores (``few-connections``); where wrk has fewer threads than
    the server has cores (``few-threads``); where the same server does 1.25 times as much under a larger load
    (``small-load``); and where groups level off together (``shared-ceiling``): the last N adds less than 5 % to each,
    and the highest rates of two or more lie within 5 %. A fitted law then describes that limit, not the server.

    Raises QueryError for labels, metrics or conditions that do not exist, TooLittleError where no run is left.
    """
    choice = choose_metric(dataset, metric)
    if not choice.unit.endswith("/s"):
        raise QueryError(f"{choice.name} is no rate: scaling compares work done per second")
    value = column_name(choice.metric, choice.stat, choice.unit)
    wanted = dict.fromkeys(["study", *([by] if isinstance(by, str) else by), load])
    keys = [key for key in wanted if key and key != n]
    rows = _rows(dataset, keys, n, value, where)
    rows["usable"] = True if include_invalid else rows["valid"].fillna(value=True).astype(bool)
    labels = sorted(dataset.label_keys() - {*keys, n})
    rows = rows[list(dict.fromkeys(["run", "valid", "usable", *keys, n, value, *labels]))]
    found = [
        Curve(_labels(keys, values), n, value, runs, curves.points(runs, labels, n, value, confidence))
        for values, runs in rows.groupby(keys, dropna=False)
    ]
    findings = _findings(dataset)
    fitted = [curves.fits(curve, errors, confidence) for curve in found]
    limits = [list(curves.limits(curve, found, load, findings)) for curve in found]
    everything = list(zip(found, fitted, limits, strict=True))
    lines = [_line(curve, fits) for curve, (fits, _) in zip(found, fitted, strict=True)]
    drawn = pd.concat(lines, ignore_index=True)
    return ScalingResult(tuple(keys), n, value, choice.unit, *_tables(keys, everything), drawn)


def _findings(dataset: Dataset) -> pd.DataFrame:
    """What the audit found that limits a rate: run, code, value. A network that is nearly full is noted there only."""
    findings = audit(dataset).findings
    nearly = (findings["code"] == "nic-limit") & (findings["severity"] == NOTE)
    return findings.loc[findings["code"].isin(curves.AUDITED) & ~nearly, ["run", "code", "value"]]


def _tables(
    keys: list[str], everything: list[tuple[Curve, tuple[list[UslFit], str], list[Limit]]]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Points, groups, fits and limits."""
    fits = [{**curve.labels, **_numbers(fit)} for curve, (fits, _), _ in everything for fit in fits]
    limits = [{**curve.labels, **limit._asdict()} for curve, _, limited in everything for limit in limited]
    return (
        pd.concat([_points(curve, fits) for curve, (fits, _), _ in everything], ignore_index=True),
        pd.DataFrame([_group(curve, fits, note, limited) for curve, (fits, note), limited in everything]),
        pd.DataFrame(fits, columns=[*keys, *_FIT]),
        pd.DataFrame(limits, columns=[*keys, *Limit._fields]),
    )


def _rows(dataset: Dataset, keys: Sequence[str], n: str, value: str, where: str | None) -> pd.DataFrame:
    """The runs that have an N and a rate."""
    rows = dataset.wide(where)
    for key in [*keys, n]:
        if key not in rows and key not in CANONICAL:
            raise NoLabelError(f"there is no label {key}; there are: {', '.join(sorted(dataset.label_keys()))}")
        if key not in rows:
            rows[key] = pd.NA
    rows[n] = pd.to_numeric(rows[n], errors="coerce")
    rows = rows[(rows[n] >= 1).fillna(value=False) & (rows[value] > 0)]
    if rows.empty:
        raise TooLittleError(f"no run has both the label {n} and {value}")
    return rows.astype({n: "int64"})


def _labels(keys: Sequence[str], values: tuple[Any, ...]) -> dict[str, Any]:
    return {key: None if pd.isna(value) else value for key, value in zip(keys, values, strict=True)}


def _shown(fits: Sequence[UslFit]) -> UslFit | None:
    """The fit of the law that the data support, else that of the USL."""
    return next((fit for fit in fits if fit.law == (fit.supported or "usl")), None)


def _points(curve: Curve, fits: Sequence[UslFit]) -> pd.DataFrame:
    points, fit = curve.points.copy(), _shown(fits)
    points[f"fitted_{curve.value}"] = fit.predict(points[curve.n].to_numpy(float)) if fit else np.nan
    for place, (key, label) in enumerate(curve.labels.items()):
        points.insert(place, key, label)
    return points


def _line(curve: Curve, fits: Sequence[UslFit]) -> pd.DataFrame:
    """The supported law between the smallest and the largest N; no rows where none is."""
    fit = next((fit for fit in fits if fit.law == fit.supported), None)
    n = np.unique([*fit.n, *np.geomspace(fit.n.min(), fit.n.max(), _STEPS)]) if fit else np.empty(0)
    lo, hi = fit.band(n) if fit else (n, n)
    line = pd.DataFrame({curve.n: n, curve.value: fit.predict(n) if fit else n, "lo": lo, "hi": hi})
    for place, (key, label) in enumerate(curve.labels.items()):
        line.insert(place, key, label)
    return line


def _group(curve: Curve, fits: Sequence[UslFit], note: str, limited: Sequence[Limit]) -> dict[str, Any]:
    rates = curve.rates
    last = curve.points[curve.points["usable"]].tail(1)
    return {
        **curve.labels,
        "points": len(rates),
        "n_min": rates.index.min(),
        "n_max": rates.index.max(),
        "best_n": rates.idxmax() if len(rates) else None,
        "speedup": last["speedup"].squeeze() if len(last) else np.nan,
        "efficiency_ratio": last["efficiency_ratio"].squeeze() if len(last) else np.nan,
        "law": fits[0].supported if fits else None,
        "limited": bool(limited),
        "note": note or None,
    }


def _numbers(fit: UslFit) -> dict[str, Any]:
    numbers: dict[str, Any] = {"law": fit.law, "supported": fit.law == fit.supported}
    for name, estimate in zip(_COEFFICIENTS, (fit.lambda_, fit.sigma, fit.kappa, fit.peak), strict=True):
        if estimate is not None:
            numbers |= {name: estimate.value, f"{name}_lo": estimate.lo, f"{name}_hi": estimate.hi}
    numbers |= {"sigma_at_bound": fit.sigma.at_bound, "kappa_at_bound": fit.kappa.at_bound}
    more = ("interval", "dof", "r2", "residual_se")
    return numbers | {name: getattr(fit, name) for name in more} | {"aicc": fit.aicc[fit.law]}
