"""What a comparison decides, in one line: the title of a report."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.claims import SIGNIFICANT, Claim, Labels, is_one_run_each, turned, variant_claims
from wrkparse.analysis.comparison.text.statements import TOO_FEW, of, statement, times
from wrkparse.analysis.comparison.text.wording import name_words

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.cells.cells import LabelValues
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST = 3  # variants that a title names; of more it counts them


def headline(table: ComparisonTable, metric: str | None = None) -> str | None:
    """What the first metric of a comparison decides, or `metric`, as a title; None if it decides nothing.

    A claim counts if it has a verdict, all its settings are on one side, and no runs of it form two groups, of which a
    median describes neither. Each ratio is turned so that it is above 1.
    What rests on one run each is in the past tense, as in `ComparisonTable.sentences`.
    """
    name = metric or str(table.cells["metric"].iloc[0])
    claims = variant_claims(table, name) if table.baseline else []
    uneven = [one.cell for one in table.scatters[name].two_groups]
    decided = [
        claim for claim in claims if _is_decided(claim) and not any(_rests_on(claim, table, cell) for cell in uneven)
    ]
    if is_one_run_each(table):
        decided = [replace(claim, verdict=TOO_FEW) for claim in decided]
    if not decided:
        return None
    if len(decided) > _MOST:
        return _counts(table, claims, decided)
    below = sorted((claim for claim in decided if claim.ratio < 1), key=lambda claim: -claim.ratio)
    above = sorted((claim for claim in decided if claim.ratio > 1), key=lambda claim: -claim.ratio)
    if above:
        return _ahead(above, table.baseline)
    return _behind(below, table.baseline)


def undecided_words(table: ComparisonTable) -> str:
    """``too few to tell them apart`` of the runs of a comparison that decides nothing; empty if it decides something.

    ``no difference is decided`` if there are runs enough for a verdict; empty, too, if nothing is compared.
    """
    if any(rows["verdict"].isin(SIGNIFICANT).any() for rows in (table.cells, table.over_settings) if len(rows)):
        return ""
    claims = variant_claims(table, str(table.cells["metric"].iloc[0])) if table.baseline else []
    if not claims or any(claim.is_share for claim in claims):
        return ""
    few = all(claim.verdict in {TOO_FEW, "no pairs"} for claim in claims)
    return "too few to tell them apart" if few else "no difference is decided"


def _rests_on(claim: Claim, table: ComparisonTable, cell: LabelValues) -> bool:
    """Whether a claim compares a cell: one of its variant or of the baseline, in its setting if it is about one."""
    labels = dict(zip((*table.rows, *table.columns), cell, strict=True))
    sides = (claim.variant, {key: table.baseline[key] for key in table.compared})
    return any(labels.items() >= {**side, **claim.place}.items() for side in sides)


def _is_decided(claim: Claim) -> bool:
    if claim.verdict not in SIGNIFICANT or claim.is_share or not math.isfinite(claim.ratio) or claim.ratio in {0, 1}:
        return False
    return not claim.settings or max(claim.higher, claim.lower) == claim.settings


def _ahead(claims: list[Claim], baseline: Labels) -> str:
    """``wren answers 2.9 times as many requests as heron, plover 1.43 times as many``."""
    if _stand_apart(claims, baseline):
        return "; ".join(statement([claim], baseline) for claim in claims)
    as_many = claims[0].metric == "throughput" and name_words(baseline) is not None
    more = [
        f"{name_words(claim.variant)} {times(claim)} as many" if as_many else f"that {of(claim.variant)} {times(claim)}"
        for claim in claims[1:]
    ]
    return ", ".join([statement([claims[0]], baseline), *more])


def _behind(claims: list[Claim], baseline: Labels) -> str:
    """``heron answers 3.4 times as many requests as plover, 4.0 times as many as siskin``: it is the baseline."""
    others = [(turned(claim, baseline), claim.variant) for claim in claims]
    if _stand_apart(claims, baseline):
        return "; ".join(_said(one) for one in others)
    as_many = claims[0].metric == "throughput" and name_words(baseline) is not None
    more = [
        f"{times(claim)} {f'as many as {name_words(base)}' if as_many else f'that {of(base)}'}"
        for claim, base in others[1:]
    ]
    return ", ".join([_said(others[0]), *more])


def _stand_apart(claims: list[Claim], baseline: Labels) -> bool:
    """Whether each claim is a statement of its own: only some have names, or they hold in different places."""
    names = [name_words(labels) is None for labels in (*(claim.variant for claim in claims), baseline)]
    return len(set(names)) > 1 or any(claim.place for claim in claims)


def _said(told: tuple[Claim, Labels]) -> str:
    """The statement on a claim beside its own baseline."""
    claim, baseline = told
    return statement([claim], baseline)


def _counts(table: ComparisonTable, claims: list[Claim], decided: list[Claim]) -> str:
    """``Of 39 frameworks 20 answer more requests than go, 3 fewer``; what is not decided is not counted.

    ``All 11 other frameworks answer more requests than go`` if that is so.
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
    if len(decided) == len(claims) and len(parts) == 1:
        other = "other " if things != "settings" else ""
        return f"All {parts[0].replace(' ', f' {other}{things} ', 1)}"
    return f"Of {len(claims)} {things} {', '.join(parts)}"
