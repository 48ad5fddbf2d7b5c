"""What a comparison says first of the load: that its sides were loaded differently, or all at one rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.reached_rates import (
    SAME_RATE_TOLERANCE,
    has_own_rates,
    reached_rates,
    settings_at_rate,
    some_fall_short,
)
from wrkparse.analysis.comparison.text.claims import Claim, Labels, cell_claims, labels_of, variant_claims
from wrkparse.analysis.comparison.text.statements import of_words
from wrkparse.analysis.comparison.text.wording import (
    amount_words,
    behind_runs,
    key_in_sentence,
    name_words,
    place_words,
)
from wrkparse.analysis.runs.labels.labels import natural_order
from wrkparse.analysis.wording import word_list
from wrkparse.tools.common import THROUGHPUT

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_DURATION, _ELAPSED = "duration_s", "elapsed"
_AS_MANY_AS_SENT = "All runs answered as many requests as were sent, so their throughput does not tell them apart."
_MOST_VARIANTS = 3  # that one sentence names
_FEW = 4  # one of so many variants is an exception


def on_loads(table: ComparisonTable) -> Iterator[str]:
    """Notes that the compared settings were loaded differently, as by two tools or at two numbers of connections.

    Only runs that are compared with the baseline count: not those that are left out, or are alone in their setting.
    """
    base = table.loads.get(tuple(table.baseline.values()))
    by_load: dict[str, list[Labels]] = {}
    for variant in _compared_variants(table) if base is not None else ():
        if (load := table.loads.get(variant, base)) != base and load is not None:
            by_load.setdefault(_load_words(load), []).append(dict(zip(table.compared, variant, strict=True)))
    if base is None or not by_load:
        return
    if len(by_load) > _MOST_VARIANTS:
        keys = word_list([key_in_sentence(key) for key in base])
        yield f"The compared runs differ in {keys}, too: that alone may make a difference."
        return
    runs_of = [f"{_of_all(variants)} {load}" for load, variants in by_load.items()]
    runs, others = behind_runs(word_list(runs_of)), behind_runs(of_words(table.baseline))
    yield f"The runs {runs} are compared with those {others} {_load_words(base)}: that alone may make a difference."


def is_slight(table: ComparisonTable, metric: str) -> bool:
    """Whether the caution on the loads can stand behind the answer, which is that of a metric.

    The loads differ in what a load generator does only, or few of many variants have another one, and none is the best.
    """
    if all({*load} <= {"threads", _DURATION} for load in table.loads.values()):
        return True
    claims = variant_claims(table, metric)
    otherwise = [claim for claim in claims if is_loaded_otherwise(table, claim)]
    better = {*table.cells.loc[table.cells["metric"] == metric, "better"]}
    if better not in ({"higher"}, {"lower"}) or len(otherwise) * _FEW > len(claims):
        return False
    sign = 1 if better == {"higher"} else -1
    return all(any(sign * other.ratio > sign * claim.ratio for other in claims) for claim in otherwise)


def is_loaded_otherwise(table: ComparisonTable, claim: Claim) -> bool:
    """Whether the variant of a claim was loaded otherwise than the baseline."""
    load = table.loads.get(tuple(table.baseline.values()))
    return table.loads.get(tuple(claim.variant.values()), load) != load


def connections_words(table: ComparisonTable, claim: Claim) -> str:
    """``At 1000 against 100 connections``: those of a claim's variant and of the baseline; empty if they agree."""
    of_claim = cell_claims(table, claim.metric) if claim.settings else [claim]
    pairs = {
        tuple(_connections(table, {**one.place, **labels}) for labels in (claim.variant, table.baseline))
        for one in of_claim
        if one.variant == claim.variant
    }
    if not any(None not in pair and len({*pair}) > 1 for pair in pairs):
        return ""
    [(own, base), *others] = pairs
    return "At other numbers of connections" if others else f"At {own} against {base} connections"


def connections_range(table: ComparisonTable, cells: Sequence[Labels]) -> str:
    """``at 100 to 1000 connections``: those of the cells with these labels; empty if they agree."""
    known = {_connections(table, labels) for labels in cells}
    ordered = sorted(known - {None}, key=natural_order)
    return f"at {ordered[0]} to {ordered[-1]} connections" if len(ordered) > 1 else ""


def _connections(table: ComparisonTable, labels: Labels) -> str | None:
    return table.connections.get(tuple(labels[key] for key in table.cell_keys))


def _compared_variants(table: ComparisonTable) -> list[tuple[str | None, ...]]:
    """The variants of which any metric is compared with the baseline."""
    names = dict.fromkeys(map(str, table.cells["metric"]))
    claims = [claim for name in names for claim in variant_claims(table, name)]
    claimed = {tuple(claim.variant.values()) for claim in claims}
    return [variant for variant in table.loads if variant in claimed]


def _of_all(variants: list[Labels]) -> str:
    """``of kiwi and of emu``; of more than a sentence names, their number."""
    if len(variants) > _MOST_VARIANTS:
        return f"of {len(variants)} others"
    return word_list([of_words(labels) for labels in variants])


def _load_words(load: Labels) -> str:
    """``at 64 connections that took 10 s``: how runs were loaded."""
    took = f"that took {load[_DURATION]} s" if _DURATION in load else ""
    return " ".join(filter(None, (place_words({key: load[key] for key in load if key != _DURATION}), took)))


def on_requested_rate(table: ComparisonTable, name: str) -> str:
    """That throughput tells nothing where all runs reached the rate at which requests were sent; else empty.

    Nor does the time that open loops took, if it is the same in each setting. Without a known rate their throughput was
    the requested one if it is the same.
    """
    reached = reached_rates(table, name)
    if len(reached) and reached.all():
        if some_fall_short(table, name):
            return _AS_MANY_AS_SENT
        rates = amount_words(float(table.constants["rate"]), "1/s", name) if "rate" in table.constants else "rates"
        return f"All runs reached the requested {rates}, so their throughput does not tell them apart."
    if name not in {THROUGHPUT.name, _ELAPSED} or not _is_open(table) or not _are_alike(table, name):
        return ""
    if name == THROUGHPUT.name:
        return _AS_MANY_AS_SENT
    return "All runs took as long as they sent requests, so their elapsed time does not tell them apart."


def on_settings_at_rate(table: ComparisonTable, name: str) -> str:
    """That throughput tells nothing in some of the settings, where all runs reached the requested rate; else empty."""
    places = [place_words(setting) for setting in settings_at_rate(table, name)]
    if not places:
        return ""
    where = word_list(places) if len(places) <= _MOST_VARIANTS else f"of {len(places)} settings"
    return f"All runs {where} reached the requested rate, so their throughput does not tell them apart."


def _is_open(table: ComparisonTable) -> bool:
    """Whether all runs sent requests at a rate, and waited for no response."""
    return bool(table.loops) and all(loop == "open" for _, loop, _ in table.loops)


def _are_alike(table: ComparisonTable, name: str) -> bool:
    """Whether the runs of each setting have the same value of a metric, within half a percent."""
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    keys = list(table.setting_keys)
    settings = [group for _, group in cells.groupby(keys, dropna=False)] if keys else [cells]
    ends = [(group["center"].min(), group["center"].max()) for group in settings]
    return len(cells) > 1 and all(low > 0 and high <= low * (1 + SAME_RATE_TOLERANCE) for low, high in ends)


def on_kept_rate(table: ComparisonTable, name: str) -> str:
    """That those who reached the rate at which requests were sent may answer more than others by more; else empty.

    ``kiwi reached the requested 50.00k requests/s and may answer more: its lead is at least this large.`` If each has a
    rate of its own, a ratio compares what was asked: ``kiwi reached the requested rate and may answer more, so …``.
    """
    reached = reached_rates(table, name)
    if "rate" in table.cells or not reached.any():
        return ""
    of_variant = reached.groupby([table.cells.loc[reached.index, key] for key in table.compared], dropna=False)
    kept = [
        labels_of(row, table.compared)
        for row in of_variant.all().loc[lambda all_: all_].reset_index().to_dict("records")
    ]
    names = [name_words(labels) or f"the server {place_words(labels)}" for labels in kept]
    if not names or len(names) == of_variant.ngroups or len(names) > _MOST_VARIANTS:
        return ""
    lead = "its lead is" if len(names) == 1 else "their leads are"
    rate, ends = "rate" if len(names) == 1 else "rates", ", so the ratio says little of the servers."
    if not has_own_rates(table):
        rate = amount_words(float(table.constants["rate"]), "1/s", name)
        ends = f": {lead} at least this large."
    statement = f"{word_list(names)} reached the requested {rate} and may answer more"
    if statement.startswith("the server "):
        statement = statement[0].upper() + statement[1:]
    return f"{statement}{ends}"
