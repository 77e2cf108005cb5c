"""Keeps the spots of one page in a file, so that a search goes on where it was ended."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

import spotlab
from spotlab.formats.store.entries import code_digest, key_of, read_arrays, write_arrays
from spotlab.geometry.outlines import Outlines, has_form
from spotlab.spotting.symbols.engine.page_features import QuerySpots
from spotlab.spotting.symbols.engine.query_model import SymbolModel
from spotlab.spotting.symbols.search.index_file import extraction_version

_MAGIC = b"spotlab spots 1\n"


@cache
def spotting_version() -> str:
    """Digest that changes with everything that decides which spots are found on a page."""
    own = Path(__file__).parents[1]
    return key_of(spotlab.__version__, code_digest(sorted(own.rglob("*.py"))), extraction_version())


def models_key(models: Sequence[SymbolModel], method: str) -> str:
    """Digest of a search: of these models in this order, by this method.

    Parameters
    ----------
    models : sequence of SymbolModel
    method : str
        Its name.

    Examples
    --------
    >>> bar = SymbolModel("bar", np.ones((3, 9), bool), np.array([(0, 0), (9, 0), (9, 3)]))
    >>> models_key([bar], "a") == models_key([bar], "b")
    False
    """
    digest = hashlib.sha256()
    for model in models:
        for part in (
            model.name.encode("utf-8", "surrogatepass"),
            repr(model.ink.shape).encode(),
            np.packbits(model.ink).tobytes(),
            np.asarray(model.outline, np.float64).tobytes(),
        ):
            digest.update(f"{len(part)} ".encode() + part)
    return key_of(digest.hexdigest(), method, spotting_version())


def write_spots(spots: Sequence[QuerySpots], path: Path) -> None:
    """Write the spots of each label; where that fails, leave what was there.

    Parameters
    ----------
    spots : sequence of QuerySpots
        One for each label, with scores of shape (N,).
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_spots([QuerySpots.none()], Path(folder, "page.spots"))
    ...     print([len(spots) for spots in read_spots(Path(folder, "page.spots"), labels=1)])
    [0]
    """
    together = QuerySpots.concatenated(spots)
    arrays = {
        "counts": np.array([len(part) for part in spots], np.int64),
        "points": together.outlines.points,
        "offsets": together.outlines.offsets,
        "scores": together.scores,
    }
    write_arrays(arrays, path, _MAGIC)


def read_spots(path: Path, labels: int) -> list[QuerySpots] | None:
    """Read the spots of each label.

    Parameters
    ----------
    path : Path
    labels : int
        Number of labels that the file has to have.

    Returns
    -------
    list of QuerySpots or None
        With scores of shape (N,); None where there is no file, or it is damaged.

    Examples
    --------
    >>> read_spots(Path("missing.spots"), labels=3) is None
    True
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != {"counts", "points", "offsets", "scores"}:
        return None
    outlines, scores = Outlines(arrays["points"], arrays["offsets"]), arrays["scores"]
    counts = arrays["counts"]
    if not outlines.is_sound() or not has_form(counts, np.int64, None):
        return None
    if not has_form(scores, np.float64, None) or not (counts >= 0).all():
        return None
    ends = np.cumsum(counts)
    if len(ends) != labels or len(outlines) != len(scores) or ends[-1:].sum() != len(scores):
        return None
    parts = np.split(np.arange(len(scores)), ends[:-1])
    return [QuerySpots(outlines.take(part), scores[part]) for part in parts]
