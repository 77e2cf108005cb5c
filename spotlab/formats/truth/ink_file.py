"""How a collection's ink is told from paper, in ``spotlab.json`` in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.json_values import load_object
from spotlab.formats.truth.label_file import NAME
from spotlab.imaging.ink import InkSettings
from spotlab.imaging.ink_text import settings_as_values, settings_from_values


def read_ink(folder: Path) -> InkSettings | None:
    """The ink settings of a collection; None where none are kept or they make no sense.

    Raises
    ------
    BadInput
        The file is not JSON.
    """
    path = folder / NAME
    values = load_object(path, "settings").get("ink") if path.exists() else None
    return settings_from_values(values) if isinstance(values, dict) else None


def write_ink(folder: Path, settings: InkSettings) -> None:
    """Keep the ink settings of a collection; what else is in the file stays.

    Raises
    ------
    NotSaved
        The file could not be written.
    BadInput
        There is such a file, but it is not JSON: it is not overwritten.
    """
    path = folder / NAME
    content: dict[str, Any] = load_object(path, "settings") if path.exists() else {}
    content["ink"] = settings_as_values(settings)
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, text.encode("utf-8", "surrogatepass"))
