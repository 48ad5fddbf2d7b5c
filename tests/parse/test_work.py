"""How much work reading takes, counted in calls of Python functions: they are the same on every machine.

With what it does between calls, a call takes about 0.42 µs on the machine of docs/speed.md: 4.5 calls for each byte are
less than two seconds of processor time for each megabyte.
"""

from __future__ import annotations

import cProfile
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from wrkparse.ingest.session import Session
from wrkparse.ingest.table_builder import TableBuilder
from wrkparse.parse import prefilter
from wrkparse.parse.parser import SourceParser
from wrkparse.source.discover import find_sources

SHAPES = runpy.run_path(str(Path(__file__).parents[2] / "scripts/benchmarks/shapes.py"))
MOST_FOR_A_BYTE = 4.5  # a run and a pattern of its own in 75 bytes take almost as much
# Shapes that take less; a line of text that no tool prints is the commonest of all.
LESS_FOR_A_BYTE = {
    "wrapped": 0.4, "torn": 1.8, "torn-pods": 1.6, "torn-reports": 4.4, "interleaved": 1.25, "times": 2.75,
    "formats": 3.3, "formats-set": 3.85, "formats-anew": 4.3, "formats-output": 3.2, "variables": 3.8,
}  # fmt: skip
WRK = str(SHAPES["WRK"])


def calls(function: Callable[[], object]) -> int:
    """How many Python functions are called, and generators resumed, while a function runs."""
    # It counts in C. A function given to sys.setprofile takes longer than the calls that it counts.
    profile = cProfile.Profile(builtins=False)
    profile.runcall(function)
    return sum(entry.callcount for entry in profile.getstats())


def build(text: str) -> TableBuilder:
    """The tables of a text."""
    builder, reader = TableBuilder(), SourceParser("x.log")
    for items in (reader.feed(text.encode()), reader.finish()):
        for item in items:
            builder.add(item)
    return builder


def more(make: Callable[[int], str], few: int, many: int) -> float:
    """The calls that each unit more of a text takes, once what the first texts need is imported and known."""
    build(make(few))
    return (calls(lambda: build(make(many))) - calls(lambda: build(make(few)))) / (many - few)


def page(reports: int) -> str:
    command = "$ wrk -t8 -c64 -d10s --latency http://10.0.1.70:8080/hello\n"
    texts = (WRK.replace("410759", str(number)) for number in range(reports))
    return "\n".join(f"# setup {number}\n\n{command}{text}" for number, text in enumerate(texts))


def test_a_report_of_a_page_takes_less_than_a_hundred_calls() -> None:
    assert build(page(100)).runs["wrk"] == 100
    assert more(page, 200, 600) < 98


def test_a_file_of_one_report_takes_less_than_two_hundred_calls(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"{number}.txt").write_text(f"$ wrk -t8 -c64 -d10s http://10.0.1.70:8080/hello\n{WRK}")
    found, _ = find_sources([str(tmp_path)])
    session = Session({})

    def read(some: slice) -> None:
        for file in found[some]:
            session.read_source(file, lambda size: None)

    read(slice(50))
    assert calls(lambda: read(slice(50, None))) < 169 * 100
    assert session.builder.runs["wrk"] == 150


@pytest.mark.parametrize("shape", SHAPES["SHAPES"])
def test_no_shape_takes_more_than_its_budget(shape: str) -> None:
    most = LESS_FOR_A_BYTE.get(shape, MOST_FOR_A_BYTE)
    assert more(lambda size: str(SHAPES["text"](shape, size)), 40_000, 160_000) < most


def test_one_piece_in_nine_of_a_page_is_searched_for_the_line_that_makes_it_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[int] = []

    def note(text: bytes, _: object) -> bool:
        searched.append(len(text))
        return True

    block = SHAPES["text"]("formats", 64 * prefilter.PIECE_BYTES).encode()
    reader = prefilter.Prefilter(marked=False)
    monkeypatch.setattr(reader, "_must_be_parsed", note)
    pieces = reader.classify_pieces(block)
    assert all(piece.must_be_parsed for piece in pieces)
    assert len(searched) <= 1 + len(pieces) / prefilter.PIECES_ABOVE


@examples(0.5)
@given(st.lists(st.sampled_from(["none", "weak", "line", "strong"]), min_size=1, max_size=40))
def test_the_pieces_that_are_parsed_are_those_above_one_that_must_be(kinds: list[str]) -> None:
    texts = {
        "none": "GET /a 200", "weak": "it cost me some $ I think", "line": "Requests per second: 5 [#/sec] (mean)",
        "strong": "```",
    }  # fmt: skip
    filler = "x" * prefilter.PIECE_BYTES
    block = "".join(f"{texts[kind]}\n{filler}\n" for kind in kinds).encode()
    wanted = [kind in ("line", "strong") for kind in kinds]
    by_line = [piece.must_be_parsed for piece in prefilter.Prefilter(marked=False).classify_pieces(block)]
    assert by_line == [any(wanted[at : at + 1 + prefilter.PIECES_ABOVE]) for at in range(len(kinds))]


def test_shortened_schedtraces_are_within_the_budget() -> None:
    line = "SCHED {}ms: gomaxprocs=1 idleprocs=0 threads=3 spinningthreads=0 idlethreads=1 runqueue=0 [ 3 ]\n"
    assert more(lambda count: "".join(map(line.format, range(count))), 500, 2000) < 100
