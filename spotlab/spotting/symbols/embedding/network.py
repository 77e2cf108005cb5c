"""The network that describes pictures of symbols, whatever they show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.imaging.ink import Ink
from spotlab.representation import short_repr
from spotlab.resources import needed_model
from spotlab.spotting.network_engines import NotRunnable
from spotlab.spotting.networks import Network, in_batches, no_network, open_network
from spotlab.spotting.symbols.embedding.pictures import SIDE, Pictures, cut_pictures

SHIPPED = "symbols.onnx"
INPUT, OUTPUTS = "pictures", ("embedding", "symbol")
SIZE = 128  # numbers of an embedding
_BATCH = 32  # pictures; more fall out of the processor's cache


@dataclass(frozen=True, eq=False)
class DescribedSymbols:
    """What a network says of pictures.

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
