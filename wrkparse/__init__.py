"""wrkparse: benchmark output → tidy tables.

``read`` and ``parse_text`` parse in memory, ``load`` opens a store; each gives a `Dataset` of pandas DataFrames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset
    from wrkparse.ingest import parse_text, read
    from wrkparse.store import load

__version__ = "0.1.0"
__all__ = ["Dataset", "__version__", "load", "parse_text", "read"]

_HOME = {"Dataset": "dataset", "read": "ingest", "parse_text": "ingest", "load": "store"}


def __getattr__(name: str) -> Any:
    """Import on first use: ``import wrkparse`` and ``wrkparse --help`` wait for neither pandas nor DuckDB."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"wrkparse.{_HOME[name]}"), name)
