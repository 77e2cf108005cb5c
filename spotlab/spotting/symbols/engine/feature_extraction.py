"""How pages and query models are seen: their ink, its primitives, and what the methods keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spotlab.imaging.conversion import Pixels
from spotlab.imaging.illumination import binarise_evened
from spotlab.imaging.ink import Ink, InkMethod, InkSettings, binarise
from spotlab.spotting.symbols.drawing.contours import find_primitives, pen_width
from spotlab.spotting.symbols.engine.method import Method
from spotlab.spotting.symbols.engine.method import methods as all_methods
from spotlab.spotting.symbols.engine.page_features import INK, Query, Seen, packed
from spotlab.spotting.symbols.engine.query_model import QueryModel

EVEN = "even"  # what ink in even light is called, beside the names of `InkMethod`


@dataclass(frozen=True)
class SymbolSettings:
    """How pages are seen.

    Attributes
    ----------
    ink : InkSettings, optional
        How ink is told from paper; unless given, by Otsu's threshold for the page in even light.
        That suits plans and photos of hand-drawn pages alike. Sauvola's and Wolf's find fainter
        strokes, and on grainy paper thousands of specks.
    mend : bool
        Bridge broken strokes and take walls away; without, only what is closed as drawn is found.
    """

    ink: InkSettings | None = None
    mend: bool = True


def see_page(
    pixels: Pixels, settings: SymbolSettings | None = None, methods: Sequence[Method] | None = None
) -> Seen:
    """What the methods see of a page.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    settings : SymbolSettings, optional
    methods : sequence of Method, optional
        All that there are unless given.
    """
    settings = settings or SymbolSettings()
    return see_ink(page_ink(pixels, settings), methods, settings.mend)


def named_ink(name: str) -> InkSettings | None:
    """What ``even``, ``otsu``, ``sauvola`` and ``wolf`` mean in `SymbolSettings`."""
    return None if name == EVEN else InkSettings(InkMethod(name))


def page_ink(pixels: Pixels, settings: SymbolSettings) -> Ink:
    """(H, W) bool, what counts as ink on a page; query models are cropped from it."""
    if settings.ink is None:
        return binarise_evened(pixels)
    return binarise(pixels, settings.ink)


def see_model(
    model: QueryModel, methods: Sequence[Method] | None = None, mend: bool = True
) -> Query:
    """A query model as the methods see it."""
    return Query(model.name, model.outline, see_ink(model.ink, methods, mend, frames=True))


def see_ink(
    ink: Ink, methods: Sequence[Method] | None = None, mend: bool = True, frames: bool = False
) -> Seen:
    """What the methods see of an ink image.

    Parameters
    ----------
    ink : (H, W) bool
    methods : sequence of Method, optional
        All that there are unless given.
    mend, frames : bool
        As in `find_primitives`.
    """
    used = list(all_methods().values()) if methods is None else methods
    pen = pen_width(ink)
    primitives = find_primitives(ink, pen, mend, frames)
    height, width = ink.shape
    arrays = {method.name: method.see(ink, primitives, pen) for method in used}
    return Seen((width, height), pen, primitives, {**arrays, INK: packed(ink)})
