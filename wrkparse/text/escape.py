"""Text from logs made safe to show: characters that would steer a terminal, or hide in a page, are spelled out."""

from __future__ import annotations

import re
import unicodedata

# What joins or styles emoji: zero-width joiner, selectors of text or emoji form, skin colours and tags.
JOINERS = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
# Between two emoji a joiner makes one of them; elsewhere it hides in the text.
_EMOJI = "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
# Control characters of ECMA-48 (C0, C1, DEL), blanks other than a space, direction marks (Unicode bidi), characters
# without width, surrogates and noncharacters, which neither UTF-8 nor XML can hold.
_HIDDEN = re.compile(
    r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f"
    r"\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
    rf"|(?<!{_EMOJI})\u200d|\u200d(?!{_EMOJI})"
)
# The signs of GitHub's and pandoc's Markdown. "_" has no meaning within a word, "]" none alone; ":" and "www." make
# links.
_MARKUP = re.compile(r"[\\`*~$|#^]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:{])|(?<=!)\[|:(?=\S)|(?<=www)\.")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"})


def printable(text: str) -> str:
    r"""Text that is safe for a terminal: a control character becomes ``\x1b``, for example. Line ends and tabs stay."""
    return _HIDDEN.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def symbol_name(one: str) -> str | None:
    """The name of a symbol such as an emoji, for fonts that lack it: ``:rocket:``; None for other characters."""
    return f":{unicodedata.name(one, 'symbol').lower()}:" if unicodedata.category(one) == "So" else None


def one_line(text: str) -> str:
    r"""The same in one line, so that text from a log can't begin a line: a line end becomes ``\n``, a tab a blank."""
    return printable(text).replace("\n", "\\n").replace("\t", " ")


def escaped(text: str) -> str:
    """Text as Markdown that shows it: it marks nothing up, links to nothing and mentions nobody."""
    return _MARKUP.sub(r"\\\g<0>", one_line(text)).translate(_ENTITIES)
