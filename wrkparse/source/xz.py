"""Decompresses `.xz` and `.lzma` with bounded memory: the standard library's `lzma.LZMAFile` has no limit.

A stream says how large a dictionary its decoder needs, up to 4 GiB; ``xz -9`` writes 64 MiB. A file may contain several
streams in a row, with zeros between and after them (the `.xz` file format, sections 2 and 2.2).
"""

from __future__ import annotations

import io
import lzma
from typing import BinaryIO

MOST_MEMORY = 256 << 20  # bytes for the decoder: four times what ``xz -9`` asks for
_PIECE = 64 << 10  # bytes read at a time


class XzStream(io.RawIOBase):
    """The decompressed bytes of an `.xz` file, or of an `.lzma` file (`lzma.FORMAT_ALONE`).

    Raises MemoryError if a dictionary is too large, EOFError if the data ends within a stream, and `lzma.LZMAError` if
    it is damaged.
    """

    def __init__(self, raw: BinaryIO, form: int = lzma.FORMAT_XZ) -> None:
        super().__init__()
        self._raw, self._form = raw, form
        self._decoder: lzma.LZMADecompressor | None = None
        self._left = b""  # bytes that were read and not yet decompressed

    def readable(self) -> bool:
        """True: the stream can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # any buffer; BufferedReader gives this one
        """Fill a buffer with decompressed bytes; 0 at the end."""
        while True:
            if self._decoder is None and not self._begin():
                return 0
            data = self._decompress(len(buffer))
            buffer[: len(data)] = data
            if data:
                return len(data)

    def _begin(self) -> bool:
        """Begin the next stream; return False if there is none."""
        # zeros pad a stream to a multiple of 4 bytes (section 2.2)
        while not self._left.strip(b"\0"):
            self._left = self._raw.read(_PIECE)
            if not self._left:
                return False
        self._left = self._left.lstrip(b"\0")
        self._decoder = lzma.LZMADecompressor(self._form, memlimit=MOST_MEMORY)
        return True

    def _decompress(self, most: int) -> bytes:
        """The next bytes of the open stream, none if there are none yet or it has ended."""
        decoder = self._decoder
        assert decoder is not None
        if decoder.needs_input and not self._left:
            self._left = self._raw.read(_PIECE)
            if not self._left:
                raise EOFError("the data ends within a stream")
        given, self._left = self._left, b""
        try:
            data = decoder.decompress(given, most)
        except lzma.LZMAError as problem:
            if "limit" in str(problem):  # "Memory usage limit exceeded"; the exception has no code
                raise MemoryError from problem
            raise
        if decoder.eof:
            self._left, self._decoder = decoder.unused_data, None
        return data
