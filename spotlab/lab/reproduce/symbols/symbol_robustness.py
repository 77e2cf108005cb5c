"""Numbers of symbols still found where strokes are broken or symbols touch walls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.compute import each_done
from spotlab.lab.draw.collection import symbol_kinds
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import CLEAN, FloorPlanOptions
from spotlab.lab.reproduce.symbols.descriptor_invariance import RESOLUTION
from spotlab.measures.matching import average_precision_at_iou, match_spots
from spotlab.model import Truth
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.symbols.engine.method import (
    SymbolSettings,
    extract_features,
    features_of_model,
)
from spotlab.spotting.symbols.engine.page_features import (
    QueryFeatures,
    QuerySpots,
    SymbolModel,
    draw_model,
)
from spotlab.spotting.symbols.methods import spotting_method_of, spotting_methods
from spotlab.spotting.symbols.search.symbol_search import run_of, spot_labels
from spotlab.studies.tally.tallying import tally

GAPS = (0.0, 1.0, 2.0, 4.0, 8.0)  # places where the pen lost contact, per 1,000 px of stroke
TOUCHING = (0.0, 0.25, 0.5, 0.75, 1.0)  # share of the symbols whose ink touches a wall
Queries = Mapping[bool, Sequence[QueryFeatures]]  # of models, plain and mended
FIGURES = ("recall", "precision", "first", "average_precision")


@dataclass(frozen=True)
class RobustnessPoint:
    """One method at one amount of damage.

    Attributes
    ----------
    damage : str
        "gaps" or "touching".
    amount : float
        Gaps per 1,000 px of stroke, or the share of symbols that touch a wall.
    method : str
    mended : bool
        Whether broken strokes are bridged and walls removed.
    symbols, spots, found : int
        Numbers of symbols, of spots, and of symbols that a spot of their class matches with an
        intersection over union of at least one half.
    first : float or None
        Share of the symbols found by each class's best spots, as many as it has symbols; precision
        is the same there.
    average_precision : float or None
        At that overlap, the mean over the classes.
    """

    damage: str
    amount: float
    method: str
    mended: bool
    symbols: int
    spots: int
    found: int
    first: float | None
    average_precision: float | None

    @property
    def recall(self) -> float | None:
        """Share of the symbols that are found; None where there are none."""
        return _share(self.found, self.symbols)

    @property
    def precision(self) -> float | None:
        """Share of the spots that find one; None where there are none."""
        return _share(self.found, self.spots)


@dataclass(frozen=True)
class RobustnessCurve:
    """One method against one kind of damage.

    Attributes
    ----------
    damage, method : str
    mended : bool
    amounts : tuple of float
        Rising.
    recall, precision, first, average_precision : tuple of (float or None)
        At each amount, see `RobustnessPoint`.
    """

    damage: str
    method: str
    mended: bool
    amounts: tuple[float, ...]
    recall: tuple[float | None, ...]
    precision: tuple[float | None, ...]
    first: tuple[float | None, ...]
    average_precision: tuple[float | None, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class Robustness:
    """The curves of all methods against all kinds of damage.

    Attributes
    ----------
    points : tuple of RobustnessPoint
        By damage, amount, method, plain before mended.
    titles : mapping of str to str
        What each method is called, by its name.
    pages : int
        Number of pages drawn for each amount.
    models : tuple of str
        The class of each model that was searched.
    """

    points: tuple[RobustnessPoint, ...]
    titles: Mapping[str, str]
    pages: int
    models: tuple[str, ...]

    __repr__ = short_repr

    @property
    def curves(self) -> tuple[RobustnessCurve, ...]:
        """By damage and method, plain before mended."""
        keys = dict.fromkeys((point.damage, point.method, point.mended) for point in self.points)
        curves = []
        for damage, method, mended in keys:
            own = [
                point
                for point in self.points
                if (point.damage, point.method, point.mended) == (damage, method, mended)
            ]
            values = (tuple(getattr(point, name) for point in own) for name in FIGURES)
            curves.append(
                RobustnessCurve(damage, method, mended, tuple(p.amount for p in own), *values)
            )
        return tuple(sorted(curves, key=lambda curve: (curve.damage, curve.method, curve.mended)))

    @property
    def as_json(self) -> dict[str, Any]:
        """All of it for a file; null is undefined."""
        names = ("damage", "amount", "method", "mended", "symbols", "spots", "found", *FIGURES)
        return {
            "pages": self.pages,
            "models": list(self.models),
            "methods": dict(self.titles),
            "points": [{name: getattr(point, name) for name in names} for point in self.points],
        }


def measure_robustness(
    pages: int = 4,
    seeds: Sequence[int] = (100,),
    methods: Sequence[str] | None = None,
    progress: Progress = silent,
    *,
    gaps: Sequence[float] = GAPS,
    touching: Sequence[float] = TOUCHING,
    options: FloorPlanOptions = CLEAN,
    jobs: int = 1,
    cluster: str | None = None,
) -> Robustness:
    """Spot symbols on floor plans that are damaged more and more, plainly and mended.

    The same plans are drawn for all amounts of broken strokes; symbols that touch walls stand
    elsewhere. Each class is searched by clean models of all designs that it is drawn in, as one
    query.

    Parameters
    ----------
    pages : int
        Number of pages for each seed.
    seeds : sequence of int
    methods : sequence of str, optional
        Their names; all by default.
    gaps, touching : sequence of float
        See `FloorPlanOptions`.
    options : FloorPlanOptions
        How pages are drawn otherwise.
    jobs : int
        Number of worker processes; 0 means one per CPU core. The result does not depend on it.
    cluster : str, optional
        Address of a Dask scheduler whose workers do the work; see `spotlab.compute.executor`.

    Raises
    ------
    SpotlabError
        There is no such method.
    Cancelled
        From ``progress``.
    """
    names = tuple(spotting_methods()) if methods is None else tuple(methods)
    titles = {name: spotting_method_of(name).title for name in names}
    models = _models(options)
    damages = [("gaps", amount, replace(options, gaps=amount)) for amount in gaps]
    damages += [("touching", share, replace(options, touching=share)) for share in touching]
    places = [(number, seed) for seed in seeds for number in range(pages)]
    using = [spotting_method_of(name) for name in names]
    queries = {
        mended: [features_of_model(model, using, mended) for model in models]
        for mended in (False, True)
    }
    works = [
        _RobustnessWork(damaged, number, seed, names, mended)
        for _, _, damaged in damages
        for mended in (False, True)
        for number, seed in places
    ]
    done = dict(_each_searched(works, queries, jobs, cluster, progress))
    points = []
    for place, (damage, amount, _) in enumerate(damages):
        outcomes = {}
        for mended in (False, True):
            start = (2 * place + mended) * len(places)
            outcomes[mended] = [done[start + number] for number in range(len(places))]
        points += [
            _judged(damage, amount, name, mended, outcomes[mended])
            for name in names
            for mended in (False, True)
        ]
    return Robustness(tuple(points), titles, len(places), tuple(model.name for model in models))


def _models(options: FloorPlanOptions) -> list[SymbolModel]:
    """A clean model of each design of each class."""
    return [
        draw_model(kind.name, [stroke * RESOLUTION for stroke in design.strokes], options.pen)
        for kind in symbol_kinds().values()
        for design in kind.drawings
        if options.further or not kind.further
    ]


@dataclass(frozen=True)
class _RobustnessWork:
    """A page to draw and to search."""

    options: FloorPlanOptions
    number: int
    seed: int
    methods: tuple[str, ...]
    mended: bool


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The truth of a page, and the spots of each class there by each method."""

    truth: Truth
    spots: Mapping[str, Mapping[str, QuerySpots]]


def _each_searched(
    works: Sequence[_RobustnessWork],
    queries: Queries,
    jobs: int,
    cluster: str | None,
    progress: Progress,
) -> Iterator[tuple[int, _Outcome]]:
    doing = "spotting in damaged plans"
    return each_done(_search, works, jobs, cluster, progress, doing, common=(queries,))


def _search(work: _RobustnessWork, queries: Queries) -> _Outcome:
    folder = Path(str(work.seed))
    pixels, truth = make_page(work.number, work.seed, work.options, folder)
    using = [spotting_method_of(name) for name in work.methods]
    page = extract_features(pixels, using, SymbolSettings(mend=work.mended))
    asked = queries[work.mended]
    return _Outcome(truth, {method.name: spot_labels(method, page, asked) for method in using})


def _judged(
    damage: str, amount: float, method: str, mended: bool, outcomes: Sequence[_Outcome]
) -> RobustnessPoint:
    """All pages of one amount together."""
    truths = {str(number): page.truth for number, page in enumerate(outcomes)}
    spots = [(str(number), [*page.spots[method].values()]) for number, page in enumerate(outcomes)]
    labels = [*dict.fromkeys(label for page in outcomes for label in page.spots[method])]
    run = run_of(method, labels, spots)
    tallied = tally(run, truths, {name: name for name in truths})
    right = match_spots(tallied) >= 0
    symbols = tallied.symbols.sum(axis=1)
    precisions = average_precision_at_iou(tallied)
    known = ~np.isnan(precisions)
    return RobustnessPoint(
        damage,
        amount,
        method,
        mended,
        symbols=int(symbols.sum()),
        spots=len(tallied),
        found=int(right.sum()),
        first=_share(int((right & (tallied.rank <= symbols[tallied.query])).sum()), symbols.sum()),
        average_precision=float(precisions[known].mean()) if known.any() else None,
    )


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None
