"""How many of the planted contradictions the audit finds, and how many sound runs it takes for doubtful."""

from __future__ import annotations

from collections import Counter

import wrkparse as wp
from tests.analysis.audit.planted import Planted, planted
from tests.analysis.audit.planted.sound import FOLDERS, sound_runs


def is_found(case: Planted) -> bool:
    """Whether the code is found, as more than a note, in an altered run, or at an altered line above it."""
    dataset = wp.parse_text(case.altered)
    found = wp.audit(dataset).findings.query("severity != 'note'")
    places = dataset.runs[["run", "line", "line_end"]].rename(columns={"line": "first"})
    of_code = found[found["code"] == case.code].merge(places, on="run")
    rows = of_code[["line", "first", "line_end"]].itertuples(index=False)
    return any(
        not case.lines or any(line == at or first <= at <= last for at in case.lines) for line, first, last in rows
    )


def found_by_kind(name: str) -> dict[str, tuple[int, int]]:
    """For each kind of a file of planted contradictions: how many are found, and how many there are."""
    cases = planted(name)
    found = Counter(case.kind for case in cases if is_found(case))
    return {kind: (found[kind], count) for kind, count in Counter(case.kind for case in cases).items()}


def verdicts_of_sound_runs() -> Counter[str]:
    """The verdicts on the sound runs."""
    verdicts: Counter[str] = Counter()
    for folder in FOLDERS:
        dataset, runs = sound_runs(folder)
        audited = wp.audit(dataset).verdicts
        verdicts.update(audited.loc[audited["run"].isin(runs), "verdict"])
    return verdicts
