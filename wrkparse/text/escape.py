"""Text of strangers made visible: what would steer a terminal, or hide in a figure or a page, is spelled out."""

from __future__ import annotations

import re

# Controls of ECMA-48 (C0, C1, DEL), blanks that are not one, marks of direction (Unicode bidi) and of no width, halves
# of surrogate pairs and noncharacters, which neither UTF-8 nor XML can hold.
_HIDDEN = re.compile(
    r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
# What means something in Markdown, GitHub's and pandoc's; "_" within a word and "]" by itself don't; ":" and "www." do.
_MARKUP = re.compile(r"[\\`*~$|#^]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:{])|(?<=!)\[|:(?=\S)|(?<=www)\.")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"})


def plain(text: str) -> str:
    """Text fit for a terminal: control characters, escape sequences and direction marks shown, not sent."""
    return _HIDDEN.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def line(text: str) -> str:
    """The same as one line: nobody's text begins a line of ours."""
    return plain(text).replace("\n", "\\n").replace("\t", " ")


def escaped(text: str) -> str:
    """Text from a log as Markdown that shows it and does nothing else: it marks nothing up and calls nobody."""
    return _MARKUP.sub(r"\\\g<0>", line(text)).translate(_ENTITIES)
