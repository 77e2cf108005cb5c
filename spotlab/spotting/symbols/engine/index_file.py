"""Keeps what the methods see of one page in a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.array_form import has_form
from spotlab.geometry.outlines import Outlines
from spotlab.spotting.page_file import code_digest, key_of, read_arrays, write_arrays
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.engine.method import Method, methods
from spotlab.spotting.symbols.engine.page_features import INK, Seen
from spotlab.spotting.symbols.voting.descriptor import Descriptor

_MAGIC = b"spotlab symbols 1\n"
_OWN = Path(__file__).parents[1]  # of symbol spotting
# what decides nothing of what is seen on a page; the rest of this tree does
_NOT_EYES = {"proposals"}  # a folder
_NOT_EYES_FILES = {"fusing", "index", "index_file", "page_spots", "query_model", "search"}


@cache
def eyes_version() -> str:
    """Changes with everything that decides what is seen on a page."""
    sources = [
        file
        for file in sorted(_OWN.rglob("*.py"))
        if file.stem not in _NOT_EYES_FILES and file.parent.name not in _NOT_EYES
    ]
    for below in ("geometry", "imaging"):
        sources += sorted((_OWN.parents[1] / below).glob("*.py"))
    return key_of(code_digest(sources), *(_foreign_version(each) for each in methods().values()))


def _foreign_version(method: Method) -> str:
    """Which release of other people's a method or its descriptor is, by module and package."""
    described: Descriptor | None = getattr(method, "descriptor", None)
    makers = [type(method), *([described.describe] if described else [])]
    parts = [method.name]
    for maker in makers:
        module = sys.modules[getattr(maker, "func", maker).__module__]  # that of a partial, too
        file = Path(module.__file__ or __file__)
        if file.is_relative_to(_OWN):
            continue
        try:
            parts.append(version(module.__name__.partition(".")[0]))
        except PackageNotFoundError:
            parts.append("")
        parts.append(code_digest([file]))
    return key_of(*parts)


def page_key(image_digest: str, frame: int, settings: str) -> str:
    """What the file of a page is named by: everything that its content depends on."""
    return key_of(image_digest, str(frame), settings, eyes_version())


def write_seen(seen: Seen, path: Path) -> None:
    """Write the file, or raise and leave what was there.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
    """
    contours = seen.primitives.contours
    arrays: dict[str, NDArray[Any]] = {
        "size": np.array(seen.size, np.int64),
        "pen": np.array(seen.pen, np.float64),
        "level": seen.primitives.level,
        "points": _narrow(contours.points),
        "offsets": contours.offsets,
    }
    for method, own in seen.arrays.items():
        arrays |= {f"{method}/{name}": array for name, array in own.items()}
    arrays["methods"] = np.array(list(seen.arrays), np.str_)
    write_arrays(arrays, path, _MAGIC, sparse=True)


def read_seen(path: Path) -> Seen | None:
    """What the file holds; None where there is none, or it is damaged in any way."""
    arrays = read_arrays(path, _MAGIC)
    if arrays is None:
        return None
    try:
        width, height = arrays["size"].tolist()
        contours = Outlines(arrays["points"].astype(np.float64), arrays["offsets"])
        primitives = Primitives(contours, arrays["level"])
        kept = {str(name): _of_method(arrays, str(name)) for name in arrays["methods"]}
        seen = Seen((width, height), float(arrays["pen"]), primitives, kept)
        return seen if _is_sound(seen) else None
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _is_sound(seen: Seen) -> bool:
    """Whether the arrays fit each other: machine code that is given others reads anywhere."""
    primitives, known = seen.primitives, methods()
    ink = seen.arrays.get(INK, {}).get("bits")
    width, height = seen.size
    return (
        min(width, height) >= 0
        and primitives.contours.is_sound()
        and has_form(primitives.level, np.int64, len(primitives))
        and (ink is None or has_form(ink, np.uint8, height, -(-width // 8)))
        and all(
            known[name].is_sound(kept, primitives)
            for name, kept in seen.arrays.items()
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
