"""The version of what makes tallies, which all processes that work on one study have to share."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import shapely

import spotlab
from spotlab.errors import SpotlabError
from spotlab.formats.store.entries import code_digest, key_of

ROOMS = (
    "geometry", "measures", "model", "formats/rows", "formats/runs", "studies/areas",
    "lab/parts",
)  # fmt: skip


@lru_cache(maxsize=1)
def tally_version() -> str:
    """A digest of spotlab's version and of all that makes tallies."""
    own = Path(__file__).parents[2]
    sources = [path for room in ROOMS for path in sorted((own / room).glob("*.py"))]
    return key_of(spotlab.__version__, code_digest(sources, [np, shapely]))


def check_version(version: str) -> None:
    """Check that this process is of the same version as the one that gave the work.

    Parameters
    ----------
    version : str
        What `tally_version` said there.

    Raises
    ------
    SpotlabError
        It is not.
    """
    if version != tally_version():
        raise SpotlabError(
            "a worker of the cluster has another spotlab or numpy and may find other figures"
        )
