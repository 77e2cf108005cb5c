"""Who did what to a region, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum


class Deed(StrEnum):
    """What a person did to a region."""

    DRAWN = "drawn"
    CHANGED = "changed"
    AGREED = "agreed"  # two annotators have drawn it alike
    KEPT = "kept"  # of two annotators' regions, the first one's
    TAKEN = "taken"  # of two annotators' regions, the second one's
    MERGED = "merged"  # one region of both
    UNDECIDED = "undecided"  # somebody has looked and could not decide


DECISIONS = frozenset({Deed.AGREED, Deed.KEPT, Deed.TAKEN, Deed.MERGED, Deed.UNDECIDED})


@dataclass(frozen=True)
class Contribution:
    """One entry of a region's history.

    Attributes
    ----------
    deed : Deed
    author : str
        The person's name; white space is collapsed.
    time : datetime
        In UTC, to the second.
    source : str
        Of a decision, the annotators whose region it was.

    Raises
    ------
    ValueError
        If ``time`` has no time zone.

    Examples
    --------
    >>> Contribution(Deed.DRAWN, "Anna", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)).text
    'drawn 2026-01-02T03:04:05+00:00 Anna'
    """

    deed: Deed
    author: str
    time: datetime
    source: str = ""

    def __post_init__(self) -> None:
        if self.time.tzinfo is None:
            raise ValueError("the time of a contribution needs a time zone")
        time = self.time.astimezone(UTC).replace(microsecond=0)
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "author", " ".join(self.author.split()))

    @property
    def text(self) -> str:
        """What `from_text` reads, without the source."""
        return f"{self.deed} {self.time.isoformat()} {self.author}"

    @classmethod
    def from_text(cls, text: str, source: str = "") -> Contribution:
        """Read what `text` wrote.

        Parameters
        ----------
        text : str
            Deed, time in ISO 8601 and author, separated by spaces.
        source : str
            See `Contribution`.

        Raises
        ------
        ValueError
            It is not such a text.

        Examples
        --------
        >>> Contribution.from_text("changed 2026-01-02T03:04:05+00:00 Anna Karenina").author
        'Anna Karenina'
        """
        deed, _, rest = text.partition(" ")
        time, _, author = rest.partition(" ")
        return cls(Deed(deed), author, datetime.fromisoformat(time), source)


def with_contribution(
    history: tuple[Contribution, ...], new: Contribution
) -> tuple[Contribution, ...]:
    """Append to a history; of several changes in a row by one person, the last one counts.

    Parameters
    ----------
    history : tuple of Contribution
        The oldest first.
    new : Contribution
        What was done last.

    Examples
    --------
    >>> first = Contribution(Deed.CHANGED, "Anna", datetime(2026, 1, 1, tzinfo=UTC))
    >>> later = Contribution(Deed.CHANGED, "Anna", datetime(2026, 1, 2, tzinfo=UTC))
    >>> with_contribution((first,), later) == (later,)
    True
    """
    last = history[-1] if history else None
    changed = (Deed.CHANGED, new.author)
    if last is not None and (last.deed, last.author) == changed == (new.deed, new.author):
        history = history[:-1]
    return (*history, new)


def contributors(histories: Iterable[Iterable[Contribution]]) -> dict[str, datetime]:
    """Find when each person contributed last.

    Parameters
    ----------
    histories : iterable of histories
        Of several regions.

    Returns
    -------
    dict of str to datetime
        By name, in alphabetical order; contributions without a name are left out.
    """
    latest: dict[str, datetime] = {}
    for history in histories:
        for entry in history:
            if entry.author:
                latest[entry.author] = max(latest.get(entry.author, entry.time), entry.time)
    return dict(sorted(latest.items()))


def history_as_pairs(history: Iterable[Contribution]) -> list[list[str]]:
    """Turn a history into values that JSON has: text and source of each contribution.

    Parameters
    ----------
    history : iterable of Contribution
        The oldest first.
    """
    return [[entry.text, entry.source] for entry in history]


def history_from_pairs(pairs: object) -> tuple[Contribution, ...]:
    """Read what `history_as_pairs` gave.

    Parameters
    ----------
    pairs : object
        A list of pairs of str.

    Raises
    ------
    ValueError
        It is something else.

    Examples
    --------
    >>> history_from_pairs([["drawn 2026-01-02T03:04:05+00:00 Anna", ""]])[0].author
    'Anna'
    """
    if not isinstance(pairs, list):
        raise ValueError("a history is a list")
    found = []
    for pair in pairs:
        match pair:
            case [str(text), str(source)]:
                found.append(Contribution.from_text(text, source))
            case _:
                raise ValueError(f"{pair!r} is not a contribution")
    return tuple(found)
