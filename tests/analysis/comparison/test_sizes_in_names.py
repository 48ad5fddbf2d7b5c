"""Names of folders, files and headings that are sizes: their order is that of the numbers, and a metric may rise."""

from __future__ import annotations

import pytest

from tests.analysis.comparison.runs import Runs
from wrkparse.analysis.comparison.compare import compare


def _first(names: tuple[str, ...], key: str = "directory") -> str:
    """The first sentence on folders whose runs are the faster the later they come, none overlapping."""
    runs = Runs()
    for at, name in enumerate(names):
        runs.several([100.0 * 2**at + repeat for repeat in range(4)], **{key: name})
    return compare(runs.dataset()).sentences[0]


@pytest.mark.parametrize("key", ["directory", "file_name", "heading"])
@pytest.mark.parametrize(
    "names", [("P1", "P2", "P4", "P8"), ("1k", "16k", "64k"), ("512", "1k", "16k"), ("1KB", "16KB", "1MB")]
)
def test_a_rise_over_sizes(names: tuple[str, ...], key: str) -> None:
    assert _first(names, key).startswith(f"Throughput rises from “{names[0]}” to “{names[-1]}”: for “{names[-1]}” it")


@pytest.mark.parametrize(
    "names",
    [
        ("v1", "v2", "v4"),
        ("P1", "P2", "P3"),
        ("3G", "4G", "5G"),
        ("1", "2", "4"),
        ("a1", "b2", "c4"),
        ("lab1", "k2", "z"),
    ],
)
def test_no_rise_over_versions_and_numbers_that_count(names: tuple[str, ...]) -> None:
    assert "rises" not in _first(names)
