"""The ways to judge systems that the window offers, and what each of them says."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.consensus.comparison import Bootstrap
from spotlab.consensus.figures import Nearness, SystemFigures, nearness
from spotlab.consensus.method import COMMON, consensus_methods
from spotlab.gui.systems.state import BY_WEIGHTS, Systems, usual_weights
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
    "By the weights",
    "Probability of relevance: the weighted share of votes for an item, by the weights of the "
    "sliders (Lamiroy & Sun 2013, eq. 13).",
    COMMON,
)


def offered(systems: Systems) -> tuple[Offered, ...]:
    """All ways to judge: the weights, the methods, and corrections where these are offered.

    A method that failed has no result, and is not among them.
    """
    found = [WEIGHTED]
    comparison = systems.comparison
    known = {each.name: each for each in systems.results}
    for method in consensus_methods().values():
        if comparison is not None and method.name not in known:
            continue
        remark = known[method.name].remark if method.name in known else ""
        found.append(
            Offered(method.name, method.title, method.definition, method.assumption, remark)
        )
    for each in comparison.corrections if comparison else ():
        found.append(
            Offered(
                each.name, f"Corrected: {each.title}", each.definition, each.assumption,
                each.remark, True,
            )
        )  # fmt: skip
    return tuple(found)


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
    return Shown(figures, result.top or (None, None), result.nearness)


def figures_by(systems: Systems, method: str) -> SystemFigures | None:
    """Precision, recall and F by a method, or with truth; None while these are not known."""
    if method == TRUE:
        return systems.truth
    if method == BY_WEIGHTS:
        return systems.weighted
    result = systems.result(method)
    return result.figures if result else None


def intervals_by(systems: Systems, method: str) -> Bootstrap | None:
    """Intervals, where what they are drawn by is what is looked at: the paper's weights."""
    loaded, comparison = systems.loaded, systems.comparison
    if loaded is None or comparison is None:
        return None
    usual = systems.weights == usual_weights(loaded)
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
