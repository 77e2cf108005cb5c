"""What the table of systems shows: a row for each, ⊤ and ⊥ above, with truth and without."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.comparison import Bootstrap, SystemFigures, SystemIntervals
from spotlab.gui.kit.table_model import NO_NOTE, Note, Rows
from spotlab.gui.systems.loaded_votes import Loaded
from spotlab.gui.systems.ranking.system_methods import Shown
from spotlab.measures.measure import Figure
from spotlab.report.figure_text import written

Intervals = Bootstrap | SystemIntervals

WITHOUT = (
    Figure("rank", "Rank", "count", -1, "Place by F without truth; equals share one."),
    Figure(
        "precision", "Precision", "", 1,
        "Without truth, ΣP(δ)·S(δ) / ΣS(δ): how likely what the system votes for is relevant. "
        "Undefined where it votes for nothing.",
    ),
    Figure(
        "recall", "Recall", "", 1,
        "Without truth, ΣP(δ)·S(δ) / ΣP(δ): how much of what is likely relevant the system votes "
        "for. Undefined where nothing can be relevant.",
    ),
    Figure(
        "f", "F", "", 1,
        "Without truth, the harmonic mean of precision and recall, 2·ΣP·S / (ΣP + ΣS).",
    ),
)  # fmt: skip
WITH = (
    Figure("true_rank", "True rank", "count", -1, "Place by F with truth; equals share one."),
    Figure(
        "true_precision", "True P", "", 1,
        "With truth: the share of what the system votes for that is relevant, over the items of "
        "which the truth is known.",
    ),
    Figure(
        "true_recall", "True R", "", 1,
        "With truth: the share of what is relevant that the system votes for. What no system "
        "found counts, where the truth tells it.",
    ),
    Figure("true_f", "True F", "", 1, "With truth: the harmonic mean of precision and recall."),
)  # fmt: skip
NO_VOTE = "the system votes for nothing, or nothing can be relevant, or no vote of it is known"
VIRTUAL = ("⊤ all items", "⊥ none")
BOTTOM_REASON = "⊥ votes for nothing, so nothing of it can be right or wrong"
PARTS = ("precision", "recall", "f")


def figures_shown(truth: bool) -> tuple[Figure, ...]:
    """The columns."""
    return (*WITHOUT, *WITH) if truth else WITHOUT


def system_rows(
    names: Sequence[str],
    shown: Shown,
    truth: SystemFigures | None,
    intervals: Intervals | None,
    colours: Sequence[str],
    with_intervals: Collection[str] = PARTS,
) -> Rows:
    """A row for each system; beside these figures their intervals where they are known."""
    values = _columns(shown.figures)
    if truth is not None:
        values = np.hstack([values, _columns(truth)])
    notes = _notes(intervals, with_intervals) if intervals is not None else {}
    return Rows(
        names=tuple(names),
        keys=tuple(range(len(names))),
        values=values,
        colours=tuple(colours),
        notes=notes,
        reasons=(NO_VOTE,) * len(names),
    )


def virtual_rows(loaded: Loaded, shown: Shown, truth: bool) -> Rows:
    """⊤, which votes for everything, and ⊥, which votes for nothing."""
    figures = figures_shown(truth)
    top = [np.nan, *_with_f(*shown.top)]
    bottom = [np.nan, np.nan, *_empty(shown.top[1])]
    if truth:
        relevant = loaded.relevant_share
        there = None if not relevant > 0 else 1.0
        top += [np.nan, *_with_f(relevant, there)]
        bottom += [np.nan, np.nan, *_empty(there)]
    return Rows(
        names=VIRTUAL,
        keys=VIRTUAL,
        values=np.array([top, bottom], np.float64),
        notes={(row, figure.name): NO_NOTE for row in range(2) for figure in figures},
        reasons=("this method has no ⊤, or ranks systems only", BOTTOM_REASON),
    )


def _columns(figures: SystemFigures) -> Floats:
    return np.stack([figures.rank, figures.precision, figures.recall, figures.f], axis=1)


def _with_f(precision: float | None, recall: float | None) -> list[float]:
    if precision is None or recall is None or not precision + recall > 0:
        return [np.nan if each is None else each for each in (precision, recall)] + [np.nan]
    return [precision, recall, 2 * precision * recall / (precision + recall)]


def _empty(top_recall: float | None) -> list[float]:
    """Recall and F of ⊥: 0 where something can be relevant."""
    return [np.nan, np.nan] if top_recall is None else [0.0, 0.0]


def _notes(intervals: Intervals, parts: Collection[str]) -> dict[tuple[int, str], Note]:
    tip = (
        "In brackets the 95 % interval if the assumption of the estimate holds. An error of the "
        "assumption is not in it."
    )
    if isinstance(intervals, Bootstrap):
        tip = (
            f"In brackets the {intervals.level:.0%} interval of {intervals.draws:,} bootstrap "
            "draws of items."
        )
    found = {}
    for part in parts:
        for row, (low, high) in enumerate(getattr(intervals, part).tolist()):
            if not np.isnan(low):
                found[row, part] = Note(f"[{written(low)}, {written(high)}]", tip)
    return found
