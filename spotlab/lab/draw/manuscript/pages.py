"""Manuscripts with exact truth: `spotlab synthesise manuscript`."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.formats.rows.files import write_atomically
from spotlab.interruption import undisturbed
from spotlab.lab.draw.collection import prepare, write_pages
from spotlab.lab.draw.manuscript.hand import Blot, LetterHand, lay_ink, make_hand
from spotlab.lab.draw.manuscript.layout import PageWriter, WrittenBlock
from spotlab.lab.draw.manuscript.options import ManuscriptOptions
from spotlab.lab.draw.manuscript.paper import age_paper
from spotlab.lab.draw.manuscript.transcript import Transcript, TrueBlock, TrueLine, TrueWord
from spotlab.lab.draw.plans.pen import ink_hull
from spotlab.progress import Progress, silent

DEFAULT = ManuscriptOptions()
Ink = NDArray[np.uint8]
INK_LEVEL = 80  # of 255, from which a pixel counts as ink


def page_name(number: int) -> str:
    """Name of the page with this number, from 0, without an ending.

    Examples
    --------
    >>> page_name(0)
    'letter_001'
    """
    return f"letter_{number + 1:03d}"


def writer(number: int, seed: int, options: ManuscriptOptions) -> LetterHand:
    """Tell who writes the page: the writers take turns."""
    return make_hand(seed * 1_000 + number % options.hands)


def make_page(
    number: int, seed: int, options: ManuscriptOptions = DEFAULT
) -> tuple[Ink, Transcript]:
    """Write one page; it depends on nothing but the number, the seed and the options.

    Parameters
    ----------
    number : int
        Which page of the collection, from 0.
    seed : int
        Not negative.

    Returns
    -------
    (H, W) uint8
        Grey levels.
    Transcript
        Every word with the convex hull of its ink, in whole px.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    front, behind, paper = rng.spawn(3)  # so that the paper does not change what is written
    hand = writer(number, seed, options)
    ink, transcript = _side(hand, options, front)
    back = _side(hand, options, behind)[0] if options.bleed else ink
    return age_paper(ink, back, options, paper), transcript


def _side(
    hand: LetterHand, options: ManuscriptOptions, rng: np.random.Generator
) -> tuple[Ink, Transcript]:
    sheet = PageWriter(options, hand, rng)
    blocks = sheet.blocks()
    ink = np.zeros((options.height, options.width), np.uint8)
    well = _Inkwell(options.fading, rng)
    true = [_inked(block, sheet, ink, well, rng) for block in blocks]
    return ink, Transcript(options.width, options.height, tuple(b for b in true if b.lines))


class _Inkwell:
    """Wetness of the pen, which runs dry over several words and is then dipped again."""

    def __init__(self, fading: float, rng: np.random.Generator) -> None:
        self._fading, self._rng = fading, rng
        self._left = self._full = 1

    def wet(self) -> float:
        self._left -= 1
        if self._left <= 0:
            self._left = self._full = int(self._rng.integers(4, 11))
        return 1 - 0.45 * self._fading * (1 - self._left / self._full)


def _inked(
    block: WrittenBlock, sheet: PageWriter, ink: Ink, well: _Inkwell, rng: np.random.Generator
) -> TrueBlock:
    lines = []
    for line in block.lines:
        words = []
        for word in line.words:
            wet = well.wet()
            hull = _blotted(lay_ink(word.strokes, sheet.hand, sheet.unit, wet, rng), ink)
            if word.points:
                _blotted(lay_ink(word.points, sheet.hand, sheet.unit, wet, rng), ink)
            if len(hull):
                words.append(TrueWord(word.text, word.behind, hull))
        if words:
            lines.append(TrueLine(tuple(words), line.baseline))
    return TrueBlock(block.kind, tuple(lines))


def _blotted(blot: Blot, page: Ink) -> NDArray[np.float64]:
    """Put ink on the page; returns the hull of what is seen of it, empty if that is nothing."""
    height, width = page.shape
    left, top = max(0, -blot.left), max(0, -blot.top)
    ink = blot.ink[top : max(top, height - blot.top), left : max(left, width - blot.left)]
    x, y = blot.left + left, blot.top + top
    part = page[y : y + ink.shape[0], x : x + ink.shape[1]]
    np.maximum(part, ink, out=part)
    hull = np.asarray(ink_hull(ink >= INK_LEVEL), np.float64)
    return hull + np.array([x, y]) if len(hull) else hull


def encoded(pixels: Ink, jpeg: int) -> bytes:
    """The page as a PNG file, or as a JPEG file of this quality."""
    buffer = io.BytesIO()
    if jpeg:
        Image.fromarray(pixels).save(buffer, "JPEG", quality=jpeg, optimize=True)
    else:
        Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def write_page(number: int, folder: Path, seed: int, options: ManuscriptOptions) -> int:
    """Write one page, its truth first; returns how many words are on it."""
    pixels, transcript = make_page(number, seed, options)
    name = f"{page_name(number)}{options.suffix}"
    image = encoded(pixels, options.jpeg)
    with undisturbed:  # a process that is ended leaves both files or none
        write_atomically(folder / f"{page_name(number)}.xml", transcript.page_xml(name))
        write_atomically(folder / name, image)
    return len(transcript.words)


def write_collection(
    folder: Path,
    pages: int,
    seed: int,
    options: ManuscriptOptions = DEFAULT,
    jobs: int = 1,
    progress: Progress = silent,
) -> int:
    """Write pages of handwriting with their truth to a folder.

    The files depend on seed and options alone: page 3 is the same whether 3 or 300 pages are
    written, by one process or by several.

    Parameters
    ----------
    folder : Path
        Made if it is not there; pages that are in it are never overwritten.
    pages : int
        How many.
    jobs : int
        Processes to use; 1 works in this one, 0 uses one a processor.

    Returns
    -------
    int
        How many words there are on all pages together.

    Raises
    ------
    SpotlabError
        The number of pages, seed or jobs makes no sense.
    NotSaved
        A file cannot be written, or is there already.
    Cancelled
        From ``progress``; the pages written so far are whole.
    """
    folder = Path(folder)
    names = [page_name(number) for number in range(pages)]
    files = [f"{name}{suffix}" for name in names for suffix in (options.suffix, ".xml")]
    prepare(folder, files, pages, seed, jobs)
    work = partial(write_page, folder=folder, seed=seed, options=options)
    return write_pages(work, pages, jobs, progress, "writing manuscripts")
