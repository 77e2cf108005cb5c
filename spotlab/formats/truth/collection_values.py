"""What a collection keeps in ``spotlab.json`` in its folder, one object under each key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.json_values import load_object
from spotlab.formats.truth.label_file import NAME


def read_values(folder: Path, key: str) -> dict[str, Any] | None:
    """What is kept under a key; None where nothing is, or where it is no object.

    Raises
    ------
    BadInput
        The file is not JSON.
    """
    path = folder / NAME
    values = load_object(path, "settings").get(key) if path.exists() else None
    return values if isinstance(values, dict) else None


def write_values(folder: Path, key: str, values: Mapping[str, Any]) -> None:
    """Keep values under a key; what else is in the file stays.

    Raises
    ------
    NotSaved
        The file could not be written.
    BadInput
        There is such a file, but it is not JSON: it is not overwritten.
    """
    path = folder / NAME
    content: dict[str, Any] = load_object(path, "settings") if path.exists() else {}
    content[key] = dict(values)
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, text.encode("utf-8", "surrogatepass"))
