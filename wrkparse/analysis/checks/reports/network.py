"""Checks of the network: whether responses are complete, and whether the network limited the run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import RunArrays, numbered

# Bytes of an Ethernet frame with an MTU of 1500. It carries 1500 - 20 (IP) - 32 (TCP with time stamps) = 1448 bytes of
# payload, and takes 90 more: 52 of these headers, 14 + 4 of the frame, 8 of preamble and 12 of gap.
FRAME_PAYLOAD, FRAME_OVERHEAD = 1448, 90
# Shares of the network's rate, by convention: what is not counted, such as retransmissions, takes the rest.
SUSPECT_SHARE, NOTE_SHARE = 0.9, 0.8
SIZE_TOLERANCE = 0.02  # relative: headers vary between responses; the largest deviation in data/ is 0.0023
FEWEST_RUNS = 3  # with two runs, neither is the usual one
MAJORITY = 0.5  # of the runs: a size that fewer have is not the usual one


def checks(runs: RunArrays) -> Iterator[Findings]:
    """All checks of this module."""
    if runs.size >= FEWEST_RUNS:
        yield response_size(runs)
    yield from network_share(runs)


def response_size(runs: RunArrays) -> Findings:
    """Bytes ÷ requests, compared with the runs of the same study (or source), framework, URL, tool and keep-alive.

    Most of three or more such runs have one size; it is quoted from one of them, the lower median. The tolerance is 2
    %, plus the printed resolution of the bytes, plus one response for each connection, because the end of the run cuts
    responses off. ab -k sends another header, and gets one.
    """
    import pandas as pd

    requests, received = runs.value("requests"), runs.value("bytes_read")
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(requests > 0, received / requests, np.nan)
        resolution = np.nan_to_num(runs.resolution("bytes_read")) / requests
        cut_off = np.nan_to_num(runs.open_connections) / requests
    url, framework = runs.texts("url"), runs.texts("framework")
    known = ((url != "") | (framework != "")) & ~np.isnan(size)
    kept = np.nan_to_num(runs.value("keep_alive_requests")) > 0
    # wrk2 is a fork of wrk and sends the same request, so that their responses are alike.
    keys = (runs.study_or_source, url, framework, np.where(runs.wrk, "", runs.tool), kept)
    at, of = np.flatnonzero(known), numbered(key[known] for key in keys)
    groups = pd.Series(size[known]).groupby(of)
    # The lower one of two in the middle: a run has this size, and can be named.
    median = groups.quantile(0.5, interpolation="lower").to_numpy()[of]
    usual, runs_in_group, place = np.full(runs.size, np.nan), np.zeros(runs.size), np.zeros(runs.size, np.int64)
    usual[known], runs_in_group[known] = median, groups.size().to_numpy()[of]
    place[known] = pd.Series(at).where(size[known] == median).groupby(of).first().to_numpy(np.int64)[of]
    tolerance = resolution + (SIZE_TOLERANCE + cut_off) * usual
    alike = np.abs(size - usual) <= tolerance
    share = np.zeros(runs.size)
    share[known] = pd.Series(alike[known]).groupby(of).mean().to_numpy()[of]
    where = runs.table["source"].to_numpy(object) + ":" + runs.table["line"].astype(str).to_numpy(object)
    return runs.findings(
        (runs_in_group >= FEWEST_RUNS) & (share > MAJORITY) & ~alike & known, "response-size", SUSPECT,
        "{value:.4g} bytes per request, but {expected:.4g} in {place}, and alike in {share:.0%} of the {runs:.0f} runs",
        value=size, expected=usual, tolerance=tolerance, at="requests",
        more={"place": where[place], "share": share, "runs": runs_in_group},
    )  # fmt: skip


def network_share(runs: RunArrays) -> Iterator[Findings]:
    """The share of the network's rate that the responses take: 8 X (b + 90 ⌈b/1448⌉) ÷ rate, for b bytes per response.

    Responses on different connections share no Ethernet frames, so this is the least that the wire carries in their
    direction. Suspect from 0.9, a note from 0.8. The rate is ``nic_bits_per_s`` of the study. Runs to a loopback
    address are not checked; a note says that server and load generator share a machine.
    """
    throughput, rate = runs.value("throughput"), runs.network_bits_per_s
    with np.errstate(divide="ignore", invalid="ignore"):
        size = runs.value("transfer_rate") / throughput
        share = 8 * throughput * (size + FRAME_OVERHEAD * np.ceil(size / FRAME_PAYLOAD)) / rate
    generators = runs.wrk | (runs.tool == "ab")
    yield runs.findings(
        generators & ~runs.loopback & (share >= NOTE_SHARE), "nic-limit", np.where(share >= SUSPECT_SHARE, SUSPECT,
        NOTE), "responses take {value:.1%} of {gigabits:g} Gbit/s ({payload:.1%} without frames)", value=share,
        expected=1.0, tolerance=1 - SUSPECT_SHARE, at="transfer_rate", more={"gigabits": rate / 1e9, "payload": 8 *
        runs.value("transfer_rate") / rate},
    )  # fmt: skip
    yield runs.findings(generators & runs.loopback, "same-machine", NOTE, "the URL is on the load generator's machine")
