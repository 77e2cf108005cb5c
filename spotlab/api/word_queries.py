"""Queries for words, as `spotlab.spot_words` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from spotlab.api.arguments import unusable
from spotlab.errors import BadArgument
from spotlab.model.queries import Place, page_among, place_of
from spotlab.spotting.words.query import WordQuery, join_examples

WordQueries: TypeAlias = (
    "str | Place | WordQuery | Iterable[str | Place | WordQuery]"
    " | Mapping[str, str | Place | WordQuery | Iterable[str | Place | WordQuery]]"
)

EXPECTED = (
    "a text, PAGE:x,y,width,height, (page, (x, y, width, height)), or several of these; or names"
    " with one or several boxes each"
)


def word_query(query: Any) -> WordQuery:
    """A query as `spot_words` takes it.

    Parameters
    ----------
    query : str, (page, (x, y, width, height)) or WordQuery
        A text, or a box on a page in px.

    Raises
    ------
    BadArgument
        It is something else, or the box has no area.

    Examples
    --------
    >>> word_query("letter_1:10,20,30,40").box
    (10.0, 20.0, 40.0, 60.0)
    """
    if isinstance(query, WordQuery):
        return query
    place = place_of(query)
    if place is None and not isinstance(query, str):
        raise unusable(query, "queries", EXPECTED)
    try:
        return WordQuery(text=query) if place is None else WordQuery(*place)
    except ValueError as error:
        raise BadArgument(f"{query!r}: {error}") from error


def word_queries(queries: Any) -> list[WordQuery]:
    """All queries of an argument.

    Parameters
    ----------
    queries : WordQueries
        One query, several, or names with one or several boxes each.

    Raises
    ------
    BadArgument
        There is none, or one is something else.

    Examples
    --------
    >>> [query.text for query in word_queries(["orders", "company"])]
    ['orders', 'company']
    """
    if isinstance(queries, Mapping):
        found = [_named(name, examples) for name, examples in queries.items()]
        if not found:
            raise BadArgument("there is no query")
        return found
    single = isinstance(queries, str | WordQuery) or place_of(queries) is not None
    if not single and not isinstance(queries, Iterable):
        raise unusable(queries, "queries", EXPECTED)
    found = [word_query(query) for query in ([queries] if single else queries)]
    if not found:
        raise BadArgument("there is no query")
    return found


def _named(name: str, examples: Any) -> WordQuery:
    """One query of all boxes of a name."""
    try:
        return join_examples(word_queries(examples), str(name))
    except ValueError as error:
        raise BadArgument(f"the query {name!r}: {error}") from error


def named_as_pages(query: WordQuery, names: Sequence[str]) -> WordQuery:
    """A query whose pages are called as those searched are.

    Parameters
    ----------
    query : WordQuery
    names : sequence of str
        Of the pages that are searched.

    Returns
    -------
    WordQuery

    Examples
    --------
    >>> named_as_pages(WordQuery("letter_1.png", (0, 0, 9, 9)), ["letter_1"]).page
    'letter_1'
    """
    more = tuple((page_among(page, names), box) for page, box in query.more)
    return replace(query, page=page_among(query.page, names), more=more)
