"""Lines in pieces. Expected: the same line before other output cut into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

import wrkparse as wp
from tests.samples import GC, SCHED
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch, Item
from wrkparse.parse.parser import SourceParser
from wrkparse.text.torn import foreign_line_pattern, heads_within, likely_joins, line_head, rejoin_torn_line

LINE = GC.format(n=7, t="0.126").rstrip()
FOREIGN = "2026/11/20 11:38:23 worker 2 handled request 1105{} in 3.2ms"


def cycles(text: str) -> list[tuple[int, int, float]]:
    found = wp.parse_text(text).gc_cycles
    return [(int(row.line), int(row.gc), float(row.cpu_idle_s)) for row in found.itertuples()]


def torn(line: str, cuts: list[int], foreign: str = FOREIGN) -> str:
    """A line with another program's line behind each piece but the last, as two writers to one pipe make it."""
    edges = [0, *cuts, len(line)]
    pieces = [line[start:stop] for start, stop in pairwise(edges)]
    return "".join(f"{piece}{foreign.format(i)}\n" for i, piece in enumerate(pieces[:-1])) + pieces[-1] + "\n"


@pytest.mark.parametrize("foreign", [FOREIGN, 'level=info worker=3 n={} msg="ok"'])
@pytest.mark.parametrize("cuts", [[5], [21], [19, 40], [3, 5, 6, 12, 16, 18, 23, 24, 27, 60, len(LINE)]])
def test_a_line_that_others_tore_is_put_together(cuts: list[int], foreign: str) -> None:
    text = "start\n" + torn(LINE, cuts, foreign) + foreign.format(9) + "\n" + GC.format(n=8, t="0.2")
    assert [cycle[1:] for cycle in cycles(text)] == [(7, 0.003), (8, 0.003)]
    assert cycles(text)[0][0] == 2
    assert wp.parse_text(text).diagnostics.code.tolist() == ["mended"]


def test_a_number_that_may_end_at_two_places_is_not_guessed() -> None:
    text = torn(LINE, [LINE.index("1.3+") + 1], "3 widgets made\n4 widgets made")
    assert cycles(text) == []
    assert wp.parse_text(text).diagnostics.code.tolist() == ["bad-event"]


def test_a_line_that_lacks_a_piece_is_not_made_up() -> None:
    lines = torn(LINE, [21, 40]).splitlines()
    text = "\n".join([lines[0], *lines[2:], FOREIGN.format(3), ""])
    assert cycles(text) == []
    assert wp.parse_text(text).diagnostics.code.tolist() == ["bad-event"]


@pytest.mark.parametrize("width", [40, 72, 80])
@pytest.mark.parametrize("indent", ["", "    "])
def test_a_wrapped_line_is_put_together(width: int, indent: str) -> None:
    pieces = [LINE[at : at + width] for at in range(0, len(LINE), width)]
    text = pieces[0] + "\n" + "".join(f"{indent}{piece}\n" for piece in pieces[1:]) + GC.format(n=8, t="0.2")
    assert cycles(text) == [(1, 7, 0.003), (len(pieces) + 1, 8, 0.003)]


@pytest.mark.parametrize("at", ["->", "4->5->", "MB, 5 ", "goal,"])
def test_a_blank_at_the_end_of_a_wrapped_line_does_no_harm(at: str) -> None:
    cut = LINE.index(at) + len(at)
    assert cycles(f"{LINE[:cut]}\n{LINE[cut:]} \n") == [(1, 7, 0.003)]


def fed(text: str, lines: int) -> dict[str, int]:
    """How many events, runs and diagnostics of each code a text gives in blocks of this many lines."""
    parser = SourceParser("x")
    whole = text.encode().splitlines(keepends=True)
    items: list[Item] = []
    for at in range(0, len(whole), lines):
        items += parser.feed(b"".join(whole[at : at + lines]))
    found = Counter[str]()
    for item in [*items, *parser.finish()]:
        key = item.code if isinstance(item, Diagnostic) else type(item).__name__
        found[key] += item.rows.num_rows if isinstance(item, Batch) else 1
    return dict(found)


@pytest.mark.parametrize("lines", [1, 2, 3, 7, 10**6])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_wrapped_lines_are_put_together_whatever_the_blocks_and_line_ends(end: str, lines: int) -> None:
    text = "".join(wrap(GC.format(n=n, t=f"{n}.000").rstrip(), 80, end) for n in range(1, 41))
    assert fed(text, lines) == {"Batch": 40, "Run": 1, "mended": 40}


def wrap(line: str, width: int, end: str) -> str:
    return "".join(line[at : at + width] + end for at in range(0, len(line), width))


def test_all_wrapped_lines_of_a_long_log_are_put_together() -> None:
    text = "".join(wrap(GC.format(n=n, t=f"{n}.000").rstrip(), 80, "\n") for n in range(1, 2501))
    assert fed(text, 10**6) == {"Batch": 2500, "Run": 1, "mended": 2500}


FIVE, SIX, ONE = (GC.format(n=n, t=f"{n}.5") for n in (5, 6, 1))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (f"{FIVE}{SIX[:60]}\n{SIX[60:]}- emu\n{ONE}", [5, 6, 1]),  # a torn line waits for its rest
        (f"{FIVE.rstrip()} {SIX}- emu\n{ONE}", [5, 6, 1]),  # two events in one line
        (f"{FIVE}gc \n- emu\n{ONE}", [5, 1]),  # a word that may begin an event, and does not
        (f"{FIVE}- emu\ngc \n{ONE}", [5, 1]),
        (f"{FIVE[:60]}\n{FIVE[60:]}- emu\ngc \n{ONE}", [5, 1]),
    ],
)
def test_what_stands_above_a_process_is_its_own_whatever_became_of_the_lines_before(
    text: str, numbers: list[int]
) -> None:
    dataset = wp.parse_text(text)
    titles = dataset.labels[dataset.labels["key"] == "title"]
    below = dataset.runs.set_index("run")["line"]
    assert [(below[row.run], row.value) for row in titles.itertuples()] == [(text.count("\n"), "emu")]
    assert dataset.gc_cycles["gc"].tolist() == numbers


def test_the_limit_on_lines_that_can_not_be_joined_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrkparse.parse.events.traces._MOST_UNJOINED", 3)
    text = "".join(f"{GC.format(n=n, t=n)[:50]}\n" for n in range(1, 6)) + GC.format(n=6, t=6)
    assert fed(text, 10**6) == {"Batch": 1, "Run": 1, "bad-event": 5, "torn-limit": 1}


@pytest.mark.parametrize(("unjoined", "mended"), [(2, 1), (3, 0)])
def test_behind_the_limit_none_is_tried(monkeypatch: pytest.MonkeyPatch, unjoined: int, mended: int) -> None:
    monkeypatch.setattr("wrkparse.parse.events.traces._MOST_UNJOINED", 3)
    monkeypatch.setattr("wrkparse.parse.events.traces._TRIED_TOGETHER", 1)
    text = "".join(f"{GC.format(n=n, t=n)[:50]}\n" for n in range(unjoined)) + wrap(LINE, 80, "\n")
    assert fed(text, 10**6).get("mended", 0) == mended


def test_pieces_behind_a_prefix_each_are_put_together() -> None:
    pieces = ["SCHED ", "20", "ms: gomaxprocs=", "2", " idleprocs=", "0", " threads=", "5", " spinningthreads=", "0"]
    pieces += [" idlethreads=", "1", " runqueue=", "3", " [", "1", " ", "2", "]"]
    assert "".join(pieces) + "\n" == SCHED.format(t=20)
    text = "".join(f"api_1  | {piece}\ndb_1   | ready\n" for piece in pieces) + f"api_1  | {SCHED.format(t=30)}"
    ticks = wp.parse_text(text).sched_ticks
    assert ticks.t_s.tolist() == [0.02, 0.03]
    assert ticks.local_runqueues.tolist() == [[1, 2], [1, 2]]


def test_two_events_of_one_process_that_cut_into_each_other() -> None:
    text = "gc" + SCHED.format(t=45) + LINE.removeprefix("gc") + "\n"  # Go 1.4 had no lock
    assert [cycle[:2] for cycle in cycles(text)] == [(1, 7)]
    assert wp.parse_text(text).sched_ticks.t_s.tolist() == [0.045]


@pytest.mark.parametrize(("between", "found"), [(319, [(1, 7, 0.003)]), (320, [])])
def test_the_rest_of_a_torn_line_is_searched_in_the_320_lines_after_it(
    between: int, found: list[tuple[int, int, float]]
) -> None:
    others = "".join(f"{FOREIGN.format(n)}\n" for n in range(between))
    assert cycles(f"{LINE[:21]}{FOREIGN.format(0)}\n{others}{LINE[21:]}\n{others}") == found


def test_a_word_like_the_begin_of_an_event_is_nothing() -> None:
    assert len(wp.parse_text("run the gc\nSCHED \nthe end\n").diagnostics) == 0


@pytest.mark.parametrize("begin", ["SCHED ", "SCHED 4", "SCHED 46", "SCHED 46m"])
def test_a_line_that_is_torn_before_it_is_known_is_put_together_in_a_long_log(begin: str) -> None:
    line = SCHED.format(t=46)
    log = "".join(f"{FOREIGN.format(n)}\n" for n in range(4000))
    dataset = wp.parse_text(f"{log}{begin}\n{line[len(begin) :]}{log}")
    assert dataset.sched_ticks[["line", "t_s"]].to_numpy().tolist() == [[4001, 0.046]]
    assert dataset.diagnostics.code.tolist() == ["mended"]


FOREIGN_LINE = foreign_line_pattern(["SCHED [0-9]+ms:"])
WHOLE_LINE = "value 0.125 of 40 P"
FOUND = (WHOLE_LINE, 1)


def put_together(
    begin: str,
    *after: str,
    whole: str = WHOLE_LINE,
    ends: tuple[str, ...] = (" P",),
    may_go_on: Callable[[str], bool] = bool,
) -> tuple[str, int] | None:
    joins = likely_joins(begin, after, ends, 1000, may_go_on)
    return rejoin_torn_line(begin, after, joins, heads_of(begin, after), lambda text: text == whole, FOREIGN_LINE)


def heads_of(begin: str, after: Sequence[str]) -> set[str]:
    return heads_within(begin, map(line_head, after))


def test_a_line_that_may_go_on_with_a_number_has_no_head() -> None:
    lines = ["worker 21 ready", "of 40 P", "10 worker 9 done", "worker 9 is done"]
    assert [line_head(line) for line in lines] == ["worker 00 ", "", "", "worker 0 i"]


def test_a_head_within_a_torn_line_counts_and_not_in_front_of_it() -> None:
    assert heads_within("gc 1 @worker 57 is up", ["worker 00 ", "", "GET /a/b/c"]) == {"worker 00 "}
    assert heads_within("worker 57 is up, worker 58 is down", ["worker 00 ", ""]) == set()


@pytest.mark.parametrize(
    ("begin", "after", "found"),
    [
        ("value 0.125 ", ["of 40 P"], FOUND),  # at a terminal's last column
        ("value 0.1", ["25 of 40 P"], FOUND),
        ("value 0.1", ["  25 of 40 P"], FOUND),  # indented by a page
        ("value 0.125", ["of 40 P"], FOUND),  # at a blank
        ("value 0.125", ["  of 40 P "], FOUND),
        ("value", ["0.125", "of 40", "P"], (WHOLE_LINE, 3)),
        ("value", ["0.125", "of 40"], None),
        ("value", ["0.125", "and", "of 40 P"], None),
        ("value", [], None),
        ("value 0.1", ["25 of 40 P", "more"], FOUND),
    ],
)
def test_pieces_of_a_wrapped_line_make_a_whole_one(begin: str, after: list[str], found: object) -> None:
    assert put_together(begin, *after) == found


def test_more_than_eight_pieces_are_tried_only_where_a_line_may_end() -> None:
    pieces = list(WHOLE_LINE[1:])
    assert put_together(WHOLE_LINE[0], *pieces) == (WHOLE_LINE, len(pieces))
    assert put_together(WHOLE_LINE[0], *pieces, ends=(")",)) is None
    assert put_together(WHOLE_LINE[:-8], *WHOLE_LINE[-8:], ends=(")",)) == (WHOLE_LINE, 8)
    assert put_together(WHOLE_LINE[:-9], *WHOLE_LINE[-9:], ends=(")",)) is None


def test_behind_a_piece_of_over_two_hundred_characters_comes_none() -> None:
    for length, found in ((200, 2), (201, None)):
        whole = "v" + "x" * length + "y"
        taken = put_together("v", "x" * length, "y", whole=whole)
        assert taken == (None if found is None else (whole, found))


def test_behind_what_no_line_begins_with_comes_no_piece() -> None:
    def joined(may_go_on: Callable[[str], bool]) -> list[str]:
        pieces = ["0.1 ", "GET ", "of"]
        return [text for text, _ in likely_joins("value ", pieces, (" P",), 1000, may_go_on)]

    assert joined(lambda text: "GET" not in text)[-1].endswith("GET")
    assert joined(bool)[-1].endswith("of")
    assert put_together("value 0.1", "25 ", "of 40 P", may_go_on=WHOLE_LINE.startswith) == (WHOLE_LINE, 2)


def test_a_whole_line_may_go_on_in_the_next() -> None:
    either = {"8 P", "8 P (forced)"}

    def mend(*after: str) -> object:
        joins = likely_joins("8", after, (), 1000, bool)
        return rejoin_torn_line("8", after, joins, set(), either.__contains__, FOREIGN_LINE)

    assert mend(" P", " (forced) ") == ("8 P (forced)", 2)
    assert mend(" P", "ready") == ("8 P", 1)
    assert mend(" P", "") == ("8 P", 1)
    assert mend(" P") == ("8 P", 1)


@pytest.mark.parametrize(
    ("begin", "after", "found"),
    [
        ("value 0.12026-11-20 07:08:09 ready", ["25 of 40 P"], FOUND),
        ("value 0.1level=info", ["25 oftime=5", " 40 P"], (WHOLE_LINE, 2)),
        ("value 0.1SCHED 5ms: x", ["25 of 40 P"], FOUND),
        # any program's line, if one like it stands among the next, digits apart
        ("value 0.1worker 21 ready", ["25 ofworker 22 ready", "worker 35 ready", " 40 P"], (WHOLE_LINE, 3)),
        ("value 0.1worker 21 ready", ["25 of 40 P"], None),  # nothing says that it is a line
        ("value 0.15 requests made", ["25 of6 requests made", " 40 P"], None),  # the digit may be either's
        ("value 0.1worker 21 ready", ["25 ofworker 22 ready", "worker 35 ready", " 40"], None),
        ("value 0.1worker 21 ready", ["25 ofworker 22 ready", "worker 35 ready"], None),
        ("level=info value", ["0.125 of 40 P"], None),
    ],
)
def test_pieces_that_other_programs_tore_make_a_whole_line(begin: str, after: list[str], found: object) -> None:
    assert put_together(begin, *after) == found
