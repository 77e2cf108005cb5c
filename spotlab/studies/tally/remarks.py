"""Remarks on an evaluation: odd regions of the truth, what is ignored, and words for lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.arrays import Ints
from spotlab.errors import counted
from spotlab.geometry.outlines import Outlines
from spotlab.measures.errors import ErrorKind, Errors
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import NONE, Tally
from spotlab.model.queries import QueryModel
from spotlab.model.region import Ignore
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.studies.tally.outlines import off_page, outline_flaws

MOST_NAMES = 5  # that a line names; `listed` names all


def some(names: Iterable[str]) -> str:
    """The first names and how many more there are.

    Examples
    --------
    >>> some("abc"), some("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    all_of_them = list(names)
    text = ", ".join(all_of_them[:MOST_NAMES])
    more = len(all_of_them) - MOST_NAMES
    return f"{text} and {more:,} more" if more > 0 else text


def spot_places(run: Run, spots: Ints) -> Iterator[str]:
    """Origins of spots: the line of the file, or the query and rank."""
    for spot in spots.tolist():
        line = int(run.line[spot])
        query = run.queries[run.query[spot]]
        yield f"line {line}" if line else f"{query}, rank {int(run.rank[spot])}"


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


BOTH = {"area_precision": "area precision", "area_recall": "area recall", "iou_precision": "AP"}


def ignored_regions_remark(notes: TruthNotes) -> Iterator[str]:
    """A line on the ignored regions of the truth, if there are any.

    Parameters
    ----------
    notes : TruthNotes

    Examples
    --------
    >>> list(ignored_regions_remark(TruthNotes(3, ignored_areas=1)))
    ['1 truth region ignored (0 symbols, 1 area): neither found nor missed nor false']
    """
    if notes.ignored:
        yield (
            f"{counted(notes.ignored, 'truth region')} ignored "
            f"({counted(notes.ignored_symbols, 'symbol')}, "
            f"{counted(notes.ignored_areas, 'area')}): "
            "neither found nor missed nor false"
        )


def ignored_remarks(
    tally: Tally,
    errors: Errors,
    figures: RunFigures,
    models: Mapping[str, Sequence[QueryModel]],
    with_models: RunFigures | None,
) -> Iterator[str]:
    """Lines on what is ignored of a run.

    Parameters
    ----------
    tally, errors, figures
        Of the run.
    models : mapping of str to sequence of QueryModel
        What its queries were taken from, by page.
    with_models : RunFigures or None
        The figures that count them, where ``figures`` does not.
    """
    spots = int(errors.count(ErrorKind.IGNORED).sum())
    if spots:
        regions = "an ignored region" if spots == 1 else "ignored regions"
        yield f"{counted(spots, 'spot')} ignored, on {regions}: neither right nor false"
    number = sum(map(len, models.values()))
    if number and with_models is not None:
        yield (
            f"{counted(number, 'query model')} ignored, with the spots on "
            f"{'it' if number == 1 else 'them'}: {_figures(figures)}; counted: "
            f"{_figures(with_models)}"
        )
    elif number:
        yield (
            f"{counted(number, 'query model')} counted: the spots that are the models themselves "
            "make the figures better"
        )


def ignored_counts(tally: Tally, errors: Errors) -> list[dict[str, Any]]:
    """Number of ignored regions and spots and the ignored area in px², of every query.

    Parameters
    ----------
    tally, errors
        Of the run.

    Returns
    -------
    list of dict
        One for each of the tally's queries; regions without a label count for each.
    """
    spots = errors.count(ErrorKind.IGNORED).tolist()
    queries = len(tally.queries)
    if tally.ignored is None:
        return [{"regions": 0, "spots": 0, "area": 0.0} for _ in range(queries)]
    regions, of_all = tally.ignored.query, int((tally.ignored.query == -1).sum())
    own = np.bincount(regions[regions > NONE + 1], minlength=queries)
    areas = tally.ignored.area.sum(axis=1).tolist()
    return [
        {"regions": int(own[query]) + of_all, "spots": spots[query], "area": areas[query]}
        for query in range(queries)
    ]


def _figures(figures: RunFigures) -> str:
    values = ((name, figures.mean[key]) for key, name in BOTH.items())
    return ", ".join(f"{name} {'–' if value is None else f'{value:.3f}'}" for name, value in values)
