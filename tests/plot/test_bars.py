"""Settings as bars, where nothing can be compared."""

from __future__ import annotations

import wrkparse as wp
from tests.analysis.comparison.runs import Runs


def test_crosses_of_invalid_runs_are_whole_at_the_end_of_the_axis() -> None:
    """The largest value is the end of the axis: half of its cross is outside."""
    runs = Runs()
    for name, rate in (("heron", 100.0), ("plover", 200.0)):
        runs.add(labels={"framework": name}, throughput=rate, verdict="invalid")
    panel = wp.plot.compare(runs.dataset(), rows="framework")
    panel = panel.child_axes[0] if panel.child_axes else panel
    crosses = [line for line in panel.get_lines() if line.get_gid() == "invalid"]
    assert sorted(float(x) for line in crosses for x in line.get_xdata()) == [100, 200]
    assert panel.get_xlim()[1] == 200
    assert not any(line.get_clip_on() for line in crosses)
