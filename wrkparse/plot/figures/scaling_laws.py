"""A law of growth in words, below the curve that it describes."""

from __future__ import annotations

import pandas as pd

from wrkparse.analysis.scaling.scaling import ScalingResult
from wrkparse.analysis.shown.numbers import quantity

# The coefficients of each law beside λ, the rate of one core; the others are not estimated.
_COEFFICIENTS = {"linear": (), "amdahl": (("σ", "sigma"),), "usl": (("σ", "sigma"), ("κ", "kappa"))}


def law_words(name: str, fits: pd.DataFrame, points: pd.DataFrame, result: ScalingResult) -> str:
    """The coefficients and the largest residual: ``go: λ 1.001 k/s, σ 0.049; the farthest point is 0.4 % off.``.

    `fits` has the one law that the data of the curve support, `points` what was measured.
    """
    fit, usable = fits.iloc[0], points[points["usable"]]
    numbers = [f"λ {quantity(float(fit['lambda']), result.unit)}"]
    numbers += [f"{sign} {float(fit[column]):.2g}" for sign, column in _COEFFICIENTS[str(fit["law"])]]
    off = float((usable[result.metric] / usable[f"fitted_{result.metric}"] - 1).abs().max())
    return f"{name}: {', '.join(numbers)}; the farthest point is {100 * off:.2g} % off."
