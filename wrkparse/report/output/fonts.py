"""The fonts of reports: files for Typst, subsets for HTML pages, widths of text, characters that no font has."""

from __future__ import annotations

import base64
import functools
import io
import shutil
import threading
from collections.abc import Iterable, KeysView
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from wrkparse.plot.style.language import FACES, JAPANESE

# The files of Source Sans Pro: family, weight, style.
_SOURCE_SANS_FILES = {
    "SourceSansPro-Regular": ("Source Sans Pro", 400, "normal"),
    "SourceSansPro-Semibold": ("Source Sans Pro", 600, "normal"),
    "SourceSansPro-It": ("Source Sans Pro", 400, "italic"),
}
CJK, SYMBOLS, MONO = FACES[JAPANESE][1], "DejaVu Sans", "DejaVu Sans Mono"
# The characters of most pages: ASCII, and the signs of numbers, units and laws.
_COMMON_CHARACTERS = frozenset(range(32, 127)) | frozenset(map(ord, "\u00a0\u2002·×÷±−–—…“”‘’°²³µ‰≤≥≈←↑→↓κλσΔ"))
_SUBSET_LOCK = threading.Lock()  # lets a page wait for a subset that `prepare_common_subsets` is making
_IDEOGRAPHS = range(0x4E00, 0x9FA6)  # those of Unicode 1.1, all of which Noto Sans CJK has
# Characters that need no glyph.
_WITHOUT_GLYPH = frozenset("\n\t ")


@functools.cache
def font_files() -> dict[tuple[str, int, str], Path]:
    """The font files, by family, weight and style."""
    import font_source_sans_pro
    import noto_cjk_sans_otc

    sans = Path(font_source_sans_pro.font_directory)
    found = {cut: sans / f"{name}.ttf" for name, cut in _SOURCE_SANS_FILES.items()}
    found[CJK, 400, "normal"] = Path(str(noto_cjk_sans_otc.FONT_PATH))
    found[SYMBOLS, 400, "normal"] = _dejavu_folder() / "DejaVuSans.ttf"
    found[MONO, 400, "normal"] = _dejavu_folder() / "DejaVuSansMono.ttf"
    return found


def _dejavu_folder() -> Path:
    """The folder of the fonts in matplotlib, which is not imported: that takes longer than to write a page."""
    found = find_spec("matplotlib")
    assert found
    assert found.origin
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"


def copy_fonts(folder: Path) -> None:
    """Link the font files in a new folder, because Typst accepts only folders."""
    folder.mkdir()
    for path in font_files().values():
        try:
            (folder / path.name).symlink_to(path)
        except OSError:  # symbolic links need a privilege on Windows
            shutil.copyfile(path, folder / path.name)


@dataclass(frozen=True, slots=True)
class _FontMetrics:
    """The units per em of a font, and the width of each character in units."""

    em: int
    widths: dict[int, int]


@functools.cache
def _font_metrics(path: Path) -> _FontMetrics:
    from fontTools.ttLib import TTFont

    with TTFont(path, fontNumber=0, lazy=True) as font:  # fontNumber 0 of Noto Sans CJK: Japanese forms
        advances = font["hmtx"].metrics
        return _FontMetrics(
            font["head"].unitsPerEm, {code: advances[name][0] for code, name in font.getBestCmap().items()}
        )


@functools.cache
def _codes_with_glyph(path: Path) -> KeysView[int]:
    """The code points of the characters that a font has."""
    from fontTools.ttLib import TTFont

    with TTFont(path, fontNumber=0, lazy=True) as font:
        font.setGlyphOrder([])  # the names of 65,535 glyphs take longer to read than which characters have one
        found: dict[int, str] = font.getBestCmap()
        return found.keys()


def missing_characters(characters: Iterable[str]) -> set[str]:
    """The characters that no font has."""
    wanted = {character for character in characters if character not in _WITHOUT_GLYPH}
    wanted -= {character for character in wanted if ord(character) in _IDEOGRAPHS}
    # The font of 65,535 glyphs is the last: to read it takes six times as long as the others together.
    for (family, _, _), path in sorted(font_files().items(), key=lambda item: item[0][0] == CJK):
        if all(map(str.isascii, wanted)):
            break
        if family != MONO:
            wanted -= {character for character in wanted if ord(character) in _codes_with_glyph(path)}
    return {character for character in wanted if not (character.isascii() and character.isprintable())}


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in Source Sans Pro, in points. Characters of other fonts count as one em."""
    return size * _width_in_em(words, bold)


@functools.lru_cache(maxsize=65_536)  # layouts ask for the words of a table again and again, and cells recur
def _width_in_em(words: str, bold: bool) -> float:
    found = _font_metrics(font_files()["Source Sans Pro", 600 if bold else 400, "normal"])
    return sum(found.widths.get(ord(one), found.em) for one in words) / found.em


def are_in_text_font(texts: Iterable[str]) -> bool:
    """Whether Source Sans Pro has all characters of these texts."""
    found = _font_metrics(font_files()["Source Sans Pro", 400, "normal"])
    return found.widths.keys() >= set(map(ord, set().union(*texts)))


def font_face_rules(characters: set[str], languages: Iterable[str] = ()) -> str:
    """``@font-face`` rules with embedded fonts that have just the glyphs of these characters.

    If all characters are in `_COMMON_CHARACTERS`, the subset of Source Sans Pro has all of these: it may be ready
    (`prepare_common_subsets`). A fallback font has only the characters that the fonts before it lack. Noto Sans CJK is
    embedded in Japanese forms, and in those of each of the `languages`.
    """
    # All of ASCII: a reader types into the fields for filters and names.
    wanted = {ord(character) for character in characters} | set(range(32, 127))
    sans = [path for (family, _, _), path in font_files().items() if family == "Source Sans Pro"]
    missing = {code for code in wanted if not all(code in _codes_with_glyph(path) for path in sans)}
    rules = []
    for (family, weight, style), path in font_files().items():
        # All cuts of the text font get all characters, each fallback font only what is still missing.
        found = (wanted if path in sans else missing) & _codes_with_glyph(path)
        if path in sans and found <= _COMMON_CHARACTERS:
            found = set(_COMMON_CHARACTERS & _codes_with_glyph(path))
        if found and family != MONO:
            faces = [FACES[one] for one in sorted(languages)] if family == CJK else []
            rules += [_font_face_rule(name, weight, style, path, found, face) for face, name in [(0, family), *faces]]
        if path not in sans:
            missing -= found
    return "\n".join(rules)


def prepare_common_subsets() -> None:
    """Make the subsets of fonts that most pages need, in advance."""
    for (family, _, _), path in font_files().items():
        if family == "Source Sans Pro":
            with _SUBSET_LOCK:
                _subset_font(path, frozenset(_COMMON_CHARACTERS & _codes_with_glyph(path)), 0)


def _font_face_rule(family: str, weight: int, style: str, path: Path, wanted: set[int], face: int) -> str:
    with _SUBSET_LOCK:
        data = base64.b64encode(_subset_font(path, frozenset(wanted), face)).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{style};"
        f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )


@functools.lru_cache(maxsize=32)  # looking up glyphs in a font of 65,535 glyphs takes most of the time of a report
def _subset_font(path: Path, wanted: frozenset[int], face: int) -> bytes:
    """A subset of a font with these characters, as WOFF2; `face` is the index in a collection."""
    from fontTools import subset

    options = subset.Options(flavor="woff2", layout_features=["kern", "tnum", "liga", "mark", "mkmk", "ccmp"])
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 13, 14]  # keep the copyright and the licence
    # Tables of vertical text, of baselines, and of the font editor FontForge: no page needs them.
    options.drop_tables += ["VORG", "vhea", "vmtx", "BASE", "FFTM"]
    options.font_number = face
    with subset.load_font(str(path), options) as font:
        names = font["name"]
        names.names = [one for one in names.names if one.nameID in options.name_IDs and one.isUnicode()]
        del font["name"]  # fontTools would look through all tables for further names that are in use
        chosen = subset.Subsetter(options)
        chosen.populate(unicodes=wanted)
        chosen.subset(font)
        font["name"] = names
        written = io.BytesIO()
        subset.save_font(font, written, options)
    return written.getvalue()
