"""Datasets that several tests draw."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.scaling.curves import Run, dataset
from tests.plot.growth import RATES, N


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> wp.Dataset:
    runs = [Run(int(n), rate, threads=64) for n, rate in zip(N, RATES, strict=True)]
    return dataset(tmp_path_factory.mktemp("growth") / "study", runs)


@pytest.fixture(scope="module")
def haskell() -> wp.Dataset:
    return wp.read(Path(__file__).parents[2] / "data" / "haskell-go-node-io")
