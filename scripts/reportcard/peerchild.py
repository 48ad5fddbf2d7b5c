"""Runs in the environment of the peers: reads runs as JSON from standard input, prints what each peer makes of them.

What a peer states without a unit gets the one that its documentation or the tool's own output gives it; where it leaves
two open, both are offered.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

Numbers = dict[str, list[float]]

# jc's key → our name, and what one of its units may be
_JC: dict[str, tuple[str, tuple[float, ...]]] = {
    "real_time": ("elapsed/total", (1,)),
    "elapsed_time_total_seconds": ("elapsed/total", (1,)),
    "user_time": ("user/total", (1,)),
    "system_time": ("system/total", (1,)),
    "cpu_percent": ("cpu_share/total", (0.01,)),
    "maximum_resident_set_size": ("max_rss/total", (1024, 1)),
    "block_input_operations": ("fs_inputs/total", (1,)),
    "block_output_operations": ("fs_outputs/total", (1,)),
    "major_pagefaults": ("page_faults_major/total", (1,)),
    "minor_pagefaults": ("page_faults_minor/total", (1,)),
    "page_faults": ("page_faults_major/total", (1,)),
    "page_reclaims": ("page_faults_minor/total", (1,)),
    "swaps": ("swaps/total", (1,)),
    "messages_sent": ("socket_sent/total", (1,)),
    "messages_received": ("socket_received/total", (1,)),
    "signals_received": ("signals/total", (1,)),
    "signals_delivered": ("signals/total", (1,)),
    "voluntary_context_switches": ("context_switches_voluntary/total", (1,)),
    "involuntary_context_switches": ("context_switches_involuntary/total", (1,)),
    "page_size": ("page_size/total", (1,)),
    "exit_status": ("exit_status/total", (1,)),
}


def jc(tool: str, text: str) -> Numbers:
    """``jc.parse("time", …)``."""
    read = importlib.import_module("jc").parse("time", text, quiet=True)
    found: Numbers = {}
    for key, (name, units) in _JC.items():
        if isinstance(read.get(key), int | float):
            found[name] = [float(f"{read[key] * unit:.15g}") for unit in units]
    return found


def wrk2img(tool: str, text: str) -> Numbers:
    """``Parser.parse_wrk_output``: percentiles in seconds, and the throughput in the curve's name."""
    curves, _ = importlib.import_module("wrk2img").Parser().parse_wrk_output(text)
    found: Numbers = {}
    for name, curve in curves.items():
        found["throughput/total"] = [float(name.split()[0])]
        found |= {f"latency/p{percentile:g}": [value] for percentile, value in curve.items()}
    return found


_BYTES = {"b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30}


def wrk_load_tools(tool: str, text: str) -> Numbers:
    """``wrktoolbox.wrkoutput.BenchmarkOutput.parse``."""
    output = importlib.import_module("wrktoolbox.wrkoutput")
    read = output.BenchmarkOutput.parse(text)
    found: dict[str, float | None] = {
        "throughput/total": read.requests_per_second,
        "planned_duration/total": _s(read.duration),
    }
    if isinstance(read.latency, output.LatencyResult):
        found |= {f"latency/{stat}": _s(getattr(read.latency, name)) for stat, name in _STATS}
        found["latency/within_stdev"] = read.latency.stdev_perc / 100
    per_thread = read.requests_summary[0]
    if isinstance(per_thread, output.RequestsPerSecondResult):
        found |= {f"thread_throughput/{stat}": getattr(per_thread, name) for stat, name in _STATS}
        found["thread_throughput/within_stdev"] = per_thread.stdev_perc / 100
    if isinstance(read.total, output.TotalRequestsResult):
        found |= {"requests/total": read.total.requests, "elapsed/total": read.total.seconds}
        found["bytes_read/total"] = read.total.read.value * _BYTES[read.total.read.unit]
    if read.transfer_per_second is not None:
        found["transfer_rate/total"] = read.transfer_per_second.value * _BYTES[read.transfer_per_second.unit]
    if isinstance(read.socket_errors, output.SocketErrorsResult):
        errors = ("connect", "read", "write", "timeout")
        found |= {f"errors_{kind}/total": getattr(read.socket_errors, f"{kind}_errors") for kind in errors}
    if read.not_successful_responses:
        found["non_2xx/total"] = read.not_successful_responses
    if isinstance(read.latency_distribution, output.LatencyDistributionResult):
        found |= {f"latency/p{p:g}": _s(value) for p, value in read.latency_distribution.percentiles.items()}
    return {name: [float(f"{value:.15g}")] for name, value in found.items() if value is not None}


_STATS = (("mean", "avg"), ("stdev", "stdev"), ("max", "max"))


def _s(time: Any) -> float | None:
    return None if time is None or time.ms is None else time.ms / 1000


PEERS: dict[str, tuple[set[str], Callable[[str, str], Numbers]]] = {
    "jc": ({"time"}, jc),
    "wrk2img": ({"wrk", "wrk2"}, wrk2img),
    "wrk-load-tools": ({"wrk", "wrk2"}, wrk_load_tools),
}


def _read(tool: str, text: str) -> Iterator[tuple[str, Numbers]]:
    for peer, (tools, parse) in PEERS.items():
        if tool in tools:
            with contextlib.suppress(Exception):  # it can't read this run
                yield peer, parse(tool, text)


def main() -> None:
    """Answer the question on standard input."""
    found = [dict(_read(tool, text)) for tool, text in json.load(sys.stdin)]
    json.dump([{peer: version(peer) for peer in PEERS}, found], sys.stdout)


if __name__ == "__main__":
    main()
