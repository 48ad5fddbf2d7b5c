"""Makes text from logs safe to show: escapes characters that control a terminal or are invisible in a page."""

from __future__ import annotations

import re
import unicodedata

# Characters that join or style emoji: zero-width joiner, selectors of text or emoji form, skin colours and tags.
EMOJI_JOINERS = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
# A joiner between two emoji makes one emoji of them; elsewhere it is invisible.
_EMOJI = "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
# Control characters of ECMA-48 (C0, C1, DEL), blanks other than a space, direction marks (Unicode bidi), characters
# without width, surrogates and noncharacters, which neither UTF-8 nor XML can hold.
_UNSAFE_CHARACTERS = re.compile(
    r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f"
    r"\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
    rf"|(?<!{_EMOJI})\u200d|\u200d(?!{_EMOJI})"
)
# The signs of Markdown of GitHub and pandoc. "_" has no meaning within a word, nor has "]" alone; ":" and "www." make
# links.
_MARKDOWN_SIGNS = re.compile(r"[\\`*~$|#^]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:{])|(?<=!)\[|:(?=\S)|(?<=www)\.")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"})


def printable(text: str) -> str:
    r"""Text that is safe for a terminal: unsafe characters become ``\x1b`` or ``\u200d``. Line ends and tabs stay."""
    return _UNSAFE_CHARACTERS.sub(lambda match: _code(ord(match[0])), text)


def _code(character: int) -> str:
    return f"\\x{character:02x}" if character < 0x100 else f"\\u{character:04x}"


def symbol_name(character: str) -> str | None:
    """The name of a symbol such as an emoji, for fonts that lack it: ``:rocket:``; None for other characters."""
    return f":{unicodedata.name(character, 'symbol').lower()}:" if unicodedata.category(character) == "So" else None


def one_line(text: str) -> str:
    r"""Safe text in one line, so that text from a log can't begin a line: a line end becomes ``\n``, a tab a blank."""
    return printable(text).replace("\n", "\\n").replace("\t", " ")


def escaped(text: str) -> str:
    """Text as Markdown that shows it: without markup, links and mentions."""
    return _MARKDOWN_SIGNS.sub(r"\\\g<0>", one_line(text)).translate(_ENTITIES)
