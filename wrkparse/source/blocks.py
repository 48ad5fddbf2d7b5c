"""A source as blocks of UTF-8 text that end at a line break, whatever its compression and encoding."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import errno
import gzip
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, cast

import xxhash

from wrkparse.model.records import Diagnostic, Severity
from wrkparse.source import remote
from wrkparse.source.discover import FileStamp, SourceFile, without_archive_suffix
from wrkparse.source.xz import MOST_MEMORY, XzStream
from wrkparse.source.zstd import ZstdStream

BLOCK_BYTES = 4 << 20  # so many that the cost per block is negligible
_PIECE_BYTES = 128 << 10  # of decompressed data at a time: at most this much is lost before damage
_SMALL_BYTES = 64 << 10  # a smaller file is read by one system call
_AHEAD = 32  # small files that are read before they are parsed, 2 MB at most
# Bytes; it bounds memory if a file has no line breaks. The largest object of JSON that is read has half as many.
_LONGEST_LINE = 8 << 20
_SAMPLE_BYTES = 8192  # bytes from which the encoding is guessed
# A decompression bomb is read up to the larger of these limits. Compressed logs reach a ratio of 300.
_MOST_UNPACKED = 1 << 30  # bytes
_MOST_EXPANSION = 1000  # decompressed bytes for each stored one

_OPENERS: dict[bytes, Callable[[BinaryIO], BinaryIO]] = {
    b"\x1f\x8b": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw)),
    b"BZh": lambda raw: cast(BinaryIO, bz2.BZ2File(raw)),
    b"\xfd7zXZ\x00": lambda raw: cast(BinaryIO, io.BufferedReader(XzStream(raw), _PIECE_BYTES)),
    b"\x5d\x00\x00": lambda raw: cast(BinaryIO, io.BufferedReader(XzStream(raw, lzma.FORMAT_ALONE), _PIECE_BYTES)),
    b"\x28\xb5\x2f\xfd": lambda raw: cast(BinaryIO, io.BufferedReader(ZstdStream(raw), _PIECE_BYTES)),
}
_LONGEST_MAGIC = max(map(len, _OPENERS))
# Shows whether a text has changed. It is fast but not cryptographic: somebody can make two texts with the same digest.
DIGEST_NAME = "XXH3-128"
new_digest = xxhash.xxh3_128
_PDF = b"%PDF-"  # its first kilobytes may be text
# The first bytes of all formats except plain UTF-8.
_SIGNATURES = (*_OPENERS, _PDF, codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DAMAGE = (EOFError, lzma.LZMAError, zlib.error, OSError)  # what damaged compressed data raises


# The first bytes of archives; for tar, the bytes from the 257th on. Other formats are zip files, too: only a file with
# the suffix .zip is an archive.
_ARCHIVES = {b"PK": "zip", b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!\x1a\x07": "rar", b"\x04\x22\x4d\x18": "lz4"}
_TAR = slice(257, 262)


class NotTextError(Exception):
    """A file that is not text: an archive of this kind, or another binary file (an empty kind)."""

    def __init__(self, archive: str = "") -> None:
        super().__init__(archive)
        self.archive = archive

    def diagnostic(self, file: SourceFile) -> Diagnostic | None:
        """The diagnostic about the file; None for a picture among logs that the user did not name."""
        if self.archive:
            message = f"a {self.archive} archive; nothing read: unpack it, and read the files in it"
            return Diagnostic(file.source, None, "warning", "archive", message)
        return (
            Diagnostic(file.source, None, "note", "not-text", "not text; nothing read") if file.named_by_user else None
        )


def _archive(head: bytes, name: str) -> str:
    """The kind of archive that begins with these bytes; empty if it is not an archive."""
    kinds = (_ARCHIVES[magic] for magic in _ARCHIVES if head.startswith(magic))
    kind = "tar" if head[_TAR] == b"ustar" else next(kinds, "")
    return kind if kind != "zip" or name.lower().endswith(".zip") else ""


def _is_cut_archive(head: bytes, name: str) -> bool:
    """Whether a file with the name of a compressed file is too short to be recognised by its content."""
    is_cut = any(0 < len(head) < len(magic) and magic.startswith(head) for magic in _OPENERS)
    return is_cut and without_archive_suffix(name) != name


class BlockReader:
    """Reads one source: iterate over its blocks; then `size`, `digest` and `notes` are complete."""

    def __init__(self, source: SourceFile, block: int = BLOCK_BYTES) -> None:
        self._source, self._block = source, block
        # If set, it is read instead of the file, and each piece is passed on as soon as it arrives.
        self.stream: io.RawIOBase | None = None
        self._hash = new_digest()
        self.size = 0  # bytes as stored, read so far
        self.stamp: FileStamp | None = None  # of the file when reading began
        self.is_plain = False  # blocks are the file's bytes, unchanged: an offset in them is one in the file
        self._unfinished: bytes | None = None  # the start of an unfinished line, read earlier; set by `resume_after`
        self._small: bytes | None = None  # all of a small file that was read ahead
        self._zeros = 0
        self._is_damaged = False
        self.notes: list[Diagnostic] = []

    @property
    def digest(self) -> str:
        """XXH3-128 of the stored bytes read so far, in hexadecimal."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        """Yield blocks of UTF-8 that end at a line break; the last one may lack it.

        Raises OSError as `open` does, and NotTextError for binary data. Damaged compressed data ends the text early,
        with a note.
        """
        data, self._small = self._small, None
        if data is None:
            data = self._read_small()
        if data is not None:
            end = data.rfind(b"\n") + 1
            yield from filter(None, (data[:end], data[end:]))
            return
        with self.stream or open_source(self._source) as file:
            raw = _CountingStream(cast(BinaryIO, file), self._count)
            if self._unfinished is None:
                blocks = self._decoded(raw)
            else:
                file.seek(self.size)
                rest = self._blocks(cast(BinaryIO, io.BufferedReader(raw, self._block)))
                blocks = self._cleaned(chain([self._unfinished], rest), old_mac=False)
            for lines in split_at_lines(blocks, self._note_long_line):
                if lines.endswith(b"\n") or not self._is_damaged:
                    yield lines  # the line with the damage may end within a number

    def read_ahead(self) -> None:
        """Read a small file before its block is needed; if that fails, it is read again then."""
        with contextlib.suppress(OSError):
            self._small = self._read_small()

    def _read_small(self) -> bytes | None:
        """All of a small file if it is plain UTF-8; None, with nothing counted, if it is not. Sets the stamp."""
        is_begun = self.stream is not None or self._unfinished is not None
        # A file below a directory is opened at once, because it is a regular file. Opening a pipe, whose size is 0,
        # would wait.
        if is_begun or self._source.named_by_user or not self._source.local:
            self.stamp = stamp = self._source.stamp()
            if is_begun or stamp is None or not stamp.identity or not stamp.size:
                return None
        descriptor = os.open(cast(str | Path, self._source.location), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            self.stamp = FileStamp.of(os.fstat(descriptor))
            size = self.stamp.size
            data = os.read(descriptor, size + 1) if 0 < size <= min(_SMALL_BYTES, self._block) else b""
        finally:
            os.close(descriptor)
        special = data.startswith(_SIGNATURES) or b"\0" in data or (b"\r" in data and b"\n" not in data)
        special = special or len(data) < _LONGEST_MAGIC  # it may be an archive that is cut off
        if special or len(data) != size:  # the file has grown since: read it in blocks
            return None
        self._count(memoryview(data))
        self.is_plain = True
        return data

    def resume_after(self, size: int, digest: str, offset: int) -> bool:
        """Skip the first `size` bytes, which were read before; an unfinished line begins at byte `offset`.

        Returns False if these bytes no longer have the digest `digest`. Then read the source from its beginning.
        """
        known, rest, done = new_digest(), b"", 0
        try:
            with open_source(self._source) as file:
                while piece := file.read(min(BLOCK_BYTES, size - done)):
                    known.update(piece)
                    rest = (rest + piece)[-(size - offset) :] if size > offset else b""
                    done += len(piece)
        except OSError:
            return False
        if done < size or known.hexdigest() != digest:
            return False
        self._hash, self.size, self._unfinished, self.is_plain = known, size, rest, True
        return True

    def _decoded(self, raw: io.RawIOBase) -> Iterator[bytes]:
        reader = io.BufferedReader(raw, self._block)
        opener = decompressor(reader)
        stream = opener(cast(BinaryIO, reader)) if opener else reader
        try:
            if opener is None and _is_cut_archive(reader.peek(_LONGEST_MAGIC), self._source.source):
                raise EOFError("it ends within its first bytes")
            blocks = self._limited(self._blocks(stream, whole=False)) if opener else self._blocks(stream)
            head = next(blocks, b"")
            while head and not head.strip(b"\0"):  # a log that was truncated while it was written begins with a hole
                self._zeros += len(head)
                head = next(blocks, b"")
            # a file of zeros alone has no text; an empty file is an empty text
            encoding = _encoding(head) if head or not self._zeros else None
            if encoding is None:
                raise NotTextError(_archive(head, self._source.source))
            self.is_plain = encoding == "utf-8" and opener is None and not self._zeros
            parts: Iterator[bytes] = chain([head.removeprefix(codecs.BOM_UTF8)], blocks)
            if encoding != "utf-8":
                decode = codecs.getincrementaldecoder(encoding)("replace").decode
                parts = (decode(block).encode("utf-8", "replace") for block in chain([head], blocks))
            yield from self._cleaned(parts)
        except DAMAGE as problem:
            self._is_damaged = True
            if isinstance(problem, OSError) and problem.errno is not None:
                raise  # the file system failed, not the decompressor
            self._note("damaged", f"the compressed data is damaged or cut off ({problem}); read up to there", "error")
        except MemoryError:  # an .xz file may ask for a dictionary of 4 GiB
            self._is_damaged = True
            what = f"the compressed data needs more than {MOST_MEMORY >> 20} MiB of memory to be decompressed"
            self._note("damaged", f"{what}; read up to there (decompress it elsewhere to read more)", "error")

    def _limited(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Decompressed blocks, up to the limits on their size."""
        unpacked = 0
        for block in blocks:
            remaining = max(_MOST_UNPACKED, _MOST_EXPANSION * self.size) - unpacked  # grows as the file is read
            if len(block) > remaining:
                end = block.rfind(b"\n", 0, max(remaining, 0)) + 1
                yield block[:end]  # whole lines: half a number would be a wrong number
                packed = f"more than {_MOST_EXPANSION} times as long as it is stored, which no log is"
                what = f"the compressed data is {packed}; read up to there (decompress it to read more)"
                self._note("damaged", what, "error")
                return
            unpacked += len(block)
            yield block

    def _cleaned(self, blocks: Iterator[bytes], *, old_mac: bool | None = None) -> Iterator[bytes]:
        """Text without NUL bytes. If CR alone ends lines (classic Mac OS), it becomes LF."""
        undecided = b""
        for piece in chain(blocks, [b""]):  # the empty one at the end
            block, undecided = undecided + piece, b""
            if old_mac is None and piece and b"\r" in block and b"\n" not in block and len(block) < _SAMPLE_BYTES:
                undecided = block  # of a pipe; the next piece shows whether LF follows
                continue
            if not block:
                continue
            if old_mac is None:
                old_mac = b"\r" in block and b"\n" not in block
                self.is_plain = self.is_plain and not old_mac
            zeros = block.count(0) if 0 in block else 0
            self._zeros += zeros
            text = block.translate(None, b"\0") if zeros else block
            yield text.replace(b"\r", b"\n") if old_mac else text
        if self._zeros:
            self.is_plain = False
            self._note("zeros", f"{self._zeros} NUL bytes left out: the file was cut while it was written to, or torn")

    def _blocks(self, stream: BinaryIO, *, whole: bool = True) -> Iterator[bytes]:
        if self.stream is None:
            return _read_blocks(stream, self._block, whole=whole)
        return iter(lambda: stream.read1(_PIECE_BYTES), b"")  # type: ignore[attr-defined]

    def _count(self, data: memoryview) -> None:
        self._hash.update(data)
        self.size += len(data)

    def _note_long_line(self) -> None:
        self.is_plain = False
        self._note("long-line", f"a line of more than {_LONGEST_LINE >> 20} MiB was cut")

    def _note(self, code: str, message: str, severity: Severity = "warning") -> None:
        self.notes.append(Diagnostic(self._source.source, None, severity, code, message))


def read_ahead(files: Iterable[SourceFile]) -> Iterator[BlockReader]:
    """A reader of each file, in order. Small files are read some at a time, before the first of them is parsed.

    So the code of each stage and of the system stays in the processor's caches: this saves a tenth of the time.
    """
    files = iter(files)
    while readers := [BlockReader(file) for file in islice(files, _AHEAD)]:
        for reader in readers:
            reader.read_ahead()
        yield from readers


class _CountingStream(io.RawIOBase):
    """Calls `count` with each piece that it reads."""

    def __init__(self, file: BinaryIO, count: Callable[[memoryview], None]) -> None:
        self._file, self._count = file, count

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        with remote.uniform_errors(self._file):
            count = int(self._file.readinto(view))  # type: ignore[attr-defined]
        self._count(view[:count])
        return count


def decompressor(reader: io.BufferedReader[io.RawIOBase]) -> Callable[[BinaryIO], BinaryIO] | None:
    """The decompressor for the data at the beginning of a stream; None if the data is not compressed."""
    return next((opener for magic, opener in _OPENERS.items() if reader.peek(_LONGEST_MAGIC).startswith(magic)), None)


def open_source(source: SourceFile) -> BinaryIO:
    """A file, remote file or standard input as stored. Raises OSError."""
    if source.path is None:
        return cast(BinaryIO, standard_input())
    if isinstance(source.path, Path):
        return cast(BinaryIO, io.FileIO(source.path))
    with remote.uniform_errors(source.path):
        return source.path.open("rb", cache_type="readahead", block_size=2 * BLOCK_BYTES)


def standard_input() -> io.FileIO:
    """Standard input, unbuffered. Raises OSError if it is closed."""
    if sys.stdin is None:  # another file may have its descriptor by now
        raise OSError(errno.EBADF, "standard input is closed")
    return io.FileIO(sys.stdin.fileno(), closefd=False)


def _read_blocks(stream: BinaryIO, size: int, *, whole: bool) -> Iterator[bytes]:
    """Yield blocks of this size; the last one is smaller.

    Text before damaged data is yielded before the error is raised.

    With `whole`, the rest of a block is read at once; otherwise in small pieces, so that little text is lost before
    damage.
    """
    pieces: list[bytes] = []
    remaining = size
    try:
        while piece := stream.read1(remaining if whole else min(_PIECE_BYTES, remaining)):  # type: ignore[attr-defined]
            pieces.append(piece)
            remaining -= len(piece)
            if not remaining:
                yield b"".join(pieces)
                pieces, remaining = [], size
    except DAMAGE:
        yield b"".join(pieces)
        raise
    if pieces:
        yield b"".join(pieces)


def _encoding(head: bytes) -> str | None:
    """The encoding: by the byte order mark, UTF-16 by the positions of its zeros, or UTF-8; None for binary data.

    In UTF-16 with mostly ASCII characters, every other byte is zero: over 70 % of one half of the bytes, under 5 % of
    the other.
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith(_PDF):
        return None
    sample = head[:_SAMPLE_BYTES]
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
    """Whether data with zeros is a log that was truncated while it was written, or torn, rather than binary data.

    Such a log has lines, at most 1 % control characters, few stretches of zeros (at most one per line), and 95 % valid
    UTF-8. In random bytes, one of ten is such a character, and most of those above 127 are invalid.
    """
    sample = head.lstrip(b"\0")[:_SAMPLE_BYTES]
    text = sample.translate(None, b"\0")
    controls = len(text) - len(text.translate(None, _CONTROLS))
    stretches = len(re.findall(rb"\0+", sample))
    if b"\n" not in text or controls * 100 > len(text) or stretches > text.count(b"\n"):
        return False
    return len(text.decode("utf-8", "ignore").encode()) > 0.95 * len(text) - 4  # 4: a character cut by the sample


# Control characters that do not occur in logs: all except tabs, line breaks, bells, backspaces and escapes.
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\a\b\t\n\f\r\x1b") + b"\x7f"


def split_at_lines(blocks: Iterator[bytes], too_long: Callable[[], None]) -> Iterator[bytes]:
    """Yield blocks that end at a line break. A line beyond the limit is cut, and `too_long` is called."""
    rest = b""
    skipping = False  # the rest of a line that was cut
    for block in blocks:
        # after a cut, nothing is returned up to the end of the long line
        start = block.find(b"\n") + 1 if skipping else 0
        if skipping and not start:
            continue
        skipping = False
        end = block.rfind(b"\n") + 1
        if end > start:
            yield b"".join((rest, memoryview(block)[start:end]))
            rest = b""
        rest += block[max(start, end) :]
        # checked after each block, so up to a block more is held
        if len(rest) > _LONGEST_LINE:
            too_long()
            yield rest[:_LONGEST_LINE] + b"\n"
            rest, skipping = b"", True
    if rest:
        yield rest
