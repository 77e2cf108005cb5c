"""The scalability test of Rusiñol & Lladós, §4.4 and §5.4: Table 3, Figs. 9 and 10, for runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.errors import SpotlabError
from spotlab.measures.figures import RunFigures
from spotlab.measures.recognition import NEVER, count_by_page
from spotlab.measures.scalability import (
    STEP,
    CollectionPart,
    CurveFamily,
    Flags,
    Floats,
    class_counts,
    curve_family,
    draw_subsets,
    measure_part,
)
from spotlab.measures.settings import MeasureSettings
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

THRESHOLDS = np.arange(1, 101) / 100  # shares of each query's list
RECALLS = np.arange(1, 101) / 100
PARTS = (1 / 3, 2 / 3, 1.0)  # of the collection, Fig. 10


@dataclass(frozen=True, eq=False)
class RunScalability:
    """One run's scalability.

    Attributes
    ----------
    name : str
    figures : RunFigures
    recall, precision : CurveFamily
        At each share of every query's list that a decision threshold keeps (Fig. 9a, b).
    f : CurveFamily
        F_A^β(r) at each recall (Fig. 9c).
    sizes : tuple of CollectionPart
        Growing parts of the collection, in classes and pages (Fig. 10).
    """

    name: str
    figures: RunFigures
    recall: CurveFamily
    precision: CurveFamily
    f: CurveFamily
    sizes: tuple[CollectionPart, ...]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class Scalability:
    """The scalability of runs that were held against the same truth.

    Attributes
    ----------
    settings : MeasureSettings
    classes : tuple of str
        Labels of the truth; all draws are from these.
    counts : tuple of int
        How many are drawn.
    draws, seed : int
        How often; the same seed draws the same classes, for all runs.
    thresholds, recalls : (G,) float
        Where curves are sampled: shares of every query's list, and recalls.
    runs : tuple of RunScalability
    """

    settings: MeasureSettings
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    draws: int
    seed: int
    thresholds: Floats
    recalls: Floats
    runs: tuple[RunScalability, ...]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class _Draws:
    """Classes for each of their numbers; classes and pages for each part of the collection."""

    subsets: tuple[Flags, ...]
    parts: tuple[tuple[Flags, Flags], ...]


def measure_scalability(
    names: Sequence[str],
    figures: Sequence[RunFigures],
    *,
    draws: int = 100,
    seed: int = 0,
    step: int = STEP,
    progress: Progress = silent,
) -> Scalability:
    """Measure how alike runs answer, however many classes are searched in however many pages.

    Parameters
    ----------
    names : sequence of str
        The runs'.
    figures : sequence of RunFigures
        From tallies over the same truth, under the same settings; at least one.
    draws, seed : int
    step : int
        From one number of classes to the next.

    Raises
    ------
    SpotlabError
        The truth has no labelled regions, so that no class can be drawn.

    Notes
    -----
    Queries without truth take no part, as they have no recall. Where a class has no spots its
    precision is undefined and left out of the averages; in F(r) what a class never reaches counts
    as `MeasureSettings.missing` says.
    """
    tally = figures[0].tally
    known = tally.symbols.sum(axis=1) > 0
    classes = tuple(name for name, has in zip(tally.queries, known.tolist(), strict=True) if has)
    if not classes:
        raise SpotlabError("the truth has no labelled region, so there is no class to draw")
    counts = class_counts(len(classes), step)
    random = np.random.default_rng(seed)
    drawn = _draw(len(classes), len(tally.pages), counts, draws, random, progress)
    runs = [
        _of_run(name, each, classes, drawn, progress)
        for name, each in zip(names, figures, strict=True)
    ]
    settings = figures[0].settings
    return Scalability(settings, classes, counts, draws, seed, THRESHOLDS, RECALLS, tuple(runs))


def _draw(
    classes: int,
    pages: int,
    counts: Sequence[int],
    draws: int,
    random: np.random.Generator,
    progress: Progress,
) -> _Draws:
    subsets = tuple(
        draw_subsets(classes, count, draws, random)
        for count in track(counts, progress, "drawing classes")
    )
    parts = tuple(
        (
            draw_subsets(classes, _part(classes, share), draws, random),
            draw_subsets(pages, _part(pages, share), draws, random),
        )
        for share in PARTS
    )
    return _Draws(subsets, parts)


def _part(total: int, share: float) -> int:
    return max(1, round(total * share))


def _of_run(
    name: str, figures: RunFigures, classes: Sequence[str], drawn: _Draws, progress: Progress
) -> RunScalability:
    number = {query: place for place, query in enumerate(figures.tally.queries)}
    chosen = [number[each] for each in classes]
    recall, precision = figures.curves.by_threshold(THRESHOLDS)
    f = figures.curves.sampled_f(RECALLS)
    if figures.settings.missing == "zero":
        f = np.nan_to_num(f, nan=0.0)

    def averaged(samples: Floats) -> CurveFamily:
        return curve_family(samples[chosen], drawn.subsets, progress)

    sizes = tuple(_sizes(figures, chosen, drawn))
    return RunScalability(name, figures, averaged(recall), averaged(precision), averaged(f), sizes)


def _sizes(figures: RunFigures, chosen: Sequence[int], drawn: _Draws) -> Iterator[CollectionPart]:
    tally = figures.tally
    recognised, false = count_by_page(
        tally, figures.recognition_rank < NEVER, figures.first_true_positive_rank == NEVER
    )
    for classes, pages in drawn.parts:
        yield measure_part(recognised[chosen], tally.symbols[chosen], false[chosen], classes, pages)
