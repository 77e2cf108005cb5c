"""The network that describes pictures of symbols, whatever they show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.representation import short_repr
from spotlab.resources import needed_model
from spotlab.spotting.networks import Network, NotRunnable, in_batches, no_network, open_network

Pictures = NDArray[np.uint8]

SIDE = 48  # px
WIDE = 1.35  # sides of a picture, in sides of the region
_LEAST = 0.4  # of the longer side: what is narrower has paper on both sides
_STRETCH = 0.6  # how far the shorter side is stretched to the longer one, as an exponent
_FINER = 3  # times as fine pictures are cut before they are made smaller


def view_sides(sides: ArrayLike) -> NDArray[np.float64]:
    """Half-way to a square: the aspect is seen, but what is wide keeps its height.

    Parameters
    ----------
    sides : (N, 2) array_like
        Width and height of regions.

    Returns
    -------
    (N, 2) float

    Examples
    --------
    >>> view_sides([[10, 10], [100, 40]]).round(1).tolist()
    [[10.0, 10.0], [100.0, 57.7]]
    """
    given = np.asarray(sides, np.float64).reshape(-1, 2)
    longer = given.max(1, keepdims=True)
    stretched = np.maximum(given, longer * _LEAST) ** _STRETCH * longer ** (1 - _STRETCH)
    return np.asarray(stretched)


def cut_pictures(ink: Ink, boxes: ArrayLike) -> Pictures:
    """Cut regions out of a page, and bring them to the network's size.

    Parameters
    ----------
    ink : (H, W) bool
    boxes : (N, 4) array_like
        Left, top, right, bottom in px.

    Returns
    -------
    (N, 48, 48) uint8
        0 for paper and 255 for ink; what is beyond the page is paper.

    Examples
    --------
    >>> ink = np.zeros((90, 90), bool)
    >>> ink[30:60, 30:60] = True
    >>> cut_pictures(ink, [[30, 30, 60, 60]])[0, ::12, ::12].tolist()
    [[0, 0, 0, 0], [0, 255, 255, 255], [0, 255, 255, 255], [0, 255, 255, 255]]
    """
    corners = np.asarray(boxes, np.float64).reshape(-1, 4)
    views = WIDE * view_sides(np.maximum(corners[:, 2:] - corners[:, :2], 1))
    middles = (corners[:, :2] + corners[:, 2:]) / 2
    pictures = np.zeros((len(corners), SIDE, SIDE), np.uint8)
    levels = [np.asarray(ink.view(np.uint8) * np.uint8(255))]
    fine = SIDE * _FINER
    for place, (middle, view) in enumerate(zip(middles, views, strict=True)):
        level = max(int(np.log2(max(view.max() / fine, 1))), 0)
        while len(levels) <= level:
            last = levels[-1]
            half = (max(last.shape[1] // 2, 1), max(last.shape[0] // 2, 1))
            levels.append(
                np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8)
            )
        shrunk = np.array(levels[level].shape[::-1]) / ink.shape[::-1]
        scale = fine / (view * shrunk)
        shift = fine / 2 - middle * shrunk * scale
        matrix = np.array([[scale[0], 0, shift[0]], [0, scale[1], shift[1]]])
        cut = cv2.warpAffine(levels[level], matrix, (fine, fine), flags=cv2.INTER_LINEAR)
        pictures[place] = cv2.resize(cut, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return pictures


SHIPPED = "symbols.onnx"
INPUT, OUTPUTS = "pictures", ("embedding", "symbol")
SIZE = 128  # numbers of an embedding
_BATCH = 32  # pictures; more fall out of the processor's cache


@dataclass(frozen=True, eq=False)
class DescribedSymbols:
    """Outputs of a network for pictures.

    Attributes
    ----------
    embedding : (N, E) float32
        Unit vectors, alike for symbols of the same kind.
    symbol : (N,) float32
        Log-odds that it is a symbol, whole and alone.
    """

    embedding: NDArray[np.float32]
    symbol: NDArray[np.float32]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.symbol)


@dataclass(frozen=True, eq=False)
class SymbolNetwork:
    """A network that was trained on pictures of symbols."""

    _network: Network

    __repr__ = short_repr

    @property
    def digest(self) -> str:
        """Of its file."""
        return self._network.digest

    def describe(self, ink: Ink, boxes: ArrayLike) -> DescribedSymbols:
        """Describe the regions in boxes on a page.

        Parameters
        ----------
        ink : (H, W) bool
        boxes : (N, 4) array_like
            Left, top, right, bottom in px.

        Examples
        --------
        >>> ink = np.zeros((90, 90), bool)
        >>> ink[20:70, [20, 21, 69, 70]] = ink[[20, 21, 69, 70], 20:70] = True
        >>> boxes = [[20, 20, 70, 70], [2, 2, 30, 30]]
        >>> square, corner = shipped_network().describe(ink, boxes).symbol
        >>> bool(square > corner)
        True
        """
        return self.describe_pictures(cut_pictures(ink, boxes))

    def describe_pictures(self, pictures: Pictures) -> DescribedSymbols:
        """Describe pictures.

        Parameters
        ----------
        pictures : (N, 48, 48) uint8
            As `cut_pictures` makes them.
        """
        none = DescribedSymbols(np.zeros((0, SIZE), np.float32), np.zeros(0, np.float32))
        parts = [none, *in_batches(self._run, pictures, _BATCH)]
        return DescribedSymbols(
            np.concatenate([part.embedding for part in parts]),
            np.concatenate([part.symbol for part in parts]),
        )

    def _run(self, pictures: Pictures) -> DescribedSymbols:
        given = np.zeros((_BATCH, 1, SIDE, SIDE), np.float32)
        given[: len(pictures), 0] = pictures * np.float32(1 / 255)
        embedding, symbol = self._network.run(given, INPUT, OUTPUTS)
        return DescribedSymbols(embedding[: len(pictures)], symbol[: len(pictures), 0])


def shipped_network() -> SymbolNetwork:
    """The network that comes with spotlab, or that of the user's own folder of networks."""
    return read_network(needed_model(SHIPPED))


def read_network(file: Path) -> SymbolNetwork:
    """Read a network.

    Parameters
    ----------
    file : Path
        ONNX, with the outputs embedding and symbol.

    Raises
    ------
    BadInput
        It cannot be read, or is another network.
    """
    return _for_symbols(open_network(file, "symbols"))


@lru_cache(maxsize=4)
def _for_symbols(network: Network) -> SymbolNetwork:
    try:
        blank = np.zeros((_BATCH, 1, SIDE, SIDE), np.float32)
        embedding, symbol = network.run(blank, INPUT, OUTPUTS)
        fits = embedding.shape == (_BATCH, SIZE) and symbol.shape == (_BATCH, 1)
    except NotRunnable:
        fits = False
    if not fits:
        raise no_network(network.file, "symbols")
    return SymbolNetwork(network)
