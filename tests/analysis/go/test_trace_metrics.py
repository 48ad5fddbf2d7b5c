"""Comparisons of gctrace logs: the numbers are added by hand from the lines."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import QueryError

MIB = 1024 * 1024


def line(number: int, start: float, stops: tuple[str, str], heap: int) -> str:
    """A line of Go 1.18 or later: 4 Ps; the pauses have 4 Ps of CPU each, assists none, 1 ms of background marking."""
    first, last = stops
    return (
        f"gc {number} @{start:.3f}s 1%: {first}+1.0+{last} ms clock, {4 * float(first):.2g}+0.0/1.0/0.0+"
        f"{4 * float(last):.2g} ms cpu, {heap}->{heap}->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 4 P\n"
    )


BEFORE = "".join(line(n, 0.1 * n, ("0.20", "0.30"), 4) for n in range(1, 5))
AFTER = line(1, 0.1, ("0.10", "0.15"), 9)


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    folder = tmp_path_factory.mktemp("traces")
    for side, text in (("before", BEFORE), ("after", AFTER)):
        (folder / side).mkdir()
        (folder / side / "indexer.log").write_text(text)
    return wp.read(folder)


def centers(table: wp.ComparisonTable, metric: str) -> dict[str, float]:
    cells = table.cells[table.cells["metric"] == metric]
    return dict(zip(cells["framework"], cells["center"], strict=True))


def test_traces_alone_are_compared_by_collections_pauses_and_cpu(traced: wp.Dataset) -> None:
    table = wp.compare(traced)
    assert table.baseline == {"framework": "before"}
    assert list(dict.fromkeys(table.cells["metric"])) == ["gc_cycles", "gc_pause_share", "gc_cpu"]
    assert centers(table, "gc_cycles") == {"before": 4, "after": 1}
    totals = wp.compare(traced, metric="gc_pause_total")
    assert centers(totals, "gc_pause_total") == pytest.approx({"before": 4 * 0.0005, "after": 0.00025})
    spans = wp.gc_summary(traced).set_index("framework")["span_s"]
    shares = {name: pauses / float(spans[name]) for name, pauses in (("before", 0.002), ("after", 0.00025))}
    assert centers(table, "gc_pause_share") == pytest.approx(shares)
    assert table.sentences[0] == "Number of collections of “after” was 0.25 times that of “before” (one run each)."
    assert totals.sentences[0].startswith("Time in GC pauses of “after” was 0.12")  # 0.125, to two digits


def test_a_trace_gives_its_longest_pause_and_largest_heap(traced: wp.Dataset) -> None:
    table = wp.compare(traced, metric="gc_pause_max,gc_heap_max")
    assert centers(table, "gc_pause_max") == pytest.approx({"before": 0.0003, "after": 0.00015})
    assert centers(table, "gc_heap_max") == {"before": 4 * MIB, "after": 9 * MIB}
    rows = table.cells.set_index(["metric", "framework"])
    assert rows.loc[("gc_heap_max", "after"), "verdict"] == "too few"
    assert rows.loc[("gc_heap_max", "after"), "resolution"] == MIB / 2
    assert rows.loc[("gc_pause_max", "before"), "resolution"] == pytest.approx(0.000005)  # 0.30 ms


def test_the_share_of_cpu_is_that_of_gc_summary(traced: wp.Dataset) -> None:
    """Phases of one cycle of `before`: (0.8 + 1.0 + 1.2) ms of 4 Ps."""
    shares = centers(wp.compare(traced, metric="gc_cpu"), "gc_cpu")
    summary = wp.gc_summary(traced).set_index("framework")["gc_cpu_ratio"]
    assert shares == pytest.approx(summary.to_dict())
    [(_, seconds)] = [(run, row) for run, row in wp.gc_summary(traced).iterrows() if row["framework"] == "before"]
    assert shares["before"] == pytest.approx(4 * 0.003 / float(seconds["cpu_available_s"]))


def test_sums_over_traces_of_different_lengths_are_noted(traced: wp.Dataset) -> None:
    """The last cycle of `before` begins at 0.4 s and lasts 0.2 + 1.0 + 0.3 ms; the trace begins with the first."""
    from wrkparse.analysis.comparison.text.notes import cautions

    table = wp.compare(traced, metric="gc_cycles,gc_pause_total")
    assert set(table.cells["better"].dropna()) <= {""}  # a longer trace has more of both
    [note] = [note for note in cautions(table) if "traced" in note]
    assert note.startswith("number of collections and time in GC pauses are sums over the time that is traced: ")
    assert wp.compare(traced, metric="gc_cpu").traced_s is None


def test_without_collections_there_is_no_such_number() -> None:
    report = wp.parse_text("real 1.0\nuser 0.5\nsys 0.1\n")
    with pytest.raises(TooLittleError, match=r"no run states gc_cpu: it comes from the lines of GODEBUG=gctrace=1"):
        wp.compare(report, metric="gc_cpu")
    with pytest.raises(QueryError, match="there is no metric 'gc_cpus'"):
        wp.compare(report, metric="gc_cpus")


def test_of_many_traces_those_with_more_collections_are_no_better(tmp_path: Path) -> None:
    for at, name in enumerate(("kiwi", "emu", "moa", "tui", "rhea"), 1):
        (tmp_path / f"{name}.log").write_text("".join(line(n, 0.1 * n, ("0.20", "0.30"), 4) for n in range(1, 3 * at)))
    table = wp.compare(wp.read(tmp_path))
    assert centers(table, "gc_cycles") == {"kiwi": 2, "emu": 5, "moa": 8, "tui": 11, "rhea": 14}
    assert not any(text.startswith("Number of collections, best first") for text in table.sentences)
    assert any(text.startswith("Share of time in GC pauses, best first") for text in table.sentences)
