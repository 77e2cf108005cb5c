"""Pages and engines that read them, for tests: nothing is recognised, all is known beforehand."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from spotlab.errors import SpotlabError
from spotlab.imaging.ink import Ink
from spotlab.progress import Progress
from spotlab.spotting.reading.text_reader import TextReader

# what each engine reads on page 1, 2, …; None where it fails. Page 1 is that of Table 1.
TEXTS: dict[str, tuple[str | None, ...]] = {
    "one": ("ann bob dan eve", "x y", "p"),
    "two": ("ann bob cat", "x y", None),
    "three": ("ann bob fay", "x y", "p q"),
}
calls: list[tuple[str, int]] = []


def write_page(folder: Path, number: int) -> Path:
    """A page with as many black bars as its number."""
    pixels = np.full((40, 60), 255, np.uint8)
    for bar in range(number):
        pixels[5:35, 5 + 10 * bar : 9 + 10 * bar] = 0
    path = folder / f"page{number}.png"
    folder.mkdir(exist_ok=True)
    Image.fromarray(pixels).save(path)
    return path


def read(name: str, ink: Ink, _language: str, progress: Progress) -> str:
    progress(0, None, "reading")
    number = int((np.diff(ink[20].astype(np.int8)) == 1).sum())
    calls.append((name, number))
    text = TEXTS[name][number - 1]
    if text is None:
        raise SpotlabError("it is too dark")
    return text


def no_problem(_language: str) -> str:
    return ""


def version() -> str:
    return "1"


def engine(name: str) -> TextReader:
    return TextReader(name, name, partial(read, name), no_problem, version)
