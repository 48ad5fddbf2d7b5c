"""Whatever a command took, each form of ``time`` gives back what it printed.

The printers below follow the sources' own formats and arithmetic: GNU time's ``src/time.c`` (``summarize``), bash's
``execute_cmd.c`` (``mkfmt``), ksh93's ``xec.c`` (``l_time``), mksh's ``c_sh.c`` (``p_tv``), zsh's ``jobs.c``
(``printtime``), tcsh's ``sh.time.c`` (``prusage``), fish's ``timer.rs``, busybox's and toybox's ``time.c``, FreeBSD's
``usr.bin/time/time.c`` and Apple's ``time.c``. Numbers are in microseconds, and cut off or rounded as there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrkparse as wp
from tests.examples import examples
from wrkparse.tools.time.tool import TOOL

from .harness import is_run, numbers, read_report

HOUR, MINUTE = 3600, 60
DAY = 24 * HOUR


class Used(NamedTuple):
    """What a command used."""

    real: int
    user: int
    system: int
    rss: int  # KiB
    faults: int
    comma: bool  # the locale's decimal sign


class Printed(NamedTuple):
    """A text and the times in it, in seconds; other numbers by name."""

    text: str
    elapsed: float | None
    user: float
    system: float
    others: Mapping[str, float] = MappingProxyType({})


def _cut(us: int, unit: int) -> float:
    """What is left of a time that was cut off after a digit."""
    return us // unit * unit / 10**6


def _plain(us: int, sign: str = ".") -> str:
    return f"{us // 10**6}{sign}{us % 10**6 // 10**4:02d}"


def _share(used: Used) -> int:
    return 100 * (used.user + used.system) // max(used.real, 1)


def _clock(us: int) -> str:
    whole = us // 10**6
    if whole >= HOUR:
        return f"{whole // HOUR}:{whole // MINUTE % 60:02d}:{whole % 60:02d}"
    return f"{whole // MINUTE}:{whole % 60:02d}.{us % 10**6 // 10**4:02d}"


def _clock_value(us: int) -> float:
    return _cut(us, 10**6 if us >= HOUR * 10**6 else 10**4)


def _hundredths(used: Used) -> tuple[float, float, float]:
    return _cut(used.real, 10**4), _cut(used.user, 10**4), _cut(used.system, 10**4)


def gnu(used: Used) -> Printed:
    text = (
        f"{_plain(used.user)}user {_plain(used.system)}system {_clock(used.real)}elapsed {_share(used)}%CPU "
        f"(0avgtext+0avgdata {used.rss}maxresident)k\n8inputs+16outputs ({used.faults}major+7minor)pagefaults 0swaps"
    )
    others = {"cpu_share": _share(used) / 100, "max_rss": used.rss * 1024, "page_faults_major": used.faults}
    others |= {"fs_inputs": 8, "fs_outputs": 16, "page_faults_minor": 7, "swaps": 0}
    return Printed(text, _clock_value(used.real), *_hundredths(used)[1:], others)


def gnu_verbose(used: Used) -> Printed:
    text = (
        f'\tCommand being timed: "./x"\n\tUser time (seconds): {_plain(used.user)}\n'
        f"\tSystem time (seconds): {_plain(used.system)}\n\tPercent of CPU this job got: {_share(used)}%\n"
        f"\tElapsed (wall clock) time (h:mm:ss or m:ss): {_clock(used.real)}\n"
        f"\tMaximum resident set size (kbytes): {used.rss}\n\tMajor (requiring I/O) page faults: {used.faults}"
    )
    others = {"cpu_share": _share(used) / 100, "max_rss": used.rss * 1024, "page_faults_major": used.faults}
    return Printed(text, _clock_value(used.real), *_hundredths(used)[1:], others)


def posix(used: Used) -> Printed:
    sign = "," if used.comma else "."
    times = zip(("real", "user", "sys"), used[:3], strict=True)
    return Printed("\n".join(f"{name} {_plain(us, sign)}" for name, us in times), *_hundredths(used))


def bash(used: Used) -> Printed:
    def printed(us: int) -> str:
        ms = (us + 500) // 1000
        return f"{ms // 60000}m{ms // 1000 % 60}{',' if used.comma else '.'}{ms % 1000:03d}s"

    text = "\n" + "\n".join(f"{name}\t{printed(us)}" for name, us in zip(("real", "user", "sys"), used, strict=False))
    return Printed(text, *((us + 500) // 1000 / 1000 for us in used[:3]))


def ksh(used: Used) -> Printed:
    def printed(us: int) -> str:
        whole = us // 10**6
        hours = f"{whole // HOUR}h" if whole >= HOUR else ""
        sign = "," if used.comma else "."
        return f"{hours}{whole // MINUTE % 60}m{whole % 60:02d}{sign}{us % 10**6 // 10**4:02d}s"

    text = "\n" + "\n".join(f"{name}\t{printed(us)}" for name, us in zip(("real", "user", "sys"), used, strict=False))
    return Printed(text, *_hundredths(used))


def mksh(used: Used) -> Printed:
    def printed(us: int) -> str:
        return f"{us // (60 * 10**6):5d}m{us // 10**6 % 60:02d}.{us % 10**6 // 10**4:02d}s"

    text = f"{printed(used.real)} real {printed(used.user)} user {printed(used.system)} system"
    return Printed(text, *_hundredths(used))


def zsh(used: Used) -> Printed:
    sign = "," if used.comma else "."

    whole = used.real // 10**6
    seconds = used.real / 10**6 - 60 * (whole // 60)
    if whole >= HOUR:
        shown = f"{whole // HOUR}:{whole // MINUTE % 60:02d}:{seconds:05.2f}"
    else:
        shown = f"{whole // 60}:{seconds:05.2f}" if whole >= MINUTE else f"{seconds:.3f}"
    fraction = float(shown.rpartition(":")[2])
    elapsed = used.real // (60 * 10**6) * 60 + fraction
    user, system = (f"{us / 10**6:4.2f}" for us in (used.user, used.system))
    text = f'sh -c "time total"  {user}s user {system}s system {_share(used)}% cpu {shown} total'.replace(".", sign)
    return Printed(text, elapsed, float(user), float(system), {"cpu_share": _share(used) / 100})


def tcsh(used: Used) -> Printed:
    def thousandths(us: int) -> str:
        return f"{us // 10**6}.{us % 10**6 // 1000:03d}"

    whole = used.real // 10**6
    clock = f"{whole // HOUR}:{whole // MINUTE % 60:02d}" if whole >= HOUR else f"{whole // MINUTE}"
    clock += f":{whole % 60:02d}.{used.real % 10**6 // 10**4:02d}"
    tenths = 1000 * (used.user + used.system) // max(used.real, 1)
    text = (
        f"{thousandths(used.user)}u {thousandths(used.system)}s {clock} {tenths // 10}.{tenths % 10}%\t"
        f"0+{used.rss}k 8+16io {used.faults}pf+3w"
    )
    others = {
        "cpu_share": tenths / 1000,
        "fs_inputs": 8,
        "fs_outputs": 16,
        "page_faults_major": used.faults,
        "swaps": 3,
    }
    others |= {"avg_unshared_data": used.rss * 1024} if used.rss else {}
    return Printed(text, _cut(used.real, 10**4), _cut(used.user, 1000), _cut(used.system, 1000), others)


def fish(used: Used) -> Printed:
    def unit(us: int) -> tuple[str, int]:
        if us > 900 * 10**6:
            return "mins", 60 * 10**6
        if us >= 999995:
            return "secs", 10**6
        return ("millis", 1000) if us >= 1000 else ("micros", 1)

    wall, size = unit(used.real)
    cpu, cpu_size = unit(max(used.user, used.system))
    real, user, system = used.real / size, used.user / cpu_size, used.system / cpu_size
    text = (
        f"\n{'_' * 56}\nExecuted in  {real:6.2f} {wall:<6}    fish           external\n"
        f"   usr time  {user:6.2f} {cpu:<6}  {0:6.2f} micros  {user:6.2f} {cpu}\n"
        f"   sys time  {system:6.2f} {cpu:<6}  {0:6.2f} micros  {system:6.2f} {cpu}\n"
    )
    return Printed(
        text,
        float(f"{real:.2f}") * size / 10**6,
        float(f"{user:.2f}") * cpu_size / 10**6,
        float(f"{system:.2f}") * cpu_size / 10**6,
    )


def _busybox_time(us: int) -> str:
    whole = us // 10**6
    if whole >= HOUR:
        return f"{whole // HOUR}h {whole // MINUTE % 60}m {whole % 60:02d}s"
    return f"{whole // MINUTE}m {whole % 60}.{us % 10**6 // 10**4:02d}s"


def busybox(used: Used) -> Printed:
    text = "\n".join(f"{name}\t{_busybox_time(us)}" for name, us in zip(("real", "user", "sys"), used, strict=False))
    return Printed(text, *(_clock_value(us) for us in used[:3]))


def toybox(used: Used) -> Printed:
    text = "\n" + "\n".join(f"{name}\t{us / 10**6:f}" for name, us in zip(("real", "user", "sys"), used, strict=False))
    return Printed(text, *(us / 10**6 for us in used[:3]))


def bsd(used: Used) -> Printed:
    sign = "," if used.comma else "."
    real, user, system = (f"{us // 10**6:9d}{sign}{us % 10**6 // 10**4:02d}" for us in used[:3])
    return Printed(f"{real} real {user} user {system} sys", *_hundredths(used))


def bsd_human(used: Used) -> Printed:
    def printed(us: int) -> str:
        whole = us // 10**6
        days, hours, minutes = whole // DAY, whole % DAY // HOUR, whole % HOUR // MINUTE
        steps = "".join(f"{number}{name}" for number, name in ((days, "d"), (hours, "h"), (minutes, "m")) if number)
        return f"\t{steps}{whole % MINUTE}{',' if used.comma else '.'}{us % 10**6 // 10**4:02d}s"

    text = f"{printed(used.real)} real\t{printed(used.user)} user\t{printed(used.system)} sys"
    return Printed(text, *_hundredths(used))


def freebsd_long(used: Used) -> Printed:
    """Not a multiple of macOS' pages: otherwise the two can't be told apart."""
    rss = used.rss | 1
    rows = [(rss, "maximum resident set size"), (0, "average shared memory size"), (7, "page reclaims")]
    rows += [(used.faults, "page faults"), (5, "block input operations"), (9, "involuntary context switches")]
    text = "\n".join([bsd(used).text, *(f"{number:10d}  {name}" for number, name in rows)])
    others = {"max_rss": rss * 1024, "page_faults_minor": 7, "page_faults_major": used.faults, "fs_inputs": 5}
    return Printed(text, *_hundredths(used), {**others, "context_switches_involuntary": 9})


def macos_long(used: Used) -> Printed:
    rows = [(used.rss * 4096, "maximum resident set size"), (0, "average unshared stack size"), (7, "page reclaims")]
    rows += [(used.faults, "page faults"), (5, "messages sent"), (used.real, "instructions retired")]
    rows += [(used.user, "cycles elapsed"), (used.rss * 16384, "peak memory footprint")]
    text = "\n".join([bsd(used).text, *(f"{number:20d}  {name}" for number, name in rows)])
    others = {"max_rss": used.rss * 4096, "page_faults_minor": 7, "page_faults_major": used.faults, "socket_sent": 5}
    others |= {"instructions": used.real, "cycles": used.user, "peak_footprint": used.rss * 16384}
    return Printed(text, *_hundredths(used), others)


FORMS: dict[str, Callable[[Used], Printed]] = {
    "gnu": gnu, "gnu -v": gnu_verbose, "posix": posix, "bash": bash, "ksh": ksh, "mksh": mksh, "zsh": zsh, "tcsh": tcsh,
    "fish": fish, "busybox": busybox, "toybox": toybox, "bsd": bsd, "bsd -h": bsd_human, "bsd -l": freebsd_long,
    "macos": macos_long,
}  # fmt: skip
TIMES = st.one_of(st.integers(0, 10**6), st.integers(0, 400 * DAY * 10**6))
USED = st.builds(Used, TIMES, TIMES, TIMES, st.integers(0, 10**9), st.integers(0, 10**9), st.booleans()).map(
    lambda used: used._replace(real=max(used.real, (used.user + used.system) // 4096))  # of so many processors
)


@pytest.mark.parametrize("form", FORMS)
@given(used=USED)
@examples(0.4)
def test_a_form_gives_back_what_was_printed(form: str, used: Used) -> None:
    printed = FORMS[form](used)
    (report,) = read_report(TOOL, printed.text)
    assert report.diagnostics == []
    assert (report.dialect, is_run(TOOL, report)) == (form.replace("bsd -l", "bsd").replace("bsd -h", "bsd"), True)
    wanted = {"elapsed": printed.elapsed, "user": printed.user, "system": printed.system, **printed.others}
    assert numbers(report) == pytest.approx({f"{name}/total": value for name, value in wanted.items()}, rel=1e-12)


# The example of Microsoft's documentation of Measure-Command.
TIMESPAN = """\
Days              : 0
Hours             : 0
Minutes           : 0
Seconds           : 8
Milliseconds      : 618
Ticks             : 86182763
TotalDays         : 9.9748568287037E-05
TotalHours        : 0.00239396563888889
TotalMinutes      : 0.143637938333333
TotalSeconds      : 8.6182763
TotalMilliseconds : 8618.2763
"""


@pytest.mark.parametrize("text", [TIMESPAN, TIMESPAN.replace(".", ","), TIMESPAN.replace("\n", "\n\n"), TIMESPAN[:-60]])
def test_powershell_s_measure_command_is_read_from_its_ticks(text: str) -> None:
    dataset = wp.parse_text(f"PS C:\\> Measure-Command {{ ./server }}\n\n{text}")
    [run] = dataset.runs.to_dict("records")
    [row] = dataset.measurements.to_dict("records")
    assert (run["tool"], run["dialect"], run["line"]) == ("time", "powershell", 3)
    assert (row["metric"], row["value"], row["resolution"]) == ("elapsed", 8.6182763, 0.5e-7)
    cut = [] if "TotalMilliseconds" in text else ["incomplete"]
    assert dataset.diagnostics.code.tolist() == cut


def test_days_alone_are_no_measurement() -> None:
    dataset = wp.parse_text("Days              : 3\nHours             : 4\nTicks are small.\n")
    assert (len(dataset.runs), dataset.diagnostics.message.tolist()) == (0, [])
