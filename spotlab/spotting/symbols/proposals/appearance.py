"""Appearance of candidates as rows of numbers, compared by distance: inside, surroundings, shape.

The ink in a candidate's box, and in a wider box around it, as orientation histograms (Dalal &
Triggs 2005) of which only the slow changes from cell to cell are kept: a line that runs a little
elsewhere, as in hand drawings, changes little. Beside them what a network that has learned from
drawn symbols says of the candidate, which counts most where few regions are labelled.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes
from spotlab.geometry.outlines import Outlines, has_form
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.embedding.network import SIZE, shipped_network
from spotlab.spotting.symbols.engine.page_features import Arrays, PageFeatures
from spotlab.spotting.symbols.proposals.candidates import Candidates, find_candidates
from spotlab.spotting.symbols.proposals.region_features import (
    CELLS,
    DIRECTIONS,
    LENGTH,
    NAMES,
    Histograms,
    orientation_histograms,
    rounded,
)

INSIDE, AROUND = 1.1, 1.8  # sides of the boxes whose ink is described, in sides of the candidate
CORE = 0.6  # of the box whose ink tells marks inside symbols apart
_FREQUENCIES = 6  # of the cosine transform over the cells that are kept, both directions together
_TURNED = 0.5  # how much the ink in the narrowest box counts, beside the two upright ones
_MARK = 0.5  # how much the ink in the core counts
_SPREAD = 0.5  # typical distance of two candidates' histograms
_LEARNED = 1.0  # how much the network's description counts, beside a histogram
_SYMBOL = 1 / 16  # how much its log-odds of being a symbol count, beside the description
_SURE = 4.0  # log-odds beyond which it makes no difference
PLACED = ("aspect", "size on page", "size in pens", "x", "y")

Rows = NDArray[np.float32]


def figures_count() -> int:
    """Return the number of figures of shape and place at the end of each row."""
    return len(PLACED) + len(NAMES)


def appearance_length() -> int:
    """Return the number of figures in each row."""
    frequencies = int(_cosines().shape[1])
    return 4 * DIRECTIONS * frequencies + SIZE + 1 + figures_count()


def page_appearance(page: PageFeatures) -> Rows:
    """Describe all candidates of a page, once.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.

    Returns
    -------
    (N, D) float32
        In the order of `find_candidates`.
    """
    return page.cached("appearance", lambda: describe_appearance(page, find_candidates(page)))


def learned_columns(rows: Rows) -> tuple[Rows, Rows]:
    """Return what the network says of the candidates that rows describe.

    Parameters
    ----------
    rows : (N, D) float32
        See `describe_appearance`.

    Returns
    -------
    embedding : (N, E) float32
        Of length 1, alike for symbols of the same kind.
    symbol : (N,) float32
        Log-odds that it is a symbol, whole and alone, from -4 to 4.

    Examples
    --------
    >>> embedding, symbol = learned_columns(np.zeros((3, appearance_length()), np.float32))
    >>> embedding.shape, symbol.shape
    ((3, 128), (3,))
    """
    end = rows.shape[1] - figures_count() - 1
    return rows[:, end - SIZE : end] / _LEARNED, rows[:, end] / (_LEARNED * _SYMBOL)


def describe_appearance(page: PageFeatures, candidates: Candidates) -> Rows:
    """Describe regions of a page.

    Parameters
    ----------
    page : PageFeatures
    candidates : Candidates

    Returns
    -------
    (N, D) float32
        Histograms of the inside, of the surroundings, of the narrowest box around the region and of
        its core, in units of a typical distance, what the network says, then `figures_count`
        figures of shape and place as they are.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> describe_appearance(page, find_candidates(page)).shape
    (0, 818)
    """
    ink, boxes = page.ink, candidates.boxes
    width, height = page.size
    sides = np.log(np.maximum(boxes[:, 2:] - boxes[:, :2], 1))
    sizes, middle = sides.mean(1), (boxes[:, :2] + boxes[:, 2:]) / 2
    figures = np.column_stack(
        [
            sides[:, 0] - sides[:, 1],
            sizes - np.log(width * height) / 2,
            sizes - np.log(max(page.pen, 1)),
            middle / (width, height),
            candidates.features,
        ]
    )
    inside, around = (_slow_changes(_box_histograms(ink, boxes, by)) for by in (INSIDE, AROUND))
    turned = _slow_changes(candidates.histograms)
    mark = _slow_changes(_box_histograms(ink, boxes, CORE))
    described = shipped_network().describe(ink, boxes)
    parts = [
        inside / _SPREAD,
        around / _SPREAD,
        turned * (_TURNED / _SPREAD),
        mark * (_MARK / _SPREAD),
        described.embedding * _LEARNED,
        described.symbol.clip(-_SURE, _SURE)[:, None] * (_LEARNED * _SYMBOL),
        figures,
    ]
    return rounded(np.hstack(parts))


def _box_histograms(ink: Ink, boxes: Boxes, by: float) -> Histograms:
    """Of the ink in boxes that are this many times as wide and high."""
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * by
    low, high = middle - half, middle + half
    corners = [low, np.column_stack([high[:, 0], low[:, 1]]), high]
    corners.append(np.column_stack([low[:, 0], high[:, 1]]))
    rings = Outlines.of(list(np.stack(corners, 1)))
    frames = np.column_stack([middle, np.maximum(2 * half, 1), np.zeros(len(boxes))])
    return orientation_histograms(ink, rings, frames)


def _slow_changes(histograms: Histograms) -> Rows:
    """(N, K) the lowest frequencies of a cosine transform over the cells, for each direction."""
    cells = histograms.reshape(-1, CELLS * CELLS, DIRECTIONS)
    slow = np.tensordot(cells, _cosines(), axes=(1, 0))  # (N, DIRECTIONS, F)
    return np.asarray(slow.reshape(len(slow), slow.shape[1] * slow.shape[2]), np.float32)


@cache
def _cosines() -> Rows:
    """(CELLS², F) orthonormal cosines of two dimensions, those of low frequency."""
    place, wave = np.arange(CELLS) + 0.5, np.arange(_FREQUENCIES)
    one = np.cos(np.pi * np.outer(wave, place) / CELLS) * np.sqrt(2 / CELLS)
    one[0] /= np.sqrt(2)
    both = np.einsum("ui,vj->uvij", one, one)
    low = np.add.outer(wave, wave) < _FREQUENCIES
    return np.asarray(both[low].reshape(-1, CELLS * CELLS).T, np.float32)


def candidate_arrays(page: PageFeatures) -> Arrays:
    """Find and describe the candidates of a page.

    Parameters
    ----------
    page : PageFeatures
        Keeps them, too.

    Returns
    -------
    mapping of str to array
        For `adopt_candidates`; of N candidates.
    """
    candidates = find_candidates(page)
    return {
        "points": candidates.hulls.points.astype(np.float32),
        "offsets": candidates.hulls.offsets,
        "frames": candidates.frames,
        "features": candidates.features,
        # both are rounded so that nothing is lost
        "histograms": candidates.histograms.astype(np.float16),
        "rows": page_appearance(page).astype(np.float16),
    }


def adopt_candidates(page: PageFeatures, kept: Arrays) -> bool:
    """Give a page the candidates that were found before.

    Parameters
    ----------
    page : PageFeatures
    kept : mapping of str to array
        Of any shape: the file may be damaged.

    Returns
    -------
    bool
        False, and the page as it was, where they cannot be candidates.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> adopt_candidates(page, candidate_arrays(page)), adopt_candidates(page, {})
    (True, False)
    """
    names = {"points", "offsets", "frames", "features", "histograms", "rows"}
    if kept.keys() != names or not has_form(kept["points"], np.float32, None, 2):
        return False
    hulls = Outlines(kept["points"].astype(np.float64), kept["offsets"])
    if not hulls.is_sound():
        return False
    count = len(hulls)
    is_sound = (
        has_form(kept["frames"], np.float64, count, 5)
        and has_form(kept["features"], np.float64, count, len(NAMES))
        and has_form(kept["histograms"], np.float16, count, LENGTH)
        and has_form(kept["rows"], np.float16, count, appearance_length())
    )
    if not is_sound:
        return False
    histograms = kept["histograms"].astype(np.float32)
    found = Candidates(hulls, hulls.bounds, kept["frames"], kept["features"], histograms)
    rows = kept["rows"].astype(np.float32)
    page.cached("candidates", lambda: found)
    page.cached("appearance", lambda: rows)
    return True
