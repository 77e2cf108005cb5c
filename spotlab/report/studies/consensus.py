"""Systems compared without truth as a report: figures, rankings, agreement, groups, doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.agreement import Agreement
from spotlab.consensus.comparison import SystemFigures
from spotlab.errors import counted
from spotlab.report.charts import styled
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written
from spotlab.report.studies.consensus_tables import (
    better_table,
    disputed_table,
    group_table,
    methods_table,
    result_table,
    side_by_side,
    with_top,
)
from spotlab.report.studies.study import StudySection, write_study
from spotlab.studies.systems.comparison import SUPERIORITY, SystemComparison
from spotlab.studies.systems.comparison_json import as_json
from spotlab.studies.systems.method_results import MethodResult

ALONE = "#8a8f94"
LARGEST = 60  # systems that a plot still tells apart


def write_comparison(
    comparison: SystemComparison, directory: Path, made: datetime | None = None
) -> Path:
    """Write the report; gives its page.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    sections = [
        *_notes(comparison),
        *(_systems(comparison, each) for each in comparison.in_sight),
        _ranking(comparison),
        _agreement(comparison),
        *_groups(comparison),
        *_others(comparison),
        *_doubts(comparison),
        _disputed(comparison),
    ]
    name = comparison.table.name
    named = name and name not in comparison.table.systems  # one of several files names nothing
    title = f"Systems compared: {name}" if named else "Systems compared"
    return write_study(directory, title, _summary(comparison), sections, as_json(comparison), made)


def _summary(comparison: SystemComparison) -> str:
    items, judged = len(comparison.votes), comparison.judged
    truth = (
        "Truth is not known."
        if judged is None
        else f"Truth is known of {counted(judged, 'item')}, for comparison only."
    )
    oracle = f" {comparison.oracle} is the oracle." if comparison.oracle else ""
    weights = {name: weight for name, weight in comparison.weights.items() if weight}
    if len(set(weights.values())) == 1:
        who = "everybody, ⊤ and ⊥ too" if len(weights) == len(comparison.weights) else None
        shown = f"{next(iter(weights.values())):.3g} for {who or ', '.join(weights)}"
    else:
        shown = ", ".join(f"{name} {weight:.3g}" for name, weight in weights.items())
    return (
        f"{counted(len(comparison.systems), 'system')} voted on {counted(items, 'item')}. "
        f"{truth}{oracle} Precision "
        f"and recall without truth after Lamiroy & Sun (2013); β of F is {comparison.beta:g}. "
        f"Weights κ: {shown}."
    )


def _notes(comparison: SystemComparison) -> list[StudySection]:
    notes = (*comparison.warnings, *comparison.table.remarks)
    return [StudySection("Warnings", (), {}, {}, notes)] if notes else []


def _systems(comparison: SystemComparison, result: MethodResult) -> StudySection:
    """Figures by one method; of the recommended one with the reason and what to do first."""
    advice, truth = comparison.recommendation, comparison.truth
    paragraphs = [f"{result.title}: {result.definition} {result.assumption}"]
    title = f"Systems, {result.title}"
    if result.name == comparison.recommended.name:
        title = f"Recommended estimate: {result.title}"
        paragraphs.insert(0, advice.reason)
        paragraphs.append(" ".join(part for part in (advice.headline, advice.disagreement) if part))
    figures, name = {}, result.name
    intervals = f"intervals-{name}"
    if result is comparison.leading:
        name, intervals = "systems", "intervals"
    if result.intervals is not None:
        paragraphs.append("In brackets 95 % intervals.")
        if len(comparison.systems) <= LARGEST:
            figures[intervals] = interval_chart(
                comparison.systems, result.figures.f, result.intervals.f[:, 0],
                result.intervals.f[:, 1], None if truth is None else truth.f,
                _colours(comparison), result.title,
            )  # fmt: skip
    if len(comparison.systems) <= LARGEST:
        bars = "bars" if result is comparison.leading else f"bars-{result.name}"
        figures[bars] = bar_chart(comparison.systems, result.figures, truth, result.title)
        paragraphs.append(
            "Bars: precision and recall with truth and without it (Lamiroy & Sun, Figs. 1 and 2)."
            if truth is not None
            else "Bars: precision and recall without truth (Lamiroy & Sun, Fig. 2)."
        )
    table = with_top(result_table(comparison, result, truth), result)
    return StudySection(title, [each for each in paragraphs if each], {name: table}, figures)


def _ranking(comparison: SystemComparison) -> StudySection:
    columns = [RankColumn(each.title, each.figures.rank) for each in comparison.in_sight]
    if comparison.truth is not None:
        columns.insert(0, RankColumn("With truth", comparison.truth.rank))
    drawn = len(comparison.systems) <= LARGEST and len(columns) > 1
    return StudySection(
        "Ranking by method (Fig. 3)",
        [f"{each.title}: {each.definition} {each.assumption}" for each in comparison.in_sight],
        {
            "methods": methods_table(comparison, comparison.every, "Methods"),
            "methods-systems": side_by_side(comparison, comparison.in_sight),
        },
        {"ranking": slope_chart(comparison.systems, columns, _colours(comparison))}
        if drawn
        else {},
        [
            *(f"{each.title}: {each.remark}." for each in comparison.in_sight if each.remark),
            *(pair.sentence(comparison.systems) for pair in comparison.between),
        ],
    )


def _agreement(comparison: SystemComparison) -> StudySection:
    order = comparison.agreement.order
    groups = comparison.groups
    members = [
        f"{name}: "
        + ", ".join(groups.systems[place] for place in np.flatnonzero(groups.label == n))
        for n, name in enumerate(groups.names)
        if (groups.label == n).sum() > 1
    ]
    source = f"given by the factor {comparison.group_by}" if comparison.group_by else "as found "
    "from the votes"
    return StudySection(
        "Agreement",
        [
            "Agreement of each pair of systems: φ is 1 if they always agree, 0 if they agree as "
            "often "
            f"as by chance, −1 if they never agree. Frames mark groups, {source}. Systems that "
            f"agree "
            "may share their errors, or both be good: agreement alone cannot tell which."
        ],
        {},
        {"agreement": agreement_chart(comparison.agreement, groups.label)}
        if len(order) <= LARGEST
        else {},
        members,
    )


def _groups(comparison: SystemComparison) -> list[StudySection]:
    if not comparison.grouped:
        return []
    by = comparison.group_by or "groups found"
    charts = []
    for number, group in enumerate(comparison.grouped):
        names = [comparison.systems[place] for place in group.systems.tolist()]
        columns = [RankColumn("Without truth", group.result.figures.rank)]
        if group.truth is not None:
            columns.insert(0, RankColumn("With truth", group.truth.rank))
        charts.append((group.name, names, columns, run_colour(number)))
    drawn = len(comparison.systems) <= LARGEST and comparison.truth is not None
    return [
        StudySection(
            f"Within groups: {by} (Fig. 4)",
            ["Each system is judged by those of its own group, ⊤ and ⊥ only."],
            {
                f"group-{number}": group_table(comparison, group)
                for number, group in enumerate(comparison.grouped, 1)
            },
            {"groups": group_chart(charts)} if drawn else {},
            [
                f"{group.name}: Kendall's τ with the truth {written(near.kendall)}."
                for group in comparison.grouped
                if (near := group.result.nearness) is not None and near.kendall is not None
            ],
        )
    ]


def _others(comparison: SystemComparison) -> list[StudySection]:
    """Methods and corrections that are not shown above."""
    offered = comparison.every[len(comparison.in_sight) :]
    if not offered:
        return []
    corrected = (
        "Corrections for groups are applied nowhere else on this page unless one is recommended, "
        "because they do harm where systems agree because they are good."
    )
    return [
        StudySection(
            "Other methods",
            [
                *([corrected] if comparison.corrections else []),
                *(f"{each.title}: {each.definition} {each.assumption}" for each in offered),
            ],
            {"other-methods-systems": side_by_side(comparison, offered)},
            {},
        )
    ]


def _doubts(comparison: SystemComparison) -> list[StudySection]:
    table = better_table(comparison)
    if table is None or len(comparison.systems) > LARGEST:
        return []
    hidden = (
        ["Systems of different groups are not compared: the members of a group confirm each other."]
        if comparison.groups.only_two
        else []
    )
    return [StudySection("Which is better?", [SUPERIORITY, *hidden], {"better": table}, {})]


def _disputed(comparison: SystemComparison) -> StudySection:
    return StudySection(
        "Items with the most disagreement",
        ["Those whose votes are split most evenly; of these, the ones with most votes first."],
        {"disputed": disputed_table(comparison)},
        {},
    )


def _colours(comparison: SystemComparison) -> list[str]:
    """One for each group where systems share groups, grey for those alone; else one a system."""
    groups = comparison.groups
    if not groups.together:
        return [run_colour(place) for place in range(len(groups.systems))]
    shared = np.flatnonzero(groups.sizes > 1).tolist()
    return [
        run_colour(shared.index(label)) if label in shared else ALONE
        for label in groups.label.tolist()
    ]


FEW = 12  # systems of which every number is written into a matrix
ROW = 0.2  # inches that a system takes
WIDTH = 10.5  # inches of every figure: letters are as large in one as in another
TRUE = "0.15"


@dataclass(frozen=True, eq=False)
class RankColumn:
    """A ranking: what it is called, and (S,) ranks with NaN where undefined."""

    title: str
    rank: Floats


@styled()
def slope_chart(
    names: Sequence[str], columns: Sequence[RankColumn], colours: Sequence[str]
) -> Figure:
    """Rankings side by side, a line for each system (Lamiroy & Sun, Fig. 3).

    Parameters
    ----------
    names : sequence of str
        S systems.
    columns : sequence of RankColumn
    colours : sequence of str
        Of each system.
    """
    figure, (axis,) = _figure(1, (WIDTH, 0.9 + ROW * len(names)))
    draw_slopes(axis, names, columns, colours)
    return figure


@styled()
def group_chart(groups: Sequence[tuple[str, Sequence[str], Sequence[RankColumn], str]]) -> Figure:
    """The same within groups, a plot each (Lamiroy & Sun, Fig. 4).

    Parameters
    ----------
    groups : sequence of (name, systems, columns, colour)
    """
    across = max(2, min(3, len(groups)))
    down = -(-len(groups) // across)
    most = max(len(names) for _, names, _, _ in groups)
    figure, axes = _figure(across, (WIDTH, (0.9 + ROW * most) * down), down)
    for axis, (name, names, columns, colour) in zip(axes, groups, strict=False):
        draw_slopes(axis, names, columns, [colour] * len(names))
        axis.set_title(name, loc="left", fontsize=9.5, fontweight="bold", pad=18)
    for axis in axes[len(groups) :]:
        axis.set_axis_off()
    return figure


def draw_slopes(
    axis: Axes, names: Sequence[str], columns: Sequence[RankColumn], colours: Sequence[str]
) -> None:
    """Draw lines from rank to rank; systems of the same rank stand below each other."""
    places = [_places(column.rank) for column in columns]
    for system, name in enumerate(names):
        heights = [place[system] for place in places]
        axis.plot(
            range(len(columns)), heights, color=colours[system], linewidth=1.6,
            marker="o", markersize=4.5, alpha=0.9, gid=f"system:{name}",
        )  # fmt: skip
        for side, ha, place in ((0, "right", -0.04), (len(columns) - 1, "left", 0.04)):
            if np.isnan(heights[side]) or (side == 0 and ha == "left"):
                continue
            rank = f"{columns[side].rank[system]:.0f}"
            text = f"{name}  {rank}" if ha == "right" else f"{rank}  {name}"
            axis.text(
                side + place, heights[side], text, ha=ha, va="center", fontsize=7.5,
                gid=f"system:{name}",
            )  # fmt: skip
    axis.set_xlim(-0.75, max(len(columns) - 1, 0) + 0.75)
    axis.set_ylim(len(names) + 0.5, 0.5)
    axis.set_xticks(range(len(columns)), [column.title for column in columns], fontsize=8)
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.set_yticks([])
    axis.grid(visible=False)
    for edge in axis.spines.values():
        edge.set_visible(False)


@styled()
def agreement_chart(
    found: Agreement,
    label: NDArray[np.int64],
    measure: str = "phi",
    groups: Mapping[str, str] | None = None,
    width: float = WIDTH,
) -> Figure:
    """The dendrogram of agreement, and φ as colours; written, too, where there are few systems.

    Parameters
    ----------
    found : Agreement
        Shown in its order.
    label : (S,) int
        The group of each system; those that stand beside each other get a frame.
    measure : {"phi", "jaccard"}
        What the colours show.
    groups : mapping of str to str, optional
        Colours of the groups by their names, in their order, which a legend explains; by default
        frames are black.
    width : float
        In inches.
    """
    order = found.order
    names = [found.systems[place] for place in order.tolist()]
    values, count = getattr(found, measure)[np.ix_(order, order)], len(names)
    size = min(max(0.24 if count > FEW else 0.36, 2.0 / max(count, 1)) * count, 6.2) + 1.6
    figure = _empty((width, max(size * width / WIDTH, min(size, 2.6))))
    left, axis = figure.subplots(1, 2, sharey=True, width_ratios=(1, 2.2))
    image = axis.imshow(values, cmap="PuOr_r", vmin=-1, vmax=1)
    axis.set_anchor("W")  # beside the dendrogram
    axis.set_facecolor("0.85")
    axis.set_xticks(range(count), names, rotation=90, fontsize=7.5)
    axis.set_yticks(range(count), names, fontsize=7.5)
    axis.tick_params(length=0, labelleft=True)
    axis.grid(visible=False)
    for first, length in _runs(label[order]):
        if length > 1:
            corner, group = (first - 0.5, first - 0.5), int(label[order][first])
            name, colour = list(groups.items())[group] if groups else ("", "black")
            axis.add_patch(Rectangle(corner, length, length, fill=False, linewidth=1.8,
                                     edgecolor=colour, label=name))  # fmt: skip
    if count <= FEW * width / WIDTH:
        _write_values(axis, values)
    if groups and (framed := axis.get_legend_handles_labels()[0]):
        figure.legend(handles=framed, loc="outside lower center", ncols=3, fontsize=7.5)
    axis.set_title(AGREEMENTS[measure], fontsize=9.5, loc="left")
    figure.colorbar(image, ax=axis, shrink=0.6)
    _draw_tree(left, found)
    return figure


AGREEMENTS = {"phi": "φ", "jaccard": "Jaccard"}


def _runs(label: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Tell where each stretch of the same label begins, and how long it is."""
    starts = [0, *(np.flatnonzero(np.diff(label)) + 1).tolist()] if len(label) else []
    return [
        (first, stop - first) for first, stop in zip(starts, [*starts[1:], len(label)], strict=True)
    ]


def _write_values(axis: Axes, values: Floats) -> None:
    for row, column in np.ndindex(*values.shape):
        value = values[row, column]
        text = "–" if np.isnan(value) else f"{value:.2f}".replace("0.", ".", 1).replace("-", "−")
        dark = not np.isnan(value) and abs(value) > 0.6
        colour = "white" if dark else "black"
        axis.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)


def _draw_tree(axis: Axes, found: Agreement) -> None:
    """The dendrogram, its leaves on the rows of the matrix and its root to the left."""
    axis.set_title("1 − φ where systems join", fontsize=9.5, loc="left")
    axis.spines["left"].set_visible(False)
    axis.tick_params(axis="y", length=0, labelleft=False)
    axis.grid(visible=False, axis="y")
    nodes = [(0.0, float(row)) for row in np.argsort(found.order)]
    for first, second, distance, _ in found.tree.tolist():
        (near, low), (far, high) = nodes[int(first)], nodes[int(second)]
        axis.plot(
            [near, distance, distance, far], [low, low, high, high], color="0.35", linewidth=1.1
        )
        nodes.append((distance, (low + high) / 2))
    axis.set_xlim(axis.get_xlim()[1], 0)


@styled()
def interval_chart(
    names: Sequence[str], f: Floats, low: Floats, high: Floats, truth: Floats | None,
    colours: Sequence[str], label: str,
) -> Figure:  # fmt: skip
    """F of every system with its interval, and with truth where that is known; the best is first.

    Parameters
    ----------
    names : sequence of str
    f, low, high : (S,) float
    truth : (S,) float or None
    colours : sequence of str
    label : str
        What F without truth is by.
    """
    order = np.argsort(-np.nan_to_num(f, nan=-1.0), kind="stable")
    figure, (axis,) = _figure(1, (WIDTH, 0.9 + ROW * len(names)))
    for place, system in enumerate(order.tolist()):
        colour, gid = colours[system], f"system:{names[system]}"
        ends = [low[system], high[system]]
        axis.plot(ends, [place, place], color=colour, linewidth=2.4, gid=gid)
        axis.plot(f[system], place, "o", color=colour, markersize=5, gid=gid)
        if truth is not None:
            axis.plot(truth[system], place, "x", color=TRUE, markersize=5, gid=gid)
    axis.set_yticks(range(len(names)), [names[system] for system in order.tolist()], fontsize=7.5)
    axis.set_ylim(len(names) - 0.5, -0.5)
    marks = f"o {label}" + ("" if truth is None else "    x with truth")
    axis.set_title(marks, fontsize=8.5, loc="left")
    axis.set_xlabel("F")
    return figure


@styled()
def bar_chart(
    names: Sequence[str],
    figures: SystemFigures,
    truth: SystemFigures | None,
    title: str,
    width: float = WIDTH,
) -> Figure:
    """Precision and recall as bars, with truth at the left (Lamiroy & Sun, Figs. 1 and 2).

    Parameters
    ----------
    names : sequence of str
        S systems, drawn from the best F without truth on.
    figures, truth : SystemFigures
        Without truth, and with it where it is known.
    title : str
        Method of the figures without truth.
    width : float
        In inches.
    """
    columns = [(title, figures)] if truth is None else [("With truth", truth), (title, figures)]
    order = np.argsort(-np.nan_to_num(figures.f, nan=-1.0), kind="stable")
    place = np.arange(len(names), dtype=np.float64)
    figure, axes = _figure(len(columns), (width, 0.9 + 1.4 * ROW * len(names)))
    for number, (axis, (head, column)) in enumerate(zip(axes, columns, strict=True)):
        for shift, part, colour in ((-0.2, "precision", "0.25"), (0.2, "recall", "0.65")):
            values = getattr(column, part)[order]
            axis.barh(place + shift, np.nan_to_num(values), 0.38, color=colour, label=part)
        axis.set_xlim(0, 1)
        axis.set_ylim(len(names) - 0.4, -0.6)
        axis.set_yticks(place, [names[at] for at in order.tolist()], fontsize=7.5)
        axis.tick_params(axis="y", length=0, labelleft=number == 0)
        axis.set_title(head, fontsize=9.5, loc="left")
        axis.grid(visible=False, axis="y")
    bars = axes[0].get_legend_handles_labels()
    figure.legend(*bars, loc="outside lower center", ncols=2, fontsize=7.5, frameon=False)
    return figure


def _places(rank: Floats) -> Floats:
    """Tell where each rank is drawn: the same ranks take the places that follow, undefined ones
    none.
    """
    place = np.full(len(rank), np.nan)
    known = np.flatnonzero(~np.isnan(rank))
    place[known[np.argsort(rank[known], kind="stable")]] = np.arange(1, len(known) + 1)
    return place


def _figure(across: int, size: tuple[float, float], down: int = 1) -> tuple[Figure, list[Axes]]:
    figure = _empty(size)
    return figure, list(figure.subplots(down, across, squeeze=False).ravel())


def _empty(size: tuple[float, float]) -> Figure:
    figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.15))  # inches
    FigureCanvasAgg(figure)
    return figure
