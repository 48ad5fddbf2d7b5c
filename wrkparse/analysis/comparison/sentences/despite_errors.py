"""The sentence on two variants whose responses include errors, if these can't turn the answer round."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wrkparse.analysis.comparison.text.claims import Claim, Labels, labels_of
from wrkparse.analysis.comparison.text.statements import TOO_FEW, of_words, runs_words, statement
from wrkparse.analysis.comparison.text.wording import ratio_decimals
from wrkparse.analysis.runs.labels.factors import ADDRESS_LABELS
from wrkparse.analysis.wording import share_text, word_list
from wrkparse.tools.common import NON_2XX, THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_ERROR_RESPONSES = "non-2xx"  # the finding of the audit
_MOST_ERRORS = 0.5  # of the responses: from here on a rate is rather that of errors


class _Variant(NamedTuple):
    """A variant, its median or mean rate per second, with and without errors, and the slowest and the fastest run.

    ``share`` is the median or mean share of errors among the responses, ``largest_share`` that of the run with most.
    """

    labels: Labels
    center: float
    center_without: float
    slowest: float
    fastest: float
    runs: int
    share: float
    largest_share: float


def despite_errors(table: ComparisonTable, name: str) -> str:
    """``emu answered 3.0 times as many requests as kiwi (one run each); without the responses with an error status …``.

    Empty unless all of this holds:

    - The metric is the throughput of two variants of one setting, which nothing else tells apart than their address.
    - Error responses are all that makes runs invalid, and fewer than half of the responses of each run.
    - The faster one is still faster if none of its errors counts, and all those of the other one do.
    """
    causes = {code for unused in table.unused if unused.invalid for code, _ in unused.causes}
    if name != THROUGHPUT.name or causes != {_ERROR_RESPONSES} or set(table.also_differ) - ADDRESS_LABELS:
        return ""
    variants = _variants(table, name)
    if len(variants) != 2 or table.setting_keys or any(not one.largest_share < _MOST_ERRORS for one in variants):
        return ""
    slow, fast = sorted(variants, key=lambda one: one.center)
    if not 0 < slow.fastest < fast.slowest * (1 - fast.largest_share):
        return ""
    ratio = fast.center / slow.center
    claim = Claim(
        name, fast.labels, {}, TOO_FEW, math.nan, ratio, math.nan, math.nan, fast.runs, slow.runs,
        fast.center, slow.center,
    )  # fmt: skip
    without = fast.center_without / slow.center_without
    errors = word_list([f"{share_text(one.share)} of those {of_words(one.labels)}" for one in variants if one.share])
    return (
        f"{statement([claim], slow.labels)} ({runs_words(claim)}); without the responses with an error status, "
        f"{errors}, it was {without:.{ratio_decimals(without)}f} times."
    )


def _variants(table: ComparisonTable, name: str) -> list[_Variant]:
    """The variants with runs; one with a run without a count of errors has NaN for their shares."""
    keys, center = list(table.cell_keys), np.median if table.center == "median" else np.mean
    samples = table.samples[table.samples["metric"].isin([name, NON_2XX.name])]
    found = []
    for _, of_cell in samples.groupby(keys, sort=False, dropna=False):
        values = of_cell.pivot(index="run", columns="metric", values="value").reindex(columns=[name, NON_2XX.name])
        rates, shares = values.dropna(subset=name).to_numpy(float).T
        if len(rates):
            found.append(
                _Variant(
                    labels_of(of_cell.to_dict("records")[0], table.cell_keys), float(center(rates)),
                    float(center(rates * (1 - shares))), float(rates.min()), float(rates.max()), len(rates),
                    float(center(shares)), float(shares.max()),
                )
            )  # fmt: skip
    return found
