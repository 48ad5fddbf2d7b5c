"""What a block of a log holds, as far as that does not depend on what stands before it.

That is most of the work for a block that has usual events and nothing else of ours, and can be done by several threads.
`wrkparse.parse.parser.SourceParser` goes on from there: it alone knows which process, which run and which
line number they come under.
"""

from __future__ import annotations

from typing import NamedTuple

from wrkparse.parse.prefilter import clear
from wrkparse.parse.usual_events import Skimmed, skim
from wrkparse.tools import event_tools
from wrkparse.tools.event import Events


class Looked(NamedTuple):
    """A block of whole lines: how many they are, and the usual events of each tool and stream."""

    block: bytes
    lines: int
    events: list[tuple[Skimmed, Events]]


def look(block: bytes) -> Looked | None:
    """The usual events of a block, each sound; None if there may be more in it, or it does not end with a line."""
    skimmed = skim(block, event_tools()) if block.endswith(b"\n") else None
    if skimmed is None or not clear(skimmed.others):
        return None
    found: list[tuple[Skimmed, Events]] = []
    for some in skimmed.events:
        events = some.tool.stream().decode(some.lines)
        if events.bad or sum(table.num_rows for table in events.tables.values()) != len(some.lines):
            return None
        found.append((some, events))
    return Looked(block, skimmed.lines, found)
