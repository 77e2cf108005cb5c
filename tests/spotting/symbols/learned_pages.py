"""Small pages with labelled symbols, as files, for methods that learn."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from spotlab.formats.truth.page_xml import write
from spotlab.model import Page, Region, Truth
from spotlab.model.run import Run
from tests.spotting.symbols.proposed_scenes import Points, overlap
from tests.spotting.symbols.test_region_learner import drawn

PAGES = 4


def write_pages(folder: Path, numbers: range = range(PAGES)) -> list[Path]:
    """The images, with their truth beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    images = []
    for number in numbers:
        features, regions = drawn(number)
        image = folder / f"plan_{number}.png"
        cv2.imwrite(str(image), np.where(features.ink, 0, 255).astype(np.uint8))
        write_truth(image, regions)
        images.append(image)
    return images


def write_truth(image: Path, regions: list[tuple[str, Points]]) -> None:
    made = tuple(
        Region(tuple(map(tuple, outline.tolist())), label, id=f"r{at}")
        for at, (label, outline) in enumerate(regions)
    )
    write(Truth(Page(image, 700, 500), made), image.with_suffix(".xml"))


def rightly_found(run: Run, page: str, number: int) -> list[str]:
    """The labels of the regions of a page that a spot of their label covers."""
    at = run.pages.index(page)
    here = np.flatnonzero(run.page == at)
    return sorted(
        label
        for label, outline in drawn(number)[1]
        if any(
            run.queries[run.query[spot]] == label and overlap(run.outlines[spot], outline) > 0.7
            for spot in here.tolist()
        )
    )


def spots_on(run: Run, page: str) -> list[tuple[str, float, bytes]]:
    """All spots of a page."""
    if page not in run.pages:
        return []
    here = np.flatnonzero(run.page == run.pages.index(page)).tolist()
    return sorted(
        (run.queries[run.query[spot]], float(run.score[spot]), run.outlines[spot].tobytes())
        for spot in here
    )
