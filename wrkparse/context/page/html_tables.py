"""Follows HTML tables whose cells contain reports: the header of a column names the runs in its cells.

Pull requests have such tables: ``<tr><th>Before</th><th>After</th></tr>`` above ``<td>`` with a block of code in it.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(table|tr|td|th)(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_OTHER_TAGS = re.compile(r"<[^<>]{0,200}>")
_LONGEST = 60  # characters of a header


class HtmlTable:
    """The table that is open in a page, if any: the headers of its columns, and the column of the last cell."""

    _row = 0  # from 1 on; 0 where no table is open
    _column = -1
    _headers: tuple[str, ...] = ()

    def cell_header(self, line: str) -> str | None:
        """The header above the cell that begins in a line; None if no cell begins, empty if it has no header.

        The end of a table counts as a cell without a header.
        """
        found: str | None = None
        tags = list(_TAG.finditer(line))
        ends = [*(following.start() for following in tags[1:]), len(line)]
        for tag, end in zip(tags, ends, strict=False):  # without a tag there is one end
            closes, name = bool(tag[1]), tag[2].lower()
            if name == "table":
                self._row, self._headers = int(not closes), ()
                self._column = -1
                found = "" if closes else found
            elif self._row and name == "tr" and closes:
                self._row += 1
                self._column = -1
            elif self._row and name in ("td", "th") and not closes:
                self._column += 1
                text = _OTHER_TAGS.sub("", line[tag.end() : end]).strip()
                if self._row == 1:
                    self._headers += (text if len(text) <= _LONGEST else "",)
                else:
                    found = self._headers[self._column] if self._column < len(self._headers) else ""
        return found
