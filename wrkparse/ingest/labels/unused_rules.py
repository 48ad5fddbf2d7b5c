"""Finds rules of studies that label no run, for example because of a misspelt glob or a renamed file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from wrkparse.context.study import Study
from wrkparse.model.records import Diagnostic

# The lines of the rules that label a run, by study, in SQL.
USED_RULES = "SELECT DISTINCT study, l.line FROM labels l JOIN runs r ON l.run = r.run WHERE l.origin = 'file'"


def unused_rules(studies: Iterable[Study], used: pa.Table) -> Iterator[Diagnostic]:
    """A warning for each rule that is not in the table of used rules, which has the columns study and line."""
    lines = set(zip(used["study"].to_pylist(), used["line"].to_pylist(), strict=True))
    for study in sorted(studies, key=lambda study: study.source):
        for rule in study.rules:
            if (study.name, rule.line) not in lines:
                message = f"no run has {rule.condition}: this rule labels nothing"
                yield Diagnostic(study.source, rule.line, "warning", "unused-rule", message)
