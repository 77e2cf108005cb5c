"""Agreement between systems, pair by pair, and systems that err together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.accuracy import THIN, Patterns, find_patterns, multiply_transposed
from spotlab.consensus.votes import PackedVotes, Votes, count_shared_bits
from spotlab.extras import hierarchy, sparse, spatial
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

FEWEST = 5  # items that two systems have to share before their agreement means anything


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement between all pairs of S systems, over the items on which both votes are known.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    phi : (S, S) float
        Correlation of the votes in [-1, 1], for yes and no votes the φ coefficient. NaN where two
        systems share fewer than 5 items or one of them votes alike on all of these; 1 on the
        diagonal.
    jaccard : (S, S) float
        Number of items that both vote for over the number that either votes for, in [0, 1]; for
        soft votes Σxy / Σ(x² + y² − xy). NaN where neither votes for any shared item.
    both : (S, S) float
        Number of items on which both votes are known.
    """

    systems: tuple[str, ...]
    phi: Floats
    jaccard: Floats
    both: Floats

    __repr__ = short_repr

    @cached_property
    def tree(self) -> Floats:
        """Dendrogram of 1 − φ, (S − 1, 4) as in scipy: average linkage, undefined φ as 0."""
        systems = len(self.systems)
        if systems < 2:
            return np.empty((0, 4))
        return np.asarray(hierarchy.linkage(self._distances(), "average"))

    @cached_property
    def order(self) -> Ints:
        """Indices of the systems, (S,), with systems that agree side by side."""
        systems = len(self.systems)
        if systems < 3:
            return np.arange(systems)
        sorted_tree = hierarchy.optimal_leaf_ordering(self.tree, self._distances())
        return np.asarray(hierarchy.leaves_list(sorted_tree), np.int64)

    def _distances(self) -> Floats:
        """1 − φ of each pair of systems, as scipy wants it."""
        distance = 1 - np.nan_to_num((self.phi + self.phi.T) / 2)
        np.fill_diagonal(distance, 0.0)
        flat = spatial.distance.squareform(np.maximum(distance, 0.0), checks=False)
        return np.asarray(flat)


def measure_agreement(votes: Votes) -> Agreement:
    """Measure the agreement between all pairs of systems.

    Parameters
    ----------
    votes : Votes
        N items, S systems.

    Returns
    -------
    Agreement
        NaN for each pair that shares too few items.

    Examples
    --------
    >>> rows = [[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 1], [0, 1, 1]]
    >>> pairs = measure_agreement(Votes.of(rows, ["a", "b", "c"]))
    >>> pairs.phi.round(2).tolist()
    [[1.0, 0.67, -1.0], [0.67, 1.0, -0.67], [-1.0, -0.67, 1.0]]
    >>> pairs.jaccard.round(2).tolist()
    [[1.0, 0.67, 0.0], [0.67, 1.0, 0.2], [0.0, 0.2, 1.0]]
    """
    systems = len(votes.systems)
    both, squares, sums, product = _moments(votes)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums / both  # of the row's system, over the items shared with the column's
        variance = squares / both - mean**2
        covariance = product / both - mean * mean.T
        phi = covariance / np.sqrt(variance * variance.T)
        either = squares + squares.T - product
        jaccard = np.where(either > 0, product / either, np.nan)
    defined = (both >= FEWEST) & (variance > 1e-12) & (variance.T > 1e-12)
    phi = np.where(defined, np.clip(phi, -1.0, 1.0), np.nan)
    phi[np.arange(systems), np.arange(systems)] = 1.0
    return Agreement(votes.systems, phi, jaccard, both)


def _moments(votes: Votes) -> tuple[Floats, Floats, Floats, Floats]:
    """Number of shared items, Σx² and Σx of the row's system and Σxy over them, (S, S) each."""
    systems = len(votes.systems)
    if votes.complete:
        product = votes.storage.matrix()
        row = np.ones((1, systems))
        sums, squares = votes.counts_for[:, None] * row, np.diag(product)[:, None] * row
        return np.full((systems, systems), float(len(votes))), squares, sums, product
    if isinstance(votes.storage, PackedVotes) and votes.storage.known is not None:
        yes, there = votes.storage.yes, votes.storage.known
        sums = count_shared_bits(yes, there)  # and squares, as 1² = 1
        return count_shared_bits(there, there), sums, sums, count_shared_bits(yes, yes)
    if votes.counts_known.sum() < THIN * systems * len(votes):
        return _listed_moments(votes)
    both, squares, sums, product = np.zeros((4, systems, systems))
    for _, part in votes.spans():
        voted = ~np.isnan(part)
        known, vote = voted.astype(np.float64), np.where(voted, part, 0.0)
        both += multiply_transposed(known, known)
        squares += multiply_transposed(vote * vote, known)
        sums += multiply_transposed(vote, known)
        product += multiply_transposed(vote, vote)
    return both, squares, sums, product


def _listed_moments(votes: Votes) -> tuple[Floats, Floats, Floats, Floats]:
    """The same where few votes are known."""
    table = find_patterns(votes)
    yes, known = sparse.csr_array(table.yes), sparse.csr_array(table.known)
    weight = table.count[:, None]
    counted = known * weight
    parts = (known.T @ counted, (yes * yes).T @ counted, yes.T @ counted, yes.T @ (yes * weight))
    both, squares, sums, product = (np.asarray(sparse.csr_array(p).toarray()) for p in parts)
    return both, squares, sums, product


ROUNDS = 200
STILL = 1e-9
FEWEST_GROUPS = 3  # with two, only the product of their λ would be known


def excess_agreement(agreement: Agreement, label: Ints) -> tuple[Floats, Floats]:
    """Mean agreement within every group, observed and expected from accuracy alone.

    Parameters
    ----------
    agreement : Agreement
        Agreement of S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    observed : (G,) float
        Mean φ over the pairs of a group, in [-1, 1]; NaN for a group of one, or where no φ is
        known.
    expected : (G,) float
        Mean λ_i λ_j over the same pairs; NaN also if there are fewer than three groups, which leave
        λ undetermined.

    Notes
    -----
    Spearman (1904), fitted as in Harman & Jones (1966).

    Examples
    --------
    >>> phi = np.full((6, 6), 0.36)
    >>> phi[:2, :2] = phi[2:4, 2:4] = phi[4:, 4:] = 0.5
    >>> phi[:2, :2] = 0.9
    >>> agreement = Agreement(tuple("abcdef"), phi, phi, np.full((6, 6), 100.0))
    >>> observed, expected = excess_agreement(agreement, np.array([0, 0, 1, 1, 2, 2]))
    >>> observed.round(2).tolist(), expected.round(2).tolist()
    ([0.9, 0.5, 0.5], [0.36, 0.36, 0.36])
    """
    label = np.asarray(label, np.int64)
    groups = int(label.max()) + 1 if len(label) else 0
    same = label[:, None] == label
    known = ~np.isnan(agreement.phi)
    strength = _strength(agreement.phi, known & ~same) if groups >= FEWEST_GROUPS else None
    pairs = known & same & ~np.eye(len(label), dtype=bool)
    observed, expected = np.full((2, groups), np.nan)
    for group in range(groups):
        within = pairs & (label == group)
        if within.any():
            observed[group] = agreement.phi[within].mean()
            if strength is not None:
                expected[group] = np.outer(strength, strength)[within].mean()
    return observed, expected


def _strength(phi: Floats, counted: NDArray[np.bool_]) -> Floats:
    """λ from the pairs that count, (S,); 0 where nothing is known of a system."""
    values, weight = np.where(counted, phi, 0.0), counted.astype(np.float64)
    strength = np.full(len(phi), 0.5)
    for _ in range(ROUNDS):
        divisor = weight @ strength**2
        wanted = np.divide(
            values @ strength, divisor, out=np.zeros(len(phi)), where=divisor > 1e-12
        )
        after = (strength + np.clip(wanted, -1.0, 1.0)) / 2  # damped, or two groups would swing
        if np.abs(after - strength).max(initial=0.0) < STILL:
            break
        strength = after
    return strength


GROUP_RIGHT, GROUP_WRONG = 4.0, 1.0  # Beta prior of a group's accuracies
RIGHT, WRONG = 2.0, 1.0  # Beta prior of a system's
FIRST_GUESS = 0.02
MOST_ROUNDS = 200
UNMOVED = 1e-4  # change of the log-likelihood
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
    table: Patterns, label: Ints, tolerance: float = UNMOVED, progress: Progress = silent
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
    model = _GroupModel(table, np.asarray(label, np.int64))
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
class _GroupModel:
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
        """Tell whether a group is a single system, (G,)."""
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


ENOUGH = 5_000  # items that tell the cuts apart; more would only take longer
ALL_CUTS = 40  # systems up to which every cut is tried
TELLING = 0.01  # of a log-likelihood: cuts that differ by less are as good as each other
STRANGERS = 0.5  # share of the pairs of systems of which nothing may be known
APART = (
    "Most systems share too few items to find those that err together. Declare groups if you "
    "know them."
)
COARSE = 16  # cuts that are tried at first where there are more


@dataclass(frozen=True, eq=False)
class DendrogramCut:
    """One cut of the dendrogram.

    Attributes
    ----------
    groups : int
        Number of groups.
    bic : float
        Bayesian information criterion of the grouped model: −2·log-likelihood + number of
        parameters·log(items). Smaller is better.
    """

    groups: int
    bic: float


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of S systems.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    label : (S,) int
        Group of every system, from 0 in the order of first appearance.
    names : tuple of str
        Names of the G groups.
    evidence : tuple of DendrogramCut
        All cuts that were tried; empty for declared groups.
    items : int
        Number of items that the evidence is from.
    remark : str
        Reason why no groups were searched for; else empty.
    observed, expected : (G,) float or None
        Mean agreement (φ) within every group, and its value if the systems erred independently
        (:mod:`spotlab.consensus.agreement`); None where agreement is not known.
    """

    systems: tuple[str, ...]
    label: Ints
    names: tuple[str, ...]
    evidence: tuple[DendrogramCut, ...] = ()
    items: int = 0
    remark: str = ""
    observed: Floats | None = None
    expected: Floats | None = None

    __repr__ = short_repr

    @property
    def sizes(self) -> Ints:
        """Number of systems in every group, (G,)."""
        return np.bincount(self.label, minlength=len(self.names))

    @property
    def together(self) -> bool:
        """Tell whether any two systems share a group."""
        return bool((self.sizes > 1).any())

    @property
    def only_two(self) -> bool:
        """Tell whether there are two groups and systems share them."""
        return len(self.names) == 2 and self.together

    @property
    def suspicion(self) -> Ints:
        """Indices of the shared groups, (K,), those first whose agreement exceeds expectation most.

        The larger ones come first where that is not known.
        """
        shared = np.flatnonzero(self.sizes > 1)
        excess = np.full(len(self.names), np.nan)
        if self.observed is not None and self.expected is not None:
            excess = self.observed - self.expected
        last = np.nan_to_num(-excess, nan=np.inf)
        return shared[np.lexsort((-self.sizes[shared], last[shared]))]

    @property
    def warning(self) -> str | None:
        """Warning for readers of the ranking; None if every system is a group of its own."""
        return self._warn(self._described)

    @property
    def brief_warning(self) -> str | None:
        """The same without the names of systems and their agreement."""
        return self._warn(lambda _: "")

    def _warn(self, describe: Callable[[int], str]) -> str | None:
        if not self.together:
            return None
        if len(self.names) == 1:
            return (
                "All systems belong to one group: what they have in common cannot be distinguished "
                "from what is right. Mark some items."
            )
        if self.only_two:
            return (
                "The systems fall into two groups that err together. The votes do not show which "
                "group is right: read the ranking within each group, and mark some items to "
                "compare across groups."
            )
        first, *others = (int(group) for group in self.suspicion)
        said = f"{self.sizes[first]} of {len(self.systems)} systems vote much alike"
        said += describe(first)
        if others:
            so_do = [f"{self.sizes[group]}{describe(group)}" for group in others]
            said += f"; so do {' and '.join(so_do)}. "
            said += "The first group agrees most above expectation. " * self._ranked
            said += "The systems of a group"
        else:
            said += ": they"
        return (
            f"{said} confirm each other's errors, or they are all good. "
            "Corrections are offered; only truth can show whether they help."
        )

    @property
    def _ranked(self) -> bool:
        return self.expected is not None and not np.isnan(self.expected).all()

    def _described(self, group: int) -> str:
        """The group's systems and their agreement, in brackets."""
        listed = self._listed(group)
        if self.observed is None or self.expected is None or np.isnan(self.expected[group]):
            return f" ({listed})"
        agreed = f"φ {self.observed[group]:.2f}, {self.expected[group]:.2f} expected"
        return f" ({listed}: {agreed})"

    def _listed(self, group: int, most: int = 4) -> str:
        members = [self.systems[system] for system in np.flatnonzero(self.label == group)]
        rest = len(members) - most
        return ", ".join(members[:most]) + (f" and {rest} more" if rest > 0 else "")


def declared_groups(
    systems: Sequence[str], values: Sequence[str], agreement: Agreement | None = None
) -> Groups:
    """Group the systems by a known value, such as their engine.

    Parameters
    ----------
    systems : sequence of str
        Names of S systems.
    values : sequence of str
        Name of the group of each system.
    agreement : Agreement, optional
        Agreement of the systems, to compare it with expectation within each group.

    Returns
    -------
    Groups
        Without ``observed`` and ``expected`` if there is no agreement.

    Raises
    ------
    ValueError
        If there are not as many values as systems.

    Examples
    --------
    >>> groups = declared_groups(["a", "b", "c"], ["tesseract", "ocropus", "tesseract"])
    >>> groups.label.tolist(), groups.names, groups.only_two
    ([0, 1, 0], ('tesseract', 'ocropus'), True)
    """
    if len(systems) != len(values):
        raise ValueError(f"{len(values)} groups are declared for {len(systems)} systems")
    names = tuple(dict.fromkeys(values))
    label = np.array([names.index(value) for value in values], np.int64)
    return _weighed(Groups(tuple(systems), label, names), agreement)


def find_groups(
    votes: Votes, *, agreement: Agreement | None = None, seed: int = 0, progress: Progress = silent
) -> Groups:
    """Find systems that err together, by cutting the dendrogram of their agreement.

    Parameters
    ----------
    votes : Votes
        N items, S systems; a sample of 5,000 items is used of more.
    agreement : Agreement, optional
        Their agreement, if it is known already.
    seed : int
        Seed of the sample.
    progress : callable
        Called with the number of cuts tried.

    Returns
    -------
    Groups
        Every system by itself for fewer than three systems, without items, or where most pairs of
        systems share fewer than 5 items; ``remark`` then says so.

    Notes
    -----
    The average-linkage tree of 1 − φ is cut into 2…S groups. The model of
    :mod:`spotlab.consensus.agreement` is fitted to each cut, and the cut with the smallest BIC
    is kept. A single group is not tried: its opinion could not be distinguished from the truth.
    Up to 40 systems every cut is tried; of more, 16 cuts on a geometric scale and then those
    around the best one.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth, shared = rng.random(500) < 0.5, rng.random(500) < 0.2
    >>> own = (truth ^ (rng.random(500) < 0.2) for _ in range(3))
    >>> twin = truth ^ shared
    >>> votes = Votes.of(np.column_stack([twin, twin ^ (rng.random(500) < 0.02), *own]), "abcde")
    >>> find_groups(votes).label.tolist()
    [0, 0, 1, 2, 3]
    """
    systems = len(votes.systems)
    if systems < 3 or not len(votes):
        return _named(votes.systems, np.arange(systems), (), len(votes))
    agreement = measure_agreement(votes) if agreement is None else agreement
    if np.isnan(agreement.phi[np.triu_indices(systems, 1)]).mean() > STRANGERS:
        alone = _named(votes.systems, np.arange(systems), (), len(votes))
        return replace(alone, remark=APART)
    sample = votes
    if len(votes) > ENOUGH:
        draw = np.random.default_rng(seed).choice(len(votes), ENOUGH, replace=False)
        sample = votes.take(np.sort(draw))
    table = find_patterns(sample)
    tried: dict[int, tuple[float, Ints]] = {}
    for wanted in _scale(systems):
        progress(len(tried), None, "finding systems that err together")
        _try(table, agreement.tree, wanted, tried)
    while systems > ALL_CUTS and (gap := _gap(tried)) is not None:
        progress(len(tried), None, "finding systems that err together")
        if not _try(table, agreement.tree, gap, tried):
            break
    best = min(tried.values(), key=lambda pair: pair[0])[1]
    evidence = tuple(DendrogramCut(groups, bic) for groups, (bic, _) in sorted(tried.items()))
    return _weighed(_named(votes.systems, best, evidence, len(sample)), agreement)


def _weighed(groups: Groups, agreement: Agreement | None) -> Groups:
    """The groups with their agreement, observed and expected."""
    if agreement is None:
        return groups
    observed, expected = excess_agreement(agreement, groups.label)
    return replace(groups, observed=observed, expected=expected)


def _scale(systems: int) -> list[int]:
    if systems <= ALL_CUTS:
        return list(range(2, systems + 1))
    return sorted(set(np.geomspace(2, systems, COARSE).round().astype(int).tolist()))


def _gap(tried: dict[int, tuple[float, Ints]]) -> int | None:
    """Number of groups in the middle of the wider gap beside the best cut; None without a gap."""
    counts = sorted(tried)
    best = counts.index(min(counts, key=lambda groups: tried[groups][0]))
    gaps = [
        (high - low, (low + high) // 2)
        for low, high in zip(
            counts[max(best - 1, 0) : best + 1], counts[best : best + 2], strict=False
        )
    ]
    width, middle = max(gaps, default=(0, 0))
    return middle if width > 1 else None


def _try(table: Patterns, tree: Floats, wanted: int, tried: dict[int, tuple[float, Ints]]) -> bool:
    """Fit the cut into ``wanted`` groups, fewer if distances tie. Return whether it was new."""
    # not "maxclust", which older versions of scipy never cut at the lowest joint
    heights = np.sort(tree[:, 2])
    limit = heights[len(heights) - wanted] if wanted <= len(heights) else heights[0] - 1
    label = _numbered(hierarchy.fcluster(tree, limit, "distance"))
    groups = int(label.max()) + 1
    if groups < 2 or groups in tried:
        return False
    tried[groups] = fit_grouped(table, label, TELLING).bic, label
    return True


def _numbered(label: NDArray[np.int32]) -> Ints:
    """Number the groups from 0 in the order of first appearance."""
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def _named(
    systems: tuple[str, ...], label: Ints, evidence: tuple[DendrogramCut, ...], items: int
) -> Groups:
    """Name a group of one after its system, and number the others."""
    names, number = [], 0
    for group in range(int(label.max()) + 1 if len(label) else 0):
        members = np.flatnonzero(label == group)
        number += len(members) > 1
        names.append(systems[members[0]] if len(members) == 1 else f"group {number}")
    return Groups(systems, label, tuple(names), evidence, items)
