"""Finds named entities by rules: capitals that no sentence explains, titles, dates, known names.

For languages that write names, and little else, with capitals. It needs no model and no network,
and gives the same names for the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spotlab.lab.pipelines.entities.entity_finder import Entity, EntityFinder, Gazetteer

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
# "May" alone is a verb as often as a month: months stand with a day or a year
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:{_SHORT})\b\.?)"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[0-9]|20)\d\d"
_DATE = re.compile(
    rf"""\b(?:
        {_DAY}(?:\s+day)?(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?
      | {_MONTH}\s+{_DAY}\b(?!\s*[:.]\d)(?:\s*,?\s*{_YEAR})?
      | {_MONTH},?\s+{_YEAR}
      | {_YEAR}-[01]\d-[0-3]\d
      | {_DAY}\s?[./]\s?[01]?\d\s?[./]\s?(?:{_YEAR}|\d\d)
      | {_YEAR}(?!\s*[,.]\d)
    )(?!\w)""",
    re.VERBOSE,
)


def dates_in(text: str) -> Iterator[tuple[int, int]]:
    """Find dates.

    Parameters
    ----------
    text : str

    Returns
    -------
    iterator of (int, int)
        Start and end of each, in characters.

    Examples
    --------
    >>> text = "On the 4th of July, 1776, and May 1777; he may go on 4/7/76 or 1776-07-04, in 1801."
    >>> [text[start:end] for start, end in dates_in(text)]
    ['4th of July, 1776', 'May 1777', '4/7/76', '1776-07-04', '1801']
    """
    return (match.span() for match in _DATE.finditer(text))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TITLES = _set(
    "mr mrs ms miss messrs dr prof professor sir lady lord captain capt colonel col general gen "
    "major maj lieutenant lieut lt sergeant serjeant sergt ensign commodore admiral reverend rev "
    "hon honourable honorable president governor gov king queen prince princess duke earl judge "
    "justice senator secretary herr frau madame mme monsieur saint st"
)
PARTICLES = _set("of de del della di du des la le van von der den zu zur y")
DAYS = _set("monday tuesday wednesday thursday friday saturday sunday")
CALENDAR = DAYS | {month.casefold() for month in MONTHS}
# what a sentence begins with, or a pronoun; with a capital it names nothing
COMMON = _set(
    "a about after again all also although am an and another any are as at be because before both "
    "but by can could dear did do does each either even ever every few first for from had has "
    "have he her here his how however i if in indeed into is it its just last let like many may "
    "me more most much must my neither never next no nor not nothing now o of off often oh on "
    "once one only or other our out over perhaps shall she should since so some soon still such "
    "than that the their them then there therefore these they this those though through thus till "
    "to too under until up upon us very was we well were what when where whether which while who "
    "whom whose why will with within without would yes yet you your yours"
)

_BROKEN = re.compile(r"-[^\S\n]*\n\s*")  # a word goes on in the next line
_WORD = re.compile(
    rf"[^\W\d_][\w\u0300-\u036F]*(?:(?:['\u2019-]|{_BROKEN.pattern}(?=[a-zà-ÿ]))[^\W_]\w*)*"
)
_PIECE = re.compile(r"[^\W_]+")
_END = re.compile(r"[.!?]|\n[^\S\n]*\n|[\"“„«(\[]")


def find(text: str, gazetteer: Gazetteer) -> list[Entity]:
    """Find the names, persons and dates in a text.

    Parameters
    ----------
    text : str
    gazetteer : Gazetteer
        Names that are known beforehand; they come first.

    Returns
    -------
    list of Entity
        In order of their places; none overlap.

    Examples
    --------
    >>> text = '''Yesterday Captain John Smith met the Bay of Fundy fleet. He wrote to Mr. Jay on
    ... the 4th July 1776. Boston was lost; nobody told Boston.'''
    >>> [(entity.text, entity.kind) for entity in find(text, Gazetteer({}))][:3]
    [('Captain John Smith', 'person'), ('Bay of Fundy', 'name'), ('Mr. Jay', 'person')]
    >>> [entity.text for entity in find(text, Gazetteer({("fleet",): "ship"}))][2:]
    ['fleet', 'Mr. Jay', '4th July 1776', 'Boston', 'Boston']
    """
    entities = list(_listed(text, gazetteer))
    dates = (Entity(_plain(text[start:end]), "date", start, end) for start, end in dates_in(text))
    entities += _apart_from(entities, dates)
    entities += _apart_from(entities, _capitalised(text, entities))
    return sorted(entities, key=lambda entity: entity.start)


def _listed(text: str, gazetteer: Gazetteer) -> Iterator[Entity]:
    """Return what the gazetteer names, the longest first."""
    pieces = list(_PIECE.finditer(text)) if gazetteer.kinds else []
    words = [piece[0].casefold() for piece in pieces]
    at = 0
    while at < len(words):
        for length in range(min(gazetteer.longest, len(words) - at), 0, -1):
            kind = gazetteer.kinds.get(tuple(words[at : at + length]))
            if kind is not None:
                start, end = pieces[at].start(), pieces[at + length - 1].end()
                yield Entity(_plain(text[start:end]), kind, start, end)
                break
        else:
            length = 1
        at += length


def _capitalised(text: str, taken: Sequence[Entity]) -> Iterator[Entity]:
    words = [
        match
        for match in _WORD.finditer(text)
        if all(match.end() <= other.start or match.start() >= other.end for other in taken)
    ]
    begins = [_begins_sentence(text, words, at) for at in range(len(words))]
    headings = _headings(text)
    named = [_is_capitalised(word, headings) for word in words]
    inside = {
        word[0]
        for word, first, name in zip(words, begins, named, strict=True)
        if name and not first and not _is_common(word)
    }
    for first, last in _sequences(text, words, named, begins):
        start = first
        while start <= last and _is_common(words[start]):
            start += 1
        explained = start <= last and begins[start] and words[start][0] not in inside
        if explained and start < last and words[start + 1][0].casefold() in TITLES:
            start += 1  # as in: Yesterday Captain Smith
        alone = start == last
        if start > last or (alone and explained and begins[start]):
            continue
        parts = [word[0].casefold() for word in words[start : last + 1]]
        if alone and parts[0] in TITLES:
            continue
        kind = "person" if parts[0] in TITLES else "name"
        begin, end = words[start].start(), words[last].end()
        yield Entity(
            _plain(text[begin:end]), "date" if CALENDAR.issuperset(parts) else kind, begin, end
        )


def _sequences(
    text: str, words: Sequence[re.Match[str]], named: Sequence[bool], begins: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """First and last word of each run of capitalised words, particles between them included."""
    at = 0
    while at < len(words):
        if not named[at]:
            at += 1
            continue
        last = at
        while True:
            onward = last + 1
            while onward < min(last + 3, len(words)) and words[onward][0] in PARTICLES:
                onward += 1
            if onward >= len(words) or not named[onward]:
                break
            steps = range(last, onward)
            if any(begins[step + 1] or not _joined(text, words, step) for step in steps):
                break
            last = onward
        yield at, last
        at = last + 1


def _joined(text: str, words: Sequence[re.Match[str]], at: int) -> bool:
    """Tell whether nothing but space, or the point of a title or initial, follows a word."""
    between = text[words[at].end() : words[at + 1].start()]
    if between.count("\n") > 1:
        return False
    return not between.strip() or (between.strip() == "." and _is_short(words[at][0]))


def _begins_sentence(text: str, words: Sequence[re.Match[str]], at: int) -> bool:
    if at == 0:
        return True
    between = text[words[at - 1].end() : words[at].start()]
    return bool(_END.search(between)) and not _joined(text, words, at - 1)


def _is_short(word: str) -> bool:
    """Tell whether a point behind it ends no sentence: a title, or an initial."""
    return word.casefold() in TITLES or (len(word) == 1 and word != "I")


def _is_common(word: re.Match[str]) -> bool:
    """Tell whether it, or what an apostrophe is set behind, as in I'm, is no name."""
    return re.split("['\u2019]", word[0].casefold())[0] in COMMON


def _is_capitalised(word: re.Match[str], headings: Sequence[tuple[int, int]]) -> bool:
    heading = any(start <= word.start() < end for start, end in headings)
    return word[0][0].isupper() and not heading


def _headings(text: str) -> list[tuple[int, int]]:
    """Lines of several words in capitals, which say nothing about names."""
    lines = re.finditer(r"[^\n]+", text)
    return [line.span() for line in lines if line[0].isupper() and len(line[0].split()) > 1]


def _apart_from(known: Sequence[Entity], more: Iterator[Entity]) -> list[Entity]:
    """Entities that share no character with a known one."""
    return [
        entity
        for entity in more
        if all(entity.end <= other.start or entity.start >= other.end for other in known)
    ]


def _plain(text: str) -> str:
    """Words that were broken at the end of a line in one, one space between words."""
    return " ".join(_BROKEN.sub("", text).split())


RULES = EntityFinder("rules", "capitals, titles, dates and known names", find)
