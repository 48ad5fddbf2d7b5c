"""Looks at a built site as a browser does: every link has a target, and nothing comes from another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}  # by opening the page
_CSS_LOADS = re.compile(r"""(?:@import\s*|url\(\s*)["']?((?:https?:)?//[^"')\s]+)""")


class _Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif _LOADED.get(tag) in given:
            self.loaded.append(given[_LOADED[tag]])


def problems(site: Path) -> Iterator[str]:
    """A line for each link without a target, and for each address on another host that a page or a style loads."""
    pages = {path: _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        shown = path.relative_to(site)
        for address in page.loaded:
            if _is_elsewhere(address):
                yield f"{shown}: loads {address} from another host"
            elif problem := _missing(path, address, pages):
                yield f"{shown}: {problem}"
        for address in page.links:
            if not _is_elsewhere(address) and (problem := _missing(path, address, pages)):
                yield f"{shown}: {problem}"
    for path in sorted(site.rglob("*.css")):
        for address in _CSS_LOADS.findall(path.read_text("utf-8")):
            yield f"{path.relative_to(site)}: loads {address} from another host"


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("mailto", "http", "https")


def _missing(path: Path, address: str, pages: dict[Path, _Page]) -> str | None:
    """What is missing at an address of the site; None if all is there."""
    parts = urlsplit(address)
    if parts.scheme == "data":
        return None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return f"{address} leads nowhere"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return f"{address}: no such place in the page"
    return None
