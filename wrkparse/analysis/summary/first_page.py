"""Which sentences stand on the first page of a report, and which in its sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.sentences.metric_sentence import MetricSentence
from wrkparse.analysis.comparison.sentences.sentences import by_metric
from wrkparse.analysis.comparison.text.headline import headline

_MOST = 5  # sentences of a first page
# Places in the order of importance. Who is ahead and the tail come before doubts, further claims after the growth.
# 0 and 1 are for the first two sentences on the metric that decides something.
_FIRST_METRIC, _TAIL, _DOUBT, _GROWTH, _TRACES, _FURTHER, _LAST = range(2, 9)


class PlacedSentence(NamedTuple):
    """A sentence with its place in the order of importance, and one that `follows` it where there is room."""

    place: int
    text: str
    follows: str = ""

    @property
    def whole(self) -> str:
        """Both sentences."""
        return f"{self.text} {self.follows}".rstrip()


@dataclass(frozen=True)
class FirstPage:
    """``findings`` and ``doubts`` together are at most five sentences.

    ``more`` are the other findings, and those that another sentence follows, with it. ``notes`` are the other doubts.
    """

    findings: tuple[str, ...]
    doubts: tuple[str, ...]
    more: tuple[str, ...]
    notes: tuple[str, ...]


def decided_metric(table: ComparisonTable) -> str:
    """The first metric that decides something, else the first one."""
    names = list(dict.fromkeys(map(str, table.cells["metric"])))
    return next((name for name in names if headline(table, name)), names[0])


def comparison_sentences(table: ComparisonTable, second: Sequence[str]) -> list[PlacedSentence]:
    """The sentences of a comparison with their places; `second` are those on the next label that differs.

    Those of the metric that decides something come first, as the title is about it: who is ahead before how many are.
    """
    decided = decided_metric(table)
    names = list(dict.fromkeys(one.metric for one in by_metric(table)))
    sentences = sorted(by_metric(table), key=lambda one: (0, not _is_answer(one)) if one.metric == decided else (1,))
    tail = next((name for name in names if name.startswith("latency_p") or name == "latency"), None)
    places: dict[str, int] = {}
    for name in names:
        of_metric = [one for one in sentences if one.metric == name]
        for at, one in enumerate(of_metric if name == decided else sorted(of_metric, key=_less_important)):
            places[one.text] = _place(one, at, decided, names[0], tail)
    found = [PlacedSentence(places[one.text], one.text, one.follows) for one in sentences]
    return [*found, *(PlacedSentence(_LAST, text) for text in second)]


def _is_answer(sentence: MetricSentence) -> bool:
    return sentence.overall or sentence.decided


def _less_important(sentence: MetricSentence) -> tuple[bool, bool]:
    """What sums up many claims comes first, then what is decided."""
    return (not sentence.overall, not sentence.decided)


def _place(sentence: MetricSentence, at: int, decided: str, first: str, tail: str | None) -> int:
    """The place of the sentence `at` this place among those of its metric."""
    if sentence.metric == decided:
        return at if at < _FIRST_METRIC else _FURTHER
    if at == 0 and sentence.metric in (first, tail):
        return _FIRST_METRIC if sentence.metric == first else _TAIL
    return _FURTHER if sentence.metric == tail else _LAST


def first_page(
    sentences: Sequence[PlacedSentence], growth: Sequence[str], traces: Sequence[str], doubts: Sequence[str]
) -> FirstPage:
    """The five most important sentences, in the order in which they are given, and the others.

    `sentences` are those on runs. Sentences on `growth` and `traces` that have no room are left out: their sections
    say the same.
    """
    doubts = list(dict.fromkeys(doubts))
    placed = [
        *dict.fromkeys((one.place, one.text) for one in sentences),
        *((_GROWTH, text) for text in growth),
        *((_TRACES, text) for text in traces),
        # The first doubt has a place before further claims; the others come last.
        *((_LAST if at else _DOUBT, text) for at, text in enumerate(doubts)),
    ]
    texts = {text for _, text in sorted(placed, key=lambda one: one[0])[:_MOST]}
    found = dict.fromkeys([*(one.text for one in sentences), *growth, *traces])
    return FirstPage(
        findings=tuple(text for text in found if text in texts),
        doubts=tuple(text for text in doubts if text in texts),
        more=tuple(dict.fromkeys(one.whole for one in sentences if one.text not in texts or one.follows)),
        notes=tuple(text for text in doubts if text not in texts),
    )
