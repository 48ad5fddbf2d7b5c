"""Waits for logs, or a store, to change."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from wrkparse.source.discover import FileStamp, find_sources

_POLL_S = 0.5  # seconds between two looks at the files
_QUIET_S = 1.0  # seconds without a change before a report is made: a file is often written in pieces
_MOST_S = 10.0  # seconds that a report waits while changes go on

Stamps = dict[str, FileStamp | None]


def watch_changes(
    places: Sequence[Path], stop: threading.Event, *, without: Collection[Path] = (), quiet_s: float = _QUIET_S,
    most_s: float = _MOST_S,
) -> Iterator[None]:  # fmt: skip
    """Yield at once, and again whenever files below `places` have changed, until `stop` is set.

    A change counts when nothing has changed for `quiet_s`; if changes continue, after `most_s`, or after four times as
    long as the caller took for the previous change. Files in `without` are ignored, because a report may be among its
    logs.
    """
    left_out = {path.resolve() for path in without}
    seen = _stamps(places, left_out)
    while not stop.is_set():
        began = time.monotonic()
        yield
        longest = max(most_s, 4 * (time.monotonic() - began))
        seen = _next(places, left_out, seen, stop, quiet_s, longest)


def _next(
    places: Sequence[Path], left_out: Collection[Path], seen: Stamps, stop: threading.Event, quiet_s: float,
    longest_s: float,
) -> Stamps:  # fmt: skip
    """Wait until the stamps differ from those `seen`, and then for quiet; returns the stamps."""
    first = last = 0.0
    now = seen
    while not stop.is_set():
        before, now = now, _stamps(places, left_out)
        moment = time.monotonic()
        if now != before:
            last = moment
            first = first or moment
        if first and (moment - last >= quiet_s or moment - first >= longest_s):
            return now
        stop.wait(min(_POLL_S, quiet_s / 2))
    return now


def _stamps(places: Sequence[Path], left_out: Collection[Path]) -> Stamps:
    """Size and time of each file by its path; a Parquet store is also a directory of files."""
    files, _ = find_sources([str(place) for place in places if place.exists()])
    return {
        str(file.location): file.stamp()
        for file in files
        if file.location is None or Path(str(file.location)).resolve() not in left_out
    }
