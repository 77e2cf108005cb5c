"""Find systems that err together, or take groups that somebody declares.

Systems that share an engine share its errors and outvote those that do not (Lamiroy & Sun, 2013,
§4.3). Agreement alone does not distinguish a shared error from shared competence, so groups are a
warning and not a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.agreement import Agreement, measure_agreement
from spotlab.consensus.excess import excess_agreement
from spotlab.consensus.grouped_model import fit_grouped
from spotlab.consensus.patterns import Patterns, find_patterns
from spotlab.consensus.votes import Votes
from spotlab.libraries import hierarchy
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

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
class Cut:
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
    evidence : tuple of Cut
        All cuts that were tried; empty for declared groups.
    items : int
        Number of items that the evidence is from.
    remark : str
        Reason why no groups were searched for; else empty.
    observed, expected : (G,) float or None
        Mean agreement (φ) within every group, and its value if the systems erred independently
        (:mod:`spotlab.consensus.excess`); None where agreement is not known.
    """

    systems: tuple[str, ...]
    label: Ints
    names: tuple[str, ...]
    evidence: tuple[Cut, ...] = ()
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
        """Whether any two systems share a group."""
        return bool((self.sizes > 1).any())

    @property
    def only_two(self) -> bool:
        """Whether there are two groups and systems share them."""
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
    votes: Votes,
    *,
    agreement: Agreement | None = None,
    seed: int = 0,
    progress: Progress = silent,
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
    :mod:`spotlab.consensus.grouped_model` is fitted to each cut, and the cut with the smallest BIC
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
    evidence = tuple(Cut(groups, bic) for groups, (bic, _) in sorted(tried.items()))
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


def _named(systems: tuple[str, ...], label: Ints, evidence: tuple[Cut, ...], items: int) -> Groups:
    """Name a group of one after its system, and number the others."""
    names, number = [], 0
    for group in range(int(label.max()) + 1 if len(label) else 0):
        members = np.flatnonzero(label == group)
        number += len(members) > 1
        names.append(systems[members[0]] if len(members) == 1 else f"group {number}")
    return Groups(systems, label, tuple(names), evidence, items)
