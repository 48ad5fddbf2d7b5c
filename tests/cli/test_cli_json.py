"""What commands print with --format json, against the JSON Schema that the package has."""

from __future__ import annotations

import copy
import functools
import json
from pathlib import Path
from typing import Any

import click
import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner, Result

import wrkparse as wp
from wrkparse.cli import COMMANDS, main
from wrkparse.cli.shared.json_schema import json_schema
from wrkparse.export import content
from wrkparse.ingest.ingest import ingest
from wrkparse.tools.schema import columns

DATA, FIXTURES = Path(__file__).parents[2] / "data", Path(__file__).parents[1] / "fixtures"
SCHEMA = json.loads(json_schema())
CHECKER = jsonschema.Draft202012Validator(SCHEMA)
# Each name of a schema, and the arguments that print its rows.
PRINTED = {
    "runs": ["runs"],
    "audit": ["audit", "--all"],
    "compare": ["compare", "--where", "study = 'haskell-go-node-io'"],
    "sql": ["sql", "SELECT *, logged_from::DATE AS day, [1.5] AS list FROM wide"],
    **{f"gc.{table}": ["gc", "--table", table] for table in ("summary", "mmu")},
    **{f"sched.{table}": ["sched", "--table", table] for table in ("summary", "ticks", "episodes", "states", "waits")},
    **{
        f"scaling.{table}": [
            "scaling",
            "--table",
            table,
            "--where",
            "study = 'haskell-go-node-io' AND framework = 'go'",
        ]
        for table in ("points", "groups", "fits", "other_fits", "limits")
    },
    **{f"reproduce.{table}": ["reproduce", "--table", table] for table in ("cells", "claims", "pairs")},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("json") / "all.duckdb"
    ingest([str(DATA), str(FIXTURES / "schedtrace"), str(FIXTURES / "gctrace")], path)
    return path


@functools.cache  # several tests look at what a command prints; none changes it
def printed(store: Path, name: str) -> dict[str, Any]:
    result = CliRunner().invoke(main, [*PRINTED[name], "--store", str(store), "--format", "json"])
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.mark.parametrize("name", PRINTED)
def test_what_a_command_prints_fits_the_schema(store: Path, name: str) -> None:
    document = printed(store, name)
    assert (document["schema"], document["version"]) == (name, 1)
    assert document["rows"]
    CHECKER.validate(document)


@pytest.mark.parametrize("name", [name for name in PRINTED if name not in {"sql", "runs"}])
def test_a_dropped_column_does_not_fit(store: Path, name: str) -> None:
    document = printed(store, name)
    required = SCHEMA["$defs"][name]["required"]
    without = copy.deepcopy(document)
    del without["rows"][0][required[0]]
    assert not CHECKER.is_valid(without)
    assert set(required) <= set(document["rows"][0])


def test_each_command_that_prints_json_has_its_schema() -> None:
    context = click.Context(main)
    names = set()
    for command in COMMANDS:
        found = main.get_command(context, command)
        assert found is not None
        options = {option.name: option for option in found.params}
        if "json" in getattr(getattr(options.get("form"), "type", None), "choices", ()):
            tables = getattr(getattr(options.get("which") or options.get("kind"), "type", None), "choices", None)
            if command == "reproduce":
                tables = options["table"].type.choices  # type: ignore[attr-defined]
            names |= {f"{command}.{table}" for table in tables} if tables else {command}
    exported = {"export.wide", "export.jsonl", *(f"export.{table}" for table in columns())}
    assert names - {"export"} == set(PRINTED)
    assert set(SCHEMA["$defs"]) == {*PRINTED, *exported, "plot"}


def test_each_column_is_described() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for name, rows in SCHEMA["$defs"].items():
        assert rows["description"].endswith("."), name
        for column, said in rows.get("properties", {}).items():
            assert said["description"].endswith("."), (name, column)


def test_the_schema_is_printed_and_another_version_is_refused(store: Path) -> None:
    result = CliRunner().invoke(main, ["--json-schema"])
    assert json.loads(result.stdout) == SCHEMA
    assert not CHECKER.is_valid({"schema": "audit", "version": 2, "rows": []})
    assert not CHECKER.is_valid({"schema": "other", "version": 1, "rows": []})


def test_a_comparison_has_its_sentences(store: Path) -> None:
    document = printed(store, "compare")
    assert document["sentences"]
    assert all(isinstance(line, str) and line for line in document["sentences"])


def test_a_time_is_in_iso_8601(store: Path) -> None:
    query = (
        "SELECT TIMESTAMP '2026-11-20 11:38:20' AS at, DATE '2026-11-20' AS day, TIMESTAMPTZ '2026-11-20 11:38Z' AS z"
    )
    result = CliRunner().invoke(main, ["sql", query, "--store", str(store), "--format", "json"])
    assert json.loads(result.stdout)["rows"] == [
        {"at": "2026-11-20T11:38:20", "day": "2026-11-20", "z": "2026-11-20T11:38:00+00:00"}
    ]


@pytest.fixture(scope="module")
def exported(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every table that has rows, as JSON."""
    folder = tmp_path_factory.mktemp("exported") / "all"
    assert run("export", "-s", store, "--format", "json", "-o", folder).exit_code == 0
    assert run("export", "-s", store, "-o", folder / "wide.json").exit_code == 0
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.mark.parametrize("name", ["wide", *columns()])
def test_an_exported_table_fits_the_schema(exported: Path, store: Path, name: str) -> None:
    if not (exported / f"{name}.json").exists():
        assert not len(wp.load(store).arrow(name))
        pytest.skip("the studies have no rows of this table")
    document = json.loads((exported / f"{name}.json").read_text())
    assert (document["schema"], document["version"]) == (f"export.{name}", 1)
    CHECKER.validate(document)
    dropped = copy.deepcopy(document)
    first = next(iter(SCHEMA["$defs"].get(f"export.{name}", {}).get("required", ["rows"])))
    del (dropped["rows"][0] if name != "wide" else dropped)[first]
    assert not CHECKER.is_valid(dropped)


def test_a_line_of_json_lines_fits_the_schema(store: Path) -> None:
    lines = [json.loads(line) for line in run("export", "-s", store, "--as", "jsonl").stdout.splitlines()]
    checker = jsonschema.Draft202012Validator({"$ref": "#/$defs/export.jsonl", "$defs": SCHEMA["$defs"]})
    for line in lines:
        checker.validate(line)
    assert len(lines) == len(wp.load(store).runs)
    assert {next(iter(line)) for line in lines} == {"json_version"}
    assert all(value is not None for line in lines for value in line.values())
    for change in ({"json_version": 2}, {"source": None}):
        assert not checker.is_valid(lines[0] | change)


def test_a_time_in_a_line_is_in_iso_8601() -> None:
    event = "gc 1 @0.010s 0%: 0.01+1.0+0.01 ms clock, 0.02+0.1/0.2/0.3+0.02 ms cpu, 4->4->0 MB, 5 MB goal, 2 P\n"
    [line] = content(wp.parse_text(f"2026-11-20 11:38:20 {event}"), "jsonl").splitlines()
    assert json.loads(line)["logged_from"] == "2026-11-20T11:38:20"


def test_a_label_with_the_name_of_the_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(
        "Running 10s test @ http://h/\n  1 threads and 1 connections\nRequests/sec: 10.00\n"
    )
    assert run("ingest", tmp_path / "a.log", "-o", tmp_path / "s", "--label", "json_version=7").exit_code == 0
    result = run("export", "-s", tmp_path / "s", "--as", "jsonl")
    assert (result.exit_code, "a label is named json_version" in result.stderr) == (2, True)


def test_the_data_of_a_figure_fit_the_schema(tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.json"
    answer = run("plot", "compare", "-s", FIXTURES / "servers", "-o", tmp_path / "a.svg", "--data", drawn)
    assert answer.exit_code == 0, answer.output
    document = json.loads(drawn.read_text())
    assert (document["schema"], bool(document["rows"])) == ("plot", True)
    CHECKER.validate(document)


def test_labels_that_are_numbers_are_numbers_in_each_command(store: Path) -> None:
    """The study compares servers at 1 to 8 cores; `runs` has its cores as numbers, and so has `compare`."""
    for name in ("runs", "compare"):
        found = {row["cores"] for row in printed(store, name)["rows"]} - {None}
        assert found
        assert all(type(cores) is int for cores in found)
