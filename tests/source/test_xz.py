"""`.xz` is decompressed as `lzma.decompress` does, with bounded memory."""

from __future__ import annotations

import io
import lzma
import random
import zlib

import pytest

from wrkparse.source.xz import MOST_MEMORY, XzStream

TEXT = random.Random(5).randbytes(300_000).translate(b"abc\n" * 64)


def unpacked(data: bytes) -> bytes:
    return io.BufferedReader(XzStream(io.BytesIO(data)), 1000).read()


@pytest.mark.parametrize("zeros", [0, 4, 200_000])
def test_streams_in_a_row_are_one_text(zeros: int) -> None:
    parts = [lzma.compress(part) for part in (TEXT, b"", TEXT[:7])]
    assert unpacked(bytes(zeros).join([*parts, b""])) == TEXT + TEXT[:7]


def test_no_data_is_no_text() -> None:
    assert unpacked(b"") == b""


@pytest.mark.parametrize("left", [1, 20, 50_000])
def test_a_stream_that_is_cut_off_raises(left: int) -> None:
    with pytest.raises(EOFError):
        unpacked(lzma.compress(TEXT)[:left])


def test_what_stands_behind_a_stream_and_is_none_is_damage() -> None:
    with pytest.raises(lzma.LZMAError):
        unpacked(lzma.compress(TEXT) + b"rubbish" * 9)


@pytest.mark.parametrize(("size", "fits"), [(64 << 20, True), (MOST_MEMORY, False), (1536 << 20, False)])
def test_the_dictionary_is_bounded(size: int, fits: bool) -> None:
    packed = lzma.compress(TEXT, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 20}])
    at = packed.index(b"\x21\x01") + 2  # LZMA2's filter in the block's header, with one byte: the dictionary's size
    code = next(bits for bits in range(41) if (2 | bits & 1) << bits // 2 + 11 >= size)
    header = bytearray(packed[12 : 12 + 4 * packed[12] + 4])
    header[at - 12] = code
    header[-4:] = checksum(bytes(header[:-4]))
    changed = packed[:12] + bytes(header) + packed[12 + len(header) :]
    if fits:
        assert unpacked(changed) == TEXT
        return
    with pytest.raises(MemoryError):
        unpacked(changed)


def checksum(data: bytes) -> bytes:
    """The CRC32 behind a block's header, as section 3.1.7 of the format has it."""

    return zlib.crc32(data).to_bytes(4, "little")
