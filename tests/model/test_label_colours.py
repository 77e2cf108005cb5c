"""Colours of labels: far from each other, none that means something else."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from spotlab.model import Label, LabelSet
from spotlab.model.region import RESERVED, difference, next_colour

OLD = (
    "#E69F00", "#56B4E9", "#CC79A7", "#882255", "#44AA99", "#B8A800", "#332288",
    "#999933", "#AA4499", "#117733", "#6699CC", "#CC6677",
)  # fmt: skip


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def apart(colours: list[str]) -> float:
    return min(float(difference(rgb(a)[None], rgb(b))[0]) for a, b in combinations(colours, 2))


def contrast(colour: str, paper: float) -> float:
    """Of WCAG 2; the paper's luminance is 0 or 1."""
    channels = rgb(colour)
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    low, high = sorted([luminance, paper])
    return (high + 0.05) / (low + 0.05)


def labelled(count: int) -> LabelSet:
    labels = LabelSet()
    for number in range(count):
        labels = labels.with_label(f"label {number}")
    return labels


def test_colours_of_labels_are_farther_from_each_other_than_a_palette_by_hand() -> None:
    colours = [label.colour for label in labelled(30)]
    assert apart(colours[:12]) > 1.5 * apart(list(OLD))
    assert apart(colours) > 5
    assert min(apart([colour, meant]) for colour in colours[:12] for meant in RESERVED) > 10


def test_colours_are_seen_on_white_and_on_black_paper() -> None:
    for label in labelled(40):
        assert contrast(label.colour, 1.0) > 2 and contrast(label.colour, 0.0) > 3


def test_a_colour_that_somebody_chose_stays_and_is_kept_away_from() -> None:
    labels = LabelSet((Label("sofa", "#123456"),)).with_label("bed")
    first = next_colour([])
    assert labels["sofa"].colour == "#123456"
    near = LabelSet((Label("sofa", first),)).with_label("bed")
    assert apart([near["bed"].colour, first]) > 20
    assert near.with_label("sink") == near.with_label("sink")


def test_a_removed_label_s_colour_is_free_again_and_hundreds_get_one() -> None:
    labels = labelled(5)
    gone = labels["label 3"].colour
    assert labels.without("label 3").with_label("new")["new"].colour == gone
    many = labelled(300)
    assert len({label.colour for label in many}) > 290


@pytest.mark.parametrize("odd", ["red", "#12345", "", "#GGGGGG"])
def test_what_is_no_colour_is_passed_over(odd: str) -> None:
    assert next_colour([odd]) == next_colour([])


def test_the_difference_is_that_of_cie_94() -> None:
    red, green = np.array([[1.0, 0, 0]]), np.array([0, 1.0, 0])
    # L*a*b* (53.24, 80.09, 67.20) and (87.73, -86.18, 83.18): chroma 104.55 and 119.78
    mean = np.sqrt(104.55 * 119.78)
    chroma = 104.55 - 119.78
    hue = (80.09 + 86.18) ** 2 + (67.20 - 83.18) ** 2 - chroma**2
    expected = np.sqrt(
        (53.24 - 87.73) ** 2 + (chroma / (1 + 0.045 * mean)) ** 2 + hue / (1 + 0.015 * mean) ** 2
    )
    assert difference(red, green)[0] == pytest.approx(expected, abs=0.02)
