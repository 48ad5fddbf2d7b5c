"""Histograms that HdrHistogram's package for Python writes, and what it makes of the same values itself."""

from __future__ import annotations

import importlib
import io
import random
from pathlib import Path
from typing import Any

import pytest

import wrkparse as wp
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.export import content

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wrk"
WHEELS = Path(__file__).parents[2] / "build" / "wheels"  # scripts/test installs it where it has a wheel
TICKS = 4000  # a row of every value: the rarest is one of 1,000, which is further than 1 / TICKS from its neighbours


@pytest.fixture
def hdrh(monkeypatch: pytest.MonkeyPatch) -> Any:
    for place in WHEELS.glob("hdrhistogram==*"):
        monkeypatch.syspath_prepend(str(place))
    try:
        return importlib.import_module("hdrh.histogram")
    except ImportError:
        pytest.skip("hdrhistogram is not installed")


def written(histogram: Any) -> bytes:
    out = io.BytesIO()
    histogram.output_percentile_distribution(out, 1, TICKS)
    return out.getvalue()


def counts(text: str) -> dict[str, str]:
    """The count up to each value, as printed: of several rows of a value, the last one has all of it."""
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {row[0]: row[2] for row in rows if row and row[0] != "Value"}


def test_the_sum_of_two_histograms_is_that_of_hdrhistogram(hdrh: Any, tmp_path: Path) -> None:
    """Whole milliseconds up to 2,047 have buckets of their own at 3 digits, so that nothing is rounded."""
    dice = random.Random(7)
    both = hdrh.HdrHistogram(1, 3_600_000, 3)
    for number in (1, 2):
        one = hdrh.HdrHistogram(1, 3_600_000, 3)
        for _ in range(500):
            one.record_value(min(2047, 1 + int(dice.lognormvariate(4, 0.8))))
        both.add(one)
        (tmp_path / f"run-{number}.hgrm").write_bytes(written(one))
    exported, wanted = content(wp.read(tmp_path), "hgrm").decode(), written(both).decode()
    assert len(counts(wanted)) > 100
    assert counts(exported) == counts(wanted)
    *_, mean, most = exported.splitlines()
    *_, their_mean, their_most, _ = wanted.splitlines()
    assert mean == their_mean
    assert most.partition(",")[0] == their_most.partition(",")[0]


def test_hdrhistogram_has_the_percentiles_of_two_spectra_of_wrk2(hdrh: Any, tmp_path: Path) -> None:
    """The package has no reader of ``.hgrm``: it is given the counts of each row, in microseconds, and asked back."""
    text = (FIXTURES / "wrk2-short-latency.txt").read_text()
    (tmp_path / "run-1.txt").write_text(text)
    other = text.replace("0.135 ", "0.136 ").replace("0.518 ", "0.521 ").replace("200.43", "200.41")  # no copy
    (tmp_path / "run-2.txt").write_text(other)
    lines = content(wp.read(tmp_path), "hgrm").decode().splitlines()
    rows = [line.split() for line in lines[2:] if not line.startswith("#")]
    histogram, before = hdrh.HdrHistogram(1, 3_600_000_000, 3), 0
    for value, _, total, *_ in rows:
        histogram.record_value(round(1000 * float(value)), int(total) - before)
        before = int(total)
    assert histogram.get_total_count() == before == 2 * 400
    for value, share, *_ in rows:
        found = histogram.get_value_at_percentile(100 * float(share) - 1e-7)
        assert found == pytest.approx(1000 * float(value), rel=2e-3)


def test_a_run_without_an_answer_has_no_histogram_to_write() -> None:
    with pytest.raises(TooLittleError, match="empty: no request was answered"):
        content(wp.read(FIXTURES / "wrk2-hang.txt"), "hgrm")


def test_a_histogram_without_its_line_of_the_maximum_is_exported(tmp_path: Path) -> None:
    """The largest value is then that of its last row; mean and deviation stay as printed."""
    whole = (FIXTURES.parent / "hdrhistogram" / "latency-2.2.txt").read_text()
    (tmp_path / "a.hgrm").write_text("".join(line for line in whole.splitlines(True) if "#[Max" not in line))
    exported = content(wp.read(tmp_path / "a.hgrm"), "hgrm").decode()
    assert "#[Mean    =        0.565, StdDeviation   =        0.473]" in exported
    assert "#[Max     =       16.458, Total count    =        20000]" in exported
