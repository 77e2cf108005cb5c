"""What a plot shows of a run: exact curves, a mean and its band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spotlab.gui.kit.plots.polylines import KINDS, Polylines, polylines
from spotlab.measures.figures import RunFigures
from spotlab.studies.evaluate.curves import MeanCurve, prepare_means


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
    dash : tuple of float
        Lengths drawn and left out in turn, in line widths; empty for solid lines. Thin lines behind
        a mean are solid.
    mean : MeanCurve or None
    band : bool
        Whether the mean has its band.
    """

    colour: str
    lines: Polylines | None = None
    bold: bool = False
    dash: tuple[float, ...] = ()
    mean: MeanCurve | None = None
    band: bool = True


def prepare_curves(
    figures: RunFigures, earlier: RunFigures | None = None, *, lines: bool = False
) -> None:
    """Compute what plots show of a run now, in a thread, so that the window need not wait.

    Parameters
    ----------
    figures : RunFigures
    earlier : RunFigures, optional
        Those in whose place they come: the same means are computed.
    lines : bool
        Whether the curves of all queries are shown, too.
    """
    prepare_means(figures, earlier)
    if lines:
        for kind in KINDS:
            _ = polylines(figures, kind).finest


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
            lines = each.lines.finest or each.lines
            right = max(right, float(lines.x.max()))
            top = max(top, float(lines.y.max()))
        if each.mean is not None and len(each.mean.x):
            right = max(right, float(each.mean.x.max()))
            spread = each.mean.deviation if each.band else 0.0
            if not at_least:  # a band over 1 is an artefact, not a value
                top = max(top, float((each.mean.y + spread).max()))
    return right, top or 1.0
