"""Labels and the baseline of a comparison as users write them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrkparse.analysis.runs.labels import label_text
from wrkparse.dataset import QueryError

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
