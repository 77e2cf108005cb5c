"""Words of a collection whose texts a person has said: transcribed, drawn as queries, judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spotlab.files import is_file
from spotlab.formats.collection.folder import PageEntry, common_folder
from spotlab.formats.lists.drawn_places import named_place
from spotlab.formats.lists.judgements import read_judgements
from spotlab.formats.lists.place_lines import NOWHERE, Place
from spotlab.formats.lists.query_list import ListedQuery, read_queries
from spotlab.model.ranked_list import Items
from spotlab.representation import short_repr

_JUDGEMENTS, _QUERIES = "judgements.csv", "queries.csv"  # beside the pages


@dataclass(frozen=True, eq=False)
class KnownTexts:
    """Places on pages and what is written there.

    Attributes
    ----------
    transcribed : tuple of (str, Place)
        Texts of the ground truth, and where.
    judged : tuple of (str, Place)
        Texts of queries, where these were drawn or words were judged to be them.
    """

    transcribed: tuple[tuple[str, Place], ...] = ()
    judged: tuple[tuple[str, Place], ...] = ()

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.transcribed) + len(self.judged)


def known_texts(entries: Sequence[PageEntry], words: Items | None) -> KnownTexts:
    """Collect the words whose texts are known.

    Parameters
    ----------
    entries : sequence of PageEntry
        The pages; queries and judgements are in the folder that has all of them.
    words : Items or None
        What the ground truth says; None where it says nothing.

    Raises
    ------
    BadInput
        The queries or judgements cannot be read.

    Examples
    --------
    >>> words = Items(("a",), [0], [[0, 0, 40, 20]], ("orders",))
    >>> known_texts([], words).transcribed
    (('orders', ('a', 0.0, 0.0, 40.0, 20.0)),)
    """
    folder = common_folder(entries)
    queries: tuple[ListedQuery, ...] = ()
    judged: Mapping[str, Mapping[Place, bool]] = {}
    if folder is not None and is_file(folder / _QUERIES):
        queries = read_queries(folder / _QUERIES).queries
    if folder is not None and is_file(folder / _JUDGEMENTS):
        judged = read_judgements(folder / _JUDGEMENTS).judged
    return texts_of(words, queries, judged)


def texts_of(
    words: Items | None,
    queries: Sequence[ListedQuery],
    judged: Mapping[str, Mapping[Place, bool]],
) -> KnownTexts:
    """What ground truth, queries and judgements say is written where.

    Parameters
    ----------
    words : Items or None
        Of the ground truth.
    queries : sequence of ListedQuery
    judged : mapping of str to mapping of Place to bool
        By name of the query.

    Examples
    --------
    >>> texts_of(None, [], {"orders": {("a", 0.0, 0.0, 40.0, 20.0): True}}).judged
    (('orders', ('a', 0.0, 0.0, 40.0, 20.0)),)
    """
    return KnownTexts(_transcribed(words), judged_texts(queries, judged))


def judged_texts(
    queries: Sequence[ListedQuery], judged: Mapping[str, Mapping[Place, bool]]
) -> tuple[tuple[str, Place], ...]:
    """What judgements say is written where: the texts of queries, at places judged to be them.

    Parameters
    ----------
    queries : sequence of ListedQuery
    judged : mapping of str to mapping of Place to bool
        By name of the query.

    Returns
    -------
    tuple of (str, Place)
        A place that is judged to be two texts is left out.

    Examples
    --------
    >>> place, other = ("a", 0.0, 0.0, 40.0, 20.0), ("a", 50.0, 0.0, 90.0, 20.0)
    >>> drawn = ListedQuery("orders", place)
    >>> judged_texts([drawn], {"orders": {other: True}, "the": {other: False}})
    (('orders', ('a', 0.0, 0.0, 40.0, 20.0)), ('orders', ('a', 50.0, 0.0, 90.0, 20.0)))
    """
    texts = {query.name: query.text for query in queries}
    found: dict[Place, set[str]] = {}
    for query in queries:
        for place in (query.place, *query.examples):
            if query.text and place[1:] != NOWHERE:
                found.setdefault(place, set()).add(query.text)
    for name, places in judged.items():
        text = texts.get(name, "" if named_place(name) else name)
        for place, is_right in places.items():
            if text and is_right and place[1:] != NOWHERE:
                found.setdefault(place, set()).add(text)
    return tuple((min(said), place) for place, said in found.items() if len(said) == 1)


def _transcribed(words: Items | None) -> tuple[tuple[str, Place], ...]:
    if words is None:
        return ()
    found = []
    for item in range(len(words)):
        text = words.text(item)
        if text and words.page[item] >= 0:
            left, top, right, bottom = words.boxes[item].tolist()
            found.append((text, (words.page_name(item), left, top, right, bottom)))
    return tuple(found)
