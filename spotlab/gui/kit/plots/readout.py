"""The figures of curves at the pointer."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsSceneResizeEvent,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import line_sample_html, rich, short_title
from spotlab.gui.kit.theme import Colours
from spotlab.measures.measure import Figure, MeasureSettings, known_figures
from spotlab.report.figure_text import UNDEFINED, hint, written

LEAST = 64  # px: the head and two lines


class FiguresArea(QScrollArea):
    """Takes no more of the height than its share, so that the plot above keeps its own.

    Where it is too narrow for the figures they are scrolled rather than cut off.
    """

    def __init__(self, inside: QWidget, share: float = 0.4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = share  # at most, of what it stands in
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setWidget(inside)
        inside.installEventFilter(self)

    def sizeHint(self) -> QSize:
        """All lines, or the share."""
        inside, around = self.widget(), self.parentWidget()
        wanted = inside.minimumSizeHint().height() if inside else LEAST
        most = round(self._share * around.height()) if around else wanted
        return QSize(super().sizeHint().width(), max(min(wanted, most), min(LEAST, wanted)))

    def minimumSizeHint(self) -> QSize:
        """Two lines are always there."""
        return QSize(0, min(LEAST, self.sizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """More or fewer lines."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


HEADS = {
    "area_precision": "Precision",
    "area_recall": "Recall",
    "f": "F",
    "fall_out": "Fall-out",
    "recognition_rate": "Recogn.",
    "false_positives": "FP",
}
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
NARROWEST = 36  # px, of names
SHARES_WITH_SAMPLES = 4  # of the width, one of which is for names beside pieces of lines
Value = float | str | None
_Given = tuple[Sequence[tuple[str, str, Mapping[str, Value]]], bool, Sequence[tuple[float, ...]]]
BANDS = (1, 2, 3)  # heads with all lines below them, and the other heads with theirs


@dataclass(frozen=True)
class _Curve:
    """Of one run: what names it in each band, and its figures."""

    dots: list[QLabel]
    figures: dict[str, QLabel]
    named: list[object] = field(default_factory=list)  # what its names say now, and in what room


class Readout(QWidget):
    """Labels made once; those that nothing is shown in are hidden.

    No digit is cut off: where all figures have no room beside each other, they stand in bands below
    each other.

    ``heads`` are the figures in their order and what stands over them, all of them at first; see
    `use`. ``named`` says that names stand beside the colours.
    """

    def __init__(
        self,
        heads: Mapping[str, str] = HEADS,
        figures: Mapping[str, Figure] | None = None,
        named: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        figures = figures or {figure.name: figure for figure in known_figures()}
        self._figures, self._named, self._heads = figures, named, dict(heads)
        self._measured: MeasureSettings | None = None
        self._used = tuple(heads)  # those that are shown
        self._rows: list[_Curve] = []
        self._top: dict[str, QLabel] = {}
        self._shown = 0  # lines
        self._sampled = False
        self._arranged = (0, 0)  # bands and lines
        self._given: _Given = ((), True, ())
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 2, 12, 8)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        for name, text in heads.items():
            head = self._label(rich(hint(figures[name])))
            head.setText(text)
            head.setProperty("role", "quiet")
            font = head.font()
            font.setPointSizeF(font.pointSizeF() * SMALL)
            head.setFont(font)
            _keep_room(head)
            self._top[name] = head
        self._arrange()

    def name_thresholds(self, settings: MeasureSettings) -> None:
        """Have the heads name the thresholds of these settings, and β."""
        if settings == self._measured:
            return
        self._measured = settings
        for name, head in self._top.items():
            figure = self._figures[name]
            named = replace(figure, title=self._heads[name]) if name in self._heads else figure
            text = short_title(named.titled(settings))
            title, _, threshold = text.removesuffix(")").partition(" (")
            head.setText(f"{title}\n{threshold}" if threshold else text)  # there is little width
            head.setToolTip(rich(hint(figure, settings)))
            _keep_room(head)
        self._arrange()

    def show_runs(
        self,
        runs: Sequence[tuple[str, str, Mapping[str, Value]]],
        mean: bool,
        dashes: Sequence[tuple[float, ...]] = (),
    ) -> None:
        """Show name, colour and figures of each run; ``mean`` says that they are means.

        With ``dashes`` a piece of each run's line stands beside its name, else a dot.
        """
        self._given = runs, mean, dashes
        self._sampled = bool(dashes)
        font = self.font().key()
        while len(self._rows) < len(runs):
            self._rows.append(self._make_line())
        for row, (line, run) in enumerate(zip(self._rows, runs, strict=False)):
            name, colour, figures = run
            named = [name, colour, dashes[row] if dashes else None, self._room(), font]
            if line.named != named:
                line.named[:] = named
                self._name(line, name, colour, dashes[row] if dashes else None)
            for figure in self._used:  # nobody sees the others
                label = line.figures[figure]
                if _set_text(label, text_of(self._figures[figure], figures.get(figure), mean)):
                    _keep_room(label)
        self._shown = len(runs)
        self._arrange()

    def use(self, names: Sequence[str]) -> None:
        """Show only these of the figures, in this order."""
        if tuple(names) != self._used:
            self._used = tuple(names)
            self._arranged = (0, 0)
            self.show_runs(*self._given)

    def minimumSizeHint(self) -> QSize:
        """As narrow as all bands make it, as high as it is now."""
        return QSize(self._needed(BANDS[-1]), self._grid.totalMinimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is room for more figures beside each other, or for fewer."""
        super().resizeEvent(event)
        self._arrange()

    def texts(self, row: int = 0) -> dict[str, str]:
        """Return what a line says."""
        return {name: self._rows[row].figures[name].text() for name in self._used}

    def _name(self, line: _Curve, name: str, colour: str, dash: tuple[float, ...] | None) -> None:
        """Say whose line it is: a sign, and as much of the name as leaves room for the figures."""
        sign = f'<span style="color:{colour}">●</span>'
        if dash is not None:
            sign = line_sample_html(colour, dash)
        if self._named:
            metrics = line.dots[0].fontMetrics()
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, self._room())
            sign += f"&nbsp;{html.escape(shown)}"
        for dot in line.dots:
            dot.setText(rich(sign))
            dot.setToolTip(name)

    def _room(self) -> int:
        """Px for a name."""
        shares = SHARES_WITH_SAMPLES if self._sampled else len(self._used) // 2 + 2
        return max(NARROWEST, self.width() // shares)

    def _make_line(self) -> _Curve:
        labels = {name: self._label(rich(hint(self._figures[name]))) for name in self._top}
        for name, label in labels.items():
            label.setFont(tabular(label.font()))
            label.setAccessibleName(self._figures[name].title)
        return _Curve([QLabel(self) for _ in BANDS], labels)

    def _arrange(self) -> None:
        """Put everything into as few bands as there is room for."""
        fitting = (bands for bands in BANDS if self._needed(bands) <= self.width())
        bands = next(fitting, BANDS[-1])
        if self._arranged != (bands, len(self._rows)):
            self._arranged = bands, len(self._rows)
            self._place(bands)
        dotted = self._shown > 1 or self._named
        for row, line in enumerate(self._rows):
            for band, dot in enumerate(line.dots):
                dot.setVisible(row < self._shown and band < bands and dotted)
            for name, label in line.figures.items():
                label.setVisible(row < self._shown and name in self._used)
        for name, head in self._top.items():
            head.setVisible(name in self._used)

    def _place(self, bands: int) -> None:
        across, grid = self._across(bands), self._grid
        for column in range(1, len(self._top) + 1):
            grid.setColumnStretch(column, int(column <= across))
        for place, name in enumerate(self._used):
            head = self._top[name]
            band, column = divmod(place, across)
            top = band * (len(self._rows) + 1)
            grid.addWidget(head, top, column + 1, RIGHT)
            for row, line in enumerate(self._rows, start=top + 1):
                grid.addWidget(line.figures[name], row, column + 1, RIGHT)
                grid.addWidget(line.dots[band], row, 0)
        self.updateGeometry()

    def _across(self, bands: int) -> int:
        """Tell how many figures stand beside each other."""
        return -(-len(self._used) // bands)

    def _needed(self, bands: int) -> int:
        """Px of width."""
        across = self._across(bands)
        columns = [0] * across
        for place, name in enumerate(self._used):
            labels = [self._top[name], *(line.figures[name] for line in self._rows)]
            width = max(label.minimumWidth() for label in labels)
            columns[place % across] = max(columns[place % across], width)
        shown = self._rows[: self._shown] if self._shown > 1 or self._named else []
        dot = max((line.dots[0].sizeHint().width() for line in shown), default=0)
        around = self._grid.contentsMargins()
        gaps = across * self._grid.horizontalSpacing()
        return dot + sum(columns) + gaps + around.left() + around.right()

    def _label(self, tip: str) -> QLabel:
        return set_up(QLabel(self, alignment=RIGHT), tip=tip)


def text_of(figure: Figure, value: Value, mean: bool) -> str:
    """A figure as the readout writes it, with its unit. A text stays as it is.

    Examples
    --------
    >>> figures = {figure.name: figure for figure in known_figures()}
    >>> text_of(figures["fall_out"], 0.00213, True), text_of(figures["f"], None, False)
    ('.0021', '–')
    >>> text_of(figures["recognition_rate"], 50.0, True)
    '50.0 %'
    >>> text_of(figures["false_positives"], 3.5, True)
    '3.50'
    """
    if value is None or isinstance(value, str):
        return UNDEFINED if value is None else value
    text = written(value, figure.unit, mean=mean)
    return f"{text} %" if figure.unit == "%" else text


def _set_text(label: QLabel, text: str) -> bool:
    """Tell whether the label said something else, or nothing yet."""
    changes = label.text() != text
    if changes:
        label.setText(text)
    return changes


def _keep_room(label: QLabel) -> None:
    """As large as the largest text it has shown: no digit is cut off, and columns seldom move.

    What has one size only does not let the whole window be laid out again for each new text.
    """
    label.setFixedSize(label.sizeHint().expandedTo(label.minimumSize()))


GRID = 90  # of 255
SMALL = 0.85  # of the size of other text
EDGE = 7  # px
LONGEST = 4  # letters of a number; longer ones lose the 0 before the point, as in tables


class ShareAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """Ticks as 0, 0.5, 1."""

    def __init__(self, side: str, title: str) -> None:
        super().__init__(side)
        self.title = title
        self.titled = True
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickLength=0,
            maxTickLevel=0,
            maxTextLevel=0,
            tickTextOffset=5,
            hideOverlappingLabels=False,
        )
        self.setGrid(GRID)
        self.setZValue(-1000)  # the lines lie behind the curves

    def paint_in(self, colours: Colours, font: QFont) -> None:
        """Take the theme's colours."""
        self.setPen(pg.mkPen(colours.line, width=1))
        self.setTextPen(pg.mkPen(colours.quiet))
        self.setTickFont(font)
        points = f"{font.pointSizeF():g}pt"
        self.setLabel(html.escape(self.title), **{"color": colours.quiet, "font-size": points})
        metrics = QFontMetricsF(font)
        if self.orientation == "left":
            self.setWidth(metrics.horizontalAdvance("0.005") + metrics.height() + 14)
        else:
            self.showLabel(self.titled)
            self.setHeight((2 if self.titled else 1) * metrics.height() + 8)

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        """The title does not touch the edge."""
        super().resizeEvent(event)
        if self.orientation == "left" and self.label is not None:
            self.label.setX(self.label.x() + EDGE)

    def boundingRect(self) -> QRectF:
        """With room for the numbers at both ends: those that reach beyond it are not drawn."""
        room: QRectF = super().boundingRect().adjusted(-EDGE, -EDGE, EDGE, EDGE)
        return room

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers, with as many digits as tell them apart."""
        texts = [f"{round(value, 6) + 0:g}" for value in values]
        long = max(map(len, texts), default=0) > LONGEST
        return [text.removeprefix("0") if long and "." in text else text for text in texts]


pg.setConfigOption("mouseRateLimit", -1)  # Qt leaves out what comes too fast

Place = tuple[float, float]


FAR = 10**9  # steps: to the first or the last
ACROSS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}
DOWN = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}


def stepped(now: int | None, step: int, count: int) -> int:
    """Number of the one a step further of so many, from the first or the last if none is chosen.

    Examples
    --------
    >>> stepped(None, 1, 5), stepped(None, -1, 5), stepped(3, 1, 5), stepped(4, 1, 5)
    (0, 4, 4, 4)
    """
    start = now if now is not None else -1 if step > 0 else count
    return min(max(start + step, 0), count - 1)


class PointedPlot(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """Drag to pan, wheel to zoom; a press that does not move is a click.

    Attributes
    ----------
    box : pyqtgraph.ViewBox
        Where things are drawn.
    moves : mapping of Key to int
        How many steps each key moves what is chosen; none by default.
    """

    hovered = Signal(object)  # what `hit` gives
    clicked = Signal(object)
    moved = Signal(int)  # so many steps further, by keys
    moves: Mapping[Qt.Key, int] = {}
    menu_wanted = Signal(object)  # where on the screen

    def __init__(self, **more: object) -> None:
        super().__init__(enableMenu=False, **more)
        self.setMouseTracking(True)
        self.scene().setMoveDistance(QApplication.startDragDistance())
        self.scene().minDragTime = math.inf  # a hand that only shakes drags nothing
        self.box = self.plotItem.getViewBox()
        self.plotItem.hideButtons()
        menu = self.plotItem.ctrlMenu
        menu.setParent(self, menu.windowFlags())  # or it stays when the plot goes
        self._pressed: QPointF | None = None

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        raise NotImplementedError

    def hit(self, position: QPointF) -> object | None:
        """Return what is at a place of the viewport; None for nothing."""
        raise NotImplementedError

    def reset_view(self) -> None:
        """Show all there is."""

    @property
    def small_font(self) -> QFont:
        """The font of axes."""
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * SMALL)
        return font

    def place_at(self, position: QPointF) -> Place:
        """The place of the plot that is drawn there on the viewport."""
        at = self.box.mapSceneToView(self.mapToScene(position.toPoint()))
        return float(at.x()), float(at.y())

    def place_on_viewport(self, place: Place) -> QPointF:
        """Tell where a place of the plot is drawn."""
        return QPointF(self.mapFromScene(self.box.mapViewToScene(QPointF(*place))))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the pointer is at."""
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.hovered.emit(self.hit(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """It may become a click, or a drag."""
        self._pressed = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take a release without movement as a click."""
        super().mouseReleaseEvent(event)
        start, self._pressed = self._pressed, None
        if start is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if (event.position() - start).manhattanLength() < QApplication.startDragDistance():
            self.clicked.emit(self.hit(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all again."""
        super().mouseDoubleClickEvent(event)
        self.reset_view()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys move what is chosen."""
        step = self.moves.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is at nothing."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the plot."""
        self.menu_wanted.emit(event.globalPos())


class Bounds(QObject):
    """Keeps what a plot shows within two ranges, as far as the plot's shape allows it.

    Parameters
    ----------
    plot : PointedPlot
    """

    def __init__(self, plot: PointedPlot) -> None:
        super().__init__(plot)
        self._box = plot.box
        self._within: tuple[Place, Place] | None = None
        self._box.sigRangeChanged.connect(self._return)

    def show(self, x: Place, y: Place) -> None:
        """Show these ranges, and let nobody look beyond."""
        self._within = (x, y)
        self._box.setRange(xRange=x, yRange=y, padding=0)

    def _return(self, *_: object) -> None:
        """Come back from beyond: less than everything lies between its ends, more around it."""
        if self._within is None:
            return
        shown, shifts = self._box.viewRange(), []
        if all(_is_wider(*pair) for pair in zip(shown, self._within, strict=True)):
            self._box.setRange(xRange=self._within[0], yRange=self._within[1], padding=0)
            return
        for (low, high), (first, last) in zip(shown, self._within, strict=True):
            if high - low >= last - first:
                shifts.append((first + last - low - high) / 2)
            else:
                shifts.append(max(0.0, first - low) - max(0.0, high - last))
        if any(
            abs(shift) > 1e-6 * (high - low)
            for shift, (low, high) in zip(shifts, shown, strict=True)
        ):
            self._box.translateBy(x=shifts[0], y=shifts[1])


def _is_wider(shown: Place, whole: Place) -> bool:
    return shown[1] - shown[0] > 1.001 * (whole[1] - whole[0])
