"""Loads beside traces of their server: the common clock, and what pauses can explain of slow requests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import wrkparse as wp
from tests.plot.artists import gids
from tests.samples import GC, SCHED, WRK
from wrkparse.analysis.go.window_sentences import bound_sentences, unjoined_sentence
from wrkparse.analysis.go.windows import Window, windows
from wrkparse.plot import NothingToPlotError
from wrkparse.plot.layout import figure_of
from wrkparse.plot.points import placed_points

STARTED = datetime(2026, 3, 1, 10, tzinfo=UTC)
END_S = 10.004  # of the load; a stamp without a fraction would be in doubt by a second
CYCLE_S = 0.018e-3 + 1.3e-3 + 0.076e-3  # the phases of `GC`
# 410,759 requests in 10.10 s on 8 connections
REPORT = WRK.replace("  410759", "  Latency Distribution\n     50%  150.00us\n     99%    {p99}\n{more}  410759")


def stamped(text: str, at: float) -> str:
    when = (STARTED + timedelta(seconds=at)).isoformat().replace("+00:00", "Z")
    return "".join(f"{when} {line}\n" for line in text.splitlines())


def logs(
    folder: Path, *, p99: str = "1.10ms", more: str = "", late: tuple[float, ...] = (0.0,) * 5, ticks: bool = False
) -> Path:
    """Five cycles, one each second from 1 s, whose lines are stamped so late, and a load that ends at `END_S`."""
    trace = "".join(
        stamped(GC.format(n=n, t=n), n + CYCLE_S + delay) for n, delay in zip(range(1, 6), late, strict=True)
    )
    lines = "".join(stamped(SCHED.format(t=1000 * n), n) for n in range(12)) if ticks else ""
    (folder / "server.log").write_text(trace + lines)
    (folder / "wrk.log").write_text(stamped(REPORT.format(p99=p99, more=more), END_S))
    return folder


def only(folder: Path) -> Window:
    [one] = windows(wp.read(folder)).joined
    return one


def test_the_clocks_are_joined_by_the_line_that_is_stamped_soonest(tmp_path: Path) -> None:
    one = only(logs(tmp_path, late=(0.4, 0.2, 0.0, 0.2, 0.2)))
    begins = one.pauses.query("kind == 'sweep termination'")["at_s"].to_numpy(float)
    # The load began 10.10 s before 10.004 s after the start of the process.
    assert begins == pytest.approx(np.arange(1, 6) + 0.096, abs=2e-6)
    assert one.length_s == 10.1
    assert one.doubt_s == pytest.approx(0.2 + 0.05, abs=1e-5)  # the median line, and what a report's stamp may lack


def test_each_load_beside_one_server_has_a_window(tmp_path: Path) -> None:
    logs(tmp_path, ticks=True)
    second = stamped(REPORT.format(p99="1.10ms", more="").replace("8 connections", "16 connections"), END_S + 1)
    (tmp_path / "wrk-16.log").write_text(second)
    found = windows(wp.read(tmp_path)).joined
    assert sorted(int(one.load["connections"]) for one in found) == [8, 16]
    assert all(one.gc and one.sched for one in found)
    begins = {int(one.load["connections"]): float(one.pauses["at_s"].min()) for one in found}
    assert begins[8] - begins[16] == pytest.approx(1.0, abs=1e-5)  # the second load began a second later


def test_whole_seconds_are_in_doubt_by_a_second(tmp_path: Path) -> None:
    logs(tmp_path)
    for path in tmp_path.iterdir():
        lines = path.read_text().splitlines()
        path.write_text("".join(f"{line[:19]}Z {line.split(' ', 1)[1]}\n" for line in lines))
    assert only(tmp_path).doubt_s > 2


def test_each_pause_explains_one_request_of_each_connection(tmp_path: Path) -> None:
    bound = only(logs(tmp_path)).bound
    assert bound is not None
    assert bound.pauses == 10
    assert bound.slower == pytest.approx(4107.59)
    assert bound.by_count == 8 * 10
    assert bound.ratio == pytest.approx(80 / 4107.59)


def test_slow_requests_of_a_connection_do_not_overlap(tmp_path: Path) -> None:
    """Longer than 1.5 s: two around the first cycle, none more before the third, two there, and two at the fifth."""
    bound = only(logs(tmp_path, p99="1.50s")).bound
    assert bound is not None
    assert bound.by_count == 8 * 6


def test_printed_percentiles_beyond_the_p99_bound_it_too(tmp_path: Path) -> None:
    """Pauses take 0.094 ms within 1.2 ms, so that no request slower than 1.2 ms is explained: a tenth of a per cent is."""
    bound = only(logs(tmp_path, p99="1.10ms", more="     99.9%    1.50ms\n")).bound
    assert bound is not None
    assert bound.by_tail == pytest.approx(0.009 * 410759)
    bound = only(logs(tmp_path, p99="1.10ms")).bound
    assert bound is not None
    assert bound.by_tail == pytest.approx(4107.59 - 1)  # the maximum is one request


def test_pauses_outside_the_load_explain_nothing(tmp_path: Path) -> None:
    logs(tmp_path)
    (tmp_path / "wrk.log").write_text(stamped(REPORT.format(p99="1.10ms", more="").replace("10.10s", "3.90s"), END_S))
    found = windows(wp.read(tmp_path))
    # From 6.1 s to 10 s the process has no line there, so that nothing says that it ran beside the load.
    assert found.joined == []
    (tmp_path / "server.log").write_text((tmp_path / "server.log").read_text() + stamped(GC.format(n=6, t=11), 11.002))
    [one] = windows(wp.read(tmp_path)).joined
    assert one.bound is not None
    assert one.bound.requests == 0
    assert "pauses explain none" in next(bound_sentences(windows(wp.read(tmp_path))))


def test_an_open_loop_has_no_bound(tmp_path: Path) -> None:
    logs(tmp_path)
    one = only(tmp_path)
    assert one.load["tool"] == "wrk"
    assert one.bound is not None
    wrk2 = stamped(
        REPORT.format(p99="1.10ms", more="").replace("Thread Stats   Avg      Stdev     Max   +/- Stdev", "Thread calibration: mean lat.: 0.1ms, rate sampling interval: 10ms\n  Thread Stats   Avg      Stdev     99%   +/- Stdev"),
        END_S,
    )  # fmt: skip
    (tmp_path / "wrk.log").write_text(wrk2)
    [found] = windows(wp.read(tmp_path)).joined
    assert found.load["tool"] == "wrk2"
    assert found.bound is None


def test_without_a_common_clock_it_says_what_would_join_them() -> None:
    text = f"```\n{WRK}```\n\n```\n{''.join(GC.format(n=n, t=n) for n in (1, 2))}```\n"
    found = windows(wp.parse_text(text))
    assert found.joined == []
    assert found.unjoined == 1
    [said] = unjoined_sentence(found)
    assert said.startswith("The clocks of 1 load")
    assert wp.window_exhibits(wp.parse_text(text)) == []  # the first page says it
    assert "times that join loads and traces" in wp.summary(wp.parse_text(text)).absent
    assert windows(wp.parse_text(WRK)).unjoined == 0


def test_the_figure_has_both_traces_on_the_clock_of_the_load(tmp_path: Path) -> None:
    one = only(logs(tmp_path, ticks=True))
    ax = wp.plot.window(one)
    upper, lower = ax.child_axes
    assert {"load", "pauses", "p99", "marking"} <= gids(upper)
    assert {"load", "waiting", "idleprocs"} <= gids(lower)
    waiting = next(line for line in lower.get_lines() if line.get_gid() == "waiting")
    assert np.asarray(waiting.get_xdata(), float) == pytest.approx(np.arange(12) + 0.096, abs=1e-3)
    assert set(np.asarray(waiting.get_ydata(), float)) == {6.0}  # 3 in the global queue, 1 and 2 in those of the Ps
    figure_of(ax).draw_without_rendering()
    assert sorted({point.line for point in placed_points(figure_of(ax)) if point.series == "pauses"}) == [1, 2, 3, 4, 5]  # type: ignore[type-var]
    with pytest.raises(NothingToPlotError):
        wp.plot.window(one._replace(pauses=one.pauses.head(0), ticks=one.ticks.head(0)))


def test_a_dataset_has_one_load_to_draw_or_its_loads_are_named(tmp_path: Path) -> None:
    """The second load begins a second after the first: the only pauses are at 1 to 5 s on the clock of the server."""
    logs(tmp_path)
    assert (
        wp.plot.window(wp.read(tmp_path)).child_axes[0].get_xlabel().startswith("time since the load began (wrk.log:1")
    )
    second = stamped(REPORT.format(p99="1.20ms", more="").replace("8 connections", "16 connections"), END_S + 1)
    (tmp_path / "wrk-16.log").write_text(second)
    both = wp.read(tmp_path)
    with pytest.raises(NothingToPlotError, match=r"one load, and 2 .*wrk-16\.log:1.*wrk\.log:1"):
        wp.plot.window(both)
    run = both.wide("connections = 16")["run"].iloc[0]
    for chosen in ({"run": run[:8]}, {"where": "connections = 16"}):
        frame = wp.plot.data(wp.plot.window(both, **chosen))
        # The load began 10.10 s before 11.004 s after the start of the process.
        assert frame["at_s"].min() == pytest.approx(1 - 0.904, abs=1e-5)
    with pytest.raises(NothingToPlotError, match="fits"):
        wp.plot.window(both, run="zz")
    with pytest.raises(NothingToPlotError, match="docker logs -t"):
        wp.plot.window(wp.parse_text(WRK))


def test_pauses_in_a_window_have_stems_only_if_there_is_room(tmp_path: Path) -> None:
    one = only(logs(tmp_path, ticks=True))
    assert "stems" in gids(wp.plot.window(one).child_axes[0])
    many = pd.concat([one.pauses.assign(gc=n) for n in range(70)])  # 166 mm at 2.4 mm for each collection: 69
    assert "stems" not in gids(wp.plot.window(one._replace(pauses=many)).child_axes[0])


def test_the_section_is_in_the_report_of_logs_that_hold_both(tmp_path: Path) -> None:
    shown = wp.window_exhibits(wp.read(logs(tmp_path, ticks=True)))
    text, figure = shown
    assert "The pauses of the collector, the run queues of the scheduler and the window of the load" in text.markdown
    assert figure.caption.startswith("Pauses and run queues around the load of ")
    assert "80" not in figure.caption
    assert figure.alt.startswith("Pauses, waiting goroutines and idle Ps over the 10.10 s of the load. ")
    assert "explain at most 1.95 % of the 4,108 requests slower than its p99 of 1.1 ms" in text.markdown
    assert wp.window_exhibits(wp.parse_text(WRK)) == []


def both(folder: Path, second: str) -> Path:
    """Two servers with a load each; the report of the second prints a percentile more."""
    for name, more in (("a", ""), ("b", second)):
        (folder / name).mkdir()
        logs(folder / name, p99="0.10ms", more=more)
    return folder


def test_loads_of_which_nothing_is_known_have_one_sentence(tmp_path: Path) -> None:
    """Ten pauses on 1,000 connections may be all of the 4,108 requests beyond the p99."""
    folder = both(tmp_path, "")
    for name in ("a", "b"):
        path = folder / name / "wrk.log"
        path.write_text(path.read_text().replace(" 8 connections", " 1000 connections"))
    found = windows(wp.read(folder))
    assert [one.bound.says_something for one in found.joined if one.bound] == [False, False]
    [said] = bound_sentences(found)
    assert said == (
        "In both loads, the pauses, of at most 0.076 ms, could have delayed all of the requests slower than the p99: "
        "these logs do not exclude it"
    )
    drawn = [one for one in wp.window_exhibits(wp.read(folder)) if isinstance(one, wp.Figure)]
    assert len(drawn) == 1
    assert drawn[0].caption.startswith("Pauses around the load of ")
    assert drawn[0].alt.startswith("Pauses over the ")
    assert ": the longest pause was 76 µs, the p99 of the load 100 µs." in drawn[0].caption


def test_loads_with_a_bound_have_a_sentence_and_a_figure_each(tmp_path: Path) -> None:
    """Without the pauses around it, of 0.094 ms, a request beyond 1 ms took more than the p99."""
    found = windows(wp.read(both(tmp_path, "     99.9%    1.00ms\n")))
    assert all(one.bound and one.bound.says_something for one in found.joined)
    assert len(list(bound_sentences(found))) == 2
    drawn = [one for one in wp.window_exhibits(wp.read(tmp_path)) if isinstance(one, wp.Figure)]
    assert len(drawn) == 2
