"""The page list with its filter."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QWidget,
)

from spotlab.errors import SpotlabError, counted
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up, set_up_list
from spotlab.gui.kit.files import FileDialog, is_there
from spotlab.gui.kit.widgets import EmptyNote, Fitted, in_column
from spotlab.gui.pages.panel.page_model import (
    PAGE_ROLE,
    STATE_ICONS,
    STATE_WORDS,
    PageDelegate,
    PageFilter,
    PageModel,
)
from spotlab.gui.pages.panel.page_tags import PageTags
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import PageState
from spotlab.studies.tally.subset import SUFFIX, write_subset

PAUSE = 120  # ms of typing until the filter follows
SETTLE = 400  # ms until pages whose state has changed are filtered again
LABELS_OFFERED = 40
_SELECTING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_FILTERED = "No page passes the filter."
FILES = f"Subsets (*{SUFFIX})"


class PagesPanel(QWidget):
    """Lists the pages, filters them by name, label and state, opens the one that is clicked."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.model = PageModel(workbench, self)
        self.box = set_up(
            QLineEdit(placeholderText="Filter: name, label:sofa, tag:…", clearButtonEnabled=True),
            tip='Parts of the page name; label:sofa or label:"coffee table" finds pages with the '
            "label, tag:hand or tag:hand:B those with a tag, subset:test those of a saved subset",
            name="Filter pages",
        )
        self.chips = {state: self._chip(state) for state in PageState}
        self.label_menu, self.subset_menu = QMenu(self), QMenu(self)
        self.label_menu.aboutToShow.connect(self._offer_labels)
        self.subset_menu.aboutToShow.connect(self._offer_subsets)
        tip = "Show only pages with a certain label or tag"
        self.label_button = set_up(QToolButton(), tip=tip, menu=self.label_menu)
        tip = "Show the pages of a saved subset, or save those shown"
        self.subset_button = set_up(QToolButton(), tip=tip, name="Subsets", menu=self.subset_menu)
        self.tags = PageTags(workbench, self)
        self.count = set_up(Fitted(), role="quiet")
        self.list = self._list()
        self.nothing = EmptyNote(_FILTERED)
        self._lay_out()
        self._typing = QTimer(self, singleShot=True, interval=PAUSE)
        self._typing.timeout.connect(self.apply_filter)
        self._settling = QTimer(self, singleShot=True, interval=SETTLE)
        self._settling.timeout.connect(self._refilter)
        self.box.textChanged.connect(lambda _: self._typing.start())
        workbench.shown.filter_changed.connect(self._follow_filter)
        self.box.returnPressed.connect(self._open_first)
        self.model.modelReset.connect(self._rows_changed)
        workbench.page_changed.connect(self._follow)
        workbench.entries_changed.connect(self._show_count)
        workbench.state_changed.connect(self._state_changed)
        for state, chip in self.chips.items():
            chip.setIcon(theme.icon(STATE_ICONS[state]))
        self.label_button.setIcon(theme.icon("tag-outline"))
        self.subset_button.setIcon(theme.icon("bookmark-outline"))
        self._show_count()
        self._follow()

    def apply_filter(self) -> None:
        """Let the list show what the box and the states ask for."""
        self._typing.stop()
        states = [state for state, chip in self.chips.items() if chip.isChecked()]
        self.workbench.shown.filter(self.box.text(), states)

    def save_subset(self) -> None:
        """Ask for a file, and write the names of the shown pages to it."""
        folder = self.workbench.shown.subset_folder
        if folder is None:
            return
        start = folder if is_there(folder) else folder.parent
        title = "Save Shown Pages as a Subset"
        dialog = FileDialog(self.window(), title, start)
        dialog.setDirectory(str(start))  # wherever that is: subsets are looked for there
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        dialog.ask(self._write_subset, filters=[FILES], suggested=f"subset{SUFFIX}")

    def _write_subset(self, path: Path) -> None:
        pages = [self.workbench.entries[page].name for page in self.model.pages()]
        try:
            write_subset(path, pages)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), True)
        else:
            self.workbench.said.emit(f"Wrote {path}: {counted(len(pages), 'page')}", False)

    def step(self, step: int) -> None:
        """Open the page this many further among those that pass the filter."""
        pages = self.model.pages()
        here = self.workbench.index
        if not pages or here is None:
            return
        if here in pages:
            row = pages.index(here) + step
        else:
            later = [row for row, page in enumerate(pages) if page > here]
            row = later[0] if step > 0 and later else len(pages) - len(later) - 1
        if 0 <= row < len(pages):
            self.workbench.open_page(pages[row])

    def _list(self) -> QListView:
        view = QListView(self)
        set_up_list(view, "Pages", self.model, PageDelegate(self.model, view), self._offer_tags)
        view.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        view.clicked.connect(self._clicked)
        view.activated.connect(self._open)
        return view

    def _chip(self, state: PageState) -> QToolButton:
        chip = QToolButton()
        chip.setCheckable(True)
        chip.setToolTip(f"Show only pages in the state {STATE_WORDS[state]}")
        chip.setAccessibleName(f"Only {state} pages")
        chip.toggled.connect(lambda _: self.apply_filter())
        return chip

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(0)
        for chip in self.chips.values():
            row.addWidget(chip)
        row.addWidget(self.label_button)
        row.addWidget(self.subset_button)
        row.addStretch()
        row.addWidget(self.count)
        head = in_column(self.box, row, margins=(8, 8, 8, 4), spacing=4)
        in_column(head, (self.nothing, 1), (self.list, 1), of=self, margins=0, spacing=0)

    def _offer_labels(self) -> None:
        self.label_menu.clear()
        counts = self.workbench.collection.counts().most_common(LABELS_OFFERED)
        for name, count in counts:
            action = QAction(f"{name}  ({count})", self.label_menu)
            action.triggered.connect(lambda _=False, name=name: self._only("label", name))
            self.label_menu.addAction(action)
        if not counts:
            self.label_menu.addAction("No page has a label yet").setEnabled(False)
        self.label_menu.addSeparator()
        for tag in self.workbench.collection.tags()[:LABELS_OFFERED]:
            action = self.label_menu.addAction(tag.replace("&", "&&"))
            action.triggered.connect(lambda _=False, tag=tag: self._only("tag", tag))

    def _offer_subsets(self) -> None:
        self.subset_menu.clear()
        for name in self.workbench.shown.saved():
            text = name.replace("&", "&&")
            action = self.subset_menu.addAction(text)
            action.triggered.connect(lambda _=False, name=name: self._only("subset", name))
        if self.subset_menu.isEmpty():
            self.subset_menu.addAction("No subset is saved yet").setEnabled(False)
        self.subset_menu.addSeparator()
        save = self.subset_menu.addAction("Save Shown Pages as a Subset…", self.save_subset)
        save.setEnabled(bool(self.model.rowCount()))

    def _only(self, kind: str, name: str) -> None:
        """Show only pages with a label or tag, or of a subset."""
        self.box.setText(f'{kind}:"{name}"' if " " in name else f"{kind}:{name}")
        self.apply_filter()

    def _open(self, index: QModelIndex) -> None:
        page = index.data(PAGE_ROLE)
        if page is not None and page != self.workbench.index:
            self.workbench.open_page(page)

    def _clicked(self, index: QModelIndex) -> None:
        """Open a page; with Ctrl or Shift it is only selected, to be tagged with others."""
        if not QApplication.keyboardModifiers() & _SELECTING:
            self._open(index)

    def selected_pages(self) -> list[int]:
        """The pages that are selected in the list, else the open one."""
        rows = sorted(index.row() for index in self.list.selectionModel().selectedRows())
        here = self.workbench.index
        return [self.model.shown[row] for row in rows] or ([] if here is None else [here])

    def _offer_tags(self, place: QPoint) -> None:
        index = self.list.indexAt(place)
        if index.isValid() and not self.list.selectionModel().isSelected(index):
            self.list.selectionModel().select(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pages = self.selected_pages()
        menu.addAction(f"Tags of {counted(len(pages), 'page')}").setEnabled(False)
        self.tags.fill(menu, pages)
        menu.exec(self.list.viewport().mapToGlobal(place))

    def _open_first(self) -> None:
        self.apply_filter()
        if self.model.rowCount():
            self._open(self.model.index(0, 0))

    def _follow(self) -> None:
        """Keep the open page in sight."""
        row = self.model.row_of(self.workbench.index)
        if row is None:
            self.list.clearSelection()
        else:
            index, selection = self.model.index(row, 0), self.list.selectionModel()
            flag = QItemSelectionModel.SelectionFlag
            kept = selection.isSelected(index)  # with others, perhaps
            selection.setCurrentIndex(index, flag.NoUpdate if kept else flag.ClearAndSelect)
            self.list.scrollTo(index)
        self.list.viewport().update()

    def _follow_filter(self) -> None:
        """Show the pages that the filter lets through, and in the widgets what it is."""
        shown = self.workbench.shown
        if self.box.text() != shown.text:
            self.box.setText(shown.text)
            self._typing.stop()
        for state, chip in self.chips.items():
            chip.setChecked(state in shown.states)
        self.model.set_filter(PageFilter.parse(shown.text, shown.states, shown.in_subset))
        self._follow()
        self._show_count()

    def _rows_changed(self) -> None:
        """Say which pages are shown."""
        pages, entries = self.model.pages(), self.workbench.entries
        everything = len(pages) == len(entries)
        self.workbench.shown.show(None if everything else [entries[at].name for at in pages])
        self._show_count()

    def _state_changed(self, _: int) -> None:
        if self.model.filter.needs_summary and not self._settling.isActive():
            self._settling.start()

    def _refilter(self) -> None:
        self.model.refilter()
        self._follow()
        self._show_count()

    def _show_count(self) -> None:
        shown, all = self.model.rowCount(), len(self.workbench.entries)
        self.nothing.setVisible(all > 0 and not shown)
        self.list.setVisible(not self.nothing.isVisibleTo(self))
        if shown != all:
            self.count.say(f"{shown:,} of {all:,}", f"{shown:,}")
        elif all:
            self.count.say(f"{all:,} pages" if all != 1 else "1 page", f"{all:,}")
        else:
            self.count.say("")
