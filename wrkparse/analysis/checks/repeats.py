"""Checks across runs: repetitions of one setting that differ, and servers that share a rate."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import RunArrays, numbered
from wrkparse.analysis.stats.arrays import Indices
from wrkparse.analysis.stats.dixon import FEWEST, is_outlier
from wrkparse.analysis.stats.kendall import kendall_score, kendall_variance

# By convention: repetitions differ if the fastest is half as fast again as the slowest. In notebooks/loopback/, six
# repetitions in turns differ by a factor of 1.17 at most.
SPREAD = 1.5
SMALLEST_CHANGE = 0.1  # of the median: smaller drifts change no ranking that single runs could show
_DRIFT_LEVEL = 0.01  # of Kendall's test: 6 runs have to be in order, more may have exceptions
_MOST_RANKED = 50  # repetitions: Kendall's test compares all pairs
# Relative difference of the rates at a plateau, and the fewest servers that make one, by convention: two servers may be
# equally fast by chance, and three have rather one limit in common.
PLATEAU, _SERVERS = 0.01, 3
# What a load is, beside its tool. Labels of the server are left out.
_LOAD = ("cores", "threads", "connections", "duration_s", "path", "payload_bytes", "rate", "network", "environment")


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    rated = ~np.isnan(runs.value("throughput"))
    if np.count_nonzero(rated) > 1:
        settings = pd.Series(runs.settings)[rated]
        repeated = settings[settings.duplicated(keep=False)]
        if len(repeated):
            yield from repetitions(runs, repeated)
    if len(np.unique(runs.texts("framework")[rated])) >= _SERVERS:
        yield plateaus(runs)


def repetitions(runs: RunArrays, settings: pd.Series[int]) -> Iterator[Findings]:
    """An outlier among four or more runs of a setting, a drift in their order, or a spread by half.

    `settings` has the number of each run's setting. A setting has all labels and headings in common. Without a label
    ``framework`` the runs may be of different servers, so that findings are only notes.
    """
    rates = runs.value("throughput")
    ordered = settings.iloc[np.lexsort((rates[settings.index], settings))]
    at, rate = ordered.index.to_numpy(), rates[ordered.index]
    # Where another setting begins. Settings count from 0, so -1 makes the first run the beginning of one.
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    last = np.append(first[1:], len(ordered)) - 1
    count, median = last - first + 1, rate[(first + last) // 2]
    # The runs are sorted by setting and rate, so the arrays below hold one number for each setting.
    odd = np.full(runs.size, np.nan)  # of an outlier: the rate of its neighbour
    for extreme, step in ((first, 1), (last, -1)):
        # A setting of one run at either end of the array has no neighbour; it is too small for an outlier.
        neighbour = np.clip(extreme + step, 0, len(rate) - 1)
        gap = np.abs(rate[extreme] - rate[neighbour])
        far = is_outlier(gap, rate[last] - rate[first], median, count)
        odd[at[extreme[far]]] = rate[neighbour[far]]
    severity = np.where(runs.texts("framework") == "", NOTE, SUSPECT)
    yield runs.findings(
        ~np.isnan(odd), "repeat-outlier", severity,
        "{value:,.6g} requests/s, but {expected:,.6g} in the nearest of the other runs", value=rates, expected=odd,
        at="throughput",
    )  # fmt: skip
    # A setting with an outlier has its finding; without that run, its spread could be small.
    steady = np.array([np.isnan(odd[at[a : b + 1]]).all() for a, b in zip(first, last, strict=True)], bool)
    wide = steady & (rate[last] > SPREAD * rate[first])
    drifting = steady & (rate[last] - rate[first] > SMALLEST_CHANGE * median)
    drifting &= [_drifts(runs, _in_order(runs, at[a : b + 1])) for a, b in zip(first, last, strict=True)]
    for code, where, message in (
        ("repeat-drift", drifting, "the runs go from {least:,.6g} to {most:,.6g} requests/s, one after the other"),
        ("repeats-differ", wide & ~drifting, "the runs of this setting have {least:,.6g} to {most:,.6g} requests/s"),
    ):
        lowest, highest = np.full(runs.size, np.nan), np.full(runs.size, np.nan)
        # From settings to their runs, which are in the order of `at`.
        of = np.repeat(where, count)
        lowest[at[of]], highest[at[of]] = np.repeat(rate[first], count)[of], np.repeat(rate[last], count)[of]
        yield runs.findings(
            ~np.isnan(lowest), code, severity, message, value=rates, at="throughput",
            more={"least": lowest, "most": highest},
        )  # fmt: skip


def _in_order(runs: RunArrays, at: Indices) -> Indices | None:
    """The runs in the order in which they were made; None if it is not known.

    It is that of the lines of one source, of the times of their lines if all have them and no two are equal, or of the
    numbers of a series of files.
    """
    if len(at) > _MOST_RANKED:
        return None
    at = np.sort(at)
    if len(set(runs.texts("source")[at])) == 1:
        return at
    times = runs.table["logged_from"].iloc[at]
    if times.notna().all() and times.is_unique:
        return at[np.argsort(times.to_numpy(), kind="stable")]
    names, numbers = runs.series
    if len(set(names[at])) == 1:
        return at[np.argsort(numbers[at], kind="stable")]
    return None


def _drifts(runs: RunArrays, at: Indices | None) -> bool:
    """Whether the rates of these runs rise or fall in their order: Kendall's test (M. G. Kendall, Biometrika 30, 1938).

    The distribution of S under chance is exact up to 10 runs, normal for more.
    """
    # Of 4 runs, 2 of 24 orders rise or fall throughout: p is 0.08, above the level whatever the order is.
    if at is None or (n := len(at)) <= FEWEST:
        return False
    score = abs(kendall_score(runs.value("throughput")[at]))
    # At this level the normal distribution gives a larger p, 0.013 for an exact 0.0099 of 11 runs: it misses drifts
    # rather than invents them.
    if n > 10:
        # Two-sided: erfc(z / √2). The 1 is half of the step between two scores, for continuity.
        return math.erfc((score - 1) / math.sqrt(2 * kendall_variance(n))) <= _DRIFT_LEVEL
    # Both tails: as many orders fall as rise.
    return 2 * _orders_as_sorted(n, score) <= _DRIFT_LEVEL * math.factorial(n)


def _orders_as_sorted(n: int, score: int) -> int:
    """The number of orders of n numbers in which Kendall's S is `score` or more; S = n(n - 1)/2 - 2 inversions."""
    inversions = [1]
    # The largest of `size` numbers adds 0 to size - 1 inversions, depending on the place where it is inserted.
    for size in range(2, n + 1):
        inversions = [
            sum(inversions[max(0, total - size + 1) : total + 1]) for total in range(len(inversions) + size - 1)
        ]
    return sum(inversions[: (n * (n - 1) // 2 - score) // 2 + 1])


def plateaus(runs: RunArrays) -> Findings:
    """Three or more servers whose median rates under one load are within 1 % of the highest: a limit that all have."""
    known = ~np.isnan(runs.value("throughput")) & (runs.texts("framework") != "")
    load = numbered([runs.tool, runs.study_or_source, *(runs.texts(name) for name in _LOAD)])
    frame = pd.DataFrame({"load": load, "framework": runs.texts("framework"), "rate": runs.value("throughput")})[known]
    median = frame.groupby(["load", "framework"])["rate"].transform("median")
    frame["highest"] = median.groupby(frame["load"]).transform("max")
    level = frame[median >= frame["highest"] * (1 - PLATEAU)]
    servers = level.groupby("load")["framework"].transform("nunique")
    where, count, highest = np.zeros(runs.size, bool), np.zeros(runs.size), np.full(runs.size, np.nan)
    on = servers[servers >= _SERVERS].index
    # The index of the frame is the place of the run in `RunArrays`.
    where[on], count[on], highest[on] = True, servers[on], level.loc[on, "highest"]
    return runs.findings(
        where, "shared-plateau", SUSPECT, "{servers:.0f} servers have {expected:,.6g} requests/s within 1 %",
        value=runs.value("throughput"), expected=highest, tolerance=PLATEAU * highest, at="throughput",
        more={"servers": count},
    )  # fmt: skip
