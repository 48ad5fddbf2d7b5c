"""One sentence of a comparison, with what it is about."""

from __future__ import annotations

from typing import NamedTuple


class MetricSentence(NamedTuple):
    """A sentence on a metric, and one that `follows` it, or an empty text.

    `decided` if it states a significant difference, `overall` if it sums up many claims.
    """

    metric: str
    text: str
    follows: str = ""
    decided: bool = False
    overall: bool = False
