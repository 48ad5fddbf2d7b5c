"""Figures: each takes a dataset (or what an analysis found) and gives matplotlib Axes.

``kind(dataset_or_result, *, ax=None, …) -> Axes``. Without `ax` a figure is made for it, 166 mm wide; figures of
several panels draw them into `ax`, which is switched off, as ``ax.child_axes``. `data` gives the tidy frame that was
drawn, `save` writes SVG, PNG or PDF. Nothing is computed here: numbers come from `wrkparse.analysis`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wrkparse.plot.files import save, svg
    from wrkparse.plot.style import NothingToPlotError, data

__all__ = ["NothingToPlotError", "data", "save", "svg"]

_HOME = {"save": "files", "svg": "files", "NothingToPlotError": "style", "data": "style"}


def __getattr__(name: str) -> Any:
    """Import on first use: the list of figures, for ``--help``, does not wait for matplotlib."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
