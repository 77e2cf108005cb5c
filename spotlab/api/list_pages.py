"""The pages that ranked lists are about: what is written there, and what their boxes look like."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.api.arguments import PathLike
from spotlab.api.known_words import known_words
from spotlab.errors import BadArgument
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.format import ReadLists
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.box_scores import BoxScores
from spotlab.spotting.words.index import build_index
from spotlab.studies.words.list_evidence import listed_items
from spotlab.studies.words.list_truth import judge_all_by_words, on_searched_pages
from spotlab.studies.words.ranked_lists import ScoresBetween


def judged_by_pages(
    read: ReadLists, truth: Sequence[Path], pages: Sequence[Path], progress: Progress = silent
) -> ReadLists:
    """The lists judged by what is written on pages; as they are where nobody says it.

    Parameters
    ----------
    read : ReadLists
    truth : sequence of path
        PAGE XML with words, or folders; where there is none, what lies beside the pages.
    pages : sequence of path
        Images, or folders of them: what was searched. Without them, all pages with truth were.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        Something cannot be read, or no word in it has a text.

    Examples
    --------
    >>> judged_by_pages(ReadLists(()), [], []).queries
    ()
    """
    entries: list[PageEntry] = page_entries(pages) if pages else []
    words = known_words(entries, truth, bool(truth), progress)
    if words is not None and entries:  # other pages were not searched
        words = on_searched_pages(words, [entry.name for entry in entries])
    return read if words is None else judge_all_by_words(read, words)


def scores_on_pages(
    read: ReadLists,
    pages: Sequence[Path],
    cache: PathLike | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[ScoresBetween, tuple[str, ...]]:
    """What gives the scores of the lists' boxes with each other, and remarks.

    The boxes are described as the words are that a search on these pages finds.

    Parameters
    ----------
    read : ReadLists
    pages : sequence of path
        Images, or folders of them.
    cache : path, optional
        Folder for the words of the pages; by default the user's cache.
    jobs : int
        Number of worker processes; 0 means one per CPU core.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        No page can be read, or no box is on one of them.
    """
    index = build_index(
        page_entries(pages), cache=None if cache is None else Path(cache), jobs=jobs,
        progress=progress,
    )  # fmt: skip
    listed = [query.items.take(listed_items(query.lists)) for query in read.queries]
    scores = BoxScores.of(index, listed, progress)
    known, every = sum(map(scores.known, listed)), sum(map(len, listed))
    if not known:
        raise BadArgument("no item of the lists is a box on the given pages")
    remarks = tuple(f"left out {each.page}: {each.problem}" for each in index.left_out)
    if known < every:
        missing = f"{every - known:,} of {every:,} items of the lists are on no given page"
        remarks = (*remarks, f"{missing}; consensus methods leave them out")
    return scores.among, remarks
