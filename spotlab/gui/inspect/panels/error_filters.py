"""Filters of the list of errors: a chip for each says what it keeps; a click removes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.inspect.panels.error_model import KINDS, LOOKS, MEANINGS, NAMES, TITLES
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, Flow, fill, in_column
from spotlab.measures.confusion import TEXTS, ErrorFilter
from spotlab.measures.matching import ErrorKind
from spotlab.report.figure_text import written


class KindChips(QWidget):
    """Chips, a button that checks all of them, and how many errors are listed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips = {kind: self._chip(kind) for kind in KINDS}
        self.all = set_up(
            QToolButton(), text="All", tip="List errors of all kinds", does=self._check_all
        )
        self.count = set_up(QLabel(), role="quiet")
        row = fill(
            Flow(2, 0), *self.chips.values(), self.all, STRETCH, self.count, margins=(8, 4, 12, 4)
        )
        self.setLayout(row)
        for kind, chip in self.chips.items():
            chip.setIcon(theme.icon(*LOOKS[kind]))

    @property
    def kinds(self) -> frozenset[ErrorKind]:
        """The kinds that are checked."""
        return frozenset(kind for kind, chip in self.chips.items() if chip.isChecked())

    def show_counts(self, counts: Mapping[ErrorKind, int], listed: int, *, in_words: bool) -> None:
        """Show how many errors there are of each kind, with its name or only its icon."""
        for kind, chip in self.chips.items():
            count = f"{counts[kind]:,}"
            chip.setText(f"{kind.words} {count}" if in_words else count)
        all = sum(counts.values())
        self.count.setText(f"{listed:,} of {all:,}" if listed != all else "")
        self.all.setVisible(len(self.kinds) < len(KINDS))

    def _chip(self, kind: ErrorKind) -> QToolButton:
        chip = QToolButton()
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setToolTip(rich(f"<p><b>{kind.words.capitalize()}</b>: {MEANINGS[kind]}</p>"))
        chip.setAccessibleName(f"List {kind.words}")
        chip.clicked.connect(lambda _: self.changed.emit())
        return chip

    def _check_all(self) -> None:
        for chip in self.chips.values():
            chip.setChecked(True)
        self.changed.emit()


Counts = Callable[[str], Mapping[str, int]]  # what a column of texts holds, and how often
SHARES = 100.0  # shares are typed in %


class ErrorFilters(QWidget):
    """A button that adds a filter, and a chip for each."""

    changed = Signal()

    def __init__(self, counts: Counts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._filters: dict[str, ErrorFilter] = {}
        self.chips: dict[str, QToolButton] = {}
        menu = QMenu(self)
        self.add = set_up(
            QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon),
            text="Filter", tip="List only errors with certain values", menu=menu,
        )  # fmt: skip
        for name in NAMES[1:]:
            menu.addAction(f"{TITLES[name][0]}…", partial(self.ask, name))
        self._row = Flow(4, 2)
        self._row.addWidget(self.add)
        self.setLayout(self._row)
        self.add.setIcon(theme.icon("filter-variant"))

    @property
    def filters(self) -> tuple[ErrorFilter, ...]:
        """All filters."""
        return tuple(self._filters.values())

    def set_filter(self, wanted: ErrorFilter) -> None:
        """Filter a column in this way, instead of how it was filtered."""
        if wanted == ErrorFilter(wanted.column):
            self.remove(wanted.column)
            return
        self._filters[wanted.column] = wanted
        chip = self.chips.get(wanted.column)
        if chip is None:
            chip = self.chips[wanted.column] = QToolButton()
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setIcon(theme.icon("close"))
            chip.setToolTip("Remove this filter")
            chip.clicked.connect(lambda _=False, name=wanted.column: self.remove(name))
            self._row.addWidget(chip)
        chip.setText(described(wanted).replace("&", "&&"))
        self.changed.emit()

    def remove(self, column: str) -> None:
        """Filter the column no longer."""
        if self._filters.pop(column, None) is not None:
            chip = self.chips.pop(column)
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
            self.changed.emit()

    def ask(self, column: str) -> FilterPopup:
        """Let the user choose what of a column remains."""
        known = self._filters.get(column, ErrorFilter(column))
        counts = self._counts(column) if column in TEXTS else {}
        popup = FilterPopup(known, counts, self.set_filter, self)
        popup.move(self.add.mapToGlobal(QPoint(0, self.add.height())))
        popup.show()
        return popup


class FilterPopup(QFrame):
    """A list of texts to check, or the ends of a range; what is chosen holds at once."""

    def __init__(
        self,
        known: ErrorFilter,
        counts: Mapping[str, int],
        apply: Callable[[ErrorFilter], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._known, self._apply = known, apply
        title, tip = TITLES[known.column]
        layout = in_column(QLabel(rich(f"<b>{title}</b>")), of=self, margins=(10, 8, 10, 8))
        meaning = set_up(QLabel(tip, wordWrap=True), role="quiet")
        layout.addWidget(meaning)
        if known.column in TEXTS:
            self._add_texts(layout, counts)
        else:
            self._add_range(layout)
        self.setMinimumWidth(260)

    def _add_texts(self, layout: QVBoxLayout, counts: Mapping[str, int]) -> None:
        self.search = QLineEdit(placeholderText="Search", clearButtonEnabled=True)
        self.search.textChanged.connect(self._search)
        self.list = QListWidget()
        for name in dict.fromkeys([*sorted(self._known.texts), *counts]):
            item = QListWidgetItem(f"{name}   {counts.get(name, 0):,}")
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = name in self._known.texts
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.itemChanged.connect(lambda _: self._use_texts())
        layout.addWidget(self.search)
        layout.addWidget(self.list)
        self.search.setFocus()

    def _add_range(self, layout: QVBoxLayout) -> None:
        scale = SHARES if self._known.column.endswith("share") else 1.0
        self.low, self.high = QLineEdit(placeholderText="from"), QLineEdit(placeholderText="to")
        row = QHBoxLayout()
        for field, value in ((self.low, self._known.low), (self.high, self._known.high)):
            field.setValidator(QDoubleValidator(field))
            field.setText("" if value is None else f"{value * scale:g}")
            field.returnPressed.connect(self._use_range)
            row.addWidget(field)
        if scale != 1:
            row.addWidget(QLabel("%"))
        done = set_up(QPushButton("Apply"), does=lambda _: self._use_range())
        row.addWidget(done)
        layout.addLayout(row)
        self.low.setFocus()

    def _search(self, text: str) -> None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(text.casefold() not in item.text().casefold())

    def _use_texts(self) -> None:
        items = [self.list.item(row) for row in range(self.list.count())]
        checked = [item for item in items if item.checkState() is Qt.CheckState.Checked]
        names = frozenset(item.data(Qt.ItemDataRole.UserRole) for item in checked)
        self._apply(ErrorFilter(self._known.column, names))

    def _use_range(self) -> None:
        scale = SHARES if self._known.column.endswith("share") else 1.0
        low, high = (
            float(text.replace(",", ".")) / scale if text else None
            for text in (self.low.text(), self.high.text())
        )
        self._apply(ErrorFilter(self._known.column, low=low, high=high))
        self.close()


def described(wanted: ErrorFilter) -> str:
    """A filter in words.

    Examples
    --------
    >>> described(ErrorFilter("page", frozenset({"plan_1"})))
    'Page: plan_1'
    >>> described(ErrorFilter("iou", low=0.3))
    'IoU ≥ .300'
    """
    title = TITLES[wanted.column][0]
    if wanted.column in TEXTS:
        names = sorted(wanted.texts)
        shown = ", ".join(names[:2])
        return f"{title}: {shown}" + (f" and {len(names) - 2} more" if len(names) > 2 else "")
    ends = [
        None if end is None else _number(wanted.column, end) for end in (wanted.low, wanted.high)
    ]
    if None not in ends:
        return f"{title} {ends[0]} – {ends[1]}"
    return f"{title} ≥ {ends[0]}" if ends[0] is not None else f"{title} ≤ {ends[1]}"


def _number(column: str, value: float) -> str:
    if column.endswith("share"):
        return f"{SHARES * value:g} %"
    return written(value) if column == "iou" else f"{value:,g}"
