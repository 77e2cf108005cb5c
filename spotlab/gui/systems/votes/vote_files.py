"""Votes that the window opens without being asked where: the paper's example, the sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spotlab.consensus.votes import Votes
from spotlab.errors import SpotlabError
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.systems.loaded_votes import load
from spotlab.gui.systems.state import Systems
from spotlab.progress import silent
from spotlab.resources import VOTES, own_sample

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

CONTEST = "contest.csv"

# Lamiroy & Sun (2013), Table 1: which of the systems S1 to S3 retrieve δ1 to δ7
FOUND = ((1, 1, 1), (1, 1, 1), (0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 0, 0))


def example_table() -> VoteTable:
    """Three systems that vote on seven items.

    Examples
    --------
    >>> example_table().systems, len(example_table())
    (('S1', 'S2', 'S3'), 7)
    """
    items = tuple(f"δ{number}" for number in range(1, len(FOUND) + 1))
    votes = Votes.of(np.array(FOUND, bool), ("S1", "S2", "S3"))
    return VoteTable(votes, items, name="Lamiroy & Sun, Table 1")


def open_example(systems: Systems) -> None:
    """Look at the example of the paper, by the weights of the paper."""
    systems.cancel()
    systems.use(load(example_table(), silent))
    systems.reset_weights()


def open_sample(workbench: Workbench) -> None:
    """Look at this user's copy of the sample: answers are kept beside it."""
    try:
        workbench.state(Systems).open([own_sample(VOTES) / CONTEST])
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
