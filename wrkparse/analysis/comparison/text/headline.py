"""What a comparison decides, in one line: the title of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.claims import (
    SIGNIFICANT,
    Claim,
    Labels,
    are_apart,
    is_one_run_each,
    telling_claims,
    turned,
    variant_claims,
)
from wrkparse.analysis.comparison.text.rising import rising_title
from wrkparse.analysis.comparison.text.statements import TOO_FEW, direction_words, of_words, statement, times_words
from wrkparse.analysis.comparison.text.wording import key_in_sentence, name_words, place_words
from wrkparse.analysis.wording import word_list

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.cells.cells import LabelValues
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST = 3  # variants that a title names; of more it counts them


def headline(table: ComparisonTable, metric: str | None = None, *, turn: bool = True) -> str | None:
    """What the first metric of a comparison decides, or `metric`, as a title; None if it decides nothing.

    A metric that rises or falls with a number says so. Else a claim counts if it has a verdict, all its settings are on
    one side, it was loaded as the baseline was, and no runs of it form groups, of which a median describes none. If no
    claim counts, the only one that has a verdict in spite of some settings does, and these are counted. With `turn`,
    each ratio is turned so that it is above 1, and the best are named. What rests on one run each is in the past tense,
    as in `ComparisonTable.sentences`.
    """
    name = metric or str(table.cells["metric"].iloc[0])
    claims = variant_claims(table, name) if table.baseline else []
    if turn and (rising := rising_title(table, name)):
        return rising
    decided = [claim for claim in _decided(table, name, claims) if not _is_mixed(claim)]
    if not decided:
        return _of_most_settings(table, name, claims, turn=turn)
    if is_one_run_each(table):
        decided = [replace(claim, verdict=TOO_FEW) for claim in decided]
    if len(decided) > _MOST:
        return _counts(table, claims, decided)
    return _said_of(decided, table, name, turn=turn) + (_disagreeing_variant(table, name, claims) if turn else "")


def _decided(table: ComparisonTable, metric: str, claims: Sequence[Claim]) -> list[Claim]:
    """The claims with a verdict on what was loaded as the baseline was, without those on runs that form groups."""
    uneven = [one.cell for one in table.scatters[metric].groups]
    return [
        claim
        for claim in claims
        if _has_verdict(claim)
        and not _unlike_keys(table, tuple(claim.variant.values()))
        and not any(_rests_on(claim, table, cell) for cell in uneven)
    ]


def _said_of(claims: Sequence[Claim], table: ComparisonTable, metric: str, *, turn: bool) -> str:
    """A few claims in words; if ratios are turned and some are better than the baseline, those."""
    below = sorted((claim for claim in claims if claim.ratio < 1), key=lambda claim: -claim.ratio)
    above = sorted((claim for claim in claims if claim.ratio > 1), key=lambda claim: -claim.ratio)
    if not turn:
        return _lead_of_variants([*above, *below], table.baseline)
    is_less_better = table.cells.loc[table.cells["metric"] == metric, "better"].iloc[0] == "lower"
    is_behind = below and (is_less_better or not above)
    return _lead_of_baseline(below, table.baseline) if is_behind else _lead_of_variants(above, table.baseline)


def _of_most_settings(table: ComparisonTable, metric: str, claims: Sequence[Claim], *, turn: bool) -> str | None:
    """``wren answers 1.3 times as many requests as heron, higher in 7 of 8 settings``: the only claim with a verdict.

    None if its settings differ from each other more than chance allows, or if it rests on one run each.
    """
    decided = _decided(table, metric, claims)
    if len(decided) != 1 or is_one_run_each(table) or _disagrees(decided[0]):
        return None
    shown = turned(decided[0], table.baseline) if turn and decided[0].ratio < 1 else decided[0]
    return f"{_said_of(decided, table, metric, turn=turn)}{direction_words(shown)} settings"


def _disagreeing_variant(table: ComparisonTable, metric: str, claims: Sequence[Claim]) -> str:
    """``; which of moss and fern is ahead depends on the number of connections``; empty unless one variant does."""
    depending = [claim for claim in claims if _disagrees(claim)]
    names = [name_words(labels) for labels in (depending[0].variant, table.baseline)] if len(depending) == 1 else []
    if not names or not all(names):
        return ""
    cells = [one for one in telling_claims(table, metric) if one.variant == depending[0].variant]
    return f"; which of {names[0]} and {names[1]} is ahead depends on {depends_on(cells)}"


def _disagrees(claim: Claim) -> bool:
    """Whether a claim's settings differ, and lie on both sides of the baseline."""
    return claim.higher > 0 and claim.lower > 0 and claim.differs


def undecided_words(table: ComparisonTable) -> str:
    """What a title says of a comparison that decides nothing; empty if it decides something, or nothing is compared.

    ``too few to tell them apart``; ``no difference is decided`` if there are runs enough for a verdict; ``which one is
    ahead depends on the machine`` if the settings disagree; ``they differ in the path, too`` if that was not the same.
    """
    if unlike := unlike_words(table):
        return unlike
    if key := disagreeing_key(table, str(table.cells["metric"].iloc[0])):
        return f"which one is ahead depends on {key}{_ahead_at_the_ends(table)}"
    if any(rows["verdict"].isin(SIGNIFICANT).any() for rows in (table.cells, table.over_settings) if len(rows)):
        return ""
    claims = variant_claims(table, str(table.cells["metric"].iloc[0])) if table.baseline else []
    if not claims or any(claim.is_share for claim in claims):
        return ""
    few = all(claim.verdict in {TOO_FEW, "no pairs"} for claim in claims)
    return "too few to tell them apart" if few else "no difference is decided"


def unlike_words(table: ComparisonTable) -> str:
    """``they differ in the number of connections, too``; empty if a variant was loaded as the baseline was."""
    unlike = [_unlike_keys(table, variant) for variant in table.loads if variant != tuple(table.baseline.values())]
    if not unlike or not all(unlike):
        return ""
    keys = dict.fromkeys(key for keys in unlike for key in keys)
    return f"they differ in {word_list([key_in_sentence(key) for key in keys])}, too"


def _ahead_at_the_ends(table: ComparisonTable) -> str:
    """``: beta on 1 core, alpha on 8 cores``, if two are compared, and no runs overlap at these ends; else empty."""
    metric = str(table.cells["metric"].iloc[0])
    [claim, *others] = variant_claims(table, metric)
    if others or claim.metric != "throughput":
        return ""
    known = [one for one in telling_claims(table, metric) if math.isfinite(one.ratio)]
    ends = [pick(known, key=lambda one: one.ratio) for pick in (max, min)]
    names = [name_words(claim.variant), name_words(table.baseline)]
    if not all(names) or not all(are_apart(table, one) for one in ends):
        return ""
    return f": {', '.join(f'{name} {place_words(end.place)}' for name, end in zip(names, ends, strict=True))}"


def _unlike_keys(table: ComparisonTable, variant: LabelValues) -> list[str]:
    """The labels of the load in which the runs of a variant differ from those of the baseline."""
    load = table.loads.get(variant, {})
    base = table.loads.get(tuple(table.baseline.values()), {})
    return [key for key, value in load.items() if base.get(key) != value]


def disagreeing_key(table: ComparisonTable, metric: str) -> str:
    """What the comparison of a metric depends on, where one is ahead in some settings and behind in others.

    ``the number of connections``, ``the setting`` if several labels differ; empty if the settings do not disagree.
    """
    for claim in variant_claims(table, metric) if table.baseline else []:
        if _disagrees(claim):
            return depends_on([one for one in telling_claims(table, metric) if one.variant == claim.variant])
    return ""


def depends_on(cells: Sequence[Claim]) -> str:
    """The label in which the settings of one variant differ, in words; ``the setting`` if there are several."""
    varying = [key for key in cells[0].place if len({one.place.get(key) for one in cells}) > 1]
    return key_in_sentence(varying[0]) if len(varying) == 1 else "the setting"


def _rests_on(claim: Claim, table: ComparisonTable, cell: LabelValues) -> bool:
    """Whether a claim compares a cell: one of its variant or of the baseline, in its setting if it is about one."""
    labels = dict(zip(table.cell_keys, cell, strict=True))
    sides = (claim.variant, {key: table.baseline[key] for key in table.compared})
    return any(labels.items() >= {**side, **claim.place}.items() for side in sides)


def _has_verdict(claim: Claim) -> bool:
    if claim.verdict not in SIGNIFICANT or claim.is_share:
        return False
    # At 1 nobody is ahead, and 0 can't be turned to a ratio above 1.
    return math.isfinite(claim.ratio) and claim.ratio not in {0, 1}


def _is_mixed(claim: Claim) -> bool:
    """Whether the settings of a claim are not all on one side of the baseline."""
    return bool(claim.settings) and max(claim.higher, claim.lower) < claim.settings


def _lead_of_variants(claims: list[Claim], baseline: Labels) -> str:
    """``wren answers 2.9 times as many requests as heron, plover 1.43 times as many``."""
    if _stand_apart(claims, baseline):
        return "; ".join(statement([claim], baseline) for claim in claims)
    as_many = claims[0].metric == "throughput" and name_words(baseline) is not None
    more = [
        f"{name_words(claim.variant)} {times_words(claim)} as many"
        if as_many
        else f"that {of_words(claim.variant)} {times_words(claim)}"
        for claim in claims[1:]
    ]
    return ", ".join([statement([claims[0]], baseline), *more])


def _lead_of_baseline(claims: list[Claim], baseline: Labels) -> str:
    """``heron answers 3.4 times as many requests as plover, 4.0 times as many as siskin``: it is the baseline."""
    others = [(turned(claim, baseline), claim.variant) for claim in claims]
    if _stand_apart(claims, baseline):
        return "; ".join(_own_statement(one) for one in others)
    as_many = claims[0].metric == "throughput" and name_words(baseline) is not None
    more = [
        f"{times_words(claim)} {f'as many as {name_words(base)}' if as_many else f'that {of_words(base)}'}"
        for claim, base in others[1:]
    ]
    return ", ".join([_own_statement(others[0]), *more])


def _stand_apart(claims: list[Claim], baseline: Labels) -> bool:
    """Whether each claim is a statement of its own: only some have names, or they hold in different places."""
    names = [name_words(labels) is None for labels in (*(claim.variant for claim in claims), baseline)]
    return len(set(names)) > 1 or any(claim.place for claim in claims)


def _own_statement(of_claim: tuple[Claim, Labels]) -> str:
    """The statement on a claim beside its own baseline."""
    claim, baseline = of_claim
    return statement([claim], baseline)


def _counts(table: ComparisonTable, claims: list[Claim], decided: list[Claim]) -> str:
    """``Of 39 other frameworks 20 answer more requests than go, 3 fewer``; what is not decided is not counted.

    ``All 11 other frameworks answer more requests than go; gin answers 2.4 times as many`` if that is so, ``All 11
    others`` if they are no frameworks. The one with the largest ratio is named.
    """
    above = sum(claim.ratio > 1 for claim in decided)
    below = len(decided) - above
    things = f"{table.compared[0]}s" if table.compared == ("framework",) else "settings"
    base = name_words(table.baseline) or "the baseline"
    past = decided[0].verdict == TOO_FEW
    if decided[0].metric == "throughput":
        verb, more, fewer = "answered" if past else "answer", "more requests", "fewer"
        parts = [f"{above} {verb} {more} than {base}"] if above else []
        parts += [f"{below} {fewer if above else f'{verb} fewer requests than {base}'}"] if below else []
    else:
        verb = "were" if past else "are"
        parts = [f"{above} {verb} above {base}"] if above else []
        parts += [f"{below} {verb} below {base}"] if below else []
    others = f"other {things}" if things != "settings" else "others"
    if len(decided) == len(claims) and not (above and below):
        # "11 answer more …" becomes "11 other frameworks answer more …".
        sentence = f"All {parts[0].replace(' ', f' {others} ', 1)}"
    else:
        sentence = f"Of {len(claims)} {others} {', '.join(parts)}"
    if not above or decided[0].metric != "throughput":
        return sentence
    most = max(decided, key=lambda claim: claim.ratio)
    who = name_words(most.variant) or place_words(most.variant)
    return f"{sentence}; {who} {verb}{'' if past else 's'} {times_words(most)} as many"
