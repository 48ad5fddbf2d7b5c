"""``python -m tests.analysis.audit.planted`` prints the score of the audit."""

from __future__ import annotations

from tests.analysis.audit.planted.score import found_by_kind, verdicts_of_sound_runs

for name in ("develop", "held_out"):
    kinds = found_by_kind(name)
    for kind, (found, count) in kinds.items():
        print(f"{name:9} {kind:32} {found:3} of {count:3}")
    print(f"{name}: {sum(one for one, _ in kinds.values())} of {sum(n for _, n in kinds.values())} found")
verdicts = verdicts_of_sound_runs()
print(f"sound runs: {verdicts.total()}, of them " + ", ".join(f"{n} {verdict}" for verdict, n in verdicts.items()))
