"""The titles and formats of columns whose names do not say them."""

from __future__ import annotations

from typing import NamedTuple

from wrkparse.analysis.wording import name_of
from wrkparse.report.exhibits.tables.columns import Format


class Heading(NamedTuple):
    """The title and format of a column; `wrkparse.report.exhibits.tables.columns` derives what is None.

    `resolution` is the column of the same frame with half the last printed digit of each value.
    """

    title: str | None = None
    format: Format | None = None
    resolution: str = ""


HEADINGS = {
    # comparisons
    "center": Heading("median", resolution="resolution"),
    "geomean": Heading("ratio", "×"),
    "hi": Heading("to", resolution="resolution"),
    "lo": Heading("from", resolution="resolution"),
    "n": Heading("runs"),
    "p_adjusted": Heading("p", ".3f"),
    "ratio": Heading(resolution="ratio_resolution"),
    "ratio_hi": Heading("at most", ".2f", "ratio_resolution"),
    "ratio_lo": Heading("at least", ".2f", "ratio_resolution"),
    # scaling
    "best_n": Heading("best at"),
    "kappa": Heading("κ", ".5f"),
    "kappa_lo": Heading("κ at least", ".5f"),
    "lambda": Heading("λ", "1/s"),
    "law": Heading(None, name_of),
    "n_from": Heading("from"),
    "n_max": Heading("to"),
    "n_min": Heading("from"),
    "peak": Heading("peak at", ".0f"),
    "r2": Heading("R²", ".3f"),
    "sigma": Heading("σ", ".3f"),
    "sigma_hi": Heading("σ at most", ".3f"),
    "sigma_lo": Heading("σ at least", ".3f"),
    "speedup": Heading("speed-up", ".1f"),
    # audit
    "code": Heading("check", name_of),
    "message": Heading("finding"),
    # labels and places
    "gogc": Heading("GOGC"),
    "gomemlimit": Heading("GOMEMLIMIT"),
    "source": Heading("file"),
    # garbage collection
    "allocation_bytes_per_s": Heading("allocated"),
    "gc_cpu_ratio": Heading("GC CPU"),
    "gogc_high": Heading("GOGC at most", ".0f"),
    "gogc_low": Heading("GOGC at least", ".0f"),
    "heap_goal_median_bytes": Heading("heap goal", "whole MiB"),
    "heap_live_max_bytes": Heading("live heap", "whole MiB"),
    "heap_live_median_bytes": Heading("live heap", "whole MiB"),
    "heap_max_bytes": Heading("largest heap", "whole MiB"),
    "mark_ratio": Heading("marking"),
    "pacing": Heading("paced by"),
    "pause_max_s": Heading("longest pause"),
    "pause_ratio": Heading("paused"),
    # scheduler
    "global_queue_max": Heading("global queue, maximum"),
    "gomaxprocs": Heading("Ps"),
    "goroutines_max": Heading("maximum"),
    "goroutines_mean": Heading("mean"),
    "queue_imbalance": Heading("imbalance"),
    "threads_max": Heading("threads"),
    "utilisation_mean_ratio": Heading("busy"),
    "utilisation_min_ratio": Heading("least busy"),
    "wait_reason": Heading("waits for"),
    "waiting_max": Heading("waiting, maximum"),
    "waiting_mean": Heading("waiting"),
    "waiting_p99": Heading("waiting, p99"),
}
