"""What a comparison says first of the load: that its sides were loaded differently, or all at one rate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from wrkparse.analysis.checks.reports.load import TARGET_TOLERANCE
from wrkparse.analysis.comparison.text.statements import of
from wrkparse.analysis.comparison.text.wording import amount, place_words
from wrkparse.analysis.wording import joined
from wrkparse.tools.common import THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST_VARIANTS = 3  # that one sentence names


def on_loads(table: ComparisonTable) -> Iterator[str]:
    """That what is compared was loaded differently, as by two tools or at two numbers of connections."""
    base = table.loads.get(tuple(table.baseline.values()))
    others = [(dict(zip(table.compared, key, strict=True)), load) for key, load in table.loads.items() if load != base]
    if base is None or not others or len(others) > _MOST_VARIANTS:
        return
    runs_of = [f"{of(variant)} {place_words(load)}" for variant, load in others]
    yield (
        f"The runs {joined(runs_of)} are compared with those {of(table.baseline)} {place_words(base)}: "
        "that alone may make a difference."
    )


def on_requested_rate(table: ComparisonTable, name: str) -> str:
    """That throughput tells nothing where all runs reached the rate at which requests were sent; else empty."""
    rate = pd.to_numeric(table.constants.get("rate") or "", errors="coerce")
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    if name != THROUGHPUT.name or not ((cells["center"] - rate).abs() <= TARGET_TOLERANCE * rate).all():
        return ""
    asked = amount(float(rate), "1/s", name)
    return f"All runs reached the requested {asked}, so their throughput does not tell them apart."
