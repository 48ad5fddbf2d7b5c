"""The audit of ab's own figures, of `time`, and of the traces of the Go runtime."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import wrkparse as wp
from tests.analysis.audit.reports import AB, TIME, audited, changed, found
from wrkparse.analysis.audit.audit import audit
from wrkparse.dataset import Dataset
from wrkparse.tools.schema import schema

FIXTURES = Path(__file__).parents[2] / "fixtures"

# --- ab, time ---------------------------------------------------------------------------------------------------------


def test_abs_two_times_per_request_must_give_the_concurrency() -> None:
    """0.325 / 0.041 = 7.9 can be 8; 0.385 / 0.041 = 9.4 can't."""
    assert found(changed("0.325 [ms]", "0.385 [ms]", AB)) == {"ab-concurrency": "invalid"}


def test_abs_failures_must_add_up() -> None:
    """257 failures of 2000 that are not of length make 13 %."""
    failed = changed("Failed requests:        0\n", "Failed requests:        257\n{}", AB)
    length = "   (Connect: 0, Receive: 0, Length: 257, Exceptions: 0)\n"
    assert found(failed.format(length)) == {"lengths-differ": "note"}
    assert found(failed.format(length.replace("Receive: 0", "Receive: 1"))) == {
        "lengths-differ": "note",
        "ab-failures": "invalid",
    }
    assert found(
        failed.format(length.replace("Length: 257", "Length: 0").replace("Exceptions: 0", "Exceptions: 257"))
    ) == {"failed-requests": "invalid"}


def test_a_dead_server_is_not_fast() -> None:
    text = changed("260000 bytes", "0 bytes", changed("3126.96", "0.00", changed("26000 bytes", "0 bytes", AB)))
    text = changed("Document Length:        13 ", "Document Length:        0 ", text)
    assert found(text) == {"nothing-received": "invalid"}


def test_ab_that_was_interrupted() -> None:
    assert found("$ ab -n 5000 -c 8 http://10.0.0.1:8080/", AB) == {"ab-incomplete": "suspect"}
    assert found("$ ab -n 2000 -c 8 http://10.0.0.1:8080/", AB) == {}


def test_the_share_of_the_processor_must_follow_from_the_times() -> None:
    """(3.22 + 2.24) / 2.61 = 209 %; cut figures allow 5.46 / 2.62 to 5.48 / 2.61, 208.4 to 210 %, and 1 % either way."""
    for share in ("208%", "210%"):
        assert found(changed("209%", share, TIME)) == {}
    assert found(changed("209%", "213%", TIME)) == {"cpu-share": "invalid"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Command exited with non-zero status 3", {"command-failed": "invalid"}),
        ("Command terminated by signal 9", {"command-killed": "suspect"}),
        ("Command terminated by signal 2", {"command-ended": "note"}),
        ("Command terminated by signal 11", {"command-failed": "invalid"}),
        ("Command exited with non-zero status 143", {"command-ended": "note"}),  # 128 + 15
    ],
)
def test_how_the_command_ended(line: str, expected: dict[str, str]) -> None:
    assert found(f"{line}\n{TIME}") == expected


# --- traces -----------------------------------------------------------------------------------------------------------

GC = "gc {n} @{t}s 2%: {clock} ms clock, {cpu} ms cpu, {heap} MB, 5 MB goal, 4 P\n"
GOOD = {"n": 1, "t": "0.100", "clock": "0.018+1.3+0.076", "cpu": "0.054+0.35/1.2/3.0+0.22", "heap": "4->5->1"}


def cycles(*lines: dict[str, object]) -> dict[str, str]:
    return found("".join(GC.format(**(GOOD | {"n": n, "t": f"{n}.100"} | line)) for n, line in enumerate(lines, 1)))


def test_the_processor_time_of_a_pause_is_a_whole_multiple_of_its_length() -> None:
    """18 µs × 3 = 54 µs and 76 µs × 3 = 228; 76 and 100 µs have no whole factor, 76 and 460 none up to 4."""
    assert cycles({}, {}) == {}
    assert cycles({}, {"cpu": "0.054+0.35/1.2/3.0+0.10"}) == {"gc-cpu-clock": "suspect"}
    assert cycles({}, {"cpu": "0.054+0.35/1.2/3.0+0.46"}) == {"gc-cpu-clock": "suspect"}


def test_collections_that_are_missing() -> None:
    """Between numbers 1 and 4 there are two."""
    findings = audited(GC.format(**GOOD) + GC.format(**(GOOD | {"n": 4, "t": "0.400"}))).findings
    assert findings[["code", "severity", "value"]].to_numpy().tolist() == [["gc-missing", "note", 2.0]]


def test_the_disorder_of_go_1_5() -> None:
    """Two lines call themselves 2, the second at 0.006 s after one at 0.031 s."""
    findings = audit(wp.read(FIXTURES / "gctrace" / "go1.5beta1-forced.log")).findings
    assert findings[["code", "severity", "value"]].to_numpy().tolist() == [["gc-order", "note", 1.0]]


def test_a_line_that_stands_twice() -> None:
    assert cycles({"t": "0.100"}, {"n": 1, "t": "0.100"}) == {"gc-order": "suspect"}


def test_a_heap_that_shrinks_while_it_is_marked() -> None:
    assert cycles({"heap": "6->5->1"}) == {"gc-heap": "suspect"}


def test_no_real_trace_of_any_go_contradicts_its_clock() -> None:
    """15 logs of Go 1.0 to 1.26, three of which name their own oddities: torn lines, Go 1.5's disorder."""
    findings = audit(wp.read(FIXTURES / "gctrace")).findings
    assert set(findings["code"]) <= {"gc-order", "gc-missing", "sched-idle-waiting"}
    assert set(findings.loc[findings["code"] != "sched-idle-waiting", "severity"]) == {"note"}


def ticks(*idle_and_queue: tuple[int, int]) -> dict[str, str]:
    line = (
        "SCHED {t}ms: gomaxprocs=2 idleprocs={idle} threads=5 spinningthreads=0 idlethreads=1 runqueue={queue} [0 0]\n"
    )
    return found("".join(line.format(t=10 * t, idle=i, queue=q) for t, (i, q) in enumerate(idle_and_queue)))


def test_idle_processors_beside_waiting_goroutines() -> None:
    """It is noted: the trace is not wrong."""
    assert ticks((0, 5), (2, 0), (0, 0)) == {}
    assert ticks((1, 5), (0, 0), (1, 3)) == {"sched-idle-waiting": "note"}
    assert ticks((0, 5), (1, 4), (1, 3)) == {"sched-idle-waiting": "note"}
    assert ticks((3, 0)) == {"sched-counts": "suspect"}


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_neither_the_parts_nor_the_order_in_which_rows_come_change_what_is_found(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two interleaved processes: numbers 3 and 4 are missing of the one, the heap of the other's third shrinks."""
    heaps = {("two", 3): "6->5->1"}
    numbers = {"one": (1, 2, 5, 6), "two": (1, 2, 3)}
    lines = [(run, line, n) for run, several in numbers.items() for line, n in enumerate(several, 1)]
    rows = [
        wp.parse_text(
            GC.format(**(GOOD | {"n": n, "t": f"{n}.0", "heap": heaps.get((run, line), GOOD["heap"])}))
        ).gc_cycles.assign(run=run, line=line)
        for run, line, n in lines
    ]
    runs = [{"run": run, "tool": "gctrace", "source": run, "line": 1, "line_end": 4} for run in ("one", "two")]
    monkeypatch.setattr("wrkparse.dataset.dataset._BATCH_ROWS", size)
    for order in ([0, 4, 1, 5, 2, 6, 3], [3, 6, 2, 5, 1, 4, 0], [6, 0, 4, 3, 5, 1, 2]):
        mixed = pd.concat([rows[place] for place in order])
        tables = {
            "runs": pa.Table.from_pylist(runs, schema("runs")),
            "gc_cycles": pa.Table.from_pandas(mixed, schema("gc_cycles"), preserve_index=False),
        }
        findings = audit(Dataset.of_tables(tables)).findings
        assert findings[["run", "line", "code", "value"]].to_numpy().tolist() == [
            ["one", 3, "gc-missing", 2.0],
            ["two", 3, "gc-heap", 1.0],
        ]
