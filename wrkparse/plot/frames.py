"""Keeps the frame that each figure was drawn from."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import pandas as pd
from matplotlib.axes import Axes

_FRAMES: WeakKeyDictionary[Axes, pd.DataFrame | Callable[[], pd.DataFrame]] = WeakKeyDictionary()


def remember_frame(ax: Axes, frame: pd.DataFrame | Callable[[], pd.DataFrame]) -> Axes:
    """Keep the frame that was drawn into `ax`, or what makes it, for `data`; return `ax`."""
    _FRAMES[ax] = frame
    return ax


def data(ax: Axes) -> pd.DataFrame:
    """The tidy frame that a figure was drawn from: a row per point, in base units.

    Raises KeyError for axes that no function of `wrkparse.plot` returned.
    """
    if ax not in _FRAMES:
        raise KeyError("these axes were not drawn by wrkparse.plot")
    frame = _FRAMES[ax]
    if not isinstance(frame, pd.DataFrame):
        frame = _FRAMES[ax] = frame()
    return frame
