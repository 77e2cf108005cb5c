"""How a collection's ink is told from paper, in ``spotlab.json`` in its folder."""

from __future__ import annotations

from pathlib import Path

from spotlab.formats.truth.collection_values import read_values, write_values
from spotlab.imaging.ink import InkSettings
from spotlab.imaging.ink_text import settings_as_values, settings_from_values

_KEY = "ink"


def read_ink(folder: Path) -> InkSettings | None:
    """The ink settings of a collection; None where none are kept or they make no sense.

    Raises
    ------
    BadInput
        The file is not JSON.
    """
    values = read_values(folder, _KEY)
    return None if values is None else settings_from_values(values)


def write_ink(folder: Path, settings: InkSettings) -> None:
    """Keep the ink settings of a collection; what else is in the file stays.

    Raises
    ------
    NotSaved
        The file could not be written.
    BadInput
        There is such a file, but it is not JSON: it is not overwritten.
    """
    write_values(folder, _KEY, settings_as_values(settings))
