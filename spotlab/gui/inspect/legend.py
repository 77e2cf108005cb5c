"""Says in a corner of the canvas what the colours mean and how much of each there is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.inspect.legend_table import GAP, MARK, LegendTable, area_legend
from spotlab.gui.inspect.state.page_sums import PageSums
from spotlab.gui.inspect.state.run_on_page import RunOnPage
from spotlab.gui.kit import icons, theme
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.area_overlay import AreaKind
from spotlab.report.area_table import EXPLAINED, MEANINGS, shown_kinds

_CORNER = 14  # from the canvas' corner, screen px
_EDGE = 10  # px around what it says
_LINE = 34  # px of height of a line of words, or of the slider
_LOWEST = 4 * _LINE  # px of height of a canvas that it stands on
_PART = 0.6  # of the canvas' height that a table may cover
ROOMY = (800, 600)  # px of a canvas that shows all figures at first
FOLDED = "inspect.legend_folded"  # among the settings


class Legend(QWidget):
    """The kinds with their areas on the open page, and a slider for their opacity.

    Attributes
    ----------
    slider : QSlider
        The opacity.
    fold : QToolButton
        Leaves only the words, in one line, or shows the figures again.
    sums : PageSums
    """

    def __init__(
        self, canvas: QWidget, workbench: Workbench, page: RunOnPage, opacity: float,
        set_opacity: Callable[[float], None],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._settings = workbench.settings
        self.sums = PageSums(page, workbench)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, 100)
        self.slider.setValue(round(100 * opacity))
        self.slider.setFixedWidth(84)
        self.slider.setToolTip("Opacity of the areas")
        self.slider.setAccessibleName("Opacity of the areas")
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(lambda value: set_opacity(value / 100))
        self.fold = QToolButton(self)
        self.fold.setAutoRaise(True)
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.clicked.connect(self._fold)
        self._wanted = False
        self._table = LegendTable((), ())
        self._in_line = True
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.slider)
        row.addWidget(self.fold)
        column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE, 0, _EDGE - 4, 4)
        column.addStretch(1)
        column.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._stop = self.sums.changed.connect(self.place)
        icons.repainted.changed.connect(self._paint_icons)

    def stop(self) -> None:
        """Hear of nothing any more."""
        self._stop()

    def texts(self) -> dict[AreaKind, str]:
        """What is said of each kind."""
        table = self._full_table()
        return {
            kind: " · ".join((row.name, *row.cells))
            for kind, row in zip(shown_kinds(self._has_ignored()), table.rows, strict=True)
        }

    def sizeHint(self) -> QSize:
        """Room for the words side by side, or for the table above the slider."""
        if self._in_line:
            words = sum(self._width(row.name) for row in self._table.rows)
            slider = 0 if self.slider.isHidden() else self.slider.width() + self.fold.width() + 16
            return QSize(round(words) + slider + 2 * GAP, _LINE)
        size = self._table.size(self.font())
        controls = 6 if self.slider.isHidden() else _LINE
        return QSize(round(size.width()) + 2 * _EDGE, round(size.height()) + controls + 6)

    def follow(self, shown: bool) -> None:
        """Show it while there are areas on the canvas."""
        self._wanted = shown
        self.place()

    def place(self) -> None:
        """Stay in the canvas' lower left corner: in a small canvas it says less."""
        if not self._wanted:
            self.hide()
            return
        full, words = self._full_table(), area_legend(None, True, self._has_ignored())
        folded = self._folded
        room = self._canvas.width() - 2 * _CORNER
        fits = False
        forms = (
            (full, False, True),
            (words, True, True),
            (words, True, False),
            (words, False, False),
        )
        for table, in_line, slider in forms[folded:]:
            self._table, self._in_line = table, in_line
            self.slider.setVisible(slider)
            self.fold.setVisible(slider)
            size = self.sizeHint()
            tall = not in_line and size.height() > _PART * self._canvas.height()
            fits = size.width() <= room and not tall
            if fits:
                break
        self._paint_icons()
        self.setToolTip(self._explained())
        self.setVisible(fits and self._canvas.height() >= _LOWEST)
        self.resize(self.sizeHint())
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, the words and the figures."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(colours.line))
            sheet = QColor(colours.window)
            sheet.setAlpha(240)
            painter.setBrush(sheet)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if not self._in_line:
                self._table.paint(painter, _EDGE, 6, colours)
                return
            x = GAP * 1.5
            for row in self._table.rows:
                row.mark(painter, QRectF(x, (self.height() - MARK) / 2, MARK, MARK))
                beside = x + MARK + GAP * 0.8
                room = QRectF(beside, 0, self.width() - beside, self.height())
                painter.setPen(QColor(colours.text))
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, row.name)
                x += self._width(row.name)

    def _full_table(self) -> LegendTable:
        shown = self.sums.get()
        return area_legend(shown.sums, shown.current)

    def _has_ignored(self) -> bool:
        sums = self.sums.get().sums
        return sums is not None and sums.has_ignored

    def _width(self, text: str) -> float:
        return self.fontMetrics().horizontalAdvance(text) + MARK + 2.6 * GAP

    @property
    def _folded(self) -> bool:
        """What the user chose; at first the page is more than the figures on a small canvas."""
        chosen, canvas = self._settings.get(FOLDED), self._canvas
        small = canvas.width() < ROOMY[0] or canvas.height() < ROOMY[1]
        return chosen if isinstance(chosen, bool) else small

    def _fold(self) -> None:
        self._settings.set(FOLDED, not self._folded)
        self.place()

    def _paint_icons(self) -> None:
        folded = self._folded
        self.fold.setIcon(icons.icon("chevron-up" if folded else "chevron-down"))
        self.fold.setToolTip("Show the figures" if folded else "Show only the words")
        self.fold.setAccessibleName(self.fold.toolTip())

    def _explained(self) -> str:
        lines = "".join(
            f"<p><b>{text}</b><br>{MEANINGS[kind]}</p>" for kind, text in self.texts().items()
        )
        return f"{lines}<p>{EXPLAINED}</p>"
