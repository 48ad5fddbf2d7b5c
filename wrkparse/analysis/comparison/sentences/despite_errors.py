"""The sentence on two variants whose responses include errors, if these can't turn the answer round."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from wrkparse.analysis.comparison.text.claims import Claim, Labels, labels_of, run_values
from wrkparse.analysis.comparison.text.statements import TOO_FEW, of_words, runs_words, statement
from wrkparse.analysis.comparison.text.wording import ratio_decimals
from wrkparse.analysis.runs.labels.factors import ADDRESS_LABELS
from wrkparse.analysis.wording import share_text, word_list
from wrkparse.tools.common import NON_2XX, THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_ERROR_RESPONSES = "non-2xx"  # the finding of the audit
_MOST_ERRORS = 0.5  # of the responses: from here on a rate is rather that of errors


class _Side(NamedTuple):
    """A variant, its median or mean rate per second, the slowest and the fastest run, and the errors among responses.

    ``share`` is that of the run with the most errors.
    """

    labels: Labels
    center: float
    slowest: float
    fastest: float
    runs: int
    share: float


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
    sides = _sides(table, name)
    if len(sides) != 2 or table.setting_keys or any(not side.share < _MOST_ERRORS for side in sides):
        return ""
    slow, fast = sorted(sides, key=lambda side: side.center)
    if not 0 < slow.fastest < fast.slowest * (1 - fast.share):
        return ""
    ratio = fast.center / slow.center
    claim = Claim(
        name, fast.labels, {}, TOO_FEW, math.nan, ratio, math.nan, math.nan, fast.runs, slow.runs,
        fast.center, slow.center,
    )  # fmt: skip
    without = ratio * (1 - fast.share) / (1 - slow.share)
    errors = word_list([f"{share_text(side.share)} of those {of_words(side.labels)}" for side in sides if side.share])
    return (
        f"{statement([claim], slow.labels)} ({runs_words(claim)}); without the responses with an error status, "
        f"{errors}, it was {without:.{ratio_decimals(without)}f} times."
    )


def _sides(table: ComparisonTable, name: str) -> list[_Side]:
    """The variants with runs; one without a count of errors has NaN for their share."""
    found = []
    for row in table.cells[(table.cells["metric"] == name) & (table.cells["verdict"] != "missing")].to_dict("records"):
        labels = labels_of(row, table.cell_keys)
        rates, shares = (run_values(table, metric, labels) for metric in (name, NON_2XX.name))
        share = float(shares.max()) if len(shares) == len(rates) else math.nan
        found.append(_Side(labels, row["center"], float(rates.min()), float(rates.max()), len(rates), share))
    return found
