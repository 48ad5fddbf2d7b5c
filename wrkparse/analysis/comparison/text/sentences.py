"""What a comparison says, in sentences: who answers more requests than whom, how sure that is, what can't be told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wrkparse.analysis.checks.reports.errors import closes_connections
from wrkparse.analysis.comparison.cells.baseline import names_a_baseline
from wrkparse.analysis.comparison.loads import (
    connections_range,
    connections_words,
    is_slight,
    on_kept_rate,
    on_loads,
    on_requested_rate,
    on_settings_at_rate,
)
from wrkparse.analysis.comparison.text.claims import (
    SIGNIFICANT,
    Claim,
    are_apart,
    cell_claims,
    is_one_run_each,
    is_single,
    labels_of,
    run_values,
    turned,
    variant_claims,
)
from wrkparse.analysis.comparison.text.headline import depends_on
from wrkparse.analysis.comparison.text.rising import rising_sentence
from wrkparse.analysis.comparison.text.statements import (
    TOO_FEW,
    at,
    directions,
    evidence,
    not_apart,
    of,
    pair,
    runs,
    settings_words,
    small_metric,
    statement,
    times,
    would_tell,
)
from wrkparse.analysis.comparison.text.wording import (
    amount,
    decimals,
    metric_words,
    name_words,
    p_words,
    place_words,
)
from wrkparse.analysis.runs.labels.factors import HOW_MEASURED, REQUESTED
from wrkparse.analysis.runs.labels.key_words import key_with_option
from wrkparse.analysis.runs.labels.labels import differ_in_numbers
from wrkparse.analysis.wording import joined, share
from wrkparse.tools.common import ERRORS_CONNECT, THROUGHPUT

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST = 3  # claims of one metric that are told each; of more, the best and the worst are
_MOST_LISTED = 5  # names that are all listed, the best first
_NOT_APART, _TOO_FEW = "can't be told apart", "with too few runs to tell"  # as `_tally` counts them
_OF_ALL = {_NOT_APART: "none can be told apart", _TOO_FEW: "all have too few runs to tell"}
_NO_RANKS = "There are too few runs for ranks; name a baseline to see ratios."
_READS = "errors_read"
_NOTHING_DONE = "nothing-measured"  # a finding of the audit; a rate of 0.00 may also be rounded
_ONE_EACH = "One run each describes only these runs, not the next one."


class Said(NamedTuple):
    """A sentence on a metric, and one that `follows` it, or an empty text.

    `decided` if it states a significant difference, `overall` if it sums up many claims.
    """

    metric: str
    text: str
    follows: str = ""
    decided: bool = False
    overall: bool = False


def sentences(table: ComparisonTable) -> tuple[str, ...]:
    """The sentences, by metric; what all settings say together stands for its settings.

    That the loads differ comes first, unless that can hardly turn the answer round.
    """
    said = by_metric(table)
    first = said[0].metric if said else ""
    answers, others = (
        [text for one in said if (one.metric == first) is is_first for text in (one.text, one.follows) if text]
        for is_first in (True, False)
    )
    caution = [*on_loads(table)] if table.baseline else []
    found = [*answers, *caution, *others] if is_slight(table) else [*caution, *answers, *others]
    return tuple(dict.fromkeys([*found, *single_run_sentences(table)]))


def by_metric(table: ComparisonTable) -> list[Said]:
    """The `sentences` that are about one metric each."""
    names = list(dict.fromkeys(str(name) for name in table.cells["metric"]))
    if not table.baseline:
        return [Said(name, sentence) for name in names for sentence in _ranks(table, name)]
    claims = {name: variant_claims(table, name) for name in names}
    alone = not any(claims.values())
    # a rate that was asked for, and reached, is no answer
    telling = sorted(names, key=lambda name: bool(on_requested_rate(table, name)))
    found = list[Said]()
    for name in telling:
        found += _of_metric(table, name, claims[name], alone=alone)
        found += [Said(name, text) for text in (on_settings_at_rate(table, name),) if text]
        if name == names[0]:
            found += [Said(name, text) for text in _without_baseline(table, name)]
    return [one for one in found if not any(other.text.startswith(f"{one.text[:-1]} ") for other in found)]  # says less


def single_run_sentences(table: ComparisonTable) -> list[str]:
    """What single runs can't tell, if a comparison rests on some: the last of its `sentences`."""
    names = dict.fromkeys(str(name) for name in table.cells["metric"]) if table.baseline else ()
    found = _on_one_run([claim for name in names for claim in variant_claims(table, name)])
    return [*found, _ONE_EACH] if names and is_one_run_each(table) else found


def _of_metric(table: ComparisonTable, name: str, claims: list[Claim], *, alone: bool) -> Iterator[Said]:
    """The sentences on one metric; `alone` says that no other metric has a claim."""
    yield from (Said(name, text) for text in _without_answers(table, name))
    if not claims:
        yield from (Said(name, text) for text in _without_claims(table, name, alone=alone))
        return
    claims = shown = list(filter(_is_told, claims))
    asked = on_requested_rate(table, name)
    tally = list[Said]()
    if rising := rising_sentence(table, name):  # it says more than that each pair alone can't be told apart
        yield Said(name, rising, decided=True, overall=True)
        shown = [claim for claim in claims if claim.verdict in SIGNIFICANT]
    elif len(claims) > _MOST and not asked:
        order, tally = _on_many(table, name, claims)
        yield from order
    if len(shown) > _MOST:
        shown = _extremes(shown)
    shown.sort(key=lambda claim: _weight(table, claim))
    cells = cell_claims(table, name)
    if asked:
        yield Said(name, asked)
        shown = [claim for claim in shown if claim.verdict in SIGNIFICANT]
    kept = on_kept_rate(table, name)
    for _, group in groupby(shown, key=lambda claim: _told_together(table, claim)):
        together = _best_names_first(table, name, list(group))
        of_variant = [one for one in cells if one.variant == together[0].variant]
        decided, differs = together[0].verdict in SIGNIFICANT, _differs(table, together[0])
        # what holds in no setting, or not in all, is no first sentence
        disagree = differs and (not decided or (together[0].higher > 0 and together[0].lower > 0))
        if disagree:
            yield Said(name, _depending(table, together[0], of_variant), decided=decided)
            if not decided:  # a ratio over settings that disagree describes none of them
                continue
        follows = _differing(table, together[0], of_variant) if differs and not disagree else ""
        follows, kept = " ".join(filter(None, (follows, kept if decided else ""))), "" if decided else kept
        yield Said(name, _sentence(table, together, of_variant), follows, decided=decided)
    yield from tally  # who is faster says more than how many are


def _without_baseline(table: ComparisonTable, name: str) -> Iterator[str]:
    """Who is the best in settings that the baseline does not have: what is compared there has no ratio."""
    rows = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()].to_dict("records")
    settings: dict[tuple[str | None, ...], list[dict[Any, Any]]] = {}
    for row in rows:
        settings.setdefault(tuple(labels_of(row, table.setting_keys).values()), []).append(row)
    apart = [group for group in settings.values() if {row["verdict"] for row in group} == {"no baseline"}]
    several = [group for group in apart if len(group) > 1 and isinstance(group[0]["better"], str)]
    for group in several[:_MOST]:
        order = sorted(group, key=lambda row: row["center"], reverse=group[0]["better"] == "higher")
        named = [(labels_of(row, table.compared), amount(row["center"], row["unit"], name)) for row in order]
        listed = [f"{name_words(labels) or place_words(labels)} {value}" for labels, value in named]
        shown = ", ".join(listed) if len(listed) <= _MOST_LISTED else f"{', '.join(listed[:_MOST])} … {listed[-1]}"
        single = all(row["n"] == 1 for row in group)
        kind = "one run each" if single else f"{table.center}s of these runs"
        loads = connections_range(table, [labels_of(row, (*table.rows, *table.columns)) for row in group])
        remark = "; ".join(filter(None, (kind, loads)))
        yield f"{metric_words(name)}{at(labels_of(group[0], table.setting_keys))}, best first: {shown} ({remark})."


def _weight(table: ComparisonTable, claim: Claim) -> tuple[int, float]:
    """The order of claims: those with a verdict first, then those whose runs do not overlap, the farthest apart first.

    Claims of equal weight keep the order of the table.
    """
    if claim.verdict in SIGNIFICANT:
        return 0, 0.0
    if are_apart(table, claim) and math.isfinite(claim.ratio) and claim.ratio > 0:
        return 1, -abs(math.log(claim.ratio))
    return 2, 0.0


def _best_names_first(table: ComparisonTable, metric: str, claims: list[Claim]) -> list[Claim]:
    """The claims of one sentence, the best first if they are about names; numbers keep their order."""
    better = table.cells.loc[table.cells["metric"] == metric, "better"].iloc[0]
    names = [name_words(claim.variant) for claim in claims]
    if not isinstance(better, str) or not all(names) or differ_in_numbers([name_words(table.baseline), *names]):
        return claims
    if any(math.isnan(claim.ratio) for claim in claims):
        return claims
    return sorted(claims, key=lambda claim: claim.ratio, reverse=better == "higher")


def _without_claims(table: ComparisonTable, name: str, *, alone: bool) -> Iterator[str]:
    """Why a metric has no claim; if no metric has one, the first says that the settings are apart."""
    failed, first = [*_failed(table, name)], str(table.cells["metric"].iloc[0])
    is_left_out = bool(_left_out(table, name))
    is_said = name != first and (bool(_left_out(table, first)) or (alone and not is_left_out))
    if not failed and not is_said and not on_settings_at_rate(table, name):
        yield _nothing_compared(table, name, alone=alone)
    yield from failed


def _on_many(table: ComparisonTable, name: str, claims: list[Claim]) -> tuple[list[Said], list[Said]]:
    """What sums up many claims before they are told, and behind them: the best first, and how many have each verdict.

    Who is faster says more than how many are.
    """
    order = _best_first(table, name, claims) or _leaders(table, name, claims)
    before = [Said(name, order, overall=True)] if order else []
    # of single runs the last sentence says it
    tally = [] if all(map(is_single, claims)) else [Said(name, _tally(table, name, claims), overall=True)]
    if order or not any(claim.verdict in SIGNIFICANT for claim in claims):
        return before + tally, []
    return before, tally


def _differs(table: ComparisonTable, claim: Claim) -> bool:
    """Whether the settings of a claim over several differ from each other."""
    return claim.settings > 0 and not claim.is_share and claim.p_differ <= table.alpha  # shares have no ratios to show


def _told_together(table: ComparisonTable, claim: Claim) -> tuple[object, ...]:
    """What successive claims that stand in one sentence have in common; claims with a verdict stand alone."""
    if claim.verdict != TOO_FEW or claim.is_share or math.isnan(claim.ratio) or _differs(table, claim):
        return (id(claim),)
    runs_of_both, ways = (claim.runs, claim.base_runs), directions(claim)
    load = connections_words(table, claim)
    return (*claim.place.items(), runs_of_both, claim.settings, ways, are_apart(table, claim), load)


def _on_one_run(claims: Sequence[Claim]) -> list[str]:
    """What a single run can't tell, of claims that rest on one."""
    single = [claim for claim in claims if claim.verdict == TOO_FEW and is_single(claim) and _is_told(claim)]
    if not single:
        return []
    who = "One run each" if all(claim.runs == claim.base_runs for claim in single) else "A single run"
    needed = max(claim.needed or 0 for claim in single)
    in_one = " in one setting, and fewer in several that agree" if any(claim.place for claim in single) else ""
    enough = f"; that takes at least {needed:,} runs each{in_one}" if needed else ""
    return [f"{who} can't distinguish a difference from chance{enough}."]


def _nothing_compared(table: ComparisonTable, name: str, *, alone: bool) -> str:
    """Why no setting of a metric has runs beside those of the baseline."""
    if left_out := _left_out(table, name):
        return left_out if alone else f"{metric_words(name)}: {left_out[0].lower()}{left_out[1:]}"
    stated = table.cells[(table.cells["metric"] == name) & (table.cells["verdict"] != "missing")]
    variants = {tuple(labels_of(row, table.compared).items()) for row in stated.to_dict("records")}
    if len(variants) == 1:
        return f"{metric_words(name)}: only runs {of(dict(variants.pop()))} state any."
    known = name_words(table.baseline)
    beside = f"those of {known}" if known else f"those {place_words(table.baseline)}"
    return f"{metric_words(name)}: no setting has other runs beside {beside}{_why_apart(table)}."


def _failed(table: ComparisonTable, name: str) -> Iterator[str]:
    """The shares of requests that failed, where failures make runs invalid: they are what there is to say of them."""
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    if (
        table.setting_keys
        or len(cells) > _MOST
        or not (cells["is_share"].eq(True) & cells["verdict"].eq("invalid")).any()
    ):
        return
    shares = [
        f"{share(row['center'])} of the requests {of(labels_of(row, table.compared))}"
        for row in cells.to_dict("records")
        if name != _READS or not closes_connections(np.array(row["center"]))
    ]
    if not shares:
        return
    yield f"{metric_words(name)}: {joined(shares)}."


def _without_answers(table: ComparisonTable, name: str) -> Iterator[str]:
    """Who answered no request in any run: that says more than that the runs are invalid."""
    idle = sum(count for one in table.unused for code, count in one.causes if code == _NOTHING_DONE)
    if name != THROUGHPUT.name or not idle:
        return
    cells = table.cells[(table.cells["metric"] == name) & table.cells["verdict"].eq("invalid")]
    for row in cells.head(_MOST).to_dict("records"):
        variant, place = labels_of(row, table.compared), labels_of(row, table.setting_keys)
        values = run_values(table, name, {**variant, **place})
        if not values.any() and len(values) <= idle:
            who = name_words(variant) or f"the server {place_words(variant)}"
            said = f"{who} answered no request{at(place)} in {_each_of(len(values))}."
            yield said[0].upper() + said[1:] if who.startswith("the ") else said


def _each_of(count: int) -> str:
    return f"any of its {count} runs" if count > 1 else "its only run"


def _why_apart(table: ComparisonTable) -> str:
    """The labels that part the settings, and what would let them meet; empty without such labels."""
    keys = table.separated
    if not keys:
        return ""
    if set(keys) <= {*REQUESTED, "path", "url"}:  # other requests are no repeats
        remedy = ""
    elif set(keys) & set(HOW_MEASURED):
        remedy = "; measure all of them in the same way to compare them"
    else:
        remedy = f", and --ignore {','.join(keys)} would compare them"
    return f": they differ in {', '.join(map(key_with_option, keys))}{remedy}"


def _left_out(table: ComparisonTable, name: str) -> str:
    """How many runs the audit leaves out, if nothing is compared for that reason; else empty."""
    cells = table.cells[(table.cells["metric"] == name) & (table.cells["verdict"] != "missing")]
    if not _would_compare(table, cells):
        return ""
    none_counts = (cells["verdict"] == "invalid").all()
    out = int(cells["invalid"].sum())
    found = int(cells.loc[cells["verdict"] != "invalid", "n"].sum()) + out
    left = "No run is left to compare" if none_counts else "No comparison is left"
    return f"{left}: the audit finds {_faults(table, out, found)}."


def _faults(table: ComparisonTable, out: int, found: int) -> str:
    """``all runs invalid``, ``3 of 18 runs invalid and the latencies of 11 suspect``: `out` of the runs found."""
    has_other = not table.cells["metric"].str.startswith("latency").all()
    # a run whose latency alone is doubted counts for the other metrics that it states
    stated = table.cells[table.cells["verdict"] != "missing"]
    counting = stated["n"].where(stated["verdict"] != "invalid", 0)
    runs_of = (counting + stated["invalid"]).groupby(stated["metric"]).sum()
    widest = runs_of.index[runs_of == runs_of.max()]
    invalid = int(stated[stated["metric"].isin(widest)].groupby("metric")["invalid"].sum().min())
    of = f"all {found} runs" if out == found else f"{out} of {found} runs"
    of = "both runs" if out == found == 2 else of
    if not has_other:
        return f"{of} invalid, or their latencies suspect"
    if out == invalid:
        return f"{of} invalid"
    if not invalid:
        return f"the latencies of {of} suspect"
    return f"{invalid} of {found} runs invalid and the latencies of {out - invalid} suspect"


def _would_compare(table: ComparisonTable, cells: pd.DataFrame) -> bool:
    """Whether there would be a comparison if the cells without a run that counts had one."""
    if not (cells["verdict"] == "invalid").any():
        return False
    if not table.baseline:
        return bool((cells["verdict"] == "invalid").all())
    keys = [key for key in (*table.columns, *table.rows) if key not in table.baseline]
    of_base, others = set[tuple[str | None, ...]](), set[tuple[str | None, ...]]()
    for row in cells.to_dict("records"):
        is_base = labels_of(row, tuple(table.baseline)) == dict(table.baseline)
        (of_base if is_base else others).add(tuple(labels_of(row, tuple(keys)).values()))
    return bool(of_base & others)


def _is_told(claim: Claim) -> bool:
    """Whether a claim has a sentence: not if it is that as many requests failed as of the baseline's."""
    differs = claim.higher + claim.lower > 0 or (not claim.settings and claim.center != claim.base_center)
    return not claim.is_share or differs


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
    if len(of_base) > 1 or len(known) < len(found) or any(claim.is_share for claim in claims):
        return ""
    order = sorted(known, key=lambda one: one[1], reverse=row["better"] == "higher")
    listed = [f"{called} {amount(value, row['unit'], name)}" for called, value in order]
    shown = ", ".join(listed) if len(listed) <= _MOST_LISTED else f"{', '.join(listed[:_MOST])} … {listed[-1]}"
    kind = f"{'medians' if table.center == 'median' else 'means'} of these runs"
    kind = "one run each" if all(map(is_single, claims)) else kind
    sides = [{**claim.place, **labels} for claim in claims for labels in (claim.variant, table.baseline)]
    remark = "; ".join(filter(None, (kind, connections_range(table, sides))))
    place = at(claims[0].place) if all(claim.place == claims[0].place for claim in claims) else ""
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
    shown = f"{amount(top['center'], unit, name)}{at(labels_of(top, table.setting_keys))}"
    each = "one run each" if (cells["n"] == 1).all() else f"{table.center}s of few runs"
    which = "settings" if len(best) == settings else "settings in which all runs count"
    [(first, count), *others] = names.most_common()
    if not others:
        all_ = "both" if count == 2 else f"all {count}"
        return f"{metric_words(name)}: {first} was {side} in {all_} {which}, {shown} at best ({each})."
    counts = joined([f"{who} in {many}" for who, many in names.most_common()[:_MOST]])
    return f"{metric_words(name)}: {side} was {counts} of {len(best)} {which}; the best was {shown} ({each})."


def _best_of_settings(
    table: ComparisonTable, rows: list[dict[Any, Any]], *, is_higher: bool
) -> tuple[int, list[dict[Any, Any]]]:
    """How many settings compare several, and of each in which all runs count the row with the best value."""
    settings: dict[tuple[str | None, ...], list[dict[Any, Any]]] = {}
    for row in rows:
        settings.setdefault(tuple(labels_of(row, table.setting_keys).values()), []).append(row)
    several = [group for group in settings.values() if len(group) > 1]
    counting = [group for group in several if all(row["verdict"] != "invalid" for row in group)]
    pick = max if is_higher else min
    return len(several), [pick(group, key=lambda row: row["center"]) for group in counting]


def _base_words(table: ComparisonTable) -> str:
    return name_words(table.baseline) or place_words(table.baseline)


def _extremes(claims: list[Claim]) -> list[Claim]:
    """The claims with the largest and the smallest ratio, of those with a verdict if there are any."""
    decided = [claim for claim in claims if claim.verdict in SIGNIFICANT] or claims
    known = sorted((claim for claim in decided if not math.isnan(claim.ratio)), key=lambda claim: claim.ratio)
    if not known:
        return sorted(decided, key=lambda claim: claim.base_center - claim.center)[:1]
    return [known[-1], known[0]] if len(known) > 1 else known


def _sentence(table: ComparisonTable, claims: list[Claim], cells: list[Claim]) -> str:
    """The sentence on one claim, or on several that are `_told_together`."""
    first = claims[0]
    if first.is_share:
        return _failures(table, first, cells)
    if first.verdict == "no pairs":
        why = "their order is not known" if first.runs == first.base_runs else "they are not as many on both sides"
        return f"{pair(first, table.baseline)} can't be compared in pairs: {why} ({runs(first)})."
    if math.isnan(first.ratio):
        judged = f": {first.verdict} ({evidence(claims)})" if first.verdict in SIGNIFICANT else ""
        text = f"{pair(first, table.baseline)} has no ratio, as a value is 0{judged}."
    elif first.verdict in SIGNIFICANT:
        judged = f": {first.verdict}" if first.verdict in {"better", "worse"} and first.metric != "throughput" else ""
        told, base = (
            (turned(first, table.baseline), first.variant) if _is_turned(table, first) else (first, table.baseline)
        )
        text = f"{statement([told], base)}{judged} ({evidence([told])}){directions(told)}."
    elif first.verdict in {"undecided", "too coarse"}:
        known = ", ".join(filter(None, (f"{first.ratio:.{decimals(first.ratio)}f}×", evidence(claims))))
        apart = f"{pair(first, table.baseline)} can't be told apart"
        if first.verdict == "too coarse":
            text = f"{apart}: the printed digits alone could make the difference ({known})."
        else:
            enough = not_apart(first)
            text = f"{apart} ({known}){directions(first)}{enough and f': {enough}'}."
    else:
        text = f"{statement(claims, table.baseline)}{_too_few(table, claims)}"
    if first.same and table.same_within is not None:
        text += f" It is the same within {share(table.same_within)}."
    places = [connections_words(table, first), settings_words(first, cells) if first.settings else ""]
    for place in filter(None, reversed(places)):  # the connections come first
        text = f"{place}, {small_metric(text, first.metric)}"
    return text


def _is_turned(table: ComparisonTable, claim: Claim) -> bool:
    """Whether a sentence names the baseline first because it is the faster: its ratio is then above 1, as in titles.

    A baseline that is one by its name or its place stays the standard: ``new answers 0.80 times as many as old``.
    """
    if claim.metric != "throughput" or claim.verdict not in SIGNIFICANT or claim.ratio >= 1:
        return False
    if "input" in table.compared or names_a_baseline(table.baseline):
        return False
    return bool(name_words(claim.variant) and name_words(table.baseline))


def _too_few(table: ComparisonTable, claims: list[Claim]) -> str:
    """The end of a sentence on runs that are too few for a verdict."""
    first = claims[0]
    if first.settings:
        return f"{directions(first)}, but that is too few to tell ({evidence(claims)})."
    if is_single(first):
        return f" ({runs(first)})."
    apart = ", none overlapping" if are_apart(table, first) else ""
    enough = f"; {would_tell(claims)}" if would_tell(claims) else ""
    return f" ({evidence(claims)}{apart}): too few runs to tell{enough}."


def _differing(table: ComparisonTable, claim: Claim, cells: list[Claim]) -> str:
    """What the settings say where one ratio does not hold in all of them."""
    told = [turned(one, table.baseline) for one in cells] if _is_turned(table, claim) else cells
    return f"The settings differ from each other ({p_words(claim.p_differ)}): {_ends(told)}."


def _depending(table: ComparisonTable, claim: Claim, cells: list[Claim]) -> str:
    """The same where the settings together tell nothing: ``… depends on alloc: 1.0 times … to 4.6 times …``."""
    name, base = name_words(claim.variant), name_words(table.baseline)
    if _is_turned(table, claim):
        name, base, cells = base, name, [turned(one, table.baseline) for one in cells]
    both = f"of {name} against {base}"
    if name is None or base is None:
        first, _, rest = place_words(table.baseline).partition(" ")
        variant = place_words(claim.variant)
        both = f"{variant} against {rest if variant.startswith(f'{first} ') else place_words(table.baseline)}"
    text = f"{metric_words(claim.metric)} {both} depends on {depends_on(cells)} ({p_words(claim.p_differ)})"
    return f"{text}: {_ends(cells)}."


def _ends(cells: list[Claim]) -> str:
    """The smallest and the largest ratio of the settings with several runs, with these settings.

    All settings together may decide what the runs of one are too few for: readers see both, so the end says so.
    """
    several = [one for one in cells if not math.isnan(one.ratio) and min(one.runs, one.base_runs) > 1]
    known = sorted(several, key=lambda one: one.ratio)
    ends = known[0], known[-1]
    alone = all(one.verdict == TOO_FEW for one in ends)
    text = " to ".join(f"{times(one)} {place_words(one.place)}" for one in ends)
    return f"{text}. All settings together show that; each alone has too few runs for a verdict" if alone else text


def _failures(table: ComparisonTable, claim: Claim, cells: Sequence[Claim] = ()) -> str:
    """The share of requests that failed beside that of the baseline; over all settings, in how many it is larger.

    If only one of the settings, whose claims `cells` are, has other shares than the baseline, its shares.
    """
    differing = [cell for cell in cells if cell.center != cell.base_center]
    if closing := _closing(table, claim, cells):
        return closing
    if claim.settings and claim.verdict not in SIGNIFICANT and len(differing) == 1:
        return _failures(table, differing[0])
    if refused := _refused(table, claim):
        return refused
    name = name_words(claim.variant) or place_words(claim.variant)
    base, title = of(table.baseline), metric_words(claim.metric)
    judged = f": {claim.verdict}" if claim.verdict in SIGNIFICANT else "; that is too few to tell"
    judged = judged if claim.verdict != "undecided" else ", which may be chance"
    p = f" ({p_words(claim.p, adjusted=claim.adjusted)})" if not math.isnan(claim.p) else ""
    if claim.settings:
        counts = [f"{side} in {count}" for side, count in (("more", claim.higher), ("fewer", claim.lower)) if count]
        more = f"{' and '.join(counts)} of {claim.settings} settings than {_base_words(table)}"
        return f"{title}: {name} has {more}{p}{judged}."
    beside = f"of those {base}" if name_words(claim.variant) or name_words(table.baseline) else base
    shares = f"{share(claim.center)} of the requests {of(claim.variant)}, {share(claim.base_center)} {beside}"
    known = f" ({', '.join(filter(None, (p_words(claim.p, adjusted=claim.adjusted), runs(claim))))})"
    several = ", where ab counts more failures than requests" if max(claim.center, claim.base_center) > 1 else ""
    return f"{title}: {shares}{at(claim.place)}{several if table.tools == ('ab',) else ''}{known}{judged}."


def _closing(table: ComparisonTable, claim: Claim, cells: Sequence[Claim]) -> str:
    """Who closed each connection after its response, where wrk's failed reads say that; else empty."""
    if claim.metric != _READS:
        return ""
    shares = [(cell.center, cell.base_center) for cell in (cells if claim.settings else [claim])]
    closes = [bool(closes_connections(np.array(of_side)).all()) for of_side in zip(*shares, strict=True)]
    names = [name_words(one) or f"the server {place_words(one)}" for one in (claim.variant, table.baseline)]
    closing = [name for name, does in zip(names, closes, strict=True) if does]
    others = [name for name, does in zip(names, closes, strict=True) if not does]
    if not closing:
        return ""
    beside = f"; {others[0]} did not" if others else ""
    who = joined(closing)
    who = who[0].upper() + who[1:] if who.startswith("the server ") else who
    place = {key: value for key, value in claim.place.items() if value is not None}
    each = f"closed the connection after each response{at(place)}"
    return f"{who} {each}, which wrk counts as failed reads{beside}."


def _refused(table: ComparisonTable, claim: Claim) -> str:
    """Which share of the connections failed in one setting: the others carried all the requests; else empty."""
    keys = (*table.rows, *table.columns)
    both = [{**claim.place, **labels} for labels in (claim.variant, table.baseline)]
    shares = [table.refused.get(tuple(labels.get(key) for key in keys)) for labels in both]
    own, base = shares
    if claim.metric != ERRORS_CONNECT.name or claim.settings or own is None or base is None:
        return ""
    up_to = "" if is_single(claim) else "up to "
    beside = f"{up_to}{share(base)} of those {of(table.baseline)}{at(claim.place)}"
    known = f"{up_to}{share(own)} of the connections {of(claim.variant)}, {beside} ({runs(claim)})"
    return f"{metric_words(claim.metric)}: {known}, so the load may not have been reached."


def _ranks(table: ComparisonTable, name: str) -> list[str]:
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
        return [_left_out(table, name) or _NO_RANKS]
    found = [
        f"Ranks by {name}{at(dict(zip(table.columns, place, strict=True)))}: {', '.join(ranks)}."
        for place, ranks in list(groups.items())[:_MOST]
    ]
    more = len(groups) - len(found)
    return [*found, f"{more} more settings have ranks of their own."] if more else found
