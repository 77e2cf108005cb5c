"""Which items of a table of votes are shown, and in which order; plain work for a thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.precision import Weights, item_probability
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.progress import Progress, silent

By = Literal["file", "disputed", "likely", "unlikely"]
EVERY = 200_000  # items between two reports


@dataclass(frozen=True)
class VoteFilter:
    """What is looked at.

    Attributes
    ----------
    by : str
        "file": as the file has them; "disputed": P(δ) nearest ½ first; "likely" and "unlikely":
        the highest and the lowest P(δ) first. Equals stay as the file has them; items without
        P(δ) come last.
    text : str
        Part of the item's name or of its text, in whatever case.
    judged : bool
        Only items whose truth is known.
    """

    by: By = "file"
    text: str = ""
    judged: bool = False


def arrange_items(
    table: VoteTable,
    votes: Votes,
    weights: Weights,
    wanted: VoteFilter,
    progress: Progress = silent,
) -> Ints:
    """(K,) the items to show, in their order.

    Parameters
    ----------
    table : VoteTable
        Of N items.
    votes : Votes
        Of all who have a weight, on the same items.
    weights : Weights
    wanted : VoteFilter
    progress : Progress

    Examples
    --------
    >>> from spotlab.consensus.precision import vote_share_weights
    >>> votes = Votes.of([[1, 1], [1, 0], [0, 0]], ["a", "b"])
    >>> table = VoteTable(votes, ("one", "two", "three"))
    >>> arrange_items(table, votes, vote_share_weights(2), VoteFilter("disputed")).tolist()
    [1, 0, 2]
    >>> arrange_items(table, votes, vote_share_weights(2), VoteFilter(text="T")).tolist()
    [1, 2]
    """
    items = np.arange(len(table), dtype=np.int64)
    if wanted.judged:
        known = np.zeros(len(table), bool) if table.truth is None else ~np.isnan(table.truth)
        items = items[known]
    if wanted.text:
        items = _containing(table, items, wanted.text.casefold(), progress)
    if wanted.by == "file" or not len(items):
        return items
    whole = len(items) == len(table)
    probability = item_probability(votes, weights, None if whole else items)
    return items[np.argsort(_key(probability, wanted.by), kind="stable")]


def _key(probability: Floats, by: By) -> Floats:
    """What to sort by, rising; NaN is sorted last."""
    if by == "disputed":
        key = np.abs(probability - 0.5)
    else:
        key = -probability if by == "likely" else probability
    return np.asarray(np.round(key, 12), np.float64)  # equal shares stay as the file has them


def _containing(table: VoteTable, items: Ints, text: str, progress: Progress) -> Ints:
    names, texts = table.items, table.texts
    found = []
    for number, item in enumerate(items.tolist()):
        if number % EVERY == 0:
            progress(number, len(items), "Searching items")
        if text in names[item].casefold() or (texts and text in texts[item].casefold()):
            found.append(item)
    return np.array(found, np.int64)
