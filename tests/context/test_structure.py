"""The labels that places give, each expected by eye: what a reader would call the server, and what else differs."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.context.slots.places import Place, SlotText
from wrkparse.context.structure import structure
from wrkparse.context.structure.names.spellings import unify_spellings


def place(
    source: str,
    section: str | None = None,
    title: str | None = None,
    process: str | None = None,
    naming: str | None = None,
    **labels: str,
) -> Place:
    tool = labels.get("tool", "wrk")
    return Place(tool, source, section, title, process, {"tool": tool, **labels}, naming)


def structural_labels(places: list[Place]) -> list[dict[str, str]]:
    found = structure.structural_labels(places)
    return [{key: said.value for key, said in labels.items()} for labels in found]


def days(*sources: str, **labels: str) -> list[str | None]:
    return [found.get("day") for found in structural_labels([place(source, **labels) for source in sources])]


def test_days_of_several_runs_are_a_label_if_nothing_else_tells_the_runs_apart() -> None:
    found = days("2026-11-20/run1.txt", "2026-11-20/run2.txt", "2026-11-24/run1.txt", "2026-11-24/run2.txt")
    assert found == ["2026-11-20", "2026-11-20", "2026-11-24", "2026-11-24"]
    names = [f"wrk-{day}-{number}.txt" for day in (20261120, 20261124) for number in (1, 2)]
    assert days(*names) == found


@pytest.mark.parametrize(
    "sources",
    [
        ("2026-11-20/run.txt", "2026-11-21/run.txt", "2026-11-22/run.txt"),  # a repeat each day
        ("2026-11-20/run1.txt", "2026-11-20/run2.txt"),
        ("2026-11-20/run1.txt", "2026-11-20/run2.txt", "run3.txt"),  # of no day
        ("2026-11-20/1.txt", "2026-11-20/2.txt", "2026-11-21/1.txt", "2026-11-22/1.txt"),  # one day was repeated
        tuple(f"run-{time}.txt" for time in ("20261120-2340", "20261120-2350", "20261121-0000", "20261121-0010")),
        ("2026-11-20/kiwi.txt", "2026-11-20/emu.txt", "2026-11-21/kiwi.txt", "2026-11-21/emu.txt"),
    ],
)
def test_other_days_are_none(sources: tuple[str, ...]) -> None:
    assert set(days(*sources)) == {None}


def test_several_runs_of_one_file_are_of_its_day(tmp_path: Path) -> None:
    for day in (18, 20):
        page = "".join(WRK.replace("40669.44", f"4{day}69.4{at}") for at in range(3))
        (tmp_path / f"2026-11-{day}.txt").write_text(page)
    assert wp.read(tmp_path).runs["day"].tolist() == ["2026-11-18"] * 3 + ["2026-11-20"] * 3


@pytest.mark.parametrize(
    ("sources", "key", "values"),
    [
        (("results.txt", "results-new.txt"), "file_name", ["results", "new"]),
        (("noon/1.txt", "midnight/1.txt"), "directory", ["noon", "midnight"]),
        (("out.txt", "bench.txt", "out-fixed.txt"), "file_name", [None, None, "fixed"]),  # which one is it?
    ],
)
def test_what_has_no_name_beside_one_is_called_by_its_whole_text(
    sources: tuple[str, ...], key: str, values: list[str | None]
) -> None:
    assert [labels.get(key) for labels in structural_labels([place(source) for source in sources])] == values


def test_a_heading_without_a_name_beside_one_is_its_whole_text() -> None:
    places = [place("a.md", heading) for heading in ("Test A", "Test A", "Test B", "Test B")]
    assert [labels.get("heading") for labels in structural_labels(places)] == ["Test A"] * 2 + ["Test B"] * 2


def test_the_text_of_a_name_keeps_its_spelling_beside_a_label_that_says_otherwise() -> None:
    """2c can't be the connections, which wrk prints."""
    places = [place(f"{name}/run{number}.txt", connections="64") for name in ("kiwi_2c", "emu_4c") for number in (1, 2)]
    assert frameworks(*places) == ["kiwi 2c", "kiwi 2c", "emu 4c", "emu 4c"]


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["Cache On", "cache off", "cache on", "Cache off", "CACHE ON"],
         ["Cache On", "cache off", "Cache On", "cache off", "Cache On"]),  # of equally many, the first
        (["Cache On", "cache on", "cache on", "cache off"], ["cache on"] * 3 + ["cache off"]),
    ],
)  # fmt: skip
def test_headings_that_differ_only_in_capitals_are_one_setting(headings: list[str], expected: list[str]) -> None:
    assert [
        labels.get("heading") for labels in structural_labels([place("a.md", text) for text in headings])
    ] == expected


def spelled(*headings: str) -> list[str]:
    found = [{"heading": SlotText(heading, heading, "section")} for heading in headings]
    unify_spellings(found)
    return [labels["heading"].value for labels in found]


@pytest.mark.parametrize(
    "headings",
    [
        ("on hot path", "On hot path"),  # nothing else would tell the runs apart
        ("small, Off", "small, off", "large, Off", "large, off", "none, Off", "none, off"),
        ("body of 8 MB", "body of 8 Mb", "no body"),  # bytes and bits
        ("via getUser", "via getuser", "via cache"),
        ("mode a", "mode A", "mode b"),
    ],
)
def test_headings_stay_apart_whose_capitals_may_matter(headings: tuple[str, ...]) -> None:
    assert spelled(*headings) == list(headings)


def test_the_spelling_of_most_runs_is_that_of_all() -> None:
    assert spelled("Pool Off", "pool off", "pool off", "pool on") == ["pool off"] * 3 + ["pool on"]


def frameworks(*places: Place) -> list[str | None]:
    return [labels.get("framework") for labels in structural_labels(list(places))]


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        (("kiwi/c8-1.txt", "kiwi/c8-2.txt", "emu/c8-1.txt"), ["kiwi", "kiwi", "emu"]),
        (("kiwi-1.txt", "kiwi-2.txt", "emu-1.txt", "emu-2.txt"), ["kiwi", "kiwi", "emu", "emu"]),
        (("kiwi.txt", "kiwi-rerun.txt", "emu.txt", "emu_again.txt"), ["kiwi", "kiwi", "emu", "emu"]),
        (("kiwi/rerun/1.txt", "kiwi/original/1.txt"), ["rerun", "original"]),
        (("alpha.log", "beta.log"), ["alpha", "beta"]),
        (("results/2026-11-20/alpha.log", "results/2026-11-21/beta.log"), ["alpha", "beta"]),
        (("before/run1.log", "before/run2.log", "after/run1.log"), ["before", "before", "after"]),
        (("srv-1.18.0-run1.txt", "srv-1.25.3-run1.txt"), ["srv-1.18.0", "srv-1.25.3"]),
        (("go.txt", "go-tuned.txt"), ["go", "go-tuned"]),
        (("resultat1.txt", "resultat2.txt", "resultat4.txt"), [None, None, None]),
        (("load1Sharding.txt", "load2Sharding.txt"), [None, None]),
        (("tc1.txt", "tc2.txt", "tc3.txt"), [None, None, None]),
        (("sha1sum.txt", "sha256sum.txt"), ["sha1sum", "sha256sum"]),
        (("pg14.txt", "pg15.txt"), ["pg14", "pg15"]),
        (("python2.txt", "python3.txt"), ["python2", "python3"]),
        (("kiwi1.txt", "kiwi2.txt", "emu1.txt", "emu2.txt", "moa.txt"), ["kiwi", "kiwi", "emu", "emu", "moa"]),
        (("kiwi8.txt", "kiwi11.txt", "emu8.txt", "emu11.txt"), ["kiwi8", "kiwi11", "emu8", "emu11"]),
        (("http1.txt", "http2.txt", "https1.txt", "https2.txt"), [None, None, None, None]),
        (("kiwi_server.py", "emu_server.py"), ["kiwi_server", "emu_server"]),
        (("node.js", "kiwi.js"), ["node.js", "kiwi"]),
        (("kiwi.txt",), [None]),
        (("run1.txt", "run2.txt"), [None, None]),
        (("t41.md",), [None]),
        (("1.log", "2.log", "3.log"), [None, None, None]),
        (("http.txt", "https.txt"), [None, None]),
        (("alpha-Mon.txt", "alpha-Tue.txt"), [None, None]),
        (("out-20261120.txt", "out-20261121.txt"), [None, None]),
        (("server1/kiwi.txt", "server1/emu.txt", "server2/kiwi.txt", "server2/emu.txt"), ["kiwi", "emu"] * 2),
        (("on-box129/kiwi.txt", "on-box129/emu.txt", "on-box130/kiwi.txt", "on-box130/emu.txt"), ["kiwi", "emu"] * 2),
        (("9f3c2ab/kiwi.txt", "9f3c2ab/emu.txt", "b77d01e/kiwi.txt", "b77d01e/emu.txt"), ["kiwi", "emu"] * 2),
        (("before/r1.log", "before/r2.log", "after/r1.log", "after/r2.log"), ["before", "before", "after", "after"]),
        (("feed/get-8k.txt", "feed/put-8k.txt", "feed/put-1k.txt"), [None, None, None]),
    ],
)
def test_names_of_folders_and_files_that_vary_name_what_was_measured(
    sources: tuple[str, ...], names: list[str | None]
) -> None:
    assert frameworks(*map(place, sources)) == names


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("emu1 emu2 emu3", "kiwi1 kiwi1-2 kiwi1-3", "kiwi2 kiwi2-2 kiwi2-3"), ("emu", "kiwi1", "kiwi2")),
        (("emu emu2 emu3", "kiwi1 kiwi1-2 kiwi1-3", "kiwi2 kiwi2-2 kiwi2-3"), ("emu", "kiwi1", "kiwi2")),
        (("emu1 emu2", "kiwi1-run1 kiwi1-run2", "kiwi2-run1 kiwi2-run2", "kiwi3-run1 kiwi3-run2"),
         ("emu", "kiwi1", "kiwi2", "kiwi3")),
        (("emu emu-2", "kiwi1 kiwi1-2", "kiwi2 kiwi2-2"), ("emu", "kiwi1", "kiwi2")),
        (("emu-r1 emu-r2", "kiwi1-r1 kiwi1-r2", "kiwi2-r1 kiwi2-r2"), ("emu", "kiwi1", "kiwi2")),
        (("emu1-r1 emu1-r2", "emu2-r1 emu2-r2", "kiwi1-r1 kiwi1-r2", "kiwi2-r1 kiwi2-r2"),
         ("emu1", "emu2", "kiwi1", "kiwi2")),
        # emu1 and emu2 may be made for kiwi1 and kiwi2
        (("emu1", "emu2", "kiwi1-1 kiwi1-2", "kiwi2-1 kiwi2-2"), ("emu1", "emu2", "kiwi1", "kiwi2")),
        (("emu1", "emu2", "kiwi1 kiwi1-2", "kiwi2 kiwi2-2"), ("emu1", "emu2", "kiwi1", "kiwi2")),
        (("emu1", "emu2", "kiwi1 kiwi1-r2", "kiwi2 kiwi2-r2"), ("emu1", "emu2", "kiwi1", "kiwi2")),
        (("emu emu2", "kiwi1 kiwi1-2", "kiwi2 kiwi2-2"), ("emu", "kiwi1", "kiwi2")),
        (("emu emu2", "kiwi1 kiwi1-r2", "kiwi2 kiwi2-r2"), ("emu", "kiwi1", "kiwi2")),
        # those of kiwi are not counted to 3, and those of emu not to 2
        (("emu1", "emu2", "emu3", "kiwi1 kiwi1-2", "kiwi2 kiwi2-2"), ("emu1", "emu2", "emu3", "kiwi1", "kiwi2")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("load", [{}, {"threads": "2", "connections": "10"}])
def test_a_number_is_part_of_a_name_if_another_number_behind_it_counts_its_repeats(
    files: tuple[str, ...], names: tuple[str, ...], load: dict[str, str]
) -> None:
    """Two threads do not explain the 2 behind a name."""
    sources = [place(f"{file}.txt", **load) for of_name in files for file in of_name.split()]
    assert frameworks(*sources) == [name for name, of_name in zip(names, files, strict=True) for _ in of_name.split()]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("heron-14 heron-16 emu", "heron-14 heron-16 emu"),
        ("heron-1 heron-6 emu-4 none", "heron-1 heron-6 emu-4 none"),
        ("heron-1 heron-6 emu-4", "heron-1 heron-6 emu-4"),
        ("heron-7 heron-8", "heron-7 heron-8"),
        ("pg-14 pg-16", "pg-14 pg-16"),
        ("heron-4 heron-8", "4 8"),  # they may be cores
        ("heron-64 heron-128 emu-64 emu-128", "heron,64 heron,128 emu,64 emu,128"),  # every name has each number
    ],
)
def test_numbers_of_folders_belong_to_their_names_unless_the_names_share_them(names: str, expected: str) -> None:
    sources = [f"{name}/run-{number}.txt" for name in names.split() for number in (1, 2)]
    found = [
        ",".join(labels.get(key, "") for key in ("framework", "directory") if labels.get(key))
        for labels in structural_labels([place(source) for source in sources])
    ]
    assert found == [name for name in expected.split() for _ in range(2)]


def test_numbers_of_files_with_one_run_each_belong_to_their_names_beside_a_name_without() -> None:
    assert frameworks(*map(place, ["heron-14.txt", "heron-16.txt", "emu.txt"])) == ["heron-14", "heron-16", "emu"]
    numbered = ["heron-1731.txt", "emu-1732.txt", "heron-1733.txt", "emu-1734.txt"]  # in the order of the runs
    assert frameworks(*map(place, numbered)) == ["heron", "emu"] * 2


@pytest.mark.parametrize("tool", ["oha", "autocannon", "k6", "wrk"])
def test_the_name_of_a_load_generator_with_a_number_counts_repeats(tool: str) -> None:
    sources = [f"{server}/{tool}{number}.txt" for server in ("kiwi", "emu") for number in (1, 2, 3)]
    assert structural_labels([place(source) for source in sources]) == [
        {"framework": server} for server in ("kiwi", "emu") for _ in range(3)
    ]


def test_of_names_that_combine_more_than_two_things_the_first_is_one_whatever_signs_are_in_it() -> None:
    cells = [f"{kind}_{load}" for kind in ("new_order", "list_orders", "search") for load in ("calm", "rush_hour")]
    sources = [f"summary_{server}_{cell}.txt" for server in ("rust-kiwi", "nginx", "emu") for cell in cells]
    assert frameworks(*map(place, sources)) == [name for name in ("rust-kiwi", "nginx", "emu") for _ in cells]


def test_a_word_of_the_path_is_no_name_though_the_path_ends_as_a_file_of_a_program_does() -> None:
    sources = [f"{server}-heavy-sum-c{c}.txt" for server in ("kiwi", "pl") for c in (8, 64)]
    assert frameworks(*(place(source, path=f"/heavy-sum.{source[:2]}") for source in sources)) == [
        "kiwi", "kiwi", "pl", "pl",
    ]  # fmt: skip


def filed(source: str, framework: str) -> Place:
    """A run in a file, with the framework that a list finds in its path."""
    return place(source, naming="path", framework=framework)


def test_files_that_are_called_as_frameworks_are_named_so_beside_folders_of_runtimes() -> None:
    runs = [
        filed("node/hono.txt", "hono"), filed("node/express.txt", "express"), filed("node/kiwi.txt", "node"),
        filed("bun/hono.txt", "hono"), filed("bun/kiwi.txt", "bun"), filed("bun/bun.txt", "bun"),
    ]  # fmt: skip
    found = structural_labels(runs)
    assert [labels.get("framework") for labels in found] == [None, None, "kiwi", None, "kiwi", None]
    assert [labels.get("directory") for labels in found] == ["node"] * 3 + ["bun"] * 2 + [None]


@pytest.mark.parametrize("files", [("small", "large"), ("kiwi", "emu")])
def test_files_of_which_none_is_a_framework_do_not_overrule_their_folders(files: tuple[str, ...]) -> None:
    runs = [filed(f"{server}/{file}.txt", server) for server in ("nginx", "haproxy") for file in files]
    assert frameworks(*runs) == [None] * 4


def test_one_file_that_is_called_as_a_framework_does_not_make_the_files_beside_it_frameworks() -> None:
    """The server may use redis, or kiwi instead."""
    stores = [
        filed(f"{server}/{store}.txt", "redis" if store == "redis" else server)
        for server in ("node", "bun")
        for store in ("redis", "kiwi")
    ]
    assert frameworks(*stores) == [None] * 4


@pytest.mark.parametrize(
    ("section", "names"),
    [
        (("Results", "Output"), ["kiwi", "emu"]),
        (("Benchmark > Output", "Benchmark > Results"), ["kiwi", "emu"]),
        (("16 connections", "64 connections"), ["kiwi", "emu"]),
        (("Load test of the API", "Load test of the API"), ["kiwi", "emu"]),
        (("Keep-alive", "Pool"), [None, None]),
    ],
)
def test_files_whose_headings_say_nothing_name_what_was_measured(
    section: tuple[str, str], names: list[str | None]
) -> None:
    """A heading that all files have distinguishes none of them."""
    assert frameworks(place("kiwi.md", section[0]), place("emu.md", section[1])) == names


@pytest.mark.parametrize(
    ("tools", "headings", "names"),
    [
        (("ab", "wrk"), ("kiwi", "emu"), ["kiwi", "emu"]),
        (("hey", "wrk2"), ("kiwi", "emu"), ["kiwi", "emu"]),
        # What the tools of the runs are is no name, nor what was loaded beside what was timed.
        (("bombardier", "vegeta"), ("Bombardier", "Vegeta"), [None, None]),
        (("ab", "wrk"), ("ApacheBench", "wrk"), [None, None]),
        (("time", "wrk"), ("startup", "kiwi"), [None, None]),
        (("gctrace", "wrk"), ("collector", "kiwi"), [None, None]),
    ],
)
def test_runs_of_two_tools_that_load_servers_are_named_alike(
    tools: tuple[str, ...], headings: tuple[str, ...], names: list[str | None]
) -> None:
    runs = [place("p.md", f"T > {name}", tool=tool) for tool, name in zip(tools, headings, strict=True)]
    assert frameworks(*runs) == names


def test_a_word_that_a_label_explains_leaves_the_brackets_behind_it_whole() -> None:
    one, other = (place("p.md", f"T > {name} linux (tuned)", os="linux") for name in ("kiwi", "emu"))
    assert frameworks(one, other) == ["kiwi (tuned)", "emu (tuned)"]


@pytest.mark.parametrize(
    ("sections", "names"),
    [
        (("Results > alpha", "Results > my-service v2"), ["alpha", "my-service v2"]),
        (("Bench > kiwi > Run 1", "Bench > kiwi > Run 2", "Bench > emu > Run 1"), ["kiwi", "kiwi", "emu"]),
        (("T > Service A", "T > Service B"), ["Service A", "Service B"]),
        (("T > baseline", "T > branch feature-x"), ["baseline", "branch feature-x"]),
        (("Load test", "Load test"), [None, None]),
        (("Results > Run 1", "Results > Run 2"), [None, None]),
        (("Setup", "Results", "Conclusion"), [None, None, None]),
        (("HTTP", "HTTPS"), [None, None]),
        (("API > List eggs (GET /eggs)", "API > Lay egg (POST /eggs)"), [None, None]),
        (("GET > Q9-2048-GET-8k", "GET > Q9-2048-GET-1k", "PUT > Q9-2048-PUT-8k"), [None, None, None]),
        (("T > Kiwi – a small, extensible web framework for the C language", "T > Emu – a fast one"), ["Kiwi", "Emu"]),
        (("T > Moa on Perches (Moa v. 2.1.0, Perches v. 4.0.2, with nuts)", "T > Emu"), ["Moa on Perches", "Emu"]),
        (
            ("Kiwi Nut 5.4", "moa NutJIT", "rhea mod-nut", "ostrich/nut5.1", "ostrich/nut5.4"),
            ["Kiwi Nut 5.4", "moa NutJIT", "rhea mod-nut", "ostrich/nut5.1", "ostrich/nut5.4"],
        ),
        (
            tuple(f"T > {name} — {task}" for name in ("Kiwi (Nut.Sockets)", "Emu") for task in ("Hello", "Orders")),
            ["Kiwi (Nut.Sockets)", "Kiwi (Nut.Sockets)", "Emu", "Emu"],
        ),
        (("T > Kiwi: json", "T > Emu: json", "T > Moa: json"), ["Kiwi", "Emu", "Moa"]),
        (("T > Kiwi — nut", "T > Emu — oak", "T > Moa"), ["Kiwi — nut", "Emu — oak", "Moa"]),
        (("T > Framework 1: kiwi", "T > Framework 2: emu"), ["kiwi", "emu"]),
        (("How we measured the old one", "What changed after the move to the new one"), [None, None]),
    ],
)
def test_headings_of_one_page_that_vary_name_what_was_measured(
    sections: tuple[str, ...], names: list[str | None]
) -> None:
    assert frameworks(*(place("post.md", section) for section in sections)) == names


def test_a_title_above_each_run_and_a_process_name_what_was_measured() -> None:
    assert frameworks(*(place("all.log", title=title) for title in ("kiwi", "kiwi", "emu"))) == ["kiwi", "kiwi", "emu"]
    assert frameworks(*(place("all.log", process=name) for name in ("kiwi.txt", "emu.txt"))) == ["kiwi", "emu"]


@pytest.mark.parametrize("files", [("kiwi.md", "emu.md"), ("log1.md", "log2.md")])
@pytest.mark.parametrize("heading", ["Bench > {} run {}", "{} #{}"])
def test_headings_that_count_the_runs_of_one_name_in_each_file_name_it(files: tuple[str, ...], heading: str) -> None:
    runs = [
        place(file, heading.format(name, count))
        for file, name in zip(files, ("kiwi", "emu"), strict=True)
        for count in (1, 2, 3)
    ]
    assert frameworks(*runs) == ["kiwi"] * 3 + ["emu"] * 3


def test_titles_that_count_the_runs_of_one_name_in_each_file_name_it() -> None:
    runs = [
        place(f"{n}.log", title=f"{name} run {count}") for n, name in enumerate(("kiwi", "emu")) for count in (1, 2)
    ]
    assert frameworks(*runs) == ["kiwi", "kiwi", "emu", "emu"]


def test_headings_of_one_document_word_in_each_file_name_nothing() -> None:
    runs = [place(f"{n}.md", f"{word} run {count}") for n, word in enumerate(("Test", "Results")) for count in (1, 2)]
    assert frameworks(*runs) == [None] * 4


@pytest.mark.parametrize("names", [
    ("black box", "white box"), ("m1", "m2"), ("state machine", "virtual machine"), ("nuc", "kiwi"),
])  # fmt: skip
def test_names_that_end_as_machines_do_are_none(names: tuple[str, str]) -> None:
    assert all("machine" not in labels for labels in structural_labels([place("a.md", name) for name in names]))


@pytest.mark.parametrize(
    "machines",
    [("Big box", "Laptop"), ("c5.2xlarge", "m5.large"), ("Epyc server", "Raspberry Pi"), ("M2 Pro", "Ryzen 9 5950X")],
)
def test_headings_of_machines_are_the_label_machine_even_if_each_has_its_own_server(machines: tuple[str, str]) -> None:
    apart = [place("a.md", f"{machine} > {name}") for machine, name in zip(machines, ("kiwi", "emu"), strict=True)]
    crossed = [place("a.md", f"{machine} > {name}") for machine in machines for name in ("kiwi", "emu")]
    assert frameworks(*apart) == ["kiwi", "emu"]
    assert frameworks(*crossed) == ["kiwi", "emu"] * 2
    assert [labels["machine"] for labels in structural_labels(apart)] == [*machines]
    assert [labels["machine"] for labels in structural_labels(crossed)] == [machines[0]] * 2 + [machines[1]] * 2


def test_the_title_of_a_page_names_what_its_sections_measured() -> None:
    places = [
        place(f"{name}.md", f"{name} > {count} connections", connections=count)
        for name in ("kiwi", "emu") for count in ("8", "64")
    ]  # fmt: skip
    assert frameworks(*places) == ["kiwi", "kiwi", "emu", "emu"]


def test_of_two_factors_the_one_that_names_no_condition_is_the_framework() -> None:
    places = [
        place(f"{name}-{load}-{run}.txt") for name in ("kiwi", "emu") for load in ("json", "plain") for run in "12"
    ]
    labels = structural_labels(places)
    assert [(of_run["framework"], of_run["file_name"]) for of_run in labels] == [
        (name, load) for name in ("kiwi", "emu") for load in ("json", "plain") for _ in "12"
    ]
    states = [place(f"{name}-{state}.txt") for name in ("kiwi", "emu") for state in ("before", "after")]
    assert structural_labels(states) == [
        {"framework": name, "file_name": state} for name in ("kiwi", "emu") for state in ("before", "after")
    ]


def test_of_two_factors_of_unknown_words_neither_is_called_the_framework() -> None:
    places = [place(f"{machine}/page.md", name) for machine in ("bigbox", "smallbox") for name in ("alpha", "omega")]
    assert structural_labels(places) == [
        {"directory": machine, "heading": name} for machine in ("bigbox", "smallbox") for name in ("alpha", "omega")
    ]


def test_one_known_name_shows_which_factor_is_the_framework() -> None:
    places = [
        place(f"{machine}/page.md", name, **({"framework": name} if name == "nginx" else {}))
        for machine in ("bigbox", "smallbox") for name in ("nginx", "omega")
    ]  # fmt: skip
    assert structural_labels(places) == [
        {"directory": "bigbox"},
        {"framework": "omega", "directory": "bigbox"},
        {"directory": "smallbox"},
        {"framework": "omega", "directory": "smallbox"},
    ]


def test_folders_of_unrelated_pages_are_no_framework() -> None:
    pages = {"shop/post.md": ("kiwi", "emu"), "forum/post.md": ("fox", "wolf")}
    places = [place(source, name) for source, names in pages.items() for name in names]
    assert structural_labels(places) == [{"framework": name} for names in pages.values() for name in names]


def test_a_heading_that_begins_as_the_one_above_its_runs_stands_beside_it() -> None:
    names = ["kiwi", "kiwi tuned", "kiwi with a cache"]
    sections = ["T > kiwi", "T > kiwi > kiwi tuned", "T > kiwi > kiwi with a cache"]
    assert frameworks(*(place("p.md", section) for section in sections)) == names
    # The headings of a document's own words, and of one without runs of its own, have parts below them.
    tests = ["T > Test kiwi", "T > Test kiwi > Test 2", "T > Test emu", "T > Test emu > Test 2"]
    assert frameworks(*(place("p.md", section) for section in tests)) == ["Test kiwi"] * 2 + ["Test emu"] * 2
    assert structural_labels([place("p.md", "T > kiwi > kiwi 1"), place("p.md", "T > kiwi > emu")]) == [
        {"framework": "kiwi"},
        {"framework": "emu"},
    ]


@pytest.mark.parametrize(
    ("titles", "connections", "names"),
    [
        (["kiwi", None, "emu", None], "8 64 8 64", ["kiwi", "kiwi", "emu", "emu"]),
        (["kiwi", None, None, "emu", None, None], "8 64 100 8 64 100", ["kiwi", "kiwi", "kiwi", "emu", "emu", "emu"]),
        (["kiwi", None, "emu", None, None], "8 64 8 64 100", ["kiwi", None, "emu", None, None]),  # 100 may be of moa
        (["kiwi", "kiwi", "emu", None, "moa", None], "8 32 8 64 8 64", ["kiwi", "kiwi", "emu", "emu", "moa", "moa"]),
        (
            ["kiwi", None, "emu", None],
            "8 8 8 64",
            ["kiwi", None, "emu", None],
        ),  # a run without a title at the same load
        (["kiwi", None, "emu"], "8 64 8", ["kiwi", None, "emu"]),  # what would the second run of emu be?
        ([None, "kiwi", None, "emu"], "64 8 64 8", [None, "kiwi", None, "emu"]),  # titles may end a series, too
    ],
)
def test_titles_above_the_first_run_of_each_series_hold_for_the_series(titles, connections, names) -> None:
    runs = zip(titles, connections.split(), strict=True)
    assert frameworks(*(place("all.log", title=title, connections=count) for title, count in runs)) == names


def test_what_a_server_took_of_its_machine_is_no_framework() -> None:
    titles = ["kiwi", "cpu 99, mem 300MiB", "emu", "mem 200MiB, cpu 95"]
    assert frameworks(*(place("all.log", title=title) for title in titles)) == ["kiwi", None, "emu", None]


def test_a_setting_of_a_title_is_no_difference_of_the_runs_without_one() -> None:
    runs = [place("all.log", title=title, connections="8", cores=cores) for title, cores in
            [("kiwi, 4 cores", "4"), (None, None), ("emu, 4 cores", "4"), (None, None)]]  # fmt: skip
    assert frameworks(*runs) == ["kiwi", None, "emu", None]


def test_the_path_of_one_request_explains_no_word_of_the_file_of_all() -> None:
    paths = ["/", "/id?name=moa", "/json"]
    runs = [place(f"{name}.txt", path=path) for name in ("moa-standard", "emu") for path in paths]
    assert frameworks(*runs) == ["moa-standard"] * 3 + ["emu"] * 3


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["Kiwi implementation", "Emu implementation"], ["Kiwi", "Emu"]),
        (["Kiwi implementation", "Emu"], ["Kiwi", "Emu"]),
        (["Kiwi implementation", "Kiwi"], ["Kiwi implementation", "Kiwi"]),
        (["new implementation", "old implementation"], ["new implementation", "old implementation"]),
    ],
)
def test_implementation_is_no_word_of_a_name(titles: list[str], names: list[str]) -> None:
    assert frameworks(*(place("p.md", title) for title in titles)) == names


def test_letters_before_numbers_are_settings_where_siblings_vary_and_nothing_else_says_so() -> None:
    assert structural_labels([place("c8.txt"), place("c64.txt")]) == [{"connections": "8"}, {"connections": "64"}]
    assert structural_labels([place("t41.md"), place("t41.log")]) == [{}, {}]
    stated = [place(f"c{count}.txt", connections=count) for count in ("8", "64")]
    assert structural_labels(stated) == [{}, {}]
    other = [place(f"c{count}.txt", connections="100") for count in ("8", "64")]
    assert structural_labels(other) == [{"file_name": "c8"}, {"file_name": "c64"}]


def test_a_letter_with_a_number_that_counts_files_is_no_setting() -> None:
    counted = [place(f"t{number}.log", tool="gctrace") for number in range(1, 6)]
    assert structural_labels(counted) == [{}] * 5
    doubled = [place(f"t{number}.log", tool="gctrace") for number in (1, 2, 4, 8)]
    assert structural_labels(doubled) == [{"threads": number} for number in "1248"]


def test_numbers_that_nothing_explains_separate_runs_unless_they_count() -> None:
    def of(*titles: str) -> list[dict[str, str]]:
        return structural_labels([place("all.log", title=title) for title in titles])

    assert [labels.get("heading") for labels in of("kiwi / 2", "kiwi / 8", "emu / 2", "emu / 8")] == [
        "2",
        "8",
        "2",
        "8",
    ]
    assert of("kiwi 1", "kiwi 2", "emu 1", "emu 2") == [{"framework": name} for name in ("kiwi", "kiwi", "emu", "emu")]
    assert [labels.get("directory") for labels in structural_labels([place("100/wrk.txt"), place("400/wrk.txt")])] == [
        "100", "400",
    ]  # fmt: skip


def test_a_label_that_some_runs_have_by_chance_explains_no_number() -> None:
    """wrk's two threads say nothing of the 2 in ``kiwi / 2``: ``kiwi / 4`` is another setting."""
    places = [place("all.log", title=f"{name} / {count}", threads="2") for name in ("kiwi", "emu") for count in (2, 4)]
    assert structural_labels(places) == [
        {"framework": name, "heading": count} for name in ("kiwi", "emu") for count in ("2", "4")
    ]


def test_runs_with_a_name_are_no_repeats_of_those_without() -> None:
    assert structural_labels([place("p.md", "T"), place("p.md", "T > kiwi")]) == [{}, {"heading": "kiwi"}]
    assert structural_labels([place("1.txt"), place("kiwi/1.txt")]) == [{}, {"directory": "kiwi"}]


def test_words_that_labels_explain_are_none() -> None:
    places = [
        place(f"aws/gogc{value}/kiwi.txt", environment="aws", gogc=value, framework="kiwi") for value in ("50", "100")
    ]
    assert structural_labels(places) == [{}, {}]


def test_a_word_that_blanks_part_is_dropped_whole_or_not_at_all() -> None:
    runs = [place("p.md", f"kiwi + graph-{letter}", path="/graph") for letter in "qz"]
    assert frameworks(*runs) == ["kiwi + graph-q", "kiwi + graph-z"]


def test_a_name_that_labels_shorten_does_not_contradict_its_framework() -> None:
    known = place("p.md", "nginx 1.15 + php 7.0", path="/test.php", framework="nginx 1.15 + php 7.0")
    assert frameworks(known, place("p.md", "kiwi")) == [None, "kiwi"]


def test_a_page_among_others_that_compare_names_themselves_is_not_named_by_its_only_heading() -> None:
    own = [place(f"{page}.md", f"{page} > {name}") for page in ("one", "two", "three") for name in ("kiwi", "emu")]
    alone = place("four.md", "Hatching"), place("five.md", "Brooding")
    assert frameworks(*own, *alone) == [*["kiwi", "emu"] * 3, None, None]
    assert frameworks(*alone) == ["Hatching", "Brooding"]


def test_signs_are_no_words_and_a_noun_of_sentences_may_end_a_name() -> None:
    names = ["kiwi 9 + nest + egg + yolk + shell", "emu 2 release build"]
    assert frameworks(*(place("p.md", f"T > {name}") for name in names)) == names


def test_a_document_s_words_in_front_of_a_remark_name_nothing() -> None:
    assert (
        frameworks(place("p.md", "Test details (click to expand)"), place("p.md", "Results (as of now)")) == [None] * 2
    )


def test_a_label_is_never_overruled() -> None:
    places = [place(f"{name}.txt", framework="mine") for name in ("kiwi", "emu")]
    assert [labels.get("framework") for labels in structural_labels(places)] == [None, None]
    assert [labels.get("file_name") for labels in structural_labels(places)] == ["kiwi", "emu"]


def test_a_tool_without_siblings_gets_no_name() -> None:
    assert frameworks(place("kiwi.txt"), place("emu.txt"), place("trace.txt", tool="gctrace")) == ["kiwi", "emu", None]
    assert frameworks(place("kiwi/a.txt"), place("emu/a.txt"), place("emu/trace.txt", tool="gctrace")) == [
        "kiwi", "emu", "emu",
    ]  # fmt: skip


def test_one_name_has_one_spelling() -> None:
    assert frameworks(place("p.md", "Kiwi"), place("p.md", "kiwi"), place("p.md", "Emu")) == ["Kiwi", "Kiwi", "Emu"]


def test_brackets_do_not_make_a_known_name_another_one() -> None:
    """A known name takes its brackets with it; the same heading as a slot is read without them."""
    sections = ["T > kiwi (fast)", "T > Node.js http module (4 cluster)", "T > Go"]
    known = [None, "Node.js http module (4 cluster)", "Go"]
    places = [
        place("a.md", section, **({"framework": name} if name else {}))
        for section, name in zip(sections, known, strict=True)
    ]
    assert frameworks(*places)[0] == "kiwi (fast)"


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (("大小为1字节，结果如下", "大小为9字节，结果如下"), [None, None]),
        (("其中的输出为以下结果", "这时我们再执行压测"), [None, None]),
        (("例1：缓存", "例2：复用"), [None, None]),
        (("翠鸟", "苍鹭"), ["翠鸟", "苍鹭"]),
    ],
)
def test_a_chinese_sentence_names_nothing(titles: tuple[str, ...], names: list[str | None]) -> None:
    assert frameworks(*(place("a.md", "T", title) for title in titles)) == names


RAILS = [
    place("rails.md", "Results > moa gem", framework="rails", naming="path"),
    place("rails.md", "Results > rails basic", framework="rails basic", naming="heading"),
]


def test_headings_of_which_one_is_a_framework_overrule_that_of_the_file() -> None:
    assert frameworks(*RAILS) == ["moa gem", None]
    assert frameworks(*RAILS, place("rails.md", "Results > heron gem", framework="rails", naming="path")) == [
        "moa gem", None, "heron gem",
    ]  # fmt: skip


@pytest.mark.parametrize("naming", [None, "path"])
def test_headings_of_which_none_is_a_framework_overrule_nothing(naming: str | None) -> None:
    """Neither does a heading overrule what a command or a person says, which has no naming."""
    places = [place("go.md", f"T > {name}", framework="go", naming=naming) for name in ("kiwi", "emu")]
    assert structural_labels(places) == [{"heading": "kiwi"}, {"heading": "emu"}]


def test_conditions_beside_a_framework_overrule_nothing() -> None:
    for name in ("POST /eggs", "before", "under load"):
        condition = place("rails.md", f"Results > {name}", framework="rails", naming="path")
        assert frameworks(*RAILS, condition) == [None, None, None]


def test_titles_of_which_one_is_a_framework_overrule_the_heading_above() -> None:
    versions = ("Node v9.1.0", "Node v8.9.0")
    places = [
        place("bench.md", f"T > {version}", title, framework=title if title == "EXPRESS" else version, naming="heading")
        for version in versions for title in ("MOA", "EXPRESS")
    ]  # fmt: skip
    assert structural_labels(places) == [
        labels for version in versions for labels in ({"framework": "MOA", "heading": version}, {"heading": version})
    ]


def test_a_section_whose_lines_name_what_was_measured_leaves_the_naming_to_the_others() -> None:
    summary = [
        place("p.md", "T > Overall", framework="JRuby / Puma", naming="heading"),
        place("p.md", "T > Overall"),
    ]
    named = place("p.md", "T > JRuby / Puma", framework="JRuby / Puma", naming="heading")
    others = [place("p.md", f"T > {name}") for name in ("Rubinia / Puma", "Kiwi / Moa")]
    assert frameworks(*summary, named, *others) == [None, None, None, "Rubinia / Puma", "Kiwi / Moa"]


def test_a_file_whose_titles_name_what_was_measured_leaves_the_naming_to_the_others() -> None:
    all_of_them = [place("all.txt", None, name, framework=name, naming="heading") for name in ("nginx", "h2o")]
    others = [place(f"{name}.txt") for name in ("kiwi", "emu", "moa")]
    assert frameworks(*all_of_them, *others) == [None, None, "kiwi", "emu", "moa"]


def test_a_server_that_prints_its_name_is_not_the_one_of_the_heading() -> None:
    nginx = place("p.md", "nginx", tool="ab", framework="nginx", naming="heading", server_software="nginx/1.16.1")
    kiwi = place("p.md", "nginx > best", tool="ab", framework="nginx", naming="heading", server_software="kiwi/2.0")
    assert frameworks(nginx, kiwi) == [None, "kiwi"]
    assert frameworks(kiwi) == [None]  # what nginx prints is not known here
    behind = kiwi._replace(labels={**kiwi.labels, "framework": "nginx + node"})
    assert frameworks(nginx, behind) == [None, None]


def test_what_a_server_prints_of_itself_does_not_shorten_the_name_of_its_file() -> None:
    places = [place("kiwi-5.1a.txt", server_software="kiwi/5"), place("emu.txt", server_software="thin")]
    assert frameworks(*places) == ["kiwi-5.1a", "emu"]


def test_a_known_name_with_the_number_of_a_repeat_is_the_name() -> None:
    """A file's name by itself might be of version 2."""
    names = ["nginx1", "nginx2", "kiwi1", "kiwi2"]
    places = [
        place(f"{name}.txt", **({"framework": name, "naming": "path"} if "nginx" in name else {})) for name in names
    ]
    assert frameworks(*places) == ["nginx", "nginx", "kiwi", "kiwi"]
    assert frameworks(*places[:2]) == [None, None]
    page = place("read.md", "T", "h2o", framework="h2o", naming="heading")
    assert frameworks(*places, page) == ["nginx", "nginx", "kiwi", "kiwi", None]


@pytest.mark.parametrize("files", [
    ("2b523fb1", "90d1d31a", "82c03799", "ea80d9b9", "9bb2cce1", "8c498577"),
    ("tmp.U8kgR88TO6", "tmp.L2U67dPa84", "tmp.Lf7ehc6djf", "tmp.a069UUN11g", "tmp.7726T92ST8", "tmp.qdHxKwoPLa"),
])  # fmt: skip
def test_names_that_a_program_drew_for_its_files_tell_no_runs_apart(files: tuple[str, ...]) -> None:
    def of(names: tuple[str, ...]) -> list[dict[str, str]]:
        return structural_labels(
            [place(f"{file}.log", framework=name) for file, name in zip(files, names, strict=True)]
        )

    assert of(("brask", "quenlo") * 3) == [{}] * 6
    commits = of(("brask",) * 6)  # of one server they are versions
    assert len({str(labels) for labels in commits}) == 6


@pytest.mark.parametrize("files", [("gcc12a", "gcc13b", "llv14c", "llv15d"), ("zoning", "karate", "melody", "turret")])
def test_other_names_of_one_length_tell_runs_apart(files: tuple[str, ...]) -> None:
    places = [place(f"{file}.log", framework=name) for file, name in zip(files, ("brask", "quenlo") * 2, strict=True)]
    assert len({str(labels) for labels in structural_labels(places)}) == 4


@pytest.mark.parametrize("word", ["mem", "limit", "memlimit", "gomemlimit"])
def test_a_memory_limit_in_a_file_name_is_no_name_if_the_environment_says_it(word: str) -> None:
    places = [
        place(f"gogc50_{word}{limit}_{run}.log", gogc="50", gomemlimit=limit)
        for limit in ("256MiB", "1GiB")
        for run in (1, 2)
    ]
    assert structural_labels(places) == [{}] * 4
    unknown = [place(f"gogc50_{word}{limit}_1.log", gogc="50") for limit in ("256MiB", "1GiB")]
    assert all(structural_labels(unknown))


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (
            {"list_status_with_get": "/v0/status", "list_get_with_status": "/v0/entity", "list_just_put": "/v0/entity"},
            ["list_status_with_get", "list_get_with_status", "list_just_put"],
        ),
        ({"kiwi_menu_tuned": "/menu", "emu_menu_tuned": "/menu"}, ["kiwi_tuned", "emu_tuned"]),
        ({"kiwi_menu_tuned": "/menu", "kiwi_list_tuned": "/list"}, [None, None]),
    ],
)
def test_a_word_of_the_path_inside_one_name_is_a_part_of_it(paths: dict[str, str], names: list[str | None]) -> None:
    assert frameworks(*(place(f"{name}.txt", path=path) for name, path in paths.items())) == names


def test_a_word_of_the_path_inside_one_heading_is_a_part_of_it() -> None:
    headings = {"No rewrite": "/", "With rewrite redirect": "/rewrite/kiwi"}
    assert frameworks(*(place("a.md", name, path=path) for name, path in headings.items())) == list(headings)


def test_folders_in_folders_are_names_if_one_is_a_known_name() -> None:
    """``rust/hyper`` was hyper, and ``rust/kiwi`` rust."""
    known = {"go": "go", "python/emu-plain": "python", "rust/kiwi": "rust", "rust/hyper": "hyper", "rust/moa": "rust"}
    found = frameworks(*(place(f"{at}/results.txt", naming="path", framework=name) for at, name in known.items()))
    assert found == [None, "emu-plain", "kiwi", None, "moa"]  # two keep their own


@pytest.mark.parametrize(
    "known",
    [
        {"go/big": "go", "go/small": "go", "rust/big": "rust", "rust/small": "rust"},
        {"go/kiwi": "go", "rust/kiwi": "rust", "rust/hyper": "hyper"},  # kiwi is in both
        {"go/kiwi": "go", "rust/emu": "rust"},  # none is known: they may be machines
    ],
)
def test_other_folders_in_folders_overrule_no_name(known: dict[str, str]) -> None:
    places = [place(f"{at}/results.txt", naming="path", framework=name) for at, name in known.items()]
    assert frameworks(*places) == [None] * len(known)
