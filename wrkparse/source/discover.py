"""Finding sources: files, all files below directories or URLs, standard input."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from wrkparse.model.records import Diagnostic
from wrkparse.source import remote

if TYPE_CHECKING:
    from upath import UPath

STUDY_FILE = "wrkparse.yaml"
STDIN = "<stdin>"
SEARCH_CODES = ("empty", "missing", "not-a-file", "unreadable")
"""The codes of the diagnostics of a search."""
ARCHIVES = ("gz", "bz2", "xz", "lzma", "zst", "lz4")  # suffixes of compressed files
_HIDDEN = (".", "__pycache__")
_MOST_NAMED = 5  # entries of a directory in a message


def without_archive_suffix(name: str) -> str:
    """A file's name or path without the suffix of compression: ``c64.txt.gz`` → ``c64.txt``."""
    while (parts := name.rpartition("."))[2].lower() in ARCHIVES:
        name = parts[0]
    return name


class FileStamp(NamedTuple):
    """A file's size in bytes and the time of its last change; None if its storage does not say.

    ``identity`` is the device and inode of a local file: two names with the same identity are one file.
    """

    size: int
    mtime_ns: int | None
    identity: tuple[int, int] | None = None

    @classmethod
    def of(cls, stat: os.stat_result) -> Self:
        """The stamp of a local file."""
        return cls(stat.st_size, stat.st_mtime_ns, (stat.st_dev, stat.st_ino))


@dataclass(frozen=True)
class SourceFile:
    """A file or stream that is read. ``source`` is its name in the tables; ``location`` is None for standard input."""

    source: str
    location: Path | UPath | str | None  # a str, because making a Path takes longer than os.stat
    display_path: str  # as a message on this terminal names it
    named_by_user: bool  # false for a file below a directory
    input_label: str | None = None
    known_stamp: FileStamp | None = None  # from the listing of a remote storage
    directory: str | None = None  # the absolute path of the directory of a local file, if it is known

    @functools.cached_property
    def path(self) -> Path | UPath | None:
        """Where it is, None for standard input."""
        return Path(self.location) if isinstance(self.location, str) else self.location

    @property
    def local(self) -> bool:
        """Whether it is a local file."""
        return isinstance(self.location, str | Path)

    def stamp(self) -> FileStamp | None:
        """Size and time stamp; None for standard input and for a file that can't be examined."""
        if self.known_stamp is not None or self.location is None:
            return self.known_stamp
        try:
            if isinstance(self.location, str | Path):
                return FileStamp.of(os.stat(self.location))  # noqa: PTH116 (faster)
            remote_stat = self.location.stat()
        except OSError:
            return None
        return FileStamp(remote_stat.st_size, remote_stat.st_mtime_ns)

    @functools.cached_property
    def origin(self) -> str | None:
        """The absolute path, None for standard input. Different spellings with ``..`` give the same path."""
        if self.directory is not None and isinstance(self.location, str):
            found = f"{self.directory}/{self.location.rpartition('/')[2]}"
        elif isinstance(self.location, str) and os.sep == "/":
            found = os.path.join(os.getcwd(), self.location)  # noqa: PTH109, PTH118 (faster)
        elif self.path is None:
            return None
        else:
            found = str(self.path.absolute())
        if f"{os.sep}{os.pardir}{os.sep}" in found and self.local:
            path = Path(found)
            found = str(path.parent.resolve() / path.name)
        return utf8_name(found)


def utf8_name(name: str) -> str:
    r"""A file name as valid UTF-8: other bytes are written as ``\xff``."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def find_sources(arguments: list[str]) -> tuple[list[SourceFile], list[Diagnostic]]:
    """The sources that PATH arguments name.

    Each is a file, a directory (all files below it) or ``-``, with an optional ``label=``.

    A missing path or an empty directory gives a diagnostic (code ``missing``, ``empty``), and so does a directory that
    can't be read (``unreadable``) or has entries that are not read (``not-a-file``). The search goes on after each of
    these. If two files would have the same source name, both get as many parent directories as it takes to make the
    names differ.
    """
    found: dict[str | None, SourceFile] = {}
    problems: list[Diagnostic] = []
    for argument in arguments:
        label, path = split_label(argument)
        if path == "-":
            found[None] = SourceFile(label or STDIN, None, label or STDIN, True, label)
        elif remote.is_url(path):
            remote_files = list(_remote_files(path, label, problems))
            found |= {file.origin: file for file in remote_files}
        elif Path(path).is_dir():
            known = len(problems)
            below = list(_walk(Path(path), label, problems))
            for file in below:
                found.setdefault(file.origin, file)
            if not below and not any(problem.severity == "error" for problem in problems[known:]):
                problems.append(Diagnostic(utf8_name(argument), None, "error", "empty", "no files in this directory"))
        elif os.path.lexists(path):
            file = _file(Path(path), label)
            found[file.origin] = file
        else:
            problems.append(Diagnostic(utf8_name(argument), None, "error", "missing", "no such file or directory"))
    return with_unique_names(list(found.values())), problems


def _file(path: Path, label: str | None) -> SourceFile:
    name = path.name if path.is_absolute() or ".." in path.parts else path.as_posix()
    return SourceFile(utf8_name(f"{label}/{path.name}" if label else name), path, str(path), True, label)


def split_label(argument: str) -> tuple[str | None, str]:
    """The label in front of a PATH argument, if there is one, and the path. A path that exists has no label."""
    label, equals, path = argument.partition("=")
    if not equals or not label or "/" in label or os.path.lexists(argument):
        return None, argument
    return utf8_name(label), path


def _walk(root: Path, label: str | None, problems: list[Diagnostic]) -> Iterator[SourceFile]:
    """The files below a directory, sorted by name; a directory's files come before its subdirectories."""
    top = root.parts  # () for the current directory
    waiting = [(str(root), f"{label}/" if label else "")]
    while waiting:
        directory, above = waiting.pop()
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as problem:
            message = f"can't be read: {problem.strerror or problem}; files below it are missing"
            problems.append(Diagnostic(utf8_name(directory), None, "error", "unreadable", message))
            continue
        known = os.path.join(os.getcwd(), directory) if top and os.sep == "/" else None  # noqa: PTH109, PTH118 (faster)
        unread: list[str] = []
        for entry in entries:
            if entry.name == STUDY_FILE or entry.name.startswith("."):
                continue
            if _is_file(entry):
                name = entry.path if top else entry.path[len(os.curdir + os.sep) :]
                yield SourceFile(utf8_name(above + entry.name), name, name, False, label, None, known)
            elif why := _why_unread(entry, root):
                unread.append(f"{utf8_name(entry.name)} ({why})")
        if unread:
            more = f" and {len(unread) - _MOST_NAMED} more" if len(unread) > _MOST_NAMED else ""
            message = f"not read: {', '.join(unread[:_MOST_NAMED])}{more}"
            problems.append(Diagnostic(utf8_name(directory), None, "note", "not-a-file", message))
        waiting += [
            (entry.path, f"{above}{entry.name}/")
            # the list is a stack: the last one added is walked first
            for entry in reversed(entries)
            if not entry.name.startswith(_HIDDEN) and entry.is_dir(follow_symlinks=False)
        ]


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()  # not a socket, a pipe or a dangling link
    except OSError:
        return False


def _why_unread(entry: os.DirEntry[str], root: Path) -> str:
    """Why an entry of a directory below `root` is not read; empty for a directory, and a link to one that is read."""
    if not entry.is_symlink():
        return "" if entry.is_dir(follow_symlinks=False) else "a pipe, a socket or a device"
    if not os.path.exists(entry.path):  # noqa: PTH110 (no exception for a link to itself)
        return "a link to nothing"
    if not entry.is_dir():
        return "a link to a pipe, a socket or a device"
    return "" if Path(entry.path).resolve().is_relative_to(root.resolve()) else "a link to a directory"


def _remote_files(url: str, label: str | None, problems: list[Diagnostic]) -> Iterator[SourceFile]:
    """The files at or below a URL, with names relative to it."""
    try:
        files = remote.list_files(remote.url_path(url))
    except (OSError, remote.MissingExtraError) as problem:
        problems.append(Diagnostic(utf8_name(url), None, "error", "missing", f"can't be reached: {_describe(problem)}"))
        return
    if not files:
        problems.append(Diagnostic(utf8_name(url), None, "error", "missing", "no files there"))
    for path, name, size, mtime_ns in files:
        parts = (name or path.name).split("/")
        if not name or not (any(part.startswith(_HIDDEN) for part in parts) or path.name == STUDY_FILE):
            source = "/".join([label, *parts] if label else parts)
            yield SourceFile(utf8_name(source), path, str(path), not name, label, FileStamp(size, mtime_ns))


def _describe(problem: Exception) -> str:
    return str(getattr(problem, "strerror", None) or problem)


def with_unique_names(found: list[SourceFile]) -> list[SourceFile]:
    """Put parent directories in front of equal source names until they differ."""
    if len({file.source for file in found}) == len(found):
        return found
    by_name: dict[str, list[SourceFile]] = {}
    for file in found:
        by_name.setdefault(file.source, []).append(file)
    renamed: list[SourceFile] = []
    for items in by_name.values():
        depth, named = 0, items
        longest = max(len(file.path.absolute().parts) if file.path else 0 for file in items)
        while len({file.source for file in named}) < len(items) and depth < longest:
            depth += 1
            named = [with_parent_directories(file, depth) for file in items]
        renamed += named
    return renamed


def with_parent_directories(file: SourceFile, depth: int) -> SourceFile:
    """The source under a name with `depth` more parent directories."""
    if file.path is None:
        return file
    keep = len(Path(file.source).parts) + depth
    name = "/".join(bare for part in file.path.absolute().parts[-keep:] if (bare := part.strip("/")))
    return dataclasses.replace(file, source=utf8_name(name))
