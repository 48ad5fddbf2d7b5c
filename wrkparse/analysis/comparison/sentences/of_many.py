"""Sentences that sum up many settings or names: the best first, the best of each setting, ranks, how many differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.comparison.loads import (
    connections_range,
)
from wrkparse.analysis.comparison.sentences.metric_sentence import MetricSentence
from wrkparse.analysis.comparison.sentences.uncompared import left_out
from wrkparse.analysis.comparison.text.claims import (
    SIGNIFICANT,
    Claim,
    is_single,
    labels_of,
)
from wrkparse.analysis.comparison.text.statements import (
    at_words,
)
from wrkparse.analysis.comparison.text.wording import (
    amount_words,
    metric_words,
    name_words,
    place_words,
)
from wrkparse.analysis.wording import word_list

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST = 3  # settings and names that are named one by one
_MOST_LISTED = 5  # names that are all listed, the best first
_NOT_APART, _TOO_FEW = "can't be told apart", "with too few runs to tell"  # as `_tally` counts them
_OF_ALL = {_NOT_APART: "none can be told apart", _TOO_FEW: "all have too few runs to tell"}
_NO_RANKS = "There are too few runs for ranks; name a baseline to see ratios."


def best_without_baseline(table: ComparisonTable, name: str) -> Iterator[str]:
    """Who is the best in settings that the baseline does not have: what is compared there has no ratio."""
    rows = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()].to_dict("records")
    apart = [group for group in _by_setting(table, rows) if {row["verdict"] for row in group} == {"no baseline"}]
    several = [group for group in apart if len(group) > 1 and isinstance(group[0]["better"], str)]
    for group in several[:_MOST]:
        order = sorted(group, key=lambda row: row["center"], reverse=group[0]["better"] == "higher")
        named = [(labels_of(row, table.compared), amount_words(row["center"], row["unit"], name)) for row in order]
        listed = [f"{name_words(labels) or place_words(labels)} {value}" for labels, value in named]
        shown = _shortened(listed)
        single = all(row["n"] == 1 for row in group)
        kind = "one run each" if single else f"{table.center}s of these runs"
        loads = connections_range(table, [labels_of(row, table.cell_keys) for row in group])
        remark = "; ".join(filter(None, (kind, loads)))
        place = at_words(labels_of(group[0], table.setting_keys))
        yield f"{metric_words(name)}{place}, best first: {shown} ({remark})."


def on_many(
    table: ComparisonTable, name: str, claims: list[Claim]
) -> tuple[list[MetricSentence], list[MetricSentence]]:
    """What sums up many claims before they are told, and behind them: the best first, and how many have each verdict.

    Who is faster says more than how many are.
    """
    order = _best_first(table, name, claims) or _leaders(table, name, claims)
    before = [MetricSentence(name, order, overall=True)] if order else []
    # of single runs the last sentence says it
    tally = [] if all(map(is_single, claims)) else [MetricSentence(name, _tally(table, name, claims), overall=True)]
    if order or not any(claim.verdict in SIGNIFICANT for claim in claims):
        return before + tally, []
    return before, tally


def _tally(table: ComparisonTable, name: str, claims: list[Claim]) -> str:
    """How many of many claims are better, worse, undecided, or rest on too few runs to be decided."""
    undecided = {"too few": _TOO_FEW, "no pairs": _TOO_FEW}
    counts = Counter(
        claim.verdict if claim.verdict in SIGNIFICANT else undecided.get(claim.verdict, _NOT_APART) for claim in claims
    )
    order = (*SIGNIFICANT, _NOT_APART, _TOO_FEW)
    listed = ", ".join(f"{counts[word]} {word}" for word in order if counts[word])
    if len(counts) == 1:
        listed = _OF_ALL.get(only := next(iter(counts)), f"all {only}")
    base = name_words(table.baseline) or f"the setting {place_words(table.baseline)}"
    return f"{metric_words(name)}, {len(claims)} comparisons with {base}: {listed}."


def _best_first(table: ComparisonTable, name: str, claims: list[Claim]) -> str:
    """The best of many names and the last one, with their values; empty if they were measured in several settings."""
    row = table.cells[table.cells["metric"] == name].iloc[0]
    of_base = {(name_words(table.baseline), claim.base_center) for claim in claims}
    found = [(name_words(claim.variant), claim.center) for claim in claims] + list(of_base)
    known = [(called, value) for called, value in found if called is not None and math.isfinite(value)]
    if not isinstance(row["better"], str):  # of a number of collections neither more nor fewer is better
        return ""
    # Over several settings the baseline has several values, and nobody is the best of all.
    if len(of_base) > 1 or len(known) < len(found) or any(claim.is_share for claim in claims):
        return ""
    order = sorted(known, key=lambda name_and_value: name_and_value[1], reverse=row["better"] == "higher")
    listed = [f"{called} {amount_words(value, row['unit'], name)}" for called, value in order]
    shown = _shortened(listed)
    kind = f"{'medians' if table.center == 'median' else 'means'} of these runs"
    kind = "one run each" if all(map(is_single, claims)) else kind
    sides = [{**claim.place, **labels} for claim in claims for labels in (claim.variant, table.baseline)]
    remark = "; ".join(filter(None, (kind, connections_range(table, sides))))
    place = at_words(claims[0].place) if all(claim.place == claims[0].place for claim in claims) else ""
    return f"{metric_words(name)}{place}, best first: {shown} ({remark})."


def _leaders(table: ComparisonTable, name: str, claims: list[Claim]) -> str:
    """Who is the best of many names in each of several settings, where no difference is decided; else empty.

    ``Throughput: kiwi was highest in all 4 settings, 186.1k requests/s at 50 connections at best (one run each).``
    """
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    better = cells["better"].iloc[0] if len(cells) else None
    if any(claim.verdict in SIGNIFICANT or claim.is_share for claim in claims) or not isinstance(better, str):
        return ""
    settings, best = _best_of_settings(table, cells.to_dict("records"), is_higher=better == "higher")
    names = Counter(name_words(labels_of(row, table.compared)) or "" for row in best)
    if len(best) < 2 or "" in names:
        return ""
    side, unit = "highest" if better == "higher" else "lowest", cells["unit"].iloc[0]
    top = (max if better == "higher" else min)(best, key=lambda row: row["center"])
    shown = f"{amount_words(top['center'], unit, name)}{at_words(labels_of(top, table.setting_keys))}"
    each = "one run each" if (cells["n"] == 1).all() else f"{table.center}s of few runs"
    which = "settings" if len(best) == settings else "settings in which all runs count"
    [(first, count), *others] = names.most_common()
    if not others:
        all_ = "both" if count == 2 else f"all {count}"
        return f"{metric_words(name)}: {first} was {side} in {all_} {which}, {shown} at best ({each})."
    counts = word_list([f"{who} in {many}" for who, many in names.most_common()[:_MOST]])
    return f"{metric_words(name)}: {side} was {counts} of {len(best)} {which}; the best was {shown} ({each})."


def _by_setting(table: ComparisonTable, rows: Iterable[dict[Any, Any]]) -> list[list[dict[Any, Any]]]:
    """Rows, grouped by their setting."""
    settings: dict[tuple[str | None, ...], list[dict[Any, Any]]] = {}
    for row in rows:
        settings.setdefault(tuple(labels_of(row, table.setting_keys).values()), []).append(row)
    return list(settings.values())


def _shortened(listed: list[str]) -> str:
    """A list of names and values in order; of many, the first ones and the last one."""
    return ", ".join(listed) if len(listed) <= _MOST_LISTED else f"{', '.join(listed[:_MOST])} … {listed[-1]}"


def _best_of_settings(
    table: ComparisonTable, rows: list[dict[Any, Any]], *, is_higher: bool
) -> tuple[int, list[dict[Any, Any]]]:
    """How many settings compare several, and of each in which all runs count the row with the best value."""
    several = [group for group in _by_setting(table, rows) if len(group) > 1]
    counting = [group for group in several if all(row["verdict"] != "invalid" for row in group)]
    pick = max if is_higher else min
    return len(several), [pick(group, key=lambda row: row["center"]) for group in counting]


def rank_sentences(table: ComparisonTable, name: str) -> list[str]:
    """The ranks of the rows in each setting, of a comparison without a baseline."""
    cells = table.cells[(table.cells["metric"] == name) & table.cells["rank_lo"].notna()]
    groups: dict[tuple[str | None, ...], list[str]] = {}
    for row in cells.sort_values(["rank_lo", "rank_hi"], kind="stable").to_dict("records"):
        low, high = int(row["rank_lo"]), int(row["rank_hi"])
        rank = str(low) if low == high else f"{low}–{high}"
        labels = labels_of(row, table.rows)
        groups.setdefault(tuple(labels_of(row, table.columns).values()), []).append(
            f"{name_words(labels) or place_words(labels)} {rank}"
        )
    if not groups:
        return [left_out(table, name) or _NO_RANKS]
    found = [
        f"Ranks by {name}{at_words(dict(zip(table.columns, place, strict=True)))}: {', '.join(ranks)}."
        for place, ranks in list(groups.items())[:_MOST]
    ]
    more = len(groups) - len(found)
    return [*found, f"{more} more settings have ranks of their own."] if more else found
