"""What a comparison says first of the load: that its sides were loaded differently, or all at one rate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis.checks.reports.load import TARGET_TOLERANCE
from wrkparse.analysis.comparison.text.claims import Labels, labels_of
from wrkparse.analysis.comparison.text.statements import of
from wrkparse.analysis.comparison.text.wording import amount, name_words, place_words
from wrkparse.analysis.wording import joined
from wrkparse.tools.common import THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_DURATION = "duration_s"
_MOST_VARIANTS = 3  # that one sentence names


def on_loads(table: ComparisonTable) -> Iterator[str]:
    """That what is compared was loaded differently, as by two tools or at two numbers of connections."""
    base = table.loads.get(tuple(table.baseline.values()))
    others = [(dict(zip(table.compared, key, strict=True)), load) for key, load in table.loads.items() if load != base]
    if base is None or not others or len(others) > _MOST_VARIANTS:
        return
    runs_of = [f"{of(variant)} {_load_words(load)}" for variant, load in others]
    yield (
        f"The runs {joined(runs_of)} are compared with those {of(table.baseline)} {_load_words(base)}: "
        "that alone may make a difference."
    )


def _load_words(load: Labels) -> str:
    """``at 64 connections that took 10 s``: how runs were loaded."""
    took = f"that took {load[_DURATION]} s" if _DURATION in load else ""
    return " ".join(filter(None, (place_words({key: load[key] for key in load if key != _DURATION}), took)))


def on_requested_rate(table: ComparisonTable, name: str) -> str:
    """That throughput tells nothing where all runs reached the rate at which requests were sent; else empty."""
    rate, reached = _reached(table, name)
    if not len(reached) or not reached.all():
        return ""
    return f"All runs reached the requested {amount(rate, '1/s', name)}, so their throughput does not tell them apart."


def on_kept_rate(table: ComparisonTable, name: str) -> str:
    """That those who reached the rate at which requests were sent may answer more than others by more; else empty.

    ``kiwi reached the requested 50.00k requests/s and may answer more: its lead is at least this large.``
    """
    rate, reached = _reached(table, name)
    of_variant = reached.groupby([table.cells.loc[reached.index, key] for key in table.compared], dropna=False)
    kept = [
        labels_of(row, table.compared)
        for row in of_variant.all().loc[lambda all_: all_].reset_index().to_dict("records")
    ]
    names = [name_words(labels) or f"the server {place_words(labels)}" for labels in kept]
    if not names or len(names) == of_variant.ngroups or len(names) > _MOST_VARIANTS:
        return ""
    lead = "its lead is" if len(names) == 1 else "their leads are"
    said = f"{joined(names)} reached the requested {amount(rate, '1/s', name)} and may answer more"
    return f"{said[0].upper() + said[1:] if said.startswith('the server ') else said}: {lead} at least this large."


def _reached(table: ComparisonTable, name: str) -> tuple[float, pd.Series[bool]]:
    """The rate of all runs, and whether the throughput of each cell is that; empty if the rates differ."""
    rate = float(pd.to_numeric(table.constants.get("rate") or "", errors="coerce"))
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    if name != THROUGHPUT.name or math.isnan(rate):
        return rate, cells["center"].head(0).astype(bool)
    return rate, (cells["center"] - rate).abs() <= TARGET_TOLERANCE * rate
