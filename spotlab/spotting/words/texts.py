"""Compares what is written: where a text is among words, and which texts are like it."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from spotlab.errors import SpotlabError
from spotlab.model.items import Items

_NEAR_NAMES = 3


def plain_text(text: str) -> str:
    """What counts when words are compared: letters and digits, whatever their case.

    A word that has none, such as a dash, stays as it is.

    Examples
    --------
    >>> plain_text("Letters,"), plain_text("Winchester’s"), plain_text("—")
    ('letters', 'winchesters', '—')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum()) or folded.strip()


def instances(words: Items, text: str) -> NDArray[np.int64]:
    """The words of a text, compared by `plain_text`, in order of the items.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> instances(words, "own")
    array([1])
    """
    wanted = plain_text(text)
    here = [at for at, each in enumerate(words.texts) if each and plain_text(each) == wanted]
    return np.array(here, np.int64)


def find_instances(words: Items, text: str) -> NDArray[np.int64]:
    """The words of a text, of which there has to be one.

    Raises
    ------
    SpotlabError
        There is none; names what is written and is most like it.
    """
    found = instances(words, text)
    if len(found):
        return found
    written = sorted({plain_text(each) for each in words.texts if each})
    wanted = plain_text(text)
    near = process.extract(wanted, written, scorer=fuzz.ratio, limit=_NEAR_NAMES, score_cutoff=50)
    hint = "; there is " + ", ".join(repr(name) for name, _, _ in near) if near else ""
    nowhere = "no word has a text" if not written else f"the word {text!r} is written nowhere"
    raise SpotlabError(nowhere + hint)
