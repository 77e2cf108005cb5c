"""Which estimate to look at first, why, and whether to answer some items before."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.studies.systems.comparison import SystemComparison
from spotlab.studies.systems.method_results import MethodResult

ANSWERS = "answers"  # the method that answers to some items decide


@dataclass(frozen=True)
class Advice:
    """What is recommended.

    Attributes
    ----------
    method : str
        Name of a method or a correction.
    reason : str
        Why, in a sentence.
    answer_items : int
        How many items to answer before the ranking is trusted; 0 where the methods agree.
    disagreement : str
        How far the methods disagree, in a sentence; empty where they agree.
    """

    method: str
    reason: str
    answer_items: int = 0
    disagreement: str = ""


def advice_of(comparison: SystemComparison | None, answered: MethodResult | None) -> Advice | None:
    """What is recommended; None while nothing is known."""
    if answered is not None:
        return Advice(ANSWERS, "Your answers decide better than agreement alone.")
    advised = getattr(comparison, "recommendation", None)
    if advised is None:
        return None
    return Advice(advised.method, advised.reason, advised.answer_items, advised.disagreement)


def advised_result(comparison: SystemComparison | None) -> MethodResult | None:
    """What the recommended method says; None while nothing is known."""
    found: MethodResult | None = getattr(comparison, "recommended", None)
    return found
