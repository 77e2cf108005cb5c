"""The colours and dashes of runs, in plots on the screen and on paper alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation

# The first six stay apart with any colour vision, on white and on dark: an Oklab distance of .12
# and more under simulated deuteranopia and protanopia (Machado et al. 2009). None is near what
# means found, false and missed.
RUN_COLOURS = (
    "#E69F00", "#4DA6FF", "#862D86", "#804000", "#531AFF", "#D2798F", "#44AA99", "#999933",
)  # fmt: skip

# Lengths drawn and left out in turn, in line widths; () is a solid line
DASHES: tuple[tuple[float, ...], ...] = (
    (), (5.0, 2.0), (1.5, 1.5), (7.0, 1.8, 1.5, 1.8),
)  # fmt: skip

# Of ranked lists: five that mean the paper's, then those that are farthest from them and
# each other (Oklab, .08 and more) on light and dark, and from what means found and false
LIST_COLOURS = (
    "#E69F00", "#56B4E9", "#CC79A7", "#882255", "#44AA99", "#8866EE", "#884400", "#88AA00",
    "#EE4488", "#0088EE", "#004422", "#CC66EE", "#444488", "#8822AA", "#AA4455",
)  # fmt: skip


@dataclass(frozen=True)
class RunStyle:
    """Line style of a run's curve.

    Attributes
    ----------
    colour : str
        Of the form "#RRGGBB".
    dash : tuple of float
        Lengths drawn and left out in turn, in line widths; empty for a solid line.
    """

    colour: str
    dash: tuple[float, ...] = ()


def run_colour(number: int) -> str:
    """The colour of the run at this place; after the last comes the first again.

    Examples
    --------
    >>> run_colour(0) == run_colour(len(RUN_COLOURS))
    True
    """
    return RUN_COLOURS[number % len(RUN_COLOURS)]


def run_style(number: int) -> RunStyle:
    """The colour and dash of the run at this place; neighbours differ in both.

    Examples
    --------
    >>> run_style(0)
    RunStyle(colour='#E69F00', dash=())
    >>> len({run_style(number) for number in range(100)}) == STYLES
    True
    """
    turn, place = divmod(number, len(RUN_COLOURS))
    return RunStyle(RUN_COLOURS[place], DASHES[(place + turn) % len(DASHES)])


def styles_of(evaluation: Evaluation) -> list[RunStyle]:
    """The style of each run of an evaluation: the one chosen for it, else that of its place."""
    return [
        RunStyle(run.colour, run.dash) if run.colour else run_style(number)
        for number, run in enumerate(evaluation.runs)
    ]


def line_sample_svg(style: RunStyle) -> Markup:
    """A short piece of a run's line to stand in HTML."""
    dashes = " ".join(f"{2.4 * length:g}" for length in style.dash)
    drawn = Markup(' stroke-dasharray="{}"').format(dashes) if dashes else ""
    return Markup(
        '<svg class="line" width="30" height="10" aria-hidden="true"><line x1="0" y1="5" x2="30" '
        'y2="5" stroke="{}" stroke-width="2.4"{}/></svg>'
    ).format(style.colour, drawn)


STYLES = len(RUN_COLOURS) * len(DASHES)  # that differ
