"""A comparison as text: tables that fit a terminal or a pull request, with notes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from wrkparse.cli.shared.numbers import quantity
from wrkparse.cli.shared.output import grid
from wrkparse.text.escape import escaped, printable

if TYPE_CHECKING:
    import pandas as pd

    from wrkparse.analysis.comparison.compare import ComparisonTable

_MARKS = "¹²³⁴⁵⁶⁷⁸⁹"
_NARROWEST = 60
_ORDINARY = 100  # width of notes in a file or pipe


def render(table: ComparisonTable, limit: int | None, *, markdown: bool) -> str:
    """All metrics of a comparison, each with its tables, then the notes. `limit` is the terminal's width."""
    parts: list[str] = []
    for _, cells in table.cells.groupby("metric", sort=False):
        parts += _metric(table, cells, limit, markdown=markdown)
    parts.append(_notes(notes(table), limit, markdown=markdown))
    return "\n\n".join(part for part in parts if part)


def _metric(table: ComparisonTable, cells: pd.DataFrame, limit: int | None, *, markdown: bool) -> list[str]:
    name = str(cells["metric"].iloc[0])
    marks = _marks(table)
    measured = [_measured(row, marks, _same_n(cells)) for row in cells.to_dict("records")]
    parts = [
        _title(f"{name}, {_what(table, cells)}", markdown),
        _matrix(table, cells, measured, limit, markdown=markdown),
    ]
    if table.baseline and not (cells["n"] > 1).any():
        ratios = [_ratio(row) for row in cells.to_dict("records")]
        parts += [
            _title(f"{name}, ratio to {_label_list(table.baseline)}", markdown),
            _matrix(table, cells, ratios, limit, markdown=markdown),
        ]
    elif table.baseline or cells["rank_lo"].notna().any():
        against = f" against {_label_list(table.baseline)}" if table.baseline else ""
        parts += [_title(f"{name}{against}: verdicts", markdown), _verdicts(table, cells, markdown=markdown)]
    return [*parts, _notes([_geomean(table, name)], limit, markdown=markdown)]


def _title(text: str, markdown: bool) -> str:
    return f"### {escaped(text)}" if markdown else printable(text)


def _what(table: ComparisonTable, cells: pd.DataFrame) -> str:
    by = f"{', '.join(table.rows)}" + (f" × {', '.join(table.columns)}" if table.columns else "")
    n = _same_n(cells)
    if n == 1:
        return f"one run per cell: {by}"
    runs = f"{n} runs per cell" if n else "n runs"
    interval = f" [{100 * table.confidence:g} % interval]" if cells["lo"].notna().any() else ""
    return f"{table.center} of {runs}{interval}: {by}"


def _same_n(cells: pd.DataFrame) -> int | None:
    counts = set(cells["n"]) - {0}
    return int(counts.pop()) if len(counts) == 1 else None


def _label_list(labels: Any) -> str:
    return ", ".join(f"{key}={_label(value)}" for key, value in labels.items())


def _label(value: Any) -> str:
    return value if isinstance(value, str) else "(none)"


def _measured(row: dict[Any, Any], marks: dict[str, str], common_n: int | None) -> str:
    if row["verdict"] == "missing":
        return "missing"
    text = quantity(row["center"], row["unit"])
    if not math.isnan(row["lo"]):
        text += f" [{_change(row['lo'], row['center'])}, {_change(row['hi'], row['center'])}]"
    if common_n is None and row["n"] > 1:
        text += f" n={row['n']}"
    return text + marks.get(row["varies"], "") + (" (invalid)" if row["verdict"] == "invalid" else "")


def _change(bound: float, center: float) -> str:
    return f"{bound:.4g}" if center == 0 else f"{100 * (bound / center - 1):+.2g} %"


def _marks(table: ComparisonTable) -> dict[str, str]:
    """A mark for each set of labels that varies within a cell."""
    sets = [varies for varies in dict.fromkeys(table.cells["varies"]) if varies]
    return {varies: _MARKS[index] if index < len(_MARKS) else f"({index + 1})" for index, varies in enumerate(sets)}


def _ratio(row: dict[Any, Any]) -> str:
    return _factor(row["ratio"]) if not math.isnan(row["ratio"]) else str(row["verdict"])


def _factor(ratio: float) -> str:
    if ratio == 1:
        return "1"
    return "" if math.isnan(ratio) else f"{ratio:#.4g}" if ratio < 1000 else f"{ratio:.0f}"


def _matrix(table: ComparisonTable, cells: pd.DataFrame, texts: list[str], limit: int | None, *, markdown: bool) -> str:
    """Texts of cells as a table of rows by columns, in several blocks if the columns do not fit side by side."""
    heads = [" / ".join(parts) for parts in _label_rows(cells, table.columns)] if table.columns else [""]
    width = len(dict.fromkeys(heads))
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    labels = _label_rows(cells, table.rows)[::width]
    blocks = []
    for start, end in _blocks(table.rows, labels, heads[:width], rows, None if markdown else limit):
        body = [[*label, *row[start:end]] for label, row in zip(labels, rows, strict=True)]
        right = range(len(table.rows), len(table.rows) + end - start)
        blocks.append(_grid([*table.rows, *heads[start:end]], body, right, markdown=markdown))
    return "\n\n".join(blocks)


def _label_rows(cells: pd.DataFrame, keys: Sequence[str]) -> list[list[str]]:
    return [[_label(row[key]) for key in keys] for row in cells.to_dict("records")]


def _wide(column: Sequence[str]) -> int:
    """The width of a column with its gap; tabulate sets headers two blanks wider (MIN_PADDING)."""
    return 2 + max(len(column[0]) + 2, *map(len, column[1:]))


def _blocks(
    keys: Sequence[str], labels: list[list[str]], heads: list[str], rows: list[list[str]], limit: int | None
) -> Iterable[tuple[int, int]]:
    """Ranges of columns that fit into `limit`."""
    if limit is None:
        return [(0, len(heads))]
    space = max(limit, _NARROWEST) - sum(map(_wide, zip(keys, *labels, strict=True)))
    widths = [_wide(column) for column in zip(heads, *rows, strict=True)]
    blocks, start, used = [], 0, 0
    for index, wide in enumerate(widths):
        if index > start and used + wide > space:
            blocks.append((start, index))
            start, used = index, 0
        used += wide
    return [*blocks, (start, len(widths))]


def _verdicts(table: ComparisonTable, cells: pd.DataFrame, *, markdown: bool) -> str:
    """A line per cell, columns first: ratio, interval, p, verdict, rank, runs needed. Empty columns are left out."""
    keys = (*table.columns, *table.rows)
    header = ["ratio", f"{100 * table.confidence:g} % interval", "p", "verdict", "rank", "runs to tell"]
    rows = cells.to_dict("records")
    places = {key: {value: place for place, value in enumerate(cells[key].unique())} for key in table.columns}
    rows.sort(key=lambda row: [places[key][row[key]] for key in table.columns])
    body = [[_factor(row["ratio"]), _between(row), _p(row["p_adjusted"]), *_words(row)] for row in rows]
    used = [index for index in range(len(header)) if any(line[index] for line in body)]
    lines = [
        [_label(row[key]) for key in keys] + [line[index] for index in used]
        for row, line in zip(rows, body, strict=True)
    ]
    return _grid([*keys, *(header[index] for index in used)], lines, (), markdown=markdown)


def _between(row: dict[Any, Any]) -> str:
    return "" if math.isnan(row["ratio_lo"]) else f"{_factor(row['ratio_lo'])} to {_factor(row['ratio_hi'])}"


def _p(value: float) -> str:
    return "" if math.isnan(value) else "<0.001" if value < 0.001 else f"{value:.2g}"


def _words(row: dict[Any, Any]) -> list[str]:
    verdict = row["verdict"] if isinstance(row["verdict"], str) else ""
    if verdict == "too few":
        verdict = "none: 1 run" if row["n"] == 1 else "none: too few"
    lo, hi = row["rank_lo"], row["rank_hi"]
    rank = "" if lo != lo or not isinstance(lo, int) else str(lo) if lo == hi else f"{lo}-{hi} tied"  # noqa: PLR0124
    needed = str(row["runs_needed"]) if isinstance(row["runs_needed"], int) else ""
    return [verdict, rank, needed]


def _geomean(table: ComparisonTable, metric: str) -> str:
    """The note with geometric means over two or more settings; of one setting it would be the ratio."""
    found = table.geomeans
    found = found[(found["metric"] == metric) & found["geomean"].notna() & (found["settings_used"] > 1)]
    if not table.baseline or not len(found):
        return ""
    first = found.iloc[0]
    of = "all" if first["settings_used"] == first["settings"] else f"the {first['settings_used']} of"
    means = [
        f"{' / '.join(_label(row[key]) for key in table.compared)} {_factor(row['geomean'])}"
        for row in found.to_dict("records")
        if any(row[key] != value for key, value in table.baseline.items() if value is not None)
    ]
    whole = "" if of == "all" else " in which nothing is missing"
    return f"geometric mean of the ratios over {of} {first['settings']} settings{whole}: {', '.join(means)}"


def _grid(header: Sequence[str], rows: list[list[str]], right: Sequence[int], *, markdown: bool) -> str:
    if not markdown:
        return grid(header, rows, right=right)
    return grid(
        [escaped(name) for name in header], [[escaped(cell) for cell in row] for row in rows], form="pipe", right=right
    )


def _notes(lines: list[str], limit: int | None, *, markdown: bool) -> str:
    lines = [line for line in lines if line]
    if markdown:
        return "\n".join(f"- {escaped(line)}" for line in lines)
    return "\n".join(textwrap.fill(printable(line), limit or _ORDINARY, subsequent_indent="  ") for line in lines)


def notes(table: ComparisonTable) -> list[str]:
    """Notes that a reader needs before using the numbers, most important first; some may be empty."""
    found = [*_on_single_runs(table), _on_intervals(table), *_on_tests(table)]
    for varies, mark in _marks(table).items():
        found.append(f"{mark} the runs of this cell vary in {varies.replace(' ', ', ')}")
    if table.also_differ:
        found.append(
            f"what is compared differs in more than {', '.join(table.compared)}: {', '.join(table.also_differ)}"
        )
    found += [_on_invalid(table), _on_copies(table)]
    if table.constants:
        found.append("all runs: " + " ".join(f"{key}={value}" for key, value in table.constants.items()))
    return found


def _on_single_runs(table: ComparisonTable) -> list[str]:
    """Notes for cells of one run: no verdict, the runs that one would need, and what other numbers do not mean."""
    cells = table.cells[table.cells["n"] > 0]
    single = cells[cells["n"] == 1]
    if not len(single):
        return []
    found = ["one run each: no interval and no verdict" if len(single) == len(cells) else "one run: no verdict"]
    if len(needed := single["runs_needed"].dropna()):
        compared = cells[~cells["verdict"].isin(["baseline", "no baseline", "invalid"])]
        family = int(compared.groupby("metric").size().max())
        among = f" among {family} comparisons" if family > 1 else ""
        found[0] += (
            f"; at alpha {table.alpha:g}{among} it takes {needed.min()} runs on each side at least, "
            "enough if they do not overlap"
        )
    rounding = (single["ratio_resolution"] / single["ratio"]).max()
    if not math.isnan(rounding):
        digits = "0.001 % or better" if rounding < 1e-5 else _percent(rounding)
        found.append(f"the printed digits fix each ratio to ±{digits}; a second run may differ by far more")
    spreads = [
        _spread(str(metric), group["within_cv"].dropna()) for metric, group in single.groupby("metric", sort=False)
    ]
    if any(spreads):
        found.append(
            f"stdev / mean within a run: {', '.join(filter(None, spreads))}; it says how steady that run was, "
            "not how far a second one would be off"
        )
    return found


def _spread(metric: str, values: pd.Series[float]) -> str:
    if not len(values):
        return ""
    lo, hi = _percent(values.min()), _percent(values.max())
    of = "one thread's rate" if metric == "throughput" else metric
    return f"{of} {lo}" if lo == hi else f"{of} {lo} to {hi}"


def _percent(ratio: float) -> str:
    return f"{100 * ratio:,.0f} %" if ratio >= 1 else f"{100 * ratio:.2g} %"


def _on_intervals(table: ComparisonTable) -> str:
    """A note for cells with several runs, but fewer than an interval needs."""
    several = table.cells[table.cells["n"] > 1]
    if table.center == "mean" or not (several["lo"].isna()).any():
        return ""
    from wrkparse.analysis.stats.summaries import runs_for_interval

    return f"a {100 * table.confidence:g} % interval of a median takes {runs_for_interval(table.confidence)} runs"


def _on_tests(table: ComparisonTable) -> list[str]:
    cells = table.cells
    test = "Mann-Whitney U" if table.center == "median" else "Welch's t"
    found = []
    if table.center == "median" and (cells["p"].notna() & (cells["n"] > 1)).any():
        found.append("ratio: the median of all quotients of a run and a baseline's run, not of the medians")
    if cells["p"].notna().any():
        found.append(f"p: {test}, Holm-adjusted over all comparisons of a metric; the intervals are not adjusted")
    if cells["rank_lo"].notna().any():
        places = " of a column" if table.columns else ""
        found.append(f"rank: by {test}, Holm-adjusted over all pairs{places}; tied: equal at alpha {table.alpha:g}")
    if (cells["runs_needed"].notna() & (cells["n"] > 1)).any():
        found.append("runs to tell: on each side, with 80 % power, if the true difference is the one seen")
    return found


def _on_invalid(table: ComparisonTable) -> str:
    if not table.audited:
        return "the runs have not been audited: wrkparse audit"
    count = int(table.cells.groupby("metric")["invalid"].sum().max())
    runs = f"{count} run{'s' if count > 1 else ''} not used"
    return f"{runs}, invalid or suspect in latency: wrkparse audit says why" if count else ""


def _on_copies(table: ComparisonTable) -> str:
    pairs = [
        f"{row['where']} is {row['copy_of_where']}" + ("" if row["dropped"] else " (in another cell)")
        for row in table.copies.to_dict("records")
    ]
    listed = ", ".join(pairs[:5]) + (f" and {len(pairs) - 5} more" if len(pairs) > 5 else "")
    return f"the same text twice, counted once per cell: {listed}" if pairs else ""
