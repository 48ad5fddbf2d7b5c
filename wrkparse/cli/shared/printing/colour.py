"""Verdicts in colour, on a terminal whose user has not set NO_COLOR (no-color.org)."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import click

from wrkparse.cli.shared.printing import output as outputs

_COLOUR_OF_VERDICT = {
    "better": "green", "worse": "red", "invalid": "red", "suspect": "yellow", "latency-suspect": "yellow",
}  # fmt: skip
# A verdict: in a row of a comparison, before p and the number of runs; at the end of a sentence, before its evidence;
# in the audit, between the place of a run and its labels.
# "… 2.4 (2.1–2.8)  better  0.0079  5", "…: better (2.1–2.8, p = 0.0079, 5 runs each)", "c64-1.txt:1: suspect: wrk, …"
_VERDICT = re.compile(
    r"(?<=[ :] )(better|worse)(?=(?: +[<0-9.e-]+)? +[0-9]+$|\s+\(|\s*$|\.)"
    r"|(?<=[0-9]: )(invalid|suspect|latency-suspect)(?=: )",
    re.MULTILINE,
)


def with_colours(text: str, output: Path | None = None) -> str:
    """The text of a comparison or an audit, with its verdicts in colour if it goes to a terminal with colours.

    `output` is the file that the text goes into; None for standard output.
    """
    if (
        output is not None
        or os.environ.get("NO_COLOR")
        or os.environ.get("TERM") == "dumb"
        or not outputs.is_terminal(sys.stdout)
    ):
        return text
    return _VERDICT.sub(lambda match: click.style(match[0], fg=_COLOUR_OF_VERDICT[match[0]]), text)
