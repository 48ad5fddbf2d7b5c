"""Notes on which runs a comparison takes for repeats, and which it leaves out."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.wording import compared_noun
from wrkparse.analysis.runs.labels.factors import HOW_MEASURED, TOOL_LABELS, base_key
from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS, NAME_KEYS
from wrkparse.analysis.wording import counted, word_list
from wrkparse.context.structure.differences.days import DAY
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.context.titles.path_days import day_in_path

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST_DAYS = 3  # days that a note lists; of more it gives the first and the last
_MOST_NAMES = 3  # pairs of similar names in a note
_TIMES_AS_MANY = 3  # a name may be a misspelt one if that has at least this many times its runs
_BENCHMARK = "benchmark"  # benchmarks are not alternatives to each other; the table has all of them
_LONG_NAME = 6  # letters; many shorter names differ in one letter without being misspelt


def on_separated(table: ComparisonTable) -> list[str]:
    """Notes on columns that were not asked for, and on labels that were ignored."""
    found = []
    if table.separated:
        names = ", ".join(table.separated)
        verb = "differ" if len(table.separated) > 1 else "differs"
        note = f"{names} {verb} between runs, so each value has a column"
        if not set(table.separated) & set(HOW_MEASURED):
            note += f"; --ignore {','.join(table.separated)} treats runs that differ only there as repeats"
        found.append(note)
    if repeated := next((files for files in _files_of_cells(table) if len(files) > 1), None):
        found.append(f"repeats: runs with the same labels and place, such as {repeated[0]} and {repeated[1]}")
    if named := [key for key in table.cell_keys if key in FACTOR_KEYS]:
        found.append(
            f"{', '.join(named)}: taken from the places of the runs, because no label says more; wrkparse.yaml or "
            "ingest --label can name it"
        )
    if table.ignored:
        found.append(f"ignored: {', '.join(table.ignored)}; runs that differ only there count as repeats")
    return found


def next_label(table: ComparisonTable) -> str:
    """The most important label that could be compared as well, and is not; empty if there is none."""
    return next(iter(_other_labels(table)), "")


def _other_labels(table: ComparisonTable) -> list[str]:
    return [
        key
        for key in table.separated
        if len(table.cells[key].drop_duplicates()) > 1
        and base_key(key) not in (*LOAD_LABELS, *TOOL_LABELS, _BENCHMARK)
        and not _follows(table, key)
    ]


def _follows(table: ComparisonTable, key: str) -> bool:
    """Whether the label follows from the compared ones: each of their values has one value of it.

    Then no setting has two values of the label, so there is nothing to compare.
    """
    filled = table.cells[table.cells["n"] > 0]
    values = filled.groupby(list(table.compared), dropna=False)[key].nunique(dropna=False)
    return bool(values.eq(1).all())


def on_next_label(table: ComparisonTable, *, has_first: bool = False) -> str:
    """A note that says how to compare other labels; empty if there are none.

    `has_first`: the sentences already report on the first of them.
    """
    keys = _other_labels(table)
    if not keys:
        return ""
    if has_first and len(keys) == 1:
        return f"--rows {keys[0]} shows the table of {keys[0]}"
    first, *more = keys[has_first:]
    verb = "differ" if more else "differs"
    return f"{word_list([first, *more])} also {verb}; --rows {first} compares its values"


def on_days(table: ComparisonTable) -> str:
    """A note on files from different days, be they repeats or the settings compared; empty if there are none."""
    if table.compared == (DAY,) and not table.setting_keys and _are_of_paths(table):
        return (
            "the days are compared because nothing else tells these runs apart; nothing says what changed between "
            "them, and whatever did may be the reason for a difference"
        )
    if apart := _on_days_apart(table):
        return apart
    found = [{day for file in files if (day := day_in_path(file))} for files in _files_of_cells(table)]
    days = sorted(set[date]().union(*(days for days in found if len(days) > 1)))
    if not days:
        return ""
    listed = word_list([str(day) for day in days]) if len(days) <= _MOST_DAYS else f"{days[0]} to {days[-1]}"
    made = f"the repeats are from {counted(len(days), 'day')}, {listed}"
    return f"{made}: what changed between them is part of their scatter"


def _are_of_paths(table: ComparisonTable) -> bool:
    """Whether the compared days come from the paths, not from a rule in a study file."""
    rows = table.samples[["source", DAY]].drop_duplicates().to_dict("records") if DAY in table.samples else []
    return bool(rows) and all(str(day_in_path(row["source"])) == row[DAY] for row in rows)


def _on_days_apart(table: ComparisonTable) -> str:
    """A note on two settings measured on different days, all runs of one before those of the other; else empty."""
    if table.samples.empty or not table.compared:
        return ""
    groups = table.samples.groupby(list(table.compared), sort=False, dropna=False)["source"]
    days = [sorted({day for file in files.unique() if (day := day_in_path(file))}) for _, files in groups]
    if len(days) != 2 or not all(days) or (days[0][-1] >= days[1][0] and days[1][-1] >= days[0][0]):
        return ""
    first, later = sorted(days)
    spans = [f"{one[0]}" if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in (first, later)]
    return (
        f"all runs of one {compared_noun(table.compared)} are of {spans[0]}, all of the other of {spans[1]}: what else "
        "changed between these days would look like a difference"
    )


def _files_of_cells(table: ComparisonTable) -> list[list[str]]:
    """The files of each cell with several runs."""
    if table.samples.empty:
        return []
    keys = ["metric", *table.rows, *table.columns]
    return [list(dict.fromkeys(group["source"])) for _, group in table.samples.groupby(keys, sort=False, dropna=False)]


def on_alike_names(table: ComparisonTable) -> str:
    """A note on names that may be misspelt: similar to another name, with far fewer runs; empty if there are none."""
    keys = [key for key in table.compared if key in NAME_KEYS]
    if len(table.compared) != 1 or not keys or table.samples.empty:
        return ""
    first = table.samples[table.samples["metric"] == table.samples["metric"].iloc[0]]
    counts = first[keys[0]].dropna().value_counts()
    found = [
        f"{name} ({counted(int(few), 'run')}) may be {other} ({many}) misspelt"
        for name, few in counts.items()
        for other, many in counts.items()
        if few * _TIMES_AS_MANY <= many and _is_misspelt(str(name), str(other))
    ]
    return "; ".join(found[:_MOST_NAMES])


def _is_misspelt(name: str, other: str) -> bool:
    """Whether two neighbouring letters of a name are exchanged, or in a long one a letter is missing or too many."""
    if name == other or not (name.isalpha() and other.isalpha()):
        return False
    at = next((at for at, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    if len(name) == len(other):
        # "nignx" and "nginx"
        return name[at : at + 2] == other[at : at + 2][::-1] and name[at + 2 :] == other[at + 2 :]
    shorter, longer = sorted((name, other), key=len)
    # "fasthtp" and "fasthttp"
    return len(shorter) >= _LONG_NAME and longer[:at] + longer[at + 1 :] == shorter


def on_warm_ups(table: ComparisonTable) -> str:
    """A note on warm-ups, which are left out; empty if there are none."""
    if not table.warm_ups:
        return ""
    return f"{table.warm_ups} warm-up{'s' if table.warm_ups > 1 else ''} not compared; --rows phase compares them"


def on_invalid(table: ComparisonTable) -> str:
    """A note on the runs that do not count, and why; empty if all do."""
    if not table.audited:
        return "the runs have not been audited; run wrkparse audit"
    if not table.unused:
        return ""
    more = "more" if any(one.causes for one in table.unused) else "why"
    return f"{'; '.join(map(str, table.unused))}; wrkparse audit says {more}"


def copies_note(copies: pd.DataFrame) -> str:
    """A note on the runs that are copies; `copies` is a table like ``ComparisonTable.copies``. Empty without copies."""
    once = _listed(copies[copies["dropped"]])
    apart = _listed(copies[~copies["dropped"].astype(bool)])
    notes = [f"duplicate reports, counted once: {once}"] if once else []
    if apart:
        notes.append(f"the same reports in two settings, counted in each, which may be copied files: {apart}")
    return "; ".join(notes)


def _listed(copies: pd.DataFrame) -> str:
    pairs = [f"{row['where']} is {row['copy_of_where']}" for row in copies.to_dict("records")]
    return ", ".join(pairs[:5]) + (f" and {len(pairs) - 5} more" if len(pairs) > 5 else "")
