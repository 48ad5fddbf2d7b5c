"""Recordings of a terminal (asciicast v2 and v3). `tests/fixtures/recordings/asciinema.cast` was made with asciinema 2.4.0.

In it, bash starts a server with GOGC=50, two runs of wrk, the server with GOGC=200, two runs, and `tail` prints the end
of its trace. The values below were read in the file.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import RATED_WRK
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.parse.items import Run
from wrkparse.parse.parser import SourceParser
from wrkparse.text.wrapping.containers import begins_container
from wrkparse.text.wrapping.recording import RecordingReader

RECORDING = Path(__file__).parents[1] / "fixtures" / "recordings" / "asciinema.cast"
TEXT = RECORDING.read_text()


def runs(lines: int = TEXT.count("\n")) -> list[Run]:
    """The runs of the recording, read in blocks of so many lines."""
    parser = SourceParser("asciinema.cast")
    raws = TEXT.encode().splitlines(keepends=True)
    blocks = [b"".join(raws[at : at + lines]) for at in range(0, len(raws), lines)]
    found = [*(item for block in blocks for item in parser.feed(block)), *parser.finish()]
    return [item for item in found if isinstance(item, Run) and item.tool == "wrk"]


def event(printed: str) -> str:
    return json.dumps([1.5, "o", printed])


def test_the_runs_of_a_recorded_session_have_their_numbers_and_settings() -> None:
    found = runs()
    values = {run.line: {(m.metric, m.stat): m.value for m in run.numbers.rows()} for run in found}
    assert [values[run.line]["throughput", "total"] for run in found] == [38302.90, 53883.06, 91403.29, 91901.39]
    assert [values[run.line]["latency", "p99"] for run in found] == pytest.approx([6.5e-3, 4.9e-3, 5.11e-3, 4.96e-3])
    assert [[label.value for label in run.labels if label.key == "gogc"] for run in found] == [
        ["50"], ["50"], ["200"], ["200"],
    ]  # fmt: skip
    assert {run.command for run in found} == {"wrk -t2 -c16 -d1s --latency http://127.0.0.1:8123/"}


def test_a_line_has_the_number_of_its_event() -> None:
    raws = TEXT.splitlines()
    for run in runs():
        assert "Running 1s test" in raws[run.line - 1]
        assert "Transfer/sec" in raws[run.line_end - 1]


def test_the_collections_of_a_recorded_trace_are_read() -> None:
    dataset = wp.read(RECORDING)
    assert dataset.gc_cycles["gc"].tolist() == [181, 182, 183]
    assert len(dataset.runs) == 5  # four of wrk, one of the trace


@pytest.mark.parametrize("lines", [1, 7])
def test_in_blocks_it_is_as_at_once(lines: int) -> None:
    def of(run: Run) -> tuple[object, ...]:
        return run.line, run.line_end, run.text, run.numbers.rows(), run.labels

    assert list(map(of, runs(lines))) == list(map(of, runs()))


def test_an_event_has_a_part_of_a_line_or_several() -> None:
    reader = RecordingReader()
    assert reader.feed('{"version": 2, "width": 80}', 1) == []
    assert reader.feed(event("$ wr"), 2) == []
    assert reader.feed(event("k -c 8"), 3) == []
    assert reader.feed(event("\r\nRunning\r\nReq"), 4) == [("$ wrk -c 8", 2), ("Running", 4)]
    assert reader.feed('[2.0, "i", "typed\\r"]', 5) == []
    assert reader.finish() == [("Req", 4)]
    assert reader.finish() == []


@pytest.mark.parametrize("damaged", ['[2.0, "o", "Requests/sec: 50', '[2.0, "o", "Requests/sec: 50 \\q"]'])
def test_a_damaged_event_is_text_and_not_lost_in_silence(damaged: str) -> None:
    reader = RecordingReader()
    assert reader.feed(event("Req"), 2) == []
    assert reader.feed(damaged, 3) == [("Req", 2), (damaged, 3)]
    lines = RATED_WRK.format(requests=10_000, rate=1000).splitlines()
    recording = ['{"version": 2, "width": 80}', *(event(f"{line}\r\n") for line in lines), damaged]
    parser = SourceParser("kiwi.cast")
    assert [*parser.feed("\n".join(recording).encode()), *parser.finish()]
    assert parser.first_lookalike == (len(recording), "wrk", damaged)


def test_a_line_begins_after_a_carriage_return() -> None:
    reader = RecordingReader()
    assert reader.feed(event("\x1b[?2004l\r"), 2) == []
    assert reader.feed(event("Running\r\n"), 3) == [("\x1b[?2004l\rRunning", 3)]


def test_text_behind_a_recording_is_read() -> None:
    reader = RecordingReader()
    assert reader.feed(event("Running"), 2) == []
    assert reader.feed("Requests/sec: 1000.00", 3) == [("Running", 2), ("Requests/sec: 1000.00", 3)]
    assert reader.feed("# a comment", 4) == reader.feed("", 5) == reader.finish() == []


def test_records_with_a_version_are_no_recording() -> None:
    """They were read as one, so all runs of a file of JSON were lost."""
    report = RATED_WRK.format(requests=10_000, rate=1000)
    records = [json.dumps({"version": 2, "server": name, "output": report}) for name in ("kiwi", "emu")]
    for text in (
        "\n".join(records),
        json.dumps({"version": 2, "runs": [json.loads(one) for one in records]}, indent=2),
    ):
        assert wp.parse_text(text).runs["framework"].tolist() == ["kiwi", "emu"]


def test_the_name_of_a_recording_is_read_without_its_suffix() -> None:
    assert without_suffixes("kiwi.cast") == "kiwi"


def test_a_line_without_end_bounds_memory() -> None:
    reader = RecordingReader()
    assert sum(len(text) for number in range(100) for text, _ in reader.feed(event("x" * 10_000), number)) > 900_000


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ('{"version": 2, "width": 80, "height": 24}', True),
        ('{"version":3,"term":{"cols":80}}', True),
        ('{"version": 4, ', False),
        ('{"version": "2", ', False),
        ('{"version": 2}', False),
        ('{"version": 2, "level": "info", "message": "start"}', False),
        ('{\n  "version": 3,\n  "services": {', False),
        ('{"version": 2, "text": "a\\nb"}\n{"width": 3}', False),
        ('{"cells": [', True),
        ('{"name": "kiwi"', False),
        ("Running 10s test", False),
        ("", None),
        ("\n{", None),
        ("\n" * 1000, False),  # nothing is kept of a file of blank lines
    ],
)
def test_the_header_shows_what_it_is(text: str, begins: bool | None) -> None:
    assert begins_container(text) is begins
