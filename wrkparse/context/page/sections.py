"""Opens and closes the headings and list items of a document, for all that follows its lines.

A heading ends the list items and the collection of lines above it, and a title; below it, no command has output.
"""

from __future__ import annotations

from wrkparse.context.nearby.evidence import LINE_SEPARATOR
from wrkparse.context.nearby.nearby_lines import NearbyLines
from wrkparse.context.page.outline import Outline, Scope
from wrkparse.context.page.session_state import SessionState
from wrkparse.context.page.title_state import TitleState
from wrkparse.context.titles.known_names import has_other_words


class Sections:
    """The headings and list items in an outline, and what must know where one begins or ends."""

    def __init__(self, outline: Outline, titles: TitleState, session: SessionState, nearby: NearbyLines) -> None:
        self._outline, self._titles, self._session, self._nearby = outline, titles, session, nearby

    def open(self, scope: Scope) -> None:
        """Open a heading or a list item."""
        if scope.level > 0:
            self.close_items(0)
            above = self._outline.innermost
            if above.level > 0 and scope.level > above.level and not above.has_run:
                above.facts = LINE_SEPARATOR.join(self._nearby.lines)
            self._nearby.forget()
            if scope.labels:
                scope.is_descriptive = any(
                    label.key == "framework" and has_other_words(label.value) for label in scope.labels
                )
        self._outline.open(scope)
        self._titles.note_scope(is_heading=scope.level > 0, is_part=scope.is_part)
        self._session.is_output = False
        self._session.epoch += 1

    def close_items(self, indent: int) -> None:
        """Close the list items to which a line with this indentation does not belong."""
        if self._outline.innermost.level == -1 and (closed := self._outline.close_items(indent)):
            self._titles.forget_title()
            self._session.epoch += closed

    def end_list_of_facts(self, indent: int) -> None:
        """Close a list of facts (``- nginx 1.10``, ``- 8 cores``): call this above a block, after an empty line."""
        if self._outline.innermost.is_fact:
            self.close_items(indent)
