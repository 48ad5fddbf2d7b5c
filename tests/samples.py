"""Small real-looking texts that several tests share, and files of them."""

from __future__ import annotations

from pathlib import Path

WRK = """\
Running 10s test @ http://10.0.1.70:8080/hello
  8 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   193.32us   51.20us   1.57ms   83.29%
    Req/Sec     5.11k   299.35     6.84k    78.34%
  410759 requests in 10.10s, 72.06MB read
Requests/sec:  40669.44
Transfer/sec:      7.13MB
"""
GC = "gc {n} @{t}s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, 4->5->1 MB, 5 MB goal, 4 P\n"
SCHED = "SCHED {t}ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 idlethreads=1 runqueue=3 [1 2]\n"


def logs(directory: Path, *names: str) -> Path:
    """Make files of a wrk report below a directory, which is returned."""
    for name in names:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRK)
    return directory
