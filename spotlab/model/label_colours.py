"""Colours of labels that differ as much as possible, on light and on dark pages.

Candidates are colours of sRGB between two values of lightness, so that they are seen on white paper
and on black. A new label gets the candidate that is farthest from all colours in use (farthest
point first: Gonzalez 1985, "Clustering to minimize the maximum intercluster distance", section 2).
The distance is the colour difference of CIE 116-1995 (ΔE*94), or twice the difference that people
with deuteranopia see, whichever is less (Viénot, Brettel and Mollon 1999, "Digital video colourmaps
for checking the legibility of displays by dichromats").
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from spotlab.arrays import Floats

# What regions may not be taken for: found, false, missed, ignored, unlabeled, selected.
RESERVED = ("#009E73", "#D55E00", "#0072B2", "#808080", "#64748b", "#2563eb")
LIGHTNESS = 42.0, 72.0  # L*, from 0 to 100
CHROMA = 28.0  # C*ab; less is taken for grey
LEVELS = 16  # of each channel, among the candidates
MANY = 256  # labels; with more of them no two colours of a kind can be told apart
_DICHROMAT = 2.0  # times the difference that a dichromat sees

_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
_DEUTERANOPE = np.array(
    [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]
)


def next_colour(used: Iterable[str]) -> str:
    """Choose the colour that differs most from those in use.

    Parameters
    ----------
    used : iterable of str
        ``#rrggbb`` each; what is no such colour is passed over.

    Returns
    -------
    str
        ``#RRGGBB``. The same for the same colours, in whatever order they come. With no colour in
        use the one farthest from those that mean something else.

    Examples
    --------
    >>> first = next_colour([])
    >>> second = next_colour([first])
    >>> first != second, next_colour([second, first]) == next_colour([first, second])
    (True, True)
    """
    taken = sorted({colour.upper() for colour in used if _is_colour(colour)})
    if len(taken) >= MANY:
        return _golden(len(taken))
    names, _ = _candidates()
    nearest = np.min([_distances(colour) for colour in (*map(str.upper, RESERVED), *taken)], axis=0)
    return names[int(np.argmax(nearest))]


def difference(colours: Floats, other: Floats) -> Floats:
    """Compute the colour differences ΔE*94 of several colours from one.

    Parameters
    ----------
    colours : (N, 3) float
        sRGB, each channel in [0, 1].
    other : (3,) float
        The same of the other colour.

    Returns
    -------
    (N,) float
        0 for the same colour; about 1 is just noticeable. The chroma that weighs the difference is
        the geometric mean of both, so that the order does not matter.

    Examples
    --------
    >>> grey, white, black = np.full((1, 3), 0.5), np.ones((1, 3)), np.zeros(3)
    >>> difference(grey, grey[0]).tolist(), difference(white, black).round(3).tolist()
    ([0.0], [100.0])
    """
    one, two = _lab(_linear(colours)), _lab(_linear(other[None]))
    return _cie94(one, two)


@lru_cache(maxsize=2 * MANY)
def _distances(colour: str) -> Floats:
    """How far every candidate is from a colour, also for a dichromat."""
    _, candidates = _candidates()
    other = _rgb(colour)[None]
    seen = _cie94(_lab(_linear(candidates)), _lab(_linear(other)))
    kept = _cie94(*(_lab(_linear(each) @ _DEUTERANOPE.T) for each in (candidates, other)))
    return np.minimum(seen, _DICHROMAT * kept)


@lru_cache(maxsize=1)
def _candidates() -> tuple[list[str], Floats]:
    steps = np.linspace(0, 1, LEVELS)
    colours = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    lab = _lab(_linear(colours))
    low, high = LIGHTNESS
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    colours = colours[(lab[:, 0] >= low) & (lab[:, 0] <= high) & (chroma >= CHROMA)]
    names = [
        f"#{red:02X}{green:02X}{blue:02X}"
        for red, green, blue in np.rint(255 * colours).astype(int).tolist()
    ]
    return names, colours


def _cie94(one: Floats, two: Floats) -> Floats:
    """ΔE*94 for graphic arts, of rows of L*, a*, b*."""
    chroma_one, chroma_two = np.hypot(one[:, 1], one[:, 2]), np.hypot(two[:, 1], two[:, 2])
    lightness, chroma = one[:, 0] - two[:, 0], chroma_one - chroma_two
    hue = (one[:, 1] - two[:, 1]) ** 2 + (one[:, 2] - two[:, 2]) ** 2 - chroma**2
    mean = np.sqrt(chroma_one * chroma_two)
    return np.asarray(
        np.sqrt(
            lightness**2
            + (chroma / (1 + 0.045 * mean)) ** 2
            + np.maximum(hue, 0) / (1 + 0.015 * mean) ** 2
        )
    )


def _linear(colours: Floats) -> Floats:
    """SRGB without its transfer curve (IEC 61966-2-1)."""
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)


def _lab(linear: Floats) -> Floats:
    """CIE 1976 L*, a*, b* of linear RGB, for D65."""
    scaled = np.maximum(linear, 0) @ _XYZ.T / _WHITE
    root = np.where(scaled > 216 / 24389, np.cbrt(scaled), (24389 / 27 * scaled + 16) / 116)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def _is_colour(colour: str) -> bool:
    try:
        return len(colour) == 7 and colour[0] == "#" and int(colour[1:], 16) >= 0
    except ValueError:
        return False


def _rgb(colour: str) -> Floats:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def _golden(count: int) -> str:
    hue = count * 0.618033988749895 % 1  # golden ratio: far from its neighbours
    red, green, blue = colorsys.hls_to_rgb(hue, 0.45, 0.6)
    return f"#{round(red * 255):02X}{round(green * 255):02X}{round(blue * 255):02X}"
