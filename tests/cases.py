"""Tests of many small cases: one test tries them all, and names those that fail."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from reprlib import Repr
from typing import Any

import pytest

_MOST_SHOWN = 5  # failures with a traceback
_REPR = Repr()
_REPR.maxstring = _REPR.maxother = 80  # characters of a value
# A case that skips itself would skip those behind it, too.
_FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)

Ids = Callable[[Any], object] | Sequence[str]
Test = Callable[..., None]


def each_case(names: str, cases: Iterable[Any], ids: Ids | None = None) -> Callable[[Test], Test]:
    """Decorate a test to try all cases in one go; the parameters are those of ``pytest.mark.parametrize``.

    As tests of their own, small cases take longer to collect and to report than to try. Fixtures are the same for all
    cases, so each must leave them as it found them.
    """
    words = [name.strip() for name in names.split(",")]
    rows = [tuple(case) if len(words) > 1 else (case,) for case in cases]

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def try_all(*self: Any, **fixtures: Any) -> None:
            failed: dict[str, BaseException] = {}
            for at, row in enumerate(rows):
                try:
                    test(*self, **fixtures, **dict(zip(words, row, strict=True)))
                except _FAILURES as problem:
                    failed[_name_of(words, row, ids, at)] = problem
            assert rows, "there is no case"
            if failed:
                said = f"{len(failed)} of {len(rows)} cases fail: {'; '.join(failed)}"
                raise BaseExceptionGroup(said, list(failed.values())[:_MOST_SHOWN])

        others = [one for name, one in signature.parameters.items() if name not in words]
        vars(try_all)["__signature__"] = signature.replace(parameters=others)  # pytest takes fixtures from it
        return try_all

    return decorate


def _name_of(words: Sequence[str], row: Sequence[Any], ids: Ids | None, at: int) -> str:
    """The id of a case, or its values, with its number: two cases may have one id."""
    if ids is not None and not callable(ids):
        return f"{at} {ids[at]}"
    shown = ids or _REPR.repr
    return f"{at} {', '.join(f'{word}={shown(value)}' for word, value in zip(words, row, strict=True))}"
