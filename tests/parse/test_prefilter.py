"""What the prefilter finds does not depend on the library that searches."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from wrkparse.parse import prefilter

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures").rglob("*"))
SIGNS = ["_anything", "_uncommon", "_by_line", "_rare", "_strong", "_weak"]


@pytest.fixture(scope="module")
def texts() -> pa.Array:
    """Every fixture in runs of eight lines, each with the line break in front of it and cut somewhere at its end."""
    lines = [path.read_bytes().splitlines(keepends=True) for path in FIXTURES if path.is_file()]
    runs = [b"\n" + b"".join(of_one[at : at + 8]) for of_one in lines for at in range(0, len(of_one), 8)]
    cut = [run[: len(run) * 2 // 3] for run in runs]
    return pa.array([text for text in runs + cut if len(text) < prefilter._LITTLE], pa.binary())


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("sign", SIGNS)
def test_little_text_is_searched_by_re_with_what_re2_finds(texts: pa.Array, sign: str, marked: bool) -> None:
    pattern = getattr(prefilter._prefilter(marked=marked), sign)
    assert texts.nbytes > prefilter._LITTLE
    by_re2 = prefilter._holding(texts, pattern).tolist()
    by_re = [bool(prefilter._holding(texts[at : at + 1].take(pa.array([0])), pattern)[0]) for at in range(len(texts))]
    assert by_re == by_re2
    assert 0 < sum(by_re) < len(by_re)
