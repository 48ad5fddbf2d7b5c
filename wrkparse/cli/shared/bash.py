"""Completion in bash of words with ``=`` or ``:``, at which bash splits words."""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

# A character that needs a backslash in bash.
_UNSAFE_CHARACTER = re.compile(r"([^\w@%+=:,./-])")


class _BashCompletion(BashComplete):
    """Completion that splits the command line without bash, and returns only the text after the last ``=`` or ``:``.

    Bash replaces only that text.
    """

    # Changes to the script of click: it passes the whole line on, keeps backslashes, and writes no blank after
    # "framework=".
    source_template = (
        BashComplete.source_template.replace(
            "env COMP_WORDS", 'env COMP_LINE="$COMP_LINE" COMP_POINT=$COMP_POINT COMP_WORDS'
        )
        .replace("read type value", "read -r type value")
        .replace("COMPREPLY+=($value)", "COMPREPLY+=($value)\n            [[ $value == *= ]] && compopt -o nospace")
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE")
        if line is None:
            return super().get_completion_args()
        self._line = line[: int(os.environ["COMP_POINT"])]  # counts characters (bind_compfunc_variables of bash)
        words = split_arg_string(self._line)[1:]
        if _has_closed_quotes(self._line) and self._line[-1:].isspace():
            return words, ""
        return words[:-1], words[-1] if words else ""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        if item.type != "plain" or not hasattr(self, "_line"):
            return super().format_completion(item)
        value = item.value
        if _has_closed_quotes(self._line):
            word = self.get_completion_args()[1]
            word = word.partition("=")[2] if word.startswith("--") else word
            start = max(word.rfind("="), word.rfind(":")) + 1
            value = _UNSAFE_CHARACTER.sub(r"\\\1", value[start:])
        return f"{item.type},{value}"


def _has_closed_quotes(line: str) -> bool:
    """Whether no quotation is open at the end of a line."""
    try:
        shlex.split(line)
    except ValueError:
        return False
    return True


def register() -> None:
    """Let click use this completion for bash."""
    add_completion_class(_BashCompletion)
