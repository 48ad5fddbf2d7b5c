"""Finds the first line of a report among other text in the same line: a name in front of it, or a remark after it.

    nginx: Requests/sec: 20296.63
    Requests/sec:  18001.10  (haproxy)

Names and remarks label the run as a title does. A sentence that quotes a line is not such a line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from wrkparse.context.labels import remark_labels, title_labels
from wrkparse.context.titles.known_names import is_prose
from wrkparse.context.titles.vocabulary import NUMERIC_KEY_WORDS, RESULT_KEY
from wrkparse.model.records import Label
from wrkparse.parse.reports.altered_lines.surroundings import is_surrounding
from wrkparse.parse.reports.matcher import MatchedLine, Matcher, code_position, ends_name, has_results, shared_matcher

_SIGNS = " \t-–—|:：=>→*•+#/<←,;.\"'`"  # around a name or a remark
# Words before or after a number which say that it was not measured.
_NOT_MEASURED = re.compile(
    r"\b(?:exampl|expect|want|wish|goal|target|should|e\.g|i\.e|format|sample|assert|usage)", re.IGNORECASE
)
# More results in the same line, which name nothing: "Memory: 228 M", "Errors: 0, p99: 3.1ms".
_RESULT = rf"(?i:{RESULT_KEY})(?: \w{{1,20}})?[:=] ?[0-9][0-9.,]{{0,20}}(?: ?[A-Za-z%/]{{1,8}})?"
_MORE_RESULTS = re.compile(rf"[\s,;|/(\[]{{0,4}}{_RESULT}(?:[\s,;|/]{{1,4}}{_RESULT}){{0,9}}[\s.)\]]{{0,3}}")
# Settings there are labels of the run.
_MORE_SETTINGS = re.compile(rf"[\s,;|/(\[]{{0,4}}(?i:{NUMERIC_KEY_WORDS})[:=] ?[0-9]{{1,9}}[\s.)\]]{{0,3}}")
_REMARK_SIGN = re.compile(r"[ -]*# ")  # text after it can only be a remark
_MOST_WORDS_OF_SURE_NAME = 2  # a longer name must not be prose; "second try:" is a name


@functools.cache
def shared_named_line_finder() -> NamedLineFinder:
    """The finder that all sources share."""
    return NamedLineFinder(shared_matcher())


class NamedLineFinder:
    """Finds lines of reports with names or remarks."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def find(self, words: Sequence[str]) -> Iterator[tuple[MatchedLine, int, list[Label]]]:
        """Lines that begin a report: each with the number of words before it, and the labels from the text around it.

        After a name, only lines with results are found.
        """
        code = code_position(words)
        for at in dict.fromkeys((0, *self._matcher.positions_after_names(words), code)):
            name = " ".join(words[:at]).strip(_SIGNS)
            is_word = at == 1 and not ends_name(words[0])
            length = sum(any(map(str.isalpha, word)) for word in words[:at])  # without the sign of a list item
            is_sentence = length > _MOST_WORDS_OF_SURE_NAME and at != code and is_prose(name)
            for line, rest in () if is_sentence else self._first_lines(words[at:], is_named=at > 0):
                if (line[1].behind_word or not is_word) and not _NOT_MEASURED.search(f"{name} {rest}"):
                    remark = rest.strip(_SIGNS + "()[]")
                    said = [] if _MORE_RESULTS.fullmatch(rest) else [*title_labels(remark), *remark_labels(remark)]
                    yield line, at, [*title_labels(name), *said]

    def _first_lines(self, words: Sequence[str], *, is_named: bool) -> Iterator[tuple[MatchedLine, str]]:
        """The first lines of reports with which these words begin, and the remark after each."""
        candidates, _ = self._matcher.candidates(words, None, 0)
        text = " ".join(words) if candidates else ""
        for tool, spec in candidates:
            match = spec.pattern.match(text) if spec.begins else None
            if match is None:
                continue
            rest = text[match.end() :]
            if not (has_results(tool, spec) or (_REMARK_SIGN.match(rest) and not is_named)):
                continue
            whole = spec.pattern.fullmatch(match[0])
            if whole and _is_remark(rest):
                yield (tool, spec, whole), rest.strip(_SIGNS)


def _is_remark(text: str) -> bool:
    """Whether the text after a line is a remark, a name or more results, and not the rest of a sentence or number."""
    if is_surrounding("", text) or (
        text[0] in " ,;|" and (_MORE_RESULTS.fullmatch(text) or _MORE_SETTINGS.fullmatch(text))
    ):
        return True
    return text[0] == " " and any(label.key == "framework" for label in title_labels(text.strip(_SIGNS + "()[]")))
