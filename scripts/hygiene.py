"""Checks text files for what no editor shows; ``python scripts/hygiene.py FILE…``.

Prints ``file:line: problem`` for each problem and exits with 1 if there is one. It looks for blanks at the end of a
line, Windows line ends, a last line without an end, marks of a merge conflict, files over 1 MB, symbolic links, and
invalid YAML, TOML and JSON.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

_LARGEST = 1_000_000  # bytes: git keeps every version of a file for ever
_CONFLICT = ("<<<<<<< ", ">>>>>>> ")
_READERS = {".json": json.loads, ".ipynb": json.loads, ".toml": tomllib.loads, ".yaml": yaml.safe_load}


def problems(path: Path) -> Iterator[str]:
    """The problems of a file, each as ``line: problem``, or without a line where it is the whole file's."""
    if path.is_symlink():
        yield " a symbolic link: it leads elsewhere, or nowhere, on another machine"
        return
    data = path.read_bytes()
    if len(data) > _LARGEST:
        yield f" {len(data):,} bytes: larger than {_LARGEST:,}"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return  # an image
    if text and not text.endswith("\n"):
        yield " the last line has no end"
    if "\r\n" in text:
        yield " line ends of Windows (CR LF)"
    for number, line in enumerate(text.split("\n"), 1):
        if line.endswith((" ", "\t")):
            yield f"{number}: blanks at the end of the line"
        if line.startswith(_CONFLICT):
            yield f"{number}: the mark of a merge conflict"
    yield from _syntax(path, text)


def _syntax(path: Path, text: str) -> Iterator[str]:
    reader = _READERS.get(path.suffix)
    try:
        if reader:
            reader(text)
    except (ValueError, yaml.YAMLError) as problem:
        yield f" not valid {path.suffix[1:]}: {problem}"


def main() -> None:
    """Check the files named on the command line."""
    found = [f"{name}:{problem}" for name in sys.argv[1:] for problem in problems(Path(name))]
    sys.exit("\n".join(found) if found else 0)


if __name__ == "__main__":
    main()
