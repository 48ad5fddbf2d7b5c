"""The fonts of reports: for the PDF a folder of them, for the page in HTML what it uses of them; and what they lack."""

from __future__ import annotations

import base64
import functools
import io
import shutil
from collections.abc import Iterable, KeysView
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

from wrkparse.plot.style.fonts import FACES
from wrkparse.plot.style.language import JAPANESE

# File of each cut: family, weight, style.
_SANS = {
    "SourceSansPro-Regular": ("Source Sans Pro", 400, "normal"),
    "SourceSansPro-Semibold": ("Source Sans Pro", 600, "normal"),
    "SourceSansPro-It": ("Source Sans Pro", 400, "italic"),
}
CJK, SYMBOLS, MONO = FACES[JAPANESE][1], "DejaVu Sans", "DejaVu Sans Mono"
# Written without a glyph of its own.
_BLANK = frozenset("\n\t ")


@functools.cache
def files() -> dict[tuple[str, int, str], Path]:
    """The font files, by family, weight and style."""
    import font_source_sans_pro
    import noto_cjk_sans_otc

    sans = Path(font_source_sans_pro.font_directory)
    found = {cut: sans / f"{name}.ttf" for name, cut in _SANS.items()}
    found[CJK, 400, "normal"] = Path(str(noto_cjk_sans_otc.FONT_PATH))
    found[SYMBOLS, 400, "normal"] = Path(mpl.get_data_path(), "fonts/ttf/DejaVuSans.ttf")
    found[MONO, 400, "normal"] = Path(mpl.get_data_path(), "fonts/ttf/DejaVuSansMono.ttf")
    return found


def collect(folder: Path) -> None:
    """Put the font files into a folder: Typst takes folders only."""
    folder.mkdir()
    for path in files().values():
        try:
            (folder / path.name).symlink_to(path)
        except OSError:  # Windows asks for a privilege
            shutil.copyfile(path, folder / path.name)


@dataclass(frozen=True, slots=True)
class _Metrics:
    """How many units an em has, and how many each character is wide."""

    em: int
    widths: dict[int, int]


@functools.cache
def _metrics(path: Path) -> _Metrics:
    from fontTools.ttLib import TTFont

    with TTFont(path, fontNumber=0, lazy=True) as font:  # of the collection the first: Japanese forms
        advances = font["hmtx"].metrics
        return _Metrics(font["head"].unitsPerEm, {code: advances[name][0] for code, name in font.getBestCmap().items()})


def _glyphs(path: Path) -> KeysView[int]:
    return _metrics(path).widths.keys()


def missing(characters: Iterable[str]) -> set[str]:
    """The characters that no font has."""
    wanted = {character for character in characters if character not in _BLANK}
    for (family, _, _), path in files().items():
        if family != MONO and not all(map(str.isascii, wanted)):
            wanted -= {character for character in wanted if ord(character) in _glyphs(path)}
    return {character for character in wanted if not (character.isascii() and character.isprintable())}


def width(words: str, size: float, *, bold: bool = False) -> float:
    """How wide text comes out, in points."""
    found = _metrics(files()["Source Sans Pro", 600 if bold else 400, "normal"])
    return size * sum(found.widths.get(ord(one), found.em) for one in words) / found.em


def css(characters: set[str], languages: Iterable[str] = ()) -> str:
    """``@font-face`` rules with the glyphs of these characters; of the fallback fonts those that a cut before lacks.

    Those of Noto Sans CJK are in the forms of Japanese, and of each of the `languages`.
    """
    wanted = {ord(character) for character in characters} | set(range(32, 127))
    sans = [path for (family, _, _), path in files().items() if family == "Source Sans Pro"]
    lacking = {code for code in wanted if not all(code in _glyphs(path) for path in sans)}
    rules = []
    for (family, weight, style), path in files().items():
        found = (wanted if path in sans else lacking) & _glyphs(path)
        if found and family != MONO:
            faces = [FACES[one] for one in sorted(languages)] if family == CJK else []
            rules += [_face(name, weight, style, path, found, face) for face, name in [(0, family), *faces]]
        if path not in sans:
            lacking -= found
    return "\n".join(rules)


def _face(family: str, weight: int, style: str, path: Path, wanted: set[int], face: int) -> str:
    data = base64.b64encode(_subset(path, frozenset(wanted), face)).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{style};"
        f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )


@functools.lru_cache(maxsize=32)  # to look a glyph up in a font of 65,535 takes most of the time
def _subset(path: Path, wanted: frozenset[int], face: int) -> bytes:
    """A font of these characters alone, as WOFF2; `face` of a collection."""
    from fontTools import subset

    options = subset.Options(flavor="woff2", layout_features=["kern", "tnum", "liga", "mark", "mkmk", "ccmp"])
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 13, 14]  # copyright and licence stay
    options.drop_tables += ["VORG", "vhea", "vmtx", "BASE"]
    options.font_number = face
    with subset.load_font(str(path), options) as font:
        chosen = subset.Subsetter(options)
        chosen.populate(unicodes=wanted)
        chosen.subset(font)
        written = io.BytesIO()
        subset.save_font(font, written, options)
    return written.getvalue()
