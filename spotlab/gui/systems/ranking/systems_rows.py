"""Rows of the table of systems: one for each, with ⊤ and ⊥ above, with and without truth."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QWidget

from spotlab.arrays import Floats
from spotlab.consensus.comparison import Nearness, SystemFigures, SystemIntervals, nearness
from spotlab.consensus.method import COMMON, MethodEstimate, consensus_methods
from spotlab.gui.kit.rows import NO_NOTE, Note, Rows
from spotlab.gui.kit.settings import SYSTEM_COLUMNS, Settings
from spotlab.gui.kit.table_view import ColumnMenu
from spotlab.gui.systems.state import BY_WEIGHTS, Loaded, Systems
from spotlab.measures.measure import Figure
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written
from spotlab.studies.systems.method_results import MethodResult

TRUE = "truth"  # beside the methods: what the truth says
ALONE = "#7a8793"  # of systems that share no group
Pair = tuple[float | None, float | None]


@dataclass(frozen=True)
class Offered:
    """A way to judge that can be chosen; a correction is offered, never applied by itself."""

    name: str
    title: str
    definition: str
    assumption: str
    remark: str = ""
    correction: bool = False


@dataclass(frozen=True, eq=False)
class Shown:
    """Results of a method: figures, ⊤'s precision and recall, and agreement with the truth."""

    figures: SystemFigures
    top: Pair
    nearness: Nearness | None


WEIGHTED = Offered(
    BY_WEIGHTS,
    "Weights at left",
    "Probability of relevance: the weighted share of votes for an item, by the weights of the "
    "sliders (Lamiroy & Sun 2013, eq. 13).",
    COMMON,
)


def in_sight(systems: Systems) -> tuple[Offered, ...]:
    """The ways to judge that are offered at first, and the one that is looked at; or all."""
    if systems.offers_all:
        return offered(systems)
    found, answered = systems.comparison, systems.answered
    if found is None:
        return tuple(each for each in offered(systems) if each.name in ("paper", BY_WEIGHTS))
    names = {each.name for each in (*found.in_sight, *([answered] if answered else []))}
    names |= {systems.method, BY_WEIGHTS}
    return tuple(each for each in offered(systems) if each.name in names)


def offered(systems: Systems) -> tuple[Offered, ...]:
    """All ways to judge: the weights, the methods, and corrections where these are offered.

    A method that failed has no result, and is not among them.
    """
    if systems.comparison is None:
        every = consensus_methods().values()
        known = [Offered(e.name, e.title, e.definition, e.assumption) for e in every]
        return (*known, WEIGHTED)
    corrections = consensus_methods(corrects_groups=True)
    return (
        *(
            Offered(
                each.name, each.title, each.definition, each.assumption, each.remark,
                each.name in corrections,
            )
            for each in systems.results
        ),
        WEIGHTED,
    )  # fmt: skip


def shown_by(systems: Systems, method: str) -> Shown | None:
    """Return what a method says; None while that is not known."""
    found, truth = _judged_by(systems, method), systems.truth
    if found is None:
        return None
    near = None if truth is None else nearness(found.figures, truth)
    return Shown(found.figures, found.top or (None, None), near)


def figures_by(systems: Systems, method: str) -> SystemFigures | None:
    """Precision, recall and F by a method, or with truth; None while these are not known."""
    if method == TRUE:
        return systems.truth
    found = _judged_by(systems, method)
    return found.figures if found else None


def intervals_by(systems: Systems, method: str) -> SystemIntervals | None:
    """Intervals of the figures by a method; None while these are not known."""
    found = _judged_by(systems, method)
    return found.intervals if found else None


def _judged_by(systems: Systems, method: str) -> MethodEstimate | MethodResult | None:
    return systems.by_weights if method == BY_WEIGHTS else systems.result(method)


def system_colours(systems: Systems) -> tuple[str, ...]:
    """A colour for each system: that of its group, where groups are declared or found."""
    comparison = systems.comparison
    if comparison is None:
        return (ALONE,) * len(systems.names)
    label = comparison.groups.label.tolist()
    sizes = {each: label.count(each) for each in label}
    shared = [each for each in dict.fromkeys(label) if sizes[each] > 1 or comparison.group_by]
    colour = {each: run_colour(place) for place, each in enumerate(shared)}
    return tuple(colour.get(each, ALONE) for each in label)


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
INTERVAL = (
    "In brackets the 95 % interval. It allows for errors that systems share, as far as sets of "
    "votes with known truth have shown them."
)


def figures_shown(truth: bool) -> tuple[Figure, ...]:
    """The columns."""
    return (*WITHOUT, *WITH) if truth else WITHOUT


def system_rows(
    names: Sequence[str],
    shown: Shown,
    truth: SystemFigures | None,
    intervals: SystemIntervals | None,
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


def _notes(intervals: SystemIntervals, parts: Collection[str]) -> dict[tuple[int, str], Note]:
    found = {}
    for part in parts:
        for row, (low, high) in enumerate(getattr(intervals, part).tolist()):
            if not np.isnan(low):
                found[row, part] = Note(f"[{written(low)}, {written(high)}]", INTERVAL)
    return found


VIRTUAL_ROWS = "virtual"
TITLES = {figure.name: figure.title for figure in (*WITHOUT, *WITH)} | {
    "precision_interval": "Interval of Precision",
    "recall_interval": "Interval of Recall",
    "f_interval": "Interval of F",
    VIRTUAL_ROWS: "Rows of ⊤ and ⊥",
}
DEFAULT = (*(figure.name for figure in (*WITHOUT, *WITH)), "f_interval")


def interval_parts(chosen: Collection[str]) -> list[str]:
    """The figures whose intervals stand beside them, by what is chosen in the menu of columns."""
    return [part for part in PARTS if f"{part}_interval" in chosen]


def columns_menu(settings: Settings, parent: QWidget) -> ColumnMenu:
    """A switch for every column, for the intervals within them, and for the rows of ⊤ and ⊥."""
    apart = ("precision_interval", VIRTUAL_ROWS)
    return ColumnMenu(settings, SYSTEM_COLUMNS, TITLES, DEFAULT, parent, apart)
