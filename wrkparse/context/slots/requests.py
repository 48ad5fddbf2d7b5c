"""Finds requests in titles: ``kiwi GET /json`` and ``emu GET /json`` are kiwi and emu, and what they were asked for.

A page about end points has a title for each request, ``List users (GET /users)``, which describes the request. So a
request is only taken out if titles with different names have the same one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from wrkparse.context.titles.titles import Title

# " GET /json" of "kiwi GET /json", "(GET /users)"
_REQUEST = re.compile(
    r"(?<=\S)[\s:,;>=([–—-]{1,9}(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s{1,9}"
    r"`?(?P<path>/[^\s,;()\[\]`]{0,190}?)[)\]:`]{0,9}(?=\s|\Z)"
)


class TitleWithRequest(NamedTuple):
    """The rest of a title, and the method and the path of its request."""

    rest: str
    method: str
    path: str


def crossed_requests(texts: Mapping[int, str], read: Callable[[str], Title]) -> dict[int, TitleWithRequest]:
    """The titles of runs without their requests; none, unless two names have the same request, and all texts one.

    `read` reads the rest of a title.
    """
    found = {at: split for at, text in texts.items() if (split := _split(text))}
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for title in set(found.values()):
        names[title.method, title.path].add(read(title.rest).name.casefold())
    if len(found) < len(texts) or any("" in of_request for of_request in names.values()):
        return {}
    return found if any(len(of_request) > 1 for of_request in names.values()) else {}


def _split(text: str) -> TitleWithRequest | None:
    request = _REQUEST.search(text)
    if request is None:
        return None
    rest = f"{text[: request.start()]} {text[request.end() :]}".strip()
    return TitleWithRequest(rest, request["method"], request["path"])
