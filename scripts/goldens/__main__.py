"""``scripts/golden``: what a change does to all that is read.

Reads every fixture, study and log of the repository, and damaged and long logs made from them, with two versions of
the package: in blocks of one line, 4 KiB, 64 KiB and 4 MiB, with and without the compiled loops, and all of them into
a store by one process and by two. Compares the tables. The versions are this work tree and a commit: HEAD if the work
tree has changes, else the commit before. Prints how many readings differ, and what differs in the first of them.

Exit status: 0 all tables are equal, 1 some differ.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import inputs

ROOT, HERE = inputs.ROOT, Path(__file__).resolve().parent
_WORK = ROOT / "build" / "golden"
# What an install does, without one.
_COMPILE = """
import pathlib, runpy
hook = runpy.run_path("scripts/compile.py")
hook["_compile"](pathlib.Path(*hook["_MODULE"].split(".")).with_suffix(".c").resolve())
"""


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S607


def _before() -> str:
    """The commit to compare with by default."""
    return _git("rev-parse", "HEAD" if _git("status", "--porcelain", "--", "wrkparse") else "HEAD~1")


@contextlib.contextmanager
def _checkout(commit: str) -> Iterator[Path]:
    """A work tree of a commit, with its loops compiled if ours are."""
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory, "tree")
        _git("worktree", "add", "--detach", "--force", str(tree), commit)
        try:
            subprocess.run([sys.executable, "-c", _COMPILE], cwd=tree, check=True, capture_output=True)
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _dump(tree: Path, listed: Path, output: Path) -> None:
    own = tree / "scripts/goldens"
    dumper = own if (own / "dump.py").exists() else HERE  # the first version that is compared has none
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, str(dumper / "dump.py"), str(listed), str(output)]
    subprocess.run(command, check=True, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)})


def _inputs() -> Path:
    """What is read: files with their names in the tables, and the folders that are ingested."""
    made = inputs.made(_WORK / "made")
    found = [(str(path), path.relative_to(ROOT).as_posix()) for path in inputs.files()]
    found += [(str(path), path.relative_to(_WORK / "made").as_posix()) for path in made]
    listed = _WORK / "inputs.json"
    folders = [str(ROOT / folder) for folder in inputs.FOLDERS] + [str(_WORK / "made")]
    listed.write_text(json.dumps({"files": found, "folders": folders}))
    return listed


def _digest(listed: Path) -> str:
    """What tells inputs from others: a dump of the same inputs is made once for each commit."""
    found = hashlib.sha256(listed.read_bytes())
    for path, _ in json.loads(listed.read_text())["files"]:
        found.update(Path(path).read_bytes())
    return found.hexdigest()[:8]


def _index(output: Path) -> dict[tuple[str, str], str]:
    lines = (output / "index.tsv").read_text().splitlines()
    return {(name, way): digest for name, way, digest in (line.split("\t") for line in lines)}


def _compared(old: Path, new: Path, most: int) -> int:
    """Print the differences between two dumps; returns how many readings differ."""
    before, after = _index(old), _index(new)
    differing = [key for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)]
    moved = sum(
        _same_rows(*(_shown(*one) for one in ((old, before.get(key)), (new, after.get(key))))) for key in differing
    )
    print(
        f"{len(after)} readings of {len({name for name, _ in after})} inputs; {len(differing)} differ"
        f"{f', {moved} of them only in the order of rows' if moved else ''}"
    )
    seen: set[tuple[str | None, str | None]] = set()
    for key in differing:
        pair = before.get(key), after.get(key)
        others = [
            f"{name} ({way})" for name, way in differing if (before.get((name, way)), after.get((name, way))) == pair
        ]
        if pair in seen or len(seen) >= most:
            continue
        seen.add(pair)
        print(f"\n{', '.join(others[:4])}{' …' if len(others) > 4 else ''}")
        texts = [_shown(folder, digest) for folder, digest in zip((old, new), pair, strict=True)]
        for line in list(difflib.unified_diff(*texts, "before", "after", lineterm="", n=0))[2:14]:
            print(f"  {line[:220]}")
    return len(differing)


def _same_rows(old: list[str], new: list[str]) -> bool:
    return sorted(old) == sorted(new)


def _shown(folder: Path, digest: str | None) -> list[str]:
    path = folder / f"{digest}.txt"
    return path.read_text(errors="replace").split("\n") if path.exists() else [digest or "not read"]


def main() -> None:
    """Dump both versions, compare."""
    parser = argparse.ArgumentParser(
        prog="scripts/golden", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("commit", nargs="?", help="the version to compare with")
    parser.add_argument("--most", type=int, default=10, help="how many differing tables are shown")
    parser.add_argument("--again", action="store_true", help="dump the commit again, though its dump is kept")
    arguments = parser.parse_args()
    _WORK.mkdir(parents=True, exist_ok=True)
    listed = _inputs()
    commit = _git("rev-parse", arguments.commit) if arguments.commit else _before()
    before = _WORK / f"{_git('rev-parse', f'{commit}:wrkparse')[:12]}-{_digest(listed)}"
    if arguments.again or not (before / "index.tsv").exists():
        with _checkout(commit) as tree:
            _dump(tree, listed, before)
    _dump(ROOT, listed, _WORK / "after")
    sys.exit(1 if _compared(before, _WORK / "after", arguments.most) else 0)


if __name__ == "__main__":
    main()
