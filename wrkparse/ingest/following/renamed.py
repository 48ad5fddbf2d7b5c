"""Recognises renamed files (such as logs that logrotate renames) and copies by their content.

A renamed file is read again under its new name, and its rows under the old name are deleted. So every source has the
current name of its file, and labels come from its current place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wrkparse.ingest.parallel.workers import PendingFile
from wrkparse.model.records import Diagnostic
from wrkparse.source.content import prefix_digests
from wrkparse.source.discover import SourceFile
from wrkparse.source.remote import is_url
from wrkparse.store.parquet_store import IngestedFile

if TYPE_CHECKING:
    from wrkparse.ingest.session import Session
    from wrkparse.store.writer import StoreWriter


def renamed_files(pending: Iterable[PendingFile], writer: StoreWriter) -> dict[str, list[str]]:
    """The stored sources whose files are gone, by the pending source that contains their text."""
    files = [file.source_file for file in pending if not file.resume and file.source_file.local]
    missing = {file.source for file in writer.files.values() if _may_be_gone(file)} if files else set()
    by_content = _by_content(writer.files[source] for source in writer.sources_with_runs(missing)) if missing else {}
    found: dict[str, list[str]] = {}
    for file in files if by_content else ():
        # The text that was stored may be only the beginning: a log that grew and was then renamed.
        digests = prefix_digests(file, {size for size, _ in by_content})
        for content in digests & by_content.keys():
            if lost := [known.source for known in by_content.pop(content) if not _is_there(known)]:
                found.setdefault(file.source, []).extend(lost)
    return found


def note_renamed(file: SourceFile, before: Iterable[str], session: Session) -> None:
    """Note under which names a renamed file was stored."""
    message = (
        f"this is {', '.join(sorted(before))}, renamed since it was last read; its runs are under the new name now"
    )
    session.add_diagnostic(Diagnostic(file.source, None, "note", "renamed", message), file)


def note_copies(pending: Iterable[PendingFile], writer: StoreWriter, session: Session) -> None:
    """Note which files with runs have the same text as another source."""
    read = {file.source_file.source: file.source_file for file in pending if not file.resume}
    equal = [files for files in _by_content(writer.files.values()).values() if len(files) > 1]
    equal = [files for files in equal if any(file.source in read for file in files[1:])]
    with_runs = writer.sources_with_runs(file.source for files in equal for file in files) if equal else set()
    for first, *copies in equal:
        for source in (file.source for file in copies if file.source in read and file.source in with_runs):
            message = f"the same text as {first.source}; the runs of both are stored"
            session.add_diagnostic(Diagnostic(source, None, "note", "copied-file", message), read[source])


def _by_content(files: Iterable[IngestedFile]) -> dict[tuple[int, str], list[IngestedFile]]:
    found: dict[tuple[int, str], list[IngestedFile]] = {}
    for file in files:
        # All empty files have the same text, but none is a copy of another.
        if file.size:
            found.setdefault((file.size, file.digest), []).append(file)
    return found


def _may_be_gone(known: IngestedFile) -> bool:
    """Whether the file of a source may have been renamed: no file has the old name, or that file has changed."""
    if not known.origin or is_url(known.origin) or (os.sep == "/" and "\\x" in known.origin):
        return False  # the last: a name that is not UTF-8 is stored in another form
    try:
        now = os.stat(known.origin)  # noqa: PTH116 (faster)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return (now.st_size, now.st_mtime_ns) != (known.size, known.mtime_ns)


def _is_there(known: IngestedFile) -> bool:
    """Whether the file of a source still contains, or begins with, the text that was read."""
    file = SourceFile(known.source, known.origin, known.source, named_by_user=False)
    return (known.size, known.digest) in prefix_digests(file, {known.size})
