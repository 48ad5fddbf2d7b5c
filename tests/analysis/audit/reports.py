"""Reports that agree with themselves, to be changed by the tests of the audit, and what it finds in them."""

from __future__ import annotations

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.audit.audit import AuditResult, audit

AB = """\
This is ApacheBench, Version 2.3 <$Revision: 1843412 $>
Server Software:
Server Hostname:        10.0.0.1
Server Port:            8080

Document Path:          /
Document Length:        13 bytes

Concurrency Level:      8
Time taken for tests:   0.081 seconds
Complete requests:      2000
Failed requests:        0
Total transferred:      260000 bytes
HTML transferred:       26000 bytes
Requests per second:    24630.85 [#/sec] (mean)
Time per request:       0.325 [ms] (mean)
Time per request:       0.041 [ms] (mean, across all concurrent requests)
Transfer rate:          3126.96 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    0   0.1      0       0
Processing:     0    0   0.3      0      13
Waiting:        0    0   0.3      0      13
Total:          0    0   0.4      0      13

Percentage of the requests served within a certain time (ms)
  50%      0
  66%      0
  75%      0
  80%      0
  90%      0
  95%      1
  98%      1
  99%      1
 100%     13 (longest request)
"""
TIME = """\
3.22user 2.24system 0:02.61elapsed 209%CPU (0avgtext+0avgdata 143804maxresident)k
0inputs+0outputs (0major+12345minor)pagefaults 0swaps
"""


def audited(*texts: str) -> AuditResult:
    return audit(wp.parse_text("\n".join(texts)))


def found(*texts: str) -> dict[str, str]:
    """The codes of what is found, each with its severity; what every report with these labels has is left out."""
    findings = audited(*texts).findings
    return dict(zip(findings["code"], findings["severity"], strict=True))


def changed(old: str, new: str, text: str = WRK) -> str:
    assert old in text
    return text.replace(old, new)
