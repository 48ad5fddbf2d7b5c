"""Colours, markers and dashes: each series has one of each, so that none has to be told by its colour alone.

The colours are those of M. Okabe and K. Ito (*Color Universal Design*, 2008) without yellow, which is too light for
lines, and with dark grey for black, which is for text.
"""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.colors import to_hex, to_rgb

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", ">", "h")
DASHES: tuple[str | tuple[float, tuple[float, ...]], ...] = (
    "solid", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (9, 3)),
)  # fmt: skip
TEXT = "#222222"
MUTED = "#595959"  # axes, notes, what is not the point
RULE = "#DDDDDD"
BAR = "#B7C5D0"
BASELINE = "#7F93A6"
BETTER = COLOURS[0]
WORSE = "#E8A16B"
ABOVE = ("#7FB8E6", "#0B3D7A")  # ends of a ramp: settings above a baseline, and below
BELOW = ("#F2A66B", "#9A3B00")
INVALID = "#8C2D04"  # of crosses over runs that do not count

_CONTRAST = 4.5  # of text on white: WCAG 2.2, 1.4.3


class Look(NamedTuple):
    """How a series is drawn: `ink` is its colour for text."""

    colour: str
    marker: str
    dash: str | tuple[float, tuple[float, ...]]
    ink: str


def look(slot: int) -> Look:
    """The look of a series by its place. Beyond the colours they come again, each with another marker and dash."""
    turn, place = divmod(slot, len(COLOURS))
    colour = COLOURS[place]
    return Look(colour, MARKERS[slot % len(MARKERS)], DASHES[turn % len(DASHES)], ink(colour))


def ink(colour: str) -> str:
    """The colour, darkened as far as text on white needs: contrast 4.5 at least, by the formula of WCAG 2.2."""
    linear = [_linear(channel) for channel in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    darkest = 1.05 / (_CONTRAST * 1.02) - 0.05  # with room for rounding to 8 bits
    factor = min(1, darkest / luminance) if luminance else 1
    red, green, blue = (_printed(channel * factor) for channel in linear)
    return to_hex((red, green, blue))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _printed(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else float(1.055 * channel ** (1 / 2.4) - 0.055)


def ramp(ends: tuple[str, str], step: int, steps: int) -> str:
    """One of `steps` colours between a light and a dark one; a single one is in the middle."""
    light, dark = (to_rgb(end) for end in ends)
    share = step / (steps - 1) if steps > 1 else 0.6
    red, green, blue = (one + (other - one) * share for one, other in zip(light, dark, strict=True))
    return to_hex((red, green, blue))
