"""The colours of runs, in plots on the screen and on paper alike."""

from __future__ import annotations

# Okabe and Ito's without those that mean found, false and missed, then Tol's "muted"
RUN_COLOURS = (
    "#E69F00", "#56B4E9", "#CC79A7", "#882255", "#44AA99", "#999933", "#6699CC", "#AA4499",
)  # fmt: skip

# Of ranked lists: the paper's five as runs have them, then those that are farthest from them and
# each other (Oklab, .08 and more) on light and dark, and from what means found and false
LIST_COLOURS = (
    *RUN_COLOURS[:5], "#8866EE", "#884400", "#88AA00", "#EE4488", "#0088EE", "#004422", "#CC66EE",
    "#444488", "#8822AA",
)  # fmt: skip


def run_colour(number: int) -> str:
    """The colour of the run at this place; after the last comes the first again.

    Examples
    --------
    >>> run_colour(0) == run_colour(len(RUN_COLOURS))
    True
    """
    return RUN_COLOURS[number % len(RUN_COLOURS)]
