"""How many of the planted contradictions the audit finds, and how many sound runs it takes for doubtful."""

from __future__ import annotations

from collections import Counter

import wrkparse as wp
from tests.analysis.audit.planted import Planted, planted
from tests.analysis.audit.planted.sound import FOLDERS, sound_runs


def is_found(case: Planted) -> bool:
    """Whether the code is found, as more than a note, in an altered run, or at an altered line above it."""
    dataset = wp.parse_text(case.altered)
    findings = wp.audit(dataset).findings
    rows = zip(*(findings[name] for name in ("run", "line", "code", "severity")), strict=True)
    found = [(run, line) for run, line, code, severity in rows if code == case.code and severity != "note"]
    lines = dataset.arrow("runs", only=("run", "line", "line_end")).to_pylist()
    first, last = ({run["run"]: run[name] for run in lines} for name in ("line", "line_end"))
    return any(
        not case.lines or any(line == at or first[run] <= at <= last[run] for at in case.lines) for run, line in found
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
