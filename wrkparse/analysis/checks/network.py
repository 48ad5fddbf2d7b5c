"""What went over the wire: whether every response was whole, and the network the limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrkparse.analysis.checks.finding import NOTE, SUSPECT, Findings
from wrkparse.analysis.checks.run_arrays import Sheet
from wrkparse.analysis.stats.arrays import Floats

# Ethernet with an MTU of 1500: a frame carries 1500 - 20 (IP) - 32 (TCP with time stamps) bytes, and costs these beside
# them: 52 of headers, 14 and 4 of the frame, 8 of preamble, 12 of gap.
FRAME_BYTES, FRAME_COST = 1448, 90
FULL, NEARLY = 0.9, 0.8
SIZE_SHARE = 0.02  # headers vary, and a run ends within responses
FEWEST = 3


def checks(sheet: Sheet) -> Iterator[Findings]:
    """All checks of this module."""
    yield response_size(sheet)
    yield from nic(sheet)


def _received(sheet: Sheet) -> Floats:
    read = sheet.value("bytes_read")
    return np.where(np.isnan(read), sheet.value("bytes_transferred"), read)


def response_size(sheet: Sheet) -> Findings:
    """Bytes ÷ requests against the median of the runs of the same source or study, framework and URL, if three are.

    The tolerance is 2 %, the printed resolution of the bytes, and one response per connection that was cut by the end.
    """
    import pandas as pd

    requests, received = sheet.value("requests"), _received(sheet)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(requests > 0, received / requests, np.nan)
        rough = np.nan_to_num(sheet.resolution("bytes_read")) / requests
        cut = np.nan_to_num(sheet.open_connections) / requests
    study, url, framework = sheet.texts("study"), sheet.texts("url"), sheet.texts("framework")
    place = np.where(study == "", sheet.texts("source"), study)
    known = ((url != "") | (framework != "")) & ~np.isnan(size)
    frame = pd.DataFrame({"place": place, "url": url, "framework": framework, "size": size})[known]
    groups = frame.groupby(["place", "url", "framework"], sort=False)["size"]
    usual, runs = np.full(sheet.size, np.nan), np.zeros(sheet.size)
    usual[known], runs[known] = groups.transform("median"), groups.transform("size")
    tolerance = rough + (SIZE_SHARE + cut) * usual
    return sheet.findings(
        (runs >= FEWEST) & (np.abs(size - usual) > tolerance), "response-size", SUSPECT,
        "{value:.4g} bytes per request, {expected:.4g} in the other runs", value=size, expected=usual,
        tolerance=tolerance, at="requests",
    )  # fmt: skip


def nic(sheet: Sheet) -> Iterator[Findings]:
    """Share of the network's rate that the responses take: 8 X (b + 90 ⌈b/1448⌉) ÷ rate, b bytes per response.

    A response on a connection of its own shares no frame with another, so this is the least that goes over a wire of
    Ethernet frames; acknowledgements go the other way. Suspect from 0.9, a note from 0.8. The rate is the study's
    ``nic_bits_per_s``; runs to a loopback address are left out and noted.
    """
    throughput, rate = sheet.value("throughput"), sheet.nic_bits_per_s
    with np.errstate(divide="ignore", invalid="ignore"):
        size = sheet.value("transfer_rate") / throughput
        share = 8 * throughput * (size + FRAME_COST * np.ceil(size / FRAME_BYTES)) / rate
    generators = sheet.wrk | (sheet.tool == "ab")
    yield sheet.findings(
        generators & ~sheet.loopback & (share >= NEARLY), "nic-limit", np.where(share >= FULL, SUSPECT, NOTE),
        "responses take {value:.1%} of {gigabits:g} Gbit/s ({payload:.1%} without frames)", value=share, expected=1.0,
        tolerance=1 - FULL, at="transfer_rate",
        more={"gigabits": rate / 1e9, "payload": 8 * sheet.value("transfer_rate") / rate},
    )  # fmt: skip
    yield sheet.findings(
        generators & sheet.loopback, "same-machine", NOTE, "the URL is on the load generator's machine"
    )
