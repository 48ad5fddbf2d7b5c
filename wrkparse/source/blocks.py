"""Opening what is to be read, plain or compressed, in any encoding.

Everything above this module sees blocks of UTF-8 text that end where a line does.
"""

from __future__ import annotations

import bz2
import codecs
import errno
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa
import xxhash

from wrkparse.model.records import Diagnostic
from wrkparse.source import remote
from wrkparse.source.discover import FileStamp, SourceFile

BLOCK_BYTES = 4 << 20  # what is done once for each costs next to nothing
_PIECE = 128 << 10  # of decompressed data: what may be lost before damage
_SMALL = 64 << 10  # read at once
_LONGEST_LINE = 8 << 20
_SNIFF = 8192
# Decompressed, a text may be so long whatever was stored, and beyond that so many times as long: logs come to 300.
_LONGEST_UNPACKED = 1 << 30
_MOST_PACKED = 1000

_OPENERS: dict[bytes, Callable[[BinaryIO], BinaryIO]] = {
    b"\x1f\x8b": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw)),
    b"BZh": lambda raw: cast(BinaryIO, bz2.BZ2File(raw)),
    b"\xfd7zXZ\x00": lambda raw: cast(BinaryIO, lzma.LZMAFile(raw)),  # noqa: SIM115 (not ours to close)
    b"\x28\xb5\x2f\xfd": lambda raw: cast(BinaryIO, pa.CompressedInputStream(pa.PythonFile(raw, "r"), "zstd")),
}
# Tells whether a text has changed. It is fast, and secures nothing: who means to finds two texts that share one.
DIGEST_NAME = "XXH3-128"
new_digest = xxhash.xxh3_128
_TOLD = (*_OPENERS, codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # how other than plain text begins
_DAMAGE = (EOFError, lzma.LZMAError, zlib.error, OSError)


class NotTextError(Exception):
    """A file that holds no text."""


class BlockReader:
    """One source being read: iterate over its blocks, then ask for `size`, `digest` and `notes`."""

    def __init__(self, found: SourceFile, block: int = BLOCK_BYTES) -> None:
        self._found, self._block = found, block
        self.file: io.RawIOBase | None = None  # read instead of what `found` names, each piece given out at once
        self._hash = new_digest()
        self.size = 0  # bytes as stored, read so far
        self.state: FileStamp | None = None  # when reading began
        self.plain = False  # UTF-8 as it lies in the file, with nothing cut or mended: its bytes can be counted
        self._begun: bytes | None = None
        self._zeros = 0
        self.notes: list[Diagnostic] = []

    @property
    def digest(self) -> str:
        """XXH3-128 of the stored bytes read so far, hexadecimal. It tells a change; it secures nothing."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        """Blocks of UTF-8 that end where a line does.

        Raises OSError as `open` does, NotTextError for binary data. Damaged compressed data ends the text early, with
        a note.
        """
        self.state = self._found.stamp()
        if (data := self._at_once()) is not None:
            end = data.rfind(b"\n") + 1
            yield from filter(None, (data[:end], data[end:]))
            return
        with self.file or _open(self._found) as file:
            raw = _Counted(cast(BinaryIO, file), self._count)
            if self._begun is None:
                blocks = self._decoded(raw)
            else:
                file.seek(self.size)
                rest = self._blocks(cast(BinaryIO, io.BufferedReader(raw, self._block)))
                blocks = self._mended(chain([self._begun], rest), old_mac=False)
            yield from _whole_lines(blocks, self._long_line)

    def _at_once(self) -> bytes | None:
        """All of a small file if it is plain text, as most are; None, and nothing done, if it is not."""
        size = self.state.size if self.state and self.state.identity else 0  # a pipe has none
        if not 0 < size <= min(_SMALL, self._block) or self.file is not None or self._begun is not None:
            return None
        descriptor = os.open(cast(str | Path, self._found.location), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            data = os.read(descriptor, size + 1)
        finally:
            os.close(descriptor)
        told = data.startswith(_TOLD) or b"\0" in data or (b"\r" in data and b"\n" not in data)
        if told or len(data) != size:  # what grows meanwhile is read as it comes
            return None
        self._count(memoryview(data))
        self.plain = True
        return data

    def after(self, size: int, digest: str, offset: int) -> bool:
        """Go on behind `size` bytes that were read before, of which those from `offset` on begin an unfinished line.

        False if the source begins with other bytes by now; then it has to be read from its beginning.
        """
        known, rest, done = new_digest(), b"", 0
        try:
            with _open(self._found) as file:
                while piece := file.read(min(BLOCK_BYTES, size - done)):
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
            blocks = self._bounded(self._blocks(stream, whole=False)) if opener else self._blocks(stream)
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
            left = max(_LONGEST_UNPACKED, _MOST_PACKED * self.size) - unpacked  # more with each piece that is read
            if len(block) > left:
                yield block[: block.rfind(b"\n", 0, max(left, 0)) + 1]  # half a number would be another
                packed = f"more than {_MOST_PACKED} times as long as it is stored, as no log is"
                self._note("damaged", f"the compressed data is {packed}; read up to there (decompress it to read more)")
                return
            unpacked += len(block)
            yield block

    def _mended(self, blocks: Iterator[bytes], *, old_mac: bool | None = None) -> Iterator[bytes]:
        """Text without the zeros of a log that was cut while it was written to; a CR alone becomes a line break."""
        for block in blocks:
            if old_mac is None:
                old_mac = b"\r" in block and b"\n" not in block
                self.plain = self.plain and not old_mac
            zeros = block.count(0) if 0 in block else 0
            self._zeros += zeros
            text = block.translate(None, b"\0") if zeros else block
            yield text.replace(b"\r", b"\n") if old_mac else text
        if self._zeros:
            self.plain = False
            self._note("zeros", f"{self._zeros} NUL bytes left out: the file was cut while it was written to, or torn")

    def _blocks(self, stream: BinaryIO, *, whole: bool = True) -> Iterator[bytes]:
        if self.file is None:
            return _blocks(stream, self._block, whole=whole)
        return iter(lambda: stream.read1(_PIECE), b"")  # type: ignore[attr-defined]

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
        with remote.uniform_errors(self._file):
            got = int(self._file.readinto(view))  # type: ignore[attr-defined]
        self._tell(view[:got])
        return got


def _open(found: SourceFile) -> BinaryIO:
    if found.path is None:
        return cast(BinaryIO, standard_input())
    if isinstance(found.path, Path):
        return cast(BinaryIO, io.FileIO(found.path))
    with remote.uniform_errors(found.path):
        return found.path.open("rb", cache_type="readahead", block_size=2 * BLOCK_BYTES)


def standard_input() -> io.FileIO:
    """Standard input, unbuffered. Raises OSError if it is closed."""
    if sys.stdin is None:  # its descriptor may be another file's by now
        raise OSError(errno.EBADF, "standard input is closed")
    return io.FileIO(sys.stdin.fileno(), closefd=False)


def _blocks(stream: BinaryIO, size: int, *, whole: bool) -> Iterator[bytes]:
    """Blocks of this size, the last one smaller; what comes before damage is given out before the error is raised.

    Whole ones are read at once, if the stream has as much; what may be damaged is read in pieces.
    """
    pieces: list[bytes] = []
    left = size
    try:
        while piece := stream.read1(left if whole else min(_PIECE, left)):  # type: ignore[attr-defined]
            pieces.append(piece)
            left -= len(piece)
            if not left:
                yield b"".join(pieces)
                pieces, left = [], size
    except _DAMAGE:
        yield b"".join(pieces)
        raise
    if pieces:
        yield b"".join(pieces)


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
            yield b"".join((rest, memoryview(block)[start:end]))
            rest = b""
        rest += block[max(start, end) :]
        if len(rest) > _LONGEST_LINE:
            too_long()
            yield rest[:_LONGEST_LINE] + b"\n"
            rest, skipping = b"", True
    if rest:
        yield rest
