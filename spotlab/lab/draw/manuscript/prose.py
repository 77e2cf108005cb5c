"""Letters of an officer that never was: phrases of our own, some much commoner than others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

# the first ones of each kind are used most, as words of a language are (Zipf)
_SLOTS: dict[str, tuple[str, ...]] = {
    "rank": ("Captain", "Colonel", "Lieutenant", "Major", "Ensign", "Serjeant", "Doctor"),
    "name": (
        "Harding", "Bell", "Whitlock", "Morrow", "Ashby", "Stearne", "Fairlie", "Penrose",
        "Dunmore", "Colby", "Varley", "Hobson",
    ),
    "place": (
        "Winchester", "the Fort", "Alexandria", "the River", "Cumberland", "Fairfield", "the Mills",
        "Norwich", "the Ferry",
    ),
    "goods": (
        "Provisions", "Flour", "Powder", "Arms", "Cloathing", "Waggons", "Salt", "Blankets",
        "Horses", "Tools", "Beef",
    ),
    "men": (
        "the Company", "the Recruits", "the Regiment", "the Soldiers", "a Party", "the Militia",
        "the Garrison", "the Rangers",
    ),
    "month": ("October", "November", "August", "December", "January", "March", "July"),
    "number": ("ten", "twenty", "fifty", "two", "three", "thirty", "twelve", "forty", "sixty"),
    "day": ("Monday", "Thursday", "Saturday", "Friday", "Tuesday"),
    "date": ("26th", "9th", "14th", "3d", "18th", "30th", "5th", "21st"),
}  # fmt: skip
_CLAUSES = (
    "you are hereby ordered to march with {men} to {place}",
    "I have received your letter of the {date} of {month}",
    "you are to see that {men} are provided with {goods}",
    "{rank} {name} is ordered to proceed to {place} with {number} men",
    "I have sent you {number} barrels of {goods} by {rank} {name}",
    "you must not fail to send {goods} to {place} before the {date}",
    "the {goods} that were ordered for {men} are not yet received",
    "as soon as you receive this letter you are to join {men} at {place}",
    "I desire that you will send me an exact return of {men} and of the {goods}",
    "there is great want of {goods} at {place}",
    "{men} were paid on the {date} and are to be paid again in {month}",
    "I have ordered {rank} {name} to deliver the {goods} to you",
    "the enemy have been seen near {place} and have taken {number} of our Horses",
    "you are to give a receipt for all the {goods} which you receive",
    "{rank} {name} has my orders to send {number} men for the {goods}",
    "several of {men} have deserted since the {date}",
    "I shall be at {place} on {day} and expect to find you there",
    "you will take particular care that no man leaves {place} without orders",
    "the Waggons will set out for {place} on {day} with the {goods}",
    "I have wrote to the Governor by {rank} {name} for more {goods}",
    "it is impossible to keep {men} together without pay or {goods}",
    "let me have your answer by the bearer, {rank} {name}",
    "{number} men of {men} are sick and cannot march",
    "the roads to {place} are so bad that the {goods} must wait",
    "{rank} {name} is to command at {place} until I return",
    "your company is compleat except {number} men",
)
_ONE = ("th", "ch", "sh", "ph", "wh", "ck", "st", "qu", "gh")  # not to be parted
_LINKS = (", and ", "; and ", ". ", ". ", ", but ", "; for ", ". In the mean time ", ", as ")
_CLOSINGS = (
    "I am, Sir, your most humble Servant,",
    "I am, Sir, your obedient Servant,",
    "I have the honour to be, with great respect, Sir, your most humble Servant,",
)


@dataclass(frozen=True)
class Passage:
    """What stands together on a page.

    Attributes
    ----------
    kind : str
        "heading", "paragraph" or "signature".
    text : str
        One line of text, words divided by single spaces.
    """

    kind: str
    text: str


def passages(rng: np.random.Generator) -> Iterator[Passage]:
    """Letters without end, one behind the other as in a letter-book.

    Examples
    --------
    >>> letters = passages(np.random.default_rng(0))
    >>> [next(letters).kind for _ in range(3)]
    ['heading', 'paragraph', 'paragraph']
    """
    while True:
        yield Passage("heading", _filled("To {rank} {name}, at {place}.", rng))
        yield Passage("paragraph", "Sir, " + _paragraph(rng))
        for _ in range(int(rng.integers(1, 3))):
            yield Passage("paragraph", _sentence(_paragraph(rng)))
        year = int(rng.integers(1752, 1764))
        yield Passage("paragraph", _pick(_CLOSINGS, rng))
        where = _sentence(_filled("{place}, {month} {date}", rng))
        yield Passage("signature", f"{where}, {year}.")


def _paragraph(rng: np.random.Generator) -> str:
    """Some of the phrases, none of them twice."""
    weights = 1 / np.arange(8, len(_CLAUSES) + 8)
    count = int(rng.integers(4, 8))
    chosen = rng.choice(len(_CLAUSES), count, replace=False, p=weights / weights.sum()).tolist()
    text = _filled(_CLAUSES[chosen[0]], rng)
    for number in chosen[1:]:
        link, clause = _pick(_LINKS, rng), _filled(_CLAUSES[number], rng)
        text += link + (_sentence(clause) if link == ". " else clause)
    return text + "."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(phrase: str, rng: np.random.Generator) -> str:
    chosen = {slot: _pick(words, rng) for slot, words in _SLOTS.items()}
    return phrase.format(**chosen)


def _pick(choices: tuple[str, ...], rng: np.random.Generator) -> str:
    weights = 1 / np.arange(2, len(choices) + 2)
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))]


def parts(word: str) -> tuple[str, str] | None:
    """A word divided for the end of a line; None for one that is not to be divided.

    Examples
    --------
    >>> parts("Regiment"), parts("men")
    (('Regi', 'ment'), None)
    """
    vowels = "aeiouy"
    if len(word) < 6 or not word.isalpha():
        return None
    middle = len(word) / 2
    # between a vowel, or two consonants, and a consonant that has a vowel behind it
    places = [
        at
        for at in range(3, len(word) - 2)
        if word[at] not in vowels and word[at + 1] in vowels and word[at - 1 : at + 1] not in _ONE
    ]
    if not places:
        return None
    at = min(places, key=lambda place: abs(place - middle))
    return word[:at], word[at:]
