"""Reads the URL in the first line of the report of wrk, as pages show it: as a link, or in a separate line."""

from __future__ import annotations

import re

from wrkparse.tools.report import Report

# Pages turn a URL into a link: "[http://h/](http://h/)", "<http://h/>".
_LINK = re.compile(r"\[?<?([^\]<>()\s]+)>?\]?(?:\([^)]*\))?")
_NARROWEST_PAGE = 60  # columns of the narrowest page that cuts a URL in two
# "> http://h:8080/hello", or the rest of it, "0/hello"; no "<" and ">", which are around tags and links
_URL_ALONE = re.compile(r"[\s>#/*|]{0,40}?((?:https?://)?[!-;=?-~]{1,2000})\s*")


def keep_url(report: Report, text: str, line: int) -> None:
    """Label a report with the URL at the beginning of the text of a line."""
    match = _LINK.match(text)
    if match:
        report.add_label("url", match[1].rstrip("\"',"), line)


def continue_url(report: Report, raw: str, line: int) -> bool:
    """Add the URL, or the rest of it, that a page has moved below the first line; False if the line is not one."""
    if not report.text or report.text[-1][0] != line - 1 or not {"header"} <= report.seen <= {"header", "version"}:
        return False
    match = _URL_ALONE.fullmatch(raw)
    first_part = report.labels[-1] if report.labels and report.labels[-1].key == "url" else None
    if (
        match is None
        or (first_part is None and "://" not in match[1])
        or (first_part and len(report.raw.rstrip()) < _NARROWEST_PAGE)
    ):
        return False
    if first_part:
        report.labels.pop()
    report.add_label("url", (first_part.value if first_part else "") + match[1], line)
    return True
