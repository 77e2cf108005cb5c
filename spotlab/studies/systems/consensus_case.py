"""Who is compared by what: systems, an oracle that may be the truth, and everybody's weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.formats.votes.format import TRUTH, VoteTable
from spotlab.studies.systems.consensus_truth import with_system
from spotlab.studies.systems.consensus_weights import virtual_names, weigh


@dataclass(frozen=True, eq=False)
class Case:
    """Who is compared, by what.

    Attributes
    ----------
    table : VoteTable
    votes : Votes
        Of the systems that are compared.
    columns : Votes
        The same, and the oracle's last where there is one.
    by_name : mapping of str to float
        The weight of each column, ⊤ and ⊥.
    given : bool
        Whether a person chose weights or an oracle.
    """

    table: VoteTable
    votes: Votes
    columns: Votes
    by_name: Mapping[str, float]
    given: bool

    @property
    def weights(self) -> Weights:
        """Of all columns."""
        top, bottom = virtual_names(self.columns.systems)
        own = np.array([self.by_name[name] for name in self.columns.systems], np.float64)
        return Weights(own, self.by_name[top], self.by_name[bottom])

    @cached_property
    def factors(self) -> Mapping[str, tuple[str, ...]]:
        """Of the systems that are compared."""
        place = {name: number for number, name in enumerate(self.table.systems)}
        return {
            factor: tuple(values[place[name]] for name in self.votes.systems)
            for factor, values in self.table.factors.items()
        }


def arrange(table: VoteTable, weights: Mapping[str, float] | None, oracle: str | None) -> Case:
    """Tell systems from the oracle and weigh them.

    Raises
    ------
    ValueError
        There is no such system or weight, or nobody is left to compare.
    """
    votes = columns = table.votes
    if oracle is not None and oracle in table.systems:
        last = table.systems.index(oracle)
        others = [place for place in range(len(table.systems)) if place != last]
        votes, columns = table.votes.only(others), table.votes.only([*others, last])
    elif oracle == TRUTH and table.truth is not None:
        columns = with_system(votes, TRUTH, table.truth)
    elif oracle is not None:
        there = [*table.systems, *([TRUTH] if table.truth is not None else [])]
        raise ValueError(
            f"there is no column {oracle!r} for an oracle; there are {', '.join(there)}"
        )
    if not votes.systems:
        raise ValueError("there is no system besides the oracle; expected one at least")
    by_name = weigh(columns.systems, weights, oracle)
    return Case(table, votes, columns, by_name, bool(weights) or oracle is not None)
