"""What a collection keeps in ``spotlab.json`` in its folder, one object under each key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spotlab.formats.truth.label_file import CollectionFile, open_collection_file


def read_values(folder: Path, key: str) -> dict[str, Any] | None:
    """Return what is kept under a key; None where nothing is, or what makes no sense.

    Raises
    ------
    BadInput
        The file cannot be read.
    """
    file = open_collection_file(folder)
    file.look()
    values = file.value.values.get(key)
    return values if isinstance(values, dict) else None


def write_values(folder: Path, key: str, values: Mapping[str, Any]) -> None:
    """Keep values under a key; what else is in the file stays.

    Raises
    ------
    NotSaved
        The file could not be written.
    BadInput
        It could not be read.
    """
    file = open_collection_file(folder)
    file.look()
    before = file.value
    file.set(CollectionFile(before.labels, {**before.values, key: dict(values)}), before)
    file.write()
