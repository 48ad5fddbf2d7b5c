"""Real reports and traces of the repository that agree with themselves: every false alarm in them is counted.

These are all runs of the five studies (``data/``), of ``notebooks/loopback/`` and of ``tests/fixtures/``, but those that
are left out by hand: their tools report failures, were interrupted, or the network was full. Which they are was read
from the logs and the studies' write-ups.
"""

from __future__ import annotations

import wrkparse as wp
from tests.analysis.audit.planted import ROOT

FOLDERS = ("data", "notebooks/loopback", "tests/fixtures")
# Sources of the fixtures in which something is wrong, and what their reports say of it.
LEFT_OUT = {
    "ab/3xx.txt": "each response is a redirect",
    "ab/collapsed.txt": "each response is an error",
    "ab/html-w-post.html": "a third of the responses are errors",
    "ab/nginx-404.txt": "each response is an error",
    "ab/non2xx-mix.txt": "a third of the responses are errors",
    "ab/refused-r.txt": "the server was down",
    "ab/reset-r-v1.txt": "connections were reset",
    "autocannon/codes-3.1.0.txt": "each response is an error",
    "autocannon/codes-9.0.txt": "a third of the responses are errors",
    "autocannon/percentiles-9.0.txt": "a third of the responses are errors",
    "autocannon/plain-refused-2.4.1.txt": "the server was down",
    "autocannon/refused-9.0.txt": "the server was down",
    "fortio/json-mixed.log": "a fifth of the responses are errors",
    "fortio/json-refused.log": "the server was down",
    "fortio/json-tcp.log": "the server does not send back what it got",
    "fortio/mixed.txt": "a fifth of the responses are errors",
    "fortio/refused.txt": "the server was down",
    "fortio/tcp.txt": "the server does not send back what it got",
    "h2load/mix-1.52.txt": "a third of the responses are errors",
    "h2load/refused-1.52.txt": "the server was down",
    "hey/refused-0.1.4.txt": "the server was down",
    "jmeter/samples-5.6.log": "half of the samples are errors",
    "jmeter/samples-without-head-5.6.log": "half of the samples are errors",
    "jmeter/samples-xml-5.6.log": "half of the samples are errors",
    "jmeter/summary-5.6.txt": "half of the samples are errors",
    "k6/legacy-mix-1.8.txt": "a third of the responses are errors",
    "k6/refused-1.8.txt": "the server was down",
    "oha/breakdown-1.16.txt": "a third of the responses are errors",
    "oha/drop-1.16.txt": "a quarter of the connections were closed",
    "oha/mix-1.16.txt": "a third of the responses are errors",
    "oha/refused-1.16.txt": "the server was down",
    "siege/mix-4.0.7.txt": "a third of the responses are errors",
    "siege/refused-4.0.7.txt": "the server was down",
    "vegeta/mix-12.13.txt": "a third of the responses are errors",
    "vegeta/refused-12.13.txt": "the server was down",
    "hey/mix-0.1.4.txt": "a third of the responses are errors",
    "hey/mix-0.1.5.txt": "a third of the responses are errors",
    "autocannon/json-9.0.0.log": "a third of the responses are errors",
    "bombardier/drop-1.2.6.txt": "the server closed one connection in 40",
    "bombardier/json-drop-1.2.6.log": "the server closed one connection in 40",
    "bombardier/json-2.0.log": "a third of the responses are errors",
    "bombardier/refused-1.2.txt": "the server was down",
    "bombardier/json-refused-2.0.log": "the server was down",
    "k6/json-export-1.8.1.log": "a third of the responses are errors",
    "k6/json-handle-summary-1.8.1.log": "a third of the responses are errors",
    "locust/mix-2.47.log": "a third of the responses are errors",
    "oha/json-1.16.log": "a third of the responses are errors",
    "oha/json-breakdown-1.16.log": "a third of the responses are errors",
    "oha/json-refused-1.16.log": "the server was down",
    "vegeta/json-12.13.0.log": "a third of the responses are errors",
    "time-formats/gnu-f.txt": "the command failed",
    "time/bash-killed.txt": "the command was killed",
    "time/busybox-fail.txt": "the command failed",
    "time/gnu-default-fail.txt": "the command failed",
    "time/gnu-notfound.txt": "the command was not found",
    "time/gnu-v-signal.txt": "the command was killed",
    "wrk/duration-51s-header.txt": "interrupted after 0.3 s of 51 s",
    "wrk/duration-90s-header.txt": "interrupted after 0.3 s of 90 s",
    "wrk/hang.txt": "the server never answered",
    "wrk/https-to-http.txt": "no connection could be opened",
    "wrk/non2xx-mix-latency.txt": "a third of the responses are errors",
    "wrk/pty-ctrl-c.txt": "interrupted",
    "wrk/reset-all.txt": "all connections were reset",
    "wrk/reset-some.txt": "connections were reset",
    "wrk/sigint.txt": "interrupted",
    "wrk/timeout.txt": "one in 38 requests timed out",
    "wrk/v3.1.2-hang.txt": "the server never answered",
    "wrk/wrk2-hang.txt": "the server never answered",
    "wrk/wrk2-non2xx.txt": "a third of the responses are errors",
    "wrk/wrk2-reset.txt": "connections were reset",
}
# One report in several forms, of which only the first in the order of the files is no copy.
_FORMS = ("blanklines", "br", "collapsed", "crlf", "fenced", "nbsp", "quoted", "utf16")
_COPIES = [f"{folder}/wrk-{form}.txt" for folder in ("wrecked", "wrk") for form in _FORMS]
LEFT_OUT |= dict.fromkeys(["wrk/latency.txt", *_COPIES[1:]], f"the same report as {_COPIES[0]}")
# Runs of the studies, by their labels, whose rates are not those of the server: docs/audit.md and the notebooks say why.
LEFT_OUT_OF_STUDIES = {
    "network = '1 Gbps' AND cores = 12 AND framework = 'nuster'": "the network is full",
    "network = '1 Gbps' AND cores = 12 AND framework = 'nginx' AND payload_bytes >= 256": "the network is full",
    "network = '1 Gbps' AND path = '/1k' AND framework IN ('nuster', 'varnish')": "the network is full",
    "framework = 'varnish' AND cores = 12 AND connections = 1000": "some connections were served",
    "framework LIKE 'haskell%' AND cores >= 20 AND connections IN (1000, 5000)": "the network is nearly full",
    "framework = 'node' AND cores = 1 AND connections >= 5000": "some connections were served",
    "framework LIKE 'nginx + go %' AND cores = 8": "wrk 3 sampled its threads unevenly",
}


def sound_runs(folder: str) -> tuple[wp.Dataset, set[str]]:
    """The dataset of a folder, and its runs without those that are left out."""
    dataset = wp.read(ROOT / folder)
    left_out = set(dataset.runs.loc[dataset.runs["source"].isin(LEFT_OUT), "run"])
    for condition in LEFT_OUT_OF_STUDIES if folder == "data" else ():
        left_out |= set(dataset.wide(condition)["run"])
    return dataset, set(dataset.runs["run"]) - left_out
