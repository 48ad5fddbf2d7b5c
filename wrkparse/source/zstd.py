"""Decompresses `.zst` with Arrow, and keeps the data that a failed read has decompressed, which Arrow drops."""

from __future__ import annotations

import io
from typing import BinaryIO

import pyarrow as pa


class ZstdStream(io.RawIOBase):
    """The decompressed bytes of a `.zst` file. Raises OSError if the data is damaged or ends within a frame."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__()
        self._fault: OSError | None = None  # raised after the data that was decompressed before it
        self._stream = pa.CompressedInputStream(pa.PythonFile(raw, "r"), "zstd")

    def readable(self) -> bool:
        """True: the stream can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # any buffer; BufferedReader gives this one
        """Fill a buffer with decompressed bytes; 0 at the end."""
        if self._fault:
            raise self._fault
        data = bytearray(len(buffer))
        try:
            size = int(self._stream.readinto(data))
        except OSError as problem:
            size = len(data.rstrip(b"\0"))  # Arrow does not say how much it wrote; a text does not end with NUL
            if problem.errno is not None or not size:
                raise
            self._fault = problem
        buffer[:size] = data[:size]
        return size
