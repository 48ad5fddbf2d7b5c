"""Labels that name variants of only one of the things that are compared: kiwi with a pool and without, beside emu.

As settings, such labels would keep these things apart: no run of emu has a pool. So they are part of what is compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from wrkparse.analysis.runs.labels.factors import ADDRESS_LABELS, base_key
from wrkparse.analysis.runs.labels.key_words import NAME_KEYS
from wrkparse.analysis.runs.selection import SelectedRun
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.context.structure.names.name_kinds import may_be_variant

# Keys whose value is a variant of the server, whatever it is. The value of another key may describe a load.
_VARIANTS = frozenset("allocator build impl implementation lib library variant version".split())
_NAMING = NAME_KEYS | {*FACTOR_KEYS} | _VARIANTS
# Settings of a server that need not be known of the others.
_SIZES = frozenset("cores processes workers".split())
_MAY_NAME_VARIANTS = _NAMING | _SIZES | {*ADDRESS_LABELS}


def rows_of_variants(
    runs: Sequence[SelectedRun], row: str, columns: Sequence[str]
) -> tuple[list[SelectedRun], tuple[str, ...], tuple[str, ...]]:
    """The runs, the labels of rows and those of columns, with the labels of variants among the rows.

    These are the labels of `columns` that only the runs of one value of `row` have; or all of them, if they are names
    and leave nothing to compare. A value such as ``small files`` describes a load, and runs under other loads are not
    compared. The runs lack addresses that distinguish none, unless they are shown beside others.
    """
    found = _without_lone_addresses(runs, row, columns)
    variants = [key for key in columns if base_key(key) in _MAY_NAME_VARIANTS and _names_variants(found, row, key)]
    if not variants and all(base_key(key) in _NAMING and _is_name(found, key) for key in columns):
        variants = [] if _are_in_one_setting(found, row, columns) else [*columns]
    shown = [key for key in variants if key in ADDRESS_LABELS]
    found = _with_addresses(found, runs, row, shown) if shown else found
    return found, (row, *variants), tuple(key for key in columns if key not in variants)


def _with_addresses(
    runs: Sequence[SelectedRun], printed: Sequence[SelectedRun], row: str, keys: Sequence[str]
) -> list[SelectedRun]:
    """Runs with their `printed` addresses, if all runs of one value of `row` have the same."""
    values: dict[tuple[str, str | None], set[str | None]] = defaultdict(set)
    for run in printed:
        for key in keys:
            values[key, run.labels[row]].add(run.labels[key])
    return [
        replace(
            run,
            labels={**run.labels, **{key: own.labels[key] for key in keys if len(values[key, own.labels[row]]) == 1}},
        )
        for run, own in zip(runs, printed, strict=True)
    ]


def _are_in_one_setting(runs: Sequence[SelectedRun], row: str, columns: Sequence[str]) -> bool:
    """Whether some setting has valid runs of several values of `row`.

    Such settings do not count if one value has runs in most settings alone: these settings are its variants.
    """
    values: dict[tuple[str | None, ...], set[str | None]] = defaultdict(set)
    for run in [run for run in runs if run.valid is not False] or runs:
        values[tuple(run.labels[key] for key in columns)].add(run.labels[row])
    lone = [found for found in values.values() if len(found) == 1]
    is_of_one = len(set().union(*lone)) == 1
    return len(lone) < len(values) and not (is_of_one and 2 * len(lone) > len(values))


def _is_name(runs: Sequence[SelectedRun], key: str) -> bool:
    """Whether no value of a label describes a load."""
    return base_key(key) in _VARIANTS or all(
        may_be_variant(value) for run in runs if (value := run.labels[key]) is not None
    )


def _names_variants(runs: Sequence[SelectedRun], row: str, key: str) -> bool:
    """Whether the runs of one value of `row`, of several, have a label, and none of its values describes a load."""
    owners = {run.labels[row] for run in runs if run.labels[key] is not None}
    if len(owners) != 1 or owners == {run.labels[row] for run in runs}:
        return False
    return key in ADDRESS_LABELS or key in _SIZES or _is_name(runs, key)


def _without_lone_addresses(runs: Sequence[SelectedRun], row: str, columns: Sequence[str]) -> list[SelectedRun]:
    """Runs without the address of the server, where it distinguishes no runs with the same labels.

    Each server has its own port. A server that was measured at two of them has two variants; the others have none.
    """
    found = list(runs)
    for key in (key for key in columns if key in ADDRESS_LABELS):
        others = (row, *(other for other in columns if other != key))
        values: dict[tuple[str | None, ...], set[str | None]] = defaultdict(set)
        for run in found:
            values[tuple(run.labels[other] for other in others)].add(run.labels[key])
        found = [
            run
            if len(values[tuple(run.labels[other] for other in others)]) > 1
            else replace(run, labels={**run.labels, key: None})
            for run in found
        ]
    return found
