"""Values of the open runs: at the cut, where F is highest, and as files for tables and print."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from spotlab.arrays import Ints
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView
from spotlab.gui.kit.plots.export import ONE_COLUMN, PlotChoice, PlotOffer
from spotlab.gui.kit.plots.polylines import KINDS
from spotlab.gui.kit.plots.readout import Value
from spotlab.measures.figures import RunFigures
from spotlab.measures.measure import Figure
from spotlab.progress import Progress
from spotlab.report.colours import RunStyle
from spotlab.report.figure_text import UNDEFINED
from spotlab.report.tables import csv_text
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut, mean_curve, points_of, score_curve
from spotlab.studies.evaluate.inspected_run import InspectedRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from spotlab.report.charts import ChartLine

OVER_SCORE = "score_"  # begins the kinds of plots over the score
OF_DETECTORS = ("precision_at_iou", "recall_at_iou", "f_at_iou")
CUT = Figure(
    "cut", "Cut", "", 0,
    "Where the lists of the run end: at this rank, or before the first score below this one. A "
    "dash: there is no such place.",
)  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """Cut of a run and its figures at that cut.

    Attributes
    ----------
    run : InspectedRun
    reason : str
        Why it has no cut; empty where it has one.
    cut : str
        Where it is cut, in short.
    score : float or None
        The score of the cut, where it is one.
    figures : mapping of str to float or None
        By name; None where undefined, and none at all without a cut.
    """

    run: InspectedRun
    reason: str
    cut: str
    score: float | None
    figures: Mapping[str, float | None]

    @property
    def line(self) -> dict[str, Value]:
        """Return what the table says of it."""
        return {CUT.name: self.cut, **self.figures}


def standing_at_cut(inspection: Inspection, runs: Sequence[InspectedRun]) -> list[Standing]:
    """Return what each of these runs has at its cut, of the chosen query or in the mean over
    all.
    """
    found = []
    for run in runs:
        if run.figures is None:
            continue
        cut = inspection.cuts.of(run)
        if cut.reason:
            found.append(Standing(run, cut.reason, UNDEFINED, None, {}))
            continue
        figures = FiguresAtCut(run.figures, inspection.counts_of(run)).of(inspection.query)
        score = cut.cut.value if cut.cut.by == "score" else None
        found.append(Standing(run, "", cut.cut.text, score, figures))
    return found


def place_at_cut(
    inspection: Inspection, standing: Standing, kind: str
) -> tuple[float, float] | None:
    """Point of a run's figures at its cut in a plot; None where one of them is undefined."""
    view, over_score = inspection.view, kind.startswith(OVER_SCORE)
    y = standing.figures.get(view.figure(kind.removeprefix(OVER_SCORE)))
    x = standing.score if over_score else standing.figures.get(view.figure("recall"))
    return None if x is None or y is None else (x, y)


def best_points(
    inspection: Inspection, runs: Sequence[InspectedRun]
) -> dict[str, list[tuple[tuple[float, float], str]]]:
    """Tell where each run has its best F, in its colour, by the kind of plot."""
    found: dict[str, list[tuple[tuple[float, float], str]]] = {}
    for run in runs:
        points = inspection.cuts.points(run)
        place = None if points is None else points.best_f()
        if points is None or place is None:
            continue
        score = float(points.value[place]) if points.by == "score" else math.nan
        for kind in ("precision", "recall", "f"):
            y = float(getattr(points, kind)[place])
            for name, x in ((kind, float(points.recall[place])), (OVER_SCORE + kind, score)):
                if not math.isnan(x) and not math.isnan(y):
                    found.setdefault(name, []).append(((x, y), run.colour))
    return found


@dataclass(frozen=True, eq=False)
class PrintedRun:
    """A run as a plot for print shows it, cut where it is cut now; see `printed_marks`."""

    name: str
    figures: RunFigures
    style: RunStyle
    cut: ListCut
    counts: Ints

    @classmethod
    def of(cls, inspection: Inspection, run: InspectedRun) -> PrintedRun | None:
        """None while the run has no figures."""
        if run.figures is None:
            return None
        cut, counts = inspection.cuts.of(run).cut, inspection.counts_of(run)
        return cls(run.name, run.figures, RunStyle(run.colour, run.dash), cut, counts)


def printed_marks(
    runs: Sequence[PrintedRun], view: CurveView, query: str | None
) -> dict[str, list[ChartLine]]:
    """Marks of the cut and of the highest F in each run's colour, by the kind of plot.

    Parameters
    ----------
    runs : sequence of PrintedRun
    view : CurveView
    query : str or None
        None: of the mean over all queries.
    """
    from spotlab.report.charts import ChartLine  # noqa: PLC0415 - matplotlib takes long

    found: dict[str, list[ChartLine]] = {}

    def mark(run: PrintedRun, name: str, kind: str, form: str, x: Value, y: Value) -> None:
        if isinstance(x, float) and isinstance(y, float) and not math.isnan(x + y):
            place = np.array([y]), np.array([x])
            line = ChartLine(name, run.style.colour, *place, marks=form)
            found.setdefault(printed_kind(view, kind), []).append(line)

    for run in runs:
        points = points_of(view.lists(run.figures), run.cut.by, query)
        best, by_score = points.best_f(), points.by == "score"
        there = FiguresAtCut(run.figures, run.counts).of(query)
        score = run.cut.value if run.cut.by == "score" else None
        name, form = (AT_CUT, "hollow") if query is not None else (MEAN_AT_CUT, "diamond")
        for kind in ("precision", "fall_out", "recall", "f"):
            y = there.get(view.figure(kind))
            mark(run, name, kind, form, there.get(view.figure("recall")), y)
            mark(run, name, OVER_SCORE + kind, form, score, y)
            if best is not None and kind != "fall_out":
                y = float(getattr(points, kind)[best])
                mark(run, HIGHEST, kind, "star", float(points.recall[best]), y)
                if by_score:
                    mark(run, HIGHEST, OVER_SCORE + kind, "star", float(points.value[best]), y)
    return found


def printed_kind(view: CurveView, kind: str) -> str:
    """Name a kind of plot of the view as plots for print name it; see `run_curves`."""
    return "precision_at_iou" if view is CurveView.DETECTOR and kind == "precision" else kind


AT_CUT, MEAN_AT_CUT, HIGHEST = "at the cut", "mean of all queries at the cut", "highest F"


FEW_BANDS = 2  # runs whose bands do not hide each other


@dataclass(frozen=True)
class CurveChoice:
    """Display choices of the user for the curves.

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
        """Tell whether the means of so many runs have bands."""
        return self.band if runs <= FEW_BANDS else self.bands_of_many


MEANS = ("run", "curve", "recall", "mean", "deviation", "queries")
DETECTOR_MEANS = (
    "run", "curve", "over", "at", "mean", "deviation", "low", "high", "queries",
)  # fmt: skip
POINTS = (
    "run", "query", "rank", "page", "score", "recall", "precision", "fall_out", "f",
)  # fmt: skip


def means_csv(runs: Sequence[tuple[str, RunFigures]], by: str, view: CurveView) -> str:
    """The mean curves of all runs that a view shows, a line for each of their samples.

    Parameters
    ----------
    runs : sequence of (name, RunFigures)
    by : str
        How precision is sampled, see `mean_curve`.
    view : CurveView
    """
    if view is CurveView.DETECTOR:
        return csv_text([DETECTOR_MEANS, *_detector_rows(runs, by)])
    return csv_text([MEANS, *_mean_rows(runs, by)])


def points_csv(
    runs: Sequence[tuple[str, RunFigures]], query: str | None, view: CurveView = CurveView.AREAS
) -> str:
    """The exact curves of one query, or of all, a line for each spot.

    Parameters
    ----------
    runs : sequence of (name, RunFigures)
    query : str or None
        None: all.
    view : CurveView
        Whether they are of areas or of spots; these have no fall-out.
    """
    return csv_text(chain([POINTS], _point_rows(runs, query, view)))


def _mean_rows(runs: Sequence[tuple[str, RunFigures]], by: str) -> Iterable[Sequence[object]]:
    for name, figures in runs:
        for kind in KINDS:
            curve = mean_curve(figures, kind, by)
            columns = (curve.x, curve.y, curve.deviation, curve.count)
            for row in zip(*(column.tolist() for column in columns), strict=True):
                yield (name, kind, *row)


def _detector_rows(runs: Sequence[tuple[str, RunFigures]], by: str) -> Iterable[Sequence[object]]:
    for name, figures in runs:
        lists = figures.by_numbers
        curve = mean_curve(lists, "precision", by)
        columns = curve.x, curve.y, curve.deviation, curve.count
        for x, y, deviation, count in zip(*(each.tolist() for each in columns), strict=True):
            yield (name, "precision", "recall", x, y, deviation, "", "", count)
        for kind in ("precision", "recall", "f"):
            curve = score_curve(lists, kind)
            ends = np.full((2, len(curve.x)), np.nan) if curve.ends is None else curve.ends
            columns = curve.x, curve.y, *ends, curve.count
            for x, y, low, high, count in zip(*(each.tolist() for each in columns), strict=True):
                ends_of = _empty_if_nan(low), _empty_if_nan(high)
                yield (name, kind, "score", x, y, "", *ends_of, count)


def _point_rows(
    runs: Sequence[tuple[str, RunFigures]], query: str | None, view: CurveView
) -> Iterable[Sequence[object]]:
    for name, of_run in runs:
        figures = view.lists(of_run)
        tally = figures.tally
        if query is None:
            places = slice(None)
        elif query in tally.queries:
            number = tally.queries.index(query)
            places = slice(int(tally.starts[number]), int(tally.starts[number + 1]))
        else:
            continue
        columns = (
            tally.query, tally.rank, tally.page, tally.score, figures.recall, figures.precision,
            figures.fall_out, figures.f,
        )  # fmt: skip
        rows = zip(*(column[places].tolist() for column in columns), strict=True)
        for of, rank, page, *values in rows:
            yield name, tally.queries[of], rank, tally.pages[page], *map(_empty_if_nan, values)


def _empty_if_nan(value: float) -> object:
    """Undefined is nothing in a table."""
    return "" if math.isnan(value) else value


PRINTED = {
    CurveView.AREAS: {
        "precision": "Precision over recall",
        "fall_out": "Fall-out over recall",
        "f": "F over recall",
    },
    CurveView.DETECTOR: {
        "precision_at_iou": "Precision over recall",
        "score_precision": "Precision over score",
        "score_recall": "Recall over score",
        "score_f": "F over score",
    },
}


def plot_offer(
    inspection: Inspection,
    view: CurveView,
    kind: str,
    shown: Sequence[InspectedRun],
    choice: CurveChoice,
) -> PlotOffer:
    """Offer the plots of a view for print, at first the one of this kind as it is shown.

    Parameters
    ----------
    inspection : Inspection
    view : CurveView
    kind : str
        Of the plot.
    shown : sequence of InspectedRun
        Those in sight.
    choice : CurveChoice
    """
    runs = {
        run.name: printed
        for run in inspection.runs
        if (printed := PrintedRun.of(inspection, run)) is not None
    }
    first = printed_kind(view, kind)
    options = {
        "bands": "95 % intervals",
        "queries": "Curves of single queries",
        "marks": "Marks: cut and highest F",
    }
    given = {
        "bands": choice.bands(len(shown)),
        "queries": choice.queries and len(shown) == 1 and not first.startswith(OVER_SCORE),
        "marks": True,
    }

    def draw(chosen: PlotChoice, _progress: Progress) -> Drawing:
        from spotlab.report.run_plots import run_curves  # noqa: PLC0415 - matplotlib takes long

        drawn = [runs[name] for name in chosen.runs]
        marked = "marks" in chosen.options
        return run_curves(
            chosen.runs,
            [run.figures for run in drawn],
            [run.style for run in drawn],
            query=chosen.query,
            bands="bands" in chosen.options,
            kinds=chosen.plots,
            by=choice.by,
            queries="queries" in chosen.options,
            marks=printed_marks(drawn, view, chosen.query) if marked else None,
        ).figure(chosen.width)

    return PlotOffer(
        first.replace("_", "-"),
        draw,
        PlotChoice(
            (first,),
            tuple(run.name for run in shown),
            inspection.query,
            frozenset(name for name, on in given.items() if on),
            ONE_COLUMN,
        ),
        PRINTED[view],
        {name: run.style for name, run in runs.items()},
        sorted({query for run in runs.values() for query in run.figures.tally.queries}),
        options,
    )
