"""Finds spots and regions that do not lie wholly on their page, which is where figures cut them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Ints
from spotlab.geometry import coverage
from spotlab.geometry.outlines import Outlines, clip_to_page, leaves_page
from spotlab.geometry.polygon import Size
from spotlab.model.run import Run
from spotlab.model.truth import Page
from spotlab.representation import short_repr

BEYOND = 1e-6  # px beyond the page that are not worth a word


@dataclass(frozen=True, eq=False)
class OffPage:
    """Outlines that leave their page.

    Attributes
    ----------
    partly : (n,) int
        Some of their area lies on the page and counts, the rest is cut off.
    wholly : (n,) int
        None of it does: they retrieve nothing.
    """

    partly: Ints
    wholly: Ints

    __repr__ = short_repr

    @property
    def count(self) -> int:
        """How many outlines leave their page."""
        return len(self.partly) + len(self.wholly)


NOWHERE = OffPage(np.empty(0, np.int64), np.empty(0, np.int64))


def off_page(outlines: Outlines, page_size: Size) -> OffPage:
    """Which outlines leave a page of this size.

    Examples
    --------
    >>> half, outside = [(-4, 0), (4, 0), (4, 2)], [(9, 9), (12, 9), (9, 12)]
    >>> found = off_page(Outlines.of([half, outside, [(0, 0), (6, 0), (6, 6)]]), (6, 6))
    >>> found.partly.tolist(), found.wholly.tolist()
    ([0], [1])
    """
    leaving = np.flatnonzero(leaves_page(outlines, page_size, BEYOND))
    if not len(leaving):
        return NOWHERE
    on_page = coverage.areas(clip_to_page(outlines.take(leaving), page_size)) > 0
    return OffPage(leaving[on_page], leaving[~on_page])


def spots_off_page(
    run: Run, pages: Mapping[str, Page], pages_of_run: Mapping[str, str | None]
) -> OffPage:
    """Which spots of a run leave their page; nothing is known of pages without truth.

    Parameters
    ----------
    run : Run
    pages : mapping of str to Page
        By name; they say how large they are.
    pages_of_run : mapping of str to str or None
        Which of these each page of the run is.
    """
    sizes = np.full((len(run.pages), 2), np.inf)
    for number, name in enumerate(run.pages):
        known = pages_of_run.get(name)
        if known is not None:
            sizes[number] = pages[known].width, pages[known].height
    bounds = run.outlines.bounds
    beyond = (bounds[:, :2] < -BEYOND) | (bounds[:, 2:] > sizes[run.page] + BEYOND)
    leaving = np.flatnonzero(beyond.any(axis=1) & np.isfinite(sizes[run.page, 0]))
    parts = [NOWHERE]
    for number in np.unique(run.page[leaving]).tolist():
        here = leaving[run.page[leaving] == number]
        width, height = sizes[number].astype(int).tolist()
        found = off_page(run.outlines.take(here), (width, height))
        parts.append(OffPage(here[found.partly], here[found.wholly]))
    return OffPage(
        np.sort(np.concatenate([part.partly for part in parts])),
        np.sort(np.concatenate([part.wholly for part in parts])),
    )
