"""Fills that may adjoin differ for people with deuteranopia or protanopia, and in full sight.

Sight is simulated by the matrices of Machado, Oliveira and Fernandes (2009) at severity 1, colours
are compared by ΔE*ab (CIE 1976) as tints on white paper.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from spotlab.arrays import Floats
from spotlab.imaging import overlay
from spotlab.imaging.overlay import TRUTH_KINDS, AreaKind, FillStyle, FillStyles

SIGHT = {
    "full": np.eye(3),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
}  # fmt: skip
XYZ = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip  # of linear sRGB
WHITE = XYZ.sum(axis=1)


def seen(look: FillStyle, sight: Floats) -> Floats:
    """L*, a*, b* of a look's fill on white paper."""
    rgb = np.array([int(look.colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    fill = 1 - look.tint + look.tint * rgb
    linear = np.where(fill <= 0.04045, fill / 12.92, ((fill + 0.055) / 1.055) ** 2.4)
    x, y, z = XYZ @ np.clip(sight @ linear, 0, 1) / WHITE
    f = [np.cbrt(v) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def differences(looks: FillStyles, kinds: tuple[int, ...], sight: Floats) -> dict[str, float]:
    by_kind = {kind: look for kind, look in looks if kind in kinds}
    return {
        f"{first!r} {second!r}": float(
            np.linalg.norm(seen(by_kind[first], sight) - seen(by_kind[second], sight))
        )
        for first, second in combinations(by_kind, 2)
    }


def test_the_measure_agrees_with_published_values() -> None:
    black, white = (
        FillStyle("#000000", overlay.Hatch.DOTS, 1.0),
        FillStyle("#FFFFFF", overlay.Hatch.DOTS, 1.0),
    )
    red = FillStyle("#FF0000", overlay.Hatch.DOTS, 1.0)

    assert seen(white, SIGHT["full"]) == pytest.approx([100, 0, 0], abs=1e-6)
    assert seen(black, SIGHT["full"]) == pytest.approx([0, 0, 0], abs=1e-6)
    assert seen(red, SIGHT["full"]) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


@pytest.mark.parametrize("sight", SIGHT)
def test_other_label_differs_from_every_other_kind(sight: str) -> None:
    kinds = (AreaKind.FOUND, AreaKind.OTHER_LABEL, AreaKind.FALSE, AreaKind.MISSED)
    found = differences(overlay.FILL_STYLES, kinds, SIGHT[sight])

    assert min(found.values()) >= 19, found
    of_other = [value for pair, value in found.items() if "OTHER_LABEL" in pair]
    assert len(of_other) == 3 and min(of_other) >= 20, found


@pytest.mark.parametrize("sight", SIGHT)
def test_what_one_run_found_differs_from_what_the_other_both_or_neither_did(sight: str) -> None:
    found = differences(overlay.COMPARED_STYLES, TRUTH_KINDS, SIGHT[sight])

    assert min(found.values()) >= 19, found
