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
    headings = dataset.labels[dataset.labels.origin == "heading"]
    assert headings[["run", "value"]].to_numpy().tolist() == [[dataset.runs.run[1], "Requests/sec: nginx"]]


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
