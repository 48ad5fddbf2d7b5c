"""Reads the lines of the report of ab: each function adds the content of one kind of line."""

from __future__ import annotations

import re

from wrkparse.model.units import MILLISECONDS, PLAIN
from wrkparse.tools.ab.metrics import (
    PHASES,
)
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.report import Report


def label(key: str, report: Report, match: re.Match[str], line: int) -> None:
    """Add a label, if the line contains one."""
    if match[1]:
        report.add_label(key, match[1], line)


def version(report: Report, match: re.Match[str], line: int) -> None:
    """Read the banner."""
    report.version = match[1]


ZEUS_BENCH = "ZeusBench"  # the origin of ab: it prints some of the same lines


def foreign(report: Report, match: re.Match[str], line: int) -> None:
    """Read the banner of ZeusBench: the report is not one of ab."""
    report.dialect = ZEUS_BENCH


def stop(report: Report, match: re.Match[str], line: int) -> None:
    """Read the message with which ab gives up."""
    report.stopped = report.stopped or match[1]


def dump_begins(report: Report, match: re.Match[str], line: int) -> None:
    """Read a line after which ab -v prints requests and responses, which may look like lines of a report."""
    report.verbatim = frozenset({"dump", "progress", "abort"})


def dump_ends(report: Report, match: re.Match[str], line: int) -> None:
    """Read the line at the end of these requests and responses."""
    report.verbatim = frozenset()


def software(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Server Software: nginx``: the report begins, whatever ab -v printed before."""
    report.verbatim = frozenset()
    if software_only := (match[1] or "").partition(" #")[0].strip():  # without a comment after it
        report.add_label("server_software", software_only, line)


def host(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Server Hostname: …``. The URL is in three lines; ``report.mode`` keeps its parts so far."""
    report.mode = f"http://[{match[1]}]" if ":" in match[1] else f"http://{match[1]}"


def port(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Server Port: 8080``."""
    if report.mode:
        report.mode += f":{match[1]}"


def tls(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``SSL/TLS Protocol: TLSv1.2,…``."""
    report.add_label("tls", match[1], line)
    report.mode = report.mode.replace("http:", "https:", 1)


def path(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Document Path: /perf``, the last part of the URL."""
    if report.mode:
        # as one types it: without the port that the scheme implies
        default = ":443" if report.mode.startswith("https:") else ":80"
        report.add_label("url", report.mode.removesuffix(default) + match[1], line)
    else:  # the lines that name the server were left out
        report.add_label("path", match[1], line)


def workers(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``Number of workers: 4``, of trunk."""
    report.dialect = "trunk"
    report.add_label("threads", match[1], line)


def elapsed(report: Report, match: re.Match[str], line: int) -> None:
    """Read the seconds; ``1.20701 seconds`` of httpd 2.0.21 to 2.2.8 is 1 s and 20701 µs, not padded.

    A fraction of three digits is corrected later (`correct_units`).
    """
    seconds, dot, fraction = match[1].partition(".")
    if dot and len(fraction) != 3:
        fraction = fraction.rjust(6, "0")
    report.add_cell(ELAPSED, "total", f"{seconds}{dot}{fraction}", PLAIN, line)


_LONGEST_JOINED = 20  # two numbers of 10 digits: 115 days in milliseconds
_STATS = {5: ("min", "mean", "stdev", "median", "max"), 3: ("min", "mean", "max")}


def phase(report: Report, match: re.Match[str], line: int) -> None:
    """Read a row of the table of Connection Times."""
    cells = match[2].split()
    if len(cells) == 2:
        cells = [cells[0], *_split_joined(*cells)]
    stats = _STATS.get(len(cells))
    if stats is None:
        return report.warn(line, f"{match[1]} row with {len(cells)} readable columns instead of 5 or 3", "bad-line")
    for stat, cell in zip(stats, cells, strict=True):
        report.add_cell(PHASES[match[1].lower()], stat, cell, MILLISECONDS, line)
    return None


def _split_joined(least: str, text: str) -> list[str]:
    """The mean and the maximum that ``-S`` printed as one word (``%5d%5d``), if there is only one way to split it.

    They touch if the maximum has 5 digits or more; neither begins with a 0, and minimum ≤ mean ≤ maximum.
    """
    if len(text) > _LONGEST_JOINED or not (least + text).isdecimal():
        return []
    # at least 5 digits are left for the maximum
    cuts = [(text[:at], text[at:]) for at in range(1, len(text) - 4)]
    possible = [
        [mean, most]
        for mean, most in cuts
        if most[0] != "0" and (mean == "0" or mean[0] != "0") and _are_ascending(least, mean, most)
    ]
    return possible[0] if len(possible) == 1 else []


def _are_ascending(*numbers: str) -> bool:
    """Whether whole numbers are in ascending order."""
    # Without leading zeros, the longer number is the larger one.
    keys = [(len(number), number) for number in numbers]
    return keys == sorted(keys)


def percentile(report: Report, match: re.Match[str], line: int) -> None:
    """Read ``99% 12``."""
    report.add_cell(PHASES["total"], f"p{match[1]}", match[2], MILLISECONDS, line)
