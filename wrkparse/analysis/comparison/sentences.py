"""What a comparison says, in sentences: who answers more requests than whom, how sure that is, what can't be told."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.claims import (
    SIGNIFICANT,
    Claim,
    Labels,
    cell_claims,
    is_one_run_each,
    labels_of,
    variant_claims,
)
from wrkparse.analysis.comparison.wording import (
    decimals,
    interval,
    key_in_sentence,
    metric_words,
    name_words,
    p_words,
    place_words,
    share,
)
from wrkparse.analysis.runs.factors import HOW_MEASURED
from wrkparse.analysis.runs.key_words import key_with_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST = 3  # claims of one metric that have a sentence each; of more, the best and the worst have one
_NOT_APART, _TOO_FEW = "can't be told apart", "with too few runs to tell"  # as `_tally` counts them
_DOUBTED = "or their latencies suspect"
_NO_RANKS = "There are too few runs for ranks; name a baseline to see ratios."
_ONE_EACH = "One run each tells of these runs only, not of a next one."


def sentences(table: ComparisonTable) -> tuple[str, ...]:
    """The sentences, by metric; what all settings say together stands for its settings."""
    found: list[str] = []
    names = list(dict.fromkeys(str(name) for name in table.cells["metric"]))
    for name in names:
        found += _of_metric(table, name) if table.baseline else _ranks(table, name)
    return tuple(dict.fromkeys([*found, _ONE_EACH] if is_one_run_each(table) else found))


def _of_metric(table: ComparisonTable, name: str) -> list[str]:
    cells, claims = cell_claims(table, name), variant_claims(table, name)
    if not claims:
        if left_out := _left_out(table, name):
            return [left_out]
        known = name_words(table.baseline)
        beside = f"those of {known}" if known else f"those {place_words(table.baseline)}"
        return [f"{metric_words(name)}: no setting has other runs beside {beside}{_why_apart(table)}."]
    claims = [claim for claim in claims if not claim.is_share or _shares_differ(claim)]
    shown, found = claims, []
    if len(claims) > _MOST:
        found, shown = [_tally(table, name, claims)], _extremes(claims)
    for claim in shown:
        of_variant = [one for one in cells if one.variant == claim.variant]
        differ = claim.settings > 0 and claim.p_differ <= table.alpha
        if differ and claim.verdict not in SIGNIFICANT:  # what holds in no setting is no first sentence
            found += [_depending(table, claim, of_variant), _sentence(table, claim)]
        else:
            found += [_sentence(table, claim), *([_differing(claim, of_variant)] if differ else [])]
    return found


def _why_apart(table: ComparisonTable) -> str:
    """The labels that part the settings, and what would let them meet; empty without such labels."""
    keys = table.separated
    if not keys:
        return ""
    if set(keys) & set(HOW_MEASURED):
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
    runs = int(cells.loc[cells["verdict"] != "invalid", "n"].sum()) + out
    # a run whose latency alone is doubted counts for the other metrics
    invalid = table.cells.groupby("metric")["invalid"].sum().min()
    has_other = not table.cells["metric"].str.startswith("latency").all()
    doubt = "" if has_other and out == invalid else f", {_DOUBTED}"
    left = "No run is left to compare" if none_counts else "No comparison is left"
    found = f"all of them invalid{doubt}" if none_counts else f"{out} of {runs} runs invalid{doubt}"
    return f"{left}: the audit finds {found}."


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


def _shares_differ(claim: Claim) -> bool:
    return claim.higher + claim.lower > 0 or (not claim.settings and claim.share != claim.base_share)


def _tally(table: ComparisonTable, name: str, claims: list[Claim]) -> str:
    """How many of many claims are better, worse, undecided, or rest on too few runs to be decided."""
    undecided = {"too few": _TOO_FEW, "no pairs": _TOO_FEW}
    counts = Counter(
        claim.verdict if claim.verdict in SIGNIFICANT else undecided.get(claim.verdict, _NOT_APART) for claim in claims
    )
    listed = ", ".join(f"{counts[word]} {word}" for word in (*SIGNIFICANT, _NOT_APART, _TOO_FEW) if counts[word])
    base = name_words(table.baseline) or f"the setting {place_words(table.baseline)}"
    return f"{metric_words(name)}, {len(claims)} comparisons with {base}: {listed}."


def _base_words(table: ComparisonTable) -> str:
    return name_words(table.baseline) or place_words(table.baseline)


def _extremes(claims: list[Claim]) -> list[Claim]:
    """The claims with the largest and the smallest ratio, of those with a verdict if there are any."""
    decided = [claim for claim in claims if claim.verdict in SIGNIFICANT] or claims
    known = sorted((claim for claim in decided if not math.isnan(claim.ratio)), key=lambda claim: claim.ratio)
    if not known:
        return sorted(decided, key=lambda claim: claim.base_share - claim.share)[:1]
    return [known[-1], known[0]] if len(known) > 1 else known


def _sentence(table: ComparisonTable, claim: Claim) -> str:
    if claim.is_share:
        return _failures(table, claim)
    sides, evidence = _sides(claim), _evidence(claim)
    if math.isnan(claim.ratio):
        judged = f": {claim.verdict} ({evidence})" if claim.verdict in SIGNIFICANT else ""
        text = f"{_pair(table, claim)} has no ratio, as a value is 0{judged}."
    elif claim.verdict in SIGNIFICANT:
        judged = f": {claim.verdict}" if claim.verdict in {"better", "worse"} and claim.metric != "throughput" else ""
        text = f"{statement(claim, table.baseline)}{judged} ({evidence}){sides}."
    elif claim.verdict in {"same?", "too coarse"}:
        ratio = f"{claim.ratio:.{decimals(claim.ratio)}f}×"
        text = f"{_pair(table, claim)} can't be told apart ({', '.join(filter(None, (ratio, evidence)))}){sides}"
        text += _why_not(claim)
    else:
        text = f"{statement(claim, table.baseline)}{_too_few(claim)}"
    if claim.same and table.same_within is not None:
        text += f" It is the same within {share(table.same_within)}."
    return f"Over {claim.settings} settings {_within(claim, text)}" if claim.settings else text


def _within(claim: Claim, text: str) -> str:
    """A sentence that stands behind other words: the metric at its beginning is small."""
    return text[0].lower() + text[1:] if text.startswith(metric_words(claim.metric)) else text


def statement(claim: Claim, baseline: Labels) -> str:
    """``nginx answers 2.4 times as many requests as go at 64 connections``, in the past of runs that prove nothing."""
    name, base = name_words(claim.variant), name_words(baseline)
    times, place = f"{claim.ratio:.{decimals(claim.ratio)}f} times", _at(claim.place)
    past = claim.verdict == "too few"
    if name is None or base is None:
        is_, words, base_words = "was" if past else "is", place_words(claim.variant), place_words(baseline)
        return f"{metric_words(claim.metric)} {is_} {times} as high {words} as {base_words}{place}"
    if claim.metric == "throughput":
        return f"{name} {'answered' if past else 'answers'} {times} as many requests as {base}{place}"
    return f"{metric_words(claim.metric)} of {name} {'was' if past else 'is'} {times} that of {base}{place}"


def _pair(table: ComparisonTable, claim: Claim) -> str:
    """``Throughput of nginx and go at 64 connections``."""
    name, base = name_words(claim.variant), name_words(table.baseline)
    words = metric_words(claim.metric)
    if name is None or base is None:
        return f"{words} {place_words(claim.variant)} and {place_words(table.baseline)}{_at(claim.place)}"
    return f"{words} of {name} and {base}{_at(claim.place)}"


def _at(place: Labels) -> str:
    return f" {place_words(place)}" if place else ""


def _evidence(claim: Claim) -> str:
    runs = "" if claim.settings else _runs(claim)
    known = interval(claim.lo, claim.hi, decimals(claim.ratio))
    return ", ".join(filter(None, (known, p_words(claim.p, adjusted=claim.adjusted), runs)))


def _runs(claim: Claim) -> str:
    if claim.runs == claim.base_runs:
        return "one run each" if claim.runs == 1 else f"{claim.runs} runs each"
    return f"{claim.runs} and {claim.base_runs} runs"


def _sides(claim: Claim) -> str:
    if not claim.settings:
        return ""
    all_ = "both" if claim.settings == 2 else f"all {claim.settings}"
    if max(claim.higher, claim.lower) == claim.settings:
        return f", on the same side in {all_}"
    sides = [f"{side} in {count}" for side, count in (("higher", claim.higher), ("lower", claim.lower)) if count]
    return f", {' and '.join(sides) or 'equal in all'} of {claim.settings}"


def _why_not(claim: Claim) -> str:
    if claim.verdict == "too coarse":
        return ": the printed digits alone could make the difference."
    return f": {_would_tell(claim)}." if claim.needed else "."


def _would_tell(claim: Claim) -> str:
    """``some 60 runs each would if the true difference is the one seen, 12 at the least``."""
    fewer = claim.fewest is not None and claim.needed is not None and claim.fewest < claim.needed
    least = f", {claim.fewest:,} at the least" if fewer else ""
    return f"some {claim.needed:,} runs each would if the true difference is the one seen{least}"


def _too_few(claim: Claim) -> str:
    """The end of a sentence on runs that are too few for a verdict."""
    if claim.settings:
        return f"{_sides(claim)}, but that is too few to tell ({_evidence(claim)})."
    if claim.verdict == "no pairs":
        return f", but these runs make no pairs ({_runs(claim)})."
    if min(claim.runs, claim.base_runs) == 1:
        least = f": that takes {claim.needed:,} runs each at least" if claim.needed else ""
        return f" in {_runs(claim)}, which can't tell a difference from chance{least}."
    enough = f": {_would_tell(claim)}" if claim.needed else ""
    return f" ({_evidence(claim)}), but these are too few runs to tell{enough}."


def _differing(claim: Claim, cells: list[Claim]) -> str:
    """What the settings say where one ratio does not hold in all of them."""
    return f"The settings differ from each other ({p_words(claim.p_differ)}): {' to '.join(_ends(cells))}."


def _depending(table: ComparisonTable, claim: Claim, cells: list[Claim]) -> str:
    """The same where the settings together tell nothing: ``… depends on alloc: 1.0 times … to 4.6 times …``."""
    varying = [key for key in cells[0].place if len({one.place.get(key) for one in cells}) > 1]
    key = key_in_sentence(varying[0]) if len(varying) == 1 else "the setting"
    name, base = name_words(claim.variant), name_words(table.baseline)
    pair = f"of {name} against {base}"
    if name is None or base is None:
        pair = f"{place_words(claim.variant)} against {place_words(table.baseline).removeprefix('with ')}"
    text = f"{metric_words(claim.metric)} {pair} depends on {key} ({p_words(claim.p_differ)})"
    return f"{text}: {' to '.join(_ends(cells))}."


def _ends(cells: list[Claim]) -> list[str]:
    """The smallest and the largest ratio, with their settings."""
    known = sorted((one for one in cells if not math.isnan(one.ratio)), key=lambda one: one.ratio)
    return [f"{one.ratio:.{decimals(one.ratio)}f} times {place_words(one.place)}" for one in (known[0], known[-1])]


def _failures(table: ComparisonTable, claim: Claim) -> str:
    """The share of requests that failed beside that of the baseline; over all settings, in how many it is larger."""
    name = name_words(claim.variant) or place_words(claim.variant)
    base, title = _base_words(table), metric_words(claim.metric)
    judged = f": {claim.verdict}" if claim.verdict in SIGNIFICANT else "; that is too few to tell"
    judged = judged if claim.verdict != "same?" else ", which can't be told from chance"
    p = f" ({p_words(claim.p, adjusted=claim.adjusted)})" if not math.isnan(claim.p) else ""
    if claim.settings:
        sides = [f"{side} in {count}" for side, count in (("more", claim.higher), ("fewer", claim.lower)) if count]
        return f"{title}: {name} has {' and '.join(sides)} of {claim.settings} settings than {base}{p}{judged}."
    shares = f"{share(claim.share)} of the requests of {name}, {share(claim.base_share)} of those of {base}"
    if name_words(claim.variant) is None:
        shares = f"{share(claim.share)} of the requests {name}, {share(claim.base_share)} {base}"
    runs = f" ({', '.join(filter(None, (p_words(claim.p, adjusted=claim.adjusted), _runs(claim))))})"
    return f"{title}: {shares}{_at(claim.place)}{runs}{judged}."


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
        f"Ranks by {name}{_at(dict(zip(table.columns, place, strict=True)))}: {', '.join(ranks)}."
        for place, ranks in list(groups.items())[:_MOST]
    ]
    more = len(groups) - len(found)
    return [*found, f"{more} more settings have ranks of their own."] if more else found
