"""Estimate how often each system is right from how the systems agree.

Dawid & Skene (1979). Every item is relevant or not. A system votes for a relevant item with its
sensitivity and against another with its specificity. Given the item, the systems err independently
of each other. Where they do not, for instance because they share an engine, the result is what the
largest family of systems believes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.votes import Votes
from spotlab.extras import sparse
from spotlab.progress import Progress, silent

ALONE = 200_000  # operations of a product of matrices up to which OpenBLAS starts no threads
ALONE_VECTOR = 9_000  # of a product with a vector


def multiply(table: Any, values: Floats) -> Floats:
    """Multiply ``table @ values``, piece by piece.

    Parameters
    ----------
    table : (M, S) float array or sparse array
        Many rows, few columns.
    values : (S,) or (S, G) float
        One factor, or several, per column.

    Returns
    -------
    (M,) or (M, G) float
        Equal to ``table @ values`` up to rounding.

    Examples
    --------
    >>> multiply(np.ones((3, 2)), np.array([1.0, 2.0])).tolist()
    [3.0, 3.0, 3.0]
    """
    if not isinstance(table, np.ndarray):
        return np.asarray(table @ values)
    rows, columns = table.shape
    size = _size(columns, values)
    whole = rows - rows % size
    if whole < size:
        return np.asarray(table @ values)
    pieces = table[:whole].reshape(-1, size, columns) @ values
    product = np.empty((rows, *values.shape[1:]))
    product[:whole] = pieces.reshape(whole, *values.shape[1:])
    product[whole:] = table[whole:] @ values
    return product


def multiply_transposed(table: Any, values: Floats) -> Floats:
    """Multiply ``table.T @ values``, piece by piece.

    Parameters
    ----------
    table : (M, S) float array or sparse array
        Many rows, few columns.
    values : (M,) or (M, G) float
        One factor, or several, per row.

    Returns
    -------
    (S,) or (S, G) float
        Equal to ``table.T @ values`` up to rounding.

    Examples
    --------
    >>> multiply_transposed(np.ones((3, 2)), np.array([1.0, 2.0, 3.0])).tolist()
    [6.0, 6.0]
    """
    if not isinstance(table, np.ndarray):
        return np.asarray(table.T @ values)
    rows, columns = table.shape
    size = _size(columns, values)
    whole = rows - rows % size
    if whole < size:
        return np.asarray(table.T @ values)
    flat = values.reshape(rows, -1)
    turned = table[:whole].reshape(-1, size, columns).transpose(0, 2, 1)
    product = (turned @ flat[:whole].reshape(-1, size, flat.shape[1])).sum(axis=0)
    product += table[whole:].T @ flat[whole:]
    return np.asarray(product.reshape(columns, *values.shape[1:]))


def _size(columns: int, values: Floats) -> int:
    """Number of rows of a piece."""
    if values.ndim == 1 or values.shape[1] == 1:
        return max(ALONE_VECTOR // max(columns, 1), 1)
    return max(ALONE // max(columns * int(values.shape[1]), 1), 1)


CODED = 32  # systems whose yes, no or unknown fits a word of 64 bits
THIN = 0.2  # votes are listed where fewer than this share of them is known


@dataclass(frozen=True, eq=False)
class Patterns:
    """The M different rows of the votes of S systems on N items.

    Attributes
    ----------
    yes : (M, S) float array or sparse array
        The votes, 0 where unknown.
    known : (M, S) float array or sparse array, or None
        1 where the vote is known; None if all are.
    count : (M,) float
        Number of items with each row.
    of_item : (N,) int
        Row of every item.
    """

    yes: Any
    known: Any
    count: Floats
    of_item: Ints

    def sums(self, values: Floats) -> tuple[Floats, Floats]:
        """Sum values over each system's votes, and over its known votes.

        Parameters
        ----------
        values : (M,) or (M, G) float
            A value, or several, per row.

        Returns
        -------
        over_votes, over_known : (S,) or (S, G) float
            Σ value · vote, and Σ value where the vote is known.

        Examples
        --------
        >>> table = find_patterns(Votes.of([[1, 0], [1, 0], [1, np.nan]], ["a", "b"]))
        >>> [part.tolist() for part in table.sums(table.count)]
        [[3.0, 0.0], [3.0, 2.0]]
        """
        for_ = multiply_transposed(self.yes, values)
        if self.known is None:
            return for_, np.broadcast_to(values.sum(axis=0), for_.shape)
        return for_, multiply_transposed(self.known, values)

    @cached_property
    def totals(self) -> tuple[Floats, Floats]:
        """Number of items that each system votes for, and on which its vote is known, (S,) each."""
        return self.sums(self.count)

    def weighted(self, yes: Floats, no: Floats) -> Floats:
        """Sum a value of each system over each row, one value for a yes and another for a no.

        Parameters
        ----------
        yes, no : (S,) or (S, G) float
            Value for a vote of 1 and of 0; soft votes are in between.

        Returns
        -------
        (M,) or (M, G) float
            0 for a row without known votes.

        Examples
        --------
        >>> table = find_patterns(Votes.of([[1, 0]], ["a", "b"]))
        >>> table.weighted(np.array([5.0, 7.0]), np.array([-1.0, -2.0])).tolist()
        [3.0]
        """
        against = no.sum(axis=0) if self.known is None else multiply(self.known, no)
        return np.asarray(multiply(self.yes, yes - no) + against)

    def known_votes(self) -> tuple[Ints, Ints, Floats]:
        """Row, system and value of every known vote, (K,) each."""
        if sparse.issparse(self.yes):
            every = (self.known + self.yes).tocsr()  # 1 + the vote, so that a vote of 0 is kept
            row = np.repeat(np.arange(len(self.count)), np.diff(every.indptr))
            return row, every.indices, every.data - 1
        known = np.ones(self.yes.shape) if self.known is None else self.known
        row, system = np.nonzero(known)
        return row, system, self.yes[row, system]

    def shares(self) -> Floats:
        """Share of the known votes that are for each row, (M,) in [0, 1]; NaN without any."""
        one = np.ones(self.yes.shape[1])
        known = np.full(len(self.count), one.sum())
        if self.known is not None:
            known = multiply(self.known, one)
        with np.errstate(invalid="ignore"):
            return np.asarray(multiply(self.yes, one) / known)


def find_patterns(votes: Votes, apart: Ints | None = None) -> Patterns:
    """Find the different rows of votes, where that is possible and saves time.

    Parameters
    ----------
    votes : Votes
        N items. Soft votes, and votes of more than 32 systems, give one row per item.
    apart : (K,) int, optional
        Indices of items that get a row of their own, because more is known about them.

    Returns
    -------
    Patterns
        Without rows if there are no items.

    Examples
    --------
    >>> table = find_patterns(Votes.of([[1, 0], [0, 1], [1, 0]], ["a", "b"]))
    >>> table.yes.tolist(), table.count.tolist(), table.of_item.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [2.0, 1.0], [0, 1, 0])
    """
    keys = _keys(votes)
    if keys is None:
        return _one_by_one(votes)
    together = np.ones(len(votes), bool)
    if apart is not None:
        together[apart] = False
    _, first, inverse, count = np.unique(
        keys[together], return_index=True, return_inverse=True, return_counts=True
    )
    alone = np.flatnonzero(~together)
    of_item = np.empty(len(votes), np.int64)
    of_item[together] = inverse
    of_item[alone] = len(first) + np.arange(len(alone))
    rows = votes.rows(np.concatenate([np.flatnonzero(together)[first], alone]))
    counts = np.concatenate([count, np.ones(len(alone))]).astype(np.float64)
    return Patterns(*_split(rows), counts, of_item)


def _keys(votes: Votes) -> NDArray[np.uint64] | None:
    """A number for every different row, (N,); None for soft votes or too many systems."""
    systems = len(votes.systems)
    if systems > CODED:
        return None
    step = 1 if votes.complete else 2
    place = (1 << np.arange(0, systems * step, step, dtype=np.uint64)).astype(np.uint64)
    keys = np.empty(len(votes), np.uint64)
    for start, part in votes.spans():
        unknown = np.isnan(part)
        if not ((part == 0) | (part == 1) | unknown).all():
            return None
        part_keys = np.zeros(len(part), np.uint64)
        for system in range(systems):  # a column at a time stays in integers and in the cache
            code = (part[:, system] == 1).astype(np.uint64)
            if step > 1:
                code[unknown[:, system]] = 2
            part_keys |= code * place[system]
        keys[start : start + len(part)] = part_keys
    return keys


def _one_by_one(votes: Votes) -> Patterns:
    items, systems = len(votes), len(votes.systems)
    ones, rows = np.ones(items), np.arange(items)
    if votes.counts_known.sum() >= THIN * items * systems:
        return Patterns(*_split(votes.dense()), ones, rows)
    yes, known = [], []
    for _, part in votes.spans():
        there = ~np.isnan(part)
        known.append(sparse.csr_array(there.astype(np.float64)))
        yes.append(sparse.csr_array(np.where(there, part, 0.0)))
    return Patterns(sparse.vstack(yes, "csr"), sparse.vstack(known, "csr"), ones, rows)


def _split(rows: Floats) -> tuple[Floats, Floats | None]:
    unknown = np.isnan(rows)
    if not unknown.any():
        return rows, None
    return np.where(unknown, 0.0, rows), (~unknown).astype(np.float64)


RIGHT, WRONG = 2.0, 1.0  # Beta prior of sensitivity and specificity: rather right than wrong
SPREAD = 1.0  # Beta prior of the prevalence
FIRST_GUESS = 0.01  # no item is certain before the first round
INDEPENDENCE = (
    "Assumes that systems err independently of each other and are better than chance on average."
)


@dataclass(frozen=True, eq=False)
class Accuracy:
    """Probabilities of relevance and accuracies of systems, estimated from votes.

    Attributes
    ----------
    probability : (N,) float
        Probability that an item is relevant, in [0, 1]; the prevalence for an item without votes.
    sensitivity, specificity : (S,) float
        Share of the relevant items that a system votes for, and of the others that it votes
        against, in [0, 1]; NaN for a system without a known vote.
    prevalence : float
        Share of the items that are relevant, in [0, 1]; NaN without items.
    iterations : int
        Number of rounds.
    converged : bool
        Whether the probabilities stopped changing.
    """

    probability: Floats
    sensitivity: Floats
    specificity: Floats
    prevalence: float
    iterations: int
    converged: bool


def dawid_skene(
    votes: Votes, *, max_iterations: int = 300, tolerance: float = 1e-6, progress: Progress = silent
) -> Accuracy:
    """Estimate relevance and accuracies together, by expectation maximisation.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes are ignored.
    max_iterations : int
        Maximum number of rounds.
    tolerance : float
        Stop when no probability changes by this much or more.
    progress : callable
        Called with the number of rounds done.

    Returns
    -------
    Accuracy
        Without items the prevalence is NaN.

    Notes
    -----
    Dawid & Skene (1979), with a Beta(2, 1) prior on both accuracies, so that a system with few
    votes does not become infallible. Swapping relevant and irrelevant fits the votes equally well;
    of the two solutions the one is returned in which systems are better than chance on average.

    Examples
    --------
    >>> rows = [[1, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1]]
    >>> accuracy = dawid_skene(Votes.of(rows, ["a", "b", "c"]))
    >>> accuracy.probability.round(1).tolist()
    [1.0, 0.9, 1.0, 0.1, 0.0, 0.1]
    >>> accuracy.sensitivity.round(1).tolist()
    [0.8, 0.8, 0.7]
    """
    table = find_patterns(votes)
    model = _Model(table)
    fit = model.fit(_first_guess(table), max_iterations, tolerance, progress)
    if model.advantage(fit) < 0:  # the mirrored answer: start again from its other side
        other = model.fit(1 - fit.p, max_iterations, tolerance, progress)
        fit = other if model.advantage(other) > model.advantage(fit) else fit
    return model.accuracy(votes, fit)


def _first_guess(table: Patterns) -> Floats:
    """(M,) share of the votes for every row; one half without any."""
    return np.nan_to_num(table.shares(), nan=0.5)


ENOUGH = 20_000  # items that tell how much votes depend on each other; more would only take longer
VOTE_WEIGHTS = (0.15, 0.25, 0.4, 0.6, 0.8, 1.0)  # of a vote, in votes that err independently


def fit_shared_errors(votes: Votes, progress: Progress = silent) -> tuple[Accuracy, float]:
    """Estimate relevance from votes whose errors fall on the same items.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes are ignored.
    progress : callable
        Called with the number of rounds done.

    Returns
    -------
    accuracy : Accuracy
        As of `dawid_skene`. Without items the prevalence is NaN.
    weight : float
        Weight of a vote, in (0, 1]: 1 if systems err independently of each other, less the more
        often they are wrong on the same items.

    Notes
    -----
    The model of Dawid & Skene (1979), changed in two ways. The accuracies of the systems have Beta
    priors that are fitted to all systems, so that one with few votes is taken to be like the
    others. A vote counts for a share of an independent one: of six, the share is taken with which
    each vote is best predicted by the other votes on its item (by its mean log-likelihood, over at
    most 20,000 items).

    Examples
    --------
    >>> rows = [[1, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1]]
    >>> accuracy, weight = fit_shared_errors(Votes.of(rows, ["a", "b", "c"]))
    >>> accuracy.probability.round(1).tolist(), weight
    ([0.9, 0.7, 0.9, 0.2, 0.1, 0.2], 1.0)
    """
    some = votes
    if len(votes) > ENOUGH:
        chosen = np.random.default_rng(0).choice(len(votes), ENOUGH, replace=False)
        some = votes.take(np.sort(chosen))
    table = find_patterns(some)
    guess = _first_guess(table)
    best, weight = -np.inf, 1.0
    for tried in VOTE_WEIGHTS:
        model = _Model(table, tried, pooled=True)
        likelihood = model.likelihood_of_votes(model.fit(guess, 200, 1e-4, progress))
        if likelihood > best:
            best, weight = likelihood, tried
    table = table if some is votes else find_patterns(votes)
    model = _Model(table, weight, pooled=True)
    fit = model.fit(_first_guess(table), 200, 1e-4, progress)
    return model.accuracy(votes, fit), weight


@dataclass(frozen=True, eq=False)
class _Fit:
    p: Floats
    sensitivity: Floats
    specificity: Floats
    rounds: int
    still: bool


@dataclass(frozen=True, eq=False)
class _Model:
    table: Patterns
    weight: float = 1.0
    pooled: bool = False

    def fit(self, guess: Floats, max_iterations: int, tolerance: float, progress: Progress) -> _Fit:
        p = np.clip(guess, FIRST_GUESS, 1 - FIRST_GUESS)
        sensitivity, specificity = self._accuracies(p)
        for done in range(1, max_iterations + 1):
            progress(done, None, "learning how often systems are right")
            odds = self._odds(p, *_log_ratios(sensitivity, specificity))
            new = _probability(odds)
            still = bool(np.abs(new - p).max(initial=0.0) < tolerance)
            p = new
            sensitivity, specificity = self._accuracies(p)
            if still:
                return _Fit(p, sensitivity, specificity, done, True)
        return _Fit(p, sensitivity, specificity, max_iterations, False)

    def _odds(self, p: Floats, yes: Floats, no: Floats) -> Floats:
        """(M,) log odds of relevance, with the prevalence among items of these probabilities."""
        count = self.table.count
        prevalence = (p @ count + SPREAD) / (count.sum() + 2 * SPREAD)
        prior = np.log(prevalence / (1 - prevalence))
        return np.asarray(self.weight * self.table.weighted(yes, no) + prior)

    def likelihood_of_votes(self, fit: _Fit) -> float:
        """Mean log-likelihood of a vote, predicted from the other votes on its item."""
        row, system, vote = self.table.known_votes()
        yes, no = _log_ratios(fit.sensitivity, fit.specificity)
        own = self.weight * (vote * yes[system] + (1 - vote) * no[system])
        p = _probability(self._odds(fit.p, yes, no)[row] - own)
        for_ = p * fit.sensitivity[system] + (1 - p) * (1 - fit.specificity[system])
        found = vote * np.log(for_) + (1 - vote) * np.log1p(-for_)
        count = self.table.count[row]
        return float(found @ count / max(count.sum(), 1.0))

    def accuracy(self, votes: Votes, fit: _Fit) -> Accuracy:
        """Give what was found for every item and system."""
        count, seen = self.table.count, votes.counts_known > 0
        return Accuracy(
            probability=fit.p[self.table.of_item],
            sensitivity=np.where(seen, fit.sensitivity, np.nan),
            specificity=np.where(seen, fit.specificity, np.nan),
            prevalence=float(fit.p @ count / count.sum()) if len(votes) else float("nan"),
            iterations=fit.rounds,
            converged=fit.still,
        )

    def advantage(self, fit: _Fit) -> float:
        """Sensitivity + specificity − 1 of all systems, by their number of votes."""
        _, known = self.table.totals
        return float(known @ (fit.sensitivity + fit.specificity - 1))

    def _accuracies(self, p: Floats) -> tuple[Floats, Floats]:
        table = self.table
        yes_right, relevant = table.sums(p * table.count)
        yes, known = table.totals
        other = known - relevant
        no_right = np.maximum(other - (yes - yes_right), 0.0)
        if self.pooled:
            return _pooled(yes_right, relevant), _pooled(no_right, other)
        prior = RIGHT + WRONG
        return (yes_right + RIGHT) / (relevant + prior), (no_right + RIGHT) / (other + prior)


def _log_ratios(sensitivity: Floats, specificity: Floats) -> tuple[Floats, Floats]:
    """Log odds of relevance that a vote for an item adds, and one against it."""
    return np.log(sensitivity / (1 - specificity)), np.log((1 - sensitivity) / specificity)


def _probability(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))


def _pooled(right: Floats, whole: Floats) -> Floats:
    """(S,) shares, each drawn to the mean of all as far as shares of so many items vary anyway."""
    mean = float(np.clip((right.sum() + 1) / (whole.sum() + 2), 0.01, 0.99))
    binomial, some = mean * (1 - mean), whole > 1
    strength = 2.0
    if some.sum() > 1:
        weight = whole[some] / whole[some].sum()
        variance = weight @ (right[some] / whole[some] - mean) ** 2
        chance = binomial * some.sum() / whole[some].sum()
        like = np.clip((variance - chance) / max(binomial - chance, 1e-9), 0.005, 0.5)
        strength = min(1 / like - 1, 200.0)
    share = (right + mean * strength) / (whole + strength)
    return np.asarray(np.clip(share, 0.001, 0.999))
