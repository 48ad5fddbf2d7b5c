"""Reports that are in several places, such as a folder and its backup: each is one run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from wrkparse.analysis.runs.labels.factors import base_key
from wrkparse.analysis.runs.labels.key_words import REPEAT_LABELS
from wrkparse.analysis.runs.labels.labels import TITLE
from wrkparse.analysis.runs.selection import COPY_COLUMNS, SelectedRun
from wrkparse.context.structure.completed_places.loop_runs import SERIES
from wrkparse.context.structure.differences.days import DAY
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS

# Labels that follow from where a report is: two copies of one report differ in them.
_OF_PLACES = frozenset((*FACTOR_KEYS, SERIES, DAY, TITLE, *REPEAT_LABELS))


def without_other_places(
    runs: Sequence[SelectedRun], digests: Mapping[str, str], keys: Collection[str]
) -> tuple[list[SelectedRun], pd.DataFrame]:
    """The runs without copies of a run in another place, and a table of these as of `without_copies`.

    A report in a folder and in its backup, in a file of its own and in one of all, in a mail and in the answer that
    quotes it is one run. All labels that both copies have are the same, but for those of their places (without `keys`):
    of ``kiwi`` and ``emu`` nobody knows which one is wrong. The copy stays that has the most other labels, of several
    the one from the places with the most runs.
    """
    places = [key for key in (runs[0].labels if runs else ()) if _is_of_place(key) and key not in keys]
    sizes = Counter(tuple(run.labels[key] for key in places) for run in runs)
    same: dict[str, list[SelectedRun]] = defaultdict(list)
    for run in runs:
        same[digests.get(run.run, run.run)].append(run)
    found: dict[str, SelectedRun] = {}
    for copies in same.values():
        kept: list[SelectedRun] = []
        # The copy that says most comes first, and is kept.
        for run in sorted(copies, key=lambda run: _says_most(run, places, sizes)):
            original = next((other for other in kept if _is_copy(run, other, places)), None)
            if original is None:
                kept.append(run)
            else:
                found[run.run] = original
    rows = [(run.run, run.where, found[run.run].run, found[run.run].where, True) for run in runs if run.run in found]
    return [run for run in runs if run.run not in found], pd.DataFrame(rows, columns=COPY_COLUMNS)


def _is_of_place(key: str) -> bool:
    """Whether a label says where a report is, or numbers it; the name of a framework says more."""
    return base_key(key) in _OF_PLACES


def _says_most(
    run: SelectedRun, places: Sequence[str], sizes: Mapping[tuple[str | None, ...], int]
) -> tuple[int, int, int]:
    """The sort key of a copy: those with many labels besides the places come first, then those of many runs."""
    known = [key for key, value in run.labels.items() if value is not None]
    return (
        len([*filter(places.__contains__, known)]) - len(known),
        -sizes[tuple(run.labels[key] for key in places)],
        -len(known),
    )


def _is_copy(run: SelectedRun, original: SelectedRun, places: Sequence[str]) -> bool:
    """Whether two runs with the same report differ in their places, and in nothing else that both say."""
    differing = [key for key, value in run.labels.items() if value != original.labels[key]]
    stated = [key for key in differing if run.labels[key] is not None and original.labels[key] is not None]
    return bool(differing) and all(key in places for key in stated)
