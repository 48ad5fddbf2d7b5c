"""Stand-in."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from wrkparse.context.labels import _COUNTED, title_labels


class Title(NamedTuple):
    settings: tuple[tuple[str, str], ...] = ()
    name: str = ""
    numbers: tuple[str, ...] = ()
    short: tuple[tuple[str, str], ...] = ()
    repeat: str = ""


_R = re.compile(r"(?:\b(?:run|rep|trial|iter|attempt|try)[ _-]?[0-9]+)|#[0-9]+", re.IGNORECASE)
_S = re.compile(r"(?<![A-Za-z0-9])([ctdr])([0-9]+)(?![A-Za-z0-9])")
_W = re.compile(
    r"\b(?:results?|setup|conclusion|benchmarks?|bench|logs?|output|out|raw|wrk2?|ab|gctrace|schedtrace|tests?|testing)\b",
    re.IGNORECASE,
)
_A = re.compile(r"\b([a-z]+)\s?[=:]\s?(\S+)")


@functools.lru_cache(4096)
def read_title(text: str) -> Title:
    settings = tuple((l.key, l.value) for l in title_labels(text))
    text = _A.sub(" ", _COUNTED.sub(" ", text))
    return _rest(text, settings)


def _rest(text, settings):
    rep = _R.search(text)
    text = _R.sub(" ", text)
    short = tuple(_S.findall(text))
    text = _S.sub(" ", text)
    text = _W.sub(" ", text)
    numbers = tuple(re.findall(r"(?<![\w.])[0-9]+(?![\w.])", text))
    text = re.sub(r"(?<![\w.])[0-9]+(?![\w.])", " ", text)
    text = " ".join(text.split()).strip(" -_=:;,.#/*[]()>")
    return Title(settings, text, numbers, short, rep[0] if rep else "")


@functools.lru_cache(4096)
def read_path_part(part: str) -> Title:
    text = part
    rep = _R.search(text)
    text = re.sub(
        r"(?<![A-Za-z0-9])(?:cores?|procs|gomaxprocs|conns?|connections|threads|workers)[-=_]?[0-9]+", " ", text
    )
    text = _R.sub(" ", text.replace("_", " "))
    short = tuple(_S.findall(text))
    text = _S.sub(" ", text)
    text = re.sub(r"(?<![A-Za-z0-9])(?:results?|logs?|out|output|wrk2?|ab|gctrace|bench)(?![A-Za-z0-9])", " ", text)
    numbers = tuple(re.findall(r"(?<![\w.])[0-9]+(?![\w.])", text))
    text = re.sub(r"(?<![\w.])[0-9]+(?![\w.])", " ", text)
    text = re.sub(r"\s+-|-\s+|\s+", " ", text).strip(" -_.")
    return Title((), text, numbers, short, rep[0] if rep else "")
