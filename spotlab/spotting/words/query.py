"""Word queries: a word on a page, given by its box or by what is written there."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.errors import SpotlabError
from spotlab.model.items import Items
from spotlab.spotting.words.texts import find_instances


@dataclass(frozen=True)
class WordQuery:
    """A word to search for: a box on a page, or a text whose first instance is the query.

    Attributes
    ----------
    page : str
        Name of the page; empty where only the text is known.
    box : (float, float, float, float) or None
        left, top, right, bottom in px.
    text : str
        What is written there; empty where it is not known.

    Raises
    ------
    ValueError
        Neither box nor text, a box without area, or one without a page.
    """

    page: str = ""
    box: tuple[float, float, float, float] | None = None
    text: str = ""

    def __post_init__(self) -> None:
        if self.box is None and not self.text.strip():
            raise ValueError("a query is a box on a page or a text")
        if self.box is not None and not self.page:
            raise ValueError("a query's box is on a page")
        if self.box is not None and not (self.box[0] < self.box[2] and self.box[1] < self.box[3]):
            raise ValueError("a query's box has an area")

    @property
    def name(self) -> str:
        """Its text, or its page and box as left, top, width, height.

        Examples
        --------
        >>> WordQuery("270", (10, 20, 110, 60.5)).name, WordQuery(text="orders").name
        ('270:10,20,100,40.5', 'orders')
        """
        if self.text or self.box is None:
            return self.text
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


def _box(words: Items, word: int) -> tuple[float, float, float, float]:
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
