"""Real output of Go programs, line by line: read, named by a diagnostic, or known not to be the runtime's trace."""

from __future__ import annotations

from pathlib import Path

from tests.cases import each_case
from tests.coverage import unaccounted

FIXTURES = Path(__file__).parents[1] / "fixtures"
LOGS = sorted((*FIXTURES.glob("gctrace/*.log"), *FIXTURES.glob("schedtrace/*.log")))

# Of a line that was cut in two, what neither end can be told by. Every other end of one has a diagnostic.
_CUT = (
    r"(?:7|gcSCHED 11)\(2\): [0-9+]+ us, .* yields",  # of gc7 and gc11, by SCHED and each by the other
    r"76ms: gomaxprocs=4 .*\]",  # of that SCHED
)
_TORN = {
    "go1.26.8-everything-p8": (r"0 ms, 0 ms clock, 0 bytes, 0 allocs",),  # of init, by SCHED
    "go1.4.3-with-schedtrace": _CUT,
    "go1.4.3-with-gctrace": _CUT,
    # the program's own output, and "gc " of lines that it cut
    "go1.26.8-torn": (r"(?:gc )?level=info worker=.*", r"(?:gc )?2026/11/20 [0-9:]{8} worker .*"),
}
_NOT_OURS = (
    r"GC forced",  # the next collection's `periodic`
    r"panic: boom",
    # of go run and go test
    r"exit status \d+",
    r"# [\w./-]+",
    r"(?:goos|goarch|pkg|cpu): .*",
    r"\d+\t +\d+ ns/op",
    # goroutines of a crash, and of allocfreetrace
    r"goroutine \d+ \[[^]]*\]:",
    r"created by [\w./]+(?: in goroutine \d+)?",
    r"[\w./*()]+\((?:[0-9a-fx?, .{}]*)\)",
    r"/[\w./@+-]+:\d+(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+(?: pc=0x[0-9a-f]+)?)?",
    r"tracealloc\(0x[0-9a-f]+, 0x[0-9a-f]+(?:, [\w.* ]+)?\)",
)


@each_case("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_every_line_of_a_real_log_is_accounted_for(log: Path):
    assert unaccounted(log, (*_NOT_OURS, *_TORN.get(log.stem, ())), LOGS) == []
