"""Who is compared and by whose votes: systems, an oracle that may be the truth, and all weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.formats.votes.format import TRUTH, VoteTable
from spotlab.representation import short_repr
from spotlab.studies.systems.table_truth import with_system
from spotlab.studies.systems.voter_weights import virtual_names, weigh


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
    table: VoteTable, weights: Mapping[str, float] | None, oracle: str | None
) -> Voters:
    """Separate the oracle from the systems, and weigh all.

    Parameters
    ----------
    table : VoteTable
        Votes of all systems.
    weights : mapping of str to float, optional
        Weights by name, as `weigh` takes them.
    oracle : str, optional
        Name of the oracle.

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
