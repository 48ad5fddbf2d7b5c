"""Which title and which banner hold at each line of a document: those that stand above a run without being headings.

A title holds for the runs directly below it until other text follows, a banner until the next one, a heading or the end
of its fence: ``==> kiwi <==`` → title=kiwi. What a single line says is judged by `wrkparse.context.page.title_lines`.
"""

from __future__ import annotations

import re

from wrkparse.context.page.title_lines import (
    MAY_BE_BANNER,
    announces,
    is_banner,
    labels_of_line,
    may_be_title,
    without_progress,
)
from wrkparse.context.titles.titles import without_decoration
from wrkparse.model.records import Label
from wrkparse.text.wrapping import markup

# What follows a warm-up, as scripts say it between signs.
_MEASURING = re.compile(
    r"(?:begin |start |now )?(?:measur\w{2,6}|benchmark(?:ing)?|(?:main|real|measured) runs?)(?: phase)?", re.IGNORECASE
)
_MOST_NAMES = 1000  # of titles that are remembered
TITLE_REACH = 6  # lines from a bare title to its run at most: the command, a blank line and a fence stand between


class TitleState:
    """The title and the banner that hold at a line; it is told what the lines are.

    ``paragraph`` is the number of lines of text in a row; whoever reads another line sets it to 0. ``waiting`` is a
    line of text that may be a title, and its number.
    """

    def __init__(self) -> None:
        self.paragraph = 0
        self.waiting: tuple[int, str] | None = None
        self._title: list[Label] = []  # the labels of the title whose runs are being read
        self._last: list[Label] = []  # those that the last run below the same heading had
        self._above_fence: list[Label] = []  # those of the title above the fence that is open, or was the last
        self._banner: list[Label] = []
        self._banner_line = 0
        # The banner above a part such as "--- attempt 1 ---", which holds for all parts; None outside of parts.
        self._above_parts: list[Label] | None = None
        self._names: set[str] = set()  # that titles gave runs
        self._has_run = self._parts_have_banners = False  # a run, or first a banner, is below the last heading

    def note(self, text: str, line: int) -> None:
        """Take in a line of text: alone it may be a title, with others it is a paragraph."""
        self.paragraph += 1
        self._title, self._above_fence = [], []
        self.waiting = (line, text) if self.paragraph == 1 else None

    def note_banner(self, text: str, line: int, *, marked: bool, in_log: bool) -> None:
        """Take in a line that may be a banner: by its signs (`marked`: known already) or, in a log, by its verb."""
        if not (marked or self._banner or MAY_BE_BANNER.match(text)):
            return
        title = without_progress(markup.without_title_mark(text))
        if self._banner and _MEASURING.fullmatch(without_decoration(title)):
            self.end_warm_up()
        if (is_banner(title, marked=marked) or (in_log and announces(title))) and may_be_title(title):
            self.say(title, text, line)

    def say(self, title: str, text: str, line: int) -> None:
        """Let a title that stands in a line hold as a banner."""
        self._banner_line, self._banner = line, labels_of_line(title, text, line, heading=True)
        if not self._has_run:
            self._parts_have_banners = True
        elif not self._parts_have_banners:  # below the runs of the last part: it names those that follow
            self._above_parts = None

    def end_banner(self) -> None:
        """Note the end of what a banner names, such as the cell of a table."""
        self._banner = []

    def end_warm_up(self) -> None:
        """Note a line that says that the warm-up is over."""
        self._banner = [label for label in self._banner if label.key != "phase"]

    def take(self, line: int) -> None:
        """Let the line that waits hold for the runs from this line on: a run or its command is below it."""
        self._title = self._labels_above(line) or self._title
        self.waiting = None

    def labels(self, line: int) -> list[Label]:
        """The labels of the banner and of the title that hold for a run that begins at a line."""
        title = (self._labels_above(line) if self.waiting else []) or self._title
        self._last, self._has_run = title, True
        if title and len(self._names) < _MOST_NAMES:
            self._names.update(label.value.rstrip(":： ").casefold() for label in title)
        return [*self._banner, *title] if self._banner or title else []

    @property
    def banner(self) -> list[Label]:
        """The labels of the banner that holds, for what follows it: runs and traces."""
        return self._banner

    def one_line_above(self) -> str | None:
        """The line directly above, if it is a paragraph of one line; an underline makes a heading of it."""
        return self.waiting[1] if self.paragraph == 1 and self.waiting else None

    def has_named(self, name: str) -> bool:
        """Whether a title has named a run so."""
        return name.casefold() in self._names if name else False

    def end_title(self) -> None:
        """Note the end of what the title names, such as a list item."""
        self._title = []

    def repeat(self) -> None:
        """Note a line that counts a repeat: the title of the run before holds again, though its block has ended.

        A warm-up is over.
        """
        title = self._title or self._last
        self._title = [] if any(label.key == "phase" for label in title) else title

    def begin_fence(self, line: int) -> None:
        """Note the first line of a fence: the title above it names all fences up to the next text."""
        self._above_fence, self.paragraph = self._labels_above(line) or self._title, 0

    def end_fence(self) -> None:
        """Note the end of a fence, and of what was said in it; a line that waits may stand above the fence."""
        self._title = self._above_fence if self._above_fence == self._last else []
        self._banner, self.paragraph = [], 0

    def drop(self) -> None:
        """Forget everything that was said above."""
        self.waiting, self._title, self._banner, self._last, self._above_fence = None, [], [], [], []

    def open(self, *, heading: bool, part: bool = False) -> None:
        """Note a heading, or a list item, which leaves the banner; so does a heading that only counts a `part`."""
        self.waiting, self._title, self._above_fence, self.paragraph = None, [], [], 0
        if not heading:
            return
        if part:
            self._above_parts = self._banner if self._above_parts is None else self._above_parts
        else:
            self._above_parts = None
        self._banner, self._last = self._above_parts or [], []
        self._has_run = self._parts_have_banners = False

    def _labels_above(self, line: int) -> list[Label]:
        """The labels of the title line above `line`; none if there is none near, or it reads like a sentence."""
        if self.waiting is None or line - self.waiting[0] > TITLE_REACH:
            return []
        number, text = self.waiting
        title = without_progress(markup.without_title_mark(text.lstrip("#/ ")))
        return labels_of_line(title, text, number) if number != self._banner_line and may_be_title(title) else []
