"""Ticks of logarithmic axes, with labels where there is room for them."""

from __future__ import annotations

import numpy as np
from matplotlib.axis import Axis
from matplotlib.ticker import NullLocator

from wrkparse.plot import ticks

_FEW = 0.9  # decades, of which 1, 2 and 5 say too little


def spaced(axis: Axis, unit: str) -> None:
    """1, 2 and 5 of each decade within the limits (finer if there is less than one), labelled where there is room.

    To be called when the figure is laid out (`layout.settle`), as `ticks.at_values`.
    """
    low, high = sorted(float(end) for end in axis.get_view_interval())
    decades = float(np.log10(high / low))
    if decades < _FEW:
        ticks.log(axis, unit)
        return
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    digits = (1, 2, 5) if decades < 4 else (1,)
    found = [digit * 10.0**power for power in powers for digit in digits]
    ticks.at_values(axis, [tick for tick in found if low * 0.999 <= tick <= high * 1.001], unit)
    axis.set_minor_locator(NullLocator())
