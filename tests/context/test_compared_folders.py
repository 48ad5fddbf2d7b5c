"""Folders with files of the same names: which of the two says what was compared, expected by eye."""

from __future__ import annotations

import pytest

from tests.context.test_structure import place, structural_labels
from wrkparse.context.slots.places import Place


def named(places: list[Place]) -> list[tuple[str | None, ...]]:
    """The framework, the folder and the file that the labels of each run name."""
    keys = ("framework", "directory", "file_name")
    return [tuple(labels.get(key) for key in keys) for labels in structural_labels(places)]


@pytest.mark.parametrize(
    "folders", [("old", "new"), ("before", "after"), ("main", "pr-42"), ("base", "head"), ("kiwi", "emu")]
)
def test_folders_are_compared_whose_files_are_called_as_the_paths_of_their_urls(folders: tuple[str, str]) -> None:
    runs = [
        (folder, path, place(f"{folder}/{path.replace('/', '_')}-{number}.txt", path=f"/{path}"))
        for folder in folders
        for path in ("cart", "img/logo.png")
        for number in (1, 2)
    ]
    assert named([run for *_, run in runs]) == [(folder, None, path.replace("/", "_")) for folder, path, _ in runs]


def test_folders_of_paths_are_conditions_of_the_files_in_them() -> None:
    runs = [place(f"{path}/{side}.txt", path=f"/{path}") for path in ("cart", "search") for side in ("old", "new")]
    assert named(runs) == [
        ("old", "cart", None),
        ("new", "cart", None),
        ("old", "search", None),
        ("new", "search", None),
    ]


def test_both_sides_of_a_change_are_compared_for_each_service_that_both_have() -> None:
    """Each service has a host of its own, and moa has no new run."""
    files = ["old/kiwi-svc", "old/emu-svc", "old/moa-svc", "new/kiwi-svc", "new/emu-svc"]
    runs = [place(f"{file}_{number}.log", url_host=file.partition("/")[2]) for file in files for number in (1, 2)]
    expected = [(side, None, service) for side, _, service in (file.partition("/") for file in files)]
    assert named(runs) == [row for row in expected for _ in range(2)]


def test_both_sides_of_a_change_are_compared_for_each_server() -> None:
    runs = [place(f"{side}/{name}.txt") for side in ("before", "after") for name in ("kiwi", "emu")]
    assert named(runs) == [(side, None, name) for side in ("before", "after") for name in ("kiwi", "emu")]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # nothing is below both sides
        (("old/kiwi", "new/emu"), [("kiwi", None, None), ("emu", None, None)]),
        (("old/kiwi", "new/kiwi", "new/emu"), [("kiwi", "old", None), ("kiwi", "new", None), ("emu", "new", None)]),
        # the folders are no sides of a change, and the files no requests
        (("lab1/kiwi", "lab1/emu", "lab2/kiwi", "lab2/emu"),
         [("kiwi", "lab1", None), ("emu", "lab1", None), ("kiwi", "lab2", None), ("emu", "lab2", None)]),
    ],
)  # fmt: skip
def test_other_files_name_what_was_measured(files: tuple[str, ...], expected: list[tuple[str | None, ...]]) -> None:
    found = named([place(f"{file}.txt", path="/") for file in files])
    assert [name for name, *_ in found] == [name for name, *_ in expected]


def test_known_names_stay_frameworks_below_both_sides_of_a_change() -> None:
    runs = [
        place(f"{side}/{name}.txt", naming="path", framework=name)
        for side in ("old", "new")
        for name in ("nginx", "haproxy")
    ]
    assert named(runs) == [(None, "old", None)] * 2 + [(None, "new", None)] * 2
