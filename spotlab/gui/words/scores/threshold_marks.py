"""Thresholds that have a name, and where their names stand beside a plot without touching."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats
from spotlab.gui.kit.plain_text import rich
from spotlab.ranking.purge import Suggestion
from spotlab.report.figure_text import written

SHORT = {"tau": "τ", "best_f": "best F", "largest_drop": "drop"}  # there is little room
TAU = "From this score on the search counts a word as found; a larger τ finds fewer, surer words."
TIGHT = "Words with this score or more become queries, too (QE); with a larger one, fewer do."
AT_LEAST = "A word needs this score to re-score a list (CR); a larger one trusts surer words only."


@dataclass(frozen=True)
class ThresholdMark:
    """A threshold with a name.

    Attributes
    ----------
    name : str
    threshold : float
    tip : str
        What it means, as rich text.
    colour : str
        Of the list that it is of; empty for all lists.
    """

    name: str
    threshold: float
    tip: str
    colour: str = ""


def named_mark(name: str, threshold: float, meaning: str) -> ThresholdMark:
    """A threshold of the search or of the ranking, which is the same for all lists."""
    return ThresholdMark(name, threshold, _tip(f"{name} {written(threshold)}", meaning))


def suggested_marks(
    suggestions: Sequence[Suggestion], title: str, colour: str
) -> list[ThresholdMark]:
    """The thresholds that a list suggests besides τ, which is the same for all.

    Examples
    --------
    >>> best = Suggestion("best_f", "best F", 0.65, "F is 0.9 with 12 items kept")
    >>> [(mark.name, mark.threshold) for mark in suggested_marks([best], "CR", "#123456")]
    [('best F', 0.65)]
    """
    return [
        ThresholdMark(SHORT[each.name], each.threshold,
             _tip(f"{title}: {each.title} {written(each.threshold)}", each.reason), colour)
        for each in suggestions if each.name != "tau" and each.threshold is not None
    ]  # fmt: skip


def _tip(title: str, meaning: str) -> str:
    return rich(
        f"<p><b>{html.escape(title)}</b></p><p>{html.escape(meaning)}</p>"
        "<p>Click to purge at this score.</p>"
    )


def spread(wanted: Floats, pinned: int, apart: float, low: float, high: float) -> Floats:
    """Places near the wanted ones, at least so far apart, where one of them cannot move.

    Parameters
    ----------
    wanted : (N,) float
        px; in any order.
    pinned : int
        Which one stays where it is.
    apart : float
        px between two neighbours.
    low, high : float
        px; the ends, which are kept where there is room for all.

    Returns
    -------
    (N,) float
        In the order of ``wanted``.

    Examples
    --------
    >>> spread(np.array([50.0, 50.0, 52.0, 90.0]), 0, 10, 0, 100).tolist()
    [50.0, 40.0, 60.0, 90.0]
    >>> spread(np.array([3.0, 2.0, 1.0]), 0, 10, 0, 100).tolist()  # no room before the pinned one
    [3.0, 23.0, 13.0]
    """
    place, fixed = wanted.astype(np.float64), float(wanted[pinned])
    order = [int(at) for at in np.argsort(wanted, kind="stable") if at != pinned]
    before = [at for at in order if wanted[at] <= fixed]
    after = [at for at in order if wanted[at] > fixed]
    room = max(0, int((fixed - low) // apart)), max(0, int((high - fixed) // apart))
    while len(before) > room[0] and len(after) < room[1]:
        after.insert(0, before.pop())
    while len(after) > room[1] and len(before) < room[0]:
        before.append(after.pop(0))
    _stack(place, before[::-1], fixed, -apart, low)
    _stack(place, after, fixed, apart, high)
    return place


def _stack(place: Floats, order: Sequence[int], start: float, step: float, end: float) -> None:
    """Move places away from the start, one after the other, and back from the end."""
    way = 1.0 if step > 0 else -1.0
    last = start
    for at in order:
        last = place[at] = way * max(way * place[at], way * (last + step))
    last = end + step
    for at in reversed(order):
        last = place[at] = way * min(way * place[at], way * (last - step))
