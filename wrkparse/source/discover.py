"""Finding what is to be read: files, all files below directories or URLs, standard input."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wrkparse.model.records import Diagnostic
from wrkparse.source import remote

if TYPE_CHECKING:
    from upath import UPath

STUDY_FILE = "wrkparse.yaml"
STDIN = "<stdin>"
_HIDDEN = (".", "__pycache__")


class FileStamp(NamedTuple):
    """A file's size in bytes, and when it was last changed; None where its storage does not say.

    ``identity`` is its device and number on this machine: of two names, whether they are of one file.
    """

    size: int
    mtime_ns: int | None
    identity: tuple[int, int] | None = None


@dataclass(frozen=True)
class SourceFile:
    """Something to read. ``source`` is its name in the tables (`utf8_name`), ``location`` None for standard input."""

    source: str
    location: (
        Path | UPath | str | None
    )  # of a local file its name will do: a Path takes longer to make than to look there
    display_path: str  # as a person at this terminal would name it
    named_by_user: bool  # named by the user, not met in a directory
    input_label: str | None = None
    known_stamp: FileStamp | None = None  # by the storage that it is in; of a local file its directory says nothing

    @functools.cached_property
    def path(self) -> Path | UPath | None:
        """Where it is."""
        return Path(self.location) if isinstance(self.location, str) else self.location

    @property
    def local(self) -> bool:
        """Whether it is a file of this machine."""
        return isinstance(self.location, str | Path)

    def stamp(self) -> FileStamp | None:
        """Size and time stamp; None for standard input and for what can't be looked at."""
        if self.known_stamp is not None or self.location is None:
            return self.known_stamp
        try:
            if isinstance(self.location, str | Path):
                stat = os.stat(self.location)  # noqa: PTH116 (faster)
                return FileStamp(stat.st_size, stat.st_mtime_ns, (stat.st_dev, stat.st_ino))
            far = self.location.stat()
        except OSError:
            return None
        return FileStamp(far.st_size, far.st_mtime_ns)

    @functools.cached_property
    def origin(self) -> str | None:
        """Where it is on this machine."""
        if isinstance(self.location, str) and os.sep == "/":
            return utf8_name(os.path.join(os.getcwd(), self.location))  # noqa: PTH109, PTH118 (faster)
        return None if self.path is None else utf8_name(str(self.path.absolute()))


def utf8_name(name: str) -> str:
    r"""A name of the file system as text that every table takes: a byte that is not UTF-8 is written ``\xff``."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def find_sources(arguments: list[str]) -> tuple[list[SourceFile], list[Diagnostic]]:
    """What the PATH arguments stand for: files, all files below directories, ``-``, each with ``label=`` in front.

    A missing path, or a directory without files, is a diagnostic (code ``missing``, ``empty``); the rest is still
    found. Of two files that would have the same source name, both get as much of their directories in front as tells
    them apart.
    """
    found: dict[str | None, SourceFile] = {}
    problems: list[Diagnostic] = []
    for argument in arguments:
        label, path = _split_label(argument)
        if path == "-":
            found[None] = SourceFile(label or STDIN, None, label or STDIN, True, label)
        elif remote.is_url(path):
            elsewhere = list(_elsewhere(path, label, problems))
            found |= {item.origin: item for item in elsewhere}
        elif Path(path).is_dir():
            below = list(_walk(Path(path), label))
            for item in below:
                found.setdefault(item.origin, item)
            if not below:
                problems.append(Diagnostic(utf8_name(argument), None, "error", "empty", "no files in this directory"))
        elif os.path.lexists(path):
            item = _file(Path(path), label)
            found[item.origin] = item
        else:
            problems.append(Diagnostic(utf8_name(argument), None, "error", "missing", "no such file or directory"))
    return _told_apart(list(found.values())), problems


def _file(path: Path, label: str | None) -> SourceFile:
    name = path.name if path.is_absolute() or ".." in path.parts else path.as_posix()
    return SourceFile(utf8_name(f"{label}/{path.name}" if label else name), path, str(path), True, label)


def _split_label(argument: str) -> tuple[str | None, str]:
    label, equals, path = argument.partition("=")
    if not equals or not label or "/" in label or os.path.lexists(argument):
        return None, argument
    return utf8_name(label), path


def _walk(root: Path, label: str | None) -> Iterator[SourceFile]:
    """The files below a directory; those of a directory before those of the directories in it, each by name."""
    top = root.parts  # none of the directory that one is in
    waiting = [(str(root), f"{label}/" if label else "")]
    while waiting:
        directory, above = waiting.pop()
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name != STUDY_FILE and not entry.name.startswith(".") and _is_file(entry):
                name = entry.path if top else entry.path[len(os.curdir + os.sep) :]
                yield SourceFile(utf8_name(above + entry.name), name, name, False, label)
        waiting += [
            (entry.path, f"{above}{entry.name}/")
            for entry in reversed(entries)
            if not entry.name.startswith(_HIDDEN) and entry.is_dir(follow_symlinks=False)
        ]


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()  # no socket, pipe, dangling link
    except OSError:
        return False


def _elsewhere(url: str, label: str | None, problems: list[Diagnostic]) -> Iterator[SourceFile]:
    """The files at or below a URL, named as those of a directory are."""
    try:
        files = remote.list_files(remote.url_path(url))
    except (OSError, remote.MissingExtraError) as problem:
        problems.append(Diagnostic(utf8_name(url), None, "error", "missing", f"can't be reached: {_said(problem)}"))
        return
    if not files:
        problems.append(Diagnostic(utf8_name(url), None, "error", "missing", "no files there"))
    for path, name, size, mtime_ns in files:
        parts = (name or path.name).split("/")
        if not name or not (any(part.startswith(_HIDDEN) for part in parts) or path.name == STUDY_FILE):
            source = "/".join([label, *parts] if label else parts)
            yield SourceFile(utf8_name(source), path, str(path), not name, label, FileStamp(size, mtime_ns))


def _said(problem: Exception) -> str:
    return str(getattr(problem, "strerror", None) or problem)


def _told_apart(found: list[SourceFile]) -> list[SourceFile]:
    """Give sources of the same name as many of their parent directories as it takes."""
    if len({item.source for item in found}) == len(found):
        return found
    by_name: dict[str, list[SourceFile]] = {}
    for item in found:
        by_name.setdefault(item.source, []).append(item)
    apart: list[SourceFile] = []
    for items in by_name.values():
        depth, named = 0, items
        longest = max(len(item.path.absolute().parts) if item.path else 0 for item in items)
        while len({item.source for item in named}) < len(items) and depth < longest:
            depth += 1
            named = [with_parent_directories(item, depth) for item in items]
        apart += named
    return apart


def with_parent_directories(item: SourceFile, depth: int) -> SourceFile:
    """A source under a name that begins with this many more of its parent directories."""
    if item.path is None:
        return item
    keep = len(Path(item.source).parts) + depth
    name = "/".join(bare for part in item.path.absolute().parts[-keep:] if (bare := part.strip("/")))
    return dataclasses.replace(item, source=utf8_name(name))
