"""What words and lists are called where there is little room."""

from __future__ import annotations

from spotlab.model.ranked_list import Items

_SHORT = {
    "α-query expansion": "α-QE",
    "Borda count": "Borda",
    "Reciprocal rank": "RR",
    "Database augmentation": "DBA",
    "k-reciprocal neighbours": "k-recip.",
}
KNOWN = {1: " ✓", 0: " ✗"}  # what follows the name of a word that is right, or wrong


def word_line(items: Items, item: int) -> str:
    """Text, page and place of a word, as far as they are known.

    Examples
    --------
    >>> items = Items(("270",), [0], [[10, 20, 40, 32.5]], ("orders",))
    >>> word_line(items, 0)
    'orders · 270 at 10, 20'
    >>> word_line(Items.named(["FT923-11593"]), 0)
    'FT923-11593'
    """
    text, page = items.text(item), items.page_name(item)
    left, top = items.boxes[item, :2]
    where = f"{page} at {left:.0f}, {top:.0f}" if page else items.name(item)
    return f"{text} · {where}" if text else where


def query_title(text: str, page: str, examples: int = 1) -> str:
    """What a query is called: what is written there, or its page; how many examples it has.

    Examples
    --------
    >>> query_title("orders", "270"), query_title("", "270", 3)
    ('orders', 'a word on 270 · 3 examples')
    """
    title = text or f"a word on {page}"
    return f"{title} · {examples} examples" if examples > 1 else title


def short_title(title: str) -> str:
    """A title where there is little room: its usual abbreviation, or what ends it in brackets.

    Examples
    --------
    >>> short_title("Consensus ranking (CR)"), short_title("Borda count"), short_title("Diffusion")
    ('CR', 'Borda', 'Diffusion')
    """
    if title.endswith(")"):
        return title.rpartition("(")[2].removesuffix(")")
    return _SHORT.get(title, title)
