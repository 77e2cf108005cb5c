"""What is tallied of a run, page by page: each part can be handed to another process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.measures.ignored_area import KINDS
from spotlab.measures.page_tally import PageTally
from spotlab.measures.tally import Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.progress import Progress

Ints = NDArray[np.int64]


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


class RunWork:
    """The parts of a run's pages, each made when it is needed: no outlines are there twice.

    The fullest pages come first, so that no worker is left with a long one at the end. See
    `spotlab.studies.areas.tallying.tally` for what it is made of.
    """

    def __init__(
        self,
        run: Run,
        truths: Mapping[str, Truth],
        pages_of_run: Mapping[str, str | None],
        primitive: Primitive | None,
        engine: Engine,
        progress: Progress,
    ) -> None:
        if engine is Engine.AUTO:
            engine = coverage.choose_engine(len(run), progress)
        self._run, self._truths = run, truths
        self._primitive, self._engine = primitive, engine
        self._number = number = {name: index for index, name in enumerate(truths)}
        resolved = (pages_of_run.get(name) for name in run.pages)
        page_of = np.array([-1 if name is None else number[name] for name in resolved], np.int64)
        page = page_of[run.page]
        self._order = np.argsort(page, kind="stable")
        self._places = np.searchsorted(page[self._order], np.arange(len(truths) + 1))

    def __len__(self) -> int:
        return len(self._truths)

    def __iter__(self) -> Iterator[PageWork]:
        return map(self.of_page, self.order)

    @property
    def order(self) -> list[str]:
        """The pages, the fullest first."""
        names = list(self._truths)
        return [names[at] for at in np.argsort(-np.diff(self._places), kind="stable").tolist()]

    def tally(self, parts: Sequence[PageTally]) -> Tally:
        """The tally of the run, of those of its pages."""
        areas = {name: float(truth.page.area) for name, truth in self._truths.items()}
        return Tally.of(self._run, areas, parts)

    def of_page(self, name: str) -> PageWork:
        """The part of a page."""
        at = self._number[name]
        spot = self._order[self._places[at] : self._places[at + 1]]
        return page_work(self._run, spot, self._truths[name], name, self._primitive, self._engine)


@dataclass(frozen=True)
class RunsWork:
    """The parts of several runs, one run after the other."""

    runs: Sequence[RunWork]

    def __len__(self) -> int:
        return sum(map(len, self.runs))

    def __iter__(self) -> Iterator[PageWork]:
        return chain.from_iterable(self.runs)


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
    spot = np.sort(np.asarray(spot, np.int64))
    regions = truth.regions
    number = {query: index for index, query in enumerate(run.queries)}
    for region in regions:
        number.setdefault(region.label, len(number))
    return PageWork(
        page=name,
        size=(truth.page.width, truth.page.height),
        spot=spot,
        outlines=run.outlines.take(spot),
        query=run.query[spot].astype(np.int64),
        region_id=tuple(region.id for region in regions),
        region_label=tuple(region.label for region in regions),
        region_query=np.array([number[region.label] for region in regions], np.int64),
        region_ignore=np.array([KINDS.index(region.ignore) for region in regions], np.int8),
        regions=Outlines.of([region.array for region in regions]),
        primitive=primitive,
        engine=engine,
    )
