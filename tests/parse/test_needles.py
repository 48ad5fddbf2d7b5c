"""Lines without a needle hold no match: held against RE2, for each pattern that is looked for in logs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wrkparse.parse.needles import Needles
from wrkparse.parse.prefilter import Sieve, needles
from wrkparse.tools.columnar import compiled
from wrkparse.tools.columnar.numbers import where

pytestmark = pytest.mark.skipif(not compiled.COMPILED, reason="the package was installed without a C compiler")

PATTERNS = Sieve(marked=True).patterns


def marked(some: Needles, *lines: bytes) -> list[bool]:
    """Which lines behind a first one may hold a match."""
    text = np.frombuffer(b"first\n" + b"".join(line + b"\n" for line in lines), np.uint8)
    ends = where(text, b"\n")
    found = some.lines(text, ends, np.zeros(len(ends), bool)).tolist()
    assert found[0] == 0
    return [place in found for place in range(1, len(ends))]


def test_the_first_line_may_hold_what_begins_with_the_break_in_front():
    text = np.frombuffer(b"#x\nnothing\n", np.uint8)
    assert Needles(["\\n#"]).lines(text, where(text, b"\n"), np.zeros(2, bool)).tolist() == [0]


def test_lines_that_are_told_already_are_not_looked_at():
    text = np.frombuffer(b"#x\n#y\n#z\n", np.uint8)
    assert Needles(["\\n#"]).lines(text, where(text, b"\n"), np.array([True, False, True])).tolist() == [1]


@pytest.mark.parametrize(
    ("pattern", "with_it", "without"),
    [
        ("Requests/sec", b"a Requests/sec", b"a Requests/se"),
        ("a(?:bc|de)f", b"xadefx", b"xabcex"),
        ("a(?:bc|de)?fg", b"xafgx", b"xabcfx"),
        ("x[0-9]{3}y", b"x123y", b"x12y"),
        ("x[0-9]{2,}y", b"x1234y", b"x1y"),
        ("[^0-9a]+q", b"--q", b"-1q"),
        ("x[0-9]+y", b"x1y", b"x+y"),
        (r"[\]\-x]=", b"-=", b"y="),
        (r"\x1b", b"\x1b", b"x1b"),
        ("❯", "❯".encode(), b"\xe2\x9d"),
        ("\\n#", b"#", b"a#"),
        (r"gc(?:\n|\z)", b"gc", b"g c"),
    ],
)
def test_a_pattern_s_bytes_are_looked_for(pattern: str, with_it: bytes, without: bytes):
    assert marked(Needles([pattern]), with_it) == [True]
    assert marked(Needles([pattern]), without) == [False]


def test_what_any_bytes_may_match_is_refused():
    with pytest.raises(ValueError, match="any bytes"):
        Needles(["a|.*"])


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
@settings(max_examples=20)
def test_no_line_in_which_re2_finds_a_pattern_is_passed_over(pattern: str, data: st.DataObject):
    match = st.from_regex(pattern.replace(r"\z", r"\Z"), fullmatch=True)
    around = st.text("gc 1@\n:us0#\té", max_size=8)
    text = "\n".join(data.draw(st.lists(st.builds("{}{}{}".format, around, match, around), max_size=3)))
    lines = text.encode("utf-8", "replace").split(b"\n")
    latin = pa.array([b"\n" + line + b"\n" for line in lines], pa.binary())
    joined = "|".join(f"(?:{each})" for each in PATTERNS).encode("utf-8")
    found = pc.match_substring_regex(latin, "".join(chr(b) if b < 128 else f"\\x{b:02x}" for b in joined))
    for line, holds, may in zip(lines, found.to_pylist(), marked(needles(), *lines), strict=True):
        assert may or not holds, line
