"""Data of a query in the Words workspace: the items found and the lists made of them.

Plain values and functions; the state that uses them is in `spotlab.gui.words.state.words`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.format import QueryLists
from spotlab.model import Items, RankedList
from spotlab.progress import Progress, silent
from spotlab.ranking.common_scale import common_scores
from spotlab.ranking.fusion import Choices, Evidence, Fusion, fusions
from spotlab.ranking.purge import ItemTruth, Purge
from spotlab.report.colours import LIST_COLOURS
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.readings import Reading
from spotlab.spotting.words.search import UsedExample
from spotlab.spotting.words.word_index import WordQuery

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
    """Return what a query is called: what is written there, or its page; how many examples it has.

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


Relevance = NDArray[np.int8]

USUAL = ("ws", "qe", "cr", "ml", "ml_cr")  # the paper's
GIVEN = "given "  # before the number of a list that is not made here
OF_A_SEARCH = ("ws", "qe")  # lists of files have names of their own
NEEDS = {
    "": "it needs the scores of the items against the query",
    "between": "it needs the scores of the items with each other",
    "lists": "it needs the lists of an expanded search",
}


@dataclass(frozen=True, eq=False)
class WordSource:
    """Source data for the lists of one query.

    Attributes
    ----------
    title : str
        What was searched, for people.
    query : str
        Judgements are kept under this name: they count for every query of the same word.
    place : str
        Where the word searched is, or that it was typed, which tells queries of the same word
        apart.
    items : Items
        Everything that any of its lists may hold.
    evidence : Evidence or None
        None where nothing but finished lists is known.
    given : tuple of RankedList
        Lists that were opened, not made.
    truth : (N,) int8
        1 relevant, 0 not, -1 unknown.
    relevant : int
        How many relevant items the collection has by that truth, found or not.
    tau, at_least : float
        The scores at which an item counts as a hit, and as a sure one.
    example : int or None
        The item that was searched, where it is one of them.
    asked : WordQuery or None
        What was searched, so that it can be searched again; None where nothing was.
    used : tuple of UsedExample
        The boxes that were searched; none where nothing was.
    examples : tuple of int
        The items that these are; figures leave them out.
    descriptor : WordDescriptor or None
        What the words were compared by; None for lists of files.
    readings : mapping of int to Reading
        What the best items may say; proposals, never truth.
    imported : QueryLists or None
        The lists of files as they were read; None for a search.
    """

    title: str
    query: str
    place: str
    items: Items
    evidence: Evidence | None
    given: tuple[RankedList, ...]
    truth: Relevance
    relevant: int
    tau: float = 0.7
    at_least: float = 0.8
    example: int | None = None
    asked: WordQuery | None = None
    imported: QueryLists | None = None
    used: tuple[UsedExample, ...] = ()
    examples: tuple[int, ...] = ()
    descriptor: WordDescriptor | None = None
    readings: Mapping[int, Reading] = field(default_factory=dict)

    def offers(self) -> tuple[Fusion, ...]:
        """The fusions that it knows enough for."""
        return tuple(each for each in fusions().values() if not self.lacks(each))

    def lacks(self, fusion: Fusion) -> str:
        """Return what it does not have that a fusion needs; empty if it has all."""
        evidence = self.evidence
        if self.imported is not None and fusion.name in OF_A_SEARCH:
            return "the lists come from files, not from a search"
        if evidence is None or (fusion.needs == "between" and evidence.between is None):
            boxes = "; open the pages that the lists are about" if self.imported else ""
            return f"{NEEDS[fusion.needs]}{boxes}"
        if fusion.needs == "lists" and len(evidence.lists) < (2 if self.imported else 1):
            return NEEDS[fusion.needs] if self.imported is None else "it needs several lists"
        return ""

    def truth_with(self, relevance: Relevance, relevant: int) -> ItemTruth:
        """Return what is relevant, with the query itself among its items."""
        known = bool(relevant) or bool((relevance >= 0).any())
        return ItemTruth(relevance, relevant if known else None, self.example, self.examples)


@dataclass(frozen=True, eq=False)
class WordList:
    """One column of words.

    Attributes
    ----------
    name, title, definition, colour : str
    ranked : RankedList
    purge : Purge
        What is kept, true and false, at any threshold.
    average_precision : float or None
        None where no item is known to be relevant, or only relevant ones are judged.
    calibrated : bool
        Whether its scores were brought to the scale of the others from one of their own.
    """

    name: str
    title: str
    definition: str
    colour: str
    ranked: RankedList
    purge: Purge
    average_precision: float | None
    calibrated: bool = False

    @property
    def name_in_files(self) -> str:
        """Return what commands and files call it: a list that was given has the name of its
        file.
        """
        return self.ranked.name if self.name.startswith(GIVEN) else self.name

    def kept(self, threshold: float) -> int:
        """Tell how many of its items the threshold leaves."""
        score = self.ranked.score
        return len(score) - int(np.searchsorted(score[::-1], threshold, side="left"))


def relevance_of(source: WordSource, judged: Relevance) -> tuple[Relevance, int]:
    """The truth as judgements change it, and how many relevant items there are then.

    Parameters
    ----------
    judged : (N,) int8
        1 relevant, 0 not, -1 not judged.
    """
    relevance = np.where(judged >= 0, judged, source.truth).astype(np.int8)
    gained = np.count_nonzero((judged == 1) & (source.truth != 1))
    lost = np.count_nonzero((judged == 0) & (source.truth == 1))
    return relevance, source.relevant + int(gained) - int(lost)


def feedback_of(choices: Choices, judged: Relevance) -> Choices:
    """The choices with the judgements as feedback."""
    return replace(choices, relevant=judged == 1, irrelevant=judged == 0)


def make_lists(
    source: WordSource, names: Sequence[str], choices: Choices, progress: Progress = silent
) -> tuple[tuple[str, RankedList], ...]:
    """The given lists, and those that these fusions make; by the fusions' names.

    All are on the scale of the search; see `spotlab.ranking.common_scale`. A fusion that the source
    does not know enough for is passed over.
    """
    made = [(f"{GIVEN}{number}", ranked) for number, ranked in enumerate(source.given)]
    offered = {fusion.name: fusion for fusion in source.offers()}
    choices = _of_evidence(choices, source)
    wanted = [offered[name] for name in names if name in offered]
    for done, fusion in enumerate(wanted):
        progress(done, len(wanted), fusion.title)
        assert source.evidence is not None  # else nothing is offered
        scores = common_scores(fusion, source.evidence, choices)
        made.append((fusion.name, RankedList.ordered(fusion.title, scores)))
    return tuple(made)


def _of_evidence(choices: Choices, source: WordSource) -> Choices:
    """The choices for the items of the evidence: those in no list come behind them."""
    count = len(source.evidence) if source.evidence else 0
    return replace(
        choices, relevant=choices.relevant[:count], irrelevant=choices.irrelevant[:count]
    )


def judge_lists(
    source: WordSource,
    made: Sequence[tuple[str, RankedList]],
    relevance: Relevance,
    relevant: int,
) -> tuple[WordList, ...]:
    """The columns, with how good each list is."""
    known = fusions()
    truth = source.truth_with(relevance, relevant)
    columns = []
    for name, ranked in made:
        fusion = known.get(name)
        purge = truth.purge(ranked)
        columns.append(
            WordList(
                name,
                fusion.title if fusion else ranked.name,
                fusion.definition if fusion else "A list from a file, unchanged.",
                colour_of(name),
                ranked,
                purge,
                None if purge.one_sided else truth.average_precision(ranked),
                fusion is not None and not fusion.comparable,
            )
        )
    return tuple(columns)


def colour_of(name: str) -> str:
    """The same for the same list in every query."""
    order = [*USUAL, *(each for each in fusions() if each not in USUAL)]
    if name in order:
        return LIST_COLOURS[order.index(name) % len(LIST_COLOURS)]
    return LIST_COLOURS[int(name.rsplit(maxsplit=1)[-1]) % len(LIST_COLOURS)]
