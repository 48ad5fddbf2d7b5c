"""SCHED lines of every era and the P, M and G lines below them, by hand and against an independent reader."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.cases import each_case
from tests.examples import examples
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.prefilter import re2_finds
from wrkparse.source.blocks import split_at_lines
from wrkparse.tools.event import Events
from wrkparse.tools.go.schedtrace import TOOL

pytestmark = pytest.mark.usefixtures("loops")

LOGS = Path(__file__).parents[1] / "fixtures" / "schedtrace"

Row = dict[str, object]


def read(*lines: bytes) -> Events:
    return TOOL.stream().decode(lines)


def rows(events: Events, table: str = "sched_ticks") -> list[Row]:
    return events.tables[table].to_pylist()


def said(row: Row) -> Row:
    """A row without what its line does not say."""
    return {name: value for name, value in row.items() if value is not None and name != "index"}


def tick(line: str) -> Row:
    (row,) = rows(read(line.encode()))
    return said(row)


def detail(line: str) -> Row:
    """What a P, M or G line says, but for the time."""
    found = TOOL.find.findall(f"SCHED 0ms: ...\n{line}\n".encode())
    (row,) = rows(read(*found), "sched_details")
    return said(row)


def found(log: str) -> list[bytes]:
    return TOOL.find.findall((LOGS / log).read_bytes())


LISTS = {
    "S1": (
        "SCHED 27ms: gomaxprocs=4 idleprocs=0 threads=6 idlethreads=2 runqueue=3 [2 1 7 0]",
        {"t_s": 0.027, "gomaxprocs": 4, "idleprocs": 0, "threads": 6, "idlethreads": 2, "runqueue": 3, "era": "S1"}
        | {"local_runqueues": [2, 1, 7, 0]},
    ),
    "S2": (
        "SCHED 34ms: gomaxprocs=4 idleprocs=1 threads=6 spinningthreads=2 idlethreads=3 runqueue=4 [1 2 1 10]",
        {"t_s": 0.034, "gomaxprocs": 4, "idleprocs": 1, "threads": 6, "spinningthreads": 2, "idlethreads": 3}
        | {"runqueue": 4, "local_runqueues": [1, 2, 1, 10], "era": "S2"},
    ),
    "S2, one P": (
        "SCHED 2746ms: gomaxprocs=1 idleprocs=0 threads=42 spinningthreads=0 idlethreads=9 runqueue=53 [15]",
        {"t_s": 2.746, "gomaxprocs": 1, "idleprocs": 0, "threads": 42, "spinningthreads": 0, "idlethreads": 9}
        | {"runqueue": 53, "local_runqueues": [15], "era": "S2"},
    ),
    "S3": (
        ("SCHED 20ms: gomaxprocs=4 idleprocs=0 threads=6 spinningthreads=1 needspinning=0 idlethreads=2 runqueue=1 "
        "[0 0 1 0]"),
        {"t_s": 0.02, "gomaxprocs": 4, "idleprocs": 0, "threads": 6, "spinningthreads": 1, "needspinning": False}
        | {"idlethreads": 2, "runqueue": 1, "local_runqueues": [0, 0, 1, 0], "era": "S3"},
    ),
    "S4": (
        ("SCHED 50ms: gomaxprocs=8 idleprocs=3 threads=10 spinningthreads=1 needspinning=1 idlethreads=4 runqueue=2 "
        "[ 0 0 0 0 1 0 0 9 ] schedticks=[ 12 7 4 4 2 4 10 5266 ]"),
        {"t_s": 0.05, "gomaxprocs": 8, "idleprocs": 3, "threads": 10, "spinningthreads": 1, "needspinning": True}
        | {"idlethreads": 4, "runqueue": 2, "local_runqueues": [0, 0, 0, 0, 1, 0, 0, 9], "era": "S4"}
        | {"schedticks": [12, 7, 4, 4, 2, 4, 10, 5266]},
    ),
    "S4, one P": (
        ("SCHED 46ms: gomaxprocs=1 idleprocs=0 threads=3 spinningthreads=0 needspinning=1 idlethreads=1 runqueue=0 "
        "[ 5 ] schedticks=[ 12 ]"),
        {"t_s": 0.046, "gomaxprocs": 1, "idleprocs": 0, "threads": 3, "spinningthreads": 0, "needspinning": True}
        | {"idlethreads": 1, "runqueue": 0, "local_runqueues": [5], "schedticks": [12], "era": "S4"},
    ),
}  # fmt: skip
DETAILED = {
    "S1": (
        ("SCHED 25ms: gomaxprocs=2 idleprocs=0 threads=10 idlethreads=1 runqueue=0 gcwaiting=1 nmidlelocked=4 "
        "nmspinning=3 stopwait=2 sysmonwait=0"),
        {"t_s": 0.025, "gomaxprocs": 2, "idleprocs": 0, "threads": 10, "idlethreads": 1, "runqueue": 0, "era": "S1"}
        | {"gcwaiting": True, "nmidlelocked": 4, "nmspinning": 3, "stopwait": 2, "sysmonwait": False},
    ),
    "S2": (
        ("SCHED 7ms: gomaxprocs=2 idleprocs=1 threads=4 spinningthreads=0 idlethreads=2 runqueue=0 gcwaiting=0 "
        "nmidlelocked=-1 stopwait=0 sysmonwait=1"),
        {"t_s": 0.007, "gomaxprocs": 2, "idleprocs": 1, "threads": 4, "spinningthreads": 0, "idlethreads": 2}
        | {"runqueue": 0, "gcwaiting": False, "nmidlelocked": -1, "stopwait": 0, "sysmonwait": True, "era": "S2"},
    ),
    "S3 and S4": (
        ("SCHED 351ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1 idlethreads=2 runqueue=0 "
        "gcwaiting=true nmidlelocked=0 stopwait=0 sysmonwait=false"),
        {"t_s": 0.351, "gomaxprocs": 2, "idleprocs": 0, "threads": 5, "spinningthreads": 0, "needspinning": True}
        | {"idlethreads": 2, "runqueue": 0, "gcwaiting": True, "nmidlelocked": 0, "stopwait": 0, "era": "S3"}
        | {"sysmonwait": False},
    ),
}  # fmt: skip
TICKS = [line.encode() for line, _ in (*LISTS.values(), *DETAILED.values())]
S3, S4 = LISTS["S3"][0].encode(), LISTS["S4"][0].encode()


@pytest.mark.parametrize(("line", "expected"), [*LISTS.values(), *DETAILED.values()], ids=[*LISTS, *DETAILED])
def test_each_era_says_what_its_format_means(line: str, expected: Row):
    assert tick(line) == expected


DETAILS = {
    "P of Go 1.2": (
        "  P0: status=3 schedtick=1 syscalltick=2 m=0 runqsize=1/128 gfreecnt=4",
        {"kind": "P", "id": 0, "status": 3, "schedtick": 1, "syscalltick": 2, "m": 0, "runqsize": 1, "runqcap": 128}
        | {"gfreecnt": 4},
    ),
    "P of Go 1.3, idle": (
        "  P1: status=0 schedtick=5 syscalltick=0 m=-1 runqsize=0 gfreecnt=0",
        {"kind": "P", "id": 1, "status": 0, "schedtick": 5, "syscalltick": 0, "runqsize": 0, "gfreecnt": 0},
    ),
    "P of Go 1.14": (
        "  P12: status=1 schedtick=35 syscalltick=7 m=5 runqsize=6 gfreecnt=1 timerslen=4",
        {"kind": "P", "id": 12, "status": 1, "schedtick": 35, "syscalltick": 7, "m": 5, "runqsize": 6, "gfreecnt": 1}
        | {"timerslen": 4},
    ),
    "P of Go 1.20, idle": (
        "  P1: status=0 schedtick=5 syscalltick=0 m=nil runqsize=0 gfreecnt=0 timerslen=0",
        {"kind": "P", "id": 1, "status": 0, "schedtick": 5, "syscalltick": 0, "runqsize": 0, "gfreecnt": 0}
        | {"timerslen": 0},
    ),
    "M of Go 1.2": (
        "  M0: p=0 curg=1 mallocing=0 throwing=0 gcing=1 locks=0 dying=0 helpgc=0 spinning=0 lockedg=1",
        {"kind": "M", "id": 0, "p": 0, "curg": 1, "mallocing": 0, "throwing": 0, "gcing": True, "locks": 0, "dying": 0}
        | {"helpgc": 0, "spinning": False, "lockedg": 1},
    ),
    "M of Go 1.3": (
        "  M2: p=-1 curg=-1 mallocing=1 throwing=-1 gcing=0 locks=2 dying=1 helpgc=3 spinning=1 blocked=1 lockedg=-1",
        {"kind": "M", "id": 2, "mallocing": 1, "throwing": -1, "gcing": False, "locks": 2, "dying": 1, "helpgc": 3}
        | {"spinning": True, "blocked": True},
    ),
    "M of Go 1.5": (
        ("  M0: p=0 curg=16 mallocing=0 throwing=0 preemptoff=GC worker init locks=1 dying=0 helpgc=0 spinning=false "
        "blocked=false lockedg=16"),
        {"kind": "M", "id": 0, "p": 0, "curg": 16, "mallocing": 0, "throwing": 0, "preemptoff": "GC worker init"}
        | {"locks": 1, "dying": 0, "helpgc": 0, "spinning": False, "blocked": False, "lockedg": 16},
    ),
    "M of Go 1.20": (
        ("  M4: p=nil curg=nil mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=false blocked=true "
        "lockedg=10"),
        {"kind": "M", "id": 4, "mallocing": 0, "throwing": 0, "locks": 0, "dying": 0, "spinning": False}
        | {"blocked": True, "lockedg": 10},
    ),
    "G that waits": (
        "  G2: status=4(force gc (idle)) m=-1 lockedm=-1",
        {"kind": "G", "id": 2, "status": 4, "wait_reason": "force gc (idle)", "scanning": False},
    ),
    "G that never waited": (
        "  G17: status=1() m=nil lockedm=nil",
        {"kind": "G", "id": 17, "status": 1, "scanning": False},
    ),
    "G whose stack is scanned": (
        "  G8: status=4098(sync.WaitGroup.Wait (durable)) m=3 lockedm=0",
        {"kind": "G", "id": 8, "status": 2, "wait_reason": "sync.WaitGroup.Wait (durable)", "scanning": True}
        | {"m": 3, "lockedm": 0},
    ),
}  # fmt: skip
TAILS = TOOL.find.findall("\n".join(line for line, _ in DETAILS.values()).encode())


@each_case("line, expected", DETAILS.values(), ids=DETAILS)
def test_each_detail_line_says_what_its_format_means(line: str, expected: Row):
    assert detail(line) == expected


@pytest.mark.parametrize("line", [line.decode() for line in TICKS])
def test_a_line_is_found_with_text_in_front_and_blanks_behind(line: str):
    (stretch,) = TOOL.find.findall(f"gc{line}\r\nrest\n".encode())
    assert stretch == line.encode() + b"\r"
    assert rows(read(stretch)) == rows(read(line.encode()))


@each_case("line", [line for line, _ in DETAILS.values()], ids=DETAILS)
def test_a_detail_line_is_found_behind_a_prefix_and_where_its_blanks_are_gone(line: str):
    assert TOOL.find.findall(f"web_1 | {line}\r\n".encode()) == [line.encode()[2:] + b"\r"]
    assert detail(f"web_1 | {line} \r") == detail(line)
    assert TOOL.find.findall(f"x {line[2:]}\n{line[2:]}".encode()) == [line.encode()[2:]] * 2
    assert TOOL.find.findall(f"x{line[2:]}\n_{line[2:]}".encode()) == []


@pytest.mark.parametrize(
    "text",
    ["SCHED level=info worker=3", "SCHEDULE 10ms: x", "  P1: is done", "  M1: p = 3", "  G7: status=ok", "status=200",
     "goroutine 1 [running]:", "  P95: 12ms", "ms: gomaxprocs=4"],
)  # fmt: skip
def test_what_only_resembles_a_state_is_not_found(text: str):
    assert TOOL.find.findall(text.encode()) == []


def test_every_line_has_the_sign():
    assert all(re2_finds(line, TOOL.sign) for line in (*TICKS, *(b"  " + line for line in TAILS)))
    assert len(TAILS) == len(DETAILS)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"SCHED 1528ms: gomaxprocs=8 idleprocs=5 threads=", id="cut at exit"),
        pytest.param(
            b'SCHED 336ms: gomaxprocs=8 idleprocs=level=info worker=1 n=26592 msg="ok 12%"', id="output cut in"
        ),
        pytest.param(S3.removesuffix(b" 1 0]"), id="a list without its end"),
        pytest.param(S4.replace(b" 10 5266 ]", b" 5266 ]"), id="fewer schedticks than queues"),
        pytest.param(S4.replace(b" schedticks", b""), id="two lists, one name"),
        pytest.param(S4.partition(b" schedticks")[0], id="queues of one era, the rest of another"),
        pytest.param(S3.replace(b"[0 0 1 0]", b"[]"), id="an empty list"),
        pytest.param(S4.partition(b" [")[0] + b" [ ] schedticks=[ ]", id="two empty lists"),
        pytest.param(S3.replace(b"[0 0 1 0]", b"[0  1 0]"), id="a number is missing"),
        pytest.param(S3.replace(b"threads=6 ", b"threads=6.0 "), id="decimals"),
        pytest.param(S3.replace(b"runqueue=1", b"runqueue=-1"), id="a negative queue"),
        pytest.param(S3 + b" ok", id="text behind the line"),
        pytest.param(S3.partition(b" [")[0] + b" [" + b" " * 100_000 + b"]", id="absurdly long"),
        pytest.param(
            S3.partition(b" [")[0].replace(b"gomaxprocs=4", b"gomaxprocs=5000")
            + b" ["
            + b" ".join([b"0"] * 5000)
            + b"]",
            id="more Ps than any machine has",
        ),
    ],
)
def test_a_line_that_breaks_is_found_and_bad(line: bytes):
    assert TOOL.find.findall(b"x " + line + b"\ny") == [line]
    events = read(S3, line, S4)
    assert [index for index, _ in events.bad] == [1]
    assert events.tables["sched_ticks"]["index"].to_pylist() == [0, 2]


@pytest.mark.parametrize(("queues", "listed"), [(b" 1]", [0, 0, 1]), (b" 1 0 0]", [0, 0, 1, 0, 0])])
def test_a_list_of_another_length_than_gomaxprocs_is_kept_as_printed(queues: bytes, listed: list[int]):
    events = read(S3, S3.replace(b" 1 0]", queues), S4)
    assert events.bad == []
    assert events.tables["sched_ticks"]["local_runqueues"].to_pylist()[1] == listed
    assert events.tables["sched_ticks"]["gomaxprocs"].to_pylist()[1] == 4


@pytest.mark.parametrize(
    "line",
    [
        b"G2: status=4(force gc (idle)) m=nil lockedm=",
        b'G2: status=4(force gc (idlelevel=info msg=3"x") m=nil lockedm=nil',
        b"G2: status=4(sleep) m=x lockedm=nil",
        b"P0: status=1 schedtick=35 syscalltick=7 m=5 runqsize=0 gfreecnt=1 timerslen=4 more",
        b"P0: status=1 schedtick=35 syscall",
        b"M4: p=nil curg=nil mallocing=0 throwing=0 preemptoff=\tlocks=0 dying=0 spinning=false blocked=true lockedg=1",
        b"M4: p=nil curg=nil mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=maybe lockedg=nil",
    ],
)
def test_a_detail_line_that_breaks_is_found_and_bad(line: bytes):
    assert TOOL.find.findall(b"  " + line) == [line]
    assert [index for index, _ in read(S3, line).bad] == [1]


def test_a_detail_line_without_a_sched_line_is_bad():
    events = read(*TAILS[:2], S3, *TAILS)
    assert events.bad == [(0, "no SCHED line in front of it"), (1, "no SCHED line in front of it")]
    assert events.tables["sched_details"]["index"].to_pylist() == list(range(3, 3 + len(TAILS)))


def test_detail_lines_have_the_time_of_their_block_and_none_where_it_cannot_be_read():
    early, late = DETAILED["S1"][0].encode(), DETAILED["S3 and S4"][0].encode()
    stream = TOOL.stream()
    first = stream.decode([early, TAILS[0], late, TAILS[1]])
    second = stream.decode([TAILS[2], b"SCHED 400ms: gomaxprocs=", TAILS[3]])
    third = stream.decode([TAILS[4], S4])
    fourth = stream.decode([TAILS[5]])
    times = [events.tables["sched_details"]["t_s"].to_pylist() for events in (first, second, third, fourth)]
    assert times == [[0.025, 0.351], [0.351, None], [None], [0.05]]


def at(*milliseconds: int) -> list[bytes]:
    return [S3.replace(b"20ms", b"%dms" % t) for t in milliseconds]


@pytest.mark.parametrize(
    ("times", "starts"),
    [
        pytest.param((0, 10, 20), [], id="one process"),
        pytest.param((500, 510), [], id="from the middle"),
        pytest.param((0, 10, 10, 20), [], id="a crash repeats the time"),
        pytest.param((0, 10, 0, 10, 5), [2, 4], id="the time falls"),
    ],
)
def test_another_process_begins_where_the_time_falls(times: tuple[int, ...], starts: list[int]):
    lines = at(*times)
    assert read(*lines).starts == starts
    stream = TOOL.stream()
    assert [i + here for i, line in enumerate(lines) for here in stream.decode([line]).starts] == starts
    with_details = [each for line in lines for each in (line, TAILS[0])]
    assert read(*with_details).starts == [2 * i for i in starts]


# --- an independent reader, one line at a time -----------------------------------------------------------------------


def reference(line: bytes) -> Row:
    """What a SCHED line says: by its keys, not by its shape."""
    head, _, lists = line.decode().partition(" [")
    words = head.split()
    values = dict(word.split("=") for word in words[2:])
    flags = {"gcwaiting", "sysmonwait", "needspinning"}
    row: Row = {key: value in {"1", "true"} if key in flags else int(value) for key, value in values.items()}
    row["t_s"] = int(words[1].removesuffix("ms:")) / 1000
    groups = re.findall(r"[0-9][0-9 ]*[0-9]|[0-9]", lists)
    for key, group in zip(("local_runqueues", "schedticks"), groups, strict=False):
        row[key] = [int(number) for number in group.split()]
    return row


def reference_detail(line: bytes) -> Row:
    """What a P, M or G line says: by its keys."""
    name, _, rest = line.decode().partition(": ")
    pairs = re.findall(r"(\w+)=(.*?)(?= \w+=|$)", rest)
    row: Row = {key: int(value) for key, value in pairs if re.fullmatch(r"\d+", value)}
    row |= {"kind": name[0], "id": int(name[1:])}
    for key in {"spinning", "blocked", "gcing"} & dict(pairs).keys():
        row[key] = dict(pairs)[key] in {"1", "true"}
    if name.startswith("G"):
        status, reason = re.fullmatch(r"(\d+)\((.*)\)", dict(pairs)["status"]).groups()
        row |= {"status": int(status) % 4096, "scanning": int(status) >= 4096}
        row |= {"wait_reason": reason} if reason else {}
    row |= {"preemptoff": reason} if (reason := dict(pairs).get("preemptoff")) else {}
    return row


BAD = {"go1.26.8-cut-at-exit.log": [b"SCHED 1528ms: gomaxprocs=8 idleprocs=5 threads="]}


@each_case("log", sorted(path.name for path in LOGS.glob("*.log")))
def test_every_line_of_a_real_log_is_read_as_the_reference_reads_it(log: str):
    lines = found(log)
    events = read(*lines)
    assert [lines[i] for i, _ in events.bad] == BAD.get(log, [])
    ticks, details = rows(events), rows(events, "sched_details")
    assert len(ticks) >= 1
    assert len(ticks) + len(details) + len(events.bad) == len(lines)
    for row in ticks:
        assert said({**row, "era": None}) == reference(lines[row["index"]])
    block = None
    for index, line in enumerate(lines):
        if line.startswith(b"SCHED"):
            block = next((row["t_s"] for row in ticks if row["index"] == index), None)
        else:
            (row,) = (row for row in details if row["index"] == index)
            assert row["t_s"] == block
            assert said({**row, "t_s": None}) == reference_detail(line)


@pytest.mark.parametrize(
    ("log", "eras"),
    [
        ("go1.3.3.log", {"S1"}), ("go1.3.3-detail.log", {"S1"}), ("go1.4.3-with-gctrace.log", {"S2"}),
        ("go1.10.8-detail.log", {"S2"}), ("go1.24.13.log", {"S3"}), ("go1.26.8-panic.log", {"S3", "S4"}),
    ],
)  # fmt: skip
def test_a_versions_lines_are_of_its_era(log: str, eras: set[str]):
    assert set(read(*found(log)).tables["sched_ticks"]["era"].to_pylist()) == eras


def test_a_crash_prints_a_block_of_details():
    events = read(*found("go1.26.8-panic.log"))
    assert events.tables["sched_ticks"]["t_s"].to_pylist() == [0.0, 0.108, 0.211, 0.316, 0.351]
    assert "".join(events.tables["sched_details"]["kind"].to_pylist()) == "PPMMMMM" + "G" * 12
    assert set(events.tables["sched_details"]["t_s"].to_pylist()) == {0.351}


def test_a_line_that_a_collection_cut_is_read_where_it_is_whole():
    # Go 1.4 prints without a lock: "gcSCHED 45ms: …" is whole, "gcSCHED 11(2): …" and "76ms: …" are not.
    times = [row["t_s"] for row in rows(read(*found("go1.4.3-with-gctrace.log")))]
    assert times[:8] == [0.0, 0.01, 0.02, 0.034, 0.045, 0.055, 0.065, 0.089]


queue = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=70)


@examples(0.4)
@given(queue, st.integers(0, 10**9))
def test_lists_of_any_length_are_read(numbers: list[int], milliseconds: int):
    head = S4.partition(b" [")[0].decode().replace("gomaxprocs=8", f"gomaxprocs={len(numbers)}")
    queues, ticks = " ".join(map(str, numbers)), " ".join(map(str, reversed(numbers)))
    line = f"{head} [ {queues} ] schedticks=[ {ticks} ]".replace("50ms", f"{milliseconds}ms")
    row = tick(line)
    assert row["local_runqueues"] == numbers
    assert row["schedticks"] == numbers[::-1]
    assert row["t_s"] == milliseconds / 1000


sample = st.sampled_from(TICKS + TAILS)


@examples(0.4)
@given(st.lists(st.binary(max_size=60) | sample, max_size=8))
def test_no_bytes_raise_and_each_line_is_a_row_or_bad(lines: list[bytes]):
    events = read(*lines)
    indices = [row["index"] for table in events.tables for row in rows(events, table)]
    assert sorted(indices + [i for i, _ in events.bad]) == list(range(len(lines)))
    for name, columns in TOOL.tables.items():
        assert events.tables[name].schema.names == ["index", *(column.name for column in columns)]


@examples(0.4)
@given(st.lists(sample | st.just(b"SCHED 7ms: gomax"), max_size=10), st.integers(0, 10))
def test_where_a_block_ends_does_not_matter(lines: list[bytes], cut: int):
    cut = min(cut, len(lines))
    whole, stream = read(*lines), TOOL.stream()
    front, back = stream.decode(lines[:cut]), stream.decode(lines[cut:])
    for table in TOOL.tables:
        moved = [{**each, "index": each["index"] + cut} for each in rows(back, table)]
        assert rows(front, table) + moved == rows(whole, table)
    assert front.starts + [i + cut for i in back.starts] == whole.starts
    assert front.bad + [(i + cut, reason) for i, reason in back.bad] == whole.bad


@given(
    st.sampled_from(TICKS),
    st.integers(0, 250),
    st.sampled_from(["replace", "insert", "delete"]),
    st.binary(min_size=1, max_size=3),
)
def test_a_damaged_line_is_bad_or_differs_in_digits_alone(line: bytes, at: int, how: str, by: bytes):
    at = min(at, len(line))
    damaged = line[:at] + (by if how != "delete" else b"") + line[at + (how != "insert") * len(by) :]
    events = read(damaged)
    if rows(events):
        shapes = {shape_of(sound) for sound in TICKS}
        shapes |= {known.replace(b"nmidlelocked=0", b"nmidlelocked=-0") for known in shapes}
        shapes |= {known.replace(b"nmidlelocked=-0", b"nmidlelocked=0") for known in shapes}
        assert shape_of(damaged.rstrip(b" \t\r")) in shapes


def shape_of(line: bytes) -> bytes:
    """A line without its digits, and without the length of its lists: the audit tells of one that is too short."""
    return re.sub(rb"0(?: 0)+", b"0", re.sub(rb"[0-9]+", b"0", line))


@pytest.mark.parametrize("size", [1, 150, 100_000])
def test_a_spaced_list_without_schedticks_is_read(size: int) -> None:
    head = "SCHED {}ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 {}idlethreads=1 runqueue={} "
    text = (
        head.format(0, "", 0) + "[ 3 1 ]\n"
        + head.format(1004, "needspinning=0 ", 7) + "[ 0 2 ]\nGET /\n"
        + head.format(2007, "needspinning=0 ", 4) + "[ 0 5 ] schedticks=[ 12 9 ]\n"
        + head.format(3007, "needspinning=1 ", 4) + "[ 0 6 ]\n schedticks=[ 13 10 ]\n"
        + head.format(4008, "needspinning=1 ", 4) + "[ 8 7 ]\n"
    )  # fmt: skip
    reader, data = SourceParser("x.log"), text.encode()
    blocks = split_at_lines((data[at : at + size] for at in range(0, len(data), size)), lambda: None)
    items = [*itertools.chain.from_iterable(map(reader.feed, blocks)), *reader.finish()]
    rows = [row for item in items if isinstance(item, Batch) for row in item.rows.to_pylist()]
    assert [(row["t_s"], row["runqueue"], row["local_runqueues"], row.get("schedticks")) for row in rows] == [
        (0.0, 0, [3, 1], None), (1.004, 7, [0, 2], None), (2.007, 4, [0, 5], [12, 9]), (3.007, 4, [0, 6], [13, 10]),
        (4.008, 4, [8, 7], None),
    ]  # fmt: skip
    assert [row["line"] for row in rows] == [1, 2, 4, 5, 7]
    assert [(item.code, item.line) for item in items if isinstance(item, Diagnostic)] == [("mended", 5)]


def test_many_such_lines_are_no_torn_ones() -> None:
    line = "SCHED {}ms: gomaxprocs=1 idleprocs=0 threads=3 spinningthreads=0 idlethreads=1 runqueue=0 [ 3 ]\n"
    read = wp.parse_text("".join(line.format(number) for number in range(3000)))
    assert read.sched_ticks["t_s"].tolist() == [number / 1000 for number in range(3000)]
    assert read.diagnostics.empty


def test_a_capital_letter_behind_the_colon_costs_nothing():
    lines = [
        "SCHED 0ms: gomaxprocs=2 idleprocs=1 threads=4 spinningthreads=0 idlethreads=1 runqueue=3 [1 2]\n",
        "SCHED 9ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=1 idlethreads=0 runqueue=0 [7 0]\n",
    ]
    text = "".join(lines)
    for written in (text.replace("gom", "Gom"), lines[0] + lines[1].replace("gom", "Gom")):
        data = wp.parse_text(written)
        assert data.diagnostics.empty
        assert data.sched_ticks["idleprocs"].tolist() == [1, 0]
        assert [list(queues) for queues in data.sched_ticks["local_runqueues"]] == [[1, 2], [7, 0]]
    wrapped = wp.parse_text(text.replace("gom", "Gom").replace(" runqueue", "\nrunqueue"))
    assert wrapped.sched_ticks["runqueue"].tolist() == [3, 0]
