"""What whole texts give, seen from outside: expected values are counted and worked out by hand."""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.samples import GC, WRK
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.parse.parser import SourceParser

SERVICE = "2026/11/20 11:38:23 worker 3: user 17 asked, requests in total 40\n"


def items_of(*blocks: str) -> list[Item]:
    parser = SourceParser("x.log")
    return [*(item for block in blocks for item in parser.feed(block.encode())), *parser.finish()]


def test_the_identifier_of_a_run_is_a_digest_of_its_place_and_text() -> None:
    """Stores keep it. ``printf 'a.txt\\0001\\000wrk\\000Requests/sec:  10.00' | b2sum -l 48``."""
    assert wp.parse_text("Requests/sec:  10.00\n", "a.txt").runs.run.tolist() == ["96ac2c996e43"]


def test_both_halves_of_a_wrapped_line_are_counted_as_the_report_s() -> None:
    whole = "  Socket errors: connect 1, read 2, write 3, timeout 40\n"
    wrapped = "  Socket errors: connect 1, read 2, write\n3, timeout 40\n"
    for line, lines in ((whole, 9), (wrapped, 10)):
        text = WRK.replace("Requests/sec", f"{line}Requests/sec")
        sources = wp.parse_text(f"{text}the end\n").sources
        assert sources[["lines", "lines_claimed"]].to_numpy().tolist() == [[lines + 1, lines]]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_last_line_counts_with_and_without_its_end(end: str) -> None:
    """In a long log, of which the last block is searched for events alone."""
    text = SERVICE * 2000 + GC.format(n=1, t="0.5") + SERVICE * 20 + "the end" + end
    dataset = wp.parse_text(text)
    assert dataset.sources.lines.tolist() == [2022]
    assert dataset.gc_cycles.line.tolist() == [2001]


@pytest.mark.parametrize("ahead", ["", "\n", "\n\n", "a\n"])
def test_bytes_that_are_not_utf_8_are_noted_with_the_line_that_they_stand_in(ahead: str) -> None:
    parser = SourceParser("x.log")
    (note,) = [*parser.feed(ahead.encode() + b"caf\xe9\n"), *parser.finish()]
    assert (note.line, note.code) == (ahead.count("\n") + 1, "undecodable")  # type: ignore[union-attr]


def test_a_line_that_might_go_on_is_a_report_s_no_more_if_another_one_follows() -> None:
    """Behind "write" the line may be wrapped, but what follows is a report of its own."""
    begun = "".join(WRK.splitlines(keepends=True)[:6]) + "  Socket errors: connect 1, read 2, write\n"
    dataset = wp.parse_text(begun + WRK)
    assert dataset.runs[["line", "line_end"]].to_numpy().tolist() == [[1, 6], [8, 15]]
    assert sorted(dataset.diagnostics[["line", "code"]].to_numpy().tolist()) == [[6, "incomplete"], [7, "bad-line"]]


def test_a_title_in_the_words_of_a_report_s_line_names_the_report_below_it() -> None:
    dataset = wp.parse_text(f"start\n{WRK}> Requests/sec: nginx\n{WRK}")
    named = dataset.labels[dataset.labels.key == "framework"]
    assert named[["run", "value"]].to_numpy().tolist() == [[dataset.runs.run[1], "Requests/sec: nginx"]]


def test_a_command_in_the_first_line_of_a_block_of_events_holds_for_them() -> None:
    events = "".join(GC.format(n=n, t=f"{n}.5") for n in range(1, 4))
    items = items_of("start\n", f"$ GOGC=50 ./server\n{events}")
    (run,) = (item for item in items if isinstance(item, Run))
    assert run.command == "GOGC=50 ./server"
    assert ("gogc", "50") in {(label.key, label.value) for label in run.labels}
    assert [item.rows["line"].to_pylist() for item in items if isinstance(item, Batch)] == [[3, 4, 5]]


@pytest.mark.parametrize(("length", "is_read"), [(150, True), (200, True), (201, False)])
def test_what_closes_a_quotation_is_looked_for_in_the_last_two_hundred_bytes(length: int, is_read: bool) -> None:
    """A CSV whose first field is the event; behind its quotation mark come up to eight fields of up to 60 bytes."""
    fields = ("," + "x" * 49) * 4
    behind = f'"{fields}'[:length]
    assert len(behind) == length
    dataset = wp.parse_text(f'"{GC.format(n=1, t="1.000").rstrip()}{behind}\n')
    assert dataset.gc_cycles.gc.tolist() == ([1] if is_read else [])
    assert dataset.diagnostics.code.tolist() == ([] if is_read else ["bad-event"])


def test_a_line_that_holds_several_lines_of_a_report_is_stored_once() -> None:
    first, *rest = WRK.splitlines()
    cell = f"| {'<br>'.join(line.strip() for line in rest)} |"
    dataset = wp.parse_text(f"{first}\n{cell}\n")
    assert dataset.texts[["line", "text"]].to_numpy().tolist() == [[1, first], [2, cell]]
    assert len(dataset.measurements) == len(wp.parse_text(WRK).measurements)


def gc_lines(text: str) -> list[tuple[int, int]]:
    """Line and number of each collection."""
    cycles = wp.parse_text(text).gc_cycles
    return list(zip(cycles.line.tolist(), cycles.gc.tolist(), strict=True))


def test_common_and_rare_events_of_one_stretch_of_a_long_log_are_read_once() -> None:
    """The heading splits the log; behind it are 300 collections, far below these 9 beside an event of another kind."""
    scavenger = "scvg0: inuse: 1, idle: 2, sys: 3, released: 4, consumed: 5 (MB)\n"
    common, rare = (
        "".join(GC.format(n=n, t=f"{n}.5") for n in range(first, stop)) for first, stop in ((1, 301), (301, 310))
    )
    ahead = f"{SERVICE * 1500}# notes\n{SERVICE * 1500}"
    text = f"{ahead}{common}{SERVICE * 500}{scavenger}{rare}{SERVICE * 500}"
    lines = [*range(3002, 3302), *range(3803, 3812)]
    assert gc_lines(text) == list(zip(lines, range(1, 310), strict=True))
    assert wp.parse_text(text).scavenges.line.tolist() == [3802]


def test_a_process_that_goes_on_below_a_heading_belongs_to_the_section_in_which_it_began() -> None:
    dataset = wp.parse_text(f"# A\n\n{GC.format(n=1, t='0.5')}\n# B\n\n{GC.format(n=2, t='1.5')}")
    assert dataset.runs[["line", "line_end", "section"]].to_numpy().tolist() == [[3, 7, "A"]]


def test_a_torn_event_belongs_to_the_section_in_which_it_began() -> None:
    torn = GC.format(n=7, t="0.126")
    text = f"# A\n\n{torn[:30]}2026/11/20 11:38:23 worker ready\n{torn[30:]}\n# B\n\n{GC.format(n=8, t='0.2')}"
    dataset = wp.parse_text(text)
    assert gc_lines(text) == [(3, 7), (8, 8)]
    assert dataset.runs[["line", "section"]].to_numpy().tolist() == [[3, "A"]]


def test_the_last_piece_of_an_event_may_stand_in_a_record_that_is_never_ended() -> None:
    """A container runtime marks with P what it cut; the rest, marked with F, is lost with the end of the log."""
    torn, stamp = GC.format(n=7, t="0.126").rstrip(), "2024-01-31T07:08:01.5Z stderr"
    assert gc_lines(f"{stamp} F {torn[:40]}\n{stamp} P {torn[40:]}\n") == [(1, 7)]


@pytest.mark.parametrize(("length", "is_joined"), [(399, True), (400, True), (401, False)])
def test_half_of_a_wrapped_line_has_at_most_four_hundred_characters(length: int, is_joined: bool) -> None:
    half = "  Socket errors: connect 1, read 2, write".replace(": ", ":".ljust(length - 39))
    assert len(half) == length
    text = WRK.replace("Requests/sec", f"{half}\n3, timeout 40\nRequests/sec")
    assert wp.parse_text(text).measurements.metric.str.startswith("errors_").sum() == (4 if is_joined else 0)


def test_a_line_was_not_wrapped_where_the_next_word_would_have_had_a_place() -> None:
    """Forty columns are the least: the first line has 32, its next word is ``2,``."""
    text = WRK.replace("Requests/sec", "  Socket errors: connect 1, read\n2, write 3, timeout 4000000000\nRequests/sec")
    assert not wp.parse_text(text).measurements.metric.str.startswith("errors_").any()


@pytest.mark.parametrize(("signs", "is_joined"), [(1, True), (20, True), (21, False)])
def test_a_wrapped_event_is_joined_behind_at_most_twenty_signs_of_a_quotation(signs: int, is_joined: bool) -> None:
    event, quoted = GC.format(n=7, t="0.126").rstrip(), ">" * signs
    assert gc_lines(f"{quoted} {event[:60]}\n{quoted} {event[60:]}\n") == ([(1, 7)] if is_joined else [])


def test_a_title_behind_an_empty_line_names_the_report_below_it_also_near_the_word_of_an_event() -> None:
    dataset = wp.parse_text(f"start\nthe gc ran well\n\nnginx\n{WRK}")
    headings = dataset.labels[dataset.labels.origin == "heading"]
    assert headings[["key", "value", "line"]].to_numpy().tolist() == [
        ["above", "start\nthe gc ran well\nnginx", 4],
        ["framework", "nginx", 4],
        ["title", "nginx", 4],
    ]


CORES = "结果（4核）：\n"
FEW, MANY = "reply 7 was late\n", "reply 7 was late\n" * 5000  # as text, and more than the prefilter is spared for


@pytest.mark.parametrize("between", [FEW, MANY, f"{GC.format(n=1, t='0.5')}{FEW}", f"{GC.format(n=1, t='0.5')}{MANY}"])
def test_a_title_ends_where_other_text_follows_in_a_block_by_itself(between: str) -> None:
    for blocks in ((CORES, FEW, between, WRK), (CORES + FEW + between + WRK,), (CORES, between, FEW, WRK)):
        (run,) = (item for item in items_of("start\n\n", *blocks) if isinstance(item, Run) and item.tool == "wrk")
        assert "cores" not in {label.key for label in run.labels}


@pytest.mark.parametrize("event", ["", GC.format(n=1, t="0.5")])
def test_a_title_in_a_block_by_itself_names_the_report_of_the_next(event: str) -> None:
    for blocks in ((CORES, WRK), (f"{event}reply 7 was late\n\n{CORES}", WRK), (CORES, event, WRK), (CORES + WRK,)):
        (run,) = (item for item in items_of("start\n\n", *blocks) if isinstance(item, Run) and item.tool == "wrk")
        assert ("cores", "4") in {(label.key, label.value) for label in run.labels}


def test_a_title_above_a_command_ends_at_text_that_comes_in_the_next_block() -> None:
    lines = f"{CORES}$ wrk -t2 -c8 http://a/\n\n`reply 90%  1.30ms\n    Transfer/sec:     10.92MB\n".splitlines(True)
    for size in range(1, 5):
        (run,) = (
            one
            for one in items_of(*("".join(lines[at : at + size]) for at in range(0, 5, size)))
            if isinstance(one, Run)
        )
        assert "cores" not in {label.key for label in run.labels}


@pytest.mark.parametrize(("between", "holds"), [(MANY, False), (GC.format(n=1, t="0.5") * 2000, True)])
def test_a_title_above_a_command_ends_at_text_that_only_the_prefilter_reads(between: str, *, holds: bool) -> None:
    (run,) = (
        item
        for item in items_of("start\n\n", f"{CORES}$ wrk -t2 -c8 http://a/\n\n", between, WRK)
        if isinstance(item, Run) and item.tool == "wrk"
    )
    assert ("cores" in {label.key for label in run.labels}) == holds


def test_events_behind_a_command_are_another_process_s_if_a_block_ends_between_them() -> None:
    blocks = [
        f"start\n{GC.format(n=1, t='0.5')}$ GOGC=50 ./server\n",
        GC.format(n=2, t="1.5") + GC.format(n=3, t="2.5"),
    ]
    runs = [item for item in items_of(*blocks) if isinstance(item, Run)]
    assert [(run.line, run.line_end, run.command) for run in runs] == [(2, 2, None), (4, 5, "GOGC=50 ./server")]


@pytest.mark.parametrize("sign", ["x", "é", "😀"])
def test_an_event_that_can_t_be_read_is_shown_up_to_a_hundred_characters(sign: str) -> None:
    """However many bytes each of them has: 1, 2, 4."""
    begin = "gc 7 @0.126s 9%: "
    (message,) = wp.parse_text(f"{begin}{sign * 200}\n").diagnostics.message
    assert message.endswith(begin + sign * (100 - len(begin)))
