"""Headings that scripts make like names of files, of a name, a setting and the number of a repeat.

Expected labels and numbers of runs are read by eye from the headings.
"""

from __future__ import annotations

from itertools import cycle, product

import pytest

import wrkparse as wp
from tests.context.test_names_in_pages import labels, report

_SETTINGS = {"gogc": ("gogc50", "gogc400"), "cores": ("2cores", "4cores"), "workers": ("3workers", "6workers")}
_FORMS = (
    "{name}-{setting}-{run}",
    "{name}_{setting}_{run}",
    "{name}.{setting}.{run}",
    "{name}/{setting}/{run}",
    "{name}:{setting}:{run}",
    "{name}-{setting}-r{run}",
    "{name}-{setting}-run{run}",
    "{setting}-{name}-{run}",
    "{name}-{setting}-{run}.log",
)
_LINES = ("## {}", "=== {}", "[{}]", "{}", "Running {} ...")


def _page(line: str, form: str, names: list[str], settings: tuple[str, str]) -> str:
    titles = product(names, settings, (1, 2, 3))
    headings = [line.format(form.format(name=name, setting=setting, run=run)) for name, setting, run in titles]
    return "\n".join(f"{heading}\n{report(at)}" for at, heading in enumerate(headings))


def _runs_of_settings(page: str, factors: list[str]) -> dict[tuple[str, ...], int]:
    """The number of runs of each setting that a comparison pools."""
    comparison = wp.compare(wp.parse_text(page, source="x.md"), metric="throughput")
    assert {*comparison.rows, *comparison.columns} == set(factors)
    cells = comparison.cells
    return {tuple(str(row[key]) for key in factors): row["n"] for _, row in cells.iterrows()}


@pytest.mark.parametrize("line", _LINES)
def test_a_name_a_setting_and_a_repeat_in_one_word_are_read(line: str) -> None:
    wrong = []
    for form, (key, settings) in zip(_FORMS, cycle(_SETTINGS.items()), strict=False):
        values = [setting.strip("abcdefghijklmnopqrstuvwxyz") for setting in settings]
        found = _runs_of_settings(_page(line, form, ["heron", "egret"], settings), ["framework", key])
        if found != {(name, value): 3 for name in ("heron", "egret") for value in values}:
            wrong.append((form, key, found))
    assert not wrong


@pytest.mark.parametrize("line", _LINES)
def test_repeats_of_a_single_server_are_pooled(line: str) -> None:
    wrong = []
    for form in _FORMS:
        found = _runs_of_settings(_page(line, form, ["heron"], ("gogc50", "gogc400")), ["gogc"])
        if found != {("50",): 3, ("400",): 3}:
            wrong.append((form, found))
    assert not wrong


@pytest.mark.parametrize(
    "form",
    ["{name} {setting} {run}", "{name} ({setting}) #{run}", "{name}, {setting}, {run}", "{name} - {setting} - {run}"],
)
@pytest.mark.parametrize("names", [["heron"], ["heron", "egret"]])
def test_a_number_behind_a_setting_counts_repeats(form: str, names: list[str]) -> None:
    factors = ["framework", "gogc"] if len(names) > 1 else ["gogc"]
    found = _runs_of_settings(_page("## {}", form, names, ("GOGC=50", "GOGC=400")), factors)
    assert set(found.values()) == {3}
    assert len(found) == 2 * len(names)


@pytest.mark.parametrize("setting", ["gogc", "procs", "GOMAXPROCS"])
def test_a_setting_and_its_value_may_be_one_word(setting: str) -> None:
    page = f"## heron {setting}50\n\n{report(1)}\n## heron {setting}100\n\n{report(2)}"
    assert labels(page, "gogc" if setting == "gogc" else "cores") == ["50", "100"]


def test_versions_and_variants_in_compounds_tell_runs_apart() -> None:
    for first, second in (("node-18-c64", "node-20-c64"), ("tls1.2-c64", "tls1.3-c64"), ("kiwi-v1-c64", "kiwi-v2-c64")):
        names = labels(f"## {first}\n\n{report(1)}\n## {second}\n\n{report(2)}", "framework")
        assert len(set(names)) == 2


@pytest.mark.parametrize("thing", ["http", "TLS", "worker", "server", "host"])
def test_numbers_of_things_that_exist_side_by_side_count_no_repeats(thing: str) -> None:
    for form in (f"{thing} {{}}", f"{thing} {{}} c10"):
        page = f"## {form.format(1)}\n\n{report(1)}\n## {form.format(2)}\n\n{report(2)}"
        assert labels(page, "heading") == [f"{thing} 1", f"{thing} 2"]


def test_a_name_before_a_number_has_no_slash() -> None:
    page = "\n".join(f"=== heron/{size}/{run}\n{report(run)}" for size in (50, 400) for run in (1, 2))
    assert labels(page, "framework") == ["heron/50", "heron/50", "heron/400", "heron/400"]


def test_the_roman_one_is_no_word_of_a_sentence() -> None:
    page = "".join(f"## heron {'I' * number}\n\n{report(number)}\n" for number in (1, 2, 3))
    assert labels(page, "framework") == ["heron I", "heron II", "heron III"]


@pytest.mark.parametrize("sign", "*+-#=|~")
@pytest.mark.parametrize("blanks", [" ", "    "])
def test_titles_in_frames_of_signs_name_runs(sign: str, blanks: str) -> None:
    """``*  kestrel  *`` is no list item, and the frame below it no underline. Kestrel is a known name."""
    for names in (["alder", "birch"], ["kestrel", "merlin"], ["merlin", "kestrel", "heron"]):
        ruler = sign * 20
        boxes = (f"{ruler}\n{sign}{blanks}{name}{blanks}{sign}\n{ruler}\n" for name in names)
        assert labels("".join(f"{box}{report(at)}\n" for at, box in enumerate(boxes)), "framework") == names


@pytest.mark.parametrize(
    "form",
    ["heron-c64-node-{}", "c64-http-{}", "v_{}_c64", "tls-{} c=64:", "heron-c64-{}0000", "heron-c64-{}5000"],
)
@pytest.mark.parametrize("line", ["## {}", "=== {}"])
def test_numbers_of_things_and_round_numbers_count_no_repeats(line: str, form: str) -> None:
    page = "\n".join(f"{line.format(form.format(number))}\n{report(number)}" for number in (1, 2, 3))
    cells = wp.compare(wp.parse_text(page, source="x.md"), metric="throughput").cells
    assert list(cells["n"]) == [1, 1, 1]
