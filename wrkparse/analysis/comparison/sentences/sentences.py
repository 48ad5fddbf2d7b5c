"""What a comparison says, in sentences: who answers more requests than whom, how sure that is, what can't be told."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.choice.baseline import names_a_baseline
from wrkparse.analysis.comparison.loads import (
    connections_words,
    is_loaded_otherwise,
    is_slight,
    on_kept_rate,
    on_loads,
    on_requested_rate,
    on_settings_at_rate,
)
from wrkparse.analysis.comparison.reached_rates import has_own_rates
from wrkparse.analysis.comparison.sentences.despite_errors import despite_errors
from wrkparse.analysis.comparison.sentences.failures import (
    failed_often,
    failures_sentence,
    on_late_requests,
    without_answers,
)
from wrkparse.analysis.comparison.sentences.metric_sentence import MetricSentence
from wrkparse.analysis.comparison.sentences.of_many import best_without_baseline, on_many, rank_sentences
from wrkparse.analysis.comparison.sentences.uncompared import without_claims
from wrkparse.analysis.comparison.text.claims import (
    SIGNIFICANT,
    Claim,
    are_apart,
    is_one_run_each,
    is_single,
    telling_claims,
    turned,
    variant_claims,
)
from wrkparse.analysis.comparison.text.headline import depends_on
from wrkparse.analysis.comparison.text.rising import is_from_end_to_end, rising_sentence
from wrkparse.analysis.comparison.text.statements import (
    TOO_FEW,
    direction_words,
    evidence_words,
    needed_runs_words,
    not_apart_words,
    pair_words,
    runs_words,
    settings_words,
    small_metric,
    statement,
    times_words,
)
from wrkparse.analysis.comparison.text.wording import (
    metric_words,
    name_words,
    p_words,
    place_words,
)
from wrkparse.analysis.runs.labels.labels import INPUT, differ_in_numbers
from wrkparse.analysis.wording import share_text
from wrkparse.tools.common import NON_2XX, THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST = 3  # claims of one metric that are stated one by one; of more, the best and the worst
_ONE_EACH = "One run each describes only these runs, not the next one."


def sentences(table: ComparisonTable) -> tuple[str, ...]:
    """The sentences, by metric; what all settings say together stands for its settings.

    That the loads differ comes first, unless that can hardly turn the answer round. Failures of many requests come
    directly behind the answer, which may rest on them. Responses with an error status come first if they leave no run
    to compare, and no ratio can be said in spite of them, and time-outs if nearly all requests of all settings ended
    so.
    """
    found = by_metric(table)
    first = found[0].metric if found else ""
    if table.baseline and found and not variant_claims(table, first) and not despite_errors(table, first):
        first = NON_2XX.name if failed_often(table, NON_2XX.name) else first
    # A stable sort, after `first` is known: many failures move ahead of other metrics, and do not become the answer.
    found.sort(key=lambda sentence: not failed_often(table, sentence.metric))
    answers, others = (
        [
            text
            for sentence in found
            if (sentence.metric == first) is is_first
            for text in (sentence.text, sentence.follows)
            if text
        ]
        for is_first in (True, False)
    )
    caution = [*on_loads(table)] if table.baseline else []
    texts = [*answers, *caution, *others] if is_slight(table, first) else [*caution, *answers, *others]
    late = [on_late_requests(table)] if table.baseline and variant_claims(table, THROUGHPUT.name) else []
    return tuple(dict.fromkeys([*filter(None, late), *texts, *single_run_sentences(table)]))


def by_metric(table: ComparisonTable) -> list[MetricSentence]:
    """The `sentences` that are about one metric each."""
    names = list(dict.fromkeys(str(name) for name in table.cells["metric"]))
    if not table.baseline:
        return [MetricSentence(name, sentence) for name in names for sentence in rank_sentences(table, name)]
    claims = {name: variant_claims(table, name) for name in names}
    alone = not any(claims.values())
    # a requested rate that was reached does not answer which server is faster, so it comes last
    telling = sorted(names, key=lambda name: bool(on_requested_rate(table, name)))
    found = list[MetricSentence]()
    for name in telling:
        found += _of_metric(table, name, claims[name], alone=alone)
        found += [MetricSentence(name, text) for text in (on_settings_at_rate(table, name),) if text]
        if name == names[0]:
            found += [MetricSentence(name, text) for text in best_without_baseline(table, name)]
    # a sentence with which another one begins says less
    return [
        sentence for sentence in found if not any(other.text.startswith(f"{sentence.text[:-1]} ") for other in found)
    ]


def single_run_sentences(table: ComparisonTable) -> list[str]:
    """What single runs can't tell, if a comparison rests on some: the last of its `sentences`."""
    names = dict.fromkeys(str(name) for name in table.cells["metric"]) if table.baseline else ()
    found = _on_one_run([claim for name in names for claim in variant_claims(table, name)])
    return [*found, _ONE_EACH] if names and is_one_run_each(table) else found


def _of_metric(table: ComparisonTable, name: str, claims: list[Claim], *, alone: bool) -> Iterator[MetricSentence]:
    """The sentences on one metric; `alone` says that no other metric has a claim."""
    yield from (MetricSentence(name, text) for text in without_answers(table, name))
    if not claims:
        yield from (MetricSentence(name, text) for text in without_claims(table, name, alone=alone))
        return
    # That a server failed as often as the baseline, mostly never, is not worth a sentence.
    claims = shown = list(filter(_is_told, claims))
    asked = on_requested_rate(table, name)
    tally = list[MetricSentence]()
    if rising := rising_sentence(table, name):  # it says more than that each pair alone can't be told apart
        yield MetricSentence(name, rising, decided=True, overall=True)
        shown = [claim for claim in claims if claim.verdict in SIGNIFICANT]
    elif len(claims) > _MOST and not asked:
        order, tally = on_many(table, name, claims)
        yield from order
    if len(shown) > _MOST:
        shown = _extremes(shown)
    if rising:
        shown = [claim for claim in shown if not is_from_end_to_end(table, name, claim)]
    shown.sort(key=lambda claim: _weight(table, claim))
    cells = telling_claims(table, name)
    if asked:
        yield MetricSentence(name, asked)
        shown = [claim for claim in shown if claim.verdict in SIGNIFICANT]
    kept = on_kept_rate(table, name)
    for _, group in groupby(shown, key=lambda claim: _sentence_key(table, claim)):
        together = _best_names_first(table, name, list(group))
        of_variant = [cell for cell in cells if cell.variant == together[0].variant]
        decided, differs = together[0].verdict in SIGNIFICANT, together[0].differs
        # a difference that holds in no setting, or not in all, does not become the first sentence
        disagree = differs and (not decided or (together[0].higher > 0 and together[0].lower > 0))
        if disagree:
            yield MetricSentence(name, _depending(table, together[0], of_variant), decided=decided)
            if not decided:  # a ratio over settings that disagree describes none of them
                continue
        follows = _differing(table, together[0], of_variant) if differs and not disagree else ""
        tells = decided or has_own_rates(table)  # a lead of a few runs is not known to be one
        follows, kept = " ".join(filter(None, (follows, kept if tells else ""))), "" if tells else kept
        yield MetricSentence(name, _sentence(table, together, of_variant), follows, decided=decided)
    yield from tally  # who is faster says more than how many are


def _weight(table: ComparisonTable, claim: Claim) -> tuple[int, bool, float]:
    """The order of claims: those with a verdict first, then those whose runs do not overlap, the farthest apart first.

    Of these, the claims of runs that were loaded like the baseline come first. Claims of equal weight keep the order of
    the table.
    """
    unlike = is_loaded_otherwise(table, claim)
    if claim.verdict in SIGNIFICANT:
        return 0, unlike, 0.0
    if are_apart(table, claim) and math.isfinite(claim.ratio) and claim.ratio > 0:
        return 1, unlike, -abs(math.log(claim.ratio))
    return 2, unlike, 0.0


def _best_names_first(table: ComparisonTable, metric: str, claims: list[Claim]) -> list[Claim]:
    """The claims of one sentence, the best first if they are about names; numbers keep their order."""
    better = table.cells.loc[table.cells["metric"] == metric, "better"].iloc[0]
    names = [name_words(claim.variant) for claim in claims]
    if not isinstance(better, str) or not all(names) or differ_in_numbers([name_words(table.baseline), *names]):
        return claims
    if any(math.isnan(claim.ratio) for claim in claims):
        return claims
    return sorted(claims, key=lambda claim: claim.ratio, reverse=better == "higher")


def _sentence_key(table: ComparisonTable, claim: Claim) -> tuple[object, ...]:
    """The key that successive claims of one sentence share; a claim with a verdict has a sentence of its own."""
    if claim.verdict != TOO_FEW or claim.is_share or math.isnan(claim.ratio) or claim.differs:
        return (id(claim),)
    runs_of_both, ways = (claim.runs, claim.base_runs), direction_words(claim)
    load = connections_words(table, claim)
    return (*claim.place.items(), runs_of_both, claim.settings, ways, are_apart(table, claim), load)


def _on_one_run(claims: Sequence[Claim]) -> list[str]:
    """What a single run can't tell, of claims that rest on one; of which metric, if all others rest on several."""
    single = [claim for claim in claims if claim.verdict == TOO_FEW and is_single(claim) and _is_told(claim)]
    if not single:
        return []
    who = "One run each" if all(claim.runs == claim.base_runs for claim in single) else "A single run"
    needed = max(claim.needed or 0 for claim in single)
    in_one = " in one setting, and fewer in several that agree" if any(claim.place for claim in single) else ""
    enough = f"; that takes at least {needed:,} runs each{in_one}" if needed else ""
    text = f"{who} can't distinguish a difference from chance{enough}."
    [metric, *others] = dict.fromkeys(claim.metric for claim in single)
    is_all = others or all(claim.metric == metric for claim in claims)
    return [text if is_all else f"{metric_words(metric)}: {text[0].lower()}{text[1:]}"]


def _is_told(claim: Claim) -> bool:
    """Whether a claim has a sentence: not if it is that as many requests failed as of the baseline's."""
    differs = claim.higher + claim.lower > 0 or (not claim.settings and claim.center != claim.base_center)
    return not claim.is_share or differs


def _extremes(claims: list[Claim]) -> list[Claim]:
    """The claims with the largest and the smallest ratio, of those with a verdict if there are any."""
    decided = [claim for claim in claims if claim.verdict in SIGNIFICANT] or claims
    known = sorted((claim for claim in decided if not math.isnan(claim.ratio)), key=lambda claim: claim.ratio)
    if not known:
        # Failures have no ratio: the claim that is the farthest above the baseline.
        return sorted(decided, key=lambda claim: claim.base_center - claim.center)[:1]
    return [known[-1], known[0]] if len(known) > 1 else known


def _sentence(table: ComparisonTable, claims: list[Claim], cells: list[Claim]) -> str:
    """The sentence on one claim, or on several that are `_sentence_key`."""
    first = claims[0]
    if first.is_share:
        return failures_sentence(table, first, cells)
    if first.verdict == "no pairs":
        why = (
            "their order is not known"
            if first.runs == first.base_runs
            else "the two sides have different numbers of runs"
        )
        return f"{pair_words(first, table.baseline)} can't be compared in pairs: {why} ({runs_words(first)})."
    if math.isnan(first.ratio):
        judged = f": {first.verdict} ({evidence_words(claims)})" if first.verdict in SIGNIFICANT else ""
        text = f"{pair_words(first, table.baseline)} has no ratio, as a value is 0{judged}."
    elif first.verdict in SIGNIFICANT:
        judged = f": {first.verdict}" if first.verdict in {"better", "worse"} and first.metric != "throughput" else ""
        shown, base = (
            (turned(first, table.baseline), first.variant) if _is_turned(table, first) else (first, table.baseline)
        )
        text = f"{statement([shown], base)}{judged} ({evidence_words([shown])}){direction_words(shown)}."
    elif first.verdict in {"undecided", "too coarse"}:
        known = ", ".join(filter(None, (f"{first.ratio:.{first.decimals}f}×", evidence_words(claims))))
        apart = f"{pair_words(first, table.baseline)} can't be told apart"
        if first.verdict == "too coarse":
            text = f"{apart}: the printed digits alone could make the difference ({known})."
        else:
            enough = not_apart_words(table, first)
            text = f"{apart} ({known}){direction_words(first)}{enough and f': {enough}'}."
    else:
        text = f"{statement(claims, table.baseline)}{_too_few(table, claims)}"
    if first.same and table.same_within is not None:
        text += f" It is the same within {share_text(table.same_within)}."
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
    if INPUT in table.compared or names_a_baseline(table.baseline):
        return False
    return bool(name_words(claim.variant) and name_words(table.baseline))


def _too_few(table: ComparisonTable, claims: list[Claim]) -> str:
    """The end of a sentence on runs that are too few for a verdict."""
    first = claims[0]
    if first.settings:
        return f"{direction_words(first)}, but that is too few to tell ({evidence_words(claims)})."
    if is_single(first):
        return f" ({runs_words(first)})."
    apart = ", none overlapping" if are_apart(table, first) else ""
    enough = f"; {needed_runs_words(claims)}" if needed_runs_words(claims) else ""
    return f" ({evidence_words(claims)}{apart}): too few runs to tell{enough}."


def _differing(table: ComparisonTable, claim: Claim, cells: list[Claim]) -> str:
    """What the settings say where one ratio does not hold in all of them."""
    shown = [turned(cell, table.baseline) for cell in cells] if _is_turned(table, claim) else cells
    return f"The settings differ from each other ({p_words(claim.p_differ)}): {_ends(shown)}."


def _depending(table: ComparisonTable, claim: Claim, cells: list[Claim]) -> str:
    """The same where the settings together tell nothing: ``… depends on alloc: 1.0 times … to 4.6 times …``."""
    name, base = name_words(claim.variant), name_words(table.baseline)
    if _is_turned(table, claim):
        name, base, cells = base, name, [turned(cell, table.baseline) for cell in cells]
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
    several = [cell for cell in cells if not math.isnan(cell.ratio) and min(cell.runs, cell.base_runs) > 1]
    known = sorted(several, key=lambda cell: cell.ratio)
    ends = known[0], known[-1]
    alone = all(cell.verdict == TOO_FEW for cell in ends)
    text = " to ".join(f"{times_words(cell)} {place_words(cell.place)}" for cell in ends)
    return f"{text}. All settings together show that; each alone has too few runs for a verdict" if alone else text
