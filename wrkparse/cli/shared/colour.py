"""Verdicts in colour, on a terminal whose user has not set NO_COLOR (no-color.org)."""

from __future__ import annotations

import os
import re
import sys

import click

from wrkparse.cli.shared.output import on_terminal

_COLOURS = {"better": "green", "worse": "red"}
# A verdict in a row, before p and the number of runs; or behind a sentence, before its evidence.
_VERDICT = re.compile(r"(?<=[ :] )(better|worse)(?=(?: +[<0-9.e-]+)? +[0-9]+$|\s+\(|\s*$|\.)", re.MULTILINE)


def with_colours(text: str) -> str:
    """The text of a comparison with its verdicts in colour, where colours are shown; else as it is."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not on_terminal(sys.stdout):
        return text
    return _VERDICT.sub(lambda match: click.style(match[1], fg=_COLOURS[match[1]]), text)
