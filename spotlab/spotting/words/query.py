"""Word queries: a word on a page, given by its box or by what is written there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spotlab.errors import SpotlabError
from spotlab.model.ranked_list import Items
from spotlab.spotting.words.texts import find_instances

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class WordQuery:
    """A word to search for: a box on a page, or a text.

    A text is searched itself where a network describes the words; else by its first instance.

    Several boxes around the same word are one query: examples of it.

    Attributes
    ----------
    page : str
        Name of the page; empty where only the text is known.
    box : (float, float, float, float) or None
        left, top, right, bottom in px.
    text : str
        What is written there; empty where it is not known.
    more : tuple of (str, (float, float, float, float))
        Pages and boxes of further examples.
    label : str
        What the query is called; empty for its text, or else its place.
    typed : bool
        Search the text itself, wherever it is transcribed.

    Raises
    ------
    ValueError
        Neither box nor text, a box without area, or one without a page; a typed text with a box.
    """

    page: str = ""
    box: Box | None = None
    text: str = ""
    more: tuple[tuple[str, Box], ...] = ()
    label: str = ""
    typed: bool = False

    def __post_init__(self) -> None:
        if self.box is None and not self.text.strip():
            raise ValueError("a query is a box on a page or a text")
        if self.box is not None and not self.page:
            raise ValueError("a query's box is on a page")
        if self.typed and self.box is not None:
            raise ValueError("a query is a typed text or a box")
        if self.more and self.box is None:
            raise ValueError("a query with further examples has a box")
        for _, (left, top, right, bottom) in self.places:
            if not (left < right and top < bottom):
                raise ValueError("a query's box has an area")

    @property
    def places(self) -> tuple[tuple[str, Box], ...]:
        """Pages and boxes of all its examples; none where only the text is known.

        A box is left, top, right, bottom in px.

        Examples
        --------
        >>> WordQuery("a", (0, 0, 4, 9), more=(("b", (5, 0, 9, 9)),)).places
        (('a', (0, 0, 4, 9)), ('b', (5, 0, 9, 9)))
        """
        return () if self.box is None else ((self.page, self.box), *self.more)

    @property
    def name(self) -> str:
        """Its label, its text, or its page and box as left, top, width, height.

        Examples
        --------
        >>> WordQuery("270", (10, 20, 110, 60.5)).name, WordQuery(text="orders").name
        ('270:10,20,100,40.5', 'orders')
        """
        if self.label or self.text or self.box is None:
            return self.label or self.text
        left, top, right, bottom = self.box
        return f"{self.page}:{left:g},{top:g},{right - left:g},{bottom - top:g}"


def queries_of(words: Items, text: str, *, all_of_them: bool = False) -> tuple[WordQuery, ...]:
    """Make queries by example of a text: of its first instance, or of each.

    Parameters
    ----------
    words : Items
        With texts.
    text : str
    all_of_them : bool
        Of each instance.

    Raises
    ------
    SpotlabError
        It is written nowhere; the message names similar words.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> queries_of(words, "own")[0].box
    (5.0, 0.0, 9.0, 9.0)
    """
    instances = find_instances(words, text)
    return tuple(
        WordQuery(words.page_name(word), _box(words, word), words.text(word) or "")
        for word in (instances if all_of_them else instances[:1]).tolist()
    )


def join_examples(queries: Sequence[WordQuery], label: str = "") -> WordQuery:
    """Make one query of several boxes around the same word.

    Parameters
    ----------
    queries : sequence of WordQuery
        With boxes, one or more.
    label : str
        What the query is called.

    Returns
    -------
    WordQuery
        With the text of the first of them that has one.

    Raises
    ------
    ValueError
        There is none, or one has no box.

    Examples
    --------
    >>> one, other = WordQuery("a", (0, 0, 4, 9)), WordQuery("b", (5, 0, 9, 9), "own")
    >>> join_examples([one, other]).places
    (('a', (0, 0, 4, 9)), ('b', (5, 0, 9, 9)))
    """
    places = [place for query in queries for place in query.places]
    if not places or any(query.box is None for query in queries):
        raise ValueError("examples of a word are boxes on pages")
    (page, box), *more = dict.fromkeys(places)
    text = next((query.text for query in queries if query.text), "")
    return WordQuery(page, box, text, tuple(more), label)


def _box(words: Items, word: int) -> Box:
    left, top, right, bottom = words.boxes[word].tolist()
    return left, top, right, bottom


def locate_query(query: WordQuery, words: Items | None) -> WordQuery:
    """Give a query a box: its own, or that of the first instance of its text.

    Parameters
    ----------
    query : WordQuery
    words : Items or None
        With texts; None where these are not known.

    Raises
    ------
    SpotlabError
        Texts are not known, or the query's is not among them.

    Examples
    --------
    >>> words = Items(("a",), [0], [[5, 0, 9, 9]], ("Own,",))
    >>> locate_query(WordQuery(text="own"), words).box
    (5.0, 0.0, 9.0, 9.0)
    """
    if query.box is not None:
        return query
    if words is None:
        raise SpotlabError(
            f"where {query.text!r} is written is not known: words with texts are needed"
        )
    first = queries_of(words, query.text)[0]
    return WordQuery(first.page, first.box, query.text)
