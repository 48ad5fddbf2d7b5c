"""Removes markup, and the signs around a title: ``==> nginx <==``, ``**nginx**``."""

from __future__ import annotations

import re

_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}\Z")  # of Markdown: "nginx {#nginx}"
_EMPHASIS = re.compile(r"(\*\*|\*|`)(?=[^\s*`])([^*`]{1,100})(?<=\S)\1(?!\w)")
_MARKDOWN_ESCAPE = re.compile(r"\\([_+.#~(){}-])")  # of Markdown: "mod\_php"
_EMOJI = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]")
_EMOJI_NAME = re.compile(r"(?<!\S):[a-z][a-z0-9_+-]{1,40}:(?!\S)")  # of GitHub: ":trophy:"
_DECORATION_SIGNS = r"=*#~+|│┃─━═•▶►●■◆»«>→<←❯-"
_LEADING = re.compile(
    rf"[{_DECORATION_SIGNS}]{{1,90}}\s|[%!@']{{1,9}}\s|([=*#~>_|─━═])\1{{1,90}}(?=\S)|＃{{1,6}}\s?(?=\S)|-{{3,90}}"
)
_TRAILING = re.compile(
    rf"\s[{_DECORATION_SIGNS}]{{1,90}}\Z|([=*~<_|─━═])\1{{1,90}}\Z|-{{3,90}}\Z|\s(?:\*{{1,90}}/|@@)\Z|,\"\Z"
)
# The level of a log, and the sign of a comment of a batch file; "DEBUG build" is a name.
_LEVEL = re.compile(r"(?:\[(?:INFO|NOTICE|info|notice)\]|INFO|NOTICE|REM):?\s(?=\S)")
_PLUS_SIGNS = re.compile(r"\+{2,99} ?([^+].{0,99}?) ?\+{2,99}")  # on both sides only: C++
_LAST_BRACKETS = re.compile(r"(?<=\w)\s\([^()]{1,60}\)\Z")
_BRACKET_PAIRS = ("[]", "()", "{}", "<>", "«»", "【】", "「」", "『』", "“”", '""', "''", "``", "**", "__")


def without_markup(text: str) -> str:
    """A title without links, emphasis, emoji and attributes."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if text.endswith("}"):
        text = _ATTRIBUTES.sub("", text)
    if "\\" in text:
        text = _MARKDOWN_ESCAPE.sub(r"\1", text)
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if text.count(":") > 1:
        text = _EMOJI_NAME.sub("", text)
    return (text if text.isascii() else _EMOJI.sub("", text)).strip().strip("*_`").strip()


def without_decoration(text: str) -> str:
    """A title without the signs and brackets around it: ``==> nginx <==``, ``[nginx]``."""
    if text.startswith("++") and (framed := _PLUS_SIGNS.fullmatch(text)):
        return framed[1]
    if (level := _LEVEL.match(text)) is not None:
        text = text[level.end() :]
    for _ in range(4):  # "### [*nginx*] ###" has three
        before = text
        leading = _LEADING.match(text)
        text = _TRAILING.sub("", text[leading.end() :] if leading else text).strip()
        inner = text[1:-1]
        if len(text) > 2 and text[0] + text[-1] in _BRACKET_PAIRS and not {text[0], text[-1]} & set(inner):
            text = inner.strip()
        if text == before:
            break
    return text


def without_last_brackets(name: str) -> str:
    """A name without a condition in brackets behind it, which may have any words: ``kiwi (pool of 10)`` is kiwi."""
    return _LAST_BRACKETS.sub("", name)


def undecorated(text: str) -> str:
    """A title without markup and without the signs around it."""
    return without_decoration(without_markup(text))
