"""Which pages a filter lets through."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from spotlab.formats.collection.folder import Summary
from spotlab.model import PageState


@dataclass(frozen=True)
class PageFilter:
    """Words that have to be in a page's name, labels it has to carry, states it may have.

    ``subset`` are the pages of a saved subset; None where none is asked for.

    Examples
    --------
    >>> wanted = PageFilter.parse("plan label:sofa")
    >>> wanted.words, wanted.labels
    (('plan',), ('sofa',))
    >>> wanted.accepts("plan_01", Summary(PageState.DRAFT, {"sofa": 2}))
    True
    >>> wanted.accepts("plan_02", Summary(PageState.DRAFT, {"sink": 1}))
    False
    """

    words: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    states: frozenset[PageState] = frozenset()
    subset: frozenset[str] | None = None

    @classmethod
    def parse(
        cls,
        text: str,
        states: Collection[PageState] = (),
        in_subset: Callable[[str], frozenset[str]] = lambda _: frozenset(),
    ) -> PageFilter:
        """What was typed: words, ``label:name`` or ``label:"two words"``, and ``subset:name``.

        Parameters
        ----------
        text : str
        states : collection of PageState
        in_subset : callable
            Gives the names of the pages in a saved subset.
        """
        words: list[str] = []
        labels: list[str] = []
        subset: frozenset[str] | None = None
        for word in _split(text):
            kind, colon, name = word.partition(":")
            if colon and kind.casefold() == "label":
                labels.append(name.casefold())
            elif colon and kind.casefold() == "subset":
                pages = in_subset(name)
                subset = pages if subset is None else subset & pages
            else:
                words.append(word.casefold())
        return cls(tuple(words), tuple(labels), frozenset(states), subset)

    @property
    def needs_summary(self) -> bool:
        """Whether it looks at more than names."""
        return bool(self.labels or self.states)

    def accepts(self, name: str, summary: Summary | None) -> bool:
        """Whether a page of this name and summary passes; None is known of none yet."""
        folded = name.casefold()
        if not all(word in folded for word in self.words):
            return False
        if self.subset is not None and name not in self.subset:
            return False
        if not self.needs_summary:
            return True
        if summary is None or (self.states and summary.state not in self.states):
            return False
        carried = [label.casefold() for label in summary.labels]
        return all(any(label.startswith(wanted) for label in carried) for wanted in self.labels)


def _split(text: str) -> list[str]:
    """Words; quotes keep spaces together."""
    words, word, quoted = [], "", False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        elif letter.isspace() and not quoted:
            words.append(word)
            word = ""
        else:
            word += letter
    return [word for word in (*words, word) if word]
