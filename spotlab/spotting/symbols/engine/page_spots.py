"""Keeps what was found on one page in a file, so that a search goes on where it was ended."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

import spotlab
from spotlab.geometry.array_form import has_form
from spotlab.geometry.outlines import Outlines
from spotlab.spotting.page_file import code_digest, key_of, read_arrays, write_arrays
from spotlab.spotting.symbols.engine.index_file import eyes_version
from spotlab.spotting.symbols.engine.page_features import Found
from spotlab.spotting.symbols.engine.query_model import QueryModel

_MAGIC = b"spotlab spots 1\n"


@cache
def spotting_version() -> str:
    """Changes with everything that decides what is found on a page."""
    own = Path(__file__).parents[1]
    return key_of(spotlab.__version__, code_digest(sorted(own.rglob("*.py"))), eyes_version())


def models_key(models: Sequence[QueryModel], method: str) -> str:
    """What is asked of a page: these models in this order, by this method."""
    digest = hashlib.sha256()
    for model in models:
        for part in (
            model.name.encode(),
            repr(model.ink.shape).encode(),
            np.packbits(model.ink).tobytes(),
            np.asarray(model.outline, np.float64).tobytes(),
        ):
            digest.update(f"{len(part)} ".encode() + part)
    return key_of(digest.hexdigest(), method, spotting_version())


def write_spots(found: Sequence[Found], path: Path) -> None:
    """Write what was found for each label, or raise and leave what was there.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
    """
    outlines = Outlines.of([each.outlines[place] for each in found for place in range(len(each))])
    arrays = {
        "counts": np.array([len(each) for each in found], np.int64),
        "points": outlines.points,
        "offsets": outlines.offsets,
        "scores": np.concatenate([np.empty(0), *(each.scores for each in found)]),
    }
    write_arrays(arrays, path, _MAGIC)


def read_spots(path: Path, labels: int) -> list[Found] | None:
    """What the file holds for so many labels; None where there is none, or it is damaged."""
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
    return [Found(outlines.take(part), scores[part]) for part in parts]
