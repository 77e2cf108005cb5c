"""Examples of the word that is searched: a drawn box is a hint at the word, not the word itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.geometry.boxes import pair_boxes
from spotlab.representation import short_repr
from spotlab.spotting.words.query import Box, WordQuery
from spotlab.spotting.words.word_index import WordIndex

COMBINE = ("maximum", "mean")
SAME_PLACE = 0.3  # intersection over union of two boxes around the same word


@dataclass(frozen=True, eq=False)
class UsedExample:
    """An example as it was searched.

    Attributes
    ----------
    page : str
    drawn : (float, float, float, float)
        left, top, right, bottom in px, as it was drawn.
    cleaned : (float, float, float, float)
        The ink in that box without rulings and neighbours' strokes, which leave the box.
    item : int or None
        The word of the index that lies on it best; None where none does.
    box : (float, float, float, float)
        The box of that word, else the cleaned one.
    features : (1 or 2, k) float32
        Of the drawn box, cleaned, and of the word.
    """

    page: str
    drawn: Box
    cleaned: Box
    item: int | None
    box: Box
    features: NDArray[np.float32]

    __repr__ = short_repr


def use_examples(index: WordIndex, query: WordQuery) -> tuple[UsedExample, ...]:
    """Find what the boxes of a query are drawn around, and describe it.

    Parameters
    ----------
    index : WordIndex
    query : WordQuery
        With its box.

    Raises
    ------
    SpotlabError
        The query has no box, or a page is not in the index.
    BadInput
        A page's image cannot be read any more.
    """
    if query.box is None:
        raise SpotlabError(f"where {query.text!r} is, is not known")
    return tuple(_use(index, page, box) for page, box in query.places)


def _use(index: WordIndex, page: str, box: Box) -> UsedExample:
    number, same = index.page_number(page), index.item_with(page, box)
    if same is not None:
        return UsedExample(page, box, box, same, box, index.features[same : same + 1])
    feature, cleaned, turn = index.describe_drawn(page, box)
    here = index.on_page(number)
    alike = here.start + np.flatnonzero(index.turns_of(here) == turn)
    pairs = pair_boxes([cleaned], index.items.boxes[alike])
    if not len(pairs) or pairs.iou.max() < SAME_PLACE:
        return UsedExample(page, box, cleaned, None, cleaned, feature[None])
    item = int(alike[pairs.second[pairs.iou.argmax()]])
    left, top, right, bottom = index.items.boxes[item].tolist()
    both = np.stack([feature, index.features[item]])
    return UsedExample(page, box, cleaned, item, (left, top, right, bottom), both)


def combined_scores(
    features: NDArray[np.float32], examples: tuple[UsedExample, ...], combine: str = "maximum"
) -> NDArray[np.float64]:
    """Compare items with all examples.

    Parameters
    ----------
    features : (N, k) float32
        Rows of length 1.
    examples : tuple of UsedExample
        One or more.
    combine : {"maximum", "mean"}
        Of several examples: an item's best cosine, or the cosine with the mean of the examples.
        The two descriptions of one example always count by their mean.

    Returns
    -------
    (N,) float
        Cosines.

    Raises
    ------
    SpotlabError
        There is no such way to combine.

    Examples
    --------
    >>> rows, box = np.eye(2, dtype=np.float32), (0.0, 0.0, 4.0, 9.0)
    >>> used = tuple(UsedExample("a", box, box, None, box, row[None]) for row in rows)
    >>> combined_scores(rows, used), combined_scores(rows, used, "mean").round(2)
    (array([1., 1.]), array([0.71, 0.71]))
    """
    if combine not in COMBINE:
        raise SpotlabError(
            f"there is no way {combine!r} to combine examples; there are {', '.join(COMBINE)}"
        )
    rows = np.stack([_unit(example.features.sum(axis=0)) for example in examples])
    if combine == "mean":
        return np.asarray(features @ _unit(rows.sum(axis=0)), np.float64)
    return np.asarray((features @ rows.T).max(axis=1), np.float64)


def _unit(row: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(row))
    return np.asarray(row / length if length else row, np.float32)
