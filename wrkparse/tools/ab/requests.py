r"""The file that ``ab -g`` writes: a line per request, for gnuplot, with TABs between the columns.

``output_results()`` of ``support/ab.c`` of httpd sorts the lines by ``ttime`` (since 2.2.9), not by the time at which
requests were sent. ``starttime`` is local time without its zone; ``seconds`` is the same since the epoch, in
microseconds up to httpd 2.2.8. The others are whole milliseconds: ``ctime`` to connect, ``dtime`` from then to the last
byte, ``ttime`` both, ``wait`` from the request to the first byte. A real file begins::

    starttime   seconds ctime   dtime   ttime   wait
    Fri Nov 20 11:35:18 2026    1795174518  0   3   3   3
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from wrkparse.model.records import Column
from wrkparse.tools.event import Events, EventSpec, EventTool

_TIMES = ("connect_s", "processing_s", "total_s", "wait_s")
COLUMNS = (
    Column(
        "started_at", "time", "when the request was sent, UTC, to the second (to the microsecond up to httpd 2.2.8)"
    ),
    Column("connect_s", "float", "time to connect"),
    Column("processing_s", "float", "time from the connection to the last byte"),
    Column("total_s", "float", "time from the start to the last byte"),
    Column("wait_s", "float", "time from the request to the first byte"),
)
_SCHEMA = pa.schema(
    [("index", pa.int64()), ("started_at", pa.timestamp("us", tz="UTC")), *((name, pa.float64()) for name in _TIMES)]
)
_HEAD = b"starttime\t"
# the date, the seconds, then four times in milliseconds
_ROW = re.compile(rb"[^\t]*\t([0-9]{1,18})\t(-?[0-9]{1,12})\t(-?[0-9]{1,12})\t(-?[0-9]{1,12})\t(-?[0-9]{1,12})\s*")
_AS_MICROSECONDS = 10**11  # as seconds, this is the year 5138


class _Stream:
    """Reads the lines of one source; each header begins another run."""

    def decode(self, lines: Sequence[bytes]) -> Events:
        starts, bad, row_lines, rows = [], [], [], []
        for index, line in enumerate(lines):
            if line.startswith(_HEAD):
                starts.append(index)
            elif match := _ROW.fullmatch(line):
                row_lines.append(index)
                rows.append(match.groups())
            else:
                bad.append((index, "not the six columns of a -g file"))
        numbers = np.array(rows, dtype="S18").astype(np.int64).reshape(-1, 5)
        return Events({"requests": _table(row_lines, numbers)}, starts, bad)

    def sound(self, lines: Sequence[bytes]) -> set[int]:
        return {index for index, line in enumerate(lines) if _ROW.fullmatch(line)}

    def follow(self, events: Events) -> Events:
        return events


def _table(indices: list[int], numbers: np.ndarray) -> pa.Table:
    seconds = numbers[:, 0]
    microseconds = np.where(seconds < _AS_MICROSECONDS, seconds * 1_000_000, seconds)
    times = [pa.array(numbers[:, column] / 1000) for column in range(1, 5)]
    return pa.table(
        [pa.array(indices, pa.int64()), pa.array(microseconds).cast(_SCHEMA.field(1).type), *times], schema=_SCHEMA
    )


_DATE = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [0-9 ][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}"
# A TAB in a string of JSON is ``\t``.
_SPECS = (
    EventSpec(
        "", word="\t", begins="starttime\tseconds\tctime\tdtime\tttime\twait", sign=r"starttime(?:\t|\\t)seconds"
    ),
    EventSpec("requests", word="\t", begins=_DATE + "\t[0-9]+\t", sign=r":[0-9]{2} [0-9]{4}(?:\t|\\t)[0-9]"),
)

TOOL = EventTool(
    name="ab",
    specs=_SPECS,
    stream=_Stream,
    tables={"requests": COLUMNS},
    main_table="requests",
    label_columns={},
    dialect="-g",
)
