"""The metadata hook: the README as the package index shows it, with its links and pictures made absolute."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")


class Readme(MetadataHookInterface):
    """Sets ``readme`` of the project, which is dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Read README.md and point its links to the repository."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, metadata["urls"]["Repository"]),
        }


def with_absolute_links(text: str, repository: str) -> str:
    """Markdown whose relative links lead to a repository on GitHub, and whose pictures are loaded from there."""

    def absolute(match: re.Match[str]) -> str:
        picture, shown, path = match.groups()
        return f"{picture}[{shown}]({repository}/{'raw' if picture else 'blob'}/main/{path})"

    return _LINK.sub(absolute, text)
