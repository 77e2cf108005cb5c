"""Curves of evaluated runs: as a frame, as a figure, and in axes of a figure of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

import numpy as np

from spotlab.api.arguments import ResultSummary, as_arguments, html_of, stacked, text_of
from spotlab.api.job import checked
from spotlab.arrays import Floats
from spotlab.errors import BadArgument
from spotlab.measures.figures import RunFigures
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

Kind: TypeAlias = Literal["precision", "fall_out", "f"]
View: TypeAlias = Literal["areas", "detector"]
KINDS: tuple[Kind, ...] = ("precision", "fall_out", "f")
SHOWN_RECALLS = (0.0, 0.25, 0.5, 0.75, 1.0)  # recalls in the short form
CURVE_COLUMNS = ("run", "recall", *(name for kind in KINDS for name in (kind, f"{kind}_deviation")))


@dataclass(frozen=True, eq=False, repr=False)
class Curves:
    """Precision, fall-out and F over recall of each run: means over the queries.

    Attributes
    ----------
    figures : mapping of str to RunFigures
        By the names of the runs.
    query : str, optional
        The query whose curves they are; None for means over all queries.
    """

    figures: Mapping[str, RunFigures]
    query: str | None = None

    @checked
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
                mean, deviation = self._sampled(figures, kind, grid)
                part[kind], part[f"{kind}_deviation"] = mean.tolist(), deviation.tolist()
            parts.append(part)
        return stacked(parts, CURVE_COLUMNS)

    def _sampled(self, figures: RunFigures, kind: Kind, grid: Floats) -> tuple[Floats, Floats]:
        """Mean and deviation of the queries at each recall; of one query there is no deviation."""
        curves, undefined = figures.curves, np.full(len(grid), np.nan)
        if self.query is None:
            curve = curves.central(kind, grid)
            return curve.mean, curve.deviation
        queries = list(figures.tally.queries)
        if self.query not in queries:
            return undefined, undefined
        return getattr(curves, f"sampled_{kind}")(grid)[queries.index(self.query)], undefined

    @overload
    def plot(
        self,
        runs: Sequence[str] | None = None,
        *,
        query: str | None = None,
        bands: bool | None = None,
        width: float | None = None,
        view: View = "areas",
        ax: None = None,
        kind: Kind = "precision",
    ) -> Figure: ...

    @overload
    def plot(
        self,
        runs: Sequence[str] | None = None,
        *,
        query: str | None = None,
        bands: bool | None = None,
        width: float | None = None,
        view: View = "areas",
        ax: Axes,
        kind: Kind = "precision",
    ) -> Axes: ...

    @checked
    def plot(
        self,
        runs: Sequence[str] | None = None,
        *,
        query: str | None = None,
        bands: bool | None = None,
        width: float | None = None,
        view: View = "areas",
        ax: Axes | None = None,
        kind: Kind = "precision",
    ) -> Figure | Axes:
        """Draw the curves, for print: labelled axes, a legend of all marks, fonts of Type 42.

        Parameters
        ----------
        runs : sequence of str, optional
            Names of the runs to draw; by default all.
        query : str, optional
            Draw the curves of this query; by default those of `Curves.query`.
        bands : bool, optional
            Whether means have their 95 % interval over the queries; by default those of one or two
            runs.
        width : float, optional
            Width in inches, such as 3.5 for one column of a page or 7.16 for two.
        view : {"areas", "detector"}
            Precision, fall-out and F of areas over recall; or precision and recall of spots at the
            IoU, and precision, recall and F over the score.
        ax : matplotlib.axes.Axes, optional
            Draw the curves of one kind into these axes of a figure of your own.
        kind : "precision", "fall_out" or "f"
            Which curves ``ax`` gets.

        Returns
        -------
        matplotlib.figure.Figure or matplotlib.axes.Axes
            The axes where they were given; else a figure, which a notebook shows and ``savefig``
            writes.

        Raises
        ------
        BadArgument
            There is no such run or query.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans / "plan_001.png", plans / "runs" / "c_polygons.csv", draws=0)
        >>> figure = result.curves().plot(width=3.5)
        >>> float(figure.get_figwidth())
        3.5
        """
        from spotlab.report.charts import draw_plot  # noqa: PLC0415 - matplotlib takes a second
        from spotlab.report.colours import run_style  # noqa: PLC0415
        from spotlab.report.run_plots import OF_DETECTORS, run_curves  # noqa: PLC0415

        place = {name: number for number, name in enumerate(self.figures)}
        names = list(place) if runs is None else list(runs)
        for name in names:
            if name not in place:
                raise BadArgument(f"`runs` names {name!r}; expected of {', '.join(place)}")
        query = self.query if query is None else query
        chosen = [self.figures[name] for name in names]
        if query is not None and not any(query in each.tally.queries for each in chosen):
            raise BadArgument(f"`query` is {query!r}, which none of the runs has")
        styles = [run_style(place[name]) for name in names]
        kinds = (kind,) if ax is not None else OF_DETECTORS if view == "detector" else KINDS
        chart = run_curves(names, chosen, styles, query=query, bands=bands, kinds=kinds)
        if ax is None:
            return chart.figure(width)
        draw_plot(ax, chart.plots[0])
        if len(names) > 1:
            ax.legend()
        return ax

    @property
    def summary(self) -> ResultSummary:
        """Precision at a few recalls."""
        grid = np.array(SHOWN_RECALLS)
        rows = tuple(
            (
                name,
                *(
                    written(value)
                    for value in self._sampled(figures, "precision", grid)[0].tolist()
                ),
            )
            for name, figures in self.figures.items()
        )
        what = "Mean precision" if self.query is None else f"Precision of {self.query!r}"
        title = f"{what} at recalls; .frame() has all, .plot() draws them"
        return ResultSummary(title, ("run", *(f"{recall:g}" for recall in SHOWN_RECALLS)), rows)

    __repr__ = text_of
    _repr_html_ = html_of
