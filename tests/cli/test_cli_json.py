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
from click.testing import CliRunner

from wrkparse.cli import COMMANDS, main
from wrkparse.cli.shared.output import json_schema
from wrkparse.ingest.ingest import ingest

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
        f"scaling.{table}": ["scaling", "--table", table, "--where", "study = 'haskell-go-node-io'"]
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
    assert names - {"export"} == set(PRINTED) == set(SCHEMA["$defs"])  # export writes lists, for other programs


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


def test_an_exported_file_is_a_list_of_rows(store: Path, tmp_path: Path) -> None:
    CliRunner().invoke(main, ["export", str(store), "--table", "studies", "-o", str(tmp_path / "studies.json")])
    rows = json.loads((tmp_path / "studies.json").read_text())
    assert len(rows) == 5
