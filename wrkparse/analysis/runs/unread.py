"""Files that could not be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

# A damaged file, such as a compressed one that is cut off, was read up to the damage.
_UNREAD = "SELECT source, message FROM diagnostics WHERE severity = 'error' OR code = 'damaged' ORDER BY ALL"


def unread_files(dataset: Dataset) -> tuple[str, ...]:
    """The files that could not be read, or not to their end, each with the reason."""
    return tuple(f"{row['source']}: {row['message']}" for row in dataset.sql_arrow(_UNREAD).to_pylist())
