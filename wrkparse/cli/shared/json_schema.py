"""The JSON Schema of the JSON that wrkparse writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wrkparse.export import JSON_VERSION
from wrkparse.export.json_lines import VERSION_KEY

# The schema of a value, by the kind of its column.
_SCHEMA_OF_KIND: dict[str, dict[str, Any]] = {
    "string": {"type": ["string", "null"]},
    "int": {"type": ["integer", "null"]},
    "float": {"type": ["number", "null"]},
    "bool": {"type": ["boolean", "null"]},
    "time": {"type": ["string", "null"], "format": "date-time"},
    "clock": {"type": ["string", "null"]},  # ISO 8601 without a zone, which `date-time` requires
    "ints": {"type": ["array", "null"], "items": {"type": "integer"}},
}
_RUN_REFERENCE = "#/$defs/runs"


def json_schema() -> str:
    """The schema in ``output.schema.json``, together with the tables of ``wrkparse export``, also those of plug-ins.

    The key `schema` of a document names the entry of `$defs` that describes its rows. `export.jsonl` describes a line
    of JSON Lines.
    """
    schema: dict[str, Any] = json.loads(
        Path(__file__).parent.with_name("output.schema.json").read_text(encoding="utf-8")
    )
    tables = _table_schemas()
    schema["properties"]["schema"]["enum"] += tables
    schema["allOf"] += [_rows_condition(name) for name in tables]
    schema["$defs"] |= tables | {"export.jsonl": _json_line_schema()}
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def _table_schemas() -> dict[str, Any]:
    """The schema of a row of each table, by the name of the schema."""
    from wrkparse.tools.schema import columns

    wide = {"description": "A run with its labels and metrics.", "$ref": _RUN_REFERENCE}
    found: dict[str, Any] = {"export.wide": wide}
    for table, listed in columns().items():
        described = {
            column.name: {**_SCHEMA_OF_KIND[column.kind], "description": _sentence(column.doc)} for column in listed
        }
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


def _rows_condition(name: str) -> dict[str, Any]:
    """The condition that the rows of a document with this `schema` match its entry of `$defs`."""
    rows = {"items": {"$ref": f"#/$defs/{name}"}}
    return {"if": {"properties": {"schema": {"const": name}}}, "then": {"properties": {"rows": rows}}}


def _json_line_schema() -> dict[str, Any]:
    version = {"const": JSON_VERSION, "description": "As version of the other documents."}
    return {
        "description": "A line of JSON Lines: a run with its labels and metrics, without those that are missing.",
        "$ref": _RUN_REFERENCE,
        "properties": {VERSION_KEY: version},
        "required": [VERSION_KEY, "run", "tool", "source", "line"],
    }


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
