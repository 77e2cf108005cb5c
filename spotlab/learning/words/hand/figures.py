"""How well words are found whose texts are known: what tells whether adapting helped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.precision import average_precision
from spotlab.spotting.words.embedding.network import Described, WordNetwork
from spotlab.spotting.words.learned_words import LearnedWords

SHORTEST = 3  # characters of a text that is asked for
FEWEST = 4  # texts that are asked for, so that there are figures
_EVERY = 4  # one of so many texts is held out


@dataclass(frozen=True)
class HandFigures:
    """Mean average precisions among words whose texts are known.

    Attributes
    ----------
    queries : int
        Words that were asked for by example, each with another one of the same text.
    by_example : float or None
        Mean average precision in [0, 1]; None without queries.
    texts : int
        Texts that were asked for.
    typed : float or None
        Mean average precision in [0, 1]; None without texts.
    """

    queries: int = 0
    by_example: float | None = None
    texts: int = 0
    typed: float | None = None

    def gain_over(self, before: HandFigures) -> float | None:
        """By how much the mean of the figures is higher than before; None where there are none.

        Parameters
        ----------
        before : HandFigures
            Of the same words.

        Examples
        --------
        >>> round(HandFigures(9, 0.9, 4, 0.8).gain_over(HandFigures(9, 0.7, 4, 0.8)), 3)
        0.1
        """
        pairs = ((self.by_example, before.by_example), (self.typed, before.typed))
        gains = [now - then for now, then in pairs if now is not None and then is not None]
        return float(np.mean(gains)) if gains else None


def held_out(texts: Sequence[str]) -> NDArray[np.int64]:
    """Choose the words that are not learned from: all with every fourth of the texts.

    Parameters
    ----------
    texts : sequence of str
        What N words say, folded; "" where that is not known.

    Returns
    -------
    (K,) int
        Rows of the words; none where too few texts are known.

    Examples
    --------
    >>> words = ["the", "letters", "orders", "and", "the", "company"] + ["wagons"] * 2 + ["", "of"]
    >>> held_out(words).tolist()
    []
    >>> named = [f"text{n}" for n in range(16)]
    >>> [named[row] for row in held_out(named)]
    ['text1', 'text3', 'text7', 'text13']
    """
    counts: dict[str, int] = {}
    for text in texts:
        if len(text) >= SHORTEST:
            counts[text] = counts.get(text, 0) + 1
    ordered = sorted(counts, key=lambda text: (-counts[text], text))
    apart = set(ordered[1::_EVERY])
    if len(apart) < FEWEST:
        return np.zeros(0, np.int64)
    return np.array([row for row, text in enumerate(texts) if text in apart], np.int64)


def hand_figures(
    network: WordNetwork, described: Described, texts: Sequence[str], asked: NDArray[np.int64]
) -> HandFigures:
    """Search words among all words whose texts are known, by example and typed.

    Parameters
    ----------
    network : WordNetwork
    described : Described
        What it says of N words.
    texts : sequence of str
        What they say, folded; "" where that is not known.
    asked : (K,) int
        Rows of the words that are asked for.
    """
    if not len(asked):
        return HandFigures()
    known = np.flatnonzero([bool(text) for text in texts])
    said = np.array([texts[row] for row in known.tolist()])
    embedding = described.embedding[known].astype(np.float32)
    unit = embedding / np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-9)
    by_example = []
    for place in np.searchsorted(known, asked).tolist():
        others = np.arange(len(known)) != place
        relevant = (said == said[place])[others]
        if relevant.any():
            by_example.append(_average_precision((unit @ unit[place])[others], relevant))
    learned = LearnedWords(
        network,
        described.attributes[known],
        described.characters[known],
        np.arange(len(known)),
    )
    wanted = sorted({texts[row] for row in asked.tolist()})
    typed = [_average_precision(learned.log_likelihood(text), said == text) for text in wanted]
    return HandFigures(
        len(by_example),
        float(np.mean(by_example)) if by_example else None,
        len(typed),
        float(np.mean(typed)) if typed else None,
    )


def _average_precision(scores: NDArray[np.floating], relevant: NDArray[np.bool_]) -> float:
    """Ties in the order given; one or more are relevant."""
    order = np.argsort(-scores, kind="stable")
    return average_precision(relevant[order], int(relevant.sum())) or 0.0
