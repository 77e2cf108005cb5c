"""What pictures of single symbols teach, beside labelled pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.engine.page_features import QueryFeatures
from spotlab.spotting.symbols.proposals.appearance import (
    PLACED,
    Rows,
    describe_appearance,
    figures_count,
)
from spotlab.spotting.symbols.proposals.example_region import example_region
from spotlab.spotting.symbols.proposals.lesson import Lesson

_OF_PAGE = ("size on page", "x", "y")  # figures that a picture of a symbol does not have


def lesson_of_model(model: QueryFeatures) -> Lesson:
    """Make the lesson of a picture of a symbol.

    Parameters
    ----------
    model : QueryFeatures

    Returns
    -------
    Lesson
        With a single row, whose figures of size and place on a page are NaN.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
    >>> from spotlab.spotting.symbols.engine.query_model import draw_model
    >>> box = draw_model("box", [[(0, 0), (30, 0), (30, 20), (0, 20), (0, 0)]], pen=3)
    >>> lesson_of_model(features_of_model(box, methods=[])).names
    ('box',)
    """
    region = example_region(model)
    row = describe_appearance(model.features, region)
    row[:, [_column(name) for name in _OF_PAGE]] = np.nan
    outline = Outlines.of([region.hulls[0]])
    one = np.ones(1)
    return Lesson(
        "", region.boxes, row, (model.name,), one, one, outline, (model.name,), is_model=True
    )


def completed(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Fill in what pictures of symbols do not have: the mean of pages, and a usual scale.

    Parameters
    ----------
    lessons : sequence of Lesson
        At least one of a page.

    Returns
    -------
    list of Lesson
        Without NaN.

    Examples
    --------
    >>> completed([])
    []
    """
    pages = [lesson.rows for lesson in lessons if not lesson.is_model]
    if len(pages) == len(lessons):
        return list(lessons)
    figures = np.vstack(pages)[:, -figures_count() :].mean(0)
    return [
        replace(lesson, rows=_filled(lesson.rows, figures)) if lesson.is_model else lesson
        for lesson in lessons
    ]


def _filled(rows: Rows, figures: Rows) -> Rows:
    filled = rows.copy()
    for name in _OF_PAGE:
        filled[:, _column(name)] = figures[PLACED.index(name)]
    in_pens, on_page = PLACED.index("size in pens"), PLACED.index("size on page")
    scale = figures[on_page] - figures[in_pens]
    filled[:, _column("size on page")] = rows[:, _column("size in pens")] + scale
    return filled


def _column(name: str) -> int:
    return PLACED.index(name) - figures_count()
