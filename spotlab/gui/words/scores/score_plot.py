"""Score over rank, a line for each ranked list, with the threshold that purges them on it."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.axis import EDGE
from spotlab.gui.kit.plots.curve_plot import MARGIN, CurvePlot
from spotlab.gui.kit.plots.drawn import Drawn
from spotlab.gui.kit.plots.pointed import Place
from spotlab.gui.words.scores.score_signs import ScoreLine, ScoreSigns
from spotlab.gui.words.scores.threshold_drag import ThresholdDrag
from spotlab.gui.words.scores.threshold_line import ThresholdLine
from spotlab.gui.words.scores.threshold_veil import ThresholdVeil

FOCUS_ROOM = 1.5  # of the rank of a cut that comes into sight


class ScorePlot(CurvePlot):
    """Drag the horizontal line to purge; the rest is as in all plots.

    Attributes
    ----------
    focus : (int, float) or None
        The last rank and the lowest score that are shown at first; None for all.
    signs : ScoreSigns
    threshold_line : ThresholdLine
    drag : ThresholdDrag
    veil : ThresholdVeil
    """

    focus: tuple[int, float] | None = None

    def __init__(self) -> None:
        super().__init__("score", "Score", over="Rank")
        self.signs = ScoreSigns(self)
        self.threshold_line = ThresholdLine(self)
        self.drag = ThresholdDrag(self, self.threshold_line)
        self.plotItem.getAxis("bottom").setStyle(hideOverlappingLabels=True)
        self.plotItem.layout.setContentsMargins(0, 6, EDGE + 1, 0)  # nor the last rank
        self.veil = ThresholdVeil(self, (*self.threshold_line.items, self.cut_marks.item))
        self.lines_drawn.connect(self.signs.place)
        self.show_threshold(0.0, ())

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours; lines are this much wider than on the screen."""
        super().paint_in(colours, weight)
        self.threshold_line.paint_in(colours, weight)
        self.signs.paint_in(colours, weight)

    def show_lists(
        self,
        lists: Sequence[ScoreLine],
        extent: Place,
        lowest: float,
        focus: tuple[int, float] | None = None,
    ) -> None:
        """Draw these, the first one on top; ``extent`` is the last rank and the highest score."""
        moved, self.focus = focus != self.focus, focus
        self.veil.lift()
        self.signs.lists = lists
        self.drag.enabled = bool(lists)
        drawn = [Drawn(shown.colour, shown.line, bold=True) for shown in lists]
        self.show_curves(drawn, extent, lowest)
        if moved and not self.zoomed:
            self.reset_view()
        self.signs.place()

    def show_threshold(self, threshold: float, places: Sequence[tuple[Place, str]]) -> None:
        """Purge what scores less; ``places`` are where each list is cut, and its colour."""
        moved = threshold != self.threshold_line.threshold
        self.threshold_line.show(threshold, self._extent, self._lowest)
        self.show_cut(places)
        if moved:
            self.veil.move_to(threshold, places)
        (left, right), (low, high) = self.box.viewRange()
        if places and not low <= threshold <= high:  # never out of sight
            wide = max(right, *(FOCUS_ROOM * place[0] for place, _ in places))
            self.box.setRange(
                xRange=(left, wide), yRange=(min(low, threshold), max(high, threshold)), padding=0
            )

    def reset_view(self) -> None:
        """Show what is worth looking at."""
        self.show_all()
        if self.focus is not None:
            (rank, lowest), top = self.focus, self._extent[1]
            up = MARGIN * (top - lowest)
            self.box.setRange(
                xRange=(-MARGIN * rank, rank), yRange=(lowest - up, top + up), padding=0
            )

    def show_all(self) -> None:
        """Show the lists to their ends."""
        super().reset_view()
