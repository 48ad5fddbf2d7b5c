"""Sentences on why a comparison has nothing to compare: settings that are apart, and runs that the audit leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.loads import (
    on_settings_at_rate,
)
from wrkparse.analysis.comparison.sentences.despite_errors import despite_errors
from wrkparse.analysis.comparison.sentences.failures import failed_shares
from wrkparse.analysis.comparison.text.claims import (
    labels_of,
)
from wrkparse.analysis.comparison.text.statements import (
    of_words,
)
from wrkparse.analysis.comparison.text.wording import (
    behind_runs,
    metric_words,
    name_words,
    place_words,
)
from wrkparse.analysis.runs.labels.factors import ADDRESS_LABELS, HOW_MEASURED, REQUEST_LABELS
from wrkparse.analysis.runs.labels.key_words import key_with_option

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_REQUESTS = frozenset((*REQUEST_LABELS, "path"))


def without_claims(table: ComparisonTable, name: str, *, alone: bool) -> Iterator[str]:
    """Why a metric has no claim; if no metric has one, the first says that the settings are apart."""
    if ratio := despite_errors(table, name):
        yield ratio
    failed, first = [*failed_shares(table, name)], str(table.cells["metric"].iloc[0])
    is_left_out = bool(left_out(table, name))
    is_said = name != first and (bool(left_out(table, first)) or (alone and not is_left_out))
    if not failed and not is_said and not on_settings_at_rate(table, name):
        yield _nothing_compared(table, name, alone=alone)
    yield from failed


def _nothing_compared(table: ComparisonTable, name: str, *, alone: bool) -> str:
    """Why no setting of a metric has runs beside those of the baseline."""
    if faults := left_out(table, name):
        return faults if alone else f"{metric_words(name)}: {faults[0].lower()}{faults[1:]}"
    stated = table.cells[(table.cells["metric"] == name) & (table.cells["verdict"] != "missing")]
    variants = {tuple(labels_of(row, table.compared).items()) for row in stated.to_dict("records")}
    if len(variants) == 1:
        return f"{metric_words(name)}: only runs {behind_runs(of_words(dict(variants.pop())))} state any."
    known = name_words(table.baseline)
    beside = f"those of {known}" if known else f"those {place_words(table.baseline)}"
    return f"{metric_words(name)}: no setting has other runs beside {beside}{_why_apart(table, stated)}."


def _why_apart(table: ComparisonTable, stated: pd.DataFrame) -> str:
    """The labels that part the settings, and what would let them meet; empty without such labels."""
    keys = _parting_labels(table, stated)
    if not keys:
        return ""
    if set(keys) <= _REQUESTS | {"url"} and keys != ("url",):  # runs with different requests are not repeats
        remedy = ""
    elif set(keys) & set(HOW_MEASURED):
        remedy = "; measure all of them in the same way to compare them"
    else:
        remedy = f"; wrkparse compare --ignore {','.join(keys)} compares them"
    return f": they differ in {', '.join(map(key_with_option, keys))}{remedy}"


def _parting_labels(table: ComparisonTable, stated: pd.DataFrame) -> tuple[str, ...]:
    """The labels without which other runs meet those of the baseline: the address alone, if that is enough.

    Beside other requests it never is: a URL contains its path.
    """
    addresses = sorted(ADDRESS_LABELS & {*table.separated}) if _REQUESTS.isdisjoint(table.separated) else ()
    return next(((key,) for key in addresses if _meet(table, stated, key)), table.separated)


def left_out(table: ComparisonTable, name: str) -> str:
    """How many runs the audit leaves out, if nothing is compared for that reason; else empty."""
    cells = table.cells[(table.cells["metric"] == name) & (table.cells["verdict"] != "missing")]
    if not _would_compare(table, cells):
        return ""
    none_counts = (cells["verdict"] == "invalid").all()
    out = int(cells["invalid"].sum())
    found = int(cells.loc[cells["verdict"] != "invalid", "n"].sum()) + out
    left = "No run is left to compare" if none_counts else "No comparison is left"
    left = "There is no verdict" if despite_errors(table, name) else left
    return f"{left}: the audit finds {_faults(table, out, found)}."


def _faults(table: ComparisonTable, out: int, found: int) -> str:
    """``all runs invalid``, ``3 of 18 runs invalid and the latencies of 11 suspect``: `out` of the runs found."""
    has_other = not table.cells["metric"].str.startswith("latency").all()
    # a run whose latency alone is doubted counts for the other metrics that it states
    stated = table.cells[table.cells["verdict"] != "missing"]
    counting = stated["n"].where(stated["verdict"] != "invalid", 0)
    runs_of = (counting + stated["invalid"]).groupby(stated["metric"]).sum()
    widest = runs_of.index[runs_of == runs_of.max()]
    invalid = min(out, int(stated[stated["metric"].isin(widest)].groupby("metric")["invalid"].sum().min()))
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
    return _meet(table, cells)


def _meet(table: ComparisonTable, cells: pd.DataFrame, ignored: str = "") -> bool:
    """Whether cells of the baseline and others have a setting in common, if one label does not count."""
    keys = [key for key in (*table.columns, *table.rows) if key not in table.baseline and key != ignored]
    of_base, others = set[tuple[str | None, ...]](), set[tuple[str | None, ...]]()
    for row in cells.to_dict("records"):
        is_base = labels_of(row, tuple(table.baseline)) == dict(table.baseline)
        (of_base if is_base else others).add(tuple(labels_of(row, tuple(keys)).values()))
    return bool(of_base & others)
