"""Cuts a release; ``scripts/release`` runs it: ``scripts/release 0.2.0``.

Sets the version in the three files that have it, gives what ``CHANGELOG.md`` has under Unreleased the version and the
day. It refuses a version that is not above the last one; ``scripts/release`` commits and tags the change.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The files with the version, and the line that has it
PLACES = {
    "wrkparse/_version.py": re.compile(r'^(__version__ = ")[^"]*(")$', re.MULTILINE),
    "CITATION.cff": re.compile(r"^(version: )\S+()$", re.MULTILINE),
    "conda/recipe.yaml": re.compile(r'^(  version: ")[^"]*(")$', re.MULTILINE),
}
_UNRELEASED = "## [Unreleased]\n"
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


class ReleaseError(Exception):
    """Why no release can be cut."""


def with_section(changelog: str, version: str, day: str) -> str:
    """The changelog with what is unreleased under the version and the day, below an empty section."""
    before, found, behind = changelog.partition(_UNRELEASED)
    if not found:
        raise ReleaseError("CHANGELOG.md has no section Unreleased")
    if not behind.partition("\n## ")[0].strip():
        raise ReleaseError("CHANGELOG.md has nothing under Unreleased")
    return f"{before}{_UNRELEASED}\n## [{version}] - {day}\n{behind}"


def with_version(text: str, place: str, version: str) -> str:
    """The text of one of `PLACES` with another version."""
    changed, count = PLACES[place].subn(rf"\g<1>{version}\g<2>", text)
    if count != 1:
        raise ReleaseError(f"{place} has {count} lines with the version, not one")
    return changed


def is_above(version: str, last: str) -> bool:
    """Whether a version of three numbers is above another."""
    return _numbers(version) > _numbers(last)


def cut(root: Path, version: str, day: str) -> None:
    """Change the four files."""
    last = re.search(r'"(.*)"', (root / "wrkparse" / "_version.py").read_text("utf-8").partition("__version__")[2])
    if _VERSION.fullmatch(version) is None or last is None or not is_above(version, last[1]):
        raise ReleaseError(f"give a version of three numbers above {last and last[1]}, such as 0.2.0")
    texts = {place: with_version((root / place).read_text("utf-8"), place, version) for place in PLACES}
    texts["CHANGELOG.md"] = with_section((root / "CHANGELOG.md").read_text("utf-8"), version, day)
    for place, text in texts.items():
        (root / place).write_text(text, "utf-8")


def main(arguments: list[str]) -> int:
    """Cut the release of a version."""
    try:
        (version,) = arguments
    except ValueError:
        sys.exit("usage: scripts/release VERSION")
    try:
        cut(ROOT, version, datetime.now(UTC).date().isoformat())
    except ReleaseError as problem:
        sys.exit(f"scripts/release: {problem}")
    return 0


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
