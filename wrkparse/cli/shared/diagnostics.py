"""What reading could not do, said on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrkparse.cli.shared.output import say
from wrkparse.text.escape import one_line

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

_MOST_DIAGNOSTICS = 5


def unread_files(dataset: Dataset) -> tuple[str, ...]:
    """The files that could not be read, or not to their end."""
    query = "SELECT source, message FROM diagnostics WHERE severity = 'error' OR code = 'damaged' ORDER BY ALL"
    return tuple(f"{source}: {message}" for source, message in dataset.sql(query).itertuples(index=False))


def say_diagnostics(dataset: Dataset) -> tuple[str, ...]:
    """Print the first errors and warnings; return what could not be read."""
    shown = [row for row in dataset.arrow("diagnostics").to_pylist() if row["severity"] in {"error", "warning"}]
    shown.sort(key=lambda row: row["severity"])  # errors before warnings
    for row in shown[:_MOST_DIAGNOSTICS]:
        place = row["source"] if row["line"] is None else f"{row['source']}:{row['line']}"
        say(one_line(f"{place}: {row['severity']}: {row['message']}"))
    if len(shown) > _MOST_DIAGNOSTICS:
        say(f"wrkparse: {len(shown) - _MOST_DIAGNOSTICS} more errors and warnings; `wrkparse ingest` shows them")
    return unread_files(dataset)
