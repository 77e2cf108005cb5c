"""Candidates of a page and their appearance as arrays, for a file."""

from __future__ import annotations

import numpy as np

from spotlab.geometry.outlines import Outlines, has_form
from spotlab.spotting.symbols.engine.page_features import Arrays, PageFeatures
from spotlab.spotting.symbols.proposals.appearance import appearance_length, page_appearance
from spotlab.spotting.symbols.proposals.candidates import Candidates, find_candidates
from spotlab.spotting.symbols.proposals.orientation_histograms import LENGTH
from spotlab.spotting.symbols.proposals.region_features import NAMES


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
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
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
