"""What a comparison says first where its sides were loaded differently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.statements import of
from wrkparse.analysis.comparison.text.wording import place_words
from wrkparse.analysis.wording import joined

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

_MOST_VARIANTS = 3  # that one sentence names


def on_loads(table: ComparisonTable) -> Iterator[str]:
    """That what is compared was loaded differently, as by two tools or at two numbers of connections."""
    base = table.loads.get(tuple(table.baseline.values()))
    others = [(dict(zip(table.compared, key, strict=True)), load) for key, load in table.loads.items() if load != base]
    if base is None or not others or len(others) > _MOST_VARIANTS:
        return
    runs_of = [f"{of(variant)} {place_words(load)}" for variant, load in others]
    yield (
        f"The runs {joined(runs_of)} are compared with those {of(table.baseline)} {place_words(base)}: "
        "that alone may make a difference."
    )
