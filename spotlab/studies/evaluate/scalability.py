"""The scalability test of Rusiñol & Lladós, §4.4 and §5.4: Table 3, Figs. 9 and 10, and its JSON.

Scalability as JSON: Table 3, Figs. 9 and 10, with null wherever something is undefined.

Curves and deviations are shares in [0, 1] (the paper prints percent), the recognition rate is in %.
For each run ``table`` holds the mean and the largest deviation of recall, precision and F between
numbers of classes, and the mean that drawing alone makes of it. ``curves`` hold one curve for each
of ``class_counts``, averaged over ``draws``, with the ``spread`` between draws; ``centre`` and
``deviation`` are those of all of them, the curve and error bars of Fig. 9. Recall and precision are
sampled at ``thresholds``, the share of every query's list that is kept, F at ``recalls``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.errors import SpotlabError
from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import NEVER, count_by_page
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.scalability import (
    STEP,
    CollectionPart,
    CurveFamily,
    class_counts,
    curve_family,
    draw_subsets,
    drawn_counts,
    part_of_counts,
)
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
    recall, precision : CurveFamily
        At each share of every query's list that a decision threshold keeps (Fig. 9a, b).
    f : CurveFamily
        F_A^β(r) at each recall (Fig. 9c).
    sizes : tuple of CollectionPart
        Growing parts of the collection, in classes and pages (Fig. 10).
    """

    name: str
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
class Draws:
    """Classes and pages that are drawn, the same for all runs.

    Attributes
    ----------
    classes : tuple of str
        Labels of the truth, of which classes are drawn.
    counts : tuple of int
        How many are drawn.
    subsets : tuple of (D, Q) bool
        Classes, for each of ``counts``.
    parts : tuple of ((D, Q) bool, (D, P) bool)
        Classes and pages, for each of `PARTS`.
    """

    classes: tuple[str, ...]
    counts: tuple[int, ...]
    subsets: tuple[Flags, ...]
    parts: tuple[tuple[Flags, Flags], ...]


@dataclass(frozen=True, eq=False)
class Samples:
    """Curves and counts of the queries of some classes.

    Attributes
    ----------
    recall, precision, f : (Q, G) float
        Sampled at `THRESHOLDS`, `THRESHOLDS` and `RECALLS`; NaN where undefined.
    sizes : (S, 3, D) float
        For each of `PARTS`, the numbers of recognised regions, of all regions, and of false
        positives of each draw, of these classes.
    """

    recall: Floats
    precision: Floats
    f: Floats
    sizes: Floats


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
    drawn = draw(classes, len(tally.pages), draws, seed, step, progress)
    runs = [
        run_scalability(name, sample(each, drawn, classes), drawn, progress)
        for name, each in zip(names, figures, strict=True)
    ]
    return scalability_of(figures[0].settings, drawn, runs, draws, seed)


def scalability_of(
    settings: MeasureSettings, drawn: Draws, runs: Sequence[RunScalability], draws: int, seed: int
) -> Scalability:
    """The scalability of runs, from that of each.

    Parameters
    ----------
    settings : MeasureSettings
    drawn : Draws
    runs : sequence of RunScalability
    draws, seed : int
        What `draw` was given.
    """
    return Scalability(
        settings, drawn.classes, drawn.counts, draws, seed, THRESHOLDS, RECALLS, tuple(runs)
    )


def draw(
    classes: Sequence[str], pages: int, draws: int, seed: int, step: int, progress: Progress
) -> Draws:
    """Draw classes and pages.

    Parameters
    ----------
    classes : sequence of str
    pages : int
        Number of all pages.
    draws, seed, step : int
        As in `measure_scalability`.
    progress : Progress
        Told of each number of classes.
    """
    total, random = len(classes), np.random.default_rng(seed)
    counts = class_counts(total, step)
    subsets = tuple(
        draw_subsets(total, count, draws, random)
        for count in track(counts, progress, "drawing classes")
    )
    parts = tuple(
        (
            draw_subsets(total, _part(total, share), draws, random),
            draw_subsets(pages, _part(pages, share), draws, random),
        )
        for share in PARTS
    )
    return Draws(tuple(classes), counts, subsets, parts)


def _part(total: int, share: float) -> int:
    return max(1, round(total * share))


def sample(
    figures: RunFigures, drawn: Draws, classes: Sequence[str], places: Ints | None = None
) -> Samples:
    """Sample the curves of some classes, and count what is drawn of them.

    Parameters
    ----------
    figures : RunFigures
        Of all queries, or of some that have these classes among them.
    drawn : Draws
    classes : sequence of str
        Some of those that are drawn from, in their order.
    places : (P,) int, optional
        The places of the first P pages among all pages, if there are others; nothing is on the
        rest.
    """
    tally = figures.tally
    number = {query: place for place, query in enumerate(tally.queries)}
    chosen = [number[each] for each in classes]
    recall, precision = figures.curves.by_threshold(THRESHOLDS)
    f = figures.curves.sampled_f(RECALLS)
    if figures.settings.missing == "zero":
        f = np.nan_to_num(f, nan=0.0)
    recognised, false = count_by_page(
        tally, figures.recognition_rank < NEVER, figures.first_true_positive_rank == NEVER
    )
    of_class = {name: place for place, name in enumerate(drawn.classes)}
    columns = [of_class[each] for each in classes]
    pages = np.arange(len(tally.pages)) if places is None else places
    sizes = [
        [
            drawn_counts(counts[chosen, : len(pages)], of_classes[:, columns], of_pages[:, pages])
            for counts in (recognised, tally.symbols, false)
        ]
        for of_classes, of_pages in drawn.parts
    ]
    return Samples(recall[chosen], precision[chosen], f[chosen], np.array(sizes))


def joined_samples(samples: Sequence[Samples]) -> Samples:
    """The samples of all these classes, in this order.

    Parameters
    ----------
    samples : sequence of Samples
    """
    recall, precision, f = (
        np.concatenate([getattr(each, name) for each in samples])
        for name in ("recall", "precision", "f")
    )
    return Samples(recall, precision, f, np.sum([each.sizes for each in samples], axis=0))


def run_scalability(
    name: str, samples: Samples, drawn: Draws, progress: Progress
) -> RunScalability:
    """A run's scalability, from the samples of all classes.

    Parameters
    ----------
    name : str
    samples : Samples
    drawn : Draws
    progress : Progress
        Told of each number of classes.
    """
    recall, precision, f = (
        curve_family(each, drawn.subsets, progress)
        for each in (samples.recall, samples.precision, samples.f)
    )
    sizes = tuple(
        part_of_counts(found, every, wrong, int(classes[0].sum()), int(pages[0].sum()))
        for (found, every, wrong), (classes, pages) in zip(samples.sizes, drawn.parts, strict=True)
    )
    return RunScalability(name, recall, precision, f, sizes)


CURVES = ("mean", "spread", "centre", "deviation", "by_chance")


def as_json(scalability: Scalability) -> Any:
    """The scalability of all runs as what `json.dumps` takes: Table 3, Figs. 9 and 10.

    Curves and deviations are shares in [0, 1] (the paper prints percent), the recognition rate is
    in %; what is undefined is None. For each run ``table`` holds the mean and the largest deviation
    of recall, precision and F between numbers of classes, and the mean that drawing alone makes of
    it. ``curves`` hold one curve for each of ``class_counts``, averaged over ``draws``, with the
    ``spread`` between draws; ``centre`` and ``deviation`` are those of all of them, the curve and
    error bars of Fig. 9. Recall and precision are sampled at ``thresholds``, the share of every
    query's list that is kept, F at ``recalls``.
    """
    return to_builtins(
        {
            "settings": {
                **attributes(scalability.settings, "overlap", "beta", "recognised", "missing"),
                **attributes(scalability, "draws", "seed"),
            },
            "classes": scalability.classes,
            "class_counts": scalability.counts,
            "thresholds": scalability.thresholds,
            "recalls": scalability.recalls,
            "runs": [_run(run) for run in scalability.runs],
        }
    )


def _run(run: RunScalability) -> dict[str, Any]:
    families = {"recall": run.recall, "precision": run.precision, "f": run.f}
    return {
        "name": run.name,
        "table": {
            name: attributes(
                each, mean="mean_deviation", maximum="largest_deviation", by_chance="mean_by_chance"
            )
            for name, each in families.items()
        },
        "curves": {name: attributes(each, *CURVES) for name, each in families.items()},
        "sizes": [_size(each) for each in run.sizes],
    }


def _size(each: CollectionPart) -> dict[str, Any]:
    return {
        **attributes(each, "classes", "pages", "symbols"),
        "recognition_rate": {"mean": each.recognition_rate, "spread": each.recognition_spread},
        "false_positives": {"mean": each.false_positives, "spread": each.false_positives_spread},
    }
