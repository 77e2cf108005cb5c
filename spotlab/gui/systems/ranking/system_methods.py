"""The ways to judge systems that the window offers, and what each of them says."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.consensus.comparison import (
    Bootstrap,
    Nearness,
    SystemFigures,
    SystemIntervals,
    nearness,
)
from spotlab.consensus.method import COMMON, consensus_methods
from spotlab.gui.systems.loaded_votes import paper_weights
from spotlab.gui.systems.state import BY_WEIGHTS, Systems
from spotlab.report.colours import run_colour

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
    """What a method says: figures, ⊤'s precision and recall, how near it is to the truth."""

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
    """What a method says; None while that is not known."""
    figures = figures_by(systems, method)
    if figures is None:
        return None
    truth, consensus = systems.truth, systems.consensus
    if method == BY_WEIGHTS and consensus is not None:
        top = consensus.top.precision, consensus.top.recall
        return Shown(figures, top, None if truth is None else nearness(figures, truth))
    result = systems.result(method)
    if result is None:
        return None
    near = result.nearness
    if near is None and truth is not None:
        near = nearness(figures, truth)
    return Shown(figures, result.top or (None, None), near)


def figures_by(systems: Systems, method: str) -> SystemFigures | None:
    """Precision, recall and F by a method, or with truth; None while these are not known."""
    if method == TRUE:
        return systems.truth
    if method == BY_WEIGHTS:
        return systems.weighted
    result = systems.result(method)
    return result.figures if result else None


def intervals_by(systems: Systems, method: str) -> Bootstrap | SystemIntervals | None:
    """Intervals: the method's own, or those drawn by the paper's weights where these are shown."""
    loaded, comparison, result = systems.loaded, systems.comparison, systems.result(method)
    if loaded is None or comparison is None:
        return None
    if result is not None and result.intervals is not None:
        return result.intervals
    usual = systems.weights == paper_weights(loaded)
    same = method == "paper" or (method == BY_WEIGHTS and usual)
    return comparison.intervals if same else None


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
