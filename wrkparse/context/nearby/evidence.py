"""The keys of labels that hold the text near a run, from which labels from structure are made.

`wrkparse.context.nearby.nearby_lines` collects the text; it is kept with the run until all runs of a source are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Self

LINES_ABOVE = "above"  # key of the label with the lines above a run
# key of the label with the lines below a run that are about it: captions, "^ that is kiwi" of a chat
LINES_BELOW = "below"
# key of the label with the lines below the last run of a section whose first run has none above it
LINES_BELOW_LAST_RUN = "below_last"
ARGUMENTS = "arguments"  # key of the label with the arguments of a program without an option, as a shell quotes them
# Key of the label with the remark behind the command of a load generator or a line of a report: wrk http://h/ # cached
REMARK = "remark"
PORT_NAMES = "port_names"  # key of the label with the names that a page gives servers by their ports
PREFIX_WORDS = "prefix_words"  # key of the label with the words of the prefix of a run's lines that may be its name
PRINTED_FILE = "printed_file"  # key of the label with the file in front of a run's lines, as grep prints it
RESTARTED_UNIT = "restarted"  # key of the label with the unit that a service manager restarted
# Key of the label with the nearest heading that has text between it and the next heading, and with that text
SECTION_FACTS = "section_facts"
SHELL_LOOP = "shell_loop"  # key of the label with the shell loop that made a run: its line and its text
# Keys of labels from which labels from structure are made. Runs are not compared by them.
EVIDENCE_KEYS = frozenset(
    {
        LINES_ABOVE,
        LINES_BELOW,
        LINES_BELOW_LAST_RUN,
        ARGUMENTS,
        PORT_NAMES,
        PREFIX_WORDS,
        PRINTED_FILE,
        REMARK,
        RESTARTED_UNIT,
        SECTION_FACTS,
        SHELL_LOOP,
    }
)
LINE_SEPARATOR = "\n"


class NearbyText(NamedTuple):
    """The lines above and below a run, as in the labels `LINES_ABOVE` and `LINES_BELOW`; empty without lines."""

    above: str = ""
    below: str = ""

    @classmethod
    def of(cls, labels: Mapping[str, str | None]) -> Self:
        """The text near the run that has these labels."""
        return cls(labels.get(LINES_ABOVE) or "", labels.get(LINES_BELOW) or "")
