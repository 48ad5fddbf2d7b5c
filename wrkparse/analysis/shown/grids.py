"""Tables of texts as aligned columns, for terminals, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.text.escape import one_line


def grid(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, form: str = "plain", right: Sequence[int] = ()
) -> str:
    """Cells as aligned columns; columns with an index in `right` are flush right. `form` is one of tabulate's.

    An empty header stands for none; tabulate makes columns two blanks wider than their headers.
    """
    import tabulate

    aligned = ["right" if index in right else "left" for index in range(len(header or rows[0]))]
    cleaned = [[one_line(cell) for cell in row] for row in rows]
    return tabulate.tabulate(
        cleaned, list(map(one_line, header)), tablefmt=form, colalign=aligned or None, disable_numparse=True
    )
