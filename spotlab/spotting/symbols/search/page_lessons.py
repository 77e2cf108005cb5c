"""What each page of a search is searched with: never what its own truth has taught."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spotlab.spotting.symbols.engine.learning_method import LearnedSymbols


@dataclass(frozen=True, eq=False)
class PageLessons:
    """What a method has learned, from all lessons and without some pages.

    Attributes
    ----------
    labels : tuple of str
        Those that are searched.
    learned : tuple of LearnedSymbols
        What was learned from different pages.
    of_page : mapping of str to int
        By page name, which of them a page is searched with: one that has not learned from it. The
        other pages are searched with the first.
    """

    labels: tuple[str, ...]
    learned: tuple[LearnedSymbols, ...]
    of_page: Mapping[str, int]

    def number_of(self, page: str) -> int:
        """Which of the learned a page is searched with.

        Parameters
        ----------
        page : str
            Its name.

        Examples
        --------
        >>> lessons = PageLessons(("bed",), (), {"plan_2": 1})
        >>> lessons.number_of("plan_1"), lessons.number_of("plan_2")
        (0, 1)
        """
        return self.of_page.get(page, 0)

    def digest_of(self, page: str) -> str:
        """Digest of all that decides what is found on a page, for the names of files.

        Parameters
        ----------
        page : str
            Its name.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.learning_method import NothingLearned
        >>> PageLessons(("bed",), (NothingLearned(),), {}).digest_of("plan_1")
        ''
        """
        return self.learned[self.number_of(page)].digest
