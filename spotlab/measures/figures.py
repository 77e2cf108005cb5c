"""All figures of a run, from its tally: for every spot, every query, their mean, and at any cut.

Means and sums go over the truth's queries, so that runs are comparable whatever else they search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.measures import area, symbols
from spotlab.measures.average_precision import average_precision
from spotlab.measures.central import CentralCurve, Missing, central_tendency, places_by_threshold
from spotlab.measures.figure_list import FIGURES, Figure
from spotlab.measures.iou import average_precision_at_iou
from spotlab.measures.outside import OutsideQuery, outside_queries
from spotlab.measures.tally import Floats, Ints, Overlap, Tally
from spotlab.representation import short_repr

__all__ = ["FIGURES", "Figure", "OutsideQuery", "RunFigures", "Settings", "figures_of"]

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Settings:
    """How figures are computed.

    Attributes
    ----------
    overlap : Overlap
        Whether a place that several regions cover counts once.
    beta : float
        Of F: above 1 recall weighs more.
    recognised : float
        Share of a symbol's area from which it is recognised.
    iou : float
        Intersection over union from which a spot is right, for AP and kinds of errors.
    missing : str
        What a query counts in mean curves at a recall that it never reaches: "zero" or "drop", see
        `RunFigures.central`.
    """

    overlap: Overlap = Overlap.UNION
    beta: float = 1.0
    recognised: float = 0.75
    iou: float = 0.5
    missing: Missing = "zero"

    def __post_init__(self) -> None:
        if not isinstance(self.overlap, Overlap):
            raise TypeError(f"the overlap is an Overlap, not {self.overlap!r}")
        if not (0 < self.beta < math.inf and 0 < self.recognised <= 1 and 0 < self.iou <= 1):
            raise ValueError("β has to be above 0, shares above 0 and at most 1")


class Columns(Mapping[str, Floats]):
    """The queries' figures by name; those that take long are computed when they are asked for."""

    def __init__(self, figures: RunFigures) -> None:
        self._figures = figures
        self._known: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        if name not in self._known:
            self._known.update(self._figures._column(name))
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return (figure.name for figure in FIGURES)

    def __len__(self) -> int:
        return len(FIGURES)


@dataclass(frozen=True, eq=False)
class RunFigures:
    """The figures of a run; make them with `figures_of`.

    Attributes
    ----------
    tally : Tally
    settings : Settings
    truth : (Q,) float
        A(T) of each query.
    retrieved, relevant : (N,) float
        A(R_n) and A(R_n ⊕ T) of a query whose list ends after each spot.
    precision, recall, fall_out, f : (N,) float
        Eqs. 7, 9, 11 there; NaN where undefined.
    recognised_at : (T,) int
        See `symbols.recognised_at`.
    cleared_at : (N,) int
        See `symbols.cleared_at`.
    recognised, false_positives : (N,) int
        Counts of a query whose list ends after each spot.
    """

    tally: Tally
    settings: Settings
    truth: Floats
    retrieved: Floats
    relevant: Floats
    precision: Floats
    recall: Floats
    fall_out: Floats
    f: Floats
    recognised_at: Ints
    cleared_at: Ints
    recognised: Ints
    false_positives: Ints

    __repr__ = short_repr

    @cached_property
    def columns(self) -> Columns:
        """Each figure's (Q,) values by its name; NaN where undefined."""
        return Columns(self)

    @cached_property
    def in_truth(self) -> Flags:
        """(Q,) whether the truth has a region of a query; means and sums go over these."""
        return np.asarray(self._symbols > 0)

    @cached_property
    def outside(self) -> tuple[OutsideQuery, ...]:
        """The queries that the run searches and the truth does not have."""
        retrieved = _at(self.retrieved, self._last)
        fall_out, false = (self.columns[name] for name in ("fall_out", "false_positives"))
        return outside_queries(self.tally, self.in_truth, retrieved, fall_out, false)

    @cached_property
    def mean(self) -> dict[str, float | None]:
        """The mean over the truth's queries where a figure is defined; None where it is for none.

        One value a figure by its name, whatever other queries the run has.
        """
        found: dict[str, float | None] = {}
        for name, values in self.columns.items():
            there = self.in_truth & ~np.isnan(values)
            found[name] = float(values[there].mean()) if there.any() else None
        return found

    @cached_property
    def defined(self) -> dict[str, int]:
        """For how many of the truth's queries each figure is defined."""
        return {
            name: int((self.in_truth & ~np.isnan(values)).sum())
            for name, values in self.columns.items()
        }

    @cached_property
    def pooled(self) -> dict[str, float | None]:
        """The figures of the truth's queries' areas and symbols together; none of ranked lists.

        False positives, recognised and all symbols are sums over these queries.
        """
        last, own = self.at(np.diff(self.tally.starts)), self.in_truth
        sums = {
            name: float(np.nansum(last[name][own])) for name in ("recognised", "false_positives")
        }
        retrieved, relevant = (
            float(_at(values, self._last)[own].sum()) for values in (self.retrieved, self.relevant)
        )
        truth, pages = float(self.truth[own].sum()), float(self.tally.page_area.sum())
        # every query is asked of every page, so the pages count once for each
        whole = pages * int(own.sum())
        count = float(self.tally.symbols.sum())
        found = {
            "area_precision": area.ratio(relevant, retrieved),
            "area_recall": area.ratio(relevant, truth),
            "f": area.f_score(relevant, retrieved, truth, self.settings.beta),
            "fall_out": _fall_out(relevant, retrieved, truth, whole, self.settings.overlap),
            "generality": area.generality(truth, whole),
            "symbols": count,
            "recognition_rate": area.ratio(100 * sums["recognised"], count),
            **sums,
        }
        return {figure.name: _defined(found.get(figure.name)) for figure in FIGURES}

    def at(self, counts: Ints) -> dict[str, Floats]:
        """Figures of every query when it keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many each keeps.

        Returns
        -------
        dict of str to (Q,) float
            area_precision, area_recall, f, fall_out, recognised, recognition_rate and
            false_positives; NaN where undefined.
        """
        tally = self.tally
        kept = np.minimum(counts, np.diff(tally.starts))
        places = np.where(kept > 0, tally.starts[:-1] + kept - 1, -1)
        relevant, retrieved = _at(self.relevant, places), _at(self.retrieved, places)
        recognised = _at(self.recognised, places)
        pages, beta = float(tally.page_area.sum()), self.settings.beta
        return {
            "area_precision": area.ratio(relevant, retrieved),
            "area_recall": area.ratio(relevant, self.truth),
            "f": area.f_score(relevant, retrieved, self.truth, beta),
            "fall_out": _fall_out(relevant, retrieved, self.truth, pages, self.settings.overlap),
            "recognised": recognised,
            "recognition_rate": area.ratio(100 * recognised, self._symbols),
            "false_positives": _at(self.false_positives, places),
        }

    def sampled_precision(self, grid: Floats) -> Floats:
        """(Q, G) P_A(r): precision at the first rank where recall reaches r; NaN beyond."""
        return area.sample(self.precision, self._reaching(grid))

    def sampled_fall_out(self, grid: Floats) -> Floats:
        """(Q, G) fall-out at the first rank where recall reaches r; NaN beyond."""
        return area.sample(self.fall_out, self._reaching(grid))

    def sampled_f(self, grid: Floats) -> Floats:
        """(Q, G) F_A^β(r) (eq. 10) from P_A(r) and r itself; NaN beyond the final recall."""
        precision, square = self.sampled_precision(grid), self.settings.beta**2
        found = area.ratio((1 + square) * precision * grid, square * precision + grid)
        return np.where((precision == 0) & (grid == 0), 0.0, found)

    def central(self, kind: str, grid: Floats) -> CentralCurve:
        """The mean over queries of "precision", "fall_out" or "f" at these recalls.

        Queries without truth take no part. Where a query never reaches a recall, `Settings.missing`
        says what it counts there. With "drop" it is left out. With "zero" it counts 0 in precision
        and F; in fall-out, where 0 would be good, it counts the fall-out of its whole list: each
        list is read until it reaches the recall, or to its end. That mean never falls, nor does it
        jump because few queries remain. A query without spots has no fall-out at any recall.
        """
        samplers = {
            "precision": self.sampled_precision,
            "fall_out": self.sampled_fall_out,
            "f": self.sampled_f,
        }
        samples, missing = samplers[kind](grid), self.settings.missing
        if kind == "fall_out" and missing == "zero":
            at_end = area.sample(self.fall_out, self._last[:, None])
            samples, missing = np.where(np.isnan(samples), at_end, samples), "drop"
        return central_tendency(grid, samples, self.truth > 0, missing)

    def by_threshold(self, quantiles: Floats) -> tuple[Floats, Floats]:
        """(Q, G) recall and precision of lists cut at these shares of their lengths.

        Where nothing is kept recall is 0 (undefined without truth) and precision undefined.
        """
        places = places_by_threshold(self.tally.starts, quantiles)
        nothing = np.where(self.truth > 0, 0.0, np.nan)[:, None]
        recall = np.where(places >= 0, area.sample(self.recall, places), nothing)
        return recall, area.sample(self.precision, places)

    @cached_property
    def _last(self) -> Ints:
        """(Q,) each query's last spot; -1 where it has none."""
        starts = self.tally.starts
        last: Ints = np.where(np.diff(starts) > 0, starts[1:] - 1, -1)
        return last

    @cached_property
    def _symbols(self) -> Ints:
        counts: Ints = self.tally.symbols.sum(axis=1)
        return counts

    def _reaching(self, grid: Floats) -> Ints:
        return area.first_reaching(self.recall, self.tally.starts, np.asarray(grid, np.float64))

    def _column(self, name: str) -> dict[str, Floats]:
        """The column of this name, and those that come with it."""
        tally = self.tally
        if name == "iou_precision":
            return {name: average_precision_at_iou(tally, self.settings.iou)}
        if name.startswith("average_precision_"):
            found = average_precision(self.precision, tally.hit, tally.starts, self._symbols)
            return {f"average_precision_{kind}": values for kind, values in found.items()}
        if name == "generality":
            return {name: area.generality(self.truth, float(tally.page_area.sum()))}
        return {
            **self.at(np.diff(tally.starts)),
            "symbols": self._symbols.astype(np.float64),
        }


def figures_of(tally: Tally, settings: Settings | None = None) -> RunFigures:
    """All figures of a run.

    Parameters
    ----------
    tally : Tally
    settings : Settings, optional
    """
    settings = settings or Settings()
    new, new_relevant = tally.steps(settings.overlap)
    truth = tally.relevant(settings.overlap).sum(axis=1)
    retrieved = area.accumulate_by_query(new, tally.starts)
    relevant = area.accumulate_by_query(new_relevant, tally.starts)
    of_spot, pages = truth[tally.query], float(tally.page_area.sum())
    if settings.overlap is Overlap.UNION:  # they are so by definition, and may not be by rounding
        truth = np.minimum(truth, pages)
        of_spot = truth[tally.query]
        retrieved = np.minimum(retrieved, pages)
        relevant = np.minimum(relevant, np.minimum(retrieved, of_spot))
    recognised = symbols.recognised_at(tally, settings.recognised)
    cleared = symbols.cleared_at(tally, recognised)
    return RunFigures(
        tally=tally,
        settings=settings,
        truth=truth,
        retrieved=retrieved,
        relevant=relevant,
        precision=area.ratio(relevant, retrieved),
        recall=area.ratio(relevant, of_spot),
        fall_out=_fall_out(relevant, retrieved, of_spot, pages, settings.overlap),
        f=area.f_score(relevant, retrieved, of_spot, settings.beta),
        recognised_at=recognised,
        cleared_at=cleared,
        recognised=symbols.recognised_so_far(tally, recognised),
        false_positives=symbols.false_positives_so_far(tally, cleared),
    )


def _fall_out(
    relevant: ArrayLike, retrieved: ArrayLike, truth: ArrayLike, pages: float, overlap: Overlap
) -> Floats:
    """Fall-out; of unions it is a share, which rounding does not lift above 1."""
    found = area.fall_out(relevant, retrieved, truth, pages)
    return np.minimum(found, 1.0) if overlap is Overlap.UNION else found


def _at(values: Floats | Ints, places: Ints) -> Floats:
    """The values at these places; 0 where a place is -1, before any spot."""
    if not len(values):
        return np.zeros(len(places))
    return np.where(places >= 0, values[places], 0).astype(np.float64)


def _defined(value: object) -> float | None:
    number = math.nan if value is None else float(value)  # type: ignore[arg-type]
    return None if math.isnan(number) else number
