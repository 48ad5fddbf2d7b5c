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
# Another report, with a number of requests and a rate to fill in.
RATED_WRK = """\
Running 10s test @ http://127.0.0.1:8080/
  2 threads and 10 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.00ms  100.00us   5.00ms   80.00%
    Req/Sec     5.00k   100.00     6.00k    80.00%
  {requests} requests in 10.00s, 10.00MB read
Requests/sec:  {rate}.00
Transfer/sec:      1.00MB
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
