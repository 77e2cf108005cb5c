"""What is seen of pages and query models, and what counts as ink."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.imaging.ink import (
    Ink,
    InkMethod,
    InkSettings,
    binarise,
    binarise_evened,
    even_illumination,
)
from spotlab.spotting.symbols.engine.method import (
    EVEN,
    SymbolSettings,
    extract_features,
    features_of_ink,
    features_of_model,
    named_ink_settings,
    page_ink,
)
from spotlab.spotting.symbols.engine.page_features import SymbolModel


def boxes_in_a_row(count: int = 6, pen: int = 4) -> Ink:
    """(300, 200 * count) squares of 100 px."""
    ink = np.zeros((300, 200 * count), bool)
    for left in range(50, 200 * count, 200):
        ink[100:200, left : left + 100] = True
        ink[100 + pen : 200 - pen, left + pen : left + 100 - pen] = False
    return ink


def test_the_names_of_ink_are_those_of_the_command_line() -> None:
    assert EVEN == InkMethod.EVEN
    assert named_ink_settings("wolf") == InkSettings(InkMethod.WOLF)
    assert SymbolSettings(named_ink_settings(EVEN)) == SymbolSettings()


def test_ink_in_the_shade_is_ink_and_shaded_paper_is_paper() -> None:
    ink = boxes_in_a_row()
    light = np.linspace(250, 70, ink.shape[1])  # the shade is darker than ink in the light
    page = np.where(ink, 0.45 * light, light).round().astype(np.uint8)
    assert (binarise_evened(page) == ink).all()
    assert (binarise(page) != ink).mean() > 0.1
    assert abs(even_illumination(page)[~ink].astype(int) - 255).max() <= 8


@pytest.mark.parametrize("grain", [0.0, 3.0])
def test_a_blank_page_has_no_ink(grain: float) -> None:
    noise = np.random.default_rng(0).normal(0, grain, (300, 400))
    assert not binarise_evened(np.clip(180 + noise, 0, 255).astype(np.uint8)).any()


def test_grain_does_not_become_ink() -> None:
    ink = boxes_in_a_row()
    noise = np.random.default_rng(0).normal(0, 20, ink.shape)
    page = np.clip(np.where(ink, 30, 230) + noise, 0, 255).astype(np.uint8)
    assert (binarise_evened(page) != ink).mean() < 1e-3
    sauvola = page_ink(page, SymbolSettings(InkSettings(InkMethod.SAUVOLA)))
    assert (sauvola != ink).mean() > 0.01


def test_pages_and_models_are_seen_alike_but_for_frames() -> None:
    ink = boxes_in_a_row(1)
    page = extract_features(np.where(ink, 0, 255).astype(np.uint8), methods=[])
    assert page.size == (200, 300)
    assert page.pen == 4
    assert page.primitives.contours.bounds.tolist() == [[53, 103, 146, 196], [50, 100, 149, 199]]
    close = ink[90:210, 40:160]
    assert len(features_of_ink(close, []).primitives) == 0  # both span more than three quarters
    query = features_of_model(
        SymbolModel("box", close, np.array([[10, 10], [110, 10], [110, 110]])), []
    )
    assert query.name == "box"
    assert query.features.primitives.contours.bounds.tolist() == [
        [13, 13, 106, 106],
        [10, 10, 109, 109],
    ]
