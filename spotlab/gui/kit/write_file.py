"""Writes a file that the user has named, and says in the status bar that it did, or why not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spotlab.errors import SpotlabError
from spotlab.formats.rows.files import write_atomically

Say = Callable[[str, bool], object]  # a line for the status bar, and whether it is an error


def write_file(path: Path, content: bytes, say: Say) -> None:
    """Write the file at once or not at all."""
    try:
        write_atomically(path, content)
    except SpotlabError as error:
        say(str(error), True)
    else:
        say(f"Wrote {path}", False)
