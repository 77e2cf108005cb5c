"""Writes the pages of a synthetic collection, one after the other or side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from spotlab.arrays import Points
from spotlab.compute import each_done
from spotlab.errors import NotSaved, SpotlabError, reason
from spotlab.files import is_missing
from spotlab.progress import Progress
from spotlab.registry import discover, modules_of


def write_pages(
    work: Callable[[int], int], pages: int, jobs: int, progress: Progress, doing: str
) -> int:
    """Do the work of each page; returns the sum of what it counts.

    Parameters
    ----------
    work : callable
        Writes the page with this number, from 0, and says how many things are on it; it has to
        come through to another process.
    jobs : int
        Processes to use; 1 works in this one, 0 uses one a processor.

    Raises
    ------
    Cancelled
        From ``progress``; the pages written so far are whole.
    """
    counts = each_done(work, range(pages), jobs, None, progress, doing)
    return sum(count for _, count in counts)


def prepare(folder: Path, files: Iterable[str], pages: int, seed: int, jobs: int) -> None:
    """Make the folder, and see that none of the files is there already.

    Raises
    ------
    SpotlabError
        The number of pages, seed or jobs makes no sense.
    NotSaved
        The folder cannot be made, or a file is there already.
    """
    if pages < 1 or seed < 0 or jobs < 0:
        raise SpotlabError(f"{pages} pages, seed {seed}, {jobs} jobs; expected at least 1, 0 and 0")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{folder} cannot be made: {reason(error)}") from error
    for file in files:
        path = folder / file
        if not is_missing(path):
            raise NotSaved(f"{path} is there already; choose another folder or remove it")


GROUP = "spotlab.synthesis.symbols"


@dataclass(frozen=True)
class SymbolDrawing:
    """One way to draw something: its footprint in cm and the strokes inside it."""

    width: float
    depth: float
    strokes: tuple[Points, ...]


@dataclass(frozen=True)
class SymbolKind:
    """Something that stands on a floor plan.

    Attributes
    ----------
    name : str
        The label of its regions.
    drawings : tuple of SymbolDrawing
        Several ways to draw it.
    smallest, largest : float
        How much a drawing may be scaled.
    further : bool
        Stands only on plans that are asked to have further kinds (`Options.further`), so that those
        drawn before there was this one stay as they are.
    """

    name: str
    drawings: tuple[SymbolDrawing, ...]
    smallest: float = 0.94
    largest: float = 1.08
    further: bool = False


def symbol_kinds() -> dict[str, SymbolKind]:
    """All kinds that there are, by name.

    Examples
    --------
    >>> "sofa" in symbol_kinds()
    True
    """
    return discover(GROUP, SymbolKind, modules=modules_of("spotlab.lab.draw.symbols"))
