"""The doubt that runs failed: files without results among files of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wrkparse.analysis.runs.empty_files import empty_among_runs

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# A report without results beside a run may be a quotation on a page.
_WITHOUT_RESULTS = """
SELECT DISTINCT source FROM diagnostics
WHERE code = 'fragment' AND source NOT IN (SELECT source FROM runs) ORDER BY source"""


def failed_sentence(dataset: Dataset) -> str:
    """That files beside those of runs have a report without results, or are empty; empty if there is none.

    ``4.txt has a report without results, and 7.txt is empty: if these runs failed, no number here shows it.``
    """
    if not dataset.count("runs"):
        return ""
    broken = dataset.sql_arrow(_WITHOUT_RESULTS)["source"].to_pylist()
    empty = [one.source for one in empty_among_runs(dataset)]
    groups = [
        *_named_or_counted(broken, "has a report without results", "have a report without results"),
        *_named_or_counted(empty, "is empty", "are empty"),
    ]
    these = "this run" if len(broken) + len(empty) == 1 else "these runs"
    return f"{', and '.join(groups)}: if {these} failed, no number here shows it." if groups else ""


def _named_or_counted(files: Sequence[str], one: str, several: str) -> list[str]:
    """Files with what is true of each: one by its name, several by their number and the name of the first."""
    if len(files) < 2:
        return [f"{file} {one}" for file in files]
    return [f"{len(files):,} files such as {files[0]} {several}"]
