from __future__ import annotations

import re

import pytest
from matplotlib.figure import Figure

from wrkparse.plot.files import figure_bytes
from wrkparse.plot.style import house
from wrkparse.plot.style.language import detect_language


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("性能比较", "zh-Hans"),  # U+8F83 is the simplified form of U+8F03; JIS X 0208 lacks it, GB 2312 has it
        ("妳們好嗎", "zh-Hant"),  # JIS X 0208 and GB 2312 lack U+59B3 and U+55CE, Big5 has them
        ("性能吧", "zh-Hans"),  # U+5427 is in GB 2312 and Big5, and not in JIS X 0208
        ("性能比較の結果", "ja"),
        ("性能", "ja"),  # in all three: the default
        ("성능 比較", "ko"),
        ("nuster", None),
    ],
)
def test_the_language_of_chinese_characters(text: str, told: str | None) -> None:
    assert detect_language(text) == told


def test_an_ambiguous_text_has_the_default_language() -> None:
    assert detect_language("性能", "zh-Hans") == "zh-Hans"


def drawn(*words: str) -> Figure:
    with house.house_style():
        figure = Figure((4, 1))
        axes = figure.add_subplot()
        axes.set_xticks(range(len(words)), words)
    return figure


def test_an_svg_has_the_outlines_of_the_face_of_each_language() -> None:
    found = figure_bytes(drawn("性能比较", "比較です", "abc"), "svg").decode()
    glyphs = (
        set(re.findall(r'id="(NotoSansCJK..)-Regular-[0-9a-f]+"', found)),
        len(set(re.findall(r'id="(NotoSansCJK..-Regular-[0-9a-f]+)"', found))),
    )
    assert glyphs == ({"NotoSansCJKsc", "NotoSansCJKjp"}, 8)  # four characters each


def test_a_pdf_holds_the_faces_and_no_font_of_the_wrong_type() -> None:
    made = figure_bytes(drawn("性能比较", "比較です"), "pdf")
    assert b"NotoSansCJKsc-Regular" in made
    assert b"NotoSansCJKjp-Regular" in made
    assert b"/FontFile2" not in made  # FontFile2 is TrueType; Noto Sans CJK has PostScript outlines
    assert b"/FontFile2" in figure_bytes(drawn("abc"), "pdf")
