r"""Reads a recording of a terminal, as asciinema writes it, as the lines that were printed.

The format is asciicast v2 and v3 (asciinema's ``doc/asciicast-v2.md`` and ``doc/asciicast-v3.md``): a header of JSON in
the first line (``{"version": 2, "width": 80, …}``), then an event in each line, ``[1.5, "o", "Running 10s test\r\n"]``.
Events of the kind ``o`` have what the terminal received. One of them may have a part of a line, or several lines.
"""

from __future__ import annotations

import json
import re

from wrkparse.text.wrapping.notebook import NumberedLines

# A header in one line, with the size of the terminal; other files of JSON may have a version, too.
_OPENING = re.compile(r'\s*\{\s*"version"\s*:\s*[23]\s*,[^\n]{0,2000}?"(?:width|cols)"\s*:\s*[0-9]')
_EVENT = re.compile(r'\s*\[\s*[0-9][0-9.eE+-]*\s*,\s*"o"\s*,\s*(".*")\s*\]\s*')
_BEGUN_EVENT = re.compile(r'\s*\[\s*[0-9][0-9.eE+-]*\s*,\s*"o"')
_SIGNS_OF_JSON = ("{", "[", "#", "")  # of a header, an event, a comment and an empty line
_LONGEST_LINE = 64 << 10  # characters; a longer one is returned in parts, to bound memory


def begins_recording(text: str) -> bool:
    """Whether a source whose first line begins `text` is a recording."""
    return _OPENING.match(text) is not None


class RecordingReader:
    """Takes the lines of a recording and returns the lines that were printed."""

    def __init__(self) -> None:
        self._rest, self._number = "", 0  # the beginning of a line that is not complete, and the line of its event

    def feed(self, raw: str, number: int) -> NumberedLines:
        """The lines that an event completes. Each has the number of the event in which it begins.

        A line that is no JSON was written behind the recording, or between its parts. It is text of its own, and so is
        an event that is damaged: the recorder was killed while it wrote it.
        """
        printed = _printed_text(raw) if raw.lstrip()[:1] in _SIGNS_OF_JSON else None
        if printed is None:
            return [*self.finish(), (raw, number)]
        *complete, rest = printed.replace("\r\n", "\n").split("\n")
        found: NumberedLines = []
        for line in complete:
            found.append((self._rest + line, self._number or number))
            self._rest, self._number = "", 0
        if rest:
            self._rest, self._number = self._rest + rest, self._number or number
            if rest.endswith("\r"):  # what follows is printed over it
                self._number = 0
        return found if len(self._rest) <= _LONGEST_LINE else [*found, *self.finish()]

    def finish(self) -> NumberedLines:
        """The line that the recording does not end."""
        found = [(self._rest, self._number)] if self._rest else []
        self._rest, self._number = "", 0
        return found


def _printed_text(raw: str) -> str | None:
    """What an event prints; empty for the header and for other events, None for a damaged one."""
    match = _EVENT.fullmatch(raw)
    if match is None:
        return None if _BEGUN_EVENT.match(raw) else ""
    try:
        return str(json.loads(match[1]))
    except ValueError:
        return None
