"""Groups whose shared opinions may be wrong, by a latent class model."""

from __future__ import annotations

from spotlab.arrays import Floats, Ints
from spotlab.consensus.accuracy import find_patterns
from spotlab.consensus.agreement import fit_grouped
from spotlab.consensus.method import correction
from spotlab.consensus.votes import Votes


def probability(votes: Votes, label: Ints) -> Floats:
    """Probability of relevance under the model of `fit_grouped`.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    (N,) float
        In [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> votes = Votes.of([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0]], ["a1", "a2", "b", "c"])
    >>> probability(votes, np.array([0, 0, 1, 2])).round(1).tolist()
    [1.0, 0.2, 0.0]
    """
    table = find_patterns(votes)
    return fit_grouped(table, label).probability[table.of_item]


METHOD = correction(
    "grouped_latent_class",
    "Groups' opinions",
    "Each group has an opinion that may be wrong; all groups together show how often.",
    "Assumes three or more groups that err independently of each other and are better than chance.",
    probability,
    order=130,
)
