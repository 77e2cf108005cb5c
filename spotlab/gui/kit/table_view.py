"""Tables on the screen, and how figures are painted in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QWidget,
)

from spotlab.formats.rows.csv_rows import safe_csv
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.rows import (
    BY_NAME,
    MARKED_ROLE,
    NO_NOTE,
    NOTE_ROLE,
    STRONG_ROLE,
    FiguresModel,
    Index,
    Rows,
)
from spotlab.gui.kit.settings import KnownSetting, Settings
from spotlab.gui.kit.widgets import in_column, in_row
from spotlab.report.tables import Table, as_csv
from spotlab.representation import utf8

LINE = 24  # px, of a row with a figure alone
TALL = 42  # px, with something under it
GAP = 10
SMALLER = 0.88  # what is under it


class FigureDelegate(QStyledItemDelegate):
    """Right-aligned, in figures of one width.

    Parameters
    ----------
    parent : QObject
    inline : bool
        Whether what belongs to a figure stands beside it instead of under it.
    """

    def __init__(self, parent: QObject, *, inline: bool = False) -> None:
        super().__init__(parent)
        self._inline = inline

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One figure."""
        figure, small = tabular(option.font), tabular(option.font, SMALLER)
        palette: QPalette = option.palette
        paint_background(
            painter,
            option.rect,
            palette,
            bool(index.data(MARKED_ROLE)),
            bool(option.state & QStyle.StateFlag.State_Selected),
        )
        place = option.rect.adjusted(4, 0, -GAP, 0)
        note, text = index.data(NOTE_ROLE), index.data()
        right = Qt.AlignmentFlag.AlignRight
        quiet = theme.quiet(palette)
        is_figure = any(map(str.isdigit, text))
        painter.setPen(palette.color(QPalette.ColorRole.Text) if is_figure else quiet)
        painter.setFont(figure)
        if not note:
            painter.drawText(place, right | Qt.AlignmentFlag.AlignVCenter, text)
            return
        if self._inline:
            beside = QFontMetrics(small).horizontalAdvance(note) + GAP // 2
            painter.drawText(
                place.adjusted(0, 0, -beside, 0), right | Qt.AlignmentFlag.AlignVCenter, text
            )
            painter.setPen(quiet)
            painter.setFont(small)
            painter.drawText(place, right | Qt.AlignmentFlag.AlignVCenter, note)
            return
        middle = place.center().y()
        upper = QRect(place.left(), place.top(), place.width(), middle - place.top() + 1)
        lower = QRect(place.left(), middle + 1, place.width(), place.bottom() - middle)
        painter.drawText(upper, right | Qt.AlignmentFlag.AlignBottom, text)
        painter.setPen(palette.color(QPalette.ColorRole.Text) if index.data(STRONG_ROLE) else quiet)
        painter.setFont(small)
        painter.drawText(lower, right | Qt.AlignmentFlag.AlignTop, note)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both lines."""
        text = QFontMetrics(tabular(option.font)).horizontalAdvance(index.data() or "")
        note = index.data(NOTE_ROLE)
        if note:
            small = QFontMetrics(tabular(option.font, SMALLER))
            under = small.horizontalAdvance(note)
            text = text + GAP // 2 + under if self._inline else max(text, under)
        return QSize(text + GAP + 8, TALL if note and not self._inline else LINE)


def tabular(font: QFont, scale: float = 1.0) -> QFont:
    """The font with figures of one width, so that digits stand under digits."""
    found = QFont(font)
    found.setFeature(QFont.Tag("tnum"), 1)
    if scale != 1.0:
        found.setPointSizeF(font.pointSizeF() * scale)
    return found


def paint_background(
    painter: QPainter, place: QRect, palette: QPalette, marked: bool, selected: bool
) -> None:
    """The accent for what the window looks at, grey for what is selected to be copied."""
    if not marked and not selected:
        return
    role = QPalette.ColorRole.Highlight if marked else QPalette.ColorRole.Midlight
    colour = QColor(palette.color(role))
    colour.setAlpha(46 if marked else 150)
    painter.fillRect(place, colour)


NAMES = 170  # px
NARROWEST = 86
NAME_STYLE = (
    "QHeaderView { background: palette(base); }"
    "QHeaderView::section { border: none; padding: 2px 8px; background: palette(base); }"
)
WIDEST = 260


class FiguresView(QWidget):
    """Two tables that scroll together: the summary under the head, and the rows."""

    chosen = Signal(object)  # what the row stands for
    copied = Signal()
    order_chosen = Signal(int, bool)  # a column or `BY_NAME`, and whether values fall
    menu_wanted = Signal(QPoint)
    columns_wanted = Signal(QPoint)  # of the head: which columns there are

    def __init__(
        self,
        title: str,
        tall: bool,
        parent: QWidget | None = None,
        *,
        names: int = NAMES,
        narrowest: int = NARROWEST,
        inline: bool = False,
    ) -> None:
        super().__init__(parent)
        self._names, self._narrowest, self._inline = names, narrowest, inline
        self.model = FiguresModel(self)
        self.summary = FiguresModel(self, sorts=False)
        self._tall = tall
        self.head = self._table(self.summary, f"{title}: summary")
        self.body = self._table(self.model, title)
        self._lay_out(title)
        self._follow_summary()

    def show_rows(self, rows: Rows, summary: Rows | None = None) -> None:
        """Show these; widths follow where they are needed."""
        self.model.set_rows(rows)
        self.summary.set_rows(summary or Rows(settings=rows.settings))  # it has the heads
        self._follow_summary()
        self._widen()

    def use_columns(self, names: Collection[str]) -> None:
        """Show the columns of these figures only; what is copied or exported has all."""
        for column, figure in enumerate(self.model.figures):
            for table in (self.head, self.body):
                table.setColumnHidden(column, figure.name not in names)
        self._widen()

    def use_name_width(self, width: int) -> None:
        """Give the names of rows so many px."""
        self._names = width
        for table in (self.head, self.body):
            table.verticalHeader().setFixedWidth(width)
        self._follow_summary()

    def fit_columns(self) -> None:
        """Make every column as wide as it has to be."""
        for column in range(self.model.columnCount()):
            self.head.horizontalHeader().resizeSection(column, self._narrowest)
        self._widen()

    def mark(self, key: object) -> None:
        """Mark the row that stands for this, and bring it into sight."""
        self.model.mark(key)
        self.summary.mark(key)
        row = self.model.row_of(key)
        if row is not None:
            self.body.scrollTo(self.model.index(row, max(0, self.body.columnAt(0))))

    def copy(self) -> int:
        """Put the selected rows on the clipboard, or all, unrounded; gives their number."""
        chosen = sorted({index.row() for index in self.body.selectionModel().selectedIndexes()})
        table = self.model.table(chosen) if len(chosen) > 1 else self.whole_table()
        text = safe_csv(as_csv(table))
        data = QMimeData()
        data.setText("\n".join(map("\t".join, csv.reader(io.StringIO(text, newline="")))) + "\n")
        data.setData("text/csv", utf8(text))
        QApplication.clipboard().setMimeData(data)
        return len(table.rows)

    def whole_table(self, *, with_ends: bool = False) -> Table:
        """All rows, the summary first; also both ends of intervals."""
        summary, body = (model.table(with_ends=with_ends) for model in (self.summary, self.model))
        return replace(body, rows=(*summary.rows, *body.rows))

    def sort(self, column: int) -> None:
        """Sort by a column; once more the other way round. The best comes first."""
        model = self.model
        if column == model.column:
            falling = not model.falling
        else:
            falling = column != BY_NAME and model.figures[column].better >= 0
        self.sort_by(column, falling)
        self.order_chosen.emit(column, falling)

    def sort_by(self, column: int, falling: bool) -> None:
        """Sort by a column, the highest values first or last."""
        self.model.sort_by(column, falling)
        self.summary.sort_by(column, falling)  # its head says so
        last = len(self.model.figures) - 1
        self.summary.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+C is the table's while it has the focus; Enter chooses."""
        if isinstance(event, QKeyEvent):
            copies = event.matches(QKeySequence.StandardKey.Copy)
            if event.type() == QEvent.Type.ShortcutOverride and copies:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and copies:
                self.copied.emit()
                return True
        return super().eventFilter(watched, event)

    def _table(self, model: FiguresModel, name: str) -> QTableView:
        table = set_up(QTableView(self), name=name)
        table.setModel(model)
        table.setItemDelegate(FigureDelegate(table, inline=self._inline))
        table.setShowGrid(False)
        table.setFrameShape(QTableView.Shape.NoFrame)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        table.setCornerButtonEnabled(False)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(
            lambda place: self.menu_wanted.emit(table.viewport().mapToGlobal(place))
        )
        names = table.verticalHeader()
        names.setFixedWidth(self._names)
        names.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        names.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        names.setDefaultSectionSize(LINE)
        names.setHighlightSections(False)
        names.setStyleSheet(NAME_STYLE)
        names.sectionClicked.connect(lambda row: self._choose(model, row))
        table.clicked.connect(lambda index: self._choose(model, index.row()))
        table.selectionModel().currentRowChanged.connect(self._moved(table, model))
        table.installEventFilter(self)
        return table

    def _moved(
        self, table: QTableView, model: FiguresModel
    ) -> Callable[[QModelIndex, QModelIndex], None]:
        def moved(now: QModelIndex, before: QModelIndex) -> None:
            if now.isValid() and before.isValid() and table.hasFocus():  # by arrow keys
                self._choose(model, now.row())

        return moved

    def _choose(self, model: FiguresModel, row: int) -> None:
        if 0 <= row < model.rowCount():
            self.chosen.emit(model.key(row))

    def _lay_out(self, title: str) -> None:
        header = self.head.horizontalHeader()
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setDefaultSectionSize(self._narrowest)
        header.setMinimumSectionSize(NARROWEST // 2)
        header.sectionClicked.connect(self.sort)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda place: self.columns_wanted.emit(header.viewport().mapToGlobal(place))
        )
        header.sectionResized.connect(
            lambda column, _, width: self.body.setColumnWidth(column, width)
        )
        self.body.horizontalHeader().hide()
        self.body.horizontalHeader().setMinimumSectionSize(NARROWEST // 2)
        self.body.horizontalHeader().setDefaultSectionSize(self._narrowest)
        self.head.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.head.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        moved, followed = self.body.horizontalScrollBar(), self.head.horizontalScrollBar()
        moved.valueChanged.connect(followed.setValue)
        followed.valueChanged.connect(moved.setValue)
        self.by_name = QToolButton(self.head)
        self.by_name.setText(title)
        self.by_name.setToolTip("Sort the rows by name")
        self.by_name.setStyleSheet("text-align: left; padding-left: 6px;")
        self.by_name.clicked.connect(lambda: self.sort(BY_NAME))
        upper = in_row(self.head, self.body.verticalScrollBar().sizeHint().width(), spacing=0)
        line = QFrame(self)
        line.setProperty("role", "line")
        line.setVisible(not self._tall)  # nothing stands above runs
        in_column(upper, line, (self.body, 1), of=self, margins=0, spacing=0)

    def _follow_summary(self) -> None:
        """Let the upper table be as high as its rows, whichever of them have two lines."""
        names = self.head.verticalHeader()
        heights = []
        for row in range(self.summary.rowCount()):
            two = any(
                self.summary.rows.notes.get((row, f.name), NO_NOTE).text
                for f in self.summary.figures
            )
            heights.append(TALL if two and not self._inline else LINE)
            names.resizeSection(row, heights[-1])
        header = self.head.horizontalHeader().sizeHint().height()
        self.head.setFixedHeight(header + sum(heights))
        self.by_name.setGeometry(2, 1, self._names - 4, header - 3)
        if self._tall:
            self.body.verticalHeader().setDefaultSectionSize(TALL)

    def _widen(self) -> None:
        """Columns as wide as their heads and contents, narrower only by hand."""
        header = self.head.horizontalHeader()
        for column in range(self.model.columnCount()):
            wanted = max(
                header.sectionSizeHint(column),
                self.head.sizeHintForColumn(column),
                self.body.sizeHintForColumn(column),
            )
            if wanted > header.sectionSize(column):
                header.resizeSection(column, min(wanted, WIDEST))


ROW = 25  # px


def row_table(
    model: QAbstractItemModel, name: str, widths: Sequence[int], parent: QWidget
) -> QTableView:
    """A table of the model's rows with columns of these widths in px.

    ``name`` is what screen readers say.
    """
    table = set_up(QTableView(parent), name=name)
    table.setModel(model)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.setFont(tabular(table.font()))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setDefaultSectionSize(ROW)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    for column, width in enumerate(widths):
        header.resizeSection(column, width)
    return table


class ColumnMenu(QMenu):
    """A menu that chooses the columns of tables, and keeps what is chosen; one at least.

    Parameters
    ----------
    setting : KnownSetting
        Where the names are kept.
    titles : mapping of str to str
        Of the columns, by name, in their order.
    default : sequence of str
        What is shown until somebody chooses.
    apart : collection of str
        Names before which a line is drawn.
    """

    changed = Signal()

    def __init__(
        self,
        settings: Settings,
        setting: KnownSetting[list[str]],
        titles: Mapping[str, str],
        default: Sequence[str],
        parent: QWidget,
        apart: Collection[str] = (),
    ) -> None:
        super().__init__("Columns", parent)
        self._settings, self._setting, self._default = settings, setting, list(default)
        self.chosen = {name for name in settings.get(setting) if name in titles} or set(default)
        self.switches: dict[str, QAction] = {}
        for name, title in titles.items():
            if name in apart:
                self.addSeparator()
            action = self.switches[name] = self.addAction(title)
            action.setCheckable(True)
            action.setChecked(name in self.chosen)
            action.toggled.connect(partial(self._choose, name))
        self.addSeparator()
        self.addAction("Show All", lambda: self._choose_all(list(titles)))
        self.addAction("Restore Defaults", lambda: self._choose_all(self._default))

    def use_default(self, names: Sequence[str]) -> None:
        """Show these unless somebody has chosen others."""
        is_default = self.chosen == set(self._default)
        self._default = list(names)
        if is_default:
            self._show(names)

    def _choose(self, name: str, shown: bool) -> None:
        if shown != (name in self.chosen):  # else the menu follows
            chosen = (self.chosen | {name} if shown else self.chosen - {name}) or {name}
            self._choose_all([each for each in self.switches if each in chosen])

    def _choose_all(self, names: Sequence[str]) -> None:
        self._settings.set(self._setting, list(names))
        self._show(names)
        self.changed.emit()

    def _show(self, names: Sequence[str]) -> None:
        self.chosen = set(names)
        for name, action in self.switches.items():
            action.setChecked(name in self.chosen)
