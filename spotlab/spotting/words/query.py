"""What is searched: a word on a page, said by its box or by what is written there."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.errors import SpotlabError
from spotlab.model.items import Items
from spotlab.spotting.words.texts import find_instances


@dataclass(frozen=True)
class WordQuery:
    """A word to search for. It has a box on a page, or a text whose first instance is taken.

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
        """What to call it: its text, or where it is.

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
    """A text as queries by example: its first instance, or each.

    Parameters
    ----------
    words : Items
        With texts.
    text : str
    all_of_them : bool

    Raises
    ------
    SpotlabError
        It is written nowhere; names what is like it.
    """
    found = find_instances(words, text)
    return tuple(
        WordQuery(words.page_name(word), _box(words, word), words.text(word) or "")
        for word in (found if all_of_them else found[:1]).tolist()
    )


def _box(words: Items, word: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = words.boxes[word].tolist()
    return left, top, right, bottom


def locate_query(query: WordQuery, words: Items | None) -> WordQuery:
    """The query with a box: its own, or that of the first instance of its text.

    Raises
    ------
    SpotlabError
        Nothing is known of what is written, or the text is not among it.
    """
    if query.box is not None:
        return query
    if words is None:
        raise SpotlabError(
            f"where {query.text!r} is written is not known: words with texts are needed"
        )
    found = queries_of(words, query.text)[0]
    return WordQuery(found.page, found.box, query.text)
