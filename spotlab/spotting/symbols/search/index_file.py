"""Keeps the features of one page in a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.store.entries import code_digest, key_of, read_arrays, write_arrays
from spotlab.geometry.outlines import Outlines, has_form
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.engine.method import SymbolMethod
from spotlab.spotting.symbols.engine.page_features import INK, PageFeatures
from spotlab.spotting.symbols.methods import spotting_methods
from spotlab.spotting.symbols.voting.descriptor import Descriptor

_MAGIC = b"spotlab symbols 1\n"
_SYMBOLS = Path(__file__).parents[1]
# rooms that do not decide which features are extracted; all others do
_WITHOUT_FEATURES = {"search", "proposals"}


@cache
def extraction_version() -> str:
    """Digest that changes with everything that decides which features are extracted."""
    sources = [
        file
        for file in sorted(_SYMBOLS.rglob("*.py"))
        if file.relative_to(_SYMBOLS).parts[0] not in _WITHOUT_FEATURES
    ]
    for below in ("geometry", "imaging"):
        sources += sorted((_SYMBOLS.parents[1] / below).rglob("*.py"))
    return key_of(
        code_digest(sources), *(foreign_version(method) for method in spotting_methods().values())
    )


def foreign_version(method: SymbolMethod) -> str:
    """Digest of release and source of a method, and of its descriptor, that others offer.

    Parameters
    ----------
    method : SymbolMethod
    """
    descriptor: Descriptor | None = getattr(method, "descriptor", None)
    makers = [type(method), *([descriptor.describe] if descriptor else [])]
    parts = [method.name]
    for maker in makers:
        module = sys.modules[getattr(maker, "func", maker).__module__]  # that of a partial, too
        file = Path(module.__file__ or __file__)
        if file.is_relative_to(_SYMBOLS):
            continue
        try:
            parts.append(version(module.__name__.partition(".")[0]))
        except PackageNotFoundError:
            parts.append("")
        parts.append(code_digest([file]))
    return key_of(*parts)


def page_key(image_digest: str, frame: int, settings: str) -> str:
    """Name of a page's file, which depends on everything that its content depends on.

    Parameters
    ----------
    image_digest : str
        Digest of the image file.
    frame : int
        Number of the page in that file.
    settings : str

    Examples
    --------
    >>> page_key("0a", 0, "plain") == page_key("0a", 1, "plain")
    False
    """
    return key_of(image_digest, str(frame), settings, extraction_version())


def write_features(features: PageFeatures, path: Path) -> None:
    """Write the file; where that fails, leave what was there.

    Parameters
    ----------
    features : PageFeatures
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> blank = PageFeatures((80, 60), 3.0, Primitives(Outlines.of([]), np.zeros(0, np.int64)), {})
    >>> with TemporaryDirectory() as folder:
    ...     write_features(blank, Path(folder, "page.symbols"))
    ...     print(read_features(Path(folder, "page.symbols")).size)
    (80, 60)
    """
    contours = features.primitives.contours
    arrays: dict[str, NDArray[Any]] = {
        "size": np.array(features.size, np.int64),
        "pen": np.array(features.pen, np.float64),
        "level": features.primitives.level,
        "points": _narrow(contours.points),
        "offsets": contours.offsets,
    }
    for method, own in features.arrays.items():
        arrays |= {f"{method}/{name}": array for name, array in own.items()}
    arrays["methods"] = np.array(list(features.arrays), np.str_)
    write_arrays(arrays, path, _MAGIC, sparse=True)


def read_features(path: Path) -> PageFeatures | None:
    """Read the features of a page.

    Parameters
    ----------
    path : Path

    Returns
    -------
    PageFeatures or None
        None where there is no file, or it is damaged in any way.
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None:
        return None
    try:
        width, height = arrays["size"].tolist()
        contours = Outlines(arrays["points"].astype(np.float64), arrays["offsets"])
        primitives = Primitives(contours, arrays["level"])
        kept = {str(name): _of_method(arrays, str(name)) for name in arrays["methods"]}
        features = PageFeatures((width, height), float(arrays["pen"]), primitives, kept)
        return features if _is_sound(features) else None
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _is_sound(features: PageFeatures) -> bool:
    """Whether the arrays fit each other: machine code that is given others reads anywhere."""
    primitives, known = features.primitives, spotting_methods()
    ink = features.arrays.get(INK, {}).get("bits")
    width, height = features.size
    return (
        min(width, height) >= 0
        and primitives.contours.is_sound()
        and has_form(primitives.level, np.int64, len(primitives))
        and (ink is None or has_form(ink, np.uint8, height, -(-width // 8)))
        and all(
            known[name].is_sound(kept, primitives)
            for name, kept in features.arrays.items()
            if name in known
        )
    )


def _of_method(arrays: Mapping[str, NDArray[Any]], method: str) -> dict[str, NDArray[Any]]:
    start = f"{method}/"
    return {name.removeprefix(start): arrays[name] for name in arrays if name.startswith(start)}


def _narrow(points: NDArray[np.float64]) -> NDArray[Any]:
    """The same numbers in half or less of the bytes, where they are whole ones as of pixels."""
    for narrower in (np.int16, np.int32):
        limits = np.iinfo(narrower)
        if points.size == 0 or (points.min() >= limits.min and points.max() <= limits.max):
            cut = points.astype(narrower)
            if np.array_equal(cut, points):
                return cut
    return points
