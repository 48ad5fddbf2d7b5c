"""The lists of codes of the page about diagnostics, made from the code."""

from __future__ import annotations

from wrkparse.model.codes import CODES


def text() -> str:
    """A table of codes for each thing that they are about, as Markdown."""
    return "\n".join(_group(about) for about in CODES)


def _group(about: str) -> str:
    rows = [("code", "severity", "when", "example", "what to do"), ("---",) * 5]
    for code, said in CODES[about].items():
        rows.append((f"`{code}`", ", ".join(said.severities), said.meaning, said.example, said.remedy))
    return f"## {about}\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)
