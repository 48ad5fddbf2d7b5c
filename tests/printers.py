"""Print as wrk, wrk2 and ab do, from their source: what a parser must read back.

wrk's ``src/units.c``, ``src/wrk.c`` (``main``, ``print_stats``, ``print_units``, ``print_stats_latency``); wrk2's
``print_hdr_latency``; httpd's ``support/ab.c`` (``output_results``).
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction


def printed(amount: Fraction) -> str:
    """``%.2Lf``."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(amount.numerator) / Decimal(amount.denominator)
        return str(exact.quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def formatted(amount: Fraction, scale: int, units: list[str]) -> str:
    """wrk's ``format_units``: a larger unit from 0.85 of it on, and never the last of the list."""
    unit, *larger, _ = units
    for name in larger:
        if amount < Fraction(85, 100) * scale:
            break
        amount /= scale
        unit = name
    return printed(amount) + unit


def wrk_time(micros: Fraction) -> str:
    """wrk's ``format_time_us``: seconds from a second on, not from 0.85 s."""
    if micros >= 10**6:
        return formatted(micros / 10**6, 60, ["s", "m", "h"])
    return formatted(micros, 1000, ["us", "ms", "s"])


def wrk_metric(amount: Fraction) -> str:
    return formatted(amount, 1000, ["", "k", "M", "G", "T", "P"])


def wrk_binary(amount: Fraction) -> str:
    return formatted(amount, 1024, ["", "K", "M", "G", "T", "P"]) + "B"


def print_units(text: str, width: int) -> str:
    """wrk's ``print_units``: cut to its column, with two blanks less the letters of its unit behind."""
    pad = 2 - text[-1].isalpha() - text[-2:-1].isalpha()
    width -= pad
    return f"{text[:width]:>{width}}{' ' * pad}"


def wrk_row(name: str, cells: Sequence[str], within: str) -> str:
    """A line of ``print_stats``: mean, standard deviation and maximum in columns of 8, 10 and 9."""
    columns = "".join(print_units(cell, width) for cell, width in zip(cells, (8, 10, 9), strict=True))
    return f"    {name:<10}{columns}{within:>8}%\n"


def wrk_report(run: Mapping[str, Fraction | int], url: str, *, micros: Sequence[Fraction] = ()) -> str:
    """A whole report of wrk 4; `micros` are the four percentiles of ``--latency``."""
    latency = [wrk_time(Fraction(run[f"latency/{stat}"]) * 10**6) for stat in ("mean", "stdev", "max")]
    rate = [wrk_metric(Fraction(run[f"thread_throughput/{stat}"])) for stat in ("mean", "stdev", "max")]
    text = f"Running {run['seconds']}s test @ {url}\n  {run['threads']} threads and {run['connections']} connections\n"
    text += "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
    text += wrk_row("Latency", latency, printed(run["latency/within_stdev"] * Fraction(100)))
    text += wrk_row("Req/Sec", rate, printed(run["thread_throughput/within_stdev"] * Fraction(100)))
    if micros:
        text += "  Latency Distribution\n"
        for share, value in zip((50, 75, 90, 99), micros, strict=True):
            text += f"{share:>7}%{print_units(wrk_time(value), 10)}\n"
    elapsed, read = wrk_time(Fraction(run["elapsed/total"]) * 10**6), wrk_binary(Fraction(run["bytes_read/total"]))
    text += f"  {run['requests/total']} requests in {elapsed}, {read} read\n"
    errors = [run[f"errors_{kind}/total"] for kind in ("connect", "read", "write", "timeout")]
    if any(errors):
        text += "  Socket errors: connect {}, read {}, write {}, timeout {}\n".format(*errors)
    if run["non_2xx/total"]:
        text += f"  Non-2xx or 3xx responses: {run['non_2xx/total']}\n"
    text += f"Requests/sec: {printed(Fraction(run['throughput/total'])):>9}\n"
    return text + f"Transfer/sec: {wrk_binary(Fraction(run['transfer_rate/total'])):>10}\n"


def wrk2_distribution(name: str, rows: Sequence[tuple[int, Fraction, int]]) -> str:
    """wrk2's ``print_hdr_latency``: rows are microseconds, the share below and the requests below."""
    text = f"  Latency Distribution (HdrHistogram - {name})\n"
    for share in ("50.000", "75.000", "90.000", "99.000", "99.900", "99.990", "99.999", "100.000"):
        micros = next(value for value, below, _ in rows if below * 100 >= Fraction(share))
        text += f"{share:>7}%{print_units(wrk_time(Fraction(micros)), 10)}\n"
    text += "\n  Detailed Percentile spectrum:\n       Value   Percentile   TotalCount 1/(1-Percentile)\n\n"
    for micros, below, total in rows:
        inverse = "inf" if below == 1 else printed(1 / (1 - below))
        text += f"{Decimal(micros) / 1000:>12.3f} {float(below):>12.6f} {total:>12} {inverse:>12}\n"
    mean, most, total = Decimal(rows[0][0]) / 1000, Decimal(rows[-1][0]) / 1000, rows[-1][2]
    text += f"#[Mean    = {mean:>12.3f}, StdDeviation   = {0:>12.3f}]\n"
    text += f"#[Max     = {most:>12.3f}, Total count    = {total:>12}]\n"
    return text + f"#[Buckets = {27:>12}, SubBuckets     = {2048:>12}]\n{'-' * 58}\n"


def ab_report(run: Mapping[str, Fraction | int], host: str, path: str) -> str:
    """``output_results`` of httpd 2.4.7 and later, with ``-k`` and ``-p``."""

    def line(label: str, value: object) -> str:
        return f"{label + ':':<24}{value}\n"

    def places(number: Fraction | int, digits: int) -> str:
        return f"{Decimal(number.numerator) / Decimal(number.denominator):.{digits}f}"

    text = "This is ApacheBench, Version 2.3 <$Revision: 1843412 $>\n"
    text += "Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/\n"
    text += (
        f"Licensed to The Apache Software Foundation, http://www.apache.org/\n\nBenchmarking {host} (be patient)\n\n\n"
    )
    text += line("Server Software", "") + line("Server Hostname", host) + line("Server Port", 80) + "\n"
    text += line("Document Path", path) + line("Document Length", f"{run['document_bytes/total']} bytes") + "\n"
    text += line("Concurrency Level", run["connections"])
    text += line("Time taken for tests", f"{places(run['elapsed/total'], 3)} seconds")
    text += line("Complete requests", run["requests/total"]) + line("Failed requests", run["failed_requests/total"])
    if run["failed_requests/total"]:
        names = ("errors_connect", "failed_receive", "failed_length", "failed_exceptions")
        causes = [run[f"{name}/total"] for name in names]
        text += "   (Connect: {}, Receive: {}, Length: {}, Exceptions: {})\n".format(*causes)
    text += line("Keep-Alive requests", run["keep_alive_requests/total"])
    text += line("Total transferred", f"{run['bytes_read/total']} bytes")
    text += line("Total body sent", run["bytes_sent/total"])
    text += line("HTML transferred", f"{run['bytes_bodies/total']} bytes")
    text += line("Requests per second", f"{places(run['throughput/total'], 2)} [#/sec] (mean)")
    text += line("Time per request", f"{places(run['time_per_request/mean'] * 1000, 3)} [ms] (mean)")
    across = places(run["time_per_request_across/mean"] * 1000, 3)
    text += line("Time per request", f"{across} [ms] (mean, across all concurrent requests)")
    text += line("Transfer rate", f"{places(run['transfer_rate/total'] / Fraction(1024), 2)} [Kbytes/sec] received")
    text += f"{'':24}{places(run['transfer_rate_sent/total'] / Fraction(1024), 2)} kb/s sent\n"
    text += f"{'':24}{places(run['transfer_rate_total/total'] / Fraction(1024), 2)} kb/s total\n"
    text += "\nConnection Times (ms)\n              min  mean[+/-sd] median   max\n"
    for name, phase in (
        ("Connect", "connect"), ("Processing", "processing"), ("Waiting", "response_wait"), ("Total", "total"),
    ):  # fmt: skip
        least, mean, middle, most = (int(run[f"{phase}/{stat}"] * 1000) for stat in ("min", "mean", "median", "max"))
        deviation = places(run[f"{phase}/stdev"] * 1000, 1)
        text += f"{name + ':':<12}{least:5} {mean:4} {deviation:>5} {middle:6} {most:7}\n"
    text += "\nPercentage of the requests served within a certain time (ms)\n"
    for share in (50, 66, 75, 80, 90, 95, 98, 99):
        text += f"{share:3}%  {int(run[f'total/p{share}'] * 1000):5}\n"
    return text + f" 100%  {int(run['total/p100'] * 1000):5} (longest request)\n"
