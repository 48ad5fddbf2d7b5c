"""The experiments: each simulates many comparisons and yields rows of what was stated and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from runs import METHOD, SHAPES, normal, table

from wrkparse.analysis.comparison.cells.over_settings import compare_over_settings
from wrkparse.analysis.comparison.cells.scatter import slow_first, value_groups
from wrkparse.analysis.comparison.gate import Limit, outcome_of
from wrkparse.analysis.scaling.curves import Curve, curve_points, fit_curve, resolution_of
from wrkparse.analysis.scaling.doubts import doubt_of_peak, is_superlinear
from wrkparse.analysis.stats.comparisons import Comparison, compare_medians
from wrkparse.analysis.stats.mann_whitney import runs_needed
from wrkparse.analysis.stats.pairs import compare_pairs
from wrkparse.analysis.stats.summaries import median_summary

SEED = 20_261_122


class Row(NamedTuple):
    """One line of the table: what was simulated, what holds if the docs are right, and the share measured."""

    what: str
    stated: str
    measured: float


Experiment = Callable[[np.random.Generator, int], Iterator[Row]]


def share(hits: int, of: int) -> float:
    """The share of hits; NaN of none."""
    return hits / of if of else float("nan")


def medians(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Intervals of a median."""
    for n in (6, 10, 20):
        for shape, draw in SHAPES.items():
            hits = 0
            for _ in range(times):
                found = median_summary(np.exp(draw(generator, n, 0.02)).tolist())
                truth = 1.0 if shape != "with outliers" else _MEDIAN_WITH_OUTLIERS
                hits += found.lo <= truth <= found.hi
            yield Row(f"median's interval contains the true value, {n} runs, {shape}", ">= 95 %", share(hits, times))


# The median of `with_outliers` at a spread of 0.02, from ten million runs.
_MEDIAN_WITH_OUTLIERS = float(np.exp(-0.00278))


def same_twice(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Verdicts on runs of one and the same distribution."""
    for n in (4, 5, 6, 10, 20):
        hits = 0
        for _ in range(times):
            x, y = (np.exp(normal(generator, n, 0.02)).tolist() for _ in range(2))
            hits += compare_medians(x, y).p <= 0.05
        yield Row(f"false verdict, {n} runs against {n}", "<= 5 %", share(hits, times))


def families(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Tables of several rows and columns in which nothing differs: any false verdict or rank counts."""
    tables, ranked_tables = 2 * times, max(1, times // 4)  # ranks compare all pairs, and take longest
    for n in (6, 10):
        verdicts = ranks = together = either = 0
        for made in range(tables):
            samples = [[np.exp(normal(generator, n, 0.02)) for _ in range(3)] for _ in range(5)]
            compared = table(samples, baseline=True)
            in_cells = any(cell.record["verdict"] in {"better", "worse"} for cell in compared)
            rows = compare_over_settings([compared], ("variant",), {"variant": "0"}, METHOD)
            over = bool(rows["verdict"].isin(["better", "worse"]).any())
            verdicts, together, either = verdicts + in_cells, together + over, either + (in_cells or over)
            if made < ranked_tables:
                ranked = table(samples, baseline=False)
                ranks += any(cell.record.get("rank_lo", 1) > 1 for cell in ranked)
        of = f"a table of 5 x 3, {n} runs a cell"
        yield Row(f"any false verdict in {of}", "<= 5 %", share(verdicts, tables))
        yield Row(f"any false verdict over its settings, {n} runs a cell", "<= 5 %", share(together, tables))
        yield Row(f"any false verdict of either kind, {n} runs a cell", "<= 10 %", share(either, tables))
        yield Row(f"any false rank in {of}", "<= 5 %", share(ranks, ranked_tables))


def ratios(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Intervals of a ratio, with runs that spread alike and that don't."""
    for n1, n2 in ((5, 5), (6, 6), (10, 10), (20, 20), (10, 5)):
        for shape, draw in SHAPES.items():
            for one, other in ((0.02, 0.02), (0.01, 0.1)):
                if shape == "with outliers" and one != other:
                    continue  # the medians would differ
                inside = wrong = 0
                for _ in range(times):
                    found = compare_medians(
                        np.exp(draw(generator, n1, one)).tolist(), np.exp(draw(generator, n2, other)).tolist()
                    )
                    inside += found.lo <= 1 <= found.hi
                    wrong += found.p <= 0.05
                spreads = f"{100 * one:g} % and {100 * other:g} %"
                what = f"ratio's interval contains the true value, {n1} and {n2} runs, {shape}, spread {spreads}"
                yield Row(what, "about 95 %", share(inside, times))
                yield Row(
                    f"false verdict, {n1} and {n2} runs, {shape}, spread {spreads}", "<= 6 %", share(wrong, times)
                )


def drift(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Two equal settings on a machine that slows down evenly from the first run to the last."""
    for n in (6, 10):
        for whole in (0.05, 0.1):
            wrong = dict.fromkeys(("one block after the other", "A B A B", "A B A B, --paired", "A B B A, --paired"), 0)
            for _ in range(times):
                values = np.exp(normal(generator, 2 * n, 0.02) + np.linspace(0.0, -whole, 2 * n))
                x, y = values[0::2].copy(), values[1::2].copy()
                wrong["one block after the other"] += is_told_apart(compare_medians, values[:n], values[n:])
                wrong["A B A B"] += is_told_apart(compare_medians, x, y)
                wrong["A B A B, --paired"] += is_told_apart(compare_pairs, x, y)
                x[1::2], y[1::2] = y[1::2].copy(), x[1::2].copy()
                wrong["A B B A, --paired"] += is_told_apart(compare_pairs, x, y)
            stated = ("not guaranteed", "<= 5 %", "not guaranteed", "<= 5 %")
            for (order, count), expected in zip(wrong.items(), stated, strict=True):
                what = f"false verdict, {n} runs each, {100 * whole:g} % drift: {order}"
                yield Row(what, expected, share(count, times))


def uneven(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Notes on a slow first run and on two groups, of repeats under equal conditions."""
    for n, slow, groups in ((5, "<= 1.5 %", "0 %"), (6, "<= 1.5 %", "<= 2 %"), (8, "<= 1 %", "<= 1 %")):
        samples = np.exp(generator.normal(size=(times, n)) * 0.1)
        found = sum(slow_first(sample.tolist(), "higher") != 0 for sample in samples)
        yield Row(f"first run called slow, {n} equal runs that spread by 10 %", slow, share(found, times))
        found = sum(value_groups(sample) is not None for sample in samples)
        yield Row(f"two groups seen, {n} equal runs that spread by 10 %", groups, share(found, times))


def is_told_apart(compare: Callable[..., Comparison], x: np.ndarray, y: np.ndarray) -> bool:
    """Whether p is at most 0.05."""
    return bool(compare(x.tolist(), y.tolist()).p <= 0.05)


def turns_find_more(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """A true difference of 3 % on a machine that drifts by 10 %."""
    for n in (6, 10):
        alone = pairs = 0
        for _ in range(times):
            values = np.exp(normal(generator, 2 * n, 0.01) + np.linspace(0.0, -0.1, 2 * n))
            x, y = values[0::2].copy(), values[1::2].copy()
            x[1::2], y[1::2] = y[1::2].copy(), x[1::2].copy()
            alone += is_told_apart(compare_medians, 1.03 * x, y)
            pairs += is_told_apart(compare_pairs, 1.03 * x, y)
        found = f"true 3 % found, {n} runs each, A B B A, spread 1 %, 10 % drift"
        yield Row(found, "", share(alone, times))
        yield Row(f"{found}, --paired", "more", share(pairs, times))


def gates(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """A gate at -5 %: what it says of changes beyond, at and within the limit."""
    limit = Limit("throughput", "<", -0.05)
    times = max(1, times // 4)
    for n in (6, 10):
        for true, outcome, stated in (
            (0.95, "regression", "<= 2.5 %"), (1.0, "regression", "0 %"), (0.95, "ok", "<= 2.5 %"),
            (0.9, "ok", "0 %"), (0.9, "regression", ""), (1.0, "ok", ""),
        ):  # fmt: skip
            hits = 0
            for _ in range(times):
                samples = [[np.exp(normal(generator, n, 0.02)) * level] for level in (1.0, true)]
                record = table(samples, baseline=True)[1].record
                found = outcome_of(limit, record["ratio_lo"] - 1, record["ratio_hi"] - 1, record["verdict"])
                hits += found == outcome
            change = f"{100 * (true - 1):+g} %"
            yield Row(
                f"gate at -5 % reports {outcome}, true change {change}, {n} runs each", stated, share(hits, times)
            )


def over_settings(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Six settings of three runs: the verdict over all of them, its interval, the test of whether they differ."""
    times = max(1, times // 4)
    for name, spreads, ratio in (
        ("2 % spread", (0.02, 0.02), 1.0), ("2 % spread, true ratio 0.41", (0.02, 0.02), 0.41),
        ("1 % against 10 %", (0.01, 0.1), 1.0),
    ):  # fmt: skip
        wrong = inside = differ = 0
        for _ in range(times):
            levels = generator.lognormal(8, 1, 6)
            samples = [
                [level * factor * np.exp(normal(generator, 3, spread)) for level in levels]
                for spread, factor in zip(spreads, (1.0, ratio), strict=True)
            ]
            rows = compare_over_settings([table(samples, baseline=True)], ("variant",), {"variant": "0"}, METHOD)
            row = rows.iloc[0]
            wrong += row["verdict"] in {"better", "worse"}
            inside += row["lo"] <= ratio <= row["hi"]
            differ += row["p_differ"] <= 0.05
        if ratio == 1:
            yield Row(f"false verdict over 6 settings of 3 runs, {name}", "<= 5 %", share(wrong, times))
        yield Row(
            f"interval over 6 settings of 3 runs contains the true value, {name}", ">= 95 %", share(inside, times)
        )
        yield Row(f"equal settings reported as different, {name}", "about 5 %", share(differ, times))


def equivalence(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """``--same-within 5%`` of settings that differ by just 5 %, and of settings that don't."""
    times = max(1, times // 4)
    method = METHOD._replace(same_within=0.05)
    for n in (6, 10):
        for true, stated in ((1.05, "<= 5 %"), (1.0, "")):
            hits = 0
            for _ in range(times):
                samples = [[np.exp(normal(generator, n, 0.02)) * level] for level in (1.0, true)]
                hits += bool(table(samples, baseline=True, method=method)[1].record["equivalent"])
            yield Row(
                f"reported as the same within 5 %, true {100 * (true - 1):+g} %, {n} runs each",
                stated,
                share(hits, times),
            )


def runs_to_tell(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Six runs that show no significant difference: whether the number that is needed is above the fewest stated."""
    truth = runs_needed(0.7377, 0.05)  # two normal distributions 0.9 spreads apart: P(x > y) = Φ(0.9 / √2)
    assert truth
    open_ = above = 0
    for _ in range(times):
        samples = [[np.exp(normal(generator, 6, 0.02) + shift)] for shift in (0.0, 0.018)]
        record = table(samples, baseline=True)[1].record
        if record["verdict"] == "undecided":
            open_ += 1
            above += record["runs_needed_lo"] is not None and record["runs_needed_lo"] <= truth
    yield Row(f"runs needed: the stated minimum is at most the true {truth}", ">= 95 %", share(above, open_))


def scaling(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Curves over five core counts, one run each, with errors in proportion to the rate."""
    times = max(1, times // 8)
    cores = np.array([1.0, 4.0, 10.0, 20.0, 40.0])
    for name, sigma, kappa, peaked in (
        ("USL with a peak at 22", 0.02, 0.002, True), ("USL with a peak at 37", 0.02, 0.0007, False),
        ("Amdahl", 0.05, 0.0, False), ("linear", 0.0, 0.0, False),
    ):  # fmt: skip
        inside, claimed, beyond = {"absolute": 0, "relative": 0}, 0, 0
        for _ in range(times):
            truth = 1000 * cores / (1 + sigma * (cores - 1) + kappa * cores * (cores - 1))
            curve = curve_of(cores, truth * np.exp(normal(generator, 5, 0.02)))
            usl = {errors: fit_curve(curve, errors, 0.95)[0][-1] for errors in inside}  # type: ignore[arg-type]
            for errors, fit in usl.items():
                inside[errors] += fit.kappa.lo <= kappa <= fit.kappa.hi
            first = usl["absolute"]
            claimed += first.peak is not None and doubt_of_peak(curve, first, partial(usl.get, "relative"), []) is None
            beyond += is_superlinear(curve, 0.95)
        if kappa:
            for errors, count in inside.items():
                stated = "about 80 %" if errors == "absolute" else "about 95 %"
                what = f"interval of κ contains the true value, 5 core counts, {name}, --errors {errors}"
                yield Row(what, stated, share(count, times))
        yield Row(f"a peak is claimed, {name}", "" if peaked else "<= 1 %", share(claimed, times))
        yield Row(f"reported as faster than linear, {name}", "<= 5 %", share(beyond, times))


def curve_of(cores: np.ndarray, rates: np.ndarray) -> Curve:
    """A curve of single runs."""
    frame = {"run": [f"run{n:g}" for n in cores], "valid": True, "usable": True, "cores": cores, "rate": rates}
    frame[resolution_of("rate")] = 0.0
    runs = pd.DataFrame(frame)
    return Curve({}, "cores", "rate", runs, curve_points(runs, [], "cores", "rate", 0.95))


def audit(generator: np.random.Generator, times: int) -> Iterator[Row]:
    """Contradictions planted in real output, and real output that agrees with itself (tests/analysis/audit/planted)."""
    from tests.analysis.audit.planted.score import found_by_kind, verdicts_of_sound_runs

    for name in ("develop", "held_out"):
        kinds = found_by_kind(name).values()
        found, planted = (sum(one) for one in zip(*kinds, strict=True))
        yield Row(f"audit: contradictions found of {planted} planted ones ({name})", ">= 95 %", share(found, planted))
    verdicts = verdicts_of_sound_runs()
    for verdict, stated in (("invalid", "0 %"), ("suspect", "<= 2 %"), ("latency-suspect", "")):
        what = f"audit: reported as {verdict}, of {verdicts.total()} sound runs"
        yield Row(what, stated, share(verdicts[verdict], verdicts.total()))


EXPERIMENTS: dict[str, Experiment] = {
    "medians": medians, "same-twice": same_twice, "families": families, "ratios": ratios, "drift": drift,
    "uneven": uneven, "turns": turns_find_more, "gates": gates, "over-settings": over_settings,
    "equivalence": equivalence, "runs-to-tell": runs_to_tell, "scaling": scaling, "audit": audit,
}  # fmt: skip
