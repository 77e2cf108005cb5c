"""Plots of evaluated runs for print and report: curves, mean ranks, confusions, cases of errors."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray
from PIL import Image

from spotlab.arrays import Floats
from spotlab.errors import counted
from spotlab.imaging.overlay import COLOURS, AreaKind
from spotlab.measures.confusion import Confusion, row_shares
from spotlab.measures.intervals import Design, student_half_width
from spotlab.measures.significance import LEVEL, compact_groups
from spotlab.report.charts import (
    TWO_COLUMNS,
    Chart,
    ChartBand,
    ChartLine,
    LinePlot,
    ShownFigure,
    styled,
)
from spotlab.report.colours import RunStyle, run_style
from spotlab.report.figure_text import UNDEFINED
from spotlab.representation import visible
from spotlab.studies.evaluate.cuts import mean_curve, score_curve

if TYPE_CHECKING:
    from spotlab.measures.figures import ListFigures, RunFigures
    from spotlab.report.images import KindOfCrops

GRID = np.linspace(0.0, 1.0, 101)  # of recall
FINE = np.linspace(0.0, 1.0, 1001)  # of the curve of a single query
KINDS = ("precision", "fall_out", "f")
OF_DETECTORS = ("precision_at_iou", "score_precision", "score_recall", "score_f")
SCORED = "score_"  # begins the kinds over the score
TITLES = {
    "precision": "Precision at recall r",
    "fall_out": "Fall-out at recall r",
    "f": "F at recall r",
    "precision_at_iou": "Precision at IoU {iou}",
    "score_precision": "Precision at IoU {iou}",
    "score_recall": "Recall at IoU {iou}",
    "score_f": "F at IoU {iou}",
}
BANDED = 2  # runs whose bands can still be told apart
RECALLS = {False: "Area recall r", True: "Recall at IoU {iou}"}  # of detectors
BANDS = {False: "95 % t interval of the mean", True: "95 % interval over pages"}  # of the score
SQUARE = 4  # plots that stand two by two
FAINT_LINES = "single queries"


def run_curves(
    names: Sequence[str],
    runs: Sequence[RunFigures],
    styles: Sequence[RunStyle] | None = None,
    *,
    query: str | None = None,
    bands: bool | None = None,
    kinds: Sequence[str] = KINDS,
    by: str = "recall",
    queries: bool = False,
    marks: Mapping[str, Sequence[ChartLine]] | None = None,
) -> Chart:
    """Curves of every run: means over queries, or of one query.

    Parameters
    ----------
    names : sequence of str
    runs : sequence of RunFigures
        One for each name.
    styles : sequence of RunStyle, optional
        One for each name; by default that of its place.
    query : str, optional
        By default the mean over all queries.
    bands : bool, optional
        Whether means have their 95 % interval; by default those of one or two runs: of more they
        would hide each other. Over recall it is over queries, recall by recall, over the score it
        is over pages.
    kinds : sequence of str
        Of `KINDS`, by area over recall, and of `OF_DETECTORS`, by spots at an IoU.
    by : {"recall", "threshold"}
        How precision is sampled, see `mean_curve`.
    queries : bool
        Whether faint curves of all queries stand behind their mean.
    marks : mapping of str to sequence of ChartLine, optional
        Marks that are drawn besides, by the kind of plot.
    """
    styles = styles or [run_style(number) for number in range(len(runs))]
    drawn = _Drawn(
        query,
        query is None and (len(runs) <= BANDED if bands is None else bands),
        queries and query is None,
        by,
    )
    plots, iou = [], _level(runs[0].settings.iou) if runs else ""
    n = int(runs[0].in_truth.sum()) if runs else 0
    note = f"query: {query}" if query is not None else f"means over {counted(n, 'query')}"
    for kind in kinds:
        lines = []
        for name, run, style in zip(names, runs, styles, strict=True):
            lists = run.by_numbers if kind in OF_DETECTORS else run
            lines += _lines(name, lists, kind, style, drawn)
        lines += (marks or {}).get(kind, ())
        title = TITLES[kind].format(iou=iou)
        plots.append(_over_score(title, lines) if kind.startswith(SCORED) else _over_recall(
            title, kind, lines, RECALLS[kind in OF_DETECTORS].format(iou=iou)))  # fmt: skip
    over_score = {kind.startswith(SCORED) for kind in kinds}
    meaning = " / ".join(text for of_score, text in BANDS.items() if of_score in over_score)
    across = 2 if len(plots) == SQUARE else 3
    return Chart(plots, across, note=note, bands=meaning, faint=FAINT_LINES)


class _Drawn(NamedTuple):
    """The query, or None for means; whether these have bands, and faint curves of all queries."""

    query: str | None
    banded: bool
    queries: bool
    by: str


def _level(iou: float) -> str:
    return f"{iou:g}".removeprefix("0")


def _lines(
    name: str, run: ListFigures, kind: str, style: RunStyle, drawn: _Drawn
) -> list[ChartLine]:
    """The curve of a run, with faint ones of all its queries if they are wanted."""
    link = f"run:{name}"
    if kind.startswith(SCORED):
        curve = score_curve(run, kind.removeprefix(SCORED), drawn.query)
        ends = curve.ends if drawn.banded else None
        bands = [] if ends is None or np.isnan(ends).all() else [ChartBand(*ends)]
        return [ChartLine(name, style.colour, curve.y, curve.x, bands, None, link, dash=style.dash)]
    of = kind.removesuffix("_at_iou")
    if drawn.query is not None:
        if drawn.query not in run.tally.queries:
            return []
        y = _sampled(run, of, FINE)[run.tally.queries.index(drawn.query)]
        return [ChartLine(name, style.colour, y, FINE, link=link, dash=style.dash)]
    lines = _of_queries(run, of, style) if drawn.queries else []
    if drawn.by == "threshold" and of == "precision":
        curve = mean_curve(run, of, drawn.by)
        line = ChartLine(name, style.colour, curve.y, curve.x, link=link, dash=style.dash)
        return [*lines, line]
    return [*lines, _mean_line(name, run, of, style, drawn.banded)]


def _mean_line(
    name: str, run: ListFigures, kind: str, style: RunStyle, banded: bool = False
) -> ChartLine:
    mean, bands = run.curves.central(kind, GRID).mean, []
    if banded:
        half = student_half_width(run.curves.samples(kind, GRID))
        bands = [ChartBand(np.maximum(mean - half, 0.0), np.minimum(mean + half, 1.0))]
        bands = [] if np.isnan(half).all() else bands
    return ChartLine(name, style.colour, mean, None, bands, None, f"run:{name}", dash=style.dash)


def _of_queries(run: ListFigures, kind: str, style: RunStyle) -> list[ChartLine]:
    return [
        ChartLine(name, style.colour, row, link=f"query:{name}", width=1.0, opacity=0.4)
        for name, row, there in zip(
            run.tally.queries, _sampled(run, kind, GRID), run.in_truth, strict=True
        )
        if there
    ]


def mean_plot(
    names: Sequence[str],
    runs: Sequence[RunFigures],
    kind: str,
    title: str,
    styles: Sequence[RunStyle],
) -> LinePlot:
    """The mean curve of every run."""
    drawn = zip(names, runs, styles, strict=True)
    return _over_recall(title, kind, [_mean_line(name, run, kind, style)
                                      for name, run, style in drawn])  # fmt: skip


def query_curves(run: RunFigures, style: RunStyle) -> Chart:
    """P(r) and F(r) of every query of a run behind their mean (Rusiñol & Lladós, Fig. 8b)."""
    plots = [query_plot(run, style, kind, TITLES[kind]) for kind in ("precision", "f")]
    return Chart(plots, 2, (5.25, 3.3), faint=FAINT_LINES)


def query_plot(run: RunFigures, style: RunStyle, kind: str, title: str) -> LinePlot:
    """The curves of every query of a run, and their mean."""
    mean = replace(_mean_line("mean", run, kind, style), width=2.4, link="")
    return _over_recall(title, kind, [*_of_queries(run, kind, style), mean])


def _sampled(run: ListFigures, kind: str, grid: Floats) -> Floats:
    """(Q, G) the curves of all queries; NaN beyond their last recall."""
    curves = run.curves
    return {
        "precision": curves.sampled_precision,
        "fall_out": curves.sampled_fall_out,
        "f": curves.sampled_f,
    }[kind](grid)


def _over_recall(
    title: str, kind: str, lines: Sequence[ChartLine], recall: str = RECALLS[False]
) -> LinePlot:
    return LinePlot(title, recall, GRID, lines, None if kind == "fall_out" else 1.0, x_end=1.0)


def _over_score(title: str, lines: Sequence[ChartLine]) -> LinePlot:
    scores = np.concatenate([np.zeros(0), *(line.x for line in lines if line.x is not None)])
    return LinePlot(title, "Score from which spots are kept", np.unique(scores), lines)


LETTER, LINE, BAR = 0.068, 0.19, 0.11  # inches of a letter of a name, a line of names, a bar
LONGEST = 30  # letters of a name
SMALL = 7.0  # points of letters


@styled()
def rank_figure(
    names: Sequence[str],
    styles: Sequence[RunStyle],
    design: Design,
    p: Floats,
    width: float = TWO_COLUMNS,
) -> Figure:
    """The critical-difference plot: mean ranks of runs, bars join those that do not differ.

    Parameters
    ----------
    names : sequence of str
        K runs.
    styles : sequence of RunStyle
        One for each name.
    design : Design
        What is tested of them, with their mean ranks.
    p : (K, K) float
        Corrected significance of each pair; NaN where it is not tested.
    width : float
        In inches.

    Notes
    -----
    Demšar (2006), Fig. 1. Bars are of the pairs that the comparison tests, as for letters, so that
    one plot and one table never contradict each other; Nemenyi's test would be another family.
    """
    short = [_short(name) for name in names]
    groups = [group for group in compact_groups(np.asarray(p) < LEVEL) if len(group) > 1]
    ranks, count = np.array(design.ranks), len(names)
    order = np.argsort(ranks, kind="stable").tolist()
    left = order[: -(-count // 2)]
    levels = _bar_levels([(ranks[list(group)].min(), ranks[list(group)].max()) for group in groups])
    below = BAR * (max(levels, default=-1) + 2)
    note = _rank_note(design, width, bool(groups))
    foot = 0.14 * (note.count("\n") + 1) + 0.08
    height = 0.48 + below + LINE * len(left) + foot
    room = min(LETTER * max(map(len, short)) + 0.45, 0.34 * width)
    figure = ShownFigure(figsize=(width, height))
    FigureCanvasAgg(figure)
    axis = figure.add_axes((room / width, 0, 1 - 2 * room / width, 1))
    axis.set_axis_off()
    axis.set_xlim(1, max(count, 2))
    axis.set_ylim(height, 0)
    _draw_scale(axis, count)
    for group, level in zip(groups, levels, strict=True):
        y, members = 0.48 + BAR * (level + 1), ranks[list(group)]
        axis.plot([members.min(), members.max()], [y, y], color="0.1", linewidth=2.6,
                  solid_capstyle="butt", clip_on=False)  # fmt: skip
        axis.plot(members, np.full(len(group), y), ".", color="0.1", markersize=6, clip_on=False)
    for at in order:
        side = -1 if at in left else 1
        line = left.index(at) if side < 0 else count - 1 - order.index(at)
        y = 0.48 + below + LINE * line
        end = 1 if side < 0 else max(count, 2)
        axis.plot([ranks[at], ranks[at], end], [0.48, y, y], color=styles[at].colour, linewidth=1.4,
                  linestyle=(0, styles[at].dash) if styles[at].dash else "solid", clip_on=False,
                  gid=f"run:{names[at]}")  # fmt: skip
        text = f"{short[at]}  {ranks[at]:.2f}" if side < 0 else f"{ranks[at]:.2f}  {short[at]}"
        axis.annotate(text, (end, y), (4 * side, 0), textcoords="offset points", va="center",
                      ha="right" if side < 0 else "left", fontsize=8, annotation_clip=False,
                      gid=f"run:{names[at]}")  # fmt: skip
    figure.text(0.5, 0.05 / height, note, ha="center", va="bottom", fontsize=SMALL, color="0.25")
    return figure


def _draw_scale(axis: Axes, count: int) -> None:
    axis.plot([1, max(count, 2)], [0.48, 0.48], color="0.1", linewidth=1, clip_on=False)
    for rank in range(1, max(count, 2) + 1):
        axis.plot([rank, rank], [0.42, 0.48], color="0.1", linewidth=1, clip_on=False)
        axis.text(rank, 0.38, str(rank), ha="center", va="bottom", fontsize=8)
    axis.text((1 + max(count, 2)) / 2, 0.17, "Mean rank", ha="center", va="bottom", fontsize=8)


def _bar_levels(ends: Sequence[tuple[float, float]]) -> list[int]:
    """Tell at which height each bar stands, so that none touches another."""
    levels: list[int] = []
    for low, high in ends:
        taken = {
            level for (first, last), level in zip(ends, levels, strict=False)
            if first <= high and low <= last
        }  # fmt: skip
        levels.append(next(level for level in range(len(ends)) if level not in taken))
    return levels


def _rank_note(design: Design, width: float, joined: bool) -> str:
    unit = "query" if design.over == "queries" else "page"
    test = f"paired randomisation test, Holm's correction for {counted(design.tests, 'pair')}"
    said = (
        f"A bar joins runs that do not differ significantly (p ≥ .05, {test})."
        if joined
        else f"All runs differ significantly (p < .05, {test})."
    )
    text = f"{design.title}, {counted(design.units, unit)}; rank 1 is the best. {said}"
    return _wrapped(text, width)


def _wrapped(text: str, width: float) -> str:
    return textwrap.fill(text, int(width * 17))


SPOT, TRUTH = COLOURS[AreaKind.FALSE], COLOURS[AreaKind.MISSED]
RIGHT, OTHER = COLOURS[AreaKind.FOUND], "#56B4E9"
LEAST_CELL, MOST_CELL = 0.085, 0.36  # inches
WRITTEN = 4.0  # points from which numbers are written into cells


@styled()
def confusion_figure(
    name: str, confusion: Confusion, by: str = "spots", width: float = TWO_COLUMNS
) -> Figure | None:
    """Draw what the spots of a run lie on as shaded cells; the most confused labels come first.

    Parameters
    ----------
    name : str
        Of the run.
    confusion : Confusion
    by : {"spots", "area"}
    width : float
        In inches; labels that have no room are left out, and the figure says so.

    Returns
    -------
    Figure or None
        None where the areas are not known.
    """
    counted_as = confusion.table(by)
    if counted_as is None:
        return None
    rows, columns = confusion.worst_first(by)
    last = len(confusion.rows) - 1
    names = [confusion.rows[row] for row in rows.tolist()]
    room = LETTER * min(max(map(len, [*names, ""])), LONGEST) + 0.15
    most = max(int((width - room) / LEAST_CELL) - 2, 1)
    labels = columns[columns < last]
    kept = np.isin(columns, labels[:most]) | (columns >= last)
    kept_rows = np.isin(rows, labels[:most]) | (rows == last)
    shown, across = rows[kept_rows], columns[kept]
    cell = min(MOST_CELL, (width - room) / max(len(across), 1))
    note = _wrapped(_confusion_note(name, by, len(labels), most), width)
    size = min(8.0, max(0.66 * 72 * cell, 3.5))
    heads = [confusion.columns[at] for at in across.tolist()]
    above = LETTER * size / 8 * min(max(map(len, [*heads, ""])), LONGEST) + 0.1
    foot = 0.13 * (note.count("\n") + 1) + 0.3
    height = above + cell * len(shown) + foot
    figure = ShownFigure(figsize=(width, height))
    FigureCanvasAgg(figure)
    axis = figure.add_axes(
        (room / width, foot / height, cell * len(across) / width, cell * len(shown) / height)
    )
    shares = row_shares(counted_as)[np.ix_(shown, across)]
    axis.imshow(_shaded(confusion, shown, across, shares), aspect="auto", interpolation="nearest")
    axis.set_xticks(range(len(across)), [_short(head) for head in heads], rotation=90)
    axis.set_yticks(range(len(shown)), [_short(confusion.rows[row]) for row in shown.tolist()])
    axis.xaxis.tick_top()
    axis.tick_params(length=0, labelsize=size, pad=2)
    axis.grid(visible=False)
    values = counted_as[np.ix_(shown, across)]
    _write_cells(axis, values, shares, 0.36 * 72 * cell)
    figure.text(0.5, 0.3 / height, note, ha="center", va="bottom", fontsize=SMALL, color="0.25")
    meanings = {"own label": RIGHT, "other label": OTHER, "no truth": SPOT, "missed": TRUTH}
    figure.legend(
        [Patch(color=colour, alpha=0.8) for colour in meanings.values()], list(meanings),
        loc="lower center", ncols=4, fontsize=SMALL, bbox_to_anchor=(0.5, 0.0),
        frameon=False,
    )  # fmt: skip
    return figure


def _short(name: str, most: int = LONGEST) -> str:
    """The name as a plot shows it; of a long one the middle is left out."""
    half = (most - 1) // 2
    return visible(name if len(name) <= most else f"{name[:half]}…{name[-half:]}", kept="")


def _confusion_note(name: str, by: str, labels: int, most: int) -> str:
    unit = "number of spots" if by == "spots" else "area in 1,000 px²"
    part = f" The {most:,} labels of {labels:,} that are confused most." if labels > most else ""
    return (
        f"{visible(name, kept='')}: a row for each query, a column for each label that its spots "
        f"lie on; {unit}, shaded by its share of the row.{part}"
    )


def _shaded(confusion: Confusion, rows: NDArray[np.int64], across: NDArray[np.int64],
            shares: Floats) -> Floats:  # fmt: skip
    """(R, C, 3) white where there is nothing, else the colour of what it means."""
    last = len(confusion.rows) - 1
    meaning = np.where(across[None] > last, 2, np.where(rows[:, None] == across[None], 0, 1))
    meaning = np.where(rows[:, None] == last, 3, meaning)
    colours = np.array([to_rgb(each) for each in (RIGHT, OTHER, SPOT, TRUTH)])[meaning]
    strength = np.nan_to_num(shares)
    strength = np.where(strength > 0, 0.12 + 0.68 * strength, 0.0)[..., None]
    return np.asarray(1 - strength * (1 - colours), np.float64)


def _write_cells(axis: Axes, values: Floats, shares: Floats, size: float) -> None:
    """Write numbers where cells are large enough for them."""
    unit = 1.0 if (values == np.round(values)).all() else 1000.0
    texts = {at: f"{values[at] / unit:,.0f}" for at in zip(*np.nonzero(values), strict=True)}
    size = min(size * 2.6 / max([2, *map(len, texts.values())]), size)
    if size < WRITTEN:
        return
    for (row, column), text in texts.items():
        axis.text(column, row, text, ha="center", va="center", fontsize=min(size, 7.5))


class CutPicture(NamedTuple):
    """A case: (h, w, 3) RGB or None where its page cannot be read, and lines of text below it."""

    pixels: NDArray[np.uint8] | None
    lines: Sequence[str]


SIDE, BETWEEN = 0.95, 0.12  # inches of a picture, and between two
HEAD, TEXT = 0.24, 0.115  # inches of a head, and of a line of text


@styled()
def gallery_figure(
    title: str, groups: Mapping[str, Sequence[CutPicture]], width: float = TWO_COLUMNS
) -> Figure:
    """Pictures of cases in rows, with spots and truth in their colours.

    Parameters
    ----------
    title : str
    groups : mapping of str to sequence of CutPicture
        By what stands above them.
    width : float
        In inches.
    """
    across = max(1, int((width + BETWEEN) / (SIDE + BETWEEN)))
    side = (width + BETWEEN) / across - BETWEEN
    deep = side + TEXT * max(
        (len(each.lines) for pictures in groups.values() for each in pictures), default=0
    )
    rows = sum(-(-len(pictures) // across) for pictures in groups.values())
    height = 0.3 + HEAD * len(groups) + (deep + BETWEEN) * rows + 0.2
    figure = ShownFigure(figsize=(width, height))
    FigureCanvasAgg(figure)
    letters = int(side / 0.052)
    figure.text(0, 1 - 0.05 / height, visible(title, kept=""), va="top", fontsize=9,
                fontweight="bold")  # fmt: skip
    y = 0.3
    for head, pictures in groups.items():
        figure.text(0, 1 - (y + 0.02) / height, visible(head, kept=""), va="top", fontsize=8)
        y += HEAD
        for number, each in enumerate(pictures):
            x = number % across * (side + BETWEEN)
            axis = figure.add_axes((x / width, 1 - (y + side) / height, side / width,
                                    side / height))  # fmt: skip
            axis.set_axis_off()
            if each.pixels is None:
                axis.text(0.5, 0.5, "no image", ha="center", va="center", fontsize=SMALL)
            else:
                axis.imshow(each.pixels, interpolation="lanczos")
                axis.set_anchor("S")
            for line, text in enumerate(each.lines):
                figure.text(x / width, 1 - (y + side + 0.03 + TEXT * line) / height,
                            _short(text, letters), va="top", fontsize=6.2)  # fmt: skip
            if number % across == across - 1 or number == len(pictures) - 1:
                y += deep + BETWEEN
    handles = [Line2D([], [], color=colour, linewidth=1.6) for colour in (SPOT, TRUTH)]
    figure.legend(handles, ["spot", "truth"], loc="lower center", ncols=2, fontsize=SMALL,
                  frameon=False)  # fmt: skip
    return figure


def errors_figure(
    name: str, kinds: Sequence[KindOfCrops], iou: float, width: float = TWO_COLUMNS, rows: int = 1
) -> Figure:
    """The worst errors of each kind of a run, as many as ``rows`` rows of each kind hold."""
    across = max(1, int((width + BETWEEN) / (SIDE + BETWEEN)))
    groups = {}
    for each in kinds:
        crops = each.crops[: across * rows]
        if crops:
            part = f"the first {len(crops):,} of {each.count:,}"
            head = part if len(crops) < each.count else f"{each.count:,}"
            groups[f"{each.kind.words.capitalize()}: {head}"] = [
                CutPicture(
                    _decoded(crop.image),
                    [crop.query + (f", rank {crop.rank:,}" if crop.rank else ""),
                     *(crop.words or crop.region or UNDEFINED).split(", ", 1), crop.page],
                )
                for crop in crops
            ]  # fmt: skip
    return gallery_figure(f"{name}: the worst errors at IoU {_level(iou)}", groups, width)


def _decoded(image: bytes | None) -> NDArray[np.uint8] | None:
    if image is None:
        return None
    with Image.open(io.BytesIO(image)) as opened:
        return np.asarray(opened.convert("RGB"))
