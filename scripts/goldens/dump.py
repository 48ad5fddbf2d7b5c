"""``dump.py TREE INPUTS OUTPUT``: every table that one checkout makes of the inputs, in every way to read them.

OUTPUT gets ``index.tsv``, a line ``input, way, digest`` for each reading, and the tables themselves as text in files
named by their digests.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pyarrow as pa
import reading

# A block of one byte is one line: blocks end where a line does.
BLOCKS = {"line": 1, "4K": 4 << 10, "64K": 64 << 10, "4M": 4 << 20}
_LONG = 100 << 10  # bytes of a text that is not read line by line
_NOT_COMPARED = {"ingested_at", "wrkparse_version", "digest"}


def blocks(text: bytes, size: int) -> Iterator[bytes]:
    """A text in blocks of at least this size that end where a line does."""
    at = 0
    while at < len(text):
        end = text.find(b"\n", at + size - 1) + 1 or len(text)
        yield text[at:end]
        at = end


def shown(tables: dict[str, pa.Table]) -> str:
    """Tables as text, a row a line, each value by its type."""
    parts = []
    for name in sorted(tables):
        table = tables[name]
        kept = [column for column in table.column_names if column not in _NOT_COMPARED]
        if table.num_rows:
            parts.append(f"## {name}\n{json.dumps(kept)}")
            columns = [table[column].to_pylist() for column in kept]
            parts += [json.dumps(row, default=repr, ensure_ascii=False) for row in zip(*columns, strict=True)]
    return "\n".join(parts) + "\n"


def of_file(path: Path, name: str, output: Path) -> list[str]:
    """The index lines of one input."""
    text = reading.text_of(path, name)
    if text is None:
        return [f"{name}\t-\tno text"]
    found = []
    for way, size in BLOCKS.items():
        for loops in (True, False):
            if way == "line" and len(text) > _LONG:
                continue
            tables = reading.read(blocks(text, size), name, use_compiled=loops)
            found.append(f"{name}\t{way} {'compiled' if loops else 'interpreted'}\t{_kept(shown(tables), output)}")
    return found


def of_ingest(paths: list[Path], jobs: int, output: Path) -> str:
    """The index line of all inputs in one store."""
    with tempfile.TemporaryDirectory() as directory:
        tables = reading.ingest(paths, Path(directory, "golden.duckdb"), jobs)
    tables = {name: _without_place(table) for name, table in tables.items()}
    return f"all\tjobs {jobs}\t{_kept(shown(tables), output)}"


def _without_place(table: pa.Table) -> pa.Table:
    return table.drop_columns([name for name in ("origin",) if name in table.column_names])


def _kept(text: str, output: Path) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
    path = output / f"{digest}.txt"
    if not path.exists():
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return digest


def main() -> None:
    """Dump all inputs, two at a time."""
    inputs, output = Path(sys.argv[1]), Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    told = json.loads(inputs.read_text())
    listed = [(Path(path), name) for path, name in told["files"]]
    with ProcessPoolExecutor(2) as pool:
        tasks = [pool.submit(partial(of_file, path, name, output)) for path, name in listed]
        lines = [line for task in tasks for line in task.result()]
    lines += [of_ingest(list(map(Path, told["folders"])), jobs, output) for jobs in (1, 2)]
    (output / "index.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
