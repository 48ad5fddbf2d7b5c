"""Histograms that HdrHistogram's package for Python writes, and what it makes of the same values itself."""

from __future__ import annotations

import importlib
import io
import random
from pathlib import Path
from typing import Any

import pytest

import wrkparse as wp
from wrkparse.export import content

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
