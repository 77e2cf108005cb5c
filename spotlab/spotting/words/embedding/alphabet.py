"""The characters that a network knows, and texts in terms of them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# letters that Unicode does not take apart, as writers and readers of old texts expect them
_SAME = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l",
        "þ": "th", "ŋ": "n", "ꝛ": "r", "ꝑ": "p", "ꝓ": "p", "ꝗ": "q", "ꞇ": "t",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Alphabet:
    """The characters that a network tells apart.

    Attributes
    ----------
    characters : str
        Each one once, in the order of the network's outputs.

    Raises
    ------
    ValueError
        There is none, or one is there twice.
    """

    characters: str

    def __post_init__(self) -> None:
        if not self.characters or len(set(self.characters)) < len(self.characters):
            raise ValueError(f"an alphabet has each character once, unlike {self.characters!r}")

    def __len__(self) -> int:
        return len(self.characters)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {character: number for number, character in enumerate(self.characters)}

    def fold(self, text: str) -> str:
        """Reduce a text to the characters of the alphabet.

        Capitals become small, the long s and ligatures become plain letters, and accents,
        punctuation and spaces go, except those that the alphabet has.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> letters = Alphabet("abcdefghijklmnopqrstuvwxyz0123456789")
        >>> letters.fold("Congreſs,"), letters.fold("Œuvre ﬁxé"), letters.fold("—")
        ('congress', 'oeuvrefixe', '')
        """
        kept = []
        for sign in unicodedata.normalize("NFKC", text):
            if sign in self._number:
                kept.append(sign)
                continue
            folded = sign.casefold()
            if all(part in self._number for part in folded):
                kept.append(folded)
                continue
            plain = unicodedata.normalize("NFKD", folded.translate(_SAME))
            kept += [part for part in plain if part in self._number]
        return "".join(kept)

    def numbers(self, text: str) -> NDArray[np.int64]:
        """Number the characters of a text, after folding it.

        Parameters
        ----------
        text : str

        Returns
        -------
        (L,) int
            From 0 on.

        Examples
        --------
        >>> Alphabet("abc").numbers("Cab!")
        array([2, 0, 1])
        """
        return np.array([self._number[sign] for sign in self.fold(text)], np.int64)
