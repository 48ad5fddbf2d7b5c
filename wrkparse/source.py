"""Finding and opening what is to be read: files, directories, standard input; plain or compressed; any encoding.

Everything above this module sees blocks of UTF-8 text that end where a line does.
"""

from __future__ import annotations

import bz2
import codecs
import dataclasses
import errno
import functools
import gzip
import hashlib
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

import pyarrow as pa

from wrkparse import remote
from wrkparse.records import Diagnostic

if TYPE_CHECKING:
    from upath import UPath

BLOCK = 1 << 20  # what is made of it stays in the processor's cache
_PIECE = 128 << 10  # of decompressed data: what may be lost before damage
STUDY_FILE = "wrkparse.yaml"
STDIN = "<stdin>"
_LONGEST_LINE = 8 << 20
_SNIFF = 8192
# Decompressed, a text may be so long whatever was stored, and beyond that so many times as long: logs come to 300.
_LONGEST_UNPACKED = 1 << 30
_MOST_PACKED = 1000
_HIDDEN = (".", "__pycache__")

_OPENERS: dict[bytes, Callable[[BinaryIO], BinaryIO]] = {
    b"\x1f\x8b": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw)),
    b"BZh": lambda raw: cast(BinaryIO, bz2.BZ2File(raw)),
    b"\xfd7zXZ\x00": lambda raw: cast(BinaryIO, lzma.LZMAFile(raw)),  # noqa: SIM115 (not ours to close)
    b"\x28\xb5\x2f\xfd": lambda raw: cast(BinaryIO, pa.CompressedInputStream(pa.PythonFile(raw, "r"), "zstd")),
}
_DAMAGE = (EOFError, lzma.LZMAError, zlib.error, OSError)


class State(NamedTuple):
    """A file's size in bytes, and when it was last changed; None where its storage does not say."""

    size: int
    mtime_ns: int | None


@dataclass(frozen=True)
class Found:
    """Something to read. ``source`` is its name in the tables (`legible`), ``path`` None for standard input."""

    source: str
    path: Path | UPath | None
    shown: str  # as a person at this terminal would name it
    asked_for: bool  # named by the user, not met in a directory
    input_label: str | None = None
    listed: State | None = None  # by the storage that it is in; of a local file its directory says nothing

    def state(self) -> State | None:
        """Size and time stamp; None for standard input and for what can't be looked at."""
        if self.listed is not None or self.path is None:
            return self.listed
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return State(stat.st_size, stat.st_mtime_ns)

    @functools.cached_property
    def origin(self) -> str | None:
        """Where it is on this machine."""
        return None if self.path is None else legible(str(self.path.absolute()))


def legible(name: str) -> str:
    r"""A name of the file system as text that every table takes: a byte that is not UTF-8 is written ``\xff``."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


class NotTextError(Exception):
    """A file that holds no text."""


def find(arguments: list[str]) -> tuple[list[Found], list[Diagnostic]]:
    """What the PATH arguments stand for: files, all files below directories, ``-``, each with ``label=`` in front.

    A missing path, or a directory without files, is a diagnostic (code ``missing``, ``empty``); the rest is still
    found. Of two files that would have the same source name, both get as much of their directories in front as tells
    them apart.
    """
    found: dict[str | None, Found] = {}
    problems: list[Diagnostic] = []
    for argument in arguments:
        label, path = _split_label(argument)
        if path == "-":
            found[None] = Found(label or STDIN, None, label or STDIN, True, label)
        elif remote.is_url(path):
            elsewhere = list(_elsewhere(path, label, problems))
            found |= {item.origin: item for item in elsewhere}
        elif Path(path).is_dir():
            below = list(_walk(Path(path), label))
            for item in below:
                found.setdefault(item.origin, item)
            if not below:
                problems.append(Diagnostic(legible(argument), None, "error", "empty", "no files in this directory"))
        elif os.path.lexists(path):
            item = _file(Path(path), label)
            found[item.origin] = item
        else:
            problems.append(Diagnostic(legible(argument), None, "error", "missing", "no such file or directory"))
    return _told_apart(list(found.values())), problems


def _file(path: Path, label: str | None) -> Found:
    name = path.name if path.is_absolute() or ".." in path.parts else path.as_posix()
    return Found(legible(f"{label}/{path.name}" if label else name), path, str(path), True, label)


def _split_label(argument: str) -> tuple[str | None, str]:
    label, equals, path = argument.partition("=")
    if not equals or not label or "/" in label or os.path.lexists(argument):
        return None, argument
    return legible(label), path


def _walk(root: Path, label: str | None) -> Iterator[Found]:
    """The files below a directory; those of a directory before those of the directories in it, each by name."""
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
                path = Path(entry.path)
                yield Found(legible(above + entry.name), path, str(path), False, label)
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


def _elsewhere(url: str, label: str | None, problems: list[Diagnostic]) -> Iterator[Found]:
    """The files at or below a URL, named as those of a directory are."""
    try:
        files = remote.below(remote.at(url))
    except (OSError, remote.MissingExtraError) as problem:
        problems.append(Diagnostic(legible(url), None, "error", "missing", f"can't be reached: {_said(problem)}"))
        return
    if not files:
        problems.append(Diagnostic(legible(url), None, "error", "missing", "no files there"))
    for path, name, size, mtime_ns in files:
        parts = (name or path.name).split("/")
        if not name or not (any(part.startswith(_HIDDEN) for part in parts) or path.name == STUDY_FILE):
            source = "/".join([label, *parts] if label else parts)
            yield Found(legible(source), path, str(path), not name, label, State(size, mtime_ns))


def _said(problem: Exception) -> str:
    return str(getattr(problem, "strerror", None) or problem)


def _told_apart(found: list[Found]) -> list[Found]:
    """Give sources of the same name as many of their parent directories as it takes."""
    by_name: dict[str, list[Found]] = {}
    for item in found:
        by_name.setdefault(item.source, []).append(item)
    if len(by_name) == len(found):
        return found
    apart: list[Found] = []
    for items in by_name.values():
        depth, named = 0, items
        longest = max(len(item.path.absolute().parts) if item.path else 0 for item in items)
        while len({item.source for item in named}) < len(items) and depth < longest:
            depth += 1
            named = [with_parents(item, depth) for item in items]
        apart += named
    return apart


def with_parents(item: Found, depth: int) -> Found:
    """A source under a name that begins with this many more of its parent directories."""
    if item.path is None:
        return item
    keep = len(Path(item.source).parts) + depth
    name = "/".join(bare for part in item.path.absolute().parts[-keep:] if (bare := part.strip("/")))
    return dataclasses.replace(item, source=legible(name))


class Text:
    """One source being read: iterate over its blocks, then ask for `size`, `digest` and `notes`."""

    def __init__(self, found: Found, block: int = BLOCK) -> None:
        self._found, self._block = found, block
        self.file: io.RawIOBase | None = None  # read instead of what `found` names, each piece given out at once
        self._hash = hashlib.blake2b(digest_size=16)
        self.size = 0  # bytes as stored, read so far
        self.plain = False  # UTF-8 as it lies in the file, with nothing cut or mended: its bytes can be counted
        self._begun: bytes | None = None
        self._zeros = 0
        self.notes: list[Diagnostic] = []

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the stored bytes read so far, hexadecimal."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        """Blocks of UTF-8 that end where a line does.

        Raises OSError as `open` does, NotTextError for binary data. Damaged compressed data ends the text early, with
        a note.
        """
        with self.file or _open(self._found) as file:
            raw = _Counted(cast(BinaryIO, file), self._count)
            if self._begun is None:
                blocks = self._decoded(raw)
            else:
                file.seek(self.size)
                rest = self._blocks(cast(BinaryIO, io.BufferedReader(raw, self._block)))
                blocks = self._mended(chain([self._begun], rest), old_mac=False)
            yield from _whole_lines(blocks, self._long_line)

    def after(self, size: int, digest: str, offset: int) -> bool:
        """Go on behind `size` bytes that were read before, of which those from `offset` on begin an unfinished line.

        False if the source begins with other bytes by now; then it has to be read from its beginning.
        """
        known, rest, done = hashlib.blake2b(digest_size=16), b"", 0
        try:
            with _open(self._found) as file:
                while piece := file.read(min(BLOCK, size - done)):
                    known.update(piece)
                    rest = (rest + piece)[-(size - offset) :] if size > offset else b""
                    done += len(piece)
        except OSError:
            return False
        if done < size or known.hexdigest() != digest:
            return False
        self._hash, self.size, self._begun, self.plain = known, size, rest, True
        return True

    def _decoded(self, raw: io.RawIOBase) -> Iterator[bytes]:
        reader = io.BufferedReader(raw, self._block)
        opener = next((opener for magic, opener in _OPENERS.items() if reader.peek(8).startswith(magic)), None)
        stream = opener(cast(BinaryIO, reader)) if opener else reader
        try:
            blocks = self._bounded(self._blocks(stream)) if opener else self._blocks(stream)
            head = next(blocks, b"")
            while head and not head.strip(b"\0"):  # what a log was before it was cut: a hole in the file
                self._zeros += len(head)
                head = next(blocks, b"")
            encoding = _encoding(head) if head or not self._zeros else None
            if encoding is None:
                raise NotTextError("not text")
            self.plain = encoding == "utf-8" and opener is None and not self._zeros
            parts: Iterator[bytes] = chain([head.removeprefix(codecs.BOM_UTF8)], blocks)
            if encoding != "utf-8":
                decode = codecs.getincrementaldecoder(encoding)("replace").decode
                parts = (decode(block).encode("utf-8", "replace") for block in chain([head], blocks))
            yield from self._mended(parts)
        except _DAMAGE as problem:
            if isinstance(problem, OSError) and problem.errno is not None:
                raise  # the file system's, not the decompressor's
            self._note("damaged", f"the compressed data is damaged or cut off ({problem}); read up to there")

    def _bounded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Decompressed blocks, but not without end of what was stored as next to nothing."""
        unpacked = 0
        for block in blocks:
            unpacked += len(block)
            if unpacked > max(_LONGEST_UNPACKED, _MOST_PACKED * self.size):
                packed = f"more than {_MOST_PACKED} times as long as it is stored, as no log is"
                self._note("damaged", f"the compressed data is {packed}; read up to there (decompress it to read more)")
                return
            yield block

    def _mended(self, blocks: Iterator[bytes], *, old_mac: bool | None = None) -> Iterator[bytes]:
        """Text without the zeros of a log that was cut while it was written to; a CR alone becomes a line break."""
        for block in blocks:
            if old_mac is None:
                old_mac = b"\r" in block and b"\n" not in block
                self.plain = self.plain and not old_mac
            zeros = block.count(0)
            self._zeros += zeros
            text = block.translate(None, b"\0") if zeros else block
            yield text.replace(b"\r", b"\n") if old_mac else text
        if self._zeros:
            self.plain = False
            self._note("zeros", f"{self._zeros} NUL bytes left out: the file was cut while it was written to, or torn")

    def _blocks(self, stream: BinaryIO) -> Iterator[bytes]:
        return _blocks(stream, self._block) if self.file is None else iter(lambda: stream.read1(_PIECE), b"")  # type: ignore[attr-defined]

    def _count(self, data: memoryview) -> None:
        self._hash.update(data)
        self.size += len(data)

    def _long_line(self) -> None:
        self.plain = False
        self._note("long-line", f"a line of more than {_LONGEST_LINE >> 20} MiB was cut")

    def _note(self, code: str, message: str) -> None:
        self.notes.append(Diagnostic(self._found.source, None, "warning", code, message))


class _Counted(io.RawIOBase):
    """Tells what is read through it."""

    def __init__(self, file: BinaryIO, tell: Callable[[memoryview], None]) -> None:
        self._file, self._tell = file, tell

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        with remote.reached(self._file):
            got = int(self._file.readinto(view))  # type: ignore[attr-defined]
        self._tell(view[:got])
        return got


def _open(found: Found) -> BinaryIO:
    if found.path is None:
        return cast(BinaryIO, standard_input())
    if isinstance(found.path, Path):
        return cast(BinaryIO, io.FileIO(found.path))
    with remote.reached(found.path):
        return found.path.open("rb", cache_type="readahead", block_size=8 * BLOCK)


def standard_input() -> io.FileIO:
    """Standard input, unbuffered. Raises OSError if it is closed."""
    if sys.stdin is None:  # its descriptor may be another file's by now
        raise OSError(errno.EBADF, "standard input is closed")
    return io.FileIO(sys.stdin.fileno(), closefd=False)


def _blocks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Blocks of this size, the last one smaller; what comes before damage is given out before the error is raised."""
    block = bytearray()
    try:
        while piece := stream.read1(min(_PIECE, size - len(block))):  # type: ignore[attr-defined]
            block += piece
            if len(block) == size:
                yield bytes(block)
                block.clear()
    except _DAMAGE:
        yield bytes(block)
        raise
    if block:
        yield bytes(block)


def _encoding(head: bytes) -> str | None:
    """The encoding by its mark, UTF-16 without one by its zeros, else UTF-8; None for data that is no text."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:_SNIFF]
    if b"\0" not in sample:
        return "utf-8"
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return "utf-8" if _is_cut_text(head) else None


def _is_cut_text(head: bytes) -> bool:
    """Whether data with zeros is text all the same: lines of UTF-8, few other control characters, zeros together."""
    sample = head.lstrip(b"\0")[:_SNIFF]
    kept = sample.translate(None, b"\0")
    controls = len(kept) - len(kept.translate(None, _CONTROLS))
    together = len(sample.split(b"\0")) - sample.count(b"\0\0") - 1
    if b"\n" not in kept or controls * 100 > len(kept) or together > kept.count(b"\n"):
        return False
    return len(kept.decode("utf-8", "ignore").encode()) > 0.95 * len(kept) - 4


# Those that logs don't have: no blanks, line breaks, bells, backspaces or escapes.
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\a\b\t\n\f\r\x1b") + b"\x7f"


def _whole_lines(blocks: Iterator[bytes], too_long: Callable[[], None]) -> Iterator[bytes]:
    rest = b""
    skipping = False  # the rest of a line that was cut
    for block in blocks:
        start = block.find(b"\n") + 1 if skipping else 0
        if skipping and not start:
            continue
        skipping = False
        end = block.rfind(b"\n") + 1
        if end > start:
            yield rest + block[start:end]
            rest = b""
        rest += block[max(start, end) :]
        if len(rest) > _LONGEST_LINE:
            too_long()
            yield rest[:_LONGEST_LINE] + b"\n"
            rest, skipping = b"", True
    if rest:
        yield rest
