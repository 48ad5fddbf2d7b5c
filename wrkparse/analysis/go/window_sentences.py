"""What the windows of loads say: which slow requests pauses explain, and which clocks can't be aligned."""

from __future__ import annotations

from collections.abc import Iterator

from wrkparse.analysis.go.slow_requests import Bound, longest_lengths
from wrkparse.analysis.go.windows import Window, Windows
from wrkparse.analysis.wording import counted


def bound_sentences(found: Windows) -> Iterator[str]:
    """What the windows say of slow requests: a sentence for each load with a bound below all of them.

    The other loads have one sentence together.
    """
    bounded = [(one, one.bound) for one in found.joined if one.bound is not None]
    open_ = [pair for pair in bounded if not pair[1].says_something]
    if len(open_) < 2:
        yield from (_sentence(one, bound) for one, bound in bounded)
        return
    yield from (_sentence(one, bound) for one, bound in bounded if bound.says_something)
    loads = f"all {len(bounded):,} loads" if len(open_) == len(bounded) else f"{len(open_):,} of {len(bounded):,} loads"
    loads = "both loads" if loads == "all 2 loads" else loads
    longest = 1e3 * max(_longest(one) for one, _ in open_)
    yield (
        f"In {loads}, the pauses, of at most {longest:,.3g} ms, could have delayed all of the requests slower than the "
        "p99: these logs do not exclude it"
    )


def unjoined_sentence(found: Windows) -> Iterator[str]:
    """What would join the loads and traces that no clock joins, as Markdown; nothing if there are none."""
    if found.unjoined:
        loads, them = counted(found.unjoined, "load"), "it" if found.unjoined == 1 else "them"
        yield (
            f"The clocks of {loads} and of the traces beside {them} can't be aligned. That needs times with a zone in "
            "front of the lines of both logs, as `docker logs -t` or `ts` write them"
        )


def _longest(window: Window) -> float:
    """The longest pause of a window with pauses, in seconds."""
    return float(longest_lengths(window.within).max())


def _sentence(window: Window, bound: Bound) -> str:
    """What the pauses of one load explain of its slow requests."""
    place = f"{window.load['source']}:{window.load['line']}"
    slow = f"the {bound.slower:,.0f} requests slower than its p99 of {1e3 * bound.latency_s:,.4g} ms"
    if not bound.pauses:
        return f"In {place}, no pause happened during the load, so pauses explain none of {slow}"
    pauses = f"{bound.pauses:,} pauses of at most {1e3 * _longest(window):,.3g} ms"
    if not bound.says_something:
        return f"In {place}, {pauses} could have delayed all of {slow}: these logs do not exclude it"
    return f"In {place}, {pauses} explain at most {100 * bound.ratio:.3g} % of {slow}"
