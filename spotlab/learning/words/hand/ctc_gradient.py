"""Connectionist temporal classification by numpy: how unlikely texts are, and its gradient."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.spotting.words.embedding.characters import text_paths


def ctc_gradient(
    log_probabilities: NDArray[np.floating], texts: list[NDArray[np.int64]]
) -> tuple[Floats, Floats]:
    """Compute how unlikely texts are, and which way to change what was seen.

    Parameters
    ----------
    log_probabilities : (N, T, 1 + C) float
        Natural logarithms at T places along each word; of no character first.
    texts : list of (L,) int
        N texts as numbers of characters in the alphabet.

    Returns
    -------
    losses : (N,) float
        Negative log-likelihoods; inf for a text that is too long to be read.
    gradient : (N, T, 1 + C) float
        Of the losses by the logits whose softmax the probabilities are; 0 where the loss is inf.

    References
    ----------
    Graves, Fernández, Gomez & Schmidhuber (2006), "Connectionist temporal classification", ICML,
    equations 6 to 16.

    Examples
    --------
    At one place, a text of one character is as unlikely as that character:

    >>> seen = np.log([[[0.5, 0.25, 0.25]]])
    >>> losses, gradient = ctc_gradient(seen, [np.array([1])])
    >>> np.exp(-losses).round(3).tolist(), gradient.round(3).tolist()
    ([0.25], [[[0.5, 0.25, -0.75]]])
    """
    seen = np.asarray(log_probabilities, np.float64)
    paths, lengths = text_paths(texts)
    along = np.take_along_axis(seen, np.repeat(paths[:, None], seen.shape[1], axis=1), axis=2)
    along[np.arange(paths.shape[1]) >= lengths[:, None, None].repeat(seen.shape[1], 1)] = -np.inf
    jumps = np.zeros(paths.shape, np.bool_)
    jumps[:, 3::2] = paths[:, 3::2] != paths[:, 1:-2:2]
    forward = _sums(along, np.where(jumps, 0.0, -np.inf))
    # the other way round: each path from its own end
    columns = lengths[:, None] - 1 - np.arange(paths.shape[1])
    columns = np.where(columns < 0, np.arange(paths.shape[1]), columns)
    back = np.take_along_axis(jumps, np.minimum(columns + 2, paths.shape[1] - 1), axis=1)
    back &= (columns + 2 < lengths[:, None]) & (np.arange(paths.shape[1]) < lengths[:, None])
    turned = np.take_along_axis(along[:, ::-1], columns[:, None], axis=2)
    backward = _sums(turned, np.where(back, 0.0, -np.inf))[:, ::-1]
    backward = np.take_along_axis(backward, columns[:, None], axis=2)
    rows = np.arange(len(paths))
    ends = forward[rows, -1, lengths - 1], forward[rows, -1, np.maximum(lengths - 2, 0)]
    likely = np.logaddexp(ends[0], np.where(lengths > 1, ends[1], -np.inf))
    with np.errstate(invalid="ignore"):
        shares = np.exp(forward + backward - along - likely[:, None, None])
    shares = np.nan_to_num(shares, nan=0.0, posinf=0.0)
    gradient = np.exp(seen)
    places = np.arange(seen.shape[1])
    for step in range(
        paths.shape[1]
    ):  # in a path's step, each place along a word has one character
        gradient[rows[:, None], places, paths[:, step, None]] -= shares[:, :, step]
    gradient[np.isinf(likely)] = 0
    return -likely, gradient


def _sums(along: Floats, jumps: Floats) -> Floats:
    """Log-probabilities of all ways to each place of each path, (N, T, S)."""
    sums = np.full(along.shape, -np.inf)
    sums[:, 0, :2] = along[:, 0, :2]
    for place in range(1, along.shape[1]):
        arrived = sums[:, place - 1].copy()
        arrived[:, 1:] = np.logaddexp(arrived[:, 1:], sums[:, place - 1, :-1])
        over = sums[:, place - 1, :-2] + jumps[:, 2:]
        arrived[:, 2:] = np.logaddexp(arrived[:, 2:], over)
        sums[:, place] = arrived + along[:, place]
    return sums
