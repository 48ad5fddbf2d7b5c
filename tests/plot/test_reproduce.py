from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import wrkparse as wp
from tests.plot.artists import cut_off, words
from tests.samples import WRK
from wrkparse.analysis.publications.result import ReproduceResult
from wrkparse.plot import NothingToPlotError, data
from wrkparse.plot.figures.reproduce import reproduce
from wrkparse.plot.files import figure_bytes

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def found() -> ReproduceResult:
    return wp.reproduce(wp.read(str(DATA / "nuster-nginx-varnish")))


def test_each_cell_has_its_verdict(found: ReproduceResult) -> None:
    ax = reproduce(found)
    small, large = ax.child_axes
    assert [patch.get_gid() for patch in small.patches] == ["follows"] * 30
    assert sorted(patch.get_gid() for patch in large.patches) == ["explained"] * 6 + ["follows"] * 54
    assert "✓ 95359" in words(small)  # server129.csv: /helloworld, 1000 connections, nuster on one core
    assert words(large).count("! ERROR") == 6
    assert "✓ follows: 84,  ! explained: 6" in words(ax)
    assert small.get_title("left") == "Over the network: throughput, requests per second"  # title in wrkparse.yaml
    assert [label.get_text() for label in small.get_xticklabels()][:2] == ["nuster 1", "nuster 12"]


def test_a_cell_states_its_difference(found: ReproduceResult) -> None:
    cells = found.cells.copy()
    cells.loc[0, ["verdict", "difference", "printed"]] = ["differs", -0.031, "92400"]
    ax = reproduce(dataclasses.replace(found, cells=cells))
    assert "✗ 92400 \N{MINUS SIGN}3.1 %" in words(ax)
    cells.loc[0, "difference"] = 12.5
    assert "✗ 92400 +1,250 %" in words(reproduce(dataclasses.replace(found, cells=cells)))
    narrow = reproduce(dataclasses.replace(found, cells=cells), width=60)
    assert any(word.startswith("✗") for word in words(narrow))
    assert "✗ 92400 \N{MINUS SIGN}3.1 %" not in words(narrow)


def test_the_data_are_the_cells_and_nothing_is_cut_off(found: ReproduceResult) -> None:
    ax = reproduce(found)
    assert len(data(ax)) == 90
    assert cut_off(ax) == []
    assert cut_off(reproduce(found, width=95)) == []
    assert figure_bytes(ax, "svg") == figure_bytes(reproduce(found), "svg")


def test_missing_data_is_an_error_with_a_reason() -> None:
    with pytest.raises(NothingToPlotError, match="no published table"):
        reproduce(wp.parse_text(WRK))
