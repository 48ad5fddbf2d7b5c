"""Sentences on requests that failed: their shares, servers that answered none or closed each connection."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from wrkparse.analysis.checks.reports.errors import closes_connections
from wrkparse.analysis.comparison.text.claims import (
    SIGNIFICANT,
    Claim,
    is_single,
    labels_of,
    run_values,
)
from wrkparse.analysis.comparison.text.statements import (
    at_words,
    of_words,
    runs_words,
)
from wrkparse.analysis.comparison.text.wording import (
    metric_words,
    name_words,
    p_words,
    place_words,
)
from wrkparse.analysis.wording import share_text, word_list
from wrkparse.tools.common import ERRORS_CONNECT, THROUGHPUT, TIMEOUTS

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MANY = 0.05  # a share of the requests; the audit rejects rates above it
_FEWEST_COMPARED = 2
_NEARLY_ALL = 0.95  # a share of the requests
_MOST = 3  # servers that are named one by one
_READS = "errors_read"
_NOTHING_DONE = "nothing-measured"  # a finding of the audit; a rate of 0.00 may also be rounded


def failed_often(table: ComparisonTable, name: str) -> bool:
    """Whether so many requests or connections of a setting failed that its rate may be one of failures."""
    cells = table.cells[(table.cells["metric"] == name) & table.cells["is_share"].eq(True)]
    shares = cells["center"].dropna().to_numpy(float)
    closing = closes_connections(shares) if name == _READS else np.zeros(len(shares), bool)
    refused = table.refused.values() if name == ERRORS_CONNECT.name else ()
    return bool((shares[~closing] >= _MANY).any()) or any(known >= _MANY for known in refused)


def on_late_requests(table: ComparisonTable) -> str:
    """That requests took longer than the time-out in all that is compared, nearly all of them; else empty.

    wrk counts a late response as a completed request, so the audit lets such rates count.
    """
    compared = table.cells[table.cells["metric"].eq(THROUGHPUT.name) & table.cells["n"].gt(0)]
    late = table.cells[table.cells["metric"].eq(TIMEOUTS.name) & table.cells["is_share"].eq(True)]
    if late.empty or len(compared) < _FEWEST_COMPARED:
        return ""
    shares = compared.merge(late, "left", on=list(table.cell_keys))["center_y"].astype(float)
    if not shares.ge(_NEARLY_ALL).all():  # missing where a cell states no time-outs
        return ""
    least = shares.min()
    many = "All requests" if least >= 1 else f"{share_text(least)} or more of the requests"
    return f"{many} took longer than the time-out, so their rate says little."


def failed_shares(table: ComparisonTable, name: str) -> Iterator[str]:
    """The shares of requests that failed, where failures make runs invalid: they are what there is to say of them.

    Of many settings, the smallest and the largest share. Connections that failed are a share of the connections.
    """
    cells = table.cells[(table.cells["metric"] == name) & table.cells["center"].notna()]
    if table.setting_keys or not (cells["is_share"].eq(True) & cells["verdict"].eq("invalid")).any():
        return
    rows = [
        (float(row["center"]), labels_of(row, table.cell_keys))
        for row in cells.to_dict("records")
        if name != _READS or not closes_connections(np.array(row["center"]))
    ]
    refused = [table.refused.get(tuple(labels.values())) for _, labels in rows]
    of_what, ends = "requests", "."
    # Only if it is known of all of them: shares of requests and of connections are not listed together.
    if name == ERRORS_CONNECT.name and rows and None not in refused:
        rows = [(known or 0.0, labels) for known, (_, labels) in zip(refused, rows, strict=True)]
        of_what, ends = "connections", ", so the load may not have been reached."
    is_range = len(rows) > _MOST
    if is_range:
        rows = sorted(rows, key=lambda row: row[0])
        rows = [rows[0], rows[-1]]
    shares = [
        f"{share_text(center)} of the {of_what} {of_words({key: labels[key] for key in table.compared})}"
        for center, labels in rows
    ]
    if shares:
        yield f"{metric_words(name)}: {'from ' + ' to '.join(shares) if is_range else word_list(shares)}{ends}"


def without_answers(table: ComparisonTable, name: str) -> Iterator[str]:
    """Who answered no request in any run: that says more than that the runs are invalid."""
    idle = sum(count for unused in table.unused for code, count in unused.causes if code == _NOTHING_DONE)
    if name != THROUGHPUT.name or not idle:
        return
    cells = table.cells[(table.cells["metric"] == name) & table.cells["verdict"].eq("invalid")]
    for row in cells.head(_MOST).to_dict("records"):
        variant, place = labels_of(row, table.compared), labels_of(row, table.setting_keys)
        values = run_values(table, name, {**variant, **place})
        # A printed rate of 0.00 may be rounded, so the audit must have found as many runs without a request.
        if not values.any() and len(values) <= idle:
            who = name_words(variant) or f"the server {place_words(variant)}"
            text = f"{who} answered no request{at_words(place)} in {_each_of(len(values))}."
            yield text[0].upper() + text[1:] if who.startswith("the ") else text


def _each_of(count: int) -> str:
    return f"any of its {count} runs" if count > 1 else "its only run"


def failures_sentence(table: ComparisonTable, claim: Claim, cells: Sequence[Claim] = ()) -> str:
    """The share of requests that failed beside that of the baseline; over all settings, in how many it is larger.

    If only one of the settings, whose claims `cells` are, has other shares than the baseline, its shares.
    """
    differing = [cell for cell in cells if cell.center != cell.base_center]
    if closing := _closing(table, claim, cells):
        return closing
    if claim.settings and claim.verdict not in SIGNIFICANT and len(differing) == 1:
        return failures_sentence(table, differing[0])
    if refused := _refused(table, claim):
        return refused
    name = name_words(claim.variant) or place_words(claim.variant)
    base, title = of_words(table.baseline), metric_words(claim.metric)
    judged = f": {claim.verdict}" if claim.verdict in SIGNIFICANT else "; that is too few to tell"
    judged = judged if claim.verdict != "undecided" else ", which may be chance"
    p = f" ({p_words(claim.p, adjusted=claim.adjusted)})" if not math.isnan(claim.p) else ""
    if claim.settings:
        counts = [f"{side} in {count}" for side, count in (("more", claim.higher), ("fewer", claim.lower)) if count]
        known = name_words(table.baseline) or place_words(table.baseline)
        more = f"{' and '.join(counts)} of {claim.settings} settings than {known}"
        return f"{title}: {name} has {more}{p}{judged}."
    beside = f"of those {base}" if name_words(claim.variant) or name_words(table.baseline) else base
    variant = f"{share_text(claim.center)} of the requests {of_words(claim.variant)}"
    shares = f"{variant}, {share_text(claim.base_center)} {beside}"
    known = f" ({', '.join(filter(None, (p_words(claim.p, adjusted=claim.adjusted), runs_words(claim))))})"
    several = ", where ab counts more failures than requests" if max(claim.center, claim.base_center) > 1 else ""
    return f"{title}: {shares}{at_words(claim.place)}{several if table.tools == ('ab',) else ''}{known}{judged}."


def _closing(table: ComparisonTable, claim: Claim, cells: Sequence[Claim]) -> str:
    """Who closed each connection after its response, where wrk's failed reads say that; else empty."""
    if claim.metric != _READS:
        return ""
    shares = [(cell.center, cell.base_center) for cell in (cells if claim.settings else [claim])]
    closes = [bool(closes_connections(np.array(of_side)).all()) for of_side in zip(*shares, strict=True)]
    names = [name_words(labels) or f"the server {place_words(labels)}" for labels in (claim.variant, table.baseline)]
    closing = [name for name, does in zip(names, closes, strict=True) if does]
    others = [name for name, does in zip(names, closes, strict=True) if not does]
    if not closing:
        return ""
    beside = f"; {others[0]} did not" if others else ""
    who = word_list(closing)
    who = who[0].upper() + who[1:] if who.startswith("the server ") else who
    place = {key: value for key, value in claim.place.items() if value is not None}
    each = f"closed the connection after each response{at_words(place)}"
    return f"{who} {each}, which wrk counts as failed reads{beside}."


def _refused(table: ComparisonTable, claim: Claim) -> str:
    """Which share of the connections failed in one setting: the others carried all the requests; else empty."""
    keys = table.cell_keys
    both = [{**claim.place, **labels} for labels in (claim.variant, table.baseline)]
    shares = [table.refused.get(tuple(labels.get(key) for key in keys)) for labels in both]
    own, base = shares
    if claim.metric != ERRORS_CONNECT.name or claim.settings or own is None or base is None:
        return ""
    up_to = "" if is_single(claim) else "up to "
    beside = f"{up_to}{share_text(base)} of those {of_words(table.baseline)}{at_words(claim.place)}"
    known = f"{up_to}{share_text(own)} of the connections {of_words(claim.variant)}, {beside} ({runs_words(claim)})"
    return f"{metric_words(claim.metric)}: {known}, so the load may not have been reached."
