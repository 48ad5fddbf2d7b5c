"""The fonts of all figures: Source Sans Pro, with Noto Sans CJK and DejaVu Sans for glyphs that it lacks."""

from __future__ import annotations

import dataclasses
import functools
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontPath, fontManager, get_font, ttfFontProperty
from matplotlib.text import Text

from wrkparse.plot.style.language import FACES, JAPANESE, detect_language
from wrkparse.text.escape import EMOJI_JOINERS, printable, symbol_name

SEMIBOLD = 600  # the weight of Source Sans Pro Semibold
_LOOK_UP_METHOD = "_find_fonts_by_props"  # of the font manager of matplotlib; it is not public
_UNKNOWN_GLYPH = "\N{WHITE SQUARE}"  # for a character that no font has
# In order of fallback: each family supplies the glyphs that the families before it lack. The last one is for SVG files
# on machines that have none of the others.
FAMILIES = ("Source Sans Pro", "Noto Sans CJK JP", "DejaVu Sans", "sans-serif")


@functools.cache
def register() -> None:
    """Register the font files with matplotlib, once per process.

    They come before installed fonts of the same name, so that figures look the same on every machine. The fallback
    fonts have a single weight. They are registered as semibold too, because matplotlib warns about missing weights.
    """
    # One file of Noto Sans CJK has a face for each language.
    *cuts, cjk, symbols = map(str, font_files())
    faces = [FontPath(cjk, face) for face, _ in FACES.values()]
    entries = [ttfFontProperty(get_font(path)) for path in (*cuts, *faces, symbols)]
    fallback = [dataclasses.replace(entry, weight=SEMIBOLD) for entry in entries if entry.name != FAMILIES[0]]
    found: list[FontEntry] = fontManager.ttflist
    # In front: of fonts with equal properties, matplotlib takes the first.
    found[:0] = [*entries, *fallback]
    fontManager.addfont(cuts[0])  # clears matplotlib's cache of font look-ups


@contextmanager
def fonts_looked_up_once() -> Iterator[None]:
    """Let matplotlib look up the files of a font once in the block, and not for each text that it measures.

    The block must not change settings of fonts. A matplotlib without the method, which is not public, stays unchanged.
    """
    look_up = getattr(fontManager, _LOOK_UP_METHOD, None)
    if look_up is None:
        yield
        return
    vars(fontManager)[_LOOK_UP_METHOD] = functools.cache(look_up)
    try:
        yield
    finally:
        del vars(fontManager)[_LOOK_UP_METHOD]


def choose_cjk_faces(figure: Figure) -> bool:
    """Set Chinese characters in the forms of their language; return whether the figure has any.

    The language of a text comes from its characters or, if these are ambiguous, from all texts of the figure together.
    The layout stays valid: the characters have the same width in every face.
    """
    texts = [text for text in figure.findobj(Text) if not text.get_text().isascii()]
    default = detect_language("".join(text.get_text() for text in texts))
    for text in texts if default else ():
        face = FACES[detect_language(text.get_text(), default or JAPANESE) or JAPANESE][1]
        text.set_fontfamily([family.replace(FACES[JAPANESE][1], face) for family in text.get_fontfamily()])
    return default is not None


def drawable(text: str) -> str:
    """A text from a log, in characters that the fonts have, and without control characters.

    An emoji becomes its name (``:rocket:``), another character that no font has an empty box. Characters that only join
    or style emoji are left out.
    """
    if not text.isascii():
        text = "".join(map(_drawable_character, EMOJI_JOINERS.sub("", text)))
    return printable(text)


def _drawable_character(one: str) -> str:
    if one.isascii() or _has_glyph(one) or printable(one) != one:  # what can't be printed is spelled out
        return one
    if unicodedata.category(one).startswith("M"):  # a mark on the letter before
        return ""
    return symbol_name(one) or _UNKNOWN_GLYPH


@functools.cache
def _has_glyph(one: str) -> bool:
    return any(ord(one) in _font_characters(place) for place in range(len(font_files())))


@functools.cache
def _font_characters(place: int) -> frozenset[int]:
    """The characters of one of the font files."""
    return frozenset(get_font(str(font_files()[place])).get_charmap())


def font_files() -> list[Path]:
    """The font files: Source Sans Pro Regular, Semibold and Italic, then the two fallback fonts."""
    import font_source_sans_pro
    import noto_cjk_sans_otc

    sans = Path(font_source_sans_pro.font_directory)
    cuts = [sans / f"SourceSansPro-{cut}.ttf" for cut in ("Regular", "Semibold", "It")]
    return [*cuts, Path(str(noto_cjk_sans_otc.FONT_PATH)), Path(mpl.get_data_path(), "fonts/ttf/DejaVuSans.ttf")]
