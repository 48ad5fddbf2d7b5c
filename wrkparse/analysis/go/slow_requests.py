"""How many of the slow requests of a load garbage collection can explain: an upper bound from its pauses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from wrkparse.analysis.runs.latencies import latencies
from wrkparse.dataset.queries.sql import sql_string

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_TAIL = 0.99  # the percentile beyond which requests are slow
_NEARLY_ALL = 0.99  # of the slow requests: if the bound is above it, pauses may have caused all, which says nothing
# These generators wait for the response before they send the next request on a connection, and count from the sending.
# wrk2 counts from when a request was due: a pause also delays those that wait behind it.
CLOSED_LOOP = ("wrk", "ab")


class Bound(NamedTuple):
    """The most that pauses can explain of the requests slower than the p99.

    - `latency_s`: the p99; `slower`: the requests beyond it, a hundredth of all; `pauses`: those in the window.
    - `requests`: the most of them that pauses can have delayed, by their number and by the distribution.
    - `by_count`, `by_tail`: the two bounds; the second is infinite if the report prints too few percentiles.
    """

    latency_s: float
    slower: float
    pauses: int
    by_count: float
    by_tail: float

    @property
    def requests(self) -> float:
        """The smaller of the bounds, and of all slow requests."""
        return min(self.by_count, self.by_tail, self.slower)

    @property
    def ratio(self) -> float:
        """The share of the slow requests."""
        return self.requests / self.slower

    @property
    def says_something(self) -> bool:
        """Whether the pauses can't have delayed all of the slow requests."""
        return self.ratio <= _NEARLY_ALL


def bound_of(ds: Dataset, load: pd.Series, pauses: pd.DataFrame) -> Bound | None:
    """How many requests of a load beyond its p99 can have been delayed by one of these pauses, at most.

    `load` is a row of ``ds.wide()``. `pauses` has the columns ``at_s``, the time since the load began, and ``pause_s``
    and ``below_s`` of `timeline.pauses`: a pause took at most the larger. None without a p99, without requests or
    connections, or for a load that is not a closed loop.

    A pause explains a request if the request would have taken at most the p99 without the time in which the process was
    stopped during it. A request that only waits in a queue behind delayed ones does not count.

    **By count.** On a connection that waits for each response, the requests follow each other without overlap. One that
    pauses made slower than the p99, q, lasts longer than q and overlaps a pause. So the requests of a connection that a
    pause can explain are at most as many as there are intervals longer than q, without overlap, that each hold another
    pause: of three pauses in a row with one request each, the third begins more than q after the first. A greedy choice
    gives the largest number; times the connections, it is the bound.

    **By the distribution.** Without its pauses such a request would have taken at most q. So it took at most q + D,
    where D is the most time that pauses take within q + D. The requests beyond the p99 that are not slower than the
    first printed percentile above q + D are the bound.
    """
    numbers = [float(load.get(name, math.nan)) for name in ("latency_p99_s", "total_p99_s", "requests", "connections")]
    p99, of_ab, count, connections = numbers
    q = of_ab if load["tool"] == "ab" and of_ab > 0 else p99
    coarse = _resolution_of_p99(ds, str(load["run"]))
    if load["tool"] not in CLOSED_LOOP or not (q > 0 and count > 0 and connections > 0):
        return None
    begins, lengths = pauses["at_s"].to_numpy(float), longest_lengths(pauses).to_numpy(float)
    slower = (1 - _TAIL) * count
    # The p99 is known to its printed digits. Each bound is taken at that end of the range at which it is larger.
    by_count = connections * _most_slow_requests(begins, begins + lengths, q - coarse)
    return Bound(q, slower, len(pauses), by_count, _by_tail(ds, str(load["run"]), q + coarse, count, begins, lengths))


def longest_lengths(pauses: pd.DataFrame) -> pd.Series:
    """The most that each pause may have taken, in seconds: what is printed, or what a printed 0 stays below."""
    return pauses[["pause_s", "below_s"]].max(axis=1)


def _resolution_of_p99(ds: Dataset, run: str) -> float:
    """Half the last printed digit of the p99, in seconds."""
    stated = ds.sql(
        "SELECT coalesce(max(resolution), 0) AS resolution FROM measurements "
        f"WHERE run = {sql_string(run)} AND stat = 'p99' AND metric IN ('latency', 'total')"
    )
    return float(stated["resolution"].iloc[0])


def _most_slow_requests(begins: npt.NDArray[np.float64], ends: npt.NDArray[np.float64], q: float) -> int:
    """The most requests of one connection, each longer than `q` and overlapping a pause of its own."""
    chosen: list[tuple[float, float]] = []
    for begin, end in sorted(zip(begins.tolist(), ends.tolist(), strict=True)):
        if len(chosen) < 2 or end - chosen[-2][0] > q:  # the request before lies between the two pauses
            chosen.append((begin, end))
    return len(chosen)


def _by_tail(
    ds: Dataset, run: str, q: float, count: float, begins: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64]
) -> float:
    """The requests beyond the p99 that are at most as slow as the first printed latency above q + D."""
    longest = q
    for _ in range(100):  # D grows with the interval; it is reached when nothing is added
        reach = q + _most_paused(begins, lengths, longest)
        if reach <= longest:
            break
        longest = reach
    else:
        return math.inf
    printed = ds.cached("printed latencies", lambda: latencies(ds))
    printed = printed[printed["run"] == run]
    above = printed[(printed["value_s"] > longest) & (printed["percentile"] >= _TAIL)]
    return math.inf if above.empty else float((1 - _TAIL - above["slower_ratio"].max()) * count)


def _most_paused(begins: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64], span: float) -> float:
    """The most time that pauses take within any interval of this length."""
    order = np.argsort(begins)
    begins, lengths = begins[order], lengths[order]
    sums = np.concatenate([[0.0], np.cumsum(lengths)])
    # A window that overlaps a pause ends `span` after the pause's end at the latest. Pauses that it cuts count in full,
    # which keeps this an upper bound.
    last = np.searchsorted(begins, begins + lengths + span, side="right")
    return float((sums[last] - sums[:-1]).max()) if len(begins) else 0.0
