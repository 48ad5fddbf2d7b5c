"""The log lines that points of figures come from, as many as an HTML page has room for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from wrkparse.dataset.queries.sql import sql_string
from wrkparse.report.exhibits.source_lines import source_lines
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset
    from wrkparse.plot.points import Point

# A page with the lines of 5,000 wrk runs, 2.5 MB of text, opens as fast as one without. Runs beyond this have only
# their place.
_MOST_CHARACTERS = 4_000_000
_MOST_LINES = 60  # of a run: ab prints about 50, an HdrHistogram of wrk2 some 150
_LONGEST_LINE = 240  # characters
_MOST_POINTS = 5_000  # of one figure: a browser looks through them each time the pointer moves
_MOST_RUNS_OF_POINT = 30  # the card of a point shows the first ones
_MOST_EVENT_LINES = 5_000  # of one source
_RUNS_PER_QUERY = 2_000  # bounds the length of the SQL text

Excerpts = dict[str, Any]


def shown_points(points: list[Point]) -> list[dict[str, Any]]:
    """The points of a figure for an HTML page, by setting and series, in the order of the first; empty if too many.

    A point is a list: x and y in points from the top left, the words of its card, its runs, the number of all its runs,
    and the line that states it, or None.
    """
    if len(points) > _MOST_POINTS:
        return []
    series: dict[tuple[str, str], list[list[Any]]] = {}
    for point in points:
        runs = list(point.runs[:_MOST_RUNS_OF_POINT])
        place = [round(point.x, 1), round(point.y, 1), printable(point.words), runs, len(point.runs), point.line]
        name = printable(point.series)
        series.setdefault((point.setting or name, name), []).append(place)
    return [{"setting": setting, "series": name, "points": places} for (setting, name), places in series.items()]


class ReferencedRuns:
    """The runs that points of figures in a notebook come from, in their order, and the lines of single events."""

    def __init__(self) -> None:
        self._lines: dict[str, set[int]] = {}

    def add(self, points: Iterable[Point]) -> None:
        """Remember the runs and lines of these points."""
        for point in points:
            for run in point.runs[:_MOST_RUNS_OF_POINT]:
                self._lines.setdefault(run, set()).update(() if point.line is None else (point.line,))

    def lines(self) -> dict[str, set[int]]:
        """The runs so far, each with the lines that points name."""
        return self._lines


REFERENCED_RUNS = ReferencedRuns()  # of the one notebook that a process executes for a report


def excerpts(ds: Dataset, named: Mapping[str, Collection[int]], data: object = None) -> Excerpts:
    """The places and lines of the `named` runs: ``sources`` are names, and ``runs`` has a list by identifier.

    The list of a run has the index of its source, its first line, its last line, and its texts: each is the number of
    its first line, and adjacent lines. Lines beyond the bounds are left out. Lines of events, which `named` has by run,
    are read from `data`, the logs that the dataset was made from; if `data` is a store, they are left out.
    """
    runs = list(named)
    names: dict[str, str] = {}
    found: dict[str, list[Any]] = {}
    left = _MOST_CHARACTERS
    for first in range(0, len(runs), _RUNS_PER_QUERY):
        listed = ", ".join(map(sql_string, runs[first : first + _RUNS_PER_QUERY]))
        for run, source, line, end in ds.sql(
            f"SELECT run, source, line, line_end FROM runs WHERE run IN ({listed})"
        ).itertuples(index=False):
            names[run] = source
            found[run] = [0, int(line), int(end), []]
        if left > 0:
            left -= _add_lines(ds, listed, found, left)
    sources = {source: at for at, source in enumerate(dict.fromkeys(names.values()))}
    for run, source in names.items():
        found[run][0] = sources[source]
    _add_events(ds, named, names, found, data)
    return {"sources": list(map(printable, sources)), "runs": {run: found[run] for run in runs if run in found}}


def _add_events(
    ds: Dataset, named: Mapping[str, Collection[int]], names: Mapping[str, str], found: dict[str, list[Any]],
    data: object,
) -> None:  # fmt: skip
    """Add the lines of events, which the dataset does not contain."""
    lacking: dict[str, set[int]] = {}
    for run, source in names.items():
        kept = {first + at for first, text in found[run][3] for at in range(text.count("\n") + 1)}
        lacking.setdefault(source, set()).update(set(named[run]) - kept)
    wanted = {source: sorted(lines)[:_MOST_EVENT_LINES] for source, lines in lacking.items() if lines}
    digests = dict(zip(*(ds.sources[name] for name in ("source", "digest")), strict=True)) if wanted else {}
    read = source_lines(data, wanted, digests)
    for run, source in names.items():
        texts = read.get(source, {})
        events = [(line, _shorten_line(texts[line])) for line in sorted(set(named[run]) & texts.keys())]
        found[run][3] += _join_adjacent(events)


def _add_lines(ds: Dataset, listed: str, found: dict[str, list[Any]], most: int) -> int:
    """Add the lines of the listed runs, at most `most` characters; return the number of characters."""
    rows = ds.sql(
        # One character more than is shown: it says whether the line is longer.
        f"SELECT run, line, left(text, {_LONGEST_LINE + 1}) AS text FROM texts WHERE run IN ({listed}) "
        f"QUALIFY row_number() OVER (PARTITION BY run ORDER BY line) <= {_MOST_LINES} ORDER BY run, line"
    )
    lines: dict[str, list[tuple[int, str]]] = {}
    for run, line, text in rows.itertuples(index=False):
        lines.setdefault(run, []).append((int(line), _shorten_line(text)))
    taken = 0
    for run, of_run in ((run, lines[run]) for run in found if run in lines):
        size = sum(len(text) for _, text in of_run)
        if taken + size > most:
            return most  # later runs have their place only
        taken += size
        found[run][3] = _join_adjacent(of_run)
    return taken


def _shorten_line(text: str) -> str:
    """The beginning of a line that a card shows."""
    return printable(f"{text[:_LONGEST_LINE]}…" if len(text) > _LONGEST_LINE else text)


def _join_adjacent(lines: list[tuple[int, str]]) -> list[list[Any]]:
    """Adjacent lines as one text, with the number of the first line."""
    pieces: list[list[Any]] = []
    after = -1
    for number, text in lines:
        if number == after:
            pieces[-1][1] += f"\n{text}"
        else:
            pieces.append([number, text])
        after = number + 1
    return pieces
