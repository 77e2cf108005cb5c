"""Draws the pictures of the help anew: ``python -m tests.project.draw_pictures``.

They are those of ``spotlab demo --headless`` and more, of 128 colours each to be small.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image

from spotlab.gui.window.headless import render_pictures
from spotlab.resources import help_folder

COLOURS, ROUNDS = 128, 3  # rounds bring the colours to where most pixels are


def save_small(picture: Image.Image, path: Path) -> None:
    """Write a PNG with few colours."""
    few = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=ROUNDS)
    few.save(path, optimize=True)


def main() -> None:
    """Draw all pictures into the folder that the help has them in."""
    target = help_folder() / "pictures"
    with tempfile.TemporaryDirectory() as folder:
        for drawn in filter(None, render_pictures(Path(folder), every=True)):
            with Image.open(drawn) as picture:
                save_small(picture, target / drawn.name)


if __name__ == "__main__":
    main()
