"""Pictures of the models that a run's queries were taken from, and what they do to its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.errors import SpotlabError
from spotlab.imaging.reading.pixels import read_page
from spotlab.measures.figures import RunFigures
from spotlab.measures.measure import known_figures
from spotlab.model import Page, QueryModel
from spotlab.progress import Progress, silent, track
from spotlab.report.figure_text import written
from spotlab.report.tables import Cell, Column, Table

SIDE = 96  # px of a picture's longer side
MARGIN = 0.15  # of the model's longer side, shown around it
LARGEST = 3.0  # px that a px of the page becomes at most
MOST = 24


@dataclass(frozen=True)
class ModelCrop:
    """A model of a query.

    Attributes
    ----------
    query, page : str
        What it searches, and where it was taken from.
    png : bytes or None
        Its picture; None where the page's image cannot be read.
    size : (int, int)
        Width and height of the picture in px.
    """

    query: str
    page: str
    png: bytes | None
    size: tuple[int, int] = (0, 0)


def model_crops(
    pages: Mapping[str, Page],
    models: Mapping[str, Sequence[QueryModel]],
    progress: Progress = silent,
    most: int = MOST,
) -> list[ModelCrop]:
    """Cut models out of their pages; each page is read once.

    Parameters
    ----------
    pages : mapping of str to Page
        By name.
    models : mapping of str to sequence of QueryModel
        By page.
    progress : Progress
    most : int
        Cut out so many at most.

    Returns
    -------
    list of ModelCrop
        In order of queries.
    """
    crops: list[ModelCrop] = []
    for name in track(sorted(models), progress, "cutting out models"):
        wanted = models[name][: most - len(crops)]
        if not wanted:
            break
        pixels = _pixels(pages.get(name))
        for model in wanted:
            image = None if pixels is None else _cut(pixels, np.array(model.points))
            crops.append(
                ModelCrop(model.query, name, None)
                if image is None
                else ModelCrop(model.query, name, _png(image), image.size)
            )
    crops.sort(key=lambda crop: crop.query)
    return crops


def models_table(left_out: RunFigures, counted: RunFigures) -> Table:
    """The mean figures with the models left out, and with the models counted.

    Parameters
    ----------
    left_out, counted : RunFigures
        Of the same run.
    """
    columns = (
        Column("Figure", "figure"),
        Column("models left out", "left_out"),
        Column("models counted", "counted"),
    )
    rows = [
        (
            Cell(figure.title),
            *(
                Cell(
                    written(figures.mean[figure.name], figure.unit, mean=True),
                    figures.mean[figure.name],
                )
                for figures in (left_out, counted)
            ),
        )
        for figure in known_figures()
    ]
    return Table("Query models", columns, tuple(rows))


def _pixels(page: Page | None) -> NDArray[np.uint8] | None:
    if page is None:
        return None
    try:
        return read_page(page.image, page.frame)
    except SpotlabError:
        return None


def _cut(pixels: NDArray[np.uint8], points: NDArray[np.float64]) -> Image.Image | None:
    height, width = pixels.shape[:2]
    low, high = points.min(axis=0), points.max(axis=0)
    around = MARGIN * float((high - low).max())
    left, top = np.maximum(np.floor(low - around), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high + around), (width, height)).astype(int).tolist()
    if right <= left or bottom <= top:
        return None
    piece = Image.fromarray(np.ascontiguousarray(pixels[top:bottom, left:right]))
    scale = min(SIDE / max(piece.size), LARGEST)
    size = (max(1, round(piece.width * scale)), max(1, round(piece.height * scale)))
    return piece.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _png(image: Image.Image) -> bytes:
    content = BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()
