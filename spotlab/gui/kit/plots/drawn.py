"""What of which run a plot shows, for one query or for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spotlab.gui.inspect.curves.mean_curves import MeanCurve, mean_curve
from spotlab.gui.kit.plots.polylines import Polylines, polylines
from spotlab.measures.figures import RunFigures

FEW = 40  # thin curves of several runs together that can still be told apart


@dataclass(frozen=True)
class CurveChoice:
    """What the user wants to see.

    Attributes
    ----------
    queries : bool
        Thin curves of all queries behind their mean.
    band : bool
        The standard deviation around the mean.
    by : str
        How precision is sampled: "recall" or "threshold", see `mean_curve`.
    """

    queries: bool = True
    band: bool = True
    by: str = "recall"


@dataclass(frozen=True, eq=False)
class Drawn:
    """What a plot shows of a run.

    Attributes
    ----------
    colour : str
        The run's.
    lines : Polylines or None
        Exact curves.
    bold : bool
        Whether they are what is looked at, not what is behind a mean.
    mean : MeanCurve or None
    band : bool
        Whether the mean has its band.
    """

    colour: str
    lines: Polylines | None = None
    bold: bool = False
    mean: MeanCurve | None = None
    band: bool = True


def drawn_of(
    runs: Sequence[tuple[str, RunFigures]], kind: str, query: str | None, choice: CurveChoice
) -> list[Drawn]:
    """What a plot shows.

    Parameters
    ----------
    runs : sequence of (colour, RunFigures)
        The current one first: where there are many curves, only it has thin ones.
    kind : str
        "precision", "fall_out" or "f".
    query : str or None
        None: means over all queries.
    choice : CurveChoice
    """
    if query is not None:
        return [Drawn(colour, polylines(each, kind, query), bold=True) for colour, each in runs]
    few = sum(len(each.tally.queries) for _, each in runs) <= FEW
    return [
        Drawn(
            colour,
            polylines(each, kind) if choice.queries and (few or number == 0) else None,
            mean=mean_curve(each, kind, choice.by),
            band=choice.band,
        )
        for number, (colour, each) in enumerate(runs)
    ]


def extent_of(shown: Sequence[Drawn], at_least: float) -> tuple[float, float]:
    """The largest recall and the largest value, so that all is in sight.

    Recall and precision pass 1 where areas are summed; fall-out is mostly far below.

    Parameters
    ----------
    shown : sequence of Drawn
    at_least : float
        The value that is always in sight.
    """
    right, top = 1.0, at_least
    for each in shown:
        if each.lines is not None and len(each.lines):
            right = max(right, float(each.lines.x.max()))
            top = max(top, float(each.lines.y.max()))
        if each.mean is not None and len(each.mean.x):
            right = max(right, float(each.mean.x.max()))
            spread = each.mean.deviation if each.band else 0.0
            if not at_least:  # a band over 1 is an artefact, not a value
                top = max(top, float((each.mean.y + spread).max()))
    return right, top or 1.0
