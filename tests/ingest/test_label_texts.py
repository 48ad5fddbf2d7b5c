"""The words that give each label, in the tables: expected by reading the page."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import wrkparse as wp
from tests.samples import WRK, logs
from wrkparse.ingest.ingest import ingest
from wrkparse.text.shell import parse_commands, split_arguments

PAGE = f"""## heron v2, 4 cores

    $ GOGC=off taskset -c 0-3 ./heron --workers=4 +RTS -A64m &
    $ wrk -t8  -c8 -d 10s -H 'a: b' http://10.0.1.70:8080/hello

{WRK}"""


def texts(dataset: wp.Dataset, origin: str) -> dict[str, tuple[object, object]]:
    """The text and the rule of each label of an origin, by key."""
    rows = dataset.sql_arrow(f"SELECT key, text, rule FROM labels WHERE origin = '{origin}' ORDER BY ALL").to_pylist()
    return {row["key"]: (row["text"], row["rule"]) for row in rows}


def test_words_of_commands_are_kept_as_they_were_typed() -> None:
    dataset = wp.parse_text(PAGE)
    assert texts(dataset, "env") == {
        "cores": ("taskset -c 0-3", "pinning"),
        "env_GOGC": ("GOGC=off", "variable"),
        "gogc": ("GOGC=off", "variable"),
        "flag_workers": ("--workers=4", "option"),
        "flag_rts_allocation_area": ("-A64m", "runtime option"),
        "program": ("heron", "program"),
    }
    url = "http://10.0.1.70:8080/hello"
    assert texts(dataset, "flag") == {
        "threads": ("-t8", "option"),
        "connections": ("-c8", "option"),
        "duration_s": ("-d 10s", "option"),
        "flag_header": ("-H 'a: b'", "option"),
        "url": (url, "argument"),
    }


@pytest.mark.parametrize(("command", "key", "text"), [
    ('GOGC="off" ./heron', "env_GOGC", 'GOGC="off"'),
    ("./heron --name='a b' -p 80", "flag_name", "--name='a b'"),
    ("docker run -e  GOGC=50 kiwi", "gogc", "-e  GOGC=50"),
])  # fmt: skip
def test_quotes_and_blanks_stay_as_they_were_typed(command: str, key: str, text: str) -> None:
    from wrkparse.context.labels import server_labels

    (parsed,) = parse_commands(command)
    assert {label.key: label.text for label in server_labels(parsed)}[key] == text


def test_arguments_know_their_words() -> None:
    flags, free = split_arguments(("-kc", "100", "-n5", "--a=b", "url"), frozenset("-c -n".split()), frozenset({"-k"}))
    assert flags == [
        ("-k", "true", ("-kc",)), ("-c", "100", ("-kc", "100")), ("-n", "5", ("-n5",)), ("--a", "b", ("--a=b",)),
    ]  # fmt: skip
    assert free == ["url"]


def test_headings_and_lines_of_the_report_are_kept_whole() -> None:
    dataset = wp.parse_text(PAGE)
    assert texts(dataset, "heading") == {"cores": ("## heron v2, 4 cores", "setting")}
    printed = texts(dataset, "report")
    assert printed["threads"] == ("8 threads and 8 connections", "printed")
    assert printed["path"] == ("Running 10s test @ http://10.0.1.70:8080/hello", "url")


@pytest.mark.parametrize(("text", "key", "expected"), [
    (f"heron, 4 cores\n==============\n\n{WRK}", "cores", ("heron, 4 cores", "setting")),
    (f"- nginx\n\n{WRK}", "framework", ("- nginx", "name")),
    (f"[nginx]\n{WRK}", "framework", ("[nginx]", "name")),
    (f"**nginx**\n{WRK}", "framework", ("**nginx**", "name")),
    (f"## kiwi GOMAXPROCS=2\n\n{WRK}", "cores", ("## kiwi GOMAXPROCS=2", "variable")),
])  # fmt: skip
def test_marks_of_titles_belong_to_their_text(text: str, key: str, expected: tuple[str, str]) -> None:
    rows = wp.parse_text(text).sql_arrow(f"SELECT text, rule FROM labels WHERE key = '{key}'").to_pylist()
    assert (rows[0]["text"], rows[0]["rule"]) == expected


def test_places_and_users_give_what_they_have(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs", "kiwi/c8-1.txt", "emu/c64-1.txt", "nginx-36cores/a.txt")
    dataset = wp.read(str(folder), labels={"machine": "x"})
    found = dataset.sql_arrow(
        "SELECT source, key, labels.text, rule FROM labels JOIN runs USING (run) WHERE origin = 'path' ORDER BY ALL"
    ).to_pylist()
    assert [(row["key"], row["text"], row["rule"]) for row in found] == [
        ("cores", "nginx-36cores", "setting"), ("framework", "nginx-36cores", "name"),
    ]  # fmt: skip
    assert texts(dataset, "cli") == {"machine": (None, "given")}  # no log says so
    (folder / "wrkparse.yaml").write_text("labels:\n- {when: {file: a.txt}, set: {network: lo}}\n")
    assert texts(wp.read(str(folder)), "file") == {"network": (None, "rule")}


def test_a_label_from_structure_has_the_part_of_the_place(tmp_path: Path) -> None:
    dataset = wp.read(str(logs(tmp_path / "logs", "kiwi-1.txt", "kiwi-2.txt", "emu-1.txt")))
    rows = dataset.sql_arrow("SELECT value, text, rule FROM labels WHERE origin = 'structure' ORDER BY ALL").to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("emu", "emu-1.txt", "file name"), ("kiwi", "kiwi-1.txt", "file name"), ("kiwi", "kiwi-2.txt", "file name"),
    ]  # fmt: skip
    page = "".join(f"## The {name} server\n\n```\n{WRK}```\n\n" for name in ("kiwi", "emu"))
    rows = wp.parse_text(page).sql_arrow("SELECT text, rule FROM labels WHERE origin = 'structure'").to_pylist()
    assert sorted(row["text"] for row in rows) == ["The emu server", "The kiwi server"]


def test_a_store_of_an_older_version_is_read_without_them_and_completed(tmp_path: Path) -> None:
    folder, store = tmp_path / "logs", tmp_path / "store.duckdb"
    ingest([str(logs(folder, "kiwi/1.txt", "emu/1.txt"))], store)
    with duckdb.connect(str(store)) as connection:
        connection.execute("ALTER TABLE labels DROP COLUMN text; ALTER TABLE labels DROP COLUMN rule")
        connection.execute("UPDATE meta SET value = '3' WHERE key = 'schema_version'")
    labels = wp.load(store).labels
    assert labels["text"].isna().all()
    assert labels["value"].notna().all()
    ingest([str(logs(folder, "crane/1.txt"))], store)
    dataset = wp.load(store)
    assert [text for text, _ in texts(dataset, "structure").values()] == ["kiwi"]
    known = dataset.sql_arrow("SELECT source, labels.text FROM labels JOIN runs USING (run) WHERE key = 'threads'")
    assert dict(zip(*known.to_pydict().values(), strict=True)) == {
        "kiwi/1.txt": None, "emu/1.txt": None, "crane/1.txt": "8 threads and 8 connections",
    }  # fmt: skip
