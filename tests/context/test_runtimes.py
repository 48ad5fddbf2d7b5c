"""Versions of a runtime beside names of servers, and words that stand behind some of several names.

Expected labels are read by eye from the names.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import written

Rows = list[tuple[str | None, ...]]


def _labels(dataset: wp.Dataset, keys: list[str]) -> Rows:
    """The labels of each run, by source and line; `wp.factors` must name exactly these."""
    runs = dataset.runs.sort_values(["source", "line"])
    factors = wp.factors(dataset)
    assert [*factors.compared, *factors.load] == keys
    return [
        tuple(None if row[key] is None else str(row[key]) for key in keys)
        for row in runs[keys].astype(object).where(runs[keys].notna(), None).to_dict("records")
    ]


def _files(folder: Path, names: list[str], keys: list[str]) -> Rows:
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written("\n" * number + "@"))
    return _labels(wp.read(folder), keys)


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (["quelp-go1.21.txt", "quelp-go1.22.txt", "zorin-go1.21.txt", "zorin-go1.22.txt"], "go_version"),
        (["quelp/go1.21.txt", "quelp/go1.22.txt", "zorin/go1.21.txt", "zorin/go1.22.txt"], "go_version"),
        (["quelp_nodejs1.21.txt", "quelp_nodejs1.22.txt", "zorin_nodejs1.21.txt", "zorin_nodejs1.22.txt"], "node"),
        (["quelp.rust-1.21.txt", "quelp.rust-1.22.txt", "zorin.rust-1.21.txt", "zorin.rust-1.22.txt"], "rust"),
    ],
)
def test_the_versions_of_a_runtime_are_a_label_beside_names_of_servers(
    names: list[str], key: str, tmp_path: Path
) -> None:
    expected: Rows = [("quelp", "1.21"), ("quelp", "1.22"), ("zorin", "1.21"), ("zorin", "1.22")]
    assert _files(tmp_path, names, ["framework", key]) == expected


def test_headings_are_read_alike() -> None:
    headings = [f"{name} {version}" for name in ("zorin", "quelp") for version in ("go1.21", "go1.22")]
    page = "".join(f"## {heading}\n\n@\n\n" for heading in headings)
    expected: Rows = [("zorin", "1.21"), ("zorin", "1.22"), ("quelp", "1.21"), ("quelp", "1.22")]
    assert _labels(wp.parse_text(written(page), source="page.md"), ["framework", "go_version"]) == expected


@pytest.mark.parametrize(
    "names",
    [
        ["go1.21/json.txt", "go1.21/plaintext.txt", "go1.22/json.txt", "go1.22/plaintext.txt"],  # beside conditions
        ["go1.21-ubuntu-22.04.txt", "go1.21-macos-13.txt", "go1.22-ubuntu-22.04.txt", "go1.22-macos-13.txt"],
        ["go1.21-a.txt", "go1.21-b.txt", "go1.22-a.txt", "go1.22-b.txt"],  # beside letters, which count
    ],
)
def test_a_runtime_without_names_beside_it_is_what_was_measured(names: list[str], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(written("@"))
    assert sorted(set(wp.read(tmp_path).runs["framework"])) == ["go1.21", "go1.22"]


def test_what_stands_behind_several_names_is_a_factor_of_its_own(tmp_path: Path) -> None:
    names = ["quelp.txt", "quelp-tls.txt", "zorin.txt", "zorin-tls.txt"]
    found = _files(tmp_path, names, ["framework", "file_name"])
    assert sorted(found, key=str) == sorted(
        [("quelp", None), ("quelp", "tls"), ("zorin", None), ("zorin", "tls")], key=str
    )


def test_what_stands_behind_one_name_is_a_part_of_it(tmp_path: Path) -> None:
    found = _files(tmp_path, ["quelp.txt", "quelp-tls.txt", "zorin.txt"], ["framework"])
    assert found == [("quelp-tls",), ("quelp",), ("zorin",)]


def test_the_label_of_a_runtime_says_where_it_stands(tmp_path: Path) -> None:
    names = ["go1.21/quelp.txt", "go1.21/zorin.txt", "go1.22/quelp.txt", "go1.22/zorin.txt"]
    _files(tmp_path, names, ["framework", "go_version"])
    labels = wp.read(tmp_path).labels
    found = labels[labels["key"] == "go_version"]
    assert set(zip(found["value"], found["text"], found["rule"], strict=True)) == {
        ("1.21", "go1.21", "folder"),
        ("1.22", "go1.22", "folder"),
    }
