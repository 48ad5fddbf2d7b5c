"""The JSON Schemas on the site: of what wrkparse prints as JSON, and of ``wrkparse.yaml``."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from wrkparse.cli.shared.json_schema import json_schema
from wrkparse.cli.tables.label import schema_path

ROOT = Path(__file__).parents[2]
SITE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Documentation"]


def published() -> dict[str, str]:
    """The text of each schema, by its place on the site, which its ``$id`` says. ValueError for one of another site."""
    found = {}
    for text in (json_schema(), schema_path().read_text("utf-8")):
        address = json.loads(text)["$id"]
        if not address.startswith(f"{SITE}/"):
            raise ValueError(f"a schema has the $id {address}, which is not on {SITE}")
        found[address.removeprefix(f"{SITE}/")] = text
    return found


def write_schemas(site: Path) -> None:
    """Write the schemas into a built site."""
    for place, text in published().items():
        (site / place).parent.mkdir(parents=True, exist_ok=True)
        (site / place).write_text(text, "utf-8")
