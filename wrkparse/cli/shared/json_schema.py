"""The JSON Schema of what wrkparse writes as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wrkparse.export import JSON_VERSION
from wrkparse.export.json_lines import VERSION_KEY

_TYPES: dict[str, dict[str, Any]] = {
    "string": {"type": ["string", "null"]},
    "int": {"type": ["integer", "null"]},
    "float": {"type": ["number", "null"]},
    "bool": {"type": ["boolean", "null"]},
    "time": {"type": ["string", "null"], "format": "date-time"},
    "clock": {"type": ["string", "null"]},  # ISO 8601 without a zone, which `date-time` has to have
    "ints": {"type": ["array", "null"], "items": {"type": "integer"}},
}
_RUN = "#/$defs/runs"


def json_schema() -> str:
    """The schema of ``output.schema.json``, with the tables that ``wrkparse export`` writes, those of plug-ins too.

    A document says in its `schema` which of `$defs` its rows are. A line of JSON Lines is one of `export.jsonl`.
    """
    schema: dict[str, Any] = json.loads(
        Path(__file__).parent.with_name("output.schema.json").read_text(encoding="utf-8")
    )
    tables = _tables()
    schema["properties"]["schema"]["enum"] += tables
    schema["allOf"] += [_rows_of(name) for name in tables]
    schema["$defs"] |= tables | {"export.jsonl": _line()}
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def _tables() -> dict[str, Any]:
    """What a row of each table is, by the name of its schema."""
    from wrkparse.tools.schema import columns

    wide = {"description": "A run with its labels and metrics.", "$ref": _RUN}
    found: dict[str, Any] = {"export.wide": wide}
    for table, listed in columns().items():
        described = {column.name: {**_TYPES[column.kind], "description": _sentence(column.doc)} for column in listed}
        found[f"export.{table}"] = {
            "description": f"A row of the table {table}.",
            "type": "object",
            "properties": described,
            "required": list(described),
            "additionalProperties": {"type": ["string", "number", "null"], "description": "A label of the run."}
            if table == "runs"
            else False,
        }
    return found


def _rows_of(name: str) -> dict[str, Any]:
    rows = {"items": {"$ref": f"#/$defs/{name}"}}
    return {"if": {"properties": {"schema": {"const": name}}}, "then": {"properties": {"rows": rows}}}


def _line() -> dict[str, Any]:
    version = {"const": JSON_VERSION, "description": "As version of the other documents."}
    return {
        "description": "A line of JSON Lines: a run with its labels and metrics, without those that are missing.",
        "$ref": _RUN,
        "properties": {VERSION_KEY: version},
        "required": [VERSION_KEY, "run", "tool", "source", "line"],
    }


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
