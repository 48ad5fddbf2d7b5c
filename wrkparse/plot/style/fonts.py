"""The type of all figures: Source Sans Pro, and Noto Sans CJK and DejaVu Sans for the glyphs that it lacks."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontPath, fontManager, get_font, ttfFontProperty
from matplotlib.text import Text

from wrkparse.plot.style.language import JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL, language

SEMIBOLD = 600
# Each is asked for what those before it lack; the last is for an SVG where none of them is installed.
FAMILIES = ("Source Sans Pro", "Noto Sans CJK JP", "DejaVu Sans", "sans-serif")
# The face of the collection of Noto Sans CJK, and its name, for each language.
FACES = {
    JAPANESE: (0, "Noto Sans CJK JP"), KOREAN: (1, "Noto Sans CJK KR"),
    SIMPLIFIED: (2, "Noto Sans CJK SC"), TRADITIONAL: (3, "Noto Sans CJK TC"),
}  # fmt: skip


@functools.cache
def register() -> None:
    """Tell matplotlib of the fonts, once, before all that the system has: the figures are the same everywhere.

    The fallback fonts have one weight; that they stand for semibold too is said here, else matplotlib warns of it.
    """
    *cuts, cjk, symbols = map(str, files())
    faces = [FontPath(cjk, face) for face, _ in FACES.values()]
    entries = [ttfFontProperty(get_font(path)) for path in (*cuts, *faces, symbols)]
    fallback = [dataclasses.replace(entry, weight=SEMIBOLD) for entry in entries if entry.name != FAMILIES[0]]
    found: list[FontEntry] = fontManager.ttflist
    found[:0] = [*entries, *fallback]
    fontManager.addfont(cuts[0])  # forgets what was looked for before


def localize(figure: Figure) -> bool:
    """Give each text the forms of Chinese characters that its language has; whether there is any such text.

    They are as wide in all languages: what was laid out stays. Where a text by itself does not tell, all together do.
    """
    texts = [text for text in figure.findobj(Text) if not text.get_text().isascii()]
    default = language("".join(text.get_text() for text in texts))
    for text in texts if default else ():
        face = FACES[language(text.get_text(), default or JAPANESE) or JAPANESE][1]
        text.set_fontfamily([family.replace(FACES[JAPANESE][1], face) for family in text.get_fontfamily()])
    return default is not None


def files() -> list[Path]:
    """The font files: Regular, Semibold and Italic, and the two that they fall back on."""
    import font_source_sans_pro
    import noto_cjk_sans_otc

    sans = Path(font_source_sans_pro.font_directory)
    cuts = [sans / f"SourceSansPro-{cut}.ttf" for cut in ("Regular", "Semibold", "It")]
    return [*cuts, Path(str(noto_cjk_sans_otc.FONT_PATH)), Path(mpl.get_data_path(), "fonts/ttf/DejaVuSans.ttf")]
