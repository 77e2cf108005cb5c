"""Estimate the figures of systems from votes and the known relevance of a few items.

The items are drawn by chance. Their answers are weighted back to all items, or calibrate a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.accuracy import (
    Patterns,
    dawid_skene,
    find_patterns,
    multiply,
    multiply_transposed,
)
from spotlab.consensus.comparison import FEWEST_ITEMS, FEWEST_SYSTEMS, describe_pool
from spotlab.consensus.precision import NORMAL_95, Estimates, counted_interval, figures_of
from spotlab.consensus.votes import Votes
from spotlab.extras import special
from spotlab.progress import Progress, silent

FEW = 20  # answers below which they help little, and intervals are undefined
FEWEST = 10  # answers below which figures are undefined

CALIBRATED = (
    "Based on {count} answers to items drawn by chance. Assumes one model for all items: the "
    "probability of relevance follows from the votes with a weight per system, fitted to "
    "these answers. Intervals (95 %) from {draws} models that the answers leave possible."
)
WEIGHTED = (
    "Based on {count} answers to items drawn by chance, weighted back to all items, and on "
    "nothing else. Intervals (95 %) from {draws} draws of the answers."
)
BY_HAND = " {count} more items were picked by hand: they count for themselves only."
UNDEFINED = " With fewer than {fewest} answers, figures are undefined."
TOO_FEW = (
    " With so few answers the figures may be worse than without any. With fewer than {few} there "
    "are no intervals, because they would not hold the truth often enough."
)
MORE_SYSTEMS = (
    " There are more systems than answers: most weights are guesses, so the intervals are wide."
)


def answer_caption(
    drawn: NDArray[np.bool_], items: int, systems: int, draws: int, *, calibrate: bool
) -> str:
    """Say what figures from answers are based on.

    Parameters
    ----------
    drawn : (K,) bool
        Whether each answered item was drawn by chance.
    items, systems : int
        Numbers of items and of systems.
    draws : int
        Number of repetitions for the intervals.
    calibrate : bool
        Whether a model was fitted to the answers.

    Returns
    -------
    str

    Examples
    --------
    >>> "no intervals" in answer_caption(np.ones(12, bool), 100, 5, 200, calibrate=True)
    True
    """
    answers, chosen = len(drawn), int(drawn.sum())
    caption = (CALIBRATED if calibrate else WEIGHTED).format(count=chosen, draws=draws)
    if chosen < answers:
        caption += BY_HAND.format(count=answers - chosen)
    if answers < items:
        if answers < FEWEST:
            caption += UNDEFINED.format(fewest=FEWEST)
        elif answers < FEW:
            caption += TOO_FEW.format(few=FEW)
        if answers < systems:
            caption += MORE_SYSTEMS
    return caption


UNIFORM = 0.2  # share of the draw in which every item has the same chance


@dataclass(frozen=True, eq=False)
class Draw:
    """Items to ask about, in random order.

    Attributes
    ----------
    items : (K,) int
        Indices of the items.
    inclusion : (K,) float
        Probability of each item to be drawn, in (0, 1]; over all items these sum to K.
    """

    items: Ints
    inclusion: Floats

    def first(self, count: int) -> Draw:
        """Keep the first items, for a draw that was answered in part.

        Parameters
        ----------
        count : int
            Number of items to keep; all of them if there are fewer.

        Returns
        -------
        Draw
            The probabilities are reduced by the share of items kept.

        Examples
        --------
        >>> Draw(np.array([4, 2]), np.array([0.5, 1.0])).first(1).inclusion.tolist()
        [0.25]
        """
        count = min(count, len(self.items))
        share = count / max(len(self.items), 1)
        return Draw(self.items[:count], self.inclusion[:count] * share)


def next_items(
    votes: Votes, probability: ArrayLike, asked: ArrayLike, count: int, seed: int = 0
) -> Draw:
    """Draw items to ask about.

    Parameters
    ----------
    votes : Votes
        N items.
    probability : (N,) float
        Probability that an item is relevant, in [0, 1]; NaN counts as ½.
    asked : (K,) int
        Indices of items that are not drawn, because their answer is known.
    count : int
        Number of items to draw; all that are left if there are fewer.
    seed : int
        Seed of the draw.

    Returns
    -------
    Draw
        Empty if no item is left.

    Notes
    -----
    Systematic sampling along the probabilities. The chances are proportional to 80 % uncertainty ×
    influence and 20 % uniform. Uncertainty is √(p(1 − p)). Influence is √Σ(vote − mean vote of the
    system)² over the known votes: how far the item separates systems.

    Examples
    --------
    >>> votes = Votes.of([[1, 1], [1, 0], [0, 1], [0, 0]], ["a", "b"])
    >>> draw = next_items(votes, [1, 0.5, 0.5, 0], [1], 1, seed=2)
    >>> draw.items.tolist(), draw.inclusion.round(2).tolist()
    ([2], [0.82])
    """
    p = np.nan_to_num(np.asarray(probability, np.float64), nan=0.5)
    open_ = np.ones(len(votes), bool)
    open_[np.asarray(asked, np.int64)] = False
    left = np.flatnonzero(open_)
    size = inclusion_probabilities(_importance(votes, p)[left], count)
    rng = np.random.default_rng(seed)
    order = np.lexsort((rng.random(len(left)), p[left]))
    ends = np.cumsum(size[order])
    wanted = min(count, len(left))
    marks = rng.random() + np.arange(wanted)
    place = np.searchsorted(ends, np.minimum(marks, ends[-1] - 1e-9) if wanted else marks, "right")
    chosen = rng.permutation(order[place])
    return Draw(left[chosen], size[chosen])


def inclusion_probabilities(importance: ArrayLike, count: int) -> Floats:
    """Probability of every item to be drawn, proportional to its importance.

    Parameters
    ----------
    importance : (N,) float
        Not negative; if all are 0, the chances are equal.
    count : int
        Number of items to draw.

    Returns
    -------
    (N,) float
        At most 1 each, ``count`` in sum; all 1 if there are no more items than that.

    Examples
    --------
    >>> inclusion_probabilities([6, 1, 1], 2).tolist()
    [1.0, 0.5, 0.5]
    """
    size = np.asarray(importance, np.float64)
    if count >= len(size):
        return np.ones(len(size))
    chances = np.zeros(len(size))
    certain = np.zeros(len(size), bool)
    while True:
        rest = size[~certain]
        share = rest / rest.sum() if rest.sum() > 0 else np.full(len(rest), 1 / max(len(rest), 1))
        chances[~certain] = share * (count - certain.sum())
        chances[certain] = 1.0
        over = (chances > 1) & ~certain
        if not over.any():
            return chances
        certain |= over


def _importance(votes: Votes, p: Floats) -> Floats:
    """80 % uncertainty × influence and 20 % uniform, each summing to 1, (N,)."""
    table = find_patterns(votes)
    with np.errstate(invalid="ignore"):
        mean = np.nan_to_num(votes.counts_for / votes.counts_known)
    square = table.yes * table.yes  # (vote − mean)² of the known votes, multiplied out
    influence = multiply(square, np.ones(len(mean))) - 2 * multiply(table.yes, mean)
    influence = influence + table.weighted(mean**2, mean**2)
    importance = np.sqrt(p * (1 - p) * np.maximum(influence, 0.0)[table.of_item])
    items = max(len(p), 1)
    if not importance.sum() > 0:
        return np.full(len(p), 1 / items)
    return np.asarray((1 - UNIFORM) * importance / importance.sum() + UNIFORM / items)


@lru_cache(maxsize=1)
def guess_relevance(votes: Votes) -> Floats:
    """Guess the probability of relevance of every item from the votes alone.

    Parameters
    ----------
    votes : Votes
        N items, S systems.

    Returns
    -------
    (N,) float
        In (0, 1); ½ for an item without votes.

    Notes
    -----
    (votes for + ½) / (known votes + 1). Where systems judge given items, the mean of that and of
    the probability of Dawid & Skene (1979): on people's answers it leaves answers less to correct
    than either of them. Not so where the items are what the systems returned.

    Examples
    --------
    >>> guess_relevance(Votes.of([[1, 1], [1, 0], [0, 0]], ["a", "b"])).round(3).tolist()
    [0.833, 0.5, 0.167]
    """
    share = np.empty(len(votes))
    for start, part in votes.spans():
        known = ~np.isnan(part)
        for_ = np.where(known, part, 0.0).sum(axis=1)
        share[start : start + len(part)] = (for_ + 0.5) / (known.sum(axis=1) + 1)
    few = len(votes) < FEWEST_ITEMS or len(votes.systems) < FEWEST_SYSTEMS
    if few or describe_pool(votes).pooled:
        return share
    return np.asarray((share + dawid_skene(votes).probability) / 2)


PENALTY_BASE = 0.01  # of a shift common to all items
PENALTY_SLOPE = 0.1  # of trusting the first guess more or less than it says
PENALTY_SYSTEM = 1.0  # of every system's own term
FURTHEST = 0.01  # the first guess is never closer to 0 or 1
MOST_STEPS = 100
FURTHEST_STEP = 4.0  # of log odds at once, so that Newton's method does not overshoot
STILL = 1e-8


@dataclass(frozen=True, eq=False)
class AnswerCalibration:
    """A logistic model of relevance: an initial guess, corrected by the votes.

    Attributes
    ----------
    table : Patterns
        M different rows of votes of S systems.
    guess : (M,) float
        Initial probability of every row, in (0, 1).

    Notes
    -----
    Log odds = logit(guess) + a + b·logit(guess) + Σ_k c_k·(vote_k − guess), over known votes only.
    """

    table: Patterns
    guess: Floats

    @staticmethod
    def on(table: Patterns, guess: Floats) -> AnswerCalibration:
        """Start from initial probabilities, which are kept away from 0 and 1.

        Parameters
        ----------
        table : Patterns
            M different rows of votes.
        guess : (M,) float
            Initial probability of every row, in [0, 1].

        Returns
        -------
        AnswerCalibration
            With probabilities clipped to [0.01, 0.99].

        Examples
        --------
        >>> table = Patterns(np.array([[1.0], [0.0]]), None, np.ones(2), np.array([0, 1]))
        >>> AnswerCalibration.on(table, np.array([1.0, 0.5])).guess.tolist()
        [0.99, 0.5]
        """
        return AnswerCalibration(table, np.clip(guess, FURTHEST, 1 - FURTHEST))

    @property
    def odds(self) -> Floats:
        """Log odds of the initial guess, (M,)."""
        return np.asarray(np.log(self.guess / (1 - self.guess)))

    @property
    def penalty(self) -> Floats:
        """Ridge penalty of each coefficient, (2 + S,)."""
        systems = self.table.yes.shape[1]
        return np.concatenate([[PENALTY_BASE, PENALTY_SLOPE], np.full(systems, PENALTY_SYSTEM)])

    def fit(self, rows: Ints, relevant: Floats, weights: Floats, draws: Floats) -> Floats:
        """Fit the coefficients to the answers, and draw others that the answers leave possible.

        Parameters
        ----------
        rows : (K,) int
            Indices of the rows that are answered.
        relevant : (K,) float
            1 if the row is relevant, else 0.
        weights : (K,) float
            Number of answers that each counts for.
        draws : (2 + S, D) float
            Standard normal numbers.

        Returns
        -------
        (2 + S, 1 + D) float
            The optimum in the first column, then one draw per column.

        Notes
        -----
        Newton's method in the space that the answers span, which is small for any number of
        systems. The draws are normal around the optimum (Laplace's approximation); in directions
        about which the answers say nothing they are as wide as the ridge.

        Examples
        --------
        >>> table = Patterns(np.array([[1.0], [0.0]]), None, np.ones(2), np.array([0, 1]))
        >>> model = AnswerCalibration.on(table, np.array([0.5, 0.5]))
        >>> best = model.fit(np.array([0, 1]), np.array([1.0, 0.0]), np.ones(2), np.zeros((3, 0)))
        >>> model.predict(best).round(2).ravel().tolist()
        [0.56, 0.44]
        """
        scale = 1 / np.sqrt(self.penalty)
        left, size, right = np.linalg.svd(self._features(rows) * scale, full_matrices=False)
        space, offset = left * size, self.odds[rows]
        optimum = np.zeros(space.shape[1])
        for _ in range(MOST_STEPS):
            p = _probability(offset + space @ optimum)
            curve = (space.T * (weights * p * (1 - p))) @ space + np.eye(len(optimum))
            step = np.linalg.solve(curve, space.T @ (weights * (relevant - p)) - optimum)
            longest = max(np.abs(step).max(initial=0), STILL)
            optimum = optimum + step * min(1.0, FURTHEST_STEP / longest)
            if np.abs(step).max(initial=0.0) < STILL:
                break
        spread, axes = np.linalg.eigh(curve)
        inside = right @ draws
        narrowed = axes @ ((axes.T @ inside) / np.sqrt(spread)[:, None]) - inside
        scaled = np.column_stack([right.T @ optimum, (right.T @ optimum)[:, None] + draws])
        scaled[:, 1:] += right.T @ narrowed
        return np.asarray(scaled * scale[:, None])

    def predict(self, coefficients: Floats) -> Floats:
        """Predict the probability of every row.

        Parameters
        ----------
        coefficients : (2 + S, D) float
            Result of `fit`, or columns of it.

        Returns
        -------
        (M, D) float
            Probabilities in [0, 1].
        """
        odds = self.odds[:, None]
        terms = coefficients[2:]
        votes = self.table.weighted(terms, np.zeros_like(terms))
        guessed = self.table.weighted(terms, terms) * self.guess[:, None]
        return _probability(odds + coefficients[0] + coefficients[1] * odds + votes - guessed)

    def _features(self, rows: Ints) -> Floats:
        """Values that the coefficients multiply, (K, 2 + S)."""
        yes = _dense(self.table.yes[rows])
        known = 1.0 if self.table.known is None else _dense(self.table.known[rows])
        votes = yes - known * self.guess[rows, None]
        return np.column_stack([np.ones(len(rows)), self.odds[rows], votes])


def _dense(part: Any) -> Floats:
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part)


def _probability(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))


SHARED_ERROR = 0.45  # standard error of a share of one half, times the root of the answers' number
MOST_TELLING = 30  # answers beyond which that error stays
MOST_WEIGHT = 3.0  # of an answer in the model, in means of the weights
AT_ONCE = 1 << 22  # numbers that are predicted at the same time


@dataclass(frozen=True, eq=False)
class KnownAnswers:
    """Items whose relevance is known.

    Attributes
    ----------
    items : (K,) int
        Indices of the items, each once.
    relevant : (K,) float
        1 if the item is relevant, else 0.
    inclusion : (K,) float
        Probability with which each item was drawn among those not yet asked, in (0, 1]; NaN for an
        item that a person picked.
    round : (K,) int
        Number of the draw; later draws have larger numbers. An item picked by hand has the number
        of the draw before it.

    Raises
    ------
    ValueError
        If lengths differ, an item comes twice, or a value is out of range.
    """

    items: Ints
    relevant: Floats
    inclusion: Floats
    round: Ints

    def __post_init__(self) -> None:
        for name, kind in (("items", int), ("relevant", float), ("inclusion", float)):
            object.__setattr__(self, name, np.asarray(getattr(self, name), kind))
        object.__setattr__(self, "round", np.asarray(self.round, np.int64))
        if len({len(self.items), len(self.relevant), len(self.inclusion), len(self.round)}) > 1:
            raise ValueError("every answer needs an item, an answer, a chance and a round")
        if len(np.unique(self.items)) < len(self.items):
            raise ValueError("an item is answered twice")
        if not np.isin(self.relevant, (0, 1)).all():
            raise ValueError("an answer is neither 0 nor 1")
        if (self.inclusion <= 0).any() or (self.inclusion > 1 + 1e-9).any():
            raise ValueError("the chance of an item to be drawn is not within 0…1")

    @staticmethod
    def none() -> KnownAnswers:
        """No answers yet."""
        whole, real = np.empty(0, np.int64), np.empty(0)
        return KnownAnswers(whole, real, real, whole)

    def __len__(self) -> int:
        return len(self.items)

    def with_draw(self, draw: Draw, relevant: ArrayLike) -> KnownAnswers:
        """Add the answers to a further draw.

        Parameters
        ----------
        draw : Draw
            K items, none of them answered yet.
        relevant : (K,) float
            1 if the item is relevant, else 0.

        Returns
        -------
        KnownAnswers
            These answers and the new ones.

        Examples
        --------
        >>> draw = Draw(np.array([3, 1]), np.array([0.5, 0.25]))
        >>> KnownAnswers.none().with_draw(draw, [1, 0]).weights.tolist()
        [2.0, 4.0]
        """
        number = int(self.round.max(initial=-1)) + 1
        columns = (
            (self.items, draw.items),
            (self.relevant, np.asarray(relevant, np.float64)),
            (self.inclusion, draw.inclusion),
            (self.round, np.full(len(draw.items), number)),
        )
        return KnownAnswers(*(np.concatenate(pair) for pair in columns))

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Tell whether each item was drawn by chance, (K,)."""
        return ~np.isnan(self.inclusion)

    @property
    def weights(self) -> Floats:
        """Number of items that each answer represents, (K,).

        Each draw alone estimates a total without bias: the answers known before it, plus its own
        answers divided by their probability of inclusion. The draws are averaged in proportion
        to their numbers of answers. Without any draw every weight is 1. Horvitz & Thompson (1952).
        """
        drawn = self.drawn
        if not drawn.any():
            return np.ones(len(self))
        rounds, size = np.unique(self.round[drawn], return_counts=True)
        share = size / size.sum()
        later = np.append(np.cumsum(share[::-1])[::-1], 0.0)
        # an answer counts once in every draw that came after it
        known = later[np.searchsorted(rounds, self.round, "right")]
        own = share[np.minimum(np.searchsorted(rounds, self.round), len(rounds) - 1)]
        return np.asarray(known + np.where(drawn, own / np.where(drawn, self.inclusion, 1.0), 0.0))


def estimate_with_answers(
    votes: Votes,
    answers: KnownAnswers,
    guess: ArrayLike | None = None,
    *,
    calibrate: bool = True,
    draws: int = 200,
    seed: int = 0,
    progress: Progress = silent,
) -> Estimates:
    """Estimate the figures of every system from the votes and a few answers.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    answers : KnownAnswers
        Items whose relevance is known.
    guess : (N,) float, optional
        Initial probability of every item in [0, 1], which the answers correct; by default that of
        `guess_relevance`.
    calibrate : bool
        True to fit one model for all items to the answers. False to only weight the answers back:
        no bias and no model, but much noise, and ``probability`` is NaN for unanswered items.
    draws : int
        Number of repetitions for the intervals; 0 leaves them out (NaN). So do fewer than 20
        answers, unless all items are answered.
    seed : int
        Seed of the repetitions.
    progress : callable
        Called with the number of parts done.

    Returns
    -------
    Estimates
        NaN where undefined, for instance the precision of a system that votes for nothing. All
        figures are undefined with fewer than 10 answers, unless all items are answered.

    Notes
    -----
    Weighting is that of Horvitz & Thompson (1952); see `AnswerCalibration` for the model. The
    variance of a figure is that of the repetitions, plus that of unanswered items being relevant or
    not, plus an error that the model shares between systems. The latter is 0.45²·4f(1 − f) over the
    effective number of answers (Kish 1965), at most 30, times the squared share of open items; from
    people's answers and other votes with truth. The variance is widened as Student's t is for that
    number of answers, because it is itself estimated; `counted_interval` makes the interval of it.

    Examples
    --------
    >>> rows = [[1, 1], [1, 0], [1, 1], [0, 1], [0, 0], [1, 0]] * 20
    >>> truth = np.array([1.0, 1, 1, 0, 0, 1] * 20)
    >>> votes, asked = Votes.of(rows, ["good", "bad"]), np.arange(0, 120, 5)
    >>> draw = Draw(asked, np.full(24, 0.2))
    >>> estimates = estimate_with_answers(votes, KnownAnswers.none().with_draw(draw, truth[asked]))
    >>> bool(estimates.f[0] > estimates.f_interval[1, 1])
    True
    """
    table = find_patterns(votes, answers.items)
    rng = np.random.default_rng(seed)
    if calibrate:
        first = guess_relevance(votes) if guess is None else np.asarray(guess, np.float64)
        sums = _calibrated(table, answers, _by_row(table, first), draws, rng, progress)
    else:
        sums = _weighted(table, answers, draws, rng)
    relevant, possible, doubt, p = sums
    open_ = len(votes) > len(answers)
    enough = len(answers) >= FEWEST or not open_
    claimed = bool(draws) and (len(answers) >= FEW or not open_)
    retrieved = np.asarray(table.totals[0])
    figures = figures_of(relevant[:, 0], retrieved, possible[:, 0])
    repeated = figures_of(relevant[:, 1:], retrieved[:, None], possible[:, 1:])
    bases = np.stack([retrieved, possible[:, 0], (retrieved + possible[:, 0]) / 2])
    shared, wider = _shared_error(answers, len(votes)), _student(answers)
    low_high = []
    for figure, values, own, base in zip(figures, repeated, doubt, bases, strict=True):
        if not claimed:
            low_high.append(np.full((len(figure), 2), np.nan))
            continue
        # about the figure, not about the mean: a draw that is pulled aside counts as error
        variance = np.mean((values - figure[:, None]) ** 2, axis=1) + own
        # nothing is left open of a system whose items are all answered
        left = (variance > 0) | (not calibrate and open_)
        variance = variance + np.where(left, shared * 4 * _binary(figure, base), 0.0)
        low_high.append(counted_interval(figure, wider * variance, base))
    if not enough:
        figures = tuple(np.full_like(figure, np.nan) for figure in figures)  # type: ignore[assignment]
    caption = answer_caption(
        answers.drawn, len(votes), len(votes.systems), draws, calibrate=calibrate
    )
    return Estimates(p[table.of_item], *figures, low_high[0], low_high[1], low_high[2], caption)


_Sums = tuple[Floats, Floats, Floats, Floats]


def _calibrated(
    table: Patterns,
    answers: KnownAnswers,
    guess: Floats,
    draws: int,
    rng: np.random.Generator,
    progress: Progress,
) -> _Sums:
    """Σp·vote and Σp of every fit (S, D), variance from unknown items (3, S), and p (M,)."""
    rows, weights = table.of_item[answers.items], answers.weights
    weights = np.minimum(weights / weights.mean(), MOST_WEIGHT) if len(weights) else weights
    model = AnswerCalibration.on(table, guess)
    normal = rng.normal(size=(2 + table.yes.shape[1], draws))
    rules = model.fit(rows, answers.relevant, weights, normal)
    sums: list[tuple[Floats, Floats]] = []
    for part in _parts(rules, len(table.count)):
        progress(len(sums), None, "weighing the answers")
        p = model.predict(part)
        p[rows] = answers.relevant[:, None]
        sums.append(table.sums(p * table.count[:, None]))
    p = model.predict(rules[:, :1])[:, 0]
    p[rows] = answers.relevant
    relevant, possible = (np.concatenate(part, axis=1) for part in zip(*sums, strict=True))
    return relevant, possible, _doubt(table, p, relevant[:, 0], possible[:, 0]), p


def _weighted(
    table: Patterns, answers: KnownAnswers, draws: int, rng: np.random.Generator
) -> _Sums:
    """The same by weighting only, with the answers resampled with replacement."""
    rows, count = table.of_item[answers.items], len(answers)
    lots = np.ones((count, 1 + draws))
    if count:
        lots[:, 1:] = rng.multinomial(count, np.full(count, 1 / count), size=draws).T
    values = np.zeros((len(table.count), 1 + draws))
    values[rows] = lots * (answers.weights * answers.relevant)[:, None]
    relevant, possible = table.sums(values)
    p = np.full(len(table.count), np.nan)
    p[rows] = answers.relevant
    return relevant, np.asarray(possible), np.zeros((3, relevant.shape[0])), p


def _doubt(table: Patterns, p: Floats, relevant: Floats, possible: Floats) -> Floats:
    """Variance of the figures because unanswered items are relevant or not by chance, (3, S)."""
    chance = p * (1 - p) * table.count
    yes, known = table.sums(chance)
    square = multiply_transposed(table.yes * table.yes, chance)
    retrieved = np.asarray(table.totals[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = relevant / possible
        half = relevant / (retrieved + possible)  # F / 2
        return np.stack(
            [
                square / retrieved**2,
                (square - 2 * recall * yes + recall**2 * known) / possible**2,
                4 * (square - 2 * half * yes + half**2 * known) / (retrieved + possible) ** 2,
            ]
        )


def _shared_error(answers: KnownAnswers, items: int) -> float:
    """Variance of a share of one half because the model is wrong for all systems alike."""
    effective = _effective(answers)
    left = 1 - len(answers) / max(items, 1)
    return float((SHARED_ERROR * left) ** 2 / max(min(effective, MOST_TELLING), 1.0))


def _effective(answers: KnownAnswers) -> float:
    """Number of answers of equal weight that tell as much (Kish 1965)."""
    weights = answers.weights
    return float(weights.sum() ** 2 / max((weights**2).sum(), 1e-12))


def _student(answers: KnownAnswers) -> float:
    """By how much a variance is too small that so many answers estimate: the square of t / z."""
    free = max(_effective(answers) - 1, 1.0)
    return float((special.stdtrit(free, 0.975) / NORMAL_95) ** 2)


def _binary(figure: Floats, base: Floats) -> Floats:
    """Variance of an item that counts or not, (S,), the figure kept half an item from 0 and 1."""
    least = 0.5 / (np.maximum(base, 1.0) + 1)
    share = np.clip(figure, least, 1 - least)
    return np.asarray(share * (1 - share))


def _by_row(table: Patterns, values: Floats) -> Floats:
    """Mean over the items of every row, (M,)."""
    known = np.nan_to_num(values, nan=0.5)
    sums = np.bincount(table.of_item, known, len(table.count))
    return np.asarray(sums / np.maximum(table.count, 1))


def _parts(coefficients: Floats, rows: int) -> Iterator[Floats]:
    """Split the columns into parts that fit into memory."""
    step = max(1, AT_ONCE // max(rows, 1))
    lots = coefficients.shape[1]
    return (coefficients[:, start : start + step] for start in range(0, lots, step))
