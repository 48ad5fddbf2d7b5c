"""The HTML page, read as text; `test_browser` opens it."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    return Tags(page).found


def test_the_page_is_self_contained(page: str, tags: list[tuple[str, dict[str, str | None]]]) -> None:
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = [one["content"] for tag, one in tags if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    for _, attributes in tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), name
            if name in {"src", "href", "srcset", "data"}:
                assert value, name
                assert value.startswith(("#", "data:")), value
    styles = "".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    assert "@import" not in styles
    assert all(url.startswith("data:") for url in re.findall(r"url\(['\"]?([^)]*)", styles))
    beyond_names_of_namespaces = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert not re.search("https?:", beyond_names_of_namespaces)


def test_every_link_has_exactly_one_target(tags: list[tuple[str, dict[str, str | None]]]) -> None:
    names = [attributes["id"] for _, attributes in tags if attributes.get("id")]
    assert len(names) == len(set(names))
    wanted = {
        attributes["href"] for tag, attributes in tags if tag == "a" and (attributes.get("href") or "").startswith("#")
    }
    assert {"#fig:curve", "#tbl:speed", "#tables", "#what-was-measured"} <= wanted
    assert {name[1:] for name in wanted if name} <= set(names)


def test_drawings_have_descriptions_and_formulas_are_mathml(page: str) -> None:
    assert 'role="img" aria-label="a line that bends up"' in page
    assert "<mfrac>" in page


def test_cells_are_escaped_and_the_csv_is_in_the_page(page: str) -> None:
    assert '<th scope="row">nginx &amp; &lt;b&gt;</th><td class="number">40.67</td>' in page
    link = re.search(r'download="tbl-speed.csv" href="data:text/csv;base64,([^"]*)"', page)
    assert link
    assert base64.b64decode(link[1]).decode().splitlines()[1] == "nginx & <b>,40669.44"


def test_the_used_glyphs_are_embedded(page: str) -> None:
    from io import BytesIO

    from fontTools.ttLib import TTFont

    faces = re.findall(r"font-family:'([^']*)';.*?base64,([^)]*)\)", page)
    glyphs: dict[str, set[int]] = {}
    for name, data in faces:
        glyphs.setdefault(name, set()).update(TTFont(BytesIO(base64.b64decode(data))).getBestCmap())
    assert {ord(one) for one in "日本語高速"} <= glyphs["Noto Sans CJK JP"]
    assert ord("A") not in glyphs["Noto Sans CJK JP"]
    assert ord("λ") in glyphs["Source Sans Pro"]
