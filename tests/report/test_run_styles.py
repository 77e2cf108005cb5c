"""The colours and dashes of runs are told apart with any colour vision."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.theme import DARK, LIGHT
from spotlab.report.colours import RUN_COLOURS, STYLES, line_sample_svg, run_style

RUNS = 12
SAFE = 6  # colours that need no dash to be told apart
LEAST = 10.0  # Oklab × 100; about five times what is just noticed

# Machado, Oliveira & Fernandes (2009), severity 1, on linear RGB
VISION = {
    "normal": np.eye(3),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
}  # fmt: skip
# Ottosson (2020), Oklab
CONES = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                  [0.2119034982, 0.6806995451, 0.1073969566],
                  [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
OPPONENTS = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                      [1.9779984951, -2.4285922050, 0.4505937099],
                      [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip


def seen(colour: str, vision: str) -> NDArray[np.float64]:
    shares = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    simulated = np.clip(VISION[vision] @ linear, 0, 1)
    return np.asarray(100 * OPPONENTS @ np.cbrt(CONES @ simulated))


def distance(first: str, second: str, vision: str) -> float:
    return float(np.linalg.norm(seen(first, vision) - seen(second, vision)))


def test_distances_are_as_expected() -> None:
    assert distance("#000000", "#ffffff", "normal") == pytest.approx(100, abs=0.1)
    red, green = "#B00000", "#6B5B00"
    assert distance(red, green, "protanopia") < 0.6 * distance(red, green, "normal")


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("behind", [LIGHT.base, DARK.base, LIGHT.window, DARK.window])
def test_twelve_runs_differ_in_colour_or_dash(vision: str, behind: str) -> None:
    styles = [run_style(number) for number in range(RUNS)]
    assert len(set(styles)) == RUNS
    for first, second in combinations(styles, 2):
        apart = distance(readable(first.colour, behind), readable(second.colour, behind), vision)
        assert apart >= LEAST or first.dash != second.dash
    for one, other in combinations(RUN_COLOURS[:SAFE], 2):
        assert distance(readable(one, behind), readable(other, behind), vision) >= LEAST


def test_styles_repeat_only_after_all_of_them() -> None:
    assert len({run_style(number) for number in range(STYLES)}) == STYLES
    assert run_style(STYLES) == run_style(0)
    assert run_style(0).dash == ()


def test_a_piece_of_line_for_html_has_its_dash() -> None:
    assert "stroke-dasharray" not in line_sample_svg(run_style(0))
    drawn = line_sample_svg(run_style(1))
    assert f'stroke="{run_style(1).colour}"' in drawn and 'stroke-dasharray="12 4.8"' in drawn
