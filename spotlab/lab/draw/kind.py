"""A kind of furniture or fixture and the drawings of it that draughtsmen use.

To add one, write a `SymbolKind` at the top level of a module in `spotlab.lab.draw.symbols`; to add
a drawing, write one more line in its tuple. Drawings are in centimetres, seen from above, with the
back (the side that stands at a wall) along y = 0 and the front at y = depth.
"""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.arrays import Points
from spotlab.registry import discover, modules_of

GROUP = "spotlab.synthesis.symbols"


@dataclass(frozen=True)
class SymbolDrawing:
    """One way to draw something: its footprint in cm and the strokes inside it."""

    width: float
    depth: float
    strokes: tuple[Points, ...]


@dataclass(frozen=True)
class SymbolKind:
    """Something that stands on a floor plan.

    Attributes
    ----------
    name : str
        The label of its regions.
    drawings : tuple of SymbolDrawing
        Several ways to draw it.
    smallest, largest : float
        How much a drawing may be scaled.
    further : bool
        Stands only on plans that are asked to have further kinds (`Options.further`), so that those
        drawn before there was this one stay as they are.
    """

    name: str
    drawings: tuple[SymbolDrawing, ...]
    smallest: float = 0.94
    largest: float = 1.08
    further: bool = False


def symbol_kinds() -> dict[str, SymbolKind]:
    """All kinds that there are, by name.

    Examples
    --------
    >>> "sofa" in symbol_kinds()
    True
    """
    return discover(GROUP, SymbolKind, modules=modules_of("spotlab.lab.draw.symbols"))
