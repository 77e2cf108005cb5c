"""Cuts of a run's lists at a rank or a score, or by a rule, the figures there, and the best F."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures import area
from spotlab.measures.cuts import By, OperatingPoints, operating_points
from spotlab.measures.figures import ListFigures, RunFigures, central_tendency, means_over_queries
from spotlab.measures.measure import overall_figures
from spotlab.measures.tally import Tally
from spotlab.measures.thresholds import HeldOut, held_out, threshold_curves
from spotlab.representation import short_repr, short_threshold, written_threshold

Kind = Literal["rank", "score", "recall", "precision", "best-f"]
KINDS: tuple[Kind, ...] = ("rank", "score", "recall", "precision", "best-f")
_PLAIN: tuple[By, ...] = ("rank", "score")


@dataclass(frozen=True)
class ListCut:
    """A rank or a score at which the lists of all queries end.

    Attributes
    ----------
    by : str
        "rank": each query keeps its first ``value`` spots; "score": those before the first whose
        score is below ``value``.
    value : float or None
        None keeps everything.
    """

    by: By = "rank"
    value: float | None = None

    def counts(self, tally: Tally | None) -> Ints:
        """(Q,) int: how many spots each query keeps; empty where there is no tally.

        A spot without a score is kept, as are those before it.
        """
        if tally is None:
            return np.zeros(0, np.int64)
        lengths = np.diff(tally.starts)
        if self.value is None:
            return lengths
        if self.by == "rank":
            return np.minimum(lengths, int(self.value))
        below = np.flatnonzero(tally.score < self.value)
        counts = lengths.copy()
        queries, first = np.unique(tally.query[below], return_index=True)
        counts[queries] = below[first] - tally.starts[queries]
        return counts

    @property
    def text(self) -> str:
        """Tell where lists end, in short and exactly.

        Examples
        --------
        >>> ListCut("rank", 20).text, ListCut("score", 0.71239).text, ListCut().text
        ('rank 20', '≥ 0.71239', 'all')
        """
        if self.value is None:
            return "all"
        rank = f"rank {self.value:,.0f}"
        return rank if self.by == "rank" else f"≥ {written_threshold(self.value)}"


def score_cut(scores: Floats, score: float) -> ListCut:
    """The cut that keeps this score and no lower one, of as few decimals as possible.

    Examples
    --------
    >>> score_cut(np.array([0.641174, 0.64116, np.nan]), 0.641174)
    ListCut(by='score', value=0.64117)
    """
    lower = scores[scores < score]
    return ListCut("score", short_threshold(score, float(lower.max(initial=-np.inf))))


@dataclass(frozen=True)
class CutRule:
    """A rule that gives every run a cut of its own.

    Attributes
    ----------
    kind : str
        "rank" or "score": at this rank or score. "recall": where recall first reaches the value.
        "precision": the last place where precision is at least the value. "best-f": where F is
        highest, keeping as few spots as possible.
    value : float or None
        None for "best-f" only.

    Raises
    ------
    ValueError
        There is no such rule, or its value is out of range.
    """

    kind: Kind
    value: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"the rule is one of {', '.join(KINDS)}, not {self.kind!r}")
        value = self.value
        if (value is None) != (self.kind == "best-f"):
            needs = "has no value" if value is not None else "needs a value"
            raise ValueError(f"the rule {self.kind} {needs}")
        if value is None:
            return
        if math.isnan(value):
            raise ValueError(f"the value of {self.kind} has to be a number")
        if self.kind == "rank" and (value < 0 or value != int(value)):
            raise ValueError("a rank is a whole number of 0 or more")
        if self.kind in {"recall", "precision"} and value < 0:
            raise ValueError(f"{self.kind} is a share of 0 or more")

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}={written_threshold(self.value)}"

    def cut_of(
        self, figures: ListFigures, by: By = "score", query: str | None = None
    ) -> ListCut | None:
        """Find where the rule cuts the lists of a run.

        Parameters
        ----------
        figures : RunFigures
        by : {"score", "rank"}
            What rules that look for a place cut by; ranks where the run has no scores.
        query : str or None
            None: recall, precision and F are means over the truth's queries. Else they are those
            of this query.

        Returns
        -------
        ListCut or None
            None where the run has no such place, for instance never reaches the recall.
        """
        for plain in _PLAIN:
            if self.kind == plain:
                return ListCut(plain, self.value)
        points = points_of(figures, by, query)
        place = self._place(points)
        return None if place is None else ListCut(points.by, points.threshold(place))

    def _place(self, points: OperatingPoints) -> int | None:
        if self.value is None:
            return points.best_f()
        if self.kind == "recall":
            return points.reaching_recall(self.value)
        return points.holding_precision(self.value)


BEST_F = CutRule("best-f")


def points_of(figures: ListFigures, by: By, query: str | None) -> OperatingPoints:
    """The operating points by score, or by rank where the run has no scores there."""
    points = operating_points(figures, by, query)
    return points if len(points.value) else operating_points(figures, "rank", query)


def parse_rule(text: str) -> CutRule:
    """The rule that a text names: "rank=20", "score=.7", "recall=.8", "precision=.9", "best-f".

    Raises
    ------
    ValueError
        The text names none.

    Examples
    --------
    >>> parse_rule("recall=.8"), parse_rule("best-f")
    (CutRule(kind='recall', value=0.8), CutRule(kind='best-f', value=None))
    """
    name, equals, number = text.partition("=")
    kinds = [kind for kind in KINDS if kind == name.strip()]
    if not kinds:
        raise ValueError(
            f"{text!r} is no cut; expected rank=N, score=S, recall=R, precision=P or best-f"
        )
    try:
        value = float(number) if equals else None
    except ValueError:
        raise ValueError(f"{number.strip()!r} is no number, in the cut {text!r}") from None
    if value is not None and kinds[0] in {"recall", "precision"} and not 0 < value <= 1:
        raise ValueError(f"{kinds[0]} is a share above 0 and at most 1, not {value:g}")
    return CutRule(kinds[0], value)


@dataclass(frozen=True, eq=False)
class FiguresAtCut:
    """Figures of a run of which every query keeps only its first spots.

    Attributes
    ----------
    figures : RunFigures
        Of the whole lists.
    counts : (Q,) int
        Number of spots that each query keeps.
    """

    figures: RunFigures
    counts: Ints

    __repr__ = short_repr

    @cached_property
    def whole(self) -> bool:
        """True where every query keeps all of its spots."""
        return bool((self.counts >= np.diff(self.figures.tally.starts)).all())

    @property
    def kept(self) -> int:
        """Number of spots that all queries keep together."""
        return int(self.counts.sum())

    @property
    def kept_of_truth(self) -> int:
        """Number of spots that the truth's queries keep together."""
        return int(self.counts[self.figures.in_truth].sum())

    @cached_property
    def columns(self) -> Mapping[str, Floats]:
        """(Q,) values by figure, NaN where undefined; without measures of whole rankings.

        Average precision, for instance, has no value at a cut.
        """
        return self.figures.at(self.counts)

    @cached_property
    def mean(self) -> dict[str, float | None]:
        """The mean of each column over the truth's queries where it is defined; else None."""
        return means_over_queries(self.columns, self.figures.in_truth)

    @cached_property
    def pooled(self) -> dict[str, float | None]:
        """Figures of the truth's queries' areas together, by name; None where undefined."""
        return self.figures.pooled_at(self.counts)

    def of(self, query: str | None) -> dict[str, float | None]:
        """The figures of a query, or the one value of all where None is given; None: undefined.

        A query that the run does not know has no figures.
        """
        if query is None:
            return overall_figures(self.mean, self.pooled)
        queries = self.figures.tally.queries
        if query not in queries:
            return dict.fromkeys(self.columns)
        place = queries.index(query)
        values = {name: float(column[place]) for name, column in self.columns.items()}
        return {name: None if math.isnan(value) else value for name, value in values.items()}


@dataclass(frozen=True)
class BestF:
    """The threshold with the highest F.

    Attributes
    ----------
    threshold : float
        A rank or a score, the same for all queries.
    f, precision, recall : float or None
        There, on the pages on which it was chosen; None where undefined.
    held_out : HeldOut or None
        The same on pages on which it was not chosen; None for one query or one page.
    """

    threshold: float
    f: float | None
    precision: float | None
    recall: float | None
    held_out: HeldOut | None = None


def best_f(
    figures: ListFigures, by: By, query: str | None = None, *, pooled: bool = False
) -> BestF | None:
    """The rank or score at which F of a run is highest.

    Parameters
    ----------
    figures : ListFigures
        The run, by area or by numbers.
    by : {"rank", "score"}
    query : str, optional
        F of this query; by default of the mean over the truth's queries.
    pooled : bool
        F of all queries' areas together, instead of their mean.

    Returns
    -------
    BestF or None
        None where F is undefined, or no spot has a score.
    """
    points = operating_points(figures, by, query, pooled=pooled)
    place = points.best_f()
    if place is None:
        return None
    there = (float(each[place]) for each in (points.f, points.precision, points.recall))
    f, precision, recall = (None if np.isnan(value) else value for value in there)
    others = held_out(figures, by, pooled=pooled) if query is None else None
    return BestF(points.threshold(place), f, precision, recall, others)


def best_thresholds(
    figures: RunFigures, kinds: Sequence[By] = ("score", "rank")
) -> Iterator[tuple[str, str, By, BestF]]:
    """The thresholds of a run with the highest F, in each way in which that can be meant.

    Parameters
    ----------
    figures : RunFigures
    kinds : sequence of {"score", "rank"}
        What lists are cut by.

    Yields
    ------
    of : {"area", "iou"}
        F of areas, or of numbers of spots that are right at the IoU of the settings.
    over : {"mean", "pooled"}
        The mean over queries, or all queries together.
    by : {"score", "rank"}
    best : BestF
        Computed once for the same figures.
    """
    for of, lists in (("area", figures), ("iou", figures.by_numbers)):
        known = _BEST.setdefault(lists, {})
        for over in ("mean", "pooled"):
            for by in kinds:
                if (over, by) not in known:
                    known[over, by] = best_f(lists, by, pooled=over == "pooled")
                found = known[over, by]
                if found is not None:
                    yield of, over, by, found


_BEST: WeakKeyDictionary[ListFigures, dict[tuple[str, By], BestF | None]] = WeakKeyDictionary()


SAMPLES = 201  # of recall from 0 to 1, or of the lists' lengths
_GRID = np.linspace(0, 1, SAMPLES)
PLOTTED = ("precision", "fall_out", "f")


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """A mean and how far the queries lie apart, where both are defined.

    Attributes
    ----------
    x, y, deviation : (G,) float
        Recall, the mean there, and the standard deviation over queries. Never NaN.
    count : (G,) int
        How many queries count there.
    ends : (2, G) float or None
        Ends of an interval, which the band then shows instead of the deviation.
    """

    x: Floats
    y: Floats
    deviation: Floats
    count: Ints
    ends: Floats | None = None

    __repr__ = short_repr

    def near(self, recall: float) -> tuple[float, float] | None:
        """The sample nearest to a recall, with the mean there; None without samples."""
        if not len(self.x):
            return None
        at = int(np.argmin(np.abs(self.x - recall)))
        return float(self.x[at]), float(self.y[at])

    def band(self) -> tuple[Floats, Floats]:
        """A closed ring around all within a standard deviation, never below 0, or an interval."""
        if self.ends is not None:
            known = ~np.isnan(self.ends).any(axis=0)
            x, (lowest, highest) = self.x[known], self.ends[:, known]
            return np.append(x, x[::-1]), np.append(highest, lowest[::-1])
        low = np.maximum(self.y - self.deviation, 0.0)
        upper = self.y + self.deviation
        return np.append(self.x, self.x[::-1]), np.append(upper, low[::-1])


def score_curve(figures: ListFigures, kind: str, query: str | None = None) -> MeanCurve:
    """Precision, recall or F over the score, with 95 % intervals over pages.

    Parameters
    ----------
    figures : ListFigures
        By area or by numbers.
    kind : {"precision", "recall", "f"}
    query : str, optional
        Of this query; by default the mean over the truth's.
    """
    curves = threshold_curves(figures, "score", query)
    value = getattr(curves, kind)
    there = ~np.isnan(value)
    queries = 1 if query is not None else int(figures.in_truth.sum())
    nothing = np.zeros(int(there.sum()))
    return MeanCurve(
        curves.value[there][::-1],
        value[there][::-1],
        nothing,
        np.full(len(nothing), queries),
        curves.bands[kind][:, there][:, ::-1],
    )


def mean_curve(figures: ListFigures, kind: str, by: str = "recall") -> MeanCurve:
    """The mean over the queries that have truth.

    Parameters
    ----------
    figures : RunFigures
    kind : str
        "precision", "fall_out" or "f".
    by : str
        "recall": the mean of what the queries have at the same recall. "threshold", for precision
        only: the means of precision and of recall over lists cut at the same share of their
        lengths (§4.4); a list of which nothing is kept has no precision and is left out there.

    Returns
    -------
    MeanCurve
        Computed once for the same figures.
    """
    _ASKED.setdefault(figures, set()).add((kind, by))
    return _known(figures, kind, by)


def prepare_means(figures: ListFigures, earlier: ListFigures | None = None) -> None:
    """Compute now, where nobody waits, the means that are likely to be asked for.

    Parameters
    ----------
    figures : RunFigures
    earlier : RunFigures, optional
        Of the same run before something changed: what was asked of them is computed. By default,
        the means of all kinds over recall.
    """
    asked = None if earlier is None else _ASKED.get(earlier)
    for kind, by in asked or ((kind, "recall") for kind in PLOTTED):
        _known(figures, kind, by)


def _known(figures: ListFigures, kind: str, by: str) -> MeanCurve:
    known = _KNOWN.setdefault(figures, {})
    key = kind, by
    if key not in known:
        known[key] = _computed(figures, kind, by)
    return known[key]


_KNOWN: WeakKeyDictionary[ListFigures, dict[tuple[str, str], MeanCurve]] = WeakKeyDictionary()
_ASKED: WeakKeyDictionary[ListFigures, set[tuple[str, str]]] = WeakKeyDictionary()


def _computed(figures: ListFigures, kind: str, by: str) -> MeanCurve:
    if by == "threshold" and kind == "precision":
        shares = _GRID
        recall, precision = figures.curves.by_threshold(shares)
        part = figures.truth > 0
        reached = central_tendency(shares, recall, part, "drop")
        mean = central_tendency(shares, precision, part, "drop")
        x = reached.mean
    else:
        mean = figures.curves.central(kind, _GRID)
        x = mean.grid
    there = ~np.isnan(x) & ~np.isnan(mean.mean)
    return MeanCurve(x[there], mean.mean[there], mean.deviation[there], mean.count[there])


def queries_reaching(figures: ListFigures, recall: float) -> int:
    """Count the queries with truth that reach a recall.

    Parameters
    ----------
    figures : RunFigures
    recall : float
        In [0, 1].
    """
    last = area.sample(figures.recall, figures.lists.last[:, None])[figures.truth > 0]
    return int((last >= recall - 1e-9).sum())  # sums of areas are not exact


def place_of_spot(figures: ListFigures, kind: str, spot: int) -> tuple[float, float] | None:
    """Point of a query in a plot after one of its spots; None where that is undefined."""
    of = {"precision": figures.precision, "fall_out": figures.fall_out, "f": figures.f}
    x, y = float(figures.recall[spot]), float(of[kind][spot])
    return None if math.isnan(x) or math.isnan(y) else (x, y)
