"""The runs of a comparison relative to the baseline of their setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable


def relative_samples(table: ComparisonTable) -> pd.DataFrame:
    """The rows of ``table.samples`` with the column ``ratio``: the run's value over the baseline's centre.

    The centre is that of the baseline's runs in the same setting. The ratio is NaN where the baseline has no run that
    counts there, or a centre of 0, for shares, and in a comparison without a baseline.
    """
    samples = table.samples.astype(dict.fromkeys(("metric", *table.rows, *table.columns), "string"))
    keys = ["metric", *table.setting_keys]
    bases = table.cells[table.cells["verdict"].eq("baseline").fillna(value=False) & ~table.cells["is_share"]]
    centers = bases[[*keys, "center"]].rename(columns={"center": "ratio"})
    found = samples.merge(centers, on=keys, how="left") if len(bases) else samples.assign(ratio=np.nan)
    return found.assign(ratio=found["value"] / found["ratio"].where(found["ratio"] > 0))
