"""What follows from the specs of an event tool: each pattern is one of `re`, each sign one of RE2 that matches more."""

from __future__ import annotations

import copy
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tools.harness import FIXTURES
from wrkparse.parse.prefilter import re2_finds
from wrkparse.tools import event_tools
from wrkparse.tools.event import Events, EventSpec, EventTool, piece_word_pattern

TOOLS = pytest.mark.parametrize("tool", event_tools(), ids=lambda tool: tool.name)


@pytest.mark.parametrize(
    ("begins", "sign"),
    [
        ("gc [0-9]{1,10} @[0-9]", "gc [0-9]+ @[0-9]"),
        ("scvg-?[0-9]{0,10}: ", "scvg-?[0-9]*: "),
        (r"P(?<!\wP)[0-9]{1,19}: status", "P[0-9]+: status"),
        (r"GC(?<![a-z] GC) forced(?=[ \t\r]*(?:\n|\Z))", "GC forced"),
        ("a{3}b{2,}", "a+b+"),
    ],
)
def test_a_sign_has_neither_counts_nor_look_arounds(begins: str, sign: str) -> None:
    assert EventSpec("", "", begins).re2_sign == sign
    assert EventSpec("", "", begins, sign="other").re2_sign == "other"


@TOOLS
@given(st.data())
@examples(0.5)
def test_text_in_which_an_event_is_found_has_its_sign(tool: EventTool, data: st.DataObject) -> None:
    event = data.draw(st.from_regex(tool.find))
    assert re2_finds(event, tool.sign)
    if tool.find_common.search(event) is None:
        assert re2_finds(event, tool.rare_sign)


@pytest.mark.parametrize("tool", [tool for tool in event_tools() if tool.torn_sign], ids=lambda tool: tool.name)
@given(st.data())
@examples(0.5)
def test_a_piece_of_an_event_line_has_its_sign_and_a_word(tool: EventTool, data: st.DataObject) -> None:
    for pattern, sign in ((tool.torn, tool.torn_sign), (tool.continuation, tool.continuation_sign)):
        piece = data.draw(st.from_regex(pattern)).partition(b"\n")[0]
        if pattern.match(piece):
            assert re2_finds(piece + b"\n", sign)
            assert piece_word_pattern([tool]).search(piece.decode("utf-8", "replace"))


def test_pieces_are_searched_for_by_the_text_that_they_begin_with() -> None:
    assert {tool.name: tool.piece_words for tool in event_tools()} == {
        "ab": (),
        "gctrace": ("gc", "(forced)", "scvg", "scav ", "[controller reset]", "pacer: ", "scan: ", "init "),
        "schedtrace": ("SCHED ", "timerslen="),
    }
    assert piece_word_pattern([]).search("gc") is None


def test_common_events_are_found_as_all_events_are() -> None:
    text = b"x gc 7 @1.2s 3%: and so on\nGC forced\ngc1(8): 1+2\nSCHED 4ms: gomaxprocs=1\n"
    found = {tool.name: (tool.find.findall(text), tool.find_common.findall(text)) for tool in event_tools()}
    cycle = b"gc 7 @1.2s 3%: and so on"
    assert found["gctrace"] == ([cycle, b"GC forced", b"gc1(8): 1+2"], [cycle])
    assert found["schedtrace"] == ([b"SCHED 4ms: gomaxprocs=1"],) * 2
    assert found["ab"] == ([], [])


@TOOLS
def test_an_opening_is_what_a_common_line_begins_with(tool: EventTool) -> None:
    for spec in tool.specs:
        if spec.opening:
            assert spec.begins.startswith(spec.opening.pattern)


@TOOLS
def test_lines_sound_together_are_those_that_give_rows_alone(tool: EventTool) -> None:
    """Of lines whole, cut and run together, behind lines that the stream has seen and behind none."""
    folder = {"gctrace": "gctrace", "schedtrace": "schedtrace", "ab": "ab"}[tool.name]
    texts = [path.read_bytes() for path in sorted((FIXTURES / folder).iterdir()) if path.suffix != ".json"]
    found = list(dict.fromkeys(match[0] for text in texts for match in islice(tool.find.finditer(text), 12)))[:80]
    cut = [line[:at] for line in found[::4] for at in (len(line) // 2, len(line) - 1)]
    lines = [*found, *cut, *(first + second for first, second in pairwise(found[::8])), b"", b"other"]
    for seen in ([], found[:1]):
        stream = tool.stream()
        stream.decode(seen)
        alone = {at for at, line in enumerate(lines) if gives_rows(copy.deepcopy(stream).decode([line]))}
        assert stream.sound(lines) == alone
        assert 0 < len(alone) < len(lines) or not seen


@TOOLS
def test_each_beginning_of_a_complete_line_may_go_on(tool: EventTool) -> None:
    texts = [path.read_bytes() for path in sorted((FIXTURES / tool.name).iterdir()) if path.suffix != ".json"]
    found = list(dict.fromkeys(match[0] for text in texts for match in islice(tool.find.finditer(text), 12)))
    stream = tool.stream()
    stream.decode(found[:1])
    for line in (found[at].decode() for at in sorted(stream.sound(found))):
        assert all(tool.may_go_on(line[:end]) for end in range(len(line) + 1)), line
        assert tool.may_go_on(f"{line}  ")


@pytest.mark.parametrize("behind", ["", "GET /a 200", "server-017 gc 2 @0.2s", "ms clock,", ";"])
def test_a_line_with_other_text_in_it_does_not_go_on(behind: str) -> None:
    tool = next(tool for tool in event_tools() if tool.name == "gctrace")
    assert tool.may_go_on(f"gc 1 @0.1s 1%: 0.018+3.0{behind}") == (behind == "")
    assert tool.may_go_on(f"scvg1: 2{behind}")  # the forms of this line are not listed


def gives_rows(events: Events) -> bool:
    return not events.bad and any(table.num_rows for table in events.tables.values())
