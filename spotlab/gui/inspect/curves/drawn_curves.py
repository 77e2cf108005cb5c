"""Which curves of which run a plot shows, for one query or for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spotlab.gui.kit.plots.drawn import Drawn
from spotlab.gui.kit.plots.polylines import polylines
from spotlab.measures.figures import RunFigures
from spotlab.report.colours import RunStyle
from spotlab.studies.evaluate.curves import mean_curve

FEW = 40  # thin curves of several runs together that can still be told apart
FEW_BANDS = 2  # runs whose bands do not hide each other


@dataclass(frozen=True)
class CurveChoice:
    """What the user wants to see.

    Attributes
    ----------
    queries : bool
        Thin curves of all queries behind their mean.
    band, bands_of_many : bool
        The standard deviation around the mean, of one or two runs, and of more.
    by : str
        How precision is sampled: "recall" or "threshold", see `mean_curve`.
    """

    queries: bool = True
    band: bool = True
    bands_of_many: bool = False
    by: str = "recall"

    def bands(self, runs: int) -> bool:
        """Whether the means of so many runs have bands."""
        return self.band if runs <= FEW_BANDS else self.bands_of_many


def drawn_of(
    runs: Sequence[tuple[RunStyle, RunFigures]], kind: str, query: str | None, choice: CurveChoice
) -> list[Drawn]:
    """What a plot shows.

    Parameters
    ----------
    runs : sequence of (RunStyle, RunFigures)
        The current one first: where there are many curves, only it has thin ones.
    kind : str
        "precision", "fall_out" or "f".
    query : str or None
        None: means over all queries.
    choice : CurveChoice
    """
    if query is not None:
        return [
            Drawn(style.colour, polylines(each, kind, query), bold=True, dash=style.dash)
            for style, each in runs
        ]
    few = sum(len(each.tally.queries) for _, each in runs) <= FEW
    return [
        Drawn(
            style.colour,
            polylines(each, kind) if choice.queries and (few or number == 0) else None,
            mean=mean_curve(each, kind, choice.by),
            band=choice.bands(len(runs)),
            dash=style.dash,
        )
        for number, (style, each) in enumerate(runs)
    ]


def curve_of_spot(drawn: Drawn, spot: int) -> Drawn | None:
    """The thin curve that a spot is on, alone; None where it is on none."""
    if drawn.bold or drawn.lines is None:
        return None
    at = int(drawn.lines.spot.searchsorted(spot))
    if at == len(drawn.lines.spot) or drawn.lines.spot[at] != spot:
        return None
    return Drawn(drawn.colour, drawn.lines.alone(drawn.lines.curve_of(at)))
