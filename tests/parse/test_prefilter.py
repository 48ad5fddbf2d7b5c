"""What the prefilter finds does not depend on the library that searches."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest

from wrkparse.parse import prefilter

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures").rglob("*"))
PLACES = 8  # bytes that Arrow takes beside a text: where it begins, and where the last one ends
SIGNS = ["_anything", "_uncommon", "_to_be_parsed", "_rare", "_strong", "_weak"]


@pytest.fixture(scope="module")
def texts() -> pa.Array:
    """Every fixture in runs of eight lines, each with the line break in front of it and cut somewhere at its end."""
    lines = [path.read_bytes().splitlines(keepends=True) for path in FIXTURES if path.is_file()]
    runs = [b"\n" + b"".join(of_one[at : at + 8]) for of_one in lines for at in range(0, len(of_one), 8)]
    cut = [run[: len(run) * 2 // 3] for run in runs]
    return pa.array([text for text in runs + cut if len(text) + PLACES < prefilter._FEWEST_BYTES_FOR_RE2], pa.binary())


@pytest.fixture(scope="module")
def little(texts: pa.Array) -> list[pa.Array]:
    """The same texts, in order, in arrays of so few that `re` searches them."""
    ends, size = [0], 0
    for at, text in enumerate(texts.to_pylist()):
        size += len(text) + PLACES
        if size >= prefilter._FEWEST_BYTES_FOR_RE2:
            ends, size = [*ends, at], len(text) + PLACES
    # a slice has the bytes of the whole array, which `take` copies
    return [texts.take(pa.array(range(at, end))) for at, end in pairwise([*ends, len(texts)])]


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("sign", SIGNS)
def test_little_text_is_searched_by_re_with_what_re2_finds(
    texts: pa.Array, little: list[pa.Array], sign: str, marked: bool
) -> None:
    pattern = getattr(prefilter._prefilter(marked=marked), sign)
    assert texts.nbytes > prefilter._FEWEST_BYTES_FOR_RE2
    by_re2 = prefilter._match_mask(texts, pattern).tolist()
    assert all(some.nbytes < prefilter._FEWEST_BYTES_FOR_RE2 for some in little)
    by_re = [held for some in little for held in prefilter._match_mask(some, pattern).tolist()]
    assert by_re == by_re2
    assert 0 < sum(by_re) < len(by_re)
