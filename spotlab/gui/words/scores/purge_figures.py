"""What is left of a ranked list at a threshold: the figures, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from spotlab.errors import counted
from spotlab.measures.measure import Figure
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.purge import Purge, PurgePoint

PURGE_FIGURES = {figure.name: figure for figure in (
    Figure("kept", "Kept", "count", 0,
           "How many items of the list score at least the threshold; the others are purged."),
    Figure("true", "Kept ✓", "count", 1, "How many of the kept items are relevant."),
    Figure("false", "Kept ✗", "count", -1, "How many of the kept items are not relevant."),
    Figure("unknown", "Kept, unknown", "count", 0,
           "How many of the kept items nobody has judged; they count neither as ✓ nor as ✗."),
    Figure("ties", "Ties at the cut", "count", 0,
           "How many kept items have the same score as the last one. A threshold keeps all of them "
           "or none. Undefined where nothing is kept."),
    Figure("precision", "Precision", "", 1,
           "P = ✓ / (✓ + ✗) of the kept items. Undefined where nothing known is kept."),
    Figure("recall", "Recall", "", 1,
           "R = kept ✓ / all relevant items of the collection, found or not. Undefined where "
           "none is known to be relevant."),
    Figure("f", "F", "", 1,
           "F = 2 P R / (P + R): high only where precision and recall both are. Undefined where "
           "one of them is."),
    Figure("removed", "✗ removed", "", 1,
           "Purged ✗ / all ✗ of the list: how much of what is wrong the threshold takes away. "
           "Undefined where the list has no ✗."),
    Figure("lost", "✓ lost", "", -1,
           "Purged ✓ / all ✓ of the list: what that costs. Undefined where the list has no ✓."),
)}  # fmt: skip
OF_BOTH = ("precision", "recall", "f")  # say nothing where only relevant items are judged


def purge_values(purge: Purge, threshold: float, ranked: RankedList) -> Mapping[str, float | None]:
    """The values of `PURGE_FIGURES`, None where they are undefined.

    Where only relevant items are judged, and others are not, precision, recall and F are undefined:
    they would be 1 whatever the list is worth.

    Parameters
    ----------
    purge : Purge
    threshold : float
    ranked : RankedList

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(3), np.array([0.9, 0.8, 0.7]))
    >>> purge = Purge.of(ranked, np.array([1, 1, -1]), 2)
    >>> values = purge_values(purge, 0.85, ranked)
    >>> values["kept"], values["precision"], values["recall"], values["lost"]
    (1, None, None, 0.5)
    """
    point: PurgePoint = purge.at(threshold)
    values: dict[str, float | None] = {
        "kept": point.kept,
        "true": point.true,
        "false": point.false,
        "unknown": point.unknown,
        "ties": ties_at(ranked, point.kept),
        "precision": point.precision,
        "recall": point.recall,
        "f": point.f,
        "removed": point.removed,
        "lost": point.lost_share,
    }
    if purge.one_sided:
        values.update(dict.fromkeys(OF_BOTH))
    return values


def ties_at(ranked: RankedList, kept: int) -> int | None:
    """How many other items share the score of the last that is kept; None where none is.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(4), np.array([0.9, 0.7, 0.7, 0.2]))
    >>> ties_at(ranked, 3), ties_at(ranked, 1), ties_at(ranked, 0)
    (1, 0, None)
    """
    if not kept:
        return None
    score = ranked.score[kept - 1]  # from the end, so that nothing is copied
    first, last = (
        len(ranked) - np.searchsorted(ranked.score[::-1], score, side=side)
        for side in ("right", "left")
    )
    return int(last - first) - 1


def judged_note(purges: list[Purge]) -> str:
    """Of how many words the figures are, where not all of them are judged; else nothing.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(3), np.array([0.9, 0.8, 0.7]))
    >>> judged_note([Purge.of(ranked, np.array([1, 1, -1]), 2)])
    'Of 2 judged words of 3. No ✗ is judged: P, R and F are not known.'
    >>> judged_note([Purge.of(ranked, np.array([1, 0, -1]), 1)])
    'Of 2 judged words of 3.'
    >>> judged_note([Purge.of(ranked, np.array([1, 0, 0]), 1)])
    ''
    """
    partly = [purge for purge in purges if purge.judged < purge.judgeable]
    if not partly:
        return ""
    widest = max(partly, key=len)
    if not widest.judged:
        return "No word is judged: G judges the chosen word right, R wrong."
    note = f"Of {counted(widest.judged, 'judged word')} of {widest.judgeable:,}."
    if widest.one_sided:
        note += " No ✗ is judged: P, R and F are not known."
    return note
