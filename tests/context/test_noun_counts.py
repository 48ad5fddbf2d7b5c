"""Nouns with numbers in headings and names of files: which a careful reader takes for settings, and which for repeats.

Expected labels are read by eye from the names.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.context.test_strangers import written


def _headings(titles: list[str], keys: list[str]) -> list[tuple[str, ...]]:
    page = "\n".join(f"## {title}\n\n@\n" for title in titles)
    return _labels(wp.parse_text(written(page), source="page.md"), keys)


def _files(folder: Path, names: list[str], keys: list[str]) -> list[tuple[str, ...]]:
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written("\n" * number + "@"))
    return _labels(wp.read(folder), keys)


def _labels(dataset: wp.Dataset, keys: list[str]) -> list[tuple[str, ...]]:
    """The labels of each run, by source and line; `wp.factors` must name exactly these."""
    runs = dataset.runs.sort_values(["source", "line"])
    factors = wp.factors(dataset)
    assert [*factors.compared, *factors.load] == keys
    return [tuple(map(str, row)) for row in runs[keys].itertuples(index=False)]


@pytest.mark.parametrize(
    ("titles", "key", "values"),
    [
        (["depth 1", "depth 2", "depth 3"], "depth", ["1", "2", "3"]),
        (["1 shard", "2 shards", "4 shards"], "shards", ["1", "2", "4"]),
        (["kiwi on 1 node", "kiwi on 2 nodes", "kiwi on 3 nodes"], "nodes", ["1", "2", "3"]),
        (["kiwi (batch 1)", "kiwi (batch 2)"], "batch", ["1", "2"]),
        (["kiwi with a queue of 1", "kiwi with a queue of 2"], "queue", ["1", "2"]),
        (["kiwi, queue depth 1", "kiwi, queue depth 2"], "queue_depth", ["1", "2"]),
        (["kiwi – 10k rows", "kiwi – 100k rows"], "rows", ["10000", "100000"]),
        (["hops=1", "hops=2"], "hops", ["1", "2"]),  # its own key, which no list has
        (["Scenario 1", "Scenario 2"], "scenario", ["1", "2"]),
        (["2 replicas", "3 replicas"], "replicas", ["2", "3"]),  # although wrk has 2 threads, too
    ],
)
def test_headings_of_a_noun_and_a_number_are_settings(titles: list[str], key: str, values: list[str]) -> None:
    assert _headings(titles, [key]) == [(value,) for value in values]


@pytest.mark.parametrize(
    ("names", "key", "values"),
    [
        (["depth_1.txt", "depth_2.txt", "depth_3.txt"], "depth", ["1", "2", "3"]),
        (["kiwi-shard1.txt", "kiwi-shard2.txt"], "shard", ["1", "2"]),
        (["kiwi-4nodes.txt", "kiwi-8nodes.txt"], "nodes", ["4", "8"]),
        (["pool-1/wrk.txt", "pool-2/wrk.txt"], "pool", ["1", "2"]),
        (["queue1_1.txt", "queue1_2.txt", "queue2_1.txt", "queue2_2.txt"], "queue", ["1", "1", "2", "2"]),
        (["server_1.txt", "server_2.txt"], "file_name", ["server_1", "server_2"]),
    ],
)
def test_names_of_files_are_read_alike(names: list[str], key: str, values: list[str], tmp_path: Path) -> None:
    assert _files(tmp_path, names, [key]) == [(value,) for value in values]


def test_the_name_beside_is_the_framework(tmp_path: Path) -> None:
    names = [
        f"{name}_replicas_{number}_{again}.txt" for name in ("emu", "kiwi") for number in (1, 2) for again in (1, 2)
    ]
    expected = [(name, number) for name in ("emu", "kiwi") for number in ("1", "1", "2", "2")]
    assert _files(tmp_path, names, ["framework", "replicas"]) == expected
    titles = ["kiwi, batch size 1", "kiwi, batch size 2", "emu, batch size 1", "emu, batch size 2"]
    assert _headings(titles, ["framework", "batch_size"]) == [("kiwi", "1"), ("kiwi", "2"), ("emu", "1"), ("emu", "2")]


def test_a_word_beside_several_names_is_a_parameter_that_no_list_knows(tmp_path: Path) -> None:
    names = [f"{name}-zorps-{number}.txt" for name in ("emu", "kiwi") for number in (2, 4)]
    expected = [("emu", "2"), ("emu", "4"), ("kiwi", "2"), ("kiwi", "4")]
    assert _files(tmp_path, names, ["framework", "zorps"]) == expected


def test_a_name_that_all_files_have_is_no_parameter(tmp_path: Path) -> None:
    names = [f"results-kiwi-{connections}-{again}.txt" for connections in (128, 64) for again in (1, 2, 3)]
    expected = [(connections,) for connections in ("128", "128", "128", "64", "64", "64")]
    assert _files(tmp_path, names, ["file_name"]) == expected


def test_numbers_behind_the_suffix_count_copies(tmp_path: Path) -> None:
    assert _files(tmp_path, ["kiwi.log", "kiwi.log.1", "kiwi.log.2"], []) == [(), (), ()]


@pytest.mark.parametrize(
    "titles",
    [
        ["heron 1", "heron 2", "heron 3"],  # numbered siblings under a name that no list knows
        ["run 1", "run 2"],
        ["kiwi: 1 of 3", "kiwi: 2 of 3", "kiwi: 3 of 3"],
        ["kiwi (1/2)", "kiwi (2/2)"],
        ["Test 1", "Test 2"],
    ],
)
def test_numbers_that_count_repeats_are_no_settings(titles: list[str]) -> None:
    assert _headings(titles, []) == [() for _ in titles]


def test_repeats_of_files_are_counted_by_all_words_that_do_so(tmp_path: Path) -> None:
    assert _files(tmp_path, ["take1.txt", "take2.txt", "take3.txt"], []) == [(), (), ()]


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["Plain", "Queue 1", "Queue 2"], ["Plain", "Queue 1", "Queue 2"]),  # beside a name it is one
        (["Java 17", "Java 21"], ["Java 17", "Java 21"]),
        (["Approach 1: a pool", "Approach 2: no pool"], ["a pool", "no pool"]),
    ],
)
def test_what_follows_from_a_name_is_none_beside_it(titles: list[str], names: list[str]) -> None:
    assert _headings(titles, ["framework"]) == [(name,) for name in names]


@pytest.mark.parametrize("form", ["{}{}.txt", "{}{:02}.txt", "{}{:03}.log", "{}({}).txt", "{} ({}).txt"])
@pytest.mark.parametrize("first", [0, 1])
def test_repeats_are_counted_from_0_or_1_with_zeros_in_front_or_without(tmp_path: Path, form: str, first: int) -> None:
    names = [form.format(name, number) for name in ("brask", "quenlo") for number in range(first, first + 4)]
    assert _files(tmp_path, names, ["framework"]) == [("brask",)] * 4 + [("quenlo",)] * 4


def test_numbers_of_two_words_that_leave_gaps_or_begin_later_are_parts_of_names(tmp_path: Path) -> None:
    names = ["brask0.log", "brask2.log", "quenlo07.log", "quenlo08.log"]
    assert _files(tmp_path, names, ["framework"]) == [("brask0",), ("brask2",), ("quenlo07",), ("quenlo08",)]


@pytest.mark.parametrize(("one", "other", "key"), [
    ("lab-east-1", "fab-west-2", "framework"), ("brask-2", "quenlo-3", "framework"), ("db-2", "web-1", "file_name"),
    ("us-east-1", "us-west-2", "framework"),
])  # fmt: skip
def test_a_number_behind_another_sign_counts_the_runs_of_a_numbered_name(
    tmp_path: Path, one: str, other: str, key: str
) -> None:
    names = [f"{name}_{number}.txt" for name in (one, other) for number in range(1, 6)]
    expected = [(name,) for name in sorted((one, other)) for _ in range(5)]
    assert _files(tmp_path, names, [key]) == expected


def test_two_numbers_behind_the_same_signs_may_be_a_version(tmp_path: Path) -> None:
    names = [f"{name}_{version}.txt" for name in ("brask_5", "quenlo_7") for version in (1, 2, 3)]
    assert len(set(_files(tmp_path, names, ["framework", "file_name"]))) == 6


def test_two_numbers_of_one_name_are_a_load_and_a_count(tmp_path: Path) -> None:
    names = [f"{name}-{load}_{number}.txt" for name in ("brask", "quenlo") for load in (2, 8) for number in (1, 2, 3)]
    found = _files(tmp_path, names, ["framework", "file_name"])
    assert found == [(name, load) for name in ("brask", "quenlo") for load in ("2", "8") for _ in range(3)]


@pytest.mark.parametrize("word", ["Impl", "Algo", "Plan", "Zorp", "Idea"])
def test_numbered_sections_with_repeats_of_their_own_are_variants(word: str) -> None:
    page = "".join(f"## {word} {number}\n\n" + "```\n@\n```\n\n" * 3 for number in (1, 2))
    runs = wp.parse_text(written(page), source="page.md")
    (key,) = wp.factors(runs).compared
    assert [value[-1] for (value,) in _labels(runs, [key])] == ["1"] * 3 + ["2"] * 3


@pytest.mark.parametrize("word", ["Session", "Run", "Test", "Series", "Day", "Round"])
def test_numbered_sections_of_when_runs_were_made_are_repeats(word: str) -> None:
    page = "".join(f"## {word} {number}\n\n" + "```\n@\n```\n\n" * 3 for number in (1, 2))
    assert _labels(wp.parse_text(written(page), source="page.md"), []) == [()] * 6


def test_words_that_underscores_join_are_a_setting_of_the_name_in_front() -> None:
    titles = [f"brask: pool_slots {number}" for number in (1, 4)]
    assert _headings(titles, ["pool_slots"]) == [("1",), ("4",)]
    assert _headings([f"my_brask {number}" for number in (1, 2)], []) == [(), ()]


def test_the_name_of_a_host_holds_its_address_and_is_a_machine(tmp_path: Path) -> None:
    names = [f"ip-10-0-3-{host}/wrk-{number}.log" for host in (17, 18) for number in (1, 2)]
    assert _files(tmp_path, names, ["machine"]) == [("ip-10-0-3-17",)] * 2 + [("ip-10-0-3-18",)] * 2


def test_a_number_in_front_of_a_folders_name_stays_there(tmp_path: Path) -> None:
    names = [f"{folder}/{number}.txt" for folder in ("0000-base", "0001-brask", "0002-quenlo") for number in (1, 2)]
    found = _files(tmp_path, names, ["framework"])
    assert found == [(name,) for name in ("0000-base", "0001-brask", "0002-quenlo") for _ in range(2)]


@pytest.mark.parametrize("form", ["{}/{}.txt", "{}-{}.txt"])
def test_a_number_within_a_name_stays_there(tmp_path: Path, form: str) -> None:
    ciphers = ("QRS_128_BRASK_X256", "QRS_256_BRASK_X384")
    names = [form.format(cipher, number) for cipher in ciphers for number in range(1, 4)]
    assert _files(tmp_path, names, ["framework"]) == [(cipher,) for cipher in ciphers for _ in range(3)]


def test_a_number_between_words_that_varies_by_itself_is_a_load(tmp_path: Path) -> None:
    names = [f"{name}_{load}_quick.txt" for name in ("brask", "quenlo") for load in (70, 90)]
    assert _files(tmp_path, names, ["framework", "file_name"]) == [
        (name, load) for name in ("brask_quick", "quenlo_quick") for load in ("70", "90")
    ]
