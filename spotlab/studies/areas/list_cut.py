"""Where the ranked lists of all queries of a run are cut: at a rank or a score, or by a rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spotlab.arrays import Ints
from spotlab.measures.cuts import By, OperatingPoints, operating_points
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import Tally

Kind = Literal["rank", "score", "recall", "precision", "best-f"]
KINDS: tuple[Kind, ...] = ("rank", "score", "recall", "precision", "best-f")
_PLAIN: tuple[By, ...] = ("rank", "score")


@dataclass(frozen=True)
class ListCut:
    """Where the lists of all queries end.

    Attributes
    ----------
    by : str
        "rank": each query keeps its first ``value`` spots; "score": those before the first whose
        score is below ``value``.
    value : float or None
        None keeps everything.
    """

    by: By = "rank"
    value: float | None = None

    def counts(self, tally: Tally | None) -> Ints:
        """(Q,) int: how many spots each query keeps; empty where there is no tally.

        A spot without a score is kept, as are those before it.
        """
        if tally is None:
            return np.zeros(0, np.int64)
        lengths = np.diff(tally.starts)
        if self.value is None:
            return lengths
        if self.by == "rank":
            return np.minimum(lengths, int(self.value))
        below = np.flatnonzero(tally.score < self.value)
        counts = lengths.copy()
        queries, first = np.unique(tally.query[below], return_index=True)
        counts[queries] = below[first] - tally.starts[queries]
        return counts


@dataclass(frozen=True)
class CutRule:
    """A rule that gives every run a cut of its own.

    Attributes
    ----------
    kind : str
        "rank" or "score": at this rank or score. "recall": where recall first reaches the value.
        "precision": the last place where precision is at least the value. "best-f": where F is
        highest, keeping as few spots as possible.
    value : float or None
        None for "best-f" only.

    Raises
    ------
    ValueError
        There is no such rule, or its value is out of range.
    """

    kind: Kind
    value: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"the rule is one of {', '.join(KINDS)}, not {self.kind!r}")
        value = self.value
        if (value is None) != (self.kind == "best-f"):
            needs = "has no value" if value is not None else "needs a value"
            raise ValueError(f"the rule {self.kind} {needs}")
        if value is None:
            return
        if math.isnan(value):
            raise ValueError(f"the value of {self.kind} has to be a number")
        if self.kind == "rank" and (value < 0 or value != int(value)):
            raise ValueError("a rank is a whole number of 0 or more")
        if self.kind in {"recall", "precision"} and value < 0:
            raise ValueError(f"{self.kind} is a share of 0 or more")

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}={self.value:g}"

    def cut_of(
        self, figures: RunFigures, by: By = "score", query: str | None = None
    ) -> ListCut | None:
        """Where the rule cuts the lists of a run.

        Parameters
        ----------
        figures : RunFigures
        by : {"score", "rank"}
            What rules that look for a place cut by; ranks where the run has no scores.
        query : str or None
            None: recall, precision and F are means over the truth's queries. Else they are those
            of this query.

        Returns
        -------
        ListCut or None
            None where the run has no such place, for instance never reaches the recall.
        """
        for plain in _PLAIN:
            if self.kind == plain:
                return ListCut(plain, self.value)
        points = points_of(figures, by, query)
        place = self._place(points)
        return None if place is None else ListCut(points.by, float(points.value[place]))

    def _place(self, points: OperatingPoints) -> int | None:
        if self.value is None:
            return points.best_f()
        if self.kind == "recall":
            return points.reaching_recall(self.value)
        return points.holding_precision(self.value)


BEST_F = CutRule("best-f")


def points_of(figures: RunFigures, by: By, query: str | None) -> OperatingPoints:
    """The operating points by score, or by rank where the run has no scores there."""
    points = operating_points(figures, by, query)
    return points if len(points.value) else operating_points(figures, "rank", query)


def parse_rule(text: str) -> CutRule:
    """The rule that a text names: "rank=20", "score=.7", "recall=.8", "precision=.9", "best-f".

    Raises
    ------
    ValueError
        The text names none.

    Examples
    --------
    >>> parse_rule("recall=.8"), parse_rule("best-f")
    (CutRule(kind='recall', value=0.8), CutRule(kind='best-f', value=None))
    """
    name, equals, number = text.partition("=")
    kinds = [kind for kind in KINDS if kind == name.strip()]
    if not kinds:
        raise ValueError(
            f"{text!r} is no cut; expected rank=N, score=S, recall=R, precision=P or best-f"
        )
    try:
        value = float(number) if equals else None
    except ValueError:
        raise ValueError(f"{number.strip()!r} is no number, in the cut {text!r}") from None
    if value is not None and kinds[0] in {"recall", "precision"} and not 0 < value <= 1:
        raise ValueError(f"{kinds[0]} is a share above 0 and at most 1, not {value:g}")
    return CutRule(kinds[0], value)
