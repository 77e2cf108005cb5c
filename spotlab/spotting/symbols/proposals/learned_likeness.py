"""How alike candidates and examples are to a network that learned from drawn symbols."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.embedding.network import DescribedSymbols, SymbolNetwork
from spotlab.spotting.symbols.embedding.pictures import cut_pictures
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures
from spotlab.spotting.symbols.proposals.candidates import find_candidates
from spotlab.spotting.symbols.proposals.example_region import example_region


def described_candidates(page: PageFeatures, network: SymbolNetwork) -> DescribedSymbols:
    """Describe all candidates of a page, once.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.
    network : SymbolNetwork

    Returns
    -------
    DescribedSymbols
        In the order of `find_candidates`.

    Examples
    --------
    >>> from spotlab.spotting.symbols.embedding.network import shipped_network
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> described_candidates(page, shipped_network()).embedding.shape
    (0, 128)
    """
    boxes = find_candidates(page).boxes
    name = f"described by {network.digest}"
    return page.cached(name, lambda: network.describe(page.ink, boxes))


def described_example(query: QueryFeatures, network: SymbolNetwork) -> NDArray[np.float32]:
    """Describe an example in the eight poses of a square, once.

    Parameters
    ----------
    query : QueryFeatures
        Keeps the result.
    network : SymbolNetwork

    Returns
    -------
    (8, E) float32
        Unit vectors, first the pose in which it is drawn.

    Examples
    --------
    >>> from spotlab.spotting.symbols.embedding.network import shipped_network
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
    >>> from spotlab.spotting.symbols.engine.query_model import draw_model
    >>> triangle = draw_model("slope", [[(0, 0), (40, 0), (40, 20), (0, 0)]], pen=2)
    >>> poses = described_example(features_of_model(triangle, []), shipped_network())
    >>> poses.shape, bool(poses[0] @ poses[2] < 0.9)  # upside down it is another one
    ((8, 128), True)
    """

    def make() -> NDArray[np.float32]:
        [picture] = cut_pictures(query.features.ink, example_region(query).boxes)
        poses = [np.rot90(each, k) for each in (picture, picture[:, ::-1]) for k in range(4)]
        return network.describe_pictures(np.stack(poses)).embedding

    return query.features.cached(f"described by {network.digest}", make)
