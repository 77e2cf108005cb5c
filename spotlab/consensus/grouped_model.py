"""A latent class model in which the systems of a group share an opinion that may be wrong.

An item is relevant or not (y). Each group of two or more systems has a yes or no opinion of it (z),
with a sensitivity and a specificity of its own. Its systems vote according to that opinion, again
with errors of their own. A system without a group votes on y itself. Given y, the groups err
independently. If no systems share a group, this is the model of Dawid & Skene (1979).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.patterns import Patterns
from spotlab.progress import Progress, silent

GROUP_RIGHT, GROUP_WRONG = 4.0, 1.0  # Beta prior of a group's accuracies
RIGHT, WRONG = 2.0, 1.0  # Beta prior of a system's
FIRST_GUESS = 0.02
MOST_ROUNDS = 200
STILL = 1e-4  # change of the log-likelihood
FURTHEST = 500.0  # log odds of a group's opinion beyond which figures no longer change


@dataclass(frozen=True, eq=False)
class GroupedFit:
    """The model fitted to votes.

    Attributes
    ----------
    probability : (M,) float
        Probability that a row of the table is relevant, in [0, 1].
    bic : float
        Bayesian information criterion; smaller is better.
    converged : bool
        Whether the likelihood stopped changing.
    """

    probability: Floats
    bic: float
    converged: bool


def fit_grouped(
    table: Patterns, label: Ints, tolerance: float = STILL, progress: Progress = silent
) -> GroupedFit:
    """Fit the model by expectation maximisation, starting from the mean of the groups' shares.

    Parameters
    ----------
    table : Patterns
        M different rows of votes of S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.
    tolerance : float
        Stop when the log-likelihood changes by less.
    progress : callable
        Called with the number of rounds done.

    Returns
    -------
    GroupedFit
        After at most 200 rounds.

    Notes
    -----
    The model of Dawid & Skene (1979) with one more latent level, and Beta priors on all accuracies.

    Examples
    --------
    >>> yes = np.array([[1.0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]])
    >>> table = Patterns(yes, None, np.array([5.0, 1, 2, 5]), np.arange(4))
    >>> fit = fit_grouped(table, np.array([0, 0, 1, 2]))
    >>> fit.probability.round(1).tolist()
    [1.0, 0.1, 0.9, 0.0]
    """
    model = _Model(table, np.asarray(label, np.int64))
    p, opinion = model.start()
    beliefs = p[:, None] * opinion, (1 - p)[:, None] * (1 - opinion)
    before = -np.inf
    for done in range(MOST_ROUNDS):
        progress(done, None, "weighing groups of systems")
        parameters = model.maximise(p, opinion, beliefs)
        p, opinion, beliefs, likelihood = model.expect(*parameters)
        if abs(likelihood - before) < tolerance:
            break
        before = likelihood
    bic = -2 * likelihood + model.parameters * np.log(max(table.count.sum(), 1.0))
    still = done < MOST_ROUNDS - 1
    return GroupedFit(p, float(bic), still)


@dataclass(frozen=True, eq=False)
class _Model:
    table: Patterns
    label: Ints

    @property
    def groups(self) -> int:
        return int(self.label.max()) + 1 if len(self.label) else 0

    @property
    def member(self) -> Floats:
        """1 where the system belongs to the group, (S, G)."""
        return np.eye(self.groups)[self.label]

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Whether a group is a single system, (G,)."""
        return np.asarray(np.bincount(self.label, minlength=self.groups) == 1)

    @property
    def parameters(self) -> int:
        """Number of parameters: 2 per system, 2 per group with an opinion, and the prevalence."""
        return int(2 * len(self.label) + 1 + 2 * (~self.alone).sum())

    def start(self) -> tuple[Floats, Floats]:
        """Initial probabilities that a row is relevant, (M,), and the groups' opinions, (M, G)."""
        member = self.member
        known = self.table.weighted(member, member)
        yes = self.table.weighted(member, np.zeros_like(member))
        share = np.where(known > 0, yes / np.maximum(known, 1e-12), np.nan)
        seen = ~np.isnan(share)
        mean = np.nan_to_num(share).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
        p = np.where(seen.any(axis=1), mean, 0.5)
        bounds = FIRST_GUESS, 1 - FIRST_GUESS
        return np.clip(p, *bounds), np.clip(np.nan_to_num(share, nan=0.5), *bounds)

    def maximise(
        self, p: Floats, opinion: Floats, beliefs: tuple[Floats, Floats]
    ) -> tuple[Floats, Floats, Floats, Floats, float]:
        """Accuracies of groups and systems, and the prevalence."""
        count, alone, label = self.table.count, self.alone, self.label
        relevant = p @ count
        prior = GROUP_RIGHT + GROUP_WRONG
        group_right = (count @ beliefs[0] + GROUP_RIGHT) / (relevant + prior)
        group_refused = (count @ beliefs[1] + GROUP_RIGHT) / (count.sum() - relevant + prior)
        believed = np.where(alone, p[:, None], opinion) * count[:, None]
        system = np.arange(len(label))
        yes_right, known_yes = (part[system, label] for part in self.table.sums(believed))
        yes, known = self.table.totals
        known_no = known - known_yes
        no_right = np.maximum(known_no - (yes - yes_right), 0.0)
        return (
            np.where(alone, 1.0, group_right),
            np.where(alone, 1.0, group_refused),
            (yes_right + RIGHT) / (known_yes + RIGHT + WRONG),
            (no_right + RIGHT) / (known_no + RIGHT + WRONG),
            float((relevant + 1) / (count.sum() + 2)),
        )

    def expect(
        self,
        group_right: Floats,
        group_refused: Floats,
        sensitivity: Floats,
        specificity: Floats,
        prevalence: float,
    ) -> tuple[Floats, Floats, tuple[Floats, Floats], float]:
        """Probability that each row is relevant, groups' opinions, both jointly, likelihood."""
        member = self.member
        says_yes = self.table.weighted(
            member * np.log(sensitivity)[:, None], member * np.log(1 - sensitivity)[:, None]
        )
        says_no = self.table.weighted(
            member * np.log(1 - specificity)[:, None], member * np.log(specificity)[:, None]
        )
        # e to the difference: one exponential serves both, and sums of exponentials of each
        # take several times as long
        odds = np.exp(np.clip(says_yes - says_no, -FURTHEST, FURTHEST))
        right, made_up = group_right * odds, (1 - group_refused) * odds
        relevant, other = right + (1 - group_right), made_up + group_refused
        both = says_no.sum(axis=1)
        yes = np.log(prevalence) + both + np.log(relevant).sum(axis=1)
        no = np.log(1 - prevalence) + both + np.log(other).sum(axis=1)
        likelihood = float(self.table.count @ np.logaddexp(yes, no))
        p = 1 / (1 + np.exp(np.clip(no - yes, -500, 500)))
        if_relevant = p[:, None] * (right / relevant)
        if_other = (1 - p)[:, None] * (made_up / other)
        refused_other = (1 - p)[:, None] * (group_refused / other)
        return p, if_relevant + if_other, (if_relevant, refused_other), likelihood
