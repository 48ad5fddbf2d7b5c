"""Colours, markers and dashes. Each series has one of each, so that readers can distinguish series without colour.

The colours are those of M. Okabe and K. Ito (*Color Universal Design*, 2008), with two changes: yellow is left out,
because lines in it are too pale, and dark grey replaces black, which is used for text.
"""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.colors import to_hex, to_rgb

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D")
# 11 markers and 7 colours: both repeat in other rounds, so that the first 77 series differ in one of them.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", ">", "h")
DASHES: tuple[str | tuple[float, tuple[float, ...]], ...] = (
    "solid", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (9, 3)),
)  # fmt: skip
TEXT = "#222222"
MUTED = "#595959"  # axes, notes and other secondary elements
GRID = "#DDDDDD"
BAR = "#B7C5D0"
BASELINE = "#7F93A6"
BETTER = COLOURS[0]
WORSE = "#E8A16B"
ABOVE = ("#7FB8E6", "#0B3D7A")  # light and dark end of the ramp for settings above a baseline
BELOW = ("#F2A66B", "#9A3B00")  # the same for settings below it
INVALID = "#8C2D04"  # crosses over invalid runs

_MIN_CONTRAST = 4.5  # text on white: WCAG 2.2, success criterion 1.4.3


class SeriesStyle(NamedTuple):
    """The colour, marker and dash of a series. `text_colour` is the colour for text, dark enough to read."""

    colour: str
    marker: str
    dash: str | tuple[float, tuple[float, ...]]
    text_colour: str


def series_style(index: int) -> SeriesStyle:
    """The style of the series with this index. After the last colour they repeat, with other markers and dashes."""
    repeat, place = divmod(index, len(COLOURS))
    colour = COLOURS[place]
    return SeriesStyle(colour, MARKERS[index % len(MARKERS)], DASHES[repeat % len(DASHES)], text_colour(colour))


def shaded_style(index: int, shade: int, shades: int) -> SeriesStyle:
    """The style of a series with the colour of `index`, in one of several shades from light to dark.

    Series of one shade have the same marker. Without other shades, it is `series_style`.
    """
    style = series_style(index)
    if shades == 1:
        return style
    colour = ramp_colour((_mixed(style.colour, "white"), _mixed(style.colour, "black")), shade, shades)
    return SeriesStyle(colour, MARKERS[shade % len(MARKERS)], style.dash, text_colour(colour))


def _mixed(colour: str, other: str) -> str:
    """The colour with two fifths of another one: lighter or darker, and still the same hue."""
    red, green, blue = (0.6 * one + 0.4 * two for one, two in zip(to_rgb(colour), to_rgb(other), strict=True))
    return to_hex((red, green, blue))


def text_colour(colour: str) -> str:
    """The colour, darkened until text in it has a contrast of 4.5 to white, by the formula of WCAG 2.2."""
    linear = [_to_linear(channel) for channel in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    darkest = 1.05 / (_MIN_CONTRAST * 1.02) - 0.05  # 2 % more contrast, because colours are rounded to 8 bits
    factor = min(1, darkest / luminance) if luminance else 1
    red, green, blue = (_to_srgb(channel * factor) for channel in linear)
    return to_hex((red, green, blue))


def _to_linear(channel: float) -> float:
    """An sRGB channel as linear light (IEC 61966-2-1)."""
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _to_srgb(channel: float) -> float:
    """Linear light as an sRGB channel (IEC 61966-2-1)."""
    return 12.92 * channel if channel <= 0.0031308 else float(1.055 * channel ** (1 / 2.4) - 0.055)


def ramp_colour(ends: tuple[str, str], step: int, steps: int) -> str:
    """Colour number `step` of `steps`, from the light to the dark end. A single one lies in between."""
    light, dark = (to_rgb(end) for end in ends)
    share = step / (steps - 1) if steps > 1 else 0.6
    red, green, blue = (start + (end - start) * share for start, end in zip(light, dark, strict=True))
    return to_hex((red, green, blue))
