"""Mean curves of runs over recall, as a table and as a plot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from spotlab.api.arguments import as_arguments
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import stacked
from spotlab.measures.figures import RunFigures
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

KINDS = ("precision", "fall_out", "f")
SHOWN = (0.0, 0.25, 0.5, 0.75, 1.0)  # recalls in the short form
NAMES = ("run", "recall", *(name for kind in KINDS for name in (kind, f"{kind}_deviation")))


@dataclass(frozen=True, eq=False, repr=False)
class Curves:
    """Precision, fall-out and F over recall of each run: means over the queries.

    Attributes
    ----------
    figures : mapping of str to RunFigures
        By the names of the runs.
    """

    figures: Mapping[str, RunFigures]

    def frame(self, recalls: int = 101) -> DataFrame:
        """A row for each run and recall.

        Parameters
        ----------
        recalls : int
            How many recalls from 0 to 1; 2 or more.

        Returns
        -------
        DataFrame
            Columns run, recall, precision, fall_out and f (shares in [0, 1]), each with its
            standard deviation over the queries, such as precision_deviation. NaN where no query
            counts.

        Raises
        ------
        BadArgument
            There are fewer than two recalls.

        Notes
        -----
        Rusiñol & Lladós (2009), §3.6 and eqs. 7, 10, 11.
        """
        with as_arguments():
            if recalls < 2:
                raise ValueError(f"`recalls` is {recalls}; expected 2 or more")
        grid = np.linspace(0.0, 1.0, recalls)
        parts = []
        for name, figures in self.figures.items():
            part = {"run": [name] * recalls, "recall": grid.tolist()}
            for kind in KINDS:
                curve = figures.curves.central(kind, grid)
                part[kind] = curve.mean.tolist()
                part[f"{kind}_deviation"] = curve.deviation.tolist()
            parts.append(part)
        return stacked(parts, NAMES)

    def plot(self) -> Figure:
        """Draw the curves; those of one or two runs have bands of a standard deviation.

        Returns
        -------
        matplotlib.figure.Figure
            A notebook shows it; ``savefig`` writes it.
        """
        from spotlab.report import plots  # noqa: PLC0415 - matplotlib takes a second

        return plots.curves(list(self.figures), list(self.figures.values())).figure()

    @property
    def summary(self) -> Summary:
        """Precision at a few recalls."""
        grid = np.array(SHOWN)
        rows = tuple(
            (
                name,
                *(
                    written(value)
                    for value in figures.curves.central("precision", grid).mean.tolist()
                ),
            )
            for name, figures in self.figures.items()
        )
        title = "Mean precision at recalls; .frame() has all, .plot() draws them"
        return Summary(title, ("run", *(f"{recall:g}" for recall in SHOWN)), rows)

    __repr__ = text_of
    _repr_html_ = html_of
