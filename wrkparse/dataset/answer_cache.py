"""Answers that a dataset keeps, because its tables never change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import pyarrow as pa

Answer = TypeVar("Answer")

MOST_BYTES = 64 << 20  # of Arrow tables; a table with 5,000 runs and 100 columns has about 4 MB
_MOST_ANSWERS = 200  # answers that are not tables are small, such as the audit's findings


class AnswerCache:
    """Answers by key, the most recently used last. The oldest are dropped if there are too many, or too many bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._answers: dict[Hashable, tuple[Any, int]] = {}
        self._most_bytes = most_bytes

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The answer kept under `key`; if there is none, `make` computes it."""
        # Taken out and put back at the end: a dict keeps the order of insertion.
        found = self._answers.pop(key, None)
        if found is None:
            new = make()
            found = (new, new.nbytes if isinstance(new, pa.Table) else 0)
        # An answer that is too large alone would drive out all others, and then itself.
        if found[1] <= self._most_bytes:
            self._answers[key] = found
        while len(self._answers) > _MOST_ANSWERS or sum(size for _, size in self._answers.values()) > self._most_bytes:
            del self._answers[next(iter(self._answers))]
        answer: Answer = found[0]
        return answer
