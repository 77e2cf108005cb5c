"""Compares texts of words: where a text is written, and which texts are similar."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.libraries import fuzz, process
from spotlab.model.ranked_list import Items

_SIMILAR_TEXTS = 3


def plain_text(text: str) -> str:
    """Reduce a text to what counts when words are compared: letters and digits in lower case.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        A text without letters and digits, such as a dash, stays as it is.

    Examples
    --------
    >>> plain_text("Letters,"), plain_text("Winchester’s"), plain_text("—")
    ('letters', 'winchesters', '—')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum()) or folded.strip()


def instances(words: Items, text: str) -> NDArray[np.int64]:
    """Find the words with a text, compared by `plain_text`.

    Parameters
    ----------
    words : Items
        With texts.
    text : str

    Returns
    -------
    (K,) int
        Numbers of items, rising; empty where there is none.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> instances(words, "own")
    array([1])
    """
    wanted = plain_text(text)
    numbers = [
        number
        for number, written in enumerate(words.texts)
        if written and plain_text(written) == wanted
    ]
    return np.array(numbers, np.int64)


def find_instances(words: Items, text: str) -> NDArray[np.int64]:
    """Find the words with a text, of which there has to be one.

    Parameters
    ----------
    words : Items
    text : str

    Returns
    -------
    (K,) int
        As of `instances`, K ≥ 1.

    Raises
    ------
    SpotlabError
        There is none; the message names the most similar texts.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> find_instances(words, "owns")
    Traceback (most recent call last):
        ...
    spotlab.errors.SpotlabError: the word 'owns' is written nowhere; there is 'own'
    """
    numbers = instances(words, text)
    if len(numbers):
        return numbers
    written = sorted({plain_text(known) for known in words.texts if known})
    wanted = plain_text(text)
    near = process.extract(
        wanted, written, scorer=fuzz.ratio, limit=_SIMILAR_TEXTS, score_cutoff=50
    )
    hint = "; there is " + ", ".join(repr(name) for name, _, _ in near) if near else ""
    nowhere = "no word has a text" if not written else f"the word {text!r} is written nowhere"
    raise SpotlabError(nowhere + hint)
