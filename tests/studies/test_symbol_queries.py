"""Query models: which regions of the truth are cropped, and what becomes of images and boxes."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.folder import PageEntry, scan
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import InkSettings
from spotlab.model import Page, Region, Truth
from spotlab.model.run import Run
from spotlab.spotting.symbols.engine.method import SymbolSettings
from spotlab.spotting.symbols.engine.page_features import SymbolModel, crop_model
from spotlab.studies.symbols.symbol_queries import (
    PlacedModel,
    crop_models,
    model_in_box,
    model_of_image,
    models_of_images,
    truths_beside,
    without_models,
)
from tests.spotting.symbols.drawn_symbols import write_drawings


def square(x: float, y: float, side: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


@pytest.fixture
def entries(tmp_path: Path) -> list[PageEntry]:
    """One page of 200 × 200 px of ink."""
    cv2.imwrite(str(tmp_path / "page.png"), np.zeros((200, 200), np.uint8))
    picture = cv2.imread(str(tmp_path / "page.png"))
    picture[0, 0] = 255
    cv2.imwrite(str(tmp_path / "page.png"), picture)
    return scan([tmp_path / "page.png"])


def truth_of(entry: PageEntry, *regions: tuple[str, float, float, float, bool]) -> dict[str, Truth]:
    page = Page(entry.image, 200, 200)
    return {
        "page": Truth(
            page,
            tuple(
                Region(square(x, y, side), label, id=f"r{number}", uncertain=uncertain)
                for number, (label, x, y, side, uncertain) in enumerate(regions)
            ),
        )
    }


def corners(models: list[PlacedModel]) -> list[float]:
    return [float(model.place[:, 0].min()) for model in models]


def test_the_most_usual_size_is_taken_first(entries: list[PageEntry]) -> None:
    sizes = {10: 40.0, 20: 10.0, 30: 22.0, 40: 20.0, 50: 18.0}  # the median is 20
    truths = truth_of(entries[0], *(("a", x, 50, side, False) for x, side in sizes.items()))
    # areas 324 : 400 and 400 : 484 are 1 : 1.23 and 1 : 1.21
    assert corners(crop_models(entries, per_label=9, truths=truths)) == [40, 30, 50, 10, 20]
    assert corners(crop_models(entries, per_label=2, truths=truths)) == [40, 30]
    [model] = crop_models(entries, truths=truths)
    assert (model.name, model.page) == ("a", "page")
    assert model.place.tolist() == [list(point) for point in square(40, 50, 20)]
    # the ink inside and on the edges, with two px around it but not in the corners
    assert np.count_nonzero(model.ink) == 25 * 25 - 8


def test_doubtful_regions_come_last(entries: list[PageEntry]) -> None:
    truths = truth_of(
        entries[0], ("a", 0, 50, 20, False), ("a", 180, 50, 20, False), ("a", 50, 179.5, 20, False),
        ("a", 60, 60, 20, True), ("a", 70, 100, 90, False), ("b", 0, 0, 30, True),
    )  # fmt: skip
    models = crop_models(entries, per_label=2, truths=truths)
    assert [model.name for model in models] == ["a", "a", "b"]
    assert corners(models) == [70, 0, 0]


def test_drawing_depends_on_the_seed_and_not_on_other_labels(entries: list[PageEntry]) -> None:
    places = [("a", 5 + 9 * number, 50, 10, False) for number in range(12)]
    others = [("b", 5 + 9 * number, 90, 10, False) for number in range(12)]
    alone = truth_of(entries[0], *places)
    together = truth_of(entries[0], *others, *places)
    drawn = [corners(crop_models(entries, ["a"], 3, seed, truths=alone)) for seed in range(8)]
    again = [corners(crop_models(entries, ["a"], 3, seed, truths=together)) for seed in range(8)]
    assert drawn == again
    assert len({tuple(each) for each in drawn}) > 4
    assert all(len(set(each)) == 3 for each in drawn)
    different = crop_models(entries, per_label=3, seed=1, truths=together)
    assert corners(different[:3]) != corners(different[3:])


def test_labels_keep_their_order_and_missing_ones_are_named(entries: list[PageEntry]) -> None:
    truths = truth_of(
        entries[0], ("b", 9, 9, 9, False), ("a", 50, 9, 9, False), ("", 9, 50, 9, False)
    )
    assert [model.name for model in crop_models(entries, truths=truths)] == ["a", "b"]
    assert [model.name for model in crop_models(entries, ["b", "a", "b"], truths=truths)] == [
        "b",
        "a",
    ]
    with pytest.raises(SpotlabError, match="no region of the label 'c'; there are a, b"):
        crop_models(entries, ["c"], truths=truths)
    with pytest.raises(SpotlabError, match="no region with a label"):
        crop_models(entries, truths={})
    with pytest.raises(SpotlabError, match="where a 'c' is, is not known"):
        crop_models(entries, ["c"], truths={})


def test_the_truth_is_that_beside_the_pages(tmp_path: Path) -> None:
    pages = write_drawings(tmp_path / "pages")
    entries = scan(pages)
    assert [len(truth.regions) for truth in truths_beside(entries).values()] == [3, 3, 3]
    models = crop_models(entries)
    assert [(model.name, model.page) for model in models] == [
        ("house", "plan_1"), ("target", "plan_1"), ("window", "plan_3"),
    ]  # fmt: skip
    assert all(model.ink.any() for model in models)
    assert crop_models(entries, settings=SymbolSettings(InkSettings(offset=-255)))[0].ink.sum() == 0


def test_a_box_is_a_model(tmp_path: Path) -> None:
    pages = write_drawings(tmp_path / "pages")
    [entry, *_] = scan(pages)
    model = model_in_box(entry, (145, 35, 215, 105), "that")
    assert (model.name, model.page) == ("that", "plan_1")
    assert model.ink.any()
    with pytest.raises(BadInput, match="no ink in the query's box"):
        model_in_box(entry, (1, 200, 60, 299), "empty")
    with pytest.raises(BadInput, match="no ink in the query's box"):
        model_in_box(entry, (5_000, 200, 6_000, 299), "beside")
    with pytest.raises(SpotlabError, match="has no area"):
        model_in_box(entry, (10, 10, 10, 20), "line")


def test_an_image_is_a_model(tmp_path: Path) -> None:
    pixels = np.full((60, 80), 255, np.uint8)
    pixels[10:40, 20:50] = 0
    pixels[13:37, 23:47] = 255
    for name in ("b.png", "a.png"):
        cv2.imwrite(str(tmp_path / name), pixels)
    (tmp_path / "notes.txt").write_text("no image")
    models = models_of_images(tmp_path)
    assert [model.name for model in models] == ["a", "b"]
    ink, outline = models[0].ink, models[0].outline
    assert ink.sum() == 30 * 30 - 24 * 24
    assert np.ptp(outline, axis=0).tolist() == [30, 30]
    left, top = outline.min(0).astype(int)
    assert ink[top, left]
    assert ink[top:, left:].sum() == ink.sum()
    cv2.imwrite(str(tmp_path / "white.png"), np.full((60, 80), 255, np.uint8))
    with pytest.raises(BadInput, match=r"white\.png: there is no ink"):
        model_of_image(tmp_path / "white.png")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no image in it"):
        models_of_images(tmp_path / "empty")


def test_only_the_models_themselves_are_left_out() -> None:
    ink = np.ones((40, 40), bool)
    placed = PlacedModel("a", ink, np.array(square(0, 0, 40)), "p", np.array(square(100, 100, 40)))
    other = SymbolModel("b", ink, np.array(square(0, 0, 40)))
    spots = [
        ("a", "p", square(102, 101, 40)),  # itself
        ("a", "q", square(100, 100, 40)),
        ("a", "p", square(125, 100, 40)),
        ("b", "p", square(100, 100, 40)),
    ]
    run = Run.ordered(
        "run", [spot[0] for spot in spots], [spot[1] for spot in spots],
        Outlines.of([spot[2] for spot in spots]), score=np.array([0.9, 0.8, 0.7, 0.6]),
        labels=["a", "", "a", "b"],
    )  # fmt: skip
    left = without_models(run, [placed, other])
    assert [left.spot(n).score for n in range(3)] == [0.8, 0.7, 0.6]
    assert [left.spot(n).label for n in range(3)] == ["", "a", "b"]
    assert [left.spot(n).rank for n in range(3)] == [1, 2, 1]
    assert len(without_models(run, [other])) == 4
    assert len(without_models(left, [placed])) == 3


def test_a_model_is_what_cropping_makes(tmp_path: Path) -> None:
    pages = write_drawings(tmp_path / "pages")
    entries = scan(pages)
    model = crop_models(entries, ["target"])[0]
    ink = cv2.imread(str(pages[0]), cv2.IMREAD_GRAYSCALE) < 128
    expected = crop_model("target", ink, model.place)
    assert np.array_equal(model.ink, expected.ink)
    assert np.array_equal(model.outline, expected.outline)
