"""The colours of runs, made to stand out from what they are drawn on."""

from __future__ import annotations

from functools import cache

CONTRAST = 3.0  # of lines to what is behind them (WCAG 2.1, 1.4.11)
STEP = 0.04


@cache
def readable(colour: str, behind: str) -> str:
    """The colour, as much darker or lighter as lines on this background need.

    Parameters
    ----------
    colour, behind : str
        Of the form "#rrggbb".

    Examples
    --------
    >>> readable("#882255", "#ffffff"), readable("#56b4e9", "#ffffff")
    ('#882255', '#4897c4')
    """
    away = "#000000" if _luminance(behind) > 0.18 else "#ffffff"
    found, share = colour.lower(), 0.0
    while contrast(found, behind) < CONTRAST and share < 1:
        share += STEP
        found = mixed(away, colour, share)
    return found


def mixed(colour: str, other: str, share: float) -> str:
    """This share of the colour, the rest of the other.

    Examples
    --------
    >>> mixed("#000000", "#ffffff", 0.2)
    '#cccccc'
    """
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(255 * (share * a + (1 - share) * b)):02x}" for a, b in pairs)


def contrast(colour: str, other: str) -> float:
    """How much one is brighter than the other, from 1 to 21 (WCAG 2.1).

    Examples
    --------
    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    dark, bright = sorted((_luminance(colour), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in _channels(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
