"""Follows the titles and banners of a document: the lines above runs that are not headings.

A title holds for the runs directly below it until other text follows, a banner until the next one, a heading or the end
of its fence: ``==> kiwi <==`` → title=kiwi. `wrkparse.context.page.title_lines` judges a single line.
"""

from __future__ import annotations

import re

from wrkparse.context.page.title_lines import (
    MAY_BE_BANNER,
    announces_measurement,
    is_banner,
    labels_of_line,
    may_be_title,
    repeated_names,
    without_progress,
)
from wrkparse.context.titles.decoration import without_decoration
from wrkparse.context.titles.titles import read_title
from wrkparse.model.records import Label
from wrkparse.text.wrapping import markup

# The measurement after a warm-up, as scripts announce it between signs.
_MEASURING = re.compile(
    r"(?:begin |start |now )?(?:measur\w{2,6}|benchmark(?:ing)?|(?:main|real|measured) runs?)(?: phase)?", re.IGNORECASE
)
_MOST_NAMES = 1000  # names of titles that are remembered; bounds memory
_ENDS_OF_NAME = ":： "  # of a title that is a name
TITLE_REACH = 6  # most lines from a title to its run: the command, a blank line and a fence may be between


class TitleState:
    """The title and the banner that hold at a line; the caller notes each line.

    ``paragraph`` is the number of consecutive lines of text; the caller resets it to 0 at other lines. ``candidate`` is
    a line of text that may be a title, and its number.
    """

    def __init__(self) -> None:
        self.paragraph = 0
        self.candidate: tuple[int, str] | None = None
        self._title: list[Label] = []  # the labels of the title whose runs are being read
        self._last: list[Label] = []  # the labels of the title of the last run below the same heading
        self._above_fence: list[Label] = []  # the labels of the title above the open fence, or the last one
        self._banner: list[Label] = []
        self._banner_line = 0
        # The banner above a part such as "--- attempt 1 ---", which holds for all parts; None outside of parts.
        self._above_parts: list[Label] | None = None
        self._names: dict[str, list[Label]] = {}  # the names in titles above runs, and the labels of these titles
        self._has_run = self._parts_have_banners = (
            False  # below the last heading there is a run, or a banner before any run
        )

    def note(self, text: str, line: int) -> None:
        """Take in a line of text: a candidate for a title if it is alone, else part of a paragraph."""
        self.paragraph += 1
        self._title, self._above_fence = [], []
        self.candidate = (line, text) if self.paragraph == 1 else None

    def note_banner(self, text: str, line: int, *, marked: bool, in_log: bool) -> None:
        """Take in a line that may be a banner: by its signs (`marked`: removed before) or, in a log, by its verb."""
        if not (marked or self._banner or MAY_BE_BANNER.match(text)):
            return
        title = without_progress(markup.without_title_mark(text))
        if self._banner and _MEASURING.fullmatch(without_decoration(title)):
            self.end_warm_up()
        if (is_banner(title, marked=marked) or (in_log and announces_measurement(title))) and may_be_title(title):
            self.set_banner(title, text, line)

    def set_banner(self, title: str, text: str, line: int) -> None:
        """Let the title in a line hold as a banner."""
        self._banner_line, self._banner = line, labels_of_line(title, text, line, heading=True)
        if not self._has_run:
            self._parts_have_banners = True
        elif not self._parts_have_banners:  # below the runs of the last part: it names those that follow
            self._above_parts = None

    def end_banner(self) -> None:
        """End the banner, as at the end of a cell of a table."""
        self._banner = []

    def end_warm_up(self) -> None:
        """Note that the warm-up is over."""
        self._banner = [label for label in self._banner if label.key != "phase"]

    def take_candidate(self, line: int) -> None:
        """Let the candidate hold for the runs from this line on: a run or its command is below it."""
        self._title = self._labels_above(line) or self._title
        self.candidate = None

    def labels(self, line: int) -> list[Label]:
        """The labels of the banner and the title that hold for a run that begins at a line."""
        title = (self._labels_above(line) if self.candidate else []) or self._title
        self._last, self._has_run = title, True
        if title and len(self._names) < _MOST_NAMES:
            for label in title:
                self._names.setdefault(label.value.rstrip(":： ").casefold(), title)
        return [*self._banner, *title] if self._banner or title else []

    @property
    def banner(self) -> list[Label]:
        """The labels of the banner that holds for runs and traces."""
        return self._banner

    @property
    def has_names(self) -> bool:
        """Whether a run had a title."""
        return bool(self._names)

    def single_line_above(self) -> str | None:
        """The line directly above, if it is a paragraph of one line, which an underline makes a heading; else None."""
        return self.candidate[1] if self.paragraph == 1 and self.candidate else None

    def repeated_by(self, text: str) -> list[str]:
        """The names in titles above runs that a line says are measured once more: ``kiwi again``; most lines: none."""
        return repeated_names(text, self._names)

    def changes_settings(self, text: str, name: str) -> bool:
        """Whether a line that repeats the title with a name states another setting: ``again kiwi, 8 threads``."""
        title = next((label.value for label in self._names[name] if label.key == "title"), "")
        return not _settings_in(text) <= _settings_in(title)

    def forget_title(self) -> None:
        """End the title, as at the end of a list item."""
        self._title = []

    def note_repeat(self, name: str = "") -> None:
        """Note a line that counts a repeat: the title with this name holds again, or that of the run before.

        A warm-up is over then, also one that is only announced: its output is not in the log.
        """
        title = self._names[name] if name else self._title or self._last
        self._title = [] if any(label.key == "phase" for label in title) else title
        if self.candidate and ("phase", "warm-up") in _settings_in(self.candidate[1]):
            self.candidate = None

    def note_fence_start(self, line: int) -> None:
        """Note the first line of a fence: the title above it holds for all fences up to the next text."""
        self._above_fence, self.paragraph = self._labels_above(line) or self._title, 0

    def note_fence_end(self) -> None:
        """Note the end of a fence and of the titles in it; a candidate may be above the fence.

        The title above it holds on if it is that of the last run, or of a command in this fence, whose output follows.
        """
        self._title = self._above_fence if self._above_fence in (self._last, self._title) else []
        self._banner, self.paragraph = [], 0

    def forget_name(self, name: str) -> None:
        """Forget the title and the candidate that are this name alone: it is found to be in front of each line."""
        if self.candidate and self.candidate[1].rstrip(_ENDS_OF_NAME) == name:
            self.candidate = None
        if any(label.key == "title" and label.value.rstrip(_ENDS_OF_NAME) == name for label in self._title):
            self._title = []

    def forget_all(self) -> None:
        """Forget all titles and banners."""
        self.candidate, self._title, self._banner, self._last, self._above_fence = None, [], [], [], []

    def note_scope(self, *, is_heading: bool, is_part: bool = False) -> None:
        """Note a heading, or a list item, which keeps the banner.

        A heading that is only a repeat or a phase (`is_part`) keeps it, too.
        """
        self.candidate, self._title, self._above_fence, self.paragraph = None, [], [], 0
        if not is_heading:
            return
        if is_part:
            self._above_parts = self._banner if self._above_parts is None else self._above_parts
        else:
            self._above_parts = None
        self._banner, self._last = self._above_parts or [], []
        self._has_run = self._parts_have_banners = False

    def _labels_above(self, line: int) -> list[Label]:
        """The labels of the title line above `line`; empty if none is near, or if it reads like a sentence."""
        if self.candidate is None or line - self.candidate[0] > TITLE_REACH:
            return []
        number, text = self.candidate
        title = without_progress(markup.without_title_mark(text.lstrip("#/ ")))
        return labels_of_line(title, text, number) if number != self._banner_line and may_be_title(title) else []


def _settings_in(text: str) -> set[tuple[str, str]]:
    """The settings and numbers in a line."""
    read = read_title(text)
    return {*read.settings, *read.possible_settings, *(("", number) for number in read.numbers)}
