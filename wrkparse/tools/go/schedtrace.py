"""GODEBUG=schedtrace=N (Go 1.2 and later): the scheduler's state every N milliseconds, a ``SCHED`` line each time.

Printed by ``runtime·schedtrace`` of ``runtime/proc.c`` up to Go 1.4 and ``schedtrace`` of ``runtime/proc.go`` since.
The time counts from the process's first ``SCHED`` line. With scheddetail=1, and when a process crashes, the line
ends with further fields instead of a list of queues, and P, M and G lines follow (`sched_details`). ``era`` names the shapes:

==== =========== ==========================================
era  Go          what is particular
==== =========== ==========================================
S1   1.2, 1.3    neither spinningthreads nor needspinning
S2   1.4 to 1.19 spinningthreads
S3   1.20 on     needspinning; the detailed line of S4 too
S4   1.25 on     ``[ 0 1 ]`` with blanks, and schedticks
==== =========== ==========================================

A real line (Go 1.25)::

    SCHED 46ms: gomaxprocs=1 idleprocs=0 threads=3 spinningthreads=0 needspinning=1 idlethreads=1 runqueue=0 [ 5 ] schedticks=[ 12 ]
"""  # noqa: E501 (a real line)

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.model.records import Column
from wrkparse.tools.columnar.decode import decode, events_schema, joined_table
from wrkparse.tools.columnar.shapes import BLANKS, BadLines, Shape, ShapeGroup, shape
from wrkparse.tools.event import Events, EventSpec, EventTool, Opening
from wrkparse.tools.go import sched_details

COLUMNS = (
    Column("t_s", "float", "time since the process's first SCHED line"),
    Column("gomaxprocs", "int", "Ps"),
    Column("idleprocs", "int", "idle Ps"),
    Column("threads", "int", "Ms: created so far up to Go 1.9, existing since"),
    Column("spinningthreads", "int", "Ms that look for work (S2 and later)"),
    Column("needspinning", "bool", "another M that looks for work is wanted (S3 and later)"),
    Column("idlethreads", "int", "parked Ms"),
    Column("runqueue", "int", "goroutines in the global queue"),
    Column("local_runqueues", "ints", "goroutines in each P's queue, P0 first, without the one that runs next"),
    Column("schedticks", "ints", "goroutine executions of each P so far, modulo 2³² (S4)"),
    Column("gcwaiting", "bool", "a collection waits for the world to stop (detailed)"),
    Column("nmidlelocked", "int", "Ms locked to a goroutine that wait for work; below 0 at times (detailed)"),
    Column("nmspinning", "int", "Ms that look for work (detailed S1)"),
    Column("stopwait", "int", "Ps that have yet to stop (detailed)"),
    Column("sysmonwait", "bool", "the monitor thread sleeps (detailed)"),
    Column("era", "string", "shape of the line, S1 to S4"),
)  # fmt: skip

_SCHEMA = events_schema(COLUMNS)
_FLAGS = tuple(column.name for column in COLUMNS if column.kind == "bool")

_HEAD = "SCHED {t_s}ms: gomaxprocs={gomaxprocs} idleprocs={idleprocs} threads={threads}"
_SPINNING = " spinningthreads={spinningthreads}"
_NEEDED = " needspinning={needspinning}"
_END = " idlethreads={idlethreads} runqueue={runqueue}"
_HEADS = {"S1": _HEAD + _END, "S2": _HEAD + _SPINNING + _END, "S3": _HEAD + _SPINNING + _NEEDED + _END}

# More Ps than any machine has. A line with more would need thousands of columns.
_MAX_PROCS = 4096

_CAPITAL = b" Gomaxprocs="

_BOOLS = {"false": False, "true": True}

# The list of S4 without schedticks: these may be in the next line, or may have been removed.
_WITHOUT_TICKS = re.compile(rb"( runqueue=[0-9]{1,10} \[) ((?:[0-9]{1,10} ){1,4096})\][ \t\r]{0,8}\Z")


def _detailed() -> Iterator[Shape]:
    """The shapes of the SCHED lines of scheddetail=1."""
    old = " gcwaiting={gcwaiting} nmidlelocked=%s%s stopwait={stopwait} sysmonwait={sysmonwait}"
    for locked in ("{nmidlelocked}", "-{minus_nmidlelocked}"):
        yield shape(_HEADS["S1"] + old % (locked, " nmspinning={nmspinning}"), era="S1")
        yield shape(_HEADS["S2"] + old % (locked, ""), era="S2")
        for waiting, asleep in itertools.product(_BOOLS, repeat=2):
            new = f" gcwaiting={waiting} nmidlelocked={locked} stopwait={{stopwait}} sysmonwait={asleep}"
            yield shape(_HEADS["S3"] + new, era="S3", gcwaiting=_BOOLS[waiting], sysmonwait=_BOOLS[asleep])


_ERAS = {shape(head).skeleton: era for era, head in _HEADS.items()}
_DETAILED = {known.skeleton: known for known in _detailed()}


@functools.lru_cache(maxsize=256)
def _shape_of(skeleton: bytes) -> Shape | None:
    """The shape of a SCHED line, which depends on the number of listed Ps; None for other lines."""
    if skeleton in _DETAILED:
        return _DETAILED[skeleton]
    head, _, lists = skeleton.partition(b" [")
    era = _ERAS.get(head)
    blanks = b" " * (len(lists) - len(lists.lstrip(b" ")))
    if era is None or len(blanks) > _MAX_PROCS:
        return None
    if lists == blanks + b"]":  # "[0 5]"
        return shape(f"{_HEADS[era]} [{_list('local_runqueues', len(blanks) + 1)}]", era=era)
    # "[ 0 5 ] schedticks=[ 1 12 ]"
    if era == "S3" and len(blanks) > 1 and lists == blanks + b"] schedticks=[" + blanks + b"]":
        queues, ticks = (_list(name, len(blanks) - 1) for name in ("local_runqueues", "schedticks"))
        return shape(f"{_HEADS[era]} [ {queues} ] schedticks=[ {ticks} ]", era="S4")
    return None


def _list(name: str, count: int) -> str:
    """The template of a list of numbers."""
    return " ".join([f"{{{name}*}}"] * count)


def _decode(lines: Sequence[bytes]) -> tuple[list[ShapeGroup], BadLines]:
    """The groups of SCHED lines, and the other lines; a capital letter after the colon is ignored.

    Word processors write such a letter.
    """
    groups, others = decode(lines, _shape_of)
    if any(_CAPITAL in lines[index] for index, _ in others):
        return decode([line.replace(_CAPITAL, _CAPITAL.lower(), 1) for line in lines], _shape_of)
    return groups, others


class _Stream:
    """Decodes the scheduler states of one source, and remembers the last one, which P, M and G lines may follow."""

    def __init__(self) -> None:
        self._last_t_s = 0.0
        self._began = False
        self._block_t_s: float | None = None  # the time of the last SCHED line; None if it could not be read

    def decode(self, lines: Sequence[bytes]) -> Events:
        groups, unread = _decode(lines)
        ticks = _ticks(groups)
        bad = [(i, reason) for i, reason in unread if _is_head(lines[i])]
        details: list[sched_details.DetailRow] = []
        if len(ticks) < len(lines):
            details = self._details(lines, ticks, bad)
        elif lines:
            self._began, self._block_t_s = True, ticks["t_s"][-1].as_py()
        tables = {"sched_ticks": ticks, "sched_details": pa.Table.from_pylist(details, sched_details.SCHEMA)}
        return Events(tables, self._starts(ticks), sorted(bad))

    def sound(self, lines: Sequence[bytes]) -> set[int]:
        groups, others = _decode(lines)
        ticks = _ticks(groups)
        agrees = pc.equal(pc.list_value_length(ticks["local_runqueues"]), ticks["gomaxprocs"])
        ticks = ticks.filter(pc.fill_null(agrees, fill_value=True))  # another number of queues may be two lines in one
        details = (index for index, _ in others if self._began and not _is_head(lines[index]))
        return {*ticks["index"].to_pylist(), *(i for i in details if sched_details.read_line(lines[i].rstrip(BLANKS)))}

    def follow(self, events: Events) -> Events:
        ticks = events.tables["sched_ticks"]
        self._began, self._block_t_s = True, ticks["t_s"][-1].as_py()
        return events._replace(starts=self._starts(ticks))

    def _starts(self, ticks: pa.Table) -> list[int]:
        """The indices where another process begins: its time counts from 0, so the time falls."""
        t_s = np.concatenate([[self._last_t_s], ticks["t_s"].to_numpy()])
        self._last_t_s = float(t_s[-1])
        starts: list[int] = ticks["index"].to_numpy()[t_s[1:] < t_s[:-1]].tolist()
        return starts

    def _details(self, lines: Sequence[bytes], ticks: pa.Table, bad: BadLines) -> list[sched_details.DetailRow]:
        """The rows of P, M and G lines; unknown lines are added to `bad`."""
        times = dict(zip(ticks["index"].to_pylist(), ticks["t_s"].to_pylist(), strict=True))
        rows = []
        for index, line in enumerate(lines):
            if _is_head(line):
                self._began, self._block_t_s = True, times.get(index)
            elif not self._began:
                bad.append((index, "no SCHED line in front of it"))
            elif row := sched_details.read_line(line.rstrip(BLANKS)):
                rows.append({"index": index, "t_s": self._block_t_s, **row})
            else:
                bad.append((index, "not a P, M or G line that a known version prints: cut, or other output in it"))
        return rows


def _as_printed(line: bytes) -> bytes:
    """A line of S4 without its schedticks, as one of S3 or S2; other lines unchanged."""
    return _WITHOUT_TICKS.sub(lambda match: match[1] + match[2][:-1] + b"]", line)


def _is_head(line: bytes) -> bool:
    return line.startswith(b"SCHED")


def _ticks(groups: Sequence[ShapeGroup]) -> pa.Table:
    """The rows of the SCHED lines. The audit finds those that list another number of Ps than gomaxprocs."""
    return joined_table(_SCHEMA, [(group.indices, _values(group)) for group in groups])


def _values(group: ShapeGroup) -> dict[str, Any]:
    """The columns of a group, with flags for 0 and 1, lists with a number per P, and constants."""
    values = {**group.words, **group.columns}
    values["t_s"] = values["t_s"] / 1000.0
    if "minus_nmidlelocked" in values:
        values["nmidlelocked"] = -values["minus_nmidlelocked"]
    for flag in _FLAGS:
        if isinstance(values.get(flag), np.ndarray):
            values[flag] = values[flag] != 0
    return values


_TICKS = EventSpec(
    "sched_ticks",
    word="SCHED ",
    begins="SCHED [0-9]{1,19}ms:",
    opening=Opening(b"SCHED ", 19, b"ms:"),
    torn="SCHED (?:[0-9]{1,10}m?s?)?",
    torn_by="gc",
    ends=("]",),
)

TOOL = EventTool(
    name="schedtrace",
    specs=(_TICKS, *sched_details.SPECS),
    stream=_Stream,
    as_printed=_as_printed,
    tables={"sched_ticks": COLUMNS, "sched_details": sched_details.COLUMNS},
    main_table="sched_ticks",
    label_columns={"gomaxprocs": "cores"},
    first_text="SCHED 0ms:",
    known_words=re.compile(r"SCHED [0-9]+ms|gomaxprocs=|idleprocs=|runqueue=|schedtrace"),
)
