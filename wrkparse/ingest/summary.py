"""What an ingest did, in counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields


@dataclass(slots=True)
class IngestSummary:
    """Counts of what an ingest did; `bytes_read` as stored, `seconds` by the clock."""

    found: int = 0
    read: int = 0
    unchanged: int = 0
    replaced: int = 0
    renamed: int = 0
    grown: int = 0
    not_text: int = 0
    failed: int = 0
    without_runs: int = 0
    bytes_read: int = 0
    lines: int = 0
    lines_claimed: int = 0
    seconds: float = 0.0
    runs: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    label_counts: Counter[str] = field(default_factory=Counter)
    diagnostics: Counter[tuple[str, str]] = field(default_factory=Counter)
    indexed: Counter[str] = field(default_factory=Counter)  # runs that each index labels, by its source

    def add(self, more: IngestSummary) -> None:
        """Add the counts of another process."""
        for part in fields(IngestSummary):
            if part.name not in ("unchanged", "replaced", "seconds"):
                setattr(self, part.name, getattr(self, part.name) + getattr(more, part.name))
