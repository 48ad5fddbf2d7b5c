"""What a comparison says of a metric that rises or falls with a compared number, such as GOGC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.wording import (
    key_in_sentence,
    metric_words,
    p_words,
    place_words,
    ratio_words,
)
from wrkparse.analysis.runs.labels.factors import base_key
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.cells.monotone import Monotone
    from wrkparse.analysis.comparison.compare import ComparisonTable
    from wrkparse.analysis.comparison.text.claims import Claim


def rising_sentence(table: ComparisonTable, metric: str) -> str:
    """How the metric rises or falls, from the smallest value to the largest.

    ``Throughput rises with GOGC: with GOGC=200 it is 1.17 times (1.14–1.19) that with GOGC=50 (trend p < 0.0001, …).``
    Empty if the metric does not, if the values were loaded differently, or if the runs of one form groups.
    """
    found = _found(table, metric)
    if found is None:
        return ""
    last, first = (place_words({found.key: value}) for value in (found.last, found.first))
    number, blank, known = ratio_words(found.ratio, found.lo, found.hi).partition(" ")
    times = f"{number} times{blank}{known}"
    settings = f" in all {found.settings} settings" if found.settings > 1 else ""
    fewest, most = found.runs
    runs = f"{fewest} runs each" if fewest == most else f"{fewest} to {most} runs each"
    evidence = f"trend {p_words(found.p)}, {found.values} values, {runs}"
    beyond = "; beyond that the runs overlap" if found.flat else ""
    return f"{_rises(metric, found)}{settings}: {last} it is {times} that {first} ({evidence}){beyond}."


def is_from_end_to_end(table: ComparisonTable, metric: str, claim: Claim) -> bool:
    """Whether a claim compares the two values that `rising_sentence` compares, so that it would repeat them."""
    found = _found(table, metric)
    ends = [claim.variant, table.baseline]
    return found is not None and ends == [{found.key: found.last}, {found.key: found.first}]


def rising_title(table: ComparisonTable, metric: str) -> str:
    """``Throughput rises with GOGC: with GOGC=200 it is 1.17 times that with GOGC=50``; empty as above.

    And if the metric drifts from run to run, which looks the same if the values were measured one after the other.
    """
    found = _found(table, metric)
    if found is None or (table.layout.blocks and table.trends[metric].p <= table.alpha):
        return ""
    last, first = (place_words({found.key: value}) for value in (found.last, found.first))
    times = ratio_words(found.ratio, found.lo, found.hi).partition(" ")[0]
    return f"{_rises(metric, found)}: {last} it is {times} times that {first}"


def _rises(metric: str, found: Monotone) -> str:
    rises = f"{metric_words(metric)} {'rises' if found.rises else 'falls'}"
    if base_key(found.key) in FACTOR_KEYS:  # what the numbers of these names count is not known
        return f"{rises} from “{found.first}” to “{found.last}”"
    up_to = f" up to {found.last}" if found.flat else ""
    return f"{rises} with {key_in_sentence(found.key)}{up_to}"


def _found(table: ComparisonTable, metric: str) -> Monotone | None:
    uneven = table.scatters[metric].groups
    unlike = len({tuple(sorted(load.items())) for load in table.loads.values()}) > 1
    return None if uneven or unlike else table.monotone.get(metric)
