"""Keeping up with a log that is being written: what has come is in the store a second later.

A thread reads, this one parses and commits. Each commit ends a copy of the reader, so that open runs are there as far
as they go; the next takes back what that end gave, and goes on with the reader itself.
"""

from __future__ import annotations

import dataclasses
import io
import os
import queue
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from wrkparse.ingest.ingest import store_studies_and_verdicts, with_stored_name
from wrkparse.ingest.session import OnDiagnostic, ResumePoint, Session, SourceReading, Summary
from wrkparse.model.records import Diagnostic
from wrkparse.parse.checkpoint import Checkpoint, Tail, freeze, thaw
from wrkparse.source.blocks import BlockReader, NotTextError, standard_input
from wrkparse.source.discover import SourceFile, find_sources
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import open_writer

_POLL_S = 0.2
_COMMIT_S = 1.0
_MOST_WAITING = 8 << 20  # bytes parsed at once
_PIECES = 64  # blocks that the reading thread may be ahead

Live = Callable[[Summary, str, int], None]


def follow(
    path: str,
    store: Path,
    *,
    labels: Mapping[str, str] | None = None,
    report: OnDiagnostic | None = None,
    live: Live | None = None,
    stop: threading.Event | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Summary:
    """Read a file, or ``-``, into a store as it grows, until `stop` is set or standard input ends.

    Commits about once a second, and seldom enough not to spend more than a fifth of the time on it. `live` is told
    after each commit the numbers so far, the source and its bytes. A file that is rotated is read to its end, then the
    new one of this name as a source of its own. Raises `wrkparse.store.errors.StoreError`; what was committed stays.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    found, problems = find_sources([path])
    for problem in problems:
        session.add_diagnostic(problem, None)
    session.summary.found, session.summary.failed = len(found), len(problems)
    stop = stop or threading.Event()
    for item in found[:1]:
        number = 1
        while _Follower(session, _numbered(item, number), store, stop, live, waiting).run():
            number += 1
            said = f"rotated; what comes now is in {_numbered(item, number).source}"
            session.add_diagnostic(Diagnostic(item.source, None, "note", "rotated", said), item)
    session.update_summary()
    session.summary.seconds = time.monotonic() - started
    return session.summary


def _numbered(found: SourceFile, number: int) -> SourceFile:
    """The source for the file that bears a name after so many rotations."""
    return found if number == 1 else dataclasses.replace(found, source=f"{found.source}~{number}")


class _Growing(io.FileIO):
    """A file at whose end is waited for more; it ends when it is stopped, cut, or another has taken its name."""

    def __init__(self, path: Path, stop: threading.Event) -> None:
        super().__init__(path)
        self._path, self._stop = path, stop
        self.rotated = False

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        while True:
            stopped, self.rotated = self._stop.is_set(), self._is_another()
            if (got := super().readinto(buffer) or 0) or stopped or self.rotated:
                return got
            self._stop.wait(_POLL_S)

    def _is_another(self) -> bool:
        mine = os.fstat(self.fileno())
        try:
            named = self._path.stat()
        except OSError:
            return False  # between the old file's move and the new one's making
        return (named.st_dev, named.st_ino) != (mine.st_dev, mine.st_ino) or named.st_size < self.tell()


class _Follower:
    """One file while it grows."""

    def __init__(
        self, session: Session, found: SourceFile, store: Path, stop: threading.Event, live: Live | None,
        waiting: Callable[[str], None] | None,
    ) -> None:  # fmt: skip
        self._session, self._store, self._stop, self._live, self._waiting = session, store, stop, live, waiting
        self._tail: Tail | None = None  # of the last commit; None: all that the store has of the source goes
        self._stream = _Growing(found.path, stop) if isinstance(found.path, Path) else standard_input()
        self._reading = self._begin(found)
        self._queue: queue.Queue[bytes | Exception | None] = queue.Queue(_PIECES)

    def run(self) -> bool:
        """Read until the end; whether it ended because the file was rotated."""
        threading.Thread(target=self._pump, daemon=True).start()
        due, new, ended = time.monotonic() + _COMMIT_S, False, False
        while not ended:
            data, ended = self._next(due)
            if data:
                self._reading.feed(data)
                new = True
            if new and not ended and time.monotonic() >= due:
                began = time.monotonic()
                self._commit()
                due, new = time.monotonic() + max(_COMMIT_S, 4 * (time.monotonic() - began)), False
        self._commit(last=True)
        return isinstance(self._stream, _Growing) and self._stream.rotated and not self._stop.is_set()

    def _begin(self, found: SourceFile) -> SourceReading:
        begun = None
        if self._store.exists():
            with open_writer(self._store, waiting=self._waiting) as writer:
                names = {state.origin: state.source for state in writer.files.values() if state.origin}
                found = found if "~" in found.source else with_stored_name(found, names, writer.files)
                begun = self._session.resume_point(writer.files.get(found.source), found, found.stamp())
        self._found = found
        text = begun.text if begun else BlockReader(found)
        blocks.stream = self._stream
        if begun:
            self._tail = begun.checkpoint.tail
        reading = SourceReading(self._session, found, begun and ResumePoint(text, begun.checkpoint))
        reading.text = text
        return reading

    def _pump(self) -> None:
        """What the reading thread does."""
        try:
            for block in self._reading.text:
                self._queue.put(block)
            self._queue.put(None)
        except (OSError, NotTextError) as problem:
            self._queue.put(problem)

    def _next(self, due: float) -> tuple[bytes, bool]:
        """What has come until then, and whether that is the end."""
        parts: list[bytes] = []
        try:
            part = self._queue.get(timeout=_POLL_S if self._stop.is_set() else max(0.0, due - time.monotonic()) + 0.01)
            while isinstance(part, bytes):
                parts.append(part)
                if sum(map(len, parts)) > _MOST_WAITING:
                    break
                part = self._queue.get_nowait()
            else:
                if isinstance(part, Exception):
                    self._fail(part)
                return b"".join(parts), True
        except queue.Empty:
            blocked = self._stop.is_set() and not parts and not isinstance(self._stream, _Growing)
            return b"".join(parts), blocked  # a pipe that nobody writes to can't be asked to stop
        return b"".join(parts), False

    def _fail(self, problem: Exception) -> None:
        """Say why a file can't be read on; what was read stays."""
        summary, found = self._session.summary, self._found
        if isinstance(problem, NotTextError):
            summary.not_text += 1
            self._session.add_diagnostic(
                Diagnostic(found.source, None, "note", "not-text", "not text; nothing read"), found
            )
        else:
            summary.failed += 1
            message = f"can't be read: {getattr(problem, 'strerror', None) or problem}"
            self._session.add_diagnostic(Diagnostic(found.source, None, "error", "unreadable", message), found)

    def _commit(self, *, last: bool = False) -> None:
        reading, session, found = self._reading, self._session, self._found
        if last:
            state = reading.finish(found.stamp())
            tail = Tail()
        else:
            frozen = freeze(Checkpoint(reading.reader, 0))
            kept = frozen and thaw(frozen)
            if not kept:
                return  # a reader that can't be copied now may be after the next line
            tail = Tail()
            with session.uncounted():
                reading.end(tail)
            reading.reader = kept.reader
            state = IngestedFile(found.source, found.origin, 0, None, "", "")
        with open_writer(self._store, waiting=self._waiting) as writer:
            if self._tail is None:
                writer.delete_sources([found.source])
            else:
                writer.delete_tail(found.source, self._tail)
            writer.append(session.builder.drain())
            writer.record_file(state)
            store_studies_and_verdicts(writer, session)
        self._tail = tail
        if self._live:
            session.update_summary()
            self._live(session.summary, found.source, reading.text.size)
