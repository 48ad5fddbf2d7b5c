"""Events taken out of a block at once: which, what is left to be looked at, and where that is not tried."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.samples import GC, SCHED
from wrkparse.parse.events.scan import find_common_lines, scan_block
from wrkparse.parse.items import Batch
from wrkparse.parse.parser import SourceParser
from wrkparse.tools import event_tools

pytestmark = pytest.mark.usefixtures("loops")

ONE, TWO = GC.format(n=1, t="0.5"), GC.format(n=2, t="1.25")
STATE = SCHED.format(t=10)
OTHER = "worker 3 sent gc 5 in 7ms: done @ host\n"


def taken(text: str) -> tuple[dict[str, tuple[list[int], str]], str] | None:
    """Of each tool, which lines of the text and what of them; and what is left."""
    found = find_common_lines(text.encode(), event_tools())
    if found is None:
        return None
    assert found.lines == text.count("\n")
    events = {each.tool.name: (each.indices.tolist(), each.lines.text.decode()) for each in found.events}  # type: ignore[attr-defined]
    return events, found.other_text.decode()


def test_events_are_taken_and_other_lines_are_left():
    assert taken(ONE + TWO) == ({"gctrace": ([0, 1], ONE + TWO)}, "")
    assert taken("# a\n" + ONE + "b\n# c\n" + STATE + TWO + "# d\n") == (
        {"gctrace": ([1, 5], ONE + TWO), "schedtrace": ([4], STATE)},
        "# a\nb\n# c\n# d\n",
    )
    assert taken("# a\n# b\n") == ({}, "# a\n# b\n")


def test_one_line_of_each_form_shows_what_stands_in_front():
    text = "".join(f"app-1 | {line}" for line in (ONE, TWO)) + "x | " + ONE
    assert find_common_lines(text.encode(), event_tools()) is None  # two streams
    (events, others) = taken("".join(f"2026-11-20T11:38:2{i}Z {line}" for i, line in enumerate((ONE, TWO)))) or ({}, "")
    assert events == {"gctrace": ([0, 1], ONE + TWO)}
    assert others == "2026-11-20T11:38:20Z " + ONE[:20] + "\n"


def test_the_times_in_front_keep_their_order_whatever_their_width():
    times = ["2026-11-20T11:38:23.5Z", "2026-11-20T11:38:23.25Z", "2026-11-20T11:38:24.5Z"]
    found = find_common_lines("".join(f"{time} {ONE}" for time in times).encode(), event_tools())
    assert found
    assert found.events[0].stamps
    assert found.events[0].stamps.to_pylist() == times


def test_what_only_looks_like_an_event_is_left():
    for line in (OTHER, "gc @0.5s\n", "gc 12345678901 @0.5s\n", "agc5 @1\n", " @1\n", "SCHED ms: 1\n"):
        events, _ = taken("a\n" + line + ONE) or ({}, "")
        assert events == {"gctrace": ([2], ONE)}


@pytest.mark.parametrize("text", [ONE.strip() + TWO, "gc 7 @" + STATE, '{"log":"' + ONE])
def test_what_can_t_be_told_simply_is_not_tried(text: str):
    assert taken("a\n" + text) is None


def test_an_event_in_front_of_another_is_not_passed_over_where_all_lines_have_one():
    assert taken(STATE.strip() + ONE) is None


@pytest.mark.parametrize("front", ["<pre>2026-11-20T10:00:01.5Z stderr F ", "&gt; 2026-11-20T10:00:01.5Z "])
def test_markup_in_front_of_an_event_does_not_hide_its_time(front: str):
    parser, blocks = SourceParser("x.log"), [b"text\n", (front + ONE).encode()]
    items = [item for block in blocks for item in parser.feed(block, scan_block(block))] + list(parser.finish())
    stamps = [row["logged_at"] for item in items if isinstance(item, Batch) for row in item.rows.to_pylist()]
    assert stamps == [pd.Timestamp("2026-11-20 10:00:01.5")]


@pytest.mark.parametrize("front", ["<pre>2026-11-20T10:00:01.5Z stderr F ", "&gt; 2026-11-20T10:00:01.5Z "])
def test_markup_in_front_of_an_event_of_a_long_log_does_not_hide_its_time(front: str):
    """Two streams, so that the scan of the whole block leaves them; the pieces of the block have the same rule."""
    other_lines = "worker 3 is done\n" * 5000
    blocks = ["text\n", f"{other_lines}{front}{ONE}app-1 | {TWO}{other_lines}"]
    parser = SourceParser("x.log")
    items = [item for block in blocks for item in parser.feed(block.encode())] + list(parser.finish())
    rows = [row for item in items if isinstance(item, Batch) for row in item.rows.to_pylist()]
    assert [(row["line"], row.get("logged_at")) for row in rows] == [
        (5002, pd.Timestamp("2026-11-20 10:00:01.5")), (5003, None)
    ]  # fmt: skip


def test_events_of_a_long_log_are_found_in_each_of_its_pieces():
    """Far from each other, so that pieces without an event are between them; two streams, as above."""
    others = "worker 3 is done\n" * 2000
    parser = SourceParser("x.log")
    blocks = ["text\n", f"{others}app-1 | {ONE}{others}app-2 | {ONE}{others}app-1 | {TWO}{others}"]
    items = [item for block in blocks for item in parser.feed(block.encode())] + list(parser.finish())
    rows = [row for item in items if isinstance(item, Batch) for row in item.rows.to_pylist()]
    assert sorted(row["line"] for row in rows) == [2002, 4003, 6004]
