"""Spelling of words: folded where they are compared, kept where they are written.

What is typed to search is a word, a pattern, a phrase, or several of these with AND and OR.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property, lru_cache

from spotlab.errors import SpotlabError, isolated

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
_SIGNS = "ꝑꝓꝕꝗꝙꝯꝰꝫꝭ⁊"  # of abbreviation


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


def signs_of(text: str) -> str:
    """Find the signs of abbreviation in a text, each once.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> signs_of("ꝑ ꝯtra ꝑ"), signs_of("per")
    ('ꝑꝯ', '')
    """
    return "".join(dict.fromkeys(sign for sign in text.casefold() if sign in _SIGNS))


def script_of(letter: str) -> str:
    """Name the script of a letter, by the first word of its name in Unicode; "" if it has none.

    Parameters
    ----------
    letter : str
        A character.

    Examples
    --------
    >>> script_of("a"), script_of("ω"), script_of("ח")
    ('Latin', 'Greek', 'Hebrew')
    """
    return unicodedata.name(letter, "").partition(" ")[0].capitalize()


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
        * stands for any characters, or none, if there are letters or digits beside it. A sign of
        abbreviation is meant as it is written, while a letter stands for such signs, too.

    Examples
    --------
    >>> Spelling("legataire").matches("Légataire,"), Spelling("légat*").matches("legatum")
    (True, True)
    >>> Spelling("p*").matches("ꝑ"), Spelling("ꝑ").matches("p"), Spelling("ꝑ").matches("Ꝑ")
    (True, False, True)
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
    def _signs(self) -> str:
        return signs_of(self.written)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (letters_of(part, self._signs) for part in self.written.split(WILDCARD))
        return re.compile(".*".join(map(re.escape, parts)), re.DOTALL)

    def _compared(self, text: str) -> str:
        """A text with the signs of this word as they are."""
        return (letters_of(text, self._signs) if self._signs else "") or fold(text)

    def matches(self, text: str) -> bool:
        """Tell whether a text of a page is this word, or one of the pattern's.

        Parameters
        ----------
        text : str
        """
        if self.is_pattern:
            return self._pattern.fullmatch(self._compared(text)) is not None
        return self._compared(text) == self._compared(self.written)


_TOKEN = re.compile(r'["“”„«»]([^"“”„«»]*)["“”„«»]|(\S+)')
_AND, _OR = "AND", "OR"

Alternatives = tuple[tuple[str, ...], ...]
"""Phrases of which all have to be on a page, for each alternative."""


def parse_query(text: str) -> Alternatives:
    """Take what is typed apart: words and phrases, with AND and OR in capitals between.

    Words beside each other are a phrase, as are those in quotation marks. AND binds more closely
    than OR.

    Parameters
    ----------
    text : str
        One word alone is itself, also if it is AND or OR.

    Returns
    -------
    tuple of tuple of str
        The phrases of each alternative, with single spaces between their words.

    Raises
    ------
    SpotlabError
        A word is missing beside AND or OR.

    Examples
    --------
    >>> parse_query("le deux"), parse_query("cat AND dog OR orde*")
    ((('le deux',),), (('cat', 'dog'), ('orde*',)))
    >>> parse_query("cat AND")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    spotlab.errors.SpotlabError: ...: a word is missing behind AND
    """
    tokens = [(quoted, bare) for quoted, bare in _TOKEN.findall(text)]
    if len(tokens) < 2:
        return ((" ".join((tokens[0][0] or tokens[0][1]).split()) if tokens else text,),)
    alternatives: list[list[list[str]]] = [[[]]]
    before = ""
    for quoted, bare in tokens:
        if bare not in (_AND, _OR):
            alternatives[-1][-1] += (quoted or bare).split()
            continue
        if not alternatives[-1][-1]:
            where = f"between {before} and {bare}" if before else f"before {bare}"
            raise SpotlabError(f"“{isolated(text)}”: a word is missing {where}")
        before = bare
        if bare == _AND:
            alternatives[-1].append([])
        else:
            alternatives.append([[]])
    if not alternatives[-1][-1]:
        raise SpotlabError(f"“{isolated(text)}”: a word is missing behind {before}")
    return tuple(tuple(map(" ".join, phrases)) for phrases in alternatives)


def alternatives_of(text: str) -> Alternatives:
    """Take apart what may be no query, such as the name of a list: what is none is one phrase.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> alternatives_of("R AND D"), alternatives_of("R AND")
    ((('R', 'D'),), (('R AND',),))
    """
    try:
        return parse_query(text)
    except SpotlabError:
        return ((text,),)


def is_one_word(text: str) -> bool:
    """Tell whether a query says a single word: no pattern, no phrase, and no AND and OR.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> is_one_word("Company"), is_one_word("le deux"), is_one_word("comp*")
    (True, False, False)
    """
    alternatives = alternatives_of(text)
    is_alone = len(alternatives) == 1 and len(alternatives[0]) == 1
    return is_alone and " " not in alternatives[0][0] and not Spelling(text).is_pattern
