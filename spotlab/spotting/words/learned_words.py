"""Descriptions of a collection's words computed by a network, for text queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import SpotlabError, isolated
from spotlab.ranking.calibration import SCALE, ScoreCalibration
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.alphabet import (
    attribute_log_likelihood,
    attributes_of,
    no_attribute_log_likelihood,
)
from spotlab.spotting.words.embedding.characters import (
    WILDCARD,
    characters_read,
    log_likelihoods,
    log_of_steps,
    pattern_costs,
    pattern_path,
)
from spotlab.spotting.words.embedding.network import WordNetwork
from spotlab.spotting.words.embedding.page_description import PageDescription

# log-likelihood a character that a word says a text: at random, as likely as not, surely, at best;
# chosen on five pages of letters
TYPED = ScoreCalibration(np.array([-8.0, -1.7, -1.15, 0.0]), np.array(SCALE), "letters")
PATTERN = ScoreCalibration(np.array([-4.6, -1.3, -0.8, 0.0]), np.array(SCALE), "letters")
APART = 1.0  # log-likelihood a character that a word loses with ink beside it; chosen there, too
ATTRIBUTES = 0.05  # weight of the attributes' log-likelihood next to that of the characters


@dataclass(frozen=True, eq=False)
class LearnedWords:
    """Descriptions of N words computed by a network.

    Attributes
    ----------
    network : WordNetwork
    attributes : (M, A) int8
        Of M different words, as of `Described`.
    characters : (M, T, 1 + C) uint8
    row : (N,) int
        Which of them describes each word.
    """

    network: WordNetwork
    attributes: NDArray[np.int8]
    characters: NDArray[np.uint8]
    row: NDArray[np.int64]

    __repr__ = short_repr

    @classmethod
    def of(cls, network: WordNetwork, pages: Sequence[PageDescription]) -> LearnedWords:
        """Put the words of pages together.

        Parameters
        ----------
        network : WordNetwork
        pages : sequence of PageDescription
            One or more.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from spotlab.spotting.words.embedding.network import Described
        >>> said = Described(np.zeros((2, 4)), np.zeros((2, 5)), np.zeros((2, 6, 7)))
        >>> page = PageDescription(said, np.array([0, 1, 1]))
        >>> LearnedWords.of(SimpleNamespace(), [page, page]).row.tolist()
        [0, 1, 1, 2, 3, 3]
        """
        starts = np.cumsum([0, *(len(page.described) for page in pages)])
        return cls(
            network,
            np.concatenate([page.described.attributes for page in pages]),
            np.concatenate([page.described.characters for page in pages]),
            np.concatenate(
                [page.row + start for page, start in zip(pages, starts[:-1], strict=True)]
            ),
        )

    @cached_property
    def best_path(self) -> NDArray[np.float64]:
        """(M,) log-probability of the likeliest characters along each word."""
        steps = log_of_steps(self.characters.shape[1])
        return np.asarray(steps[self.characters.min(axis=2)].sum(axis=1))

    @cached_property
    def letters(self) -> NDArray[np.int64]:
        """(N,) how many characters are read in each word; few in what is drawn."""
        return characters_read(self.characters)[self.row]

    @cached_property
    def _no_attribute(self) -> NDArray[np.float32]:
        """(M,) how likely each word has no attribute: the same for all texts."""
        return no_attribute_log_likelihood(self.attributes)

    def text_scores(self, text: str, apart: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Compute the scores of all words against a typed text.

        Parameters
        ----------
        text : str
            It is folded to the network's alphabet first. * stands for any characters: ``orde*``.
        apart : (N,) float
            How far each word is from the ink beside it, from 0 to 1: what is close to other ink is
            rather a part of a word.

        Returns
        -------
        (N,) float
            On the common scale of scores: words with `spotlab.ranking.calibration.HIT` are as
            likely to say the text as not.

        Raises
        ------
        SpotlabError
            The network knows none of its characters.
        """
        scale = PATTERN if WILDCARD in text else TYPED
        likely = self.log_likelihood(text)[self.row]
        return scale.apply(likely - APART * (1 - np.asarray(apart, np.float64)))

    def log_likelihood(self, text: str) -> NDArray[np.float64]:
        """Tell how likely each word says a text, for each of the text's characters.

        Parameters
        ----------
        text : str
            As of `text_scores`.

        Returns
        -------
        (M,) float
            Natural logarithms.

        Raises
        ------
        SpotlabError
            The network knows none of its characters.
        """
        network = self.network
        folded = "".join(network.alphabet.fold(part) for part in text.split(WILDCARD))
        if not folded:
            raise SpotlabError(
                f"“{isolated(text)}” has no letter that the network for words knows; it knows "
                "Latin letters. Search by an example instead: draw a box around one such word"
            )
        if WILDCARD in text:  # where characters are is not known then
            found = pattern_costs(self.characters, pattern_path(text, network.alphabet))
        else:
            found = log_likelihoods(self.characters, [network.alphabet.numbers(text)])[:, 0]
            wanted = attributes_of([text], network.alphabet, network.levels)
            fits = attribute_log_likelihood(self.attributes, wanted, self._no_attribute)
            found = found + ATTRIBUTES * fits[:, 0]
        return np.asarray(found / (len(folded) + 1))
