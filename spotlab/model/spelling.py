"""Spelling of words: folded where they are compared, kept where they are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property, lru_cache

WILDCARD = "*"  # any characters, or none

# letters whose names do not say which plain ones stand for them
_PLAIN = {
    "ð": "d", "þ": "th", "ꝥ": "th", "ŋ": "n", "ƿ": "w", "ȝ": "g", "ʒ": "z", "ʃ": "s",
    "ꞃ": "r", "ꞅ": "s",
}  # fmt: skip
_US = str.maketrans({"ꝰ": "us"})  # Unicode takes it for a small form of con
_NAMED = re.compile(
    r"LATIN (?:LETTER SMALL CAPITAL|SMALL (?:LETTER|LIGATURE)) "
    r"(?:INSULAR |DOTLESS |LONG )?([A-Z]{1,3})(?: ROTUNDA)?(?: WITH .*)?"
)
_WITHOUT_ACCENTS = ("LATIN ", "GREEK ")


def letters_of(text: str, kept: Container[str] = ()) -> str:
    """Reduce a text to plain letters and digits.

    Capitals become small; the long s, ligatures, letters with strokes and signs of abbreviation
    become plain letters; accents of Latin and Greek letters, punctuation and spaces go.

    Parameters
    ----------
    text : str
    kept : container of str
        Characters that stay as they are.

    Examples
    --------
    >>> letters_of("Congreſs,"), letters_of("Œuvre ﬁxé"), letters_of("ꝓ ꝯtra"), letters_of("—")
    ('congress', 'oeuvrefixe', 'pcontra', '')
    >>> letters_of("Œuvre ﬁxé", kept="é")
    'oeuvrefixé'
    """
    found = ""
    for sign in unicodedata.normalize("NFKC", text.translate(_US)):
        parts = sign if sign in kept else sign.casefold()
        found += "".join(part if part in kept else _plain(part) for part in parts)
    return found


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    if unicodedata.name(parts[0], "").startswith(_WITHOUT_ACCENTS):
        return "".join(map(_plain_letter, parts))
    return letter if letter.isalnum() and unicodedata.category(letter) != "Lm" else ""


def _plain_letter(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    named = _NAMED.fullmatch(unicodedata.name(letter, ""))
    if named:
        return named[1].lower()
    return letter if letter.isalnum() else ""


@lru_cache(maxsize=1 << 16)
def fold(text: str) -> str:
    """Fold a text of a page, so that all its spellings are the same.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        As of `letters_of`; a text without letters and digits, such as a dash, stays as it is.

    Examples
    --------
    >>> fold("Letters,"), fold("Winchester’s"), fold("Légataire"), fold("—")
    ('letters', 'winchesters', 'legataire', '—')
    """
    return letters_of(text) or unicodedata.normalize("NFKC", text).casefold().strip()


def literal(text: str) -> str:
    """Return the text of a page as a query for nothing else: a star in it is no wildcard.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> literal("note*")
    'note'
    """
    return text.replace(WILDCARD, "") if Spelling(text).is_pattern else text


def fold_query(text: str) -> str:
    """Fold what is searched; the wildcards of a pattern stay.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> fold_query("Légat*"), fold_query("Légataire,")
    ('legat*', 'legataire')
    """
    return Spelling(text).folded


@dataclass(frozen=True)
class Spelling:
    """A word as somebody has written it to search it.

    Attributes
    ----------
    written : str
        * stands for any characters, or none, if there are letters or digits beside it.

    Examples
    --------
    >>> Spelling("legataire").matches("Légataire,"), Spelling("légat*").matches("legatum")
    (True, True)
    """

    written: str

    @property
    def is_pattern(self) -> bool:
        """Tell whether it stands for several words."""
        return WILDCARD in self.written and bool(letters_of(self.written))

    @cached_property
    def folded(self) -> str:
        """The text as it is compared; of a pattern with its wildcards."""
        if not self.is_pattern:
            return fold(self.written)
        return WILDCARD.join(letters_of(part) for part in self.written.split(WILDCARD))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(".*".join(map(re.escape, self.folded.split(WILDCARD))), re.DOTALL)

    def matches(self, text: str) -> bool:
        """Tell whether a text of a page is this word, or one of the pattern's.

        Parameters
        ----------
        text : str
        """
        if self.is_pattern:
            return self._pattern.fullmatch(fold(text)) is not None
        return fold(text) == self.folded
