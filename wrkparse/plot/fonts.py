"""The type of all figures: Source Sans Pro, and Noto Sans CJK and DejaVu Sans for the glyphs that it lacks."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import matplotlib as mpl
from matplotlib.font_manager import FontEntry, fontManager, get_font, ttfFontProperty

SEMIBOLD = 600
# Each is asked for what those before it lack; the last is for an SVG where none of them is installed.
FAMILIES = ("Source Sans Pro", "Noto Sans CJK JP", "DejaVu Sans", "sans-serif")


@functools.cache
def register() -> None:
    """Tell matplotlib of the fonts, once, before all that the system has: the figures are the same everywhere.

    The fallback fonts have one weight; that they stand for semibold too is said here, else matplotlib warns of it.
    """
    regular, *others = files()
    entries = [ttfFontProperty(get_font(str(path))) for path in (regular, *others)]
    fallback = [dataclasses.replace(entry, weight=SEMIBOLD) for entry in entries if entry.name != FAMILIES[0]]
    found: list[FontEntry] = fontManager.ttflist
    found[:0] = [*entries, *fallback]
    fontManager.addfont(regular)  # forgets what was looked for before


def files() -> list[Path]:
    """The font files: Regular, Semibold and Italic, and the two that they fall back on."""
    import font_source_sans_pro
    import noto_cjk_sans_otc

    sans = Path(font_source_sans_pro.font_directory)
    cuts = [sans / f"SourceSansPro-{cut}.ttf" for cut in ("Regular", "Semibold", "It")]
    return [*cuts, Path(str(noto_cjk_sans_otc.FONT_PATH)), Path(mpl.get_data_path(), "fonts/ttf/DejaVuSans.ttf")]
