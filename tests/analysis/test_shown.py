"""Results as text and as HTML; the public names."""

from __future__ import annotations

import pandas as pd
import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.analysis.shown.results import Exhibit, ShownResult


@pytest.mark.parametrize("module", [wp, wp.plot])
def test_tab_lists_the_public_names_alone(module: object) -> None:
    assert dir(module) == sorted(module.__all__)  # type: ignore[attr-defined]


def test_names_for_the_notebooks_of_reports_are_found_and_not_listed() -> None:
    hidden = {"attempt", "counted", "escaped", "name_of", "audit_exhibits", "window_exhibits"}
    assert hidden.isdisjoint(dir(wp))
    assert hidden <= set(wp.FOR_REPORTS)
    assert all(callable(getattr(wp, name)) for name in wp.FOR_REPORTS)
    assert {"read", "load", "compare", "plot", "Dataset"} <= set(dir(wp))


class Made(ShownResult):
    def exhibit(self) -> Exhibit:
        many = pd.DataFrame({"name": [f"<b>\x1b{at}" for at in range(1500)]})
        return Exhibit("1 thing", {"things": many, "nothing": many.head(0)})


def test_a_result_shows_the_first_rows_and_nothing_that_acts() -> None:
    text, page = str(Made()), Made()._repr_html_()
    assert text.splitlines()[:2] == ["1 thing", ""]
    assert "things, 20 of 1,500 rows:" in text
    assert "nothing" not in text + page
    assert "\\x1b19" in text
    assert "\x1b" not in text
    assert "b>\x1b20" not in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_results_of_analyses_are_readable() -> None:
    dataset = wp.parse_text(f"# nginx\n\n{WRK}")
    shown = {
        "1 run: 1 ": wp.audit(dataset),
        "USL fitted to 4 points, R² ": wp.fit_usl([1, 2, 4, 8], [10.0, 19.0, 34.0, 52.0]),
        "no published cells: none": wp.reproduce(dataset),
    }
    for beginning, result in shown.items():
        assert str(result).startswith(beginning)
        assert result._repr_html_().startswith(f"<p>{beginning}")
    assert "<td>runs</td><td>1</td>" in dataset._repr_html_()
    assert "framework" in dataset._repr_html_()


def test_factors_are_readable_and_a_tuple_as_before() -> None:
    page = "".join(f"# {name}\n\n{WRK}\n" for name in ("nginx", "haproxy"))
    found = wp.factors(wp.parse_text(page))
    assert found == (("framework",), ())
    assert [line.rsplit(maxsplit=1) for line in str(found).splitlines()] == [
        ["the server differs in", "framework"],
        ["the load differs in", "nothing"],
    ]
    assert "framework" in found._repr_html_()
    assert found._repr_html_().startswith("<table>")


def test_a_scaling_is_readable() -> None:
    page = "".join(f"# cores: {n}\n\n{WRK.replace('40669.44', f'{1000 * n}.00')}\n" for n in (1, 2, 4))
    found = wp.scaling(wp.parse_text(page, labels={"framework": "nginx"}))
    assert str(found).startswith("throughput_per_s over cores by study, framework, connections")
    assert "nginx" in found._repr_html_()
