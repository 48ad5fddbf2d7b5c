"""Which sentences stand on the first page of a report, and which in its sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wrkparse.analysis.comparison.compare import ComparisonTable
from wrkparse.analysis.comparison.text.headline import headline
from wrkparse.analysis.comparison.text.sentences import Said, by_metric

_MOST = 5  # sentences of a first page
# Places in the order of importance. Who is ahead and the tail come before doubts, further claims after the growth.
_FIRST_METRIC, _TAIL, _DOUBT, _GROWTH, _TRACES, _FURTHER, _LAST = range(2, 9)


@dataclass(frozen=True)
class FirstPage:
    """``findings`` and ``doubts`` together are at most five sentences; ``more`` and ``notes`` are the others."""

    findings: tuple[str, ...]
    doubts: tuple[str, ...]
    more: tuple[str, ...]
    notes: tuple[str, ...]


def decided_metric(table: ComparisonTable) -> str:
    """The first metric that decides something, else the first one."""
    names = list(dict.fromkeys(map(str, table.cells["metric"])))
    return next((name for name in names if headline(table, name)), names[0])


def comparison_sentences(table: ComparisonTable, second: Sequence[str]) -> list[tuple[int, str]]:
    """The sentences of a comparison with their places; `second` are those on the next label that differs."""
    said = by_metric(table)
    decided = decided_metric(table)
    names = list(dict.fromkeys(one.metric for one in said))
    tail = next((name for name in names if name.startswith("latency_p") or name == "latency"), None)
    places: dict[str, int] = {}
    for name in names:
        ordered = sorted((one for one in said if one.metric == name), key=_less_important)
        for at, one in enumerate(ordered):
            places[one.text] = _place(one, at, decided, names[0], tail)
    found = [(places[one.text], f"{one.text} {one.follows}".rstrip()) for one in said]
    return [*found, *((_LAST, text) for text in second)]


def _less_important(said: Said) -> tuple[bool, bool]:
    """What sums up many claims comes first, then what is decided."""
    return (not said.overall, not said.decided)


def _place(said: Said, at: int, decided: str, first: str, tail: str | None) -> int:
    """The place of the sentence `at` this place among those of its metric."""
    if said.metric == decided:
        return at if at < _FIRST_METRIC else _FURTHER
    if at == 0 and said.metric in (first, tail):
        return _FIRST_METRIC if said.metric == first else _TAIL
    return _FURTHER if said.metric == tail else _LAST


def first_page(
    said: Sequence[tuple[int, str]], growth: Sequence[str], traces: Sequence[str], doubts: Sequence[str]
) -> FirstPage:
    """The five most important sentences, in the order in which they are given, and the others.

    `said` are sentences on runs with their places. Sentences on `growth` and `traces` that have no room are left out:
    their sections say the same.
    """
    doubts = list(dict.fromkeys(doubts))
    placed = list(_placed(said, growth, traces, doubts))
    chosen = sorted(sorted(range(len(placed)), key=lambda at: placed[at][0])[:_MOST])
    texts = {placed[at][1] for at in chosen}
    found = [text for _, text in said] + [*growth, *traces]
    return FirstPage(
        findings=tuple(dict.fromkeys(text for text in found if text in texts)),
        doubts=tuple(text for text in doubts if text in texts),
        more=tuple(dict.fromkeys(text for _, text in said if text not in texts)),
        notes=tuple(text for text in doubts if text not in texts),
    )


def _placed(
    said: Sequence[tuple[int, str]], growth: Sequence[str], traces: Sequence[str], doubts: Sequence[str]
) -> Iterator[tuple[int, str]]:
    yield from dict.fromkeys(said)
    yield from ((_GROWTH, text) for text in growth)
    yield from ((_TRACES, text) for text in traces)
    yield from ((_DOUBT if at == 0 else _LAST, text) for at, text in enumerate(doubts))
