"""Opens ranked lists as queries of the Words workspace, and writes what is shown there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spotlab.formats.lists.csv_write import write_csv
from spotlab.formats.lists.format import QueryLists, ReadLists
from spotlab.formats.lists.reading import read_lists
from spotlab.gui.kit.task import Task
from spotlab.gui.words.state.word_lists import WordSource
from spotlab.gui.words.state.words import Words
from spotlab.progress import Progress
from spotlab.ranking.fusion import Evidence

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.gui.words.state.words import Words

TAU, AT_LEAST = 0.7, 0.8
SHARE_AT_LEAST = 0.9  # of the range of scores that are no similarities


def open_lists(workbench: Workbench, paths: Sequence[Path]) -> None:
    """Read ranked lists in the background and look at the first query's."""

    def work(progress: Progress) -> ReadLists:
        return read_lists(list(paths), progress)

    def done(read: ReadLists) -> None:
        workbench.state(Words).add_sources([source_of(lists) for lists in read.queries])
        problems = len(read.bad_lines)
        if problems:
            first = read.bad_lines[0]
            more = f" and {problems - 1:,} more" if problems > 1 else ""
            place = f"{paths[0].name}, line {first.line}: {first.problem}"
            workbench.said.emit(f"Skipped lines: {place}{more}", True)

    Task(workbench).start(work, done=done)


def source_of(lists: QueryLists) -> WordSource:
    """The lists of a file as a query whose lists can be fused.

    The first list counts as what the first search has found.
    """
    scores = np.full((len(lists.lists), len(lists.items)), np.nan)
    for row, ranked in enumerate(lists.lists):
        scores[row, ranked.item] = ranked.score
    first = scores[0] if len(scores) else np.full(len(lists.items), np.nan)
    evidence = Evidence(first, None, scores, ~np.isnan(first)) if len(scores) > 1 else None
    tau, at_least = _thresholds(scores[~np.isnan(scores)])
    known = int(np.count_nonzero(lists.relevance == 1))
    return WordSource(
        lists.query or "a list",
        lists.query,
        "",
        lists.items,
        evidence,
        lists.lists,
        lists.relevance,
        known if lists.relevant is None else lists.relevant,
        tau,
        at_least,
    )


def _thresholds(scores: np.ndarray) -> tuple[float, float]:
    """The paper's where scores are similarities; where not, everything counts as a hit."""
    if not len(scores):
        return TAU, AT_LEAST
    low, high = float(scores.min()), float(scores.max())
    if low >= -1.0 and high <= 1.0 and high > TAU:
        return TAU, AT_LEAST
    return low, low + SHARE_AT_LEAST * (high - low)


def shown_lists(words: Words) -> QueryLists | None:
    """The lists as they are shown, with what is known of the items; None where there are none."""
    source = words.queries.current
    if source is None or not words.ranking.lists:
        return None
    ranked = tuple(each.ranked for each in words.ranking.lists)
    return QueryLists(
        source.title, source.items, ranked, words.judgements.relevance, words.judgements.relevant
    )


def save_lists(words: Words, path: Path) -> None:
    """Write the lists that are shown as CSV.

    Raises
    ------
    NotSaved
        The file could not be written; an old one is untouched.
    """
    lists = shown_lists(words)
    if lists is not None:
        write_csv([lists], path)
