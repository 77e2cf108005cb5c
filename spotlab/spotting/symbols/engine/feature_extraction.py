"""Extracts features of pages and query models: ink, its primitives, and each method's arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spotlab.imaging.ink import Ink, InkMethod, InkSettings, binarise
from spotlab.imaging.pen import pen_width
from spotlab.imaging.reading.conversion import Pixels
from spotlab.spotting.symbols.drawing.contours import find_primitives
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import INK, PageFeatures, QueryFeatures, pack_ink
from spotlab.spotting.symbols.engine.query_model import SymbolModel

EVEN = "even"  # what ink in even light is called, beside the names of `InkMethod`


@dataclass(frozen=True)
class SymbolSettings:
    """How features are extracted from pages.

    Attributes
    ----------
    ink : InkSettings, optional
        How ink is told from paper; by default by Otsu's threshold for the page in even light. That
        suits plans and photos of hand-drawn pages alike. Sauvola's and Wolf's find fainter strokes,
        and on grainy paper thousands of specks.
    mend : bool
        Bridge broken strokes and remove walls; without, only what is closed as drawn is found.
    """

    ink: InkSettings | None = None
    mend: bool = True


def extract_features(
    pixels: Pixels, methods: Sequence[SpottingMethod], settings: SymbolSettings | None = None
) -> PageFeatures:
    """Extract the features of a page.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    methods : sequence of SpottingMethod
        Whose arrays to extract.
    settings : SymbolSettings, optional

    Returns
    -------
    PageFeatures
        Without primitives where nothing is ink.

    Examples
    --------
    >>> import numpy as np
    >>> page = np.full((60, 80), 255, np.uint8)
    >>> page[10:40, 20:60] = 0
    >>> page[13:37, 23:57] = 255
    >>> features = extract_features(page, methods=[])
    >>> features.size, features.pen, len(features.primitives)
    ((80, 60), 3.0, 2)
    """
    settings = settings or SymbolSettings()
    return features_of_ink(page_ink(pixels, settings), methods, settings.mend)


def named_ink_settings(name: str) -> InkSettings | None:
    """Look up the ink settings of a name, for `SymbolSettings`.

    Parameters
    ----------
    name : {"even", "otsu", "sauvola", "wolf"}

    Returns
    -------
    InkSettings or None
        None for "even".
    """
    return None if name == EVEN else InkSettings(InkMethod(name))


def ink_for_symbols(settings: InkSettings) -> InkSettings | None:
    """Choose ink for symbols where the threshold is the default: that of even light.

    Parameters
    ----------
    settings : InkSettings
        As chosen for drawing.

    Returns
    -------
    InkSettings or None
        None where nothing has been chosen, for `SymbolSettings`.

    Examples
    --------
    >>> ink_for_symbols(InkSettings(specks=4)).method
    <InkMethod.EVEN: 'even'>
    >>> print(ink_for_symbols(InkSettings()))
    None
    """
    plain = InkSettings()
    if settings == plain:
        return None
    is_default = (settings.method, settings.offset) == (plain.method, plain.offset)
    return replace(settings, method=InkMethod.EVEN) if is_default else settings


def page_ink(pixels: Pixels, settings: SymbolSettings) -> Ink:
    """Binarise a page; query models are cropped from the result.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    settings : SymbolSettings

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> import numpy as np
    >>> paper = np.full((60, 60), 230, np.uint8)
    >>> paper[20:40, 20:23] = 30
    >>> int(page_ink(paper, SymbolSettings()).sum())
    60
    """
    return binarise(pixels, settings.ink or InkSettings(InkMethod.EVEN))


def features_of_model(
    model: SymbolModel, methods: Sequence[SpottingMethod], mend: bool = True
) -> QueryFeatures:
    """Extract the features of a query model.

    Parameters
    ----------
    model : SymbolModel
    methods : sequence of SpottingMethod
        Whose arrays to extract.
    mend : bool
        Bridge broken strokes, as on pages.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.query_model import draw_model
    >>> box = draw_model("box", [[(0, 0), (30, 0), (30, 20), (0, 20), (0, 0)]], pen=3)
    >>> query = features_of_model(box, methods=[])
    >>> query.name, len(query.features.primitives)
    ('box', 2)
    """
    features = features_of_ink(model.ink, methods, mend, frames=True)
    return QueryFeatures(model.name, model.outline, features)


def features_of_ink(
    ink: Ink, methods: Sequence[SpottingMethod], mend: bool = True, frames: bool = False
) -> PageFeatures:
    """Extract the features of an ink image.

    Parameters
    ----------
    ink : (H, W) bool
    methods : sequence of SpottingMethod
        Whose arrays to extract.
    mend, frames : bool
        As in `find_primitives`.

    Examples
    --------
    >>> import numpy as np
    >>> len(features_of_ink(np.zeros((40, 40), bool), methods=[]).primitives)
    0
    """
    pen = pen_width(ink)
    primitives = find_primitives(ink, pen, mend, frames)
    height, width = ink.shape
    arrays = {method.name: method.extract(ink, primitives, pen) for method in methods}
    return PageFeatures((width, height), pen, primitives, {**arrays, INK: pack_ink(ink)})
