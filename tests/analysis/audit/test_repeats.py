"""Repeats of one setting, in one file and over several: copies, outliers, spreads, drifts, plateaus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import wrkparse as wp
from tests.analysis.scaling.curves import Run, report
from tests.samples import WRK
from wrkparse.analysis.audit.audit import audit

RISING = (1000.0, 1030.0, 1060.0, 1090.0, 1120.0, 1150.0)
REPEATS = {"copy", "repeat-outlier", "repeats-differ", "repeat-drift", "shared-plateau"}


def found(folder: Path, files: Mapping[str, str]) -> dict[str, set[str]]:
    """The codes about repeats in these files, each with the runs' files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    ds = wp.read(folder)
    findings = audit(ds).findings.merge(ds.runs[["run", "source"]], on="run", suffixes=("", "_of_run"))
    findings = findings[findings["code"].isin(REPEATS)]
    return {str(code): set(part["source_of_run"]) for code, part in findings.groupby("code")}


def of_rates(rates: Sequence[float]) -> list[str]:
    """A report of wrk for each rate, all of one setting. Each has a latency of its own."""
    return [report(Run(4, rate, connections=16, threads=4)) for rate in rates]


def numbered(rates: Sequence[float], numbers: Sequence[int], name: str = "run-{}.log") -> dict[str, str]:
    return {name.format(number): text for number, text in zip(numbers, of_rates(rates), strict=True)}


def test_six_rates_in_order_are_a_drift_and_in_disorder_none(tmp_path: Path) -> None:
    """In order by chance in 2 of 720 cases, 0.3 %; with one exchange S is 13 and p 12 of 720, 1.7 %; 15 % apart."""
    assert set(found(tmp_path / "a", {"log": "".join(of_rates(RISING))})) == {"repeat-drift"}
    exchanged = (RISING[1], RISING[0], *RISING[2:])
    assert found(tmp_path / "b", {"log": "".join(of_rates(exchanged))}) == {}
    assert set(found(tmp_path / "c", {"log": "".join(of_rates(RISING[::-1]))})) == {"repeat-drift"}


def test_a_drift_within_a_tenth_of_the_median_is_no_finding(tmp_path: Path) -> None:
    """1000 to 1100 are 100 apart; a tenth of the median of 1060 is 106. 1000 to 1120 are 120 apart."""
    near, far = (1000, 1020, 1040, 1060, 1080, 1100), (1000, 1024, 1048, 1072, 1096, 1120)
    assert found(tmp_path / "a", {"log": "".join(of_rates(near))}) == {}
    assert set(found(tmp_path / "b", {"log": "".join(of_rates(far))})) == {"repeat-drift"}


def test_a_drift_over_numbered_files_is_found(tmp_path: Path) -> None:
    """8 to 13: as text, 10 would come before 8, and the rates would not rise."""
    files = numbered(RISING, range(8, 14))
    assert found(tmp_path, files) == {"repeat-drift": set(files)}


def test_files_numbered_with_gaps_are_no_repeats(tmp_path: Path) -> None:
    """1, 2, 4, 8, 16, 32 may be cores or connections."""
    assert found(tmp_path, numbered(RISING, [1, 2, 4, 8, 16, 32])) == {}


def test_files_of_other_names_are_no_repeats(tmp_path: Path) -> None:
    names = ("apple", "birch", "cedar", "dogwood", "elm", "fir")
    assert found(tmp_path, dict(zip(names, of_rates(RISING), strict=True))) == {}


def test_numbers_before_the_suffix_of_a_compression_count(tmp_path: Path) -> None:
    import bz2

    for name, text in numbered(RISING, range(1, 7), "run-{}.log.bz2").items():
        (tmp_path / name).write_bytes(bz2.compress(text.encode()))
    assert set(found(tmp_path, {})) == {"repeat-drift"}


def test_a_drift_by_the_times_of_the_lines_is_found(tmp_path: Path) -> None:
    """Files of a study whose names say nothing of their order."""
    order = (3, 0, 5, 1, 4, 2)
    files = {"wrkparse.yaml": "title: t\nlabels: [{set: {framework: kiwi}}]\n"}
    for name, at in zip("abcdef", order, strict=True):
        stamped = of_rates(RISING)[at].splitlines()
        files[f"{name}.log"] = "".join(f"2024-05-01T10:0{at}:{n:02}Z {line}\n" for n, line in enumerate(stamped))
    timed = found(tmp_path / "a", files)
    assert set(timed) == {"repeat-drift"}
    untimed = {name: "".join(line.partition("Z ")[2] for line in text.splitlines(keepends=True)) or text
               for name, text in files.items()}  # fmt: skip
    assert found(tmp_path / "b", untimed | {"wrkparse.yaml": files["wrkparse.yaml"]}) == {}


def test_an_outlier_among_numbered_files_is_found(tmp_path: Path) -> None:
    """Of six, Dixon's Q is (1000 - 700) / (1040 - 700) = 0.88, above 0.740, and 300 more than a tenth of the median."""
    files = numbered((1000, 1010, 700, 1020, 1030, 1040), range(1, 7))
    assert found(tmp_path, files) == {"repeat-outlier": {"run-3.log"}}


@pytest.mark.parametrize(("lowest", "expected"), [(860.0, set()), (840.0, {"repeat-outlier"})])
def test_dixons_q_of_five(lowest: float, expected: set[str], tmp_path: Path) -> None:
    """Q is (1000 - 860) / (1030 - 860) = 0.82 and (1000 - 840) / 190 = 0.84; the critical value of five is 0.821.

    140 and 160 are more than a tenth of the median, 101.
    """
    rates = (1000, 1010, lowest + 0.0, 1020, 1030)
    if not expected:
        rates = (1000, 1010, 862.0, 1020, 1031)  # 138 / 169 = 0.817
    assert set(found(tmp_path, {"log": "".join(of_rates(rates))})) == expected


@pytest.mark.parametrize(("slowest", "expected"), [(670, set()), (660, {"repeats-differ"})])
def test_repeats_that_differ_by_half(slowest: float, expected: set[str], tmp_path: Path) -> None:
    """1000 / 670 is 1.49, 1000 / 660 is 1.52."""
    assert set(found(tmp_path, {"log": "".join(of_rates((1000, slowest, 800)))})) == expected


def test_a_run_copied_into_another_file_is_found(tmp_path: Path) -> None:
    files = {"nginx/a.log": WRK, "go/b.log": f"# go\n\n{WRK}"}
    assert found(tmp_path / "a", files) == {"copy": {"nginx/a.log"}}  # the later by name
    differs = WRK.replace("1.57ms", "1.58ms")
    assert found(tmp_path / "b", files | {"nginx/a.log": differs}) == {}


@pytest.mark.parametrize(("lowest", "expected"), [(9901, {"shared-plateau"}), (9890, set())])
def test_three_servers_within_a_hundredth_share_a_plateau(lowest: float, expected: set[str], tmp_path: Path) -> None:
    """1 % below 10,000 is 9,900. Two servers alone could be equal by chance."""
    rates = {"nginx": 10_000, "node": 9_950, "go": lowest}
    text = "".join(f"# {name}\n\n{report(Run(4, rate, '/a', 16, 4))}\n" for name, rate in rates.items())
    study = {"wrkparse.yaml": "title: t\nabout: {}\n"}
    assert set(found(tmp_path, study | {"log.md": text})) == expected


def test_a_run_that_was_killed_does_not_part_its_repeats(tmp_path: Path) -> None:
    """run-3 printed nothing: 1, 2, 4 and 5 are still repeats. 1000 / 500 is 2."""
    files = numbered((1000, 500, 700, 800), (1, 2, 4, 5))
    assert found(tmp_path, files | {"run-3.log": ""}) == {"repeats-differ": set(files)}


def test_a_rate_that_is_stated_once_more_is_no_run_of_its_own() -> None:
    """A summary has the numbers of the reports below it; one with other digits, or of few, may be a run."""
    reports = "".join(of_rates((1000.25, 2000.75)))
    for line, is_restated in (
        ("Requests/sec:   2000.75\n", True),
        ("Requests/sec:   2000.76\n", False),
        ("Requests/sec:     12.50\n", False),
    ):
        ds = wp.parse_text(f"# Summary\n\nkiwi: {line}\n# Runs\n\n{reports}", source="x.md")
        findings = audit(ds).findings
        lines = findings.loc[findings["code"] == "restated", ["line", "severity"]].to_numpy().tolist()
        assert lines == ([[3, "invalid"]] if is_restated else [])


def test_a_rate_below_a_load_of_its_own_is_a_run_whatever_it_is() -> None:
    load = "$ wrk -c16 -t4 http://localhost:9090/ | grep Req\nRequests/sec:   2000.75\n"
    ds = wp.parse_text(f"# kiwi\n\n{''.join(of_rates((2000.75,)))}\n# emu\n\n{load}", source="x.md")
    assert "restated" not in set(audit(ds).findings["code"])
