"""Two runs against the same truth under the same settings and cut: what changes between them.

Changes go from the first run to the second: a difference is the second's figure minus the first's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spotlab.imaging.overlay import ComparedKind
from spotlab.measures.comparison import (
    ChangedFigures,
    MeanChange,
    label_changes,
    mean_changes,
    page_changes,
)
from spotlab.measures.cuts import CutRun
from spotlab.model.region import Primitive
from spotlab.model.truth import Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.areas.page_comparison import PageComparison, compare_page
from spotlab.studies.areas.symbol_changes import ChangeList, are_comparable, list_changes

DRAWS = 1000


@dataclass(frozen=True, eq=False)
class ComparedFigures:
    """How the figures change, and which symbols are gained and lost: algebra on two tallies.

    Attributes
    ----------
    first, second : CutRun
        The runs before and after.
    mean : mapping of str to MeanChange
        By figure: precision, recall and F over the truth's queries.
    labels, pages : ChangedFigures
        The same for each label and for each page.
    symbols : ChangeList
        Symbols gained and lost, the biggest first.
    """

    first: CutRun
    second: CutRun
    mean: Mapping[str, MeanChange]
    labels: ChangedFigures
    pages: ChangedFigures
    symbols: ChangeList

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class RunComparison:
    """All that changes from one run to another; make it with `compare_two_runs`.

    Attributes
    ----------
    figures : ComparedFigures
        How the figures change.
    pages : mapping of str to PageComparison
        What only one run found, both, or neither, exactly, by page name.
    changes : ChangeList
        Symbols and false spots gained and lost, the biggest first.
    truths : mapping of str to Truth
        What both runs are compared against, by page name.
    """

    figures: ComparedFigures
    pages: Mapping[str, PageComparison]
    changes: ChangeList
    truths: Mapping[str, Truth]

    __repr__ = short_repr

    @property
    def first(self) -> CutRun:
        """The run before."""
        return self.figures.first

    @property
    def second(self) -> CutRun:
        """The run after."""
        return self.figures.second

    @property
    def areas(self) -> dict[ComparedKind, float]:
        """The area of each kind in px² on all pages, each query by itself."""
        total: dict[ComparedKind, float] = {}
        for page in self.pages.values():
            for kind, area in page.sums().items():
                total[kind] = total.get(kind, 0.0) + area
        return total


def compare_figures(
    first: CutRun,
    second: CutRun,
    query: str | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
) -> ComparedFigures:
    """Compare the figures of two runs, and the symbols that they find.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    query : str, optional
        Compare pages by this label only; by default by all labels of the truth.
    draws, seed : int
        Number of bootstrap draws for the intervals, 0 for none, and the seed of the random numbers.
    progress : Progress
        Is told of every page; may raise `Cancelled`.

    Raises
    ------
    ValueError
        The runs are not tallied against the same truth, or not under the same settings.
    """
    if not are_comparable(first, second):
        raise ValueError("runs are compared against the same truth and under the same settings")
    return ComparedFigures(
        first,
        second,
        mean_changes(first, second, draws, seed),
        label_changes(first, second, draws, seed),
        page_changes(first, second, query, draws, seed, progress),
        list_changes(first, second),
    )


def compare_two_runs(
    first: CutRun,
    second: CutRun,
    truths: Mapping[str, Truth],
    primitive: Primitive | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
) -> RunComparison:
    """Compare two runs, with the areas and false spots of all pages.

    Parameters
    ----------
    first, second : CutRun
        The runs before and after.
    truths : mapping of str to Truth
        What both are tallied against, by page name.
    primitive : Primitive, optional
        What all outlines are turned into before.
    draws, seed : int
        Number of bootstrap draws for the intervals, 0 for none, and the seed of the random numbers.
    progress : Progress
        Is told of every page; may raise `Cancelled`.

    Raises
    ------
    ValueError
        The runs are not tallied against the same truth, or not under the same settings.
    """
    figures = compare_figures(first, second, None, draws, seed, progress)
    pages = {
        page: compare_page(first, second, page, truths[page], primitive)
        for page in track(first.tally.pages, progress, "Comparing pages")
    }
    changes = list_changes(first, second, pages.values())
    return RunComparison(figures, pages, changes, truths)
