"""Labels and the baseline of a comparison as users write them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from wrkparse.analysis.runs.labels import label_text
from wrkparse.dataset import QueryError
from wrkparse.dataset.aliases import label_name

_PAIR = re.compile(r"\s*([A-Za-z_]\w*)\s*=([^,]*)")


def parse_baseline(text: str | Mapping[str, object] | None) -> dict[str, str | None]:
    """The labels of a baseline as text, from ``framework=nginx,gogc=off`` or a mapping; no labels for None.

    ``gogc=`` means that the label is missing. Raises QueryError for any other text.
    """
    if text is None:
        return {}
    if not isinstance(text, str):
        return {key: label_text(value) for key, value in text.items()}
    pairs = [_PAIR.fullmatch(part) for part in text.split(",")]
    if not all(pairs):
        raise QueryError(f"baseline {text!r}: expected label=value, several joined by commas")
    return {pair[1]: pair[2].strip() or None for pair in pairs if pair}


def split_names(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names from a list, or from a text with commas, without blanks and repetitions."""
    listed = names.split(",") if isinstance(names, str) else names or ()
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def label_names(names: str | Sequence[str] | None, known: Collection[str]) -> tuple[str, ...]:
    """The labels that several names mean."""
    return tuple(dict.fromkeys(label_name(name, known) for name in split_names(names)))
