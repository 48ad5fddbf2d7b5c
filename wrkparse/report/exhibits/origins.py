"""Where the logs say what is known of a run, in words for readers who do not know the names of the origins."""

from __future__ import annotations

from wrkparse.analysis.runs.labels.key_words import key_words

_WORDS = {
    "cli": "--label of wrkparse",
    "file": "wrkparse.yaml",
    "report": "the tool's output",
    "env": "variables of commands",
    "flag": "options of commands",
    "index": "a table beside the logs",
    "prefix": "names in front of lines",
    "heading": "headings and text nearby",
    "path": "folder and file names",
    "structure": "folders, files or headings that differ",
}


def origin_words(origin: str) -> str:
    """``options of commands`` for ``flag``; another origin as it is."""
    return _WORDS.get(origin, origin)


def label_words(key: str) -> str:
    """What a label says, without its unit: ``duration``, ``--latency``, ``GOGC``."""
    return key_words(key.removesuffix("_s"))
