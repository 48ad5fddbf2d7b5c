# What each function does is said in _bytes.c.

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Places: TypeAlias = npt.NDArray[np.int64]

def where(text: _Bytes, what: bytes, found: _Places, /) -> int: ...
def openings(text: _Bytes, word: bytes, digits: int, mark: bytes, places: _Places, /) -> int: ...
def cut(text: bytes, starts: _Places, stops: _Places, /) -> bytes: ...
def numbers(
    texts: tuple[str, ...], steps: tuple[dict[str, tuple[int, int, float]], ...], /
) -> tuple[tuple[float, ...], tuple[float, ...]] | None: ...
def read(
    text: bytes,
    ends: _Places,
    gaps: tuple[bytes, ...],
    kinds: bytes,
    cells: _Places,
    places: _Places,
    marks: _Bytes,
    mark: int,
    /,
) -> int: ...
