"""Puts the pages of the site together: those of docs/, some of the repository's own, and the reference.

The navigation is the lists of links of docs/index.md: a heading is a group, a link is a page.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
# Pages from outside docs/, with their places in the site.
OTHERS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}

_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
_ENTRY = re.compile(r"^- \[(.+?)\]\(([^)#]+\.md)\)", re.MULTILINE)


def write_pages(
    target: Path,
    reference: Iterable[tuple[str, str, str, str]],
    ends: Mapping[str, str],
    addresses: Mapping[str, str],
) -> None:
    """Write all sources of the site into a new directory.

    `reference` has the pages that are made from the code: their file, their title, a line about them, their text.
    `ends` has what is made from the code for the end of other pages, by their places in the site. `addresses` has those
    of files of the repository that are on the site without being pages of Sphinx.
    """
    places = {path.relative_to(ROOT).as_posix(): path.relative_to(ROOT / "docs").as_posix() for path in _of_docs()}
    places |= OTHERS
    for origin, place in places.items():
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        if origin.endswith(".md"):
            text = (ROOT / origin).read_text("utf-8")
            (target / place).write_text(with_links_of_the_site(text, origin, places, addresses), "utf-8")
        else:
            shutil.copyfile(ROOT / origin, target / place)
    for place, end in ends.items():
        (target / place).write_text(f"{(target / place).read_text('utf-8')}\n{end}", "utf-8")
    (target / "reference").mkdir(exist_ok=True)
    entries = []
    for file, title, summary, made in reference:
        (target / "reference" / file).write_text(made, "utf-8")
        entries.append(f"- [{title}](reference/{file}): {summary}\n")
    index = (target / "index.md").read_text("utf-8")
    index = re.sub(r"(?<=^## Reference\n\n)", "".join(entries), index, flags=re.MULTILINE)
    (target / "index.md").write_text(index + navigation(index), "utf-8")


def _of_docs() -> list[Path]:
    return [path for path in sorted((ROOT / "docs").rglob("*")) if path.suffix in (".md", ".png", ".svg")]


def with_links_of_the_site(text: str, origin: str, places: Mapping[str, str], addresses: Mapping[str, str]) -> str:
    """A page of the repository with links to pages of the site, and to the repository for what is no page.

    `addresses` are as in `write_pages`.
    """

    def moved(match: re.Match[str]) -> str:
        address, anchor = match[1], match[2] or ""
        if re.match(r"[a-z]+:", address):
            return match[0]
        named = os.path.normpath(PurePosixPath(origin).parent / address)
        if named in places:
            here = PurePosixPath(places[origin]).parent
            return f"]({os.path.relpath(places[named], here)}{anchor})"
        if named in addresses:
            return f"]({addresses[named]})"
        if (ROOT / named).exists():
            return f"]({REPOSITORY}/blob/main/{named}{anchor})"
        return match[0]  # Sphinx says that it leads nowhere

    return _outside_code(text, lambda part: _LINK.sub(moved, part))


def _outside_code(text: str, changed: Callable[[str], str]) -> str:
    parts, at = [], 0
    for match in _CODE.finditer(text):
        parts += [changed(text[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*parts, changed(text[at:])])


def navigation(index: str) -> str:
    """The groups of links of the first page as tables of contents that only the side bar shows."""
    groups = re.split(r"^## ", index, flags=re.MULTILINE)[1:]
    made = []
    for group in groups:
        entries = [f"{title.replace('`', '')} <{page.removesuffix('.md')}>" for title, page in _ENTRY.findall(group)]
        if entries:
            caption = group.partition("\n")[0]
            made.append("\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```"]))
    return "\n\n" + "\n\n".join(made) + "\n"
