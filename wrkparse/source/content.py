"""Digests of a file's content: they show whether the file, or its beginning, was read before under another name."""

from __future__ import annotations

import io
from collections.abc import Collection
from typing import BinaryIO, cast

from wrkparse.source.blocks import DAMAGE, decompressor, new_digest, open_source
from wrkparse.source.discover import SourceFile

_READ_BYTES = 1 << 20
# For a plain file, only this many of the next smaller lengths are checked: a log grows little before it is rotated.
_MOST_LENGTHS = 64


def prefix_digests(file: SourceFile, lengths: Collection[int]) -> set[tuple[int, str]]:
    """The lengths that a file reaches, each with the digest of that many first bytes.

    For a compressed file, the lengths and digests of its decompressed bytes are included. The result is empty for
    a file that can't be read.
    """
    try:
        with open_source(file) as raw, io.BufferedReader(cast(io.RawIOBase, raw), _READ_BYTES) as reader:
            opener = decompressor(reader)
            stamp = file.stamp()
            shorter = [length for length in lengths if stamp is None or length <= stamp.size]
            found = _digests(cast(BinaryIO, reader), sorted(shorter)[-_MOST_LENGTHS:])
            if opener:
                # a digest may be of the stored bytes or of the text: a rotated log is the same text, compressed
                reader.seek(0)
                found |= _digests(opener(cast(BinaryIO, reader)), sorted(lengths))
            return found
    except OSError:
        return set()


def _digests(stream: BinaryIO, lengths: list[int]) -> set[tuple[int, str]]:
    """The digests at these lengths (sorted), up to the end of a stream or to damage in it."""
    digest, done = new_digest(), 0
    found: set[tuple[int, str]] = set()
    try:
        for length in lengths:
            while done < length and (piece := stream.read(min(_READ_BYTES, length - done))):
                digest.update(piece)
                done += len(piece)
            if done < length:
                break
            found.add((length, digest.hexdigest()))
    except DAMAGE:
        pass
    return found
