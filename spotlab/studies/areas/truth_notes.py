"""What there is to say about the truth that runs are held against: counts, and odd regions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spotlab.geometry.outlines import Outlines
from spotlab.model.region import Ignore
from spotlab.model.truth import Truth
from spotlab.studies.areas.off_page import off_page
from spotlab.studies.areas.outline_flaws import outline_flaws


@dataclass(frozen=True)
class Flawed:
    """A truth region that may surprise.

    Attributes
    ----------
    page, region : str
        The page's name and the region's id.
    label : str
    """

    page: str
    region: str
    label: str


@dataclass(frozen=True)
class TruthNotes:
    """Counts and odd regions of the truth of some pages.

    Attributes
    ----------
    regions : int
        Number of regions.
    ignored_symbols, ignored_areas : int
        Number of those that are ignored, of each kind.
    without_area, crossing : tuple of Flawed
        Regions that enclose nothing; whose outline crosses itself or winds around some place more
        than once, so that its area depends on the even-odd rule.
    without_label, off_page : tuple of Flawed
        Those without a label belong to no query; of those that leave the page only what lies on it
        counts.
    """

    regions: int = 0
    ignored_symbols: int = 0
    ignored_areas: int = 0
    without_area: tuple[Flawed, ...] = ()
    crossing: tuple[Flawed, ...] = ()
    without_label: tuple[Flawed, ...] = ()
    off_page: tuple[Flawed, ...] = ()

    @property
    def ignored(self) -> int:
        """Number of ignored regions."""
        return self.ignored_symbols + self.ignored_areas


def notes_on(truths: Iterable[tuple[str, Truth]]) -> TruthNotes:
    """Note what there is to say about the truth of some pages.

    Parameters
    ----------
    truths : iterable of (str, Truth)
        Each with the name of its page.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page, Region
    >>> line = Region(((0, 0), (5, 5), (9, 9)), "bed", "r1")
    >>> notes = notes_on([("plan", Truth(Page(Path("plan.png"), 20, 20), (line,)))])
    >>> notes.regions, notes.without_area
    (1, (Flawed(page='plan', region='r1', label='bed'),))
    """
    regions, leaving, kinds = [], [], []
    for page, truth in truths:
        own = [Flawed(page, region.id, region.label) for region in truth.regions]
        kinds += [region.ignore for region in truth.regions if region.ignored]
        leaving += [own[place] for place in _leaving(truth)]
        regions += [(each, region.array) for each, region in zip(own, truth.regions, strict=True)]
    flaws = outline_flaws(Outlines.of([array for _, array in regions]))
    return TruthNotes(
        len(regions),
        kinds.count(Ignore.SYMBOL),
        kinds.count(Ignore.AREA),
        tuple(regions[place][0] for place in flaws.without_area),
        tuple(regions[place][0] for place in flaws.crossing),
        tuple(flawed for flawed, _ in regions if not flawed.label),
        tuple(leaving),
    )


def sum_notes(parts: Sequence[TruthNotes]) -> TruthNotes:
    """The notes on the truth of all these pages, in this order.

    Parameters
    ----------
    parts : sequence of TruthNotes

    Examples
    --------
    >>> sum_notes([TruthNotes(2), TruthNotes(3, 1)]).regions
    5
    """
    return TruthNotes(
        sum(part.regions for part in parts),
        sum(part.ignored_symbols for part in parts),
        sum(part.ignored_areas for part in parts),
        *(
            tuple(flawed for part in parts for flawed in getattr(part, name))
            for name in ("without_area", "crossing", "without_label", "off_page")
        ),
    )


def _leaving(truth: Truth) -> list[int]:
    outlines = Outlines.of([region.array for region in truth.regions])
    found = off_page(outlines, (truth.page.width, truth.page.height))
    return sorted([*found.partly.tolist(), *found.wholly.tolist()])
