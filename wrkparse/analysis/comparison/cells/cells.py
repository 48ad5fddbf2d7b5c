"""The cells of a comparison: which runs belong to each, and which cells are compared with each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from wrkparse.analysis.runs.labels.factors import base_key, is_one_resource
from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS
from wrkparse.analysis.runs.labels.labels import (
    INPUT,
    TITLE,
    Order,
    differing_labels,
    natural_order,
    without_repeated_environment,
)
from wrkparse.analysis.runs.selection import SelectedRun, TooLittleError
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.text.suggestions import did_you_mean

Labels = dict[str, str | None]
LabelValues = tuple[str | None, ...]
LabelKeys = tuple[str, ...]
RowOrder = Literal["labels", "source", "best"]


@dataclass
class ComparisonCell:
    """One cell of a comparison.

    ``labels`` are those of its row and column. ``sample`` has the values that are compared, one for each run.
    ``record`` has the columns of the cell's row in `ComparisonTable.cells`, as far as they are computed.
    """

    labels: Labels
    runs: list[SelectedRun]
    sample: list[float] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)

    def values_of(self, keys: Iterable[str]) -> LabelValues:
        """The cell's values of these labels."""
        return tuple(self.labels[key] for key in keys)


def make_cells(
    runs: list[SelectedRun], row_keys: LabelKeys, column_keys: LabelKeys, row_order: RowOrder
) -> list[ComparisonCell]:
    """The cells row by row, with those that have no runs. Columns are always ordered by their labels."""
    groups: dict[tuple[LabelValues, LabelValues], list[SelectedRun]] = {}
    for run in runs:
        position = tuple(run.labels[key] for key in row_keys), tuple(run.labels[key] for key in column_keys)
        groups.setdefault(position, []).append(run)
    rows = list(dict.fromkeys(row for row, _ in groups))
    if row_order != "source":
        rows.sort(key=_label_order)
    columns = sorted({column for _, column in groups}, key=_label_order)
    keys = (*row_keys, *column_keys)
    return [
        ComparisonCell(dict(zip(keys, (*row, *column), strict=True)), groups.get((row, column), []))
        for row in rows
        for column in columns
    ]


def _label_order(values: LabelValues) -> list[Order]:
    return [natural_order(value) for value in values]


def compared_labels(
    cells: list[ComparisonCell], row_keys: LabelKeys, column_keys: LabelKeys, baseline: Labels
) -> tuple[LabelKeys, Labels]:
    """The keys of the labels whose values are compared, and the baseline's values of them.

    If the baseline's labels select one row (or column), the baseline is that row, whatever other labels rows have.
    Otherwise the baseline of a cell is the cell that differs in just these labels. Without a baseline, rows are
    compared. Raises TooLittleError if no run has the baseline's labels.
    """
    if not baseline:
        return row_keys, {}
    matching = [cell for cell in cells if cell.runs and cell.labels.items() >= baseline.items()]
    if not matching:
        raise TooLittleError(_no_baseline(cells, baseline))
    for keys in (row_keys, column_keys):
        selected = {cell.values_of(keys) for cell in matching}
        if set(baseline) <= set(keys) and len(selected) == 1:
            return keys, dict(zip(keys, selected.pop(), strict=True))
    return tuple(baseline), baseline


def _no_baseline(cells: list[ComparisonCell], baseline: Labels) -> str:
    """That no run has the baseline's labels, the values that runs have, and those that a misspelt one is like."""
    wanted = ", ".join(f"{key}={value or ''}" for key, value in baseline.items())
    values = {key: dict.fromkeys(cell.labels[key] or "(none)" for cell in cells) for key in baseline}
    choices = "; ".join(f"{key} is {', '.join(present)}" for key, present in values.items())
    hints = (did_you_mean(value, values[key]) for key, value in baseline.items() if value and value not in values[key])
    return f"no run has the baseline's {wanted}: {choices}{''.join(hints)}"


# Labels of the load, and of what serves it, of which each alone changes throughput and latency.
_LOADS = ("tool", "rate", "connections", "payload_bytes", "path", "machine", "cores", "gogc", "gomemlimit")
# Labels that follow from other labels of the load where these are compared: wrk -t 8 -c 64, wrk -t 16 -c 128.
_FOLLOWING = ("threads", "duration_s")
# Options that decide whether each request takes a new connection. `-k` is one of ab only.
_KEEP_ALIVE = frozenset(("flag_keepalive", "flag_disable_keepalive", "flag_disablekeepalives"))
_KEEP_ALIVE_OF_AB = "flag_k"
_PRINT_NO_URL = frozenset(("hey", "oha"))  # tools: who has a URL has it from the command
# Linux sends what is meant for 0.0.0.0 to this machine.
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.[0-9]{1,3}){3}|::1|0\.0\.0\.0)", re.IGNORECASE)
# A part of a path that names one record. A number may be a size: `/bytes/1024`.
_IDENTIFIER = re.compile(r"(?<=/)[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?=[/?#]|\Z)")
_PROGRAM = "program"
_PROCESS = "process"
_URL = "url"


def cells_by_setting(cells: list[ComparisonCell], compared: LabelKeys) -> dict[LabelValues, list[ComparisonCell]]:
    """Groups of cells that are compared with each other: all labels but the compared ones are the same."""
    groups: dict[LabelValues, list[ComparisonCell]] = {}
    for cell in cells:
        groups.setdefault(cell.values_of(key for key in cell.labels if key not in compared), []).append(cell)
    return groups


def shared_labels(runs: list[SelectedRun]) -> dict[str, str]:
    """The labels that all runs share, with their values; their loop is left to the notes."""
    first = runs[0].labels
    left_out = {*differing_labels(run.labels for run in runs), "loop", "corrected"}
    return {key: value for key, value in first.items() if value is not None and key not in left_out}


def confounded_labels(cells: list[ComparisonCell], compared: LabelKeys) -> LabelKeys:
    """Labels beside the compared ones that differ between the cells of a setting while no cell mixes their values.

    Such a label may be the reason for a difference as well as the compared ones.
    """
    confounded: dict[str, None] = {}
    for group in cells_by_setting(cells, compared).values():
        filled = [cell for cell in group if cell.runs]
        values = [_other_label_values(cell) for cell in filled]
        restating = _restating(filled, compared, values)
        for key in values[0] if values else ():
            one_value_each = all(len(value[key]) == 1 for value in values)
            if key == "study" and INPUT in compared:  # an input is a study, or a state of one
                continue
            if key == _PROGRAM and any(None in value[key] for value in values):  # whoever started it, it is unknown
                continue
            differs = one_value_each and len(set().union(*(value[key] for value in values))) > 1
            if differs and key not in restating:
                confounded[key] = None
    return tuple(without_repeated_environment(confounded, compared))


def unlike_loads(
    cells: list[ComparisonCell], compared: LabelKeys, confounded: Iterable[str]
) -> dict[LabelValues, Labels]:
    """The labels of the load among `confounded` that each variant has with one value, by variant; empty without any."""
    found: dict[LabelValues, dict[str, str | None]] = {}
    filled = [cell for cell in cells if cell.runs]
    values = [(cell.values_of(compared), _other_label_values(cell)) for cell in filled]
    for key in _load_keys(filled, compared, [*confounded]):
        of_key = {
            variant: set().union(*(value[key] for one, value in values if one == variant)) for variant, _ in values
        }
        if key == "path" and all(_names_path(variant, one) for variant, one in of_key.items()):
            continue
        if key == "path" and _are_alike({path for paths in of_key.values() for path in paths}):
            continue
        # An option that was not given is a fact, if all options of a run are known.
        may_lack = _is_keep_alive(key) and all(map(_has_options, filled))
        if all(len(one) == 1 and (may_lack or None not in one) for one in of_key.values()):
            for variant, [one] in of_key.items():
                found.setdefault(variant, {})[key] = one
    return dict(found)


def beside_baseline(
    cells: list[ComparisonCell], compared: LabelKeys, baseline: Labels, *, include_invalid: bool
) -> list[ComparisonCell]:
    """The cells with runs that count, of the settings in which the baseline has any; all cells without a baseline."""
    if not baseline:
        return cells
    found = list[ComparisonCell]()
    for group in cells_by_setting(cells, compared).values():
        filled = [cell for cell in group if any(include_invalid or run.valid is not False for run in cell.runs)]
        if len(filled) > 1 and any(cell.labels.items() >= baseline.items() for cell in filled):
            found += filled
    return found


def connections_of(cells: Iterable[ComparisonCell]) -> dict[LabelValues, str]:
    """The connections of each cell whose runs agree in them, by all labels of the cell; empty if cells say them."""
    found = {
        cell.values_of(cell.labels): {run.labels.get("connections") for run in cell.runs}
        for cell in cells
        if "connections" not in cell.labels
    }
    return {cell: number for cell, numbers in found.items() if len(numbers) == 1 for number in numbers if number}


def _load_keys(cells: Sequence[ComparisonCell], compared: LabelKeys, confounded: Sequence[str]) -> list[str]:
    """The keys of the labels of the load among `confounded`; the URL if some requests left the machine."""
    keys = [key for key in _LOADS if key in confounded]
    if not set(compared) & set(LOAD_LABELS):
        keys += [key for key in _FOLLOWING if key in confounded]
    if _URL in confounded and len({_is_loopback(run.labels[_URL]) for cell in cells for run in cell.runs}) == 2:
        keys = [_URL, *(key for key in keys if key != "path")]
    of_ab = {run.labels["tool"] for cell in cells for run in cell.runs} == {"ab"}
    return [*keys, *(key for key in confounded if _is_keep_alive(key) and (of_ab or key != _KEEP_ALIVE_OF_AB))]


def _is_keep_alive(key: str) -> bool:
    return key in _KEEP_ALIVE or key == _KEEP_ALIVE_OF_AB


def _has_options(cell: ComparisonCell) -> bool:
    """Whether the options of each run are known, so that an option without a value was not given."""
    return all(
        any(key.startswith("flag_") and value is not None for key, value in run.labels.items())
        or (run.labels["tool"] in _PRINT_NO_URL and run.labels.get(_URL) is not None)
        for run in cell.runs
    )


def _is_loopback(url: str | None) -> bool | None:
    """Whether requests to a URL stay on the machine; None if that is not known."""
    try:
        host = urlsplit(url or "").hostname
    except ValueError:  # brackets without an address: http://[redacted]:8080/
        return None
    return bool(_LOOPBACK.fullmatch(host)) if host else None


def _names_path(variant: LabelValues, paths: set[str | None]) -> bool:
    """Whether a variant is called as the path of its requests: ``cached`` for ``/cached``."""
    words = set(re.findall(r"\w+", " ".join(filter(None, variant)).casefold()))
    return all(path and not words.isdisjoint(re.findall(r"\w+", path.casefold())) for path in paths)


def _are_alike(paths: set[str | None]) -> bool:
    """Whether requests for these paths cost the same: for two records, or below two roots."""
    return is_one_resource(paths) or len(set(map(_without_identifiers, paths))) == 1


def _without_identifiers(path: str | None) -> str:
    """A path with one sign for any UUID: requests for two records are alike."""
    return _IDENTIFIER.sub("\0", path or "")


def _restating(cells: list[ComparisonCell], compared: LabelKeys, values: list[dict[str, set[str | None]]]) -> set[str]:
    """The labels that only repeat the compared label, or can't be the reason for a difference.

    - Labels with the compared value, or with none.
    - If the server is compared: the command that started it, and what it prints about itself.
    - A process or a URL that contains the compared value, and is otherwise the same.
    - The port on one host, and other labels that name it: ``--listen :8081``.
    """
    keys = values[0].keys() if values else ()
    found = {key for key in keys if _repeats(cells, compared, [value[key] for value in values])}
    for key, times in ((_PROCESS, -1), (_URL, 1)):  # a name may also be a part of the path of a URL
        if key in keys and _holds(cells, compared, [value[key] for value in values], times):
            found.add(key)
    if {base_key(key) for key in compared} & {"framework", *FACTOR_KEYS}:
        found |= {_PROGRAM, "server_software"}
    urls = [{run.labels.get(_URL) for run in cell.runs} for cell in cells]
    if len({_without_port(url) for value in values for url in value.get(_URL, ())}) == 1 or _URL in compared:
        found |= {_URL} | {key for key in keys if _names_port(urls, [value[key] for value in values])}
    return found | {"port"}


def _repeats(cells: list[ComparisonCell], compared: LabelKeys, values: list[set[str | None]]) -> bool:
    """Whether a label says what a compared one says already, or nothing."""
    return any(
        all(value <= {cell.labels[key], None} for cell, value in zip(cells, values, strict=True)) for key in compared
    )


def _holds(cells: list[ComparisonCell], compared: LabelKeys, values: list[set[str | None]], times: int) -> bool:
    """Whether a label contains the compared one, with the same text around it in all cells: ``bench-kiwi-1``.

    `times` is how many occurrences of the compared value are set aside; -1 for all, as in ``pod/kiwi/kiwi``.
    """
    for key in compared:
        pairs = [(cell.labels[key], text) for cell, value in zip(cells, values, strict=True) for text in value]
        around = {text.replace(name, "\0", times) for name, text in pairs if name and text and name in text}
        if len(around) == 1 and all(name and text and name in text for name, text in pairs):
            return True
    return False


def _names_port(urls: list[set[str | None]], values: list[set[str | None]]) -> bool:
    """Whether a label is an address with the port of each cell's URL, and the same but for it: ``0.0.0.0:8081``."""
    around: set[str] = set()
    for of_cell, value in zip(urls, values, strict=True):
        [url], [text] = (list(one) if len(one) == 1 else [None] for one in (of_cell, value))
        # ":8081" in "http://localhost:8081/"
        port = re.search(r"//[^/?#]*(:[0-9]{1,5})(?![^/?#])", url or "")
        if port is None or text is None or not text.endswith(port[1]):
            return False
        around.add(text.removesuffix(port[1]))
    return len(around) == 1


def _without_port(url: str | None) -> str | None:
    """A URL without its port; an address of this machine is the same in any form."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:  # brackets without an address: http://[redacted]:8080/
        return url
    host = "localhost" if host in {"127.0.0.1", "::1"} else host
    return f"{parts.scheme}://{host}{parts.path}?{parts.query}"


def _other_label_values(cell: ComparisonCell) -> dict[str, set[str | None]]:
    """The values of each label that is not one of the cell's own, without those that are unknown."""
    keys = [key for key in cell.runs[0].labels if key not in cell.labels and key != TITLE]
    return {key: {run.labels[key] for run in cell.runs if key not in run.unknown} for key in keys}
