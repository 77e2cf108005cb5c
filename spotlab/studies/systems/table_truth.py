"""Add truth to a table of votes: relevance of items by name, and truth as one more system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.answers import Answers
from spotlab.consensus.vote_pairs import ListedVotes
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.answers import ReadAnswers
from spotlab.formats.votes.format import VoteTable


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


def answers_of(table: VoteTable, read: ReadAnswers) -> Answers:
    """Turn answers to items by name into answers to the items of a table.

    Parameters
    ----------
    table : VoteTable
        N items.
    read : ReadAnswers
        Answers to K items by name.

    Returns
    -------
    Answers
        By the indices of the items.

    Raises
    ------
    ValueError
        If an item is not in the table.
    """
    return Answers(item_indices(table, read), read.relevant, read.inclusion, read.round)


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
