"""A report's first line amid other text in its line: a name in front, a remark behind, or first letters that are lost.

    nginx: Requests/sec: 20296.63
    Requests/sec:  18001.10  (haproxy)
    erver Software:        Werkzeug/0.9

Names and remarks label the run as a title does. A sentence that quotes a line is neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wrkparse.context.labels import title_labels
from wrkparse.context.titles.known_names import is_prose
from wrkparse.model.records import Label
from wrkparse.parse.reports.matcher import Matcher, code_behind_name, ends_name, has_results, is_surrounding
from wrkparse.tools.base import ReportTool
from wrkparse.tools.lines import LineSpec

_SIGNS = " \t-–—|:：=>→*•+#/<←,;.\"'`"
# In front of a number or behind it, they say that nobody measured it.
_NOT_MEASURED = re.compile(
    r"\b(?:exampl|expect|want|wish|goal|target|should|e\.g|i\.e|format|sample|assert|usage)", re.IGNORECASE
)
_REMARKED = re.compile(r"[ -]*# ")  # begins what can only be a remark
_FEW_WORDS = 2  # that name a thing whatever they are: "second try:"

Line = tuple[ReportTool, LineSpec, "re.Match[str]"]


class AmidText:
    """Finds lines of reports amid other text; one for all sources."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def named_lines(self, words: Sequence[str]) -> Iterator[tuple[Line, int, list[Label]]]:
        """A line that begins a report, how many words stand in front, and the labels of all around it.

        Behind a name it states results.
        """
        code = code_behind_name(words)
        for at in dict.fromkeys((0, *self._matcher.behind_names(words), code)):
            name = " ".join(words[:at]).strip(_SIGNS)
            bare = at == 1 and not ends_name(words[0])
            told = at > _FEW_WORDS and at != code and is_prose(name)
            for line, remark in () if told else self._begun(words[at:], is_named=at > 0):
                if (line[1].behind_word or not bare) and not _NOT_MEASURED.search(f"{name} {remark}"):
                    yield line, at, [*title_labels(name), *title_labels(remark.strip(_SIGNS + "()[]"))]

    def _begun(self, words: Sequence[str], *, is_named: bool) -> Iterator[tuple[Line, str]]:
        """The lines that some words begin with, and the remark behind."""
        candidates, _ = self._matcher.candidates(words, None, 0)
        text = " ".join(words) if candidates else ""
        for tool, spec in candidates:
            match = spec.pattern.match(text) if spec.begins else None
            behind = text[match.end() :] if match else ""
            if not (has_results(tool, spec) or (_REMARKED.match(behind) and not is_named)):
                continue
            whole = spec.pattern.fullmatch(match[0]) if match else None
            if whole and _is_remark(behind):
                yield (tool, spec, whole), behind.strip(_SIGNS)


def _is_remark(behind: str) -> bool:
    """Whether the text behind a line is a remark or a name, and not the rest of a sentence or of a number."""
    if is_surrounding("", behind):
        return True
    return behind[0] == " " and any(label.key == "framework" for label in title_labels(behind.strip(_SIGNS + "()[]")))
