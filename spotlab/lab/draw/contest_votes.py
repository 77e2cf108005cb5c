"""A simulated contest of engines as a table of votes, with names that people can read."""

from __future__ import annotations

import numpy as np

from spotlab.formats.votes.format import VoteTable
from spotlab.lab.draw.contest import Contest

ENGINE = "engine"


def votes_of_contest(contest: Contest, page_length: int = 100) -> VoteTable:
    """The votes, with the truth, the engine of every pipeline, and pages of so many tokens.

    An item is a reading of a token: "12.1" is the first reading of token 12.

    Examples
    --------
    >>> from spotlab.lab.draw.contest import simulate_contest
    >>> table = votes_of_contest(simulate_contest(tokens=150))
    >>> table.items[0], sorted(set(table.pages)), sorted(set(table.factors["engine"]))
    ('1.1', ['page 1', 'page 2'], ['biased', 'good'])
    """
    order = np.lexsort((np.arange(len(contest.place)), contest.place))
    place = contest.place[order]
    first = np.searchsorted(place, place)
    reading = np.arange(len(place)) - first + 1
    names = tuple(f"{at + 1}.{number}" for at, number in zip(place.tolist(), reading.tolist(),
                                                             strict=True))  # fmt: skip
    pages = tuple(f"page {at // page_length + 1}" for at in place.tolist())
    return VoteTable(
        contest.votes.take(order),
        names,
        pages,
        contest.truth[order],
        {ENGINE: contest.engine},
        name="contest",
    )
