"""What collections cost by GC setting; the expected numbers are read from the lines below, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from wrkparse.analysis.go.gc.costs import gc_costs


def trace(*, stop_us: int, every_ms: int, heap_mib: int, count: int = 5) -> str:
    """Collections at even intervals, each with a pause of `stop_us` and one of 10 µs; the third one takes 1 ms."""
    lines = []
    for number in range(1, count + 1):
        stop = "1.000" if number == 3 else f"{stop_us / 1000:.3f}"
        lines.append(
            f"gc {number} @{number * every_ms / 1000:.3f}s 2%: {stop}+1.0+0.010 ms clock, "
            f"0.040+0.10/0.20/0.30+0.020 ms cpu, {heap_mib}->{heap_mib + number}->1 MB, {heap_mib} MB goal, 2 P\n"
        )
    return "".join(lines)


def logs(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name.replace('_', '-')}.log").write_text(text)
    return folder


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    return wp.read(
        logs(
            tmp_path_factory.mktemp("costs"),
            gogc_50_1=trace(stop_us=30, every_ms=10, heap_mib=8),
            gogc_50_2=trace(stop_us=50, every_ms=20, heap_mib=10),
            gogc_400_1=trace(stop_us=40, every_ms=100, heap_mib=40),
            gogc_100_1=trace(stop_us=40, every_ms=50, heap_mib=20),
        )
    )


def test_settings_are_in_the_order_of_their_numbers(costs: wp.Dataset) -> None:
    found = gc_costs(costs)
    assert found.keys == ("gogc",)
    assert found.settings["gogc"].tolist() == ["50", "100", "400"]
    assert found.settings["processes"].tolist() == [2, 1, 1]
    assert found.settings["cycles"].tolist() == [10, 5, 5]
    assert found.compares


def test_processes_are_in_the_order_of_their_settings_within_a_framework(costs: wp.Dataset, tmp_path: Path) -> None:
    assert wp.gc_summary(costs)["gogc"].tolist() == ["50", "50", "100", "400"]
    for name in ("heron", "avocet"):
        (tmp_path / name).mkdir()
        off, low = trace(stop_us=30, every_ms=10, heap_mib=8), trace(stop_us=30, every_ms=10, heap_mib=9)
        logs(tmp_path / name, gogc_100=low, gogc_off=off, gogc_50=low)
    found = wp.gc_summary(wp.read(tmp_path))
    assert found["framework"].tolist() == ["avocet"] * 3 + ["heron"] * 3
    assert found["gogc"].tolist() == ["50", "100", "off"] * 2


def test_a_setting_has_the_medians_of_its_processes(costs: wp.Dataset) -> None:
    """Four intervals of 10 and 20 ms are 100 and 50 collections a second; the last heap is 5 MiB above the first."""
    first = gc_costs(costs).settings.iloc[0]
    assert first["cycles_per_s"] == pytest.approx((100 + 50) / 2)
    assert first["heap_max_bytes"] == pytest.approx((13 + 15) / 2 * 2**20)
    assert first["pause_max_s"] == pytest.approx(1e-3)


def test_the_median_pause_is_an_actual_pause_of_each_process(costs: wp.Dataset) -> None:
    """Of five pauses of 10 µs, four of 30 µs and one of 1 ms, the fifth is 10 µs."""
    assert gc_costs(costs).processes["pause_p50_s"].tolist() == pytest.approx([10e-6] * 4)


def test_one_setting_compares_nothing(costs: wp.Dataset) -> None:
    assert not gc_costs(costs, where="gogc = '50'").compares


def test_processes_that_differ_in_cores_alone_compare_no_gc_setting(tmp_path: Path) -> None:
    text = trace(stop_us=30, every_ms=10, heap_mib=8)
    found = gc_costs(wp.read(logs(tmp_path, cores_2=text, cores_4=text.replace("2 P", "4 P"))))
    assert found.keys == ("cores",)
    assert not found.compares


def test_a_memory_limit_is_named_even_where_gogc_tells_settings_apart(tmp_path: Path) -> None:
    text = "".join(
        f"$ {setting} GODEBUG=gctrace=1 ./server\n{trace(stop_us=30, every_ms=10, heap_mib=8)}\n"
        for setting in ("GOGC=100", "GOGC=off GOMEMLIMIT=64MiB")
    )
    (tmp_path / "session.log").write_text(text)
    found = gc_costs(wp.read(tmp_path))
    assert found.keys == ("gogc", "gomemlimit")
    assert found.settings[["gogc", "gomemlimit"]].fillna("").to_numpy().tolist() == [["100", ""], ["off", "64MiB"]]


def test_without_a_gctrace_there_is_no_setting() -> None:
    found = gc_costs(wp.parse_text("nothing"))
    assert found.settings.empty
    assert not found.compares
