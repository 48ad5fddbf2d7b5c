"""Follows a log while it is written: new lines are in the store a second later.

One thread reads; the calling thread parses and commits. For a commit, a copy of the parser ends the text there, so open
runs are stored as far as they go. The next commit deletes the rows that came from that end, and the parser continues.
"""

from __future__ import annotations

import dataclasses
import io
import math
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wrkparse.ingest.ingest import (
    FLUSH_ROWS,
    replaced_input,
    store_conclusions,
    store_studies,
    take_in_kept,
    with_stored_name,
)
from wrkparse.ingest.session import OnDiagnostic, Session
from wrkparse.ingest.source_reading import SourceReading
from wrkparse.ingest.summary import IngestSummary
from wrkparse.model.records import Diagnostic
from wrkparse.parse.checkpoint import Checkpoint, Tail, freeze, thaw
from wrkparse.source.blocks import NotTextError, standard_input
from wrkparse.source.discover import SourceFile, find_sources
from wrkparse.store.duckdb_file import real_path
from wrkparse.store.errors import StoreBusyError, StoreError
from wrkparse.store.kept import TakenStore, delete_taken, kept_path, note_kept, take_in
from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import StoreWriter, open_writer

_POLL_S = 0.2  # seconds between two attempts to read at the end of a file
_COMMIT_S = 1.0  # seconds between two commits, at least
_COMPARED = 256  # the last bytes that were read: they show whether a file was cut and filled again (copytruncate)
_START_S = 60.0  # seconds to wait for another process at the beginning
_BUSY_S = 0.2  # seconds that a commit waits for another process; it is tried again a second later
# Seconds after `stop` in which a pipe is still read (a program that the same signal ends prints its report), and in
# which a busy store is tried again.
_AFTER_STOP_S = 5.0
_MOST_BYTES = 8 << 20  # bytes that are parsed at once
_MOST_BLOCKS = 64  # blocks that the reading thread may be ahead

OnCommit = Callable[[IngestSummary, str, int], None]


def follow(
    path: str,
    store: Path,
    *,
    labels: Mapping[str, str] | None = None,
    report: OnDiagnostic | None = None,
    live: OnCommit | None = None,
    stop: threading.Event | None = None,
    hurry: threading.Event | None = None,
    waiting: Callable[[str], None] | None = None,
) -> IngestSummary:
    """Read a file, or ``-``, into a store as it grows, until `stop` is set or standard input ends.

    After `stop`, standard input is read until nothing more arrives, but only for a few seconds; `hurry` ends that, and
    the wait for a store.

    Commits about once a second, or less often if commits would take more than a fifth of the time. After each commit,
    `live` gets the counts so far, the source and its bytes. A rotated file is read to its end; then the new file of
    this name is read as another source. While another process has the store, rows are kept beside it; at the end, this
    function waits for the store. A few seconds after `stop`, it writes the rows of standard input that are left into
    another store beside this one, and raises `wrkparse.store.errors.StoreError`, as it does if a store can't be
    written; committed rows are kept.
    """
    started = time.monotonic()
    session = Session(labels or {}, report)
    found, problems = find_sources([path])
    session.note_found(len(found), problems)
    stop, hurry = stop or threading.Event(), hurry or threading.Event()
    for file in found[:1]:
        number = 1
        while _Follower(session, _numbered(file, number), store, stop, hurry, live, waiting).run():
            number += 1
            message = f"rotated; new lines are in {_numbered(file, number).source}"
            session.add_diagnostic(Diagnostic(file.source, None, "note", "rotated", message), file)
    session.update_summary()
    session.summary.seconds = time.monotonic() - started
    return session.summary


def _numbered(found: SourceFile, number: int) -> SourceFile:
    """The source of the file with this name after some rotations; the first file is number 1."""
    return found if number == 1 else dataclasses.replace(found, source=f"{found.source}~{number}")


class _GrowingFile(io.FileIO):
    """A file that waits for more data at its end.

    It ends when it is stopped or truncated, or when another file has its name.
    """

    def __init__(self, path: Path, stop: threading.Event) -> None:
        super().__init__(path)
        self._path, self._stop = path, stop
        self._last_bytes = b""  # the last bytes that were read
        self.rotated = False

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        while True:
            stopped, self.rotated = self._stop.is_set(), self._is_replaced()
            # renamed: the rest of the old file is still here. Truncated and filled again: it is gone
            if self.rotated and self._is_rewritten():
                return 0  # the data here now belongs to the next file
            if (count := super().readinto(buffer) or 0) or stopped or self.rotated:
                self._last_bytes = (self._last_bytes + bytes(buffer[max(0, count - _COMPARED) : count]))[-_COMPARED:]
                return count
            self._stop.wait(_POLL_S)

    def _is_replaced(self) -> bool:
        # The open file and the file of this name now: after a rotation, they differ.
        opened = os.fstat(self.fileno())
        try:
            named = self._path.stat()
        except OSError:
            return False  # renamed, and the new file is not there yet
        renamed = (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino)
        return renamed or named.st_size < self.tell() or self._is_rewritten()

    def _is_rewritten(self) -> bool:
        """Whether the last bytes that were read have changed: the file was truncated and filled again since."""
        position = self.tell()
        current = super().read(len(self._last_bytes)) if self.seek(position - len(self._last_bytes)) >= 0 else b""
        self.seek(position)
        # A reader may see zeros where a write is under way.
        return current != self._last_bytes and b"\0" not in self._last_bytes


class _StoreBeside(NamedTuple):
    """A store beside the store in use, if there is one, and what its next commit replaces in it."""

    path: Path | None = None
    tail: Tail = Tail()


class _Follower:
    """Reads one growing file into a store."""

    def __init__(
        self, session: Session, found: SourceFile, store: Path, stop: threading.Event, hurry: threading.Event,
        live: OnCommit | None, waiting: Callable[[str], None] | None,
    ) -> None:  # fmt: skip
        self._session, self._store, self._stop, self._live, self._waiting = session, store, stop, live, waiting
        self._hurry = hurry
        self._tail: Tail | None = None  # of the last commit; None: the next one replaces all rows of the source
        self._stream = _GrowingFile(found.path, stop) if isinstance(found.path, Path) else standard_input()
        self._given_up = math.inf  # the time from which neither a pipe nor a store is waited for
        self._kept, self._late = _StoreBeside(), False
        self._looked = False  # whether it has searched for rows that other processes kept beside the store
        self._reading = self._begin(found)
        self._queue: queue.Queue[bytes | Exception | None] = queue.Queue(_MOST_BLOCKS)

    def run(self) -> bool:
        """Read until the end. Returns whether it ended because the file was rotated."""
        threading.Thread(target=self._pump, daemon=True).start()
        deadline, has_new_rows, ended = time.monotonic() + _COMMIT_S, False, False
        while not ended:
            data, ended = self._next(deadline)
            if data:
                self._reading.feed(data)
                ended, has_new_rows = ended or self._reading.fault is not None, True
            if has_new_rows and not ended and time.monotonic() >= deadline:
                began = time.monotonic()
                self._commit()
                ended = self._reading.fault is not None
                # Commits take a fifth of the time at most, so that reading keeps up with a log.
                deadline, has_new_rows = time.monotonic() + max(_COMMIT_S, 4 * (time.monotonic() - began)), self._late
        self._commit(last=True)
        rotated = isinstance(self._stream, _GrowingFile) and self._stream.rotated
        return rotated and not self._stop.is_set() and not self._reading.fault

    def _begin(self, file: SourceFile) -> SourceReading:
        resume = None
        if file.path is not None and self._store.exists():  # the writer of a pipe must not be kept waiting
            # After a rotation (`kiwi.log~2`), lines are being written: giving up would lose them.
            wait_s = _START_S if "~" not in file.source else math.inf
            with open_writer(
                self._store, wait_s=wait_s, waiting=self._waiting, is_given_up=self._is_given_up
            ) as writer:
                names = {file.origin: file.source for file in writer.files.values() if file.origin}
                file = file if "~" in file.source else with_stored_name(file, names, writer.files)
                known = writer.files.get(file.source)
                resume = self._session.resume_point(known, file, file.stamp())
                if not resume:
                    self._session.note_rotated(known, file)
        self._source = file
        reading = SourceReading(self._session, file, resume)
        reading.blocks.stream = self._stream
        if resume:
            self._tail = resume.checkpoint.tail
        return reading

    def _pump(self) -> None:
        """Read blocks into the queue; runs in a thread."""
        try:
            for block in self._reading.blocks:
                self._queue.put(block)
            self._queue.put(None)
        except Exception as problem:  # noqa: BLE001 (`run` would wait for ever)
            self._queue.put(problem)

    def _next(self, deadline: float) -> tuple[bytes, bool]:
        """The bytes that arrive before a deadline, and whether the source has ended."""
        parts: list[bytes] = []
        is_pipe = not isinstance(self._stream, _GrowingFile)
        is_late = is_pipe and self._is_given_up()
        try:
            part = self._queue.get(
                timeout=_POLL_S if self._stop.is_set() else max(0.0, deadline - time.monotonic()) + 0.01
            )
            # all blocks that are there, so that a fast writer does not cause a parse for each
            while isinstance(part, bytes):
                parts.append(part)
                if sum(map(len, parts)) > _MOST_BYTES:
                    break
                part = self._queue.get_nowait()
            else:  # None or an error: the source has ended
                if isinstance(part, Exception):
                    self._fail(part)
                return b"".join(parts), True
        except queue.Empty:
            if self._stop.is_set() and not parts and is_pipe:
                return b"", True  # a read from a silent pipe can't be stopped
        return b"".join(parts), is_late

    def _is_given_up(self) -> bool:
        """Whether waiting is over: a signal to end came some seconds ago, or a second one came."""
        if self._stop.is_set() and self._given_up == math.inf:
            self._given_up = time.monotonic() + _AFTER_STOP_S
        return self._hurry.is_set() or time.monotonic() >= self._given_up

    def _fail(self, problem: Exception) -> None:
        """Report why a file can't be read further. What was read is kept."""
        summary, found = self._session.summary, self._source
        if isinstance(problem, NotTextError):
            summary.not_text += 1
            if diagnostic := problem.diagnostic(found):
                self._session.add_diagnostic(diagnostic, found)
        else:
            summary.failed += 1
            message = f"can't be read: {getattr(problem, 'strerror', None) or problem}"
            self._session.add_diagnostic(Diagnostic(found.source, None, "error", "unreadable", message), found)

    def _commit(self, *, last: bool = False) -> None:
        """Write the new rows into the store. While another process has the store, they are kept beside it."""
        frozen = None if last else freeze(Checkpoint(self._reading.parser, 0))
        checkpoint = thaw(frozen) if frozen else None
        if not last and not checkpoint:  # the parser can't be copied here, but perhaps after the next line
            return self._spill()
        taken: list[TakenStore] = []
        try:
            with open_writer(
                self._store, wait_s=math.inf if last else _BUSY_S, waiting=self._waiting if last else None,
                is_given_up=self._is_given_up,
            ) as writer:  # fmt: skip
                taken += self._take_in(writer)
                tail = self._write(writer, checkpoint, self._kept.tail if self._kept.path else self._tail)
                store_conclusions(writer, self._session)
        except StoreBusyError as busy:
            return self._keep_apart(busy, checkpoint, last=last)
        except StoreError as problem:
            if self._kept.path:
                raise StoreError(f"{problem}; {self._where_kept(self._kept.path)}") from problem
            raise
        delete_taken(taken)
        self._tail, self._kept, self._late = tail, _StoreBeside(), False
        if self._live:
            self._session.update_summary()
            self._live(self._session.summary, self._source.source, self._reading.blocks.size)
        return None

    def _take_in(self, writer: StoreWriter) -> list[TakenStore]:
        """Take in the rows that other processes have left beside the store, then the rows of this process."""
        store = real_path(self._store)
        taken = [] if self._looked else take_in_kept(writer, self._session, store)
        self._looked = True
        self._note_vanished()
        if self._kept.path:
            own = take_in(writer, store, self._kept.path)
            if own is None:
                raise StoreError(f"{self._kept.path} is in use or damaged")
            if own.replaced and self._source.path is None:
                self._session.add_diagnostic(replaced_input(own.source), self._source)
            taken.append(own)
        return taken

    def _note_vanished(self) -> None:
        """Go on if an ingest on another machine, which could not see this process, has taken in the kept rows."""
        if self._kept.path and not self._kept.path.exists():
            self._tail, self._kept = self._kept.tail, _StoreBeside()

    def _keep_apart(self, busy: StoreBusyError, checkpoint: Checkpoint | None, *, last: bool) -> None:
        """Commit rows to a store beside the one that is in use.

        At the end, StoreError says where they are. The last rows of a file are not kept, because they are read again.
        """
        if last and self._source.path is not None:
            if self._kept.path:
                self._kept.path.unlink(missing_ok=True)
            raise StoreError(f"{busy}; the end of {self._source.source} is not stored: ingest it again") from None
        try:
            with self._kept_writer(wait_s=_START_S if last else _BUSY_S) as writer:
                tail = self._write(writer, checkpoint, self._kept.tail)
                store_studies(writer, self._session)
            self._kept = self._kept._replace(tail=tail)
        except StoreBusyError:  # another process reads it; the rows stay in memory meanwhile
            if last:
                raise
        if last and self._kept.path:
            raise StoreError(f"{self._store} is in use by {busy.holder}; {self._where_kept(self._kept.path)}") from None
        if self._waiting and not self._late:
            note = "new rows are kept beside it until it is free"
            self._waiting(f"{self._store} is in use by {busy.holder}; {note}")
        self._late = True

    def _spill(self) -> None:
        """Keep the rows so far beside the store if they are many."""
        self._late = True
        if self._session.builder.row_count > FLUSH_ROWS:
            with suppress(StoreBusyError), self._kept_writer(_BUSY_S) as writer:
                writer.append(self._session.drain())

    @contextmanager
    def _kept_writer(self, wait_s: float) -> Iterator[StoreWriter]:
        """A writer of the store in which rows are kept."""
        self._note_vanished()
        store = real_path(self._store)
        path = self._kept.path or kept_path(store)
        with open_writer(path, wait_s=wait_s) as writer:
            note_kept(writer, store, self._source.source, self._tail)
            yield writer
        self._kept = self._kept._replace(path=path)

    def _where_kept(self, path: Path) -> str:
        return (
            f"what it lacks of {self._source.source} is kept in {path}, and the next ingest into {self._store.name} "
            "takes it in"
        )

    def _write(self, writer: StoreWriter, checkpoint: Checkpoint | None, before: Tail | None) -> Tail:
        """Write the rows so far, and those that result if the text ends here; the parser continues from `checkpoint`.

        They replace the rows in `before`, or all rows of the source. Returns what the next commit has to replace.
        """
        reading, session, found, tail = self._reading, self._session, self._source, Tail()
        state: IngestedFile | None
        if checkpoint is None:
            state = reading.finish(found.stamp())
        else:
            with session.uncounted():
                reading.end(tail)
            if reading.fault:  # neither counted nor reported yet
                session.builder.diagnostics[reading.fault.severity, reading.fault.code] += 1
                session.report(reading.fault, found)
            # the parser has ended its open runs; the copy goes on as if the text had not ended
            reading.parser = checkpoint.parser
            # size 0 and no settings: an ingest after a kill reads the file again
            state = IngestedFile(found.source, found.origin, 0, None, "", "")
        if before is None:
            if found.path is None and found.source in writer.files:
                session.add_diagnostic(replaced_input(found.source), found)
            writer.delete_sources([found.source])
        else:
            writer.delete_tail(found.source, before)
        writer.append(session.drain())
        writer.delete_events(session.lost_runs)
        if state and found.source not in session.faulty:
            writer.record_file(state)
        else:
            writer.forget_file(found.source)
        return tail
