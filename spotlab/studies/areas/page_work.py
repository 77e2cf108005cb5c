"""What is tallied of a run, page by page: each part can be handed to another process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.measures.tally import KINDS
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth


@dataclass(frozen=True, eq=False)
class PageWork:
    """One page's part, without the rest of the run, to be handed to another process."""

    page: str
    size: tuple[int, int]
    spot: Ints
    outlines: Outlines
    query: Ints
    region_id: tuple[str, ...]
    region_label: tuple[str, ...]
    region_query: Ints  # the place among the run's queries or, for other labels, after them
    region_ignore: NDArray[np.int8]  # the place of each region's `Ignore` in `KINDS`
    regions: Outlines
    primitive: Primitive | None
    engine: Engine


class RunSpots:
    """Which spots of a run are on which page.

    Parameters
    ----------
    run : Run
    pages : iterable of str
        The names of all pages.
    pages_of_run : mapping of str to str or None
        Which of these each page of the run is; spots on pages that are none are left out.
    """

    def __init__(
        self, run: Run, pages: Iterable[str], pages_of_run: Mapping[str, str | None]
    ) -> None:
        self.run = run
        self._number = number = {name: index for index, name in enumerate(pages)}
        resolved = (pages_of_run.get(name) for name in run.pages)
        page_of = np.array([-1 if name is None else number[name] for name in resolved], np.int64)
        page = page_of[run.page]
        self._order = np.argsort(page, kind="stable")
        self._places = np.searchsorted(page[self._order], np.arange(len(number) + 1))

    @property
    def fullest_first(self) -> list[str]:
        """All pages, so that no worker is left with a long one at the end."""
        names = list(self._number)
        return [names[at] for at in np.argsort(-np.diff(self._places), kind="stable").tolist()]

    def of_page(self, name: str) -> Ints:
        """The spots of a page."""
        at = self._number[name]
        return self._order[self._places[at] : self._places[at + 1]]


@dataclass(frozen=True, eq=False)
class SomeSpots:
    """Spots of a run on one page, without the rest of the run.

    Attributes
    ----------
    spot : (S,) int
        Their numbers in the run, rising.
    outlines : Outlines
    query : (S,) int
        Places of their queries among the run's.
    """

    spot: Ints
    outlines: Outlines
    query: Ints

    @classmethod
    def of(cls, run: Run, spot: Ints) -> SomeSpots:
        """Some spots of a run, by their numbers in any order."""
        spot = np.sort(np.asarray(spot, np.int64))
        return cls(spot, run.outlines.take(spot), run.query[spot].astype(np.int64))


def page_work(
    run: Run, spot: Ints, truth: Truth, name: str, primitive: Primitive | None, engine: Engine
) -> PageWork:
    """Gather what is tallied of a page.

    Parameters
    ----------
    run : Run
    spot : (S,) int
        Numbers of the run's spots on the page.
    truth : Truth
        Of the page.
    name : str
        What the page is called in the tally.
    primitive : Primitive, optional
        See `spotlab.studies.areas.tallying.tally_page`.
    engine : Engine
        What computes areas.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page
    >>> nothing, none = Run.ordered("nothing", [], [], Outlines.of([])), np.array([], int)
    >>> truth = Truth(Page(Path("1.png"), 20, 30))
    >>> page_work(nothing, none, truth, "1", None, Engine.REFERENCE).size
    (20, 30)
    """
    return work_of_spots(SomeSpots.of(run, spot), run.queries, truth, name, primitive, engine)


def work_of_spots(
    spots: SomeSpots,
    queries: Sequence[str],
    truth: Truth,
    name: str,
    primitive: Primitive | None,
    engine: Engine,
) -> PageWork:
    """Gather what is tallied of a page, without the run.

    Parameters
    ----------
    spots : SomeSpots
        On the page.
    queries : sequence of str
        All of the run's.
    truth, name, primitive, engine
        As in `page_work`.
    """
    regions = truth.regions
    number = {query: index for index, query in enumerate(queries)}
    for region in regions:
        number.setdefault(region.label, len(number))
    return PageWork(
        page=name,
        size=(truth.page.width, truth.page.height),
        spot=spots.spot,
        outlines=spots.outlines,
        query=spots.query,
        region_id=tuple(region.id for region in regions),
        region_label=tuple(region.label for region in regions),
        region_query=np.array([number[region.label] for region in regions], np.int64),
        region_ignore=np.array([KINDS.index(region.ignore) for region in regions], np.int8),
        regions=Outlines.of([region.array for region in regions]),
        primitive=primitive,
        engine=engine,
    )
