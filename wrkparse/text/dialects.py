"""Headings of other dialects as Markdown's: Emacs' Org mode, the groups of a GitHub workflow's log."""

from __future__ import annotations

import re

_GROUP = re.compile(r"(?:##\[group\]|::group::)(?=\S)")
_GROUP_END = ("##[endgroup]", "::endgroup::")
_ORG_HEADING = re.compile(r"(\*{1,6}) (?=\S)")
_ORG_KEYWORD = re.compile(r"#\+[A-Za-z_]{2,30}(?::|\s|\Z)")


def as_markdown(line: str, *, is_org: bool) -> str:
    """A line with the mark of a heading that Markdown has; empty for what only sets the page.

    A group of a log goes on behind its end: GitHub folds the commands of a step into one, and its output stands below.
    """
    if "group" in line:
        if line in _GROUP_END:
            return ""
        line = _GROUP.sub("## ", line)
    if is_org:
        if _ORG_KEYWORD.match(line):
            return ""
        if heading := _ORG_HEADING.match(line):
            return f"{'#' * len(heading[1])} {line[heading.end() :]}"
    return line
