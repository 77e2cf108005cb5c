"""The reading order as a tree of groups and regions, whose rows are dragged between others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QItemSelectionModel, QPoint, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spotlab.gui.annotate.order.actions import (
    leave_out,
    order_as_selected,
    order_by_position,
    set_order,
)
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.widgets import EmptyNote, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import OrderGroup, Region, new_id
from spotlab.model.reading_order import OrderItem

_ITEM = Qt.ItemDataRole.UserRole
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_NOTHING = "Nobody has said in which order the regions are read. “By Position” proposes one."
_TIP = (
    "Drag rows to where they are read, or move them by Alt+↑ and Alt+↓. Rows at the end are not in "
    "the order"
)


class OrderTree(QTreeWidget):
    """Rows are groups and regions; at the end are those that the order has not."""

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Reading order")
        self.setToolTip(_TIP)
        self.setHeaderLabels(["Order", "Region"])
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def dropEvent(self, event: QDropEvent) -> None:
        """Rows were dragged to another place."""
        super().dropEvent(event)
        QTimer.singleShot(0, self, self.moved.emit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt and an arrow move the current row among its siblings."""
        held = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if held and event.key() in _STEPS:
            self._step(_STEPS[Qt.Key(event.key())])
            event.accept()
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        item = self.currentItem()
        if item is None or item.data(0, _ITEM) is None:
            return
        parent = item.parent() or self.invisibleRootItem()
        place = parent.indexOfChild(item)
        last = parent.childCount() - 1 - (parent is self.invisibleRootItem() and self.has_others)
        if 0 <= place + by <= last:
            parent.removeChild(item)
            parent.insertChild(place + by, item)
            self.setCurrentItem(item)
            self.moved.emit()

    @property
    def has_others(self) -> bool:
        """Tell whether the last row holds regions that are not in the order."""
        last = self.topLevelItem(self.topLevelItemCount() - 1)
        return last is not None and last.data(0, _ITEM) is None

    def items(self) -> Iterator[QTreeWidgetItem]:
        """All rows."""
        stack = [self.invisibleRootItem()]
        while stack:
            children = _children(stack.pop())
            yield from children
            stack += children


class OrderPanel(LivePanel):
    """The tree, and buttons for what is done to all of it; the selection is that of the page."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.tree = OrderTree()
        self.nothing = EmptyNote(_NOTHING)
        self.position = QPushButton("By Position")
        self.position.setToolTip("Propose an order: columns from left to right")
        self.selected = QPushButton("As Selected")
        self.selected.setToolTip(
            "Read the selected regions in the order in which you selected them"
        )
        row = in_row(self.position, self.selected, margins=(8, 8, 8, 4))
        in_column(row, self.nothing, (self.tree, 1), of=self, margins=0, spacing=0)
        self._following = False
        self.position.clicked.connect(lambda: order_by_position(workbench))
        self.selected.clicked.connect(lambda: order_as_selected(workbench))
        self.tree.moved.connect(self._read)
        self.tree.itemSelectionChanged.connect(self._choose)
        self.tree.customContextMenuRequested.connect(self._offer)
        self.redraw_on(workbench.document_changed, workbench.page_changed)
        self.follow(workbench.selection_changed, self._follow_selection)

    def draw(self) -> None:
        """Fill the tree anew."""
        document = self.workbench.document
        order = document.page.order if document is not None else None
        regions = document.regions if document is not None else ()
        placed = set(order.ids) if order is not None else set()
        self.nothing.setVisible(order is None)
        self.position.setEnabled(bool(regions))
        with QSignalBlocker(self.tree):
            self.tree.clear()
            root = self.tree.invisibleRootItem()
            if order is not None:
                known = {region.id: region for region in regions}
                self._fill(root, order, known, "")
            others = [region for region in regions if region.id not in placed]
            if others:
                self._add_others(root, others)
        self._follow_selection()

    def _fill(
        self, parent: QTreeWidgetItem, group: OrderGroup, known: dict[str, Region], before: str
    ) -> None:
        for number, item in enumerate(group.items, 1):
            own = f"{before}{number if group.ordered else '•'}"
            if isinstance(item, str):
                parent.addChild(_row(own, item, known.get(item)))
                continue
            kind = "Group" if item.ordered else "Group in any order"
            title = f"{kind}: {item.caption}" if item.caption else kind
            row = QTreeWidgetItem([own, title])
            row.setData(0, _ITEM, _Kept(replace(item, items=())))
            parent.addChild(row)
            self._fill(row, item, known, f"{own}.")
            row.setExpanded(True)

    def _add_others(self, root: QTreeWidgetItem, others: Sequence[Region]) -> None:
        row = QTreeWidgetItem(["–", f"Not in the order ({len(others):,})"])
        row.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled)
        root.addChild(row)
        for region in others:
            row.addChild(_row("", region.id, region))
        row.setExpanded(True)

    def _read(self) -> None:
        """Take the order that the rows have now."""
        document = self.workbench.document
        if document is None:
            return
        order = document.page.order or OrderGroup(id=new_id())
        items = tuple(_items(self.tree.invisibleRootItem()))
        changed = replace(order, items=items) if items else None
        if changed != document.page.order:
            set_order(self.workbench, "Change reading order", changed)
        self.refresh()

    def _choose(self) -> None:
        if self._following:
            return
        ids = [row.data(0, _ITEM) for row in self.tree.selectedItems()]
        self._following = True
        self.workbench.selection.set([id for id in ids if isinstance(id, str)])
        self._following = False

    def _follow_selection(self) -> None:
        if self._following:
            return
        chosen = set(self.workbench.selection.ids)
        self._following = True
        self.tree.clearSelection()
        rows = [row for row in self.tree.items() if row.data(0, _ITEM) in chosen] if chosen else []
        for row in rows:
            row.setSelected(True)
        if rows:
            command = QItemSelectionModel.SelectionFlag.NoUpdate
            self.tree.setCurrentItem(rows[0], 0, command)
            self.tree.scrollToItem(rows[0])
        self._following = False

    def _offer(self, place: QPoint) -> None:
        rows = [row for row in self.tree.selectedItems() if row.data(0, _ITEM) is not None]
        at = self.tree.itemAt(place)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if rows:
            menu.addAction("Group", lambda: self._group(rows))
        kept = at.data(0, _ITEM) if at is not None else None
        if at is not None and isinstance(kept, _Kept):
            menu.addAction("Ungroup", lambda: self._ungroup(at))
            title = "Read in Any Order" if kept.group.ordered else "Read in This Order"
            menu.addAction(title, lambda: self._turn(at))
        order = self.workbench.document.page.order if self.workbench.document else None
        if order is not None:
            title = "All in Any Order" if order.ordered else "All in This Order"
            turned = replace(order, ordered=not order.ordered)
            menu.addAction(title, lambda: set_order(self.workbench, "Change reading order", turned))
        if self.workbench.selected:
            menu.addAction("Leave Out of the Order", lambda: leave_out(self.workbench))
        menu.exec(self.tree.viewport().mapToGlobal(place))

    def _group(self, rows: Sequence[QTreeWidgetItem]) -> None:
        """Put rows into a group at the place of the first."""
        parent = rows[0].parent() or self.tree.invisibleRootItem()
        place = min(at for row in rows if (at := parent.indexOfChild(row)) >= 0)
        if parent.data(0, _ITEM) is None and parent is not self.tree.invisibleRootItem():
            parent, place = self.tree.invisibleRootItem(), 0  # from those that have no place
        group = QTreeWidgetItem(["", ""])
        group.setData(0, _ITEM, _Kept(OrderGroup(id=new_id())))
        for row in rows:
            owner = row.parent() or self.tree.invisibleRootItem()
            owner.removeChild(row)
            group.addChild(row)
        parent.insertChild(min(place, parent.childCount()), group)
        self._read()

    def _ungroup(self, row: QTreeWidgetItem) -> None:
        parent = row.parent() or self.tree.invisibleRootItem()
        place = parent.indexOfChild(row)
        parent.insertChildren(place, row.takeChildren())
        parent.removeChild(row)
        self._read()

    def _turn(self, row: QTreeWidgetItem) -> None:
        group = row.data(0, _ITEM).group
        row.setData(0, _ITEM, _Kept(replace(group, ordered=not group.ordered)))
        self._read()


class _Kept:
    """A group without its members, as a row has it."""

    def __init__(self, group: OrderGroup) -> None:
        self.group = group


def _children(row: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (row.child(place) for place in range(row.childCount()))
    return [child for child in children if child is not None]


def _row(number: str, id: str, region: Region | None) -> QTreeWidgetItem:
    label = (region.label or "unlabeled") if region is not None else f"{id}, which is not here"
    text = " ".join(region.text.split()) if region is not None else ""
    row = QTreeWidgetItem([number, f"{label} · {text}" if text else label])
    row.setData(0, _ITEM, id)
    row.setFlags(row.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)
    return row


def _items(parent: QTreeWidgetItem) -> Iterator[OrderItem]:
    for row in _children(parent):
        item = row.data(0, _ITEM)
        if isinstance(item, str):
            yield item
        elif isinstance(item, _Kept):
            members = tuple(_items(row))
            if members:
                yield replace(item.group, items=members)
