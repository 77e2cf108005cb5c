"""Compared systems and their voters: systems, an oracle (possibly the truth), and all weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Points
from spotlab.consensus.answers import KnownAnswers
from spotlab.consensus.precision import Weights
from spotlab.consensus.votes import ListedVotes, Votes
from spotlab.errors import BadInput
from spotlab.formats.votes import read_votes
from spotlab.formats.votes.answers import ReadAnswers
from spotlab.formats.votes.format import TRUTH, Method, VoteTable
from spotlab.formats.votes.reading import vote_format_of
from spotlab.formats.votes.spots import FORMAT as SPOTS
from spotlab.formats.votes.spots import Place, items_of_regions, read_runs, with_remarks
from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.tally.truth import (
    TruthSet,
    explain_unmatched,
    match_pages,
    naming_for,
    read_truths,
)

ANSWERS = "answers"  # the oracle that knows the items whose relevance somebody told
TOP, BOTTOM = "top", "bottom"  # the systems that vote for everything and for nothing
SYMBOLS = {"⊤": TOP, "⊥": BOTTOM}


# Lamiroy & Sun (2013), Table 1: which of the systems S1 to S3 retrieve δ1 to δ7
FOUND = ((1, 1, 1), (1, 1, 1), (0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 0, 0))


def paper_example() -> VoteTable:
    """Make the example of Lamiroy & Sun (2013): three systems that vote on seven items.

    Returns
    -------
    VoteTable
        Table 1.

    Examples
    --------
    >>> paper_example().systems, len(paper_example())
    (('S1', 'S2', 'S3'), 7)
    """
    items = tuple(f"δ{number}" for number in range(1, len(FOUND) + 1))
    votes = Votes.of(np.array(FOUND, bool), ("S1", "S2", "S3"))
    return VoteTable(votes, items, name="Lamiroy & Sun, Table 1")


def weigh(
    systems: Sequence[str], given: Mapping[str, float] | None = None, oracle: str | None = None
) -> dict[str, float]:
    """Compute weights κ that sum to 1, of all systems, then of ⊤ and ⊥.

    Parameters
    ----------
    systems : sequence of str
        Names of all that vote, the oracle among them.
    given : mapping of str to float
        Weights by the names of systems, ``top`` (or ⊤) and ``bottom`` (or ⊥); a system of that name
        takes precedence.
    oracle : str, optional
        Name of the oracle.

    Returns
    -------
    dict of str to float
        In [0, 1].

    Raises
    ------
    ValueError
        If there is no such name, a weight is negative or not finite, or all are 0.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 13. Systems without a weight share equally what is left of 1: weights
    are uniform (eq. 10) if none is given, and zeros for ``top`` and ``bottom`` make vote shares.
    If the given weights sum to 1 or more, the others get nothing and all are scaled to sum to 1. An
    oracle without a weight gets all that is left: undisputed truth if none is given.

    Examples
    --------
    >>> weigh(["a", "b"])
    {'a': 0.25, 'b': 0.25, 'top': 0.25, 'bottom': 0.25}
    >>> weigh(["a", "b"], {"a": 0.5, "top": 0})
    {'a': 0.5, 'b': 0.25, 'top': 0.0, 'bottom': 0.25}
    >>> weigh(["a", "b"], {"a": 3, "b": 1})
    {'a': 0.75, 'b': 0.25, 'top': 0.0, 'bottom': 0.0}
    >>> weigh(["a", "gold"], oracle="gold")
    {'a': 0.0, 'gold': 1.0, 'top': 0.0, 'bottom': 0.0}
    """
    names = _names(systems)
    known = _by_name(given or {}, names)
    if oracle is not None and oracle not in known:
        known[oracle] = max(0.0, 1.0 - sum(known.values()))
    left = [name for name in names if name not in known]
    sum_given = sum(known.values())
    if left:
        rest = max(0.0, 1.0 - sum_given) / len(left)
        known |= dict.fromkeys(left, rest)
    whole = math.fsum(known.values())
    if not whole > 0:
        raise ValueError("all weights are 0; expected one above 0")
    scale = 1.0 if math.isclose(whole, 1.0, abs_tol=1e-12) else whole
    return {name: known[name] / scale for name in names}


def virtual_names(systems: Sequence[str]) -> tuple[str, str]:
    """Names of ⊤ and ⊥ beside these systems.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.

    Returns
    -------
    (str, str)
        "top" and "bottom", or the symbols where a system has that name.

    Examples
    --------
    >>> virtual_names(["a", "top"])
    ('⊤', 'bottom')
    """
    top = "⊤" if TOP in systems else TOP
    return top, "⊥" if BOTTOM in systems else BOTTOM


def _names(systems: Sequence[str]) -> tuple[str, ...]:
    return (*systems, *virtual_names(systems))


def _by_name(given: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, weight in given.items():
        known = name if name in names else SYMBOLS.get(name, name)
        if known not in names:
            there = ", ".join(names)
            raise ValueError(
                f"a weight is given for {name!r}, which is not a system; the systems are {there}"
            )
        if known in weights:
            raise ValueError(f"{name!r} has two weights; expected one")
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of {name!r} is {weight:g}; expected 0 or more")
        weights[known] = float(weight)
    return weights


def item_indices(table: VoteTable, read: ReadAnswers) -> NDArray[np.int64]:
    """Find the items of answers in a table.

    Parameters
    ----------
    table : VoteTable
        N items.
    read : ReadAnswers
        Answers to K items by name.

    Returns
    -------
    (K,) int
        Indices of the items.

    Raises
    ------
    ValueError
        If an item is not in the table.
    """
    place = {item: number for number, item in enumerate(table.items)}
    missing = next((item for item in read.items if item not in place), None)
    if missing is not None:
        raise ValueError(f"the item {missing!r} is not among those that are voted on")
    return np.array([place[item] for item in read.items], np.int64)


def answers_of(table: VoteTable, read: ReadAnswers) -> KnownAnswers:
    """Turn answers to items by name into answers to the items of a table.

    Parameters
    ----------
    table : VoteTable
        N items.
    read : ReadAnswers
        Answers to K items by name.

    Returns
    -------
    KnownAnswers
        By the indices of the items.

    Raises
    ------
    ValueError
        If an item is not in the table.
    """
    return KnownAnswers(item_indices(table, read), read.relevant, read.inclusion, read.round)


def with_truth(table: VoteTable, read: ReadAnswers) -> VoteTable:
    """Set the truth of some items.

    Parameters
    ----------
    table : VoteTable
        N items.
    read : ReadAnswers
        Relevance of K items by name.

    Returns
    -------
    VoteTable
        The truth of all other items stays.

    Raises
    ------
    ValueError
        If an item is not in the table.
    """
    truth = np.full(len(table), np.nan) if table.truth is None else table.truth.copy()
    truth[item_indices(table, read)] = read.relevant
    return replace(table, truth=truth)


def with_system(votes: Votes, name: str, column: Floats) -> Votes:
    """Add a system to votes, as the last.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    name : str
        Name of the added system.
    column : (N,) float
        Its votes, NaN where unknown.

    Returns
    -------
    Votes
        S + 1 systems.

    Examples
    --------
    >>> votes = Votes.of([[1, 0], [np.nan, 1]], ["a", "b"])
    >>> with_system(votes, "truth", np.array([np.nan, 1.0])).dense().tolist()
    [[1.0, 0.0, nan], [nan, 1.0, 1.0]]
    """
    names = (*votes.systems, name)
    if isinstance(votes.storage, ListedVotes) and not votes.storage.complete:
        kept = votes.storage.votes.tocoo()
        known = np.flatnonzero(~np.isnan(column))
        item = np.concatenate([kept.row, known])
        system = np.concatenate([kept.col, np.full(len(known), len(votes.systems))])
        vote = np.concatenate([kept.data, column[known]])
        return Votes.sparse(item, system, len(votes), names, vote)
    parts = [np.zeros((0, len(names)), np.float32)]
    for start, part in votes.spans():
        more = column[start : start + len(part), None]
        parts.append(np.concatenate([part, more], axis=1).astype(np.float32))
    return Votes.of(np.concatenate(parts), names)


@dataclass(frozen=True, eq=False)
class Voters:
    """Systems that are compared, and everybody who votes.

    Attributes
    ----------
    table : VoteTable
        The votes as they were read.
    votes : Votes
        Votes of the systems that are compared.
    columns : Votes
        The same, then the votes of the oracle if there is one.
    by_name : mapping of str to float
        Weights of each column, ⊤ and ⊥, in [0, 1].
    given : bool
        Whether a person chose weights or an oracle.
    """

    table: VoteTable
    votes: Votes
    columns: Votes
    by_name: Mapping[str, float]
    given: bool

    __repr__ = short_repr

    @property
    def weights(self) -> Weights:
        """Weights of all columns, ⊤ and ⊥."""
        top, bottom = virtual_names(self.columns.systems)
        own = np.array([self.by_name[name] for name in self.columns.systems], np.float64)
        return Weights(own, self.by_name[top], self.by_name[bottom])

    @cached_property
    def factors(self) -> Mapping[str, tuple[str, ...]]:
        """Factors of the systems that are compared: their values by the factor's name."""
        place = {name: number for number, name in enumerate(self.table.systems)}
        return {
            factor: tuple(values[place[name]] for name in self.votes.systems)
            for factor, values in self.table.factors.items()
        }


def arrange_voters(
    table: VoteTable,
    weights: Mapping[str, float] | None,
    oracle: str | None,
    answers: KnownAnswers | None = None,
) -> Voters:
    """Separate the oracle from the systems, and weigh all.

    Parameters
    ----------
    table : VoteTable
        Votes of all systems.
    weights : mapping of str to float, optional
        Weights by name, as `weigh` takes them.
    oracle : str, optional
        Name of the oracle: a system, "truth", or "answers".
    answers : KnownAnswers, optional
        Votes of the oracle "answers": of some items only.

    Returns
    -------
    Voters
        With at least one system.

    Raises
    ------
    ValueError
        If there is no such system or weight, or no system is left to compare.
    """
    votes = columns = table.votes
    if oracle is not None and oracle in table.systems:
        last = table.systems.index(oracle)
        others = [place for place in range(len(table.systems)) if place != last]
        votes, columns = table.votes.only(others), table.votes.only([*others, last])
    elif oracle == TRUTH and table.truth is not None:
        columns = with_system(votes, TRUTH, table.truth)
    elif oracle == ANSWERS and answers is not None and len(answers):
        column = np.full(len(table), np.nan)
        column[answers.items] = answers.relevant
        columns = with_system(votes, ANSWERS, column)
    elif oracle is not None:
        columns_there = [*table.systems, *([TRUTH] if table.truth is not None else [])]
        there = ", ".join(columns_there)
        raise ValueError(
            f"there is no column {oracle!r} to use as the oracle; the columns are {there}"
        )
    if not votes.systems:
        raise ValueError("there is no system besides the oracle; expected at least one")
    by_name = weigh(columns.systems, weights, oracle)
    return Voters(table, votes, columns, by_name, bool(weights) or oracle is not None)


def unfound_by(voters: Voters) -> NDArray[np.float64]:
    """For each system that is compared, how much is relevant that nobody found and is no item.

    Parameters
    ----------
    voters : Voters
        S systems are compared.

    Returns
    -------
    (S,) float
        Numbers of items; 0 where nothing says it.

    Examples
    --------
    >>> table = VoteTable(Votes.of([[1, 0]], ["a", "b"]), ("q",), unfound=np.array([2.0, 3.0]))
    >>> unfound_by(arrange_voters(table, None, "a")).tolist()
    [3.0]
    """
    unfound = voters.table.unfound
    if unfound is None:
        return np.zeros(len(voters.votes.systems))
    place = {name: number for number, name in enumerate(voters.table.systems)}
    return unfound[[place[name] for name in voters.votes.systems]]


def read_systems(
    paths: Path | str | Sequence[Path | str],
    truth: Sequence[Path | str] = (),
    kind: str | None = None,
    method: Method = "bag_of_words",
    depth: int = 100,
    overlap: float = 0.5,
    yes: Sequence[str] = (),
    missed: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes in files and folders, and the truth beside them.

    Parameters
    ----------
    paths : Path or sequence of Path
        What `read_votes` reads.
    truth : sequence of Path
        Of spotted regions, truth files or folders of them; of all else what `read_votes` takes as
        truth: a table ``item,truth``, judgements of TREC, a folder called truth.
    kind, method, depth, overlap, yes, missed
        As `read_votes` has them.

    Raises
    ------
    BadInput
        Nothing can be read.
    """
    given = [Path(path) for path in ([paths] if isinstance(paths, Path | str) else paths)]
    true = [Path(path) for path in truth]
    if (kind or (vote_format_of(given).name if true else "")) != SPOTS.name or not true:
        return read_votes(
            [*given, *true], kind, method, depth, overlap, yes, missed, progress=progress
        )
    truth_set = read_truths(true, progress=progress)
    return votes_of_runs(given, truth_set, overlap, missed, progress)


def votes_of_runs(
    paths: Sequence[Path],
    truth_set: TruthSet,
    overlap: float = 0.5,
    missed: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes of runs of spotted regions, and their truth.

    Parameters
    ----------
    paths : sequence of Path
        Of runs, one a system.
    truth_set : TruthSet
        A region's label is the query that it is right for.
    overlap : float
        Regions of different systems are the same item, and a true region is that item, where their
        intersection over union is so much on average.
    missed : bool
        Whether true regions that no system spotted are items too.

    Returns
    -------
    VoteTable
        Pages as the truth names them; those it does not know are left out, with a remark.

    Raises
    ------
    BadInput
        A run cannot be read, or has no page of the truth.
    """
    runs = read_runs(paths, naming_for(truth_set), progress)
    matched = match_pages((page for read in runs for page in read.run.pages), truth_set)
    pages = {page: own for page, own in matched.items() if own is not None}
    unknown = sorted(page for page, own in matched.items() if own is None)
    if unknown and not pages:
        problem = explain_unmatched(unknown[0], truth_set)
        raise BadInput(paths[0], f"{unknown[0]!r}: {problem}", expected="pages of the truth")
    queries = {query for read in runs for query in read.run.queries}
    table = items_of_regions(
        [read.run for read in runs], pages, _regions(truth_set, queries),
        frozenset(truth_set.truths), overlap, missed, progress,
    )  # fmt: skip
    table = with_remarks(table, runs)
    if not unknown:
        return table
    left_out = f"pages left out because they have no truth: {', '.join(unknown)}"
    return replace(table, remarks=(*table.remarks, left_out))


def _regions(truth_set: TruthSet, queries: set[str]) -> dict[Place, Outlines]:
    """The true regions of what was searched, by page and query."""
    found: dict[Place, list[Points]] = {}
    for page, truth in truth_set.truths.items():
        for region in truth.regions:
            if region.label in queries:
                found.setdefault((page, region.label), []).append(region.array)
    return {place: Outlines.of(rings) for place, rings in found.items()}
