"""Chinese characters have the forms of their language, in PDF and HTML."""

from __future__ import annotations

import io
from datetime import date

import pypdf
import pytest

from wrkparse.report.document.languages import mark_languages, used_languages
from wrkparse.report.document.model import Document
from wrkparse.report.document.pandoc import paragraph, text_inline
from wrkparse.report.output.html import render_html
from wrkparse.report.output.pdf import render_pdf


@pytest.fixture
def mixed() -> Document:
    """A Chinese title, and paragraphs in Chinese, Japanese and English."""
    words = ("服务器性能比较", "これは性能比較です", "plain words")
    return Document("性能比较", [], [paragraph(text_inline(one)) for one in words], [])


def test_chinese_texts_are_marked(mixed: Document) -> None:
    mark_languages(mixed)
    assert [block["c"][0]["t"] for block in mixed.body] == ["Span", "Str", "Str"]
    assert mixed.body[0]["c"][0]["c"][0][2] == [["lang", "zh-Hans"]]
    assert mixed.languages == {"性能比较": "zh-Hans"}
    assert used_languages(mixed) == {"zh-Hans"}


def test_japanese_is_the_default_and_needs_no_mark() -> None:
    found = Document("性能比較", [], [paragraph(text_inline("これは性能です"))], [])
    mark_languages(found)
    assert found == Document("性能比較", [], [paragraph(text_inline("これは性能です"))], [])


def test_the_pdf_has_both_faces(mixed: Document) -> None:
    mark_languages(mixed)
    fonts = {
        str(font["/BaseFont"])
        for sheet in pypdf.PdfReader(io.BytesIO(render_pdf(mixed, "", date(2026, 1, 1)))).pages
        for font in (one.get_object() for one in sheet["/Resources"]["/Font"].values())  # type: ignore[index]
    }
    for face in ("NotoSansCJKsc", "NotoSansCJKjp"):
        assert any(face in name for name in fonts), fonts


def test_the_page_states_the_language_and_embeds_its_face(mixed: Document) -> None:
    mark_languages(mixed)
    made = render_html(mixed, "").decode()
    assert '<h1 lang="zh-Hans">性能比较</h1>' in made
    assert '<span lang="zh-Hans">服务器性能比较</span>' in made
    assert "@font-face{font-family:'Noto Sans CJK SC'" in made
