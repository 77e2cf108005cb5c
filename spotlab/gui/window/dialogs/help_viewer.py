"""Shows the help pages beside the window; tables of keys and tools are made from what there is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, QUrl, Signal, qVersion
from PySide6.QtGui import (
    QAction,
    QDesktopServices,
    QImage,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QWidget,
)

import spotlab
from spotlab import registry
from spotlab.diagnosis.machine import build, versions
from spotlab.errors import SpotlabError
from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.kit import theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.rows import QUIET, CommandDelegate
from spotlab.gui.kit.widgets import in_column, in_row
from spotlab.gui.workspace import tool_kinds
from spotlab.resources import help_folder, help_groups
from spotlab.spotting.symbols.methods import methods

if TYPE_CHECKING:
    from spotlab.gui.window.actions import Actions


NAME = Qt.ItemDataRole.UserRole
LIST_WIDTH = 256  # px, for the longest title
MARGIN = 22  # px around the text of a page


class HelpBrowser(QTextBrowser):
    """A page of the help; pictures that are wider than the page are scaled to its width."""

    width_changed = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell when pictures have to be scaled again."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.width_changed.emit()

    def loadResource(self, type: int, name: QUrl | str) -> object:
        """Pictures in the size in which they are shown, anything else as it is."""
        if type != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(type, name)
        file = Path(*self.searchPaths()[:1], QUrl(name).toString())
        ratio = self.devicePixelRatioF()
        image = QImage(str(file))
        width = round(min(image.width(), self.viewport().width() - 2 * MARGIN) * ratio)
        if ratio > 1:
            large = QImage(str(file.with_stem(f"{file.stem}@2x")))
            image = image if large.isNull() else large
        if image.width() > width:
            image = image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(ratio)
        return image


class HelpViewer(QWidget):
    """A list of pages at the left, in groups and with a search; the page at the right."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._actions = actions
        self._shown, self._width = "", 0  # the name of the page; screen px that it was fitted to
        self._trail: list[str] = []  # names of pages as they were read
        self._at = -1  # in the trail
        self._texts: dict[str, str] = {}  # of all pages, in small letters, for the search
        self.setWindowTitle("Help – spotlab")
        self.resize(980, 720)
        OnScreen(self)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search the help")
        self.search.setAccessibleName("Search the help")
        self.search.setClearButtonEnabled(True)
        self.list = set_up(QListWidget(), name="Help pages")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(CommandDelegate(self.list))
        self._list_pages()
        self.browser = HelpBrowser()
        self.browser.setAccessibleName("Help page")
        self.browser.setOpenLinks(False)
        with suppress(SpotlabError):  # then the pages are missing, too, and say so
            self.browser.setSearchPaths([str(help_folder())])
        self.browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.browser.document().setDocumentMargin(MARGIN)
        self.browser.anchorClicked.connect(self._follow_link)
        self.back = self._step_button("Back", "Alt+Left", -1)
        self.forward = self._step_button("Forward", "Alt+Right", 1)
        self._lay_out()
        self.back.defaultAction().setIcon(icons.icon("arrow-left"))
        self.forward.defaultAction().setIcon(icons.icon("arrow-right"))
        self._fitting = QTimer(self, singleShot=True, interval=0)  # never while a page is set
        self._fitting.timeout.connect(self._fit)
        self.browser.width_changed.connect(self._fitting.start)
        self.list.currentItemChanged.connect(lambda item, _: self._show_item(item))
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._open_first)

    def _step_button(self, text: str, key: str, by: int) -> QToolButton:
        step = QAction(text, self)
        step.setShortcut(QKeySequence(key))
        keys = step.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        step.setToolTip(f"{text}  ({keys})")
        step.triggered.connect(lambda _: self._step(by))
        self.addAction(step)
        button = set_up(QToolButton(), name=text)
        button.setDefaultAction(step)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        head = in_row(self.back, self.forward, self.search, margins=6)
        side = QWidget()
        side.setFixedWidth(LIST_WIDTH)
        in_column(head, self.list, of=side, margins=0, spacing=0)
        in_row(side, self.browser, of=self, margins=0, spacing=1)

    def _list_pages(self) -> None:
        with suppress(SpotlabError):  # then the page itself says that the help is missing
            for group, pages in help_groups().items():
                if group:
                    title = QListWidgetItem(group.upper())
                    title.setFlags(Qt.ItemFlag.ItemIsEnabled)
                    title.setData(QUIET, True)
                    self.list.addItem(title)
                for name, text in pages.items():
                    item = QListWidgetItem(text)
                    item.setData(NAME, name)
                    self.list.addItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, Ctrl+F goes to the search."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.selectAll()
        else:
            super().keyPressEvent(event)

    def open(self, name: str) -> None:
        """Show a page."""
        self.show()  # first: pictures are as wide as the page
        self._go(name)
        del self._trail[self._at + 1 :]
        if self._trail[-1:] != [name]:
            self._trail.append(name)
        self._at = len(self._trail) - 1
        self._offer_steps()
        self.raise_()
        self.activateWindow()

    def page(self, name: str) -> str:
        """The Markdown of a page, with what only the program knows put in."""
        try:
            text = (help_folder() / f"{name}.md").read_text("utf-8")
        except (OSError, SpotlabError) as error:
            return f"# Help\n\nThis help page cannot be read: {error}"
        return (
            text.replace("{{tools}}", tools_table(self._actions))
            .replace("{{keys}}", keys_table(self._actions))
            .replace("{{methods}}", methods_table())
            .replace("{{version}}", spotlab.__version__)
            .replace("{{build}}", about_build() if "{{build}}" in text else "")
            .replace("{{versions}}", versions_table() if "{{versions}}" in text else "")
            .replace("{{problems}}", problems_list())
        )

    def _go(self, name: str) -> None:
        """Show a page and choose it in the list, without remembering the way."""
        with QSignalBlocker(self.list):
            item = self._items().get(name)
            self.list.setCurrentRow(-1 if item is None else self.list.row(item))
        self._show(name)

    def _step(self, by: int) -> None:
        """Show the page that was read before or after this one."""
        if 0 <= self._at + by < len(self._trail):
            self._at += by
            self._go(self._trail[self._at])
            self._offer_steps()

    def _offer_steps(self) -> None:
        self.back.defaultAction().setEnabled(self._at > 0)
        self.forward.defaultAction().setEnabled(self._at < len(self._trail) - 1)

    def _items(self) -> dict[str, QListWidgetItem]:
        """The rows of pages by name; titles of groups are none."""
        rows = map(self.list.item, range(self.list.count()))
        return {item.data(NAME): item for item in rows if item.data(NAME)}

    def _filter(self, text: str) -> None:
        """List the pages that hold all words, and mark these on the page that is shown."""
        words = text.casefold().split()
        items = self._items()
        if words and not self._texts:
            self._texts = {name: self.page(name).casefold() for name in items}
        for row in range(self.list.count()):
            item = self.list.item(row)
            held = self._texts.get(item.data(NAME), "")
            item.setHidden(bool(words) and not (held and all(word in held for word in words)))
        self._mark()

    def _open_first(self) -> None:
        """Open the first page that holds the words; one with a word in its title comes first."""
        words = self.search.text().casefold().split()
        fitting = [item for item in self._items().values() if not item.isHidden()]
        fitting.sort(key=lambda item: not any(word in item.text().casefold() for word in words))
        if fitting and words:
            self.open(fitting[0].data(NAME))

    def _mark(self) -> None:
        """Mark the words that are searched on the page, and go to the first."""
        marks = []
        for word in self.search.text().split():
            cursor = self.browser.document().find(word)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor
                mark.format.setBackground(self.palette().highlight())
                mark.format.setForeground(self.palette().highlightedText())
                marks.append(mark)
                cursor = self.browser.document().find(word, cursor)
        self.browser.setExtraSelections(marks)
        if marks:
            first = min((mark.cursor for mark in marks), key=lambda cursor: cursor.position())
            first.clearSelection()
            self.browser.setTextCursor(first)

    def _fit(self) -> None:
        """Scale the pictures to the new width, where the page was read."""
        if not self._shown or self._width == self.browser.viewport().width():
            return
        scroll_bar = self.browser.verticalScrollBar()
        share = scroll_bar.value() / max(scroll_bar.maximum(), 1)
        self._show(self._shown)
        scroll_bar.setValue(round(share * scroll_bar.maximum()))

    def _show_item(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(NAME):
            self.open(item.data(NAME))

    def _show(self, name: str) -> None:
        self._shown, self._width = name, self.browser.viewport().width()
        text = self.page(name)
        dark = theme.is_dark(self.palette())
        self.browser.setMarkdown(text.replace("-light.png", "-dark.png") if dark else text)
        self._mark()

    def _follow_link(self, url: QUrl) -> None:
        name = url.toString().removesuffix(".md")
        if name in self._items():
            self.open(name)
        else:
            QDesktopServices.openUrl(url)


def about_build() -> str:
    """Tell how this spotlab was made, as a sentence."""
    text = build()
    return f"{text[0].upper()}{text[1:]}."


def versions_table() -> str:
    """The versions of Python, Qt and all packages that spotlab stands on."""
    found = {"Python": "", "Qt": qVersion()} | versions()
    rows = [f"| {name} | {number or 'not installed'} |" for name, number in found.items()]
    return "| Package | Version |\n|---|---|\n" + "\n".join(rows)


def keys_table(actions: Actions) -> str:
    """All actions that have keys, menu by menu."""
    parts = []
    for menu in actions.menus:
        rows = []
        for action in menu.actions:
            keys = " or ".join(f"`{key}`" for key in actions.keymap.keys(action.id))
            if keys and not action.id.startswith("label.key"):
                rows.append(
                    f"| {action.plain_title} | {keys} | {action.tip.replace(chr(10), '. ')} |"
                )
        if rows:
            title = menu.title.replace("&", "")
            parts.append(f"## {title}\n\n| Action | Keys | |\n|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts)


def tools_table(actions: Actions) -> str:
    """All tools with their keys and hints."""
    rows = [
        f"| **{kind.title}** | {actions.keymap.shown(f'tool.{kind.name}')} | {_sentences(kind)} |"
        for kind in tool_kinds()
    ]
    return "| Tool | Key | |\n|---|---|---|\n" + "\n".join(rows)


def _sentences(kind: ToolKind) -> str:
    return ". ".join(filter(None, (kind.hint, kind.keys))) + "."


def methods_table() -> str:
    """All ways to spot symbols, those of other people's packages too."""
    rows = [
        f"| **{each.name}** | {each.title} | {each.definition} |" for each in methods().values()
    ]
    return "| Method | | |\n|---|---|---|\n" + "\n".join(rows)


def problems_list() -> str:
    """Packages that cannot be used, in Markdown for the page about the program, or nothing."""
    lines = [f"- {_escaped(line)}\n" for line in registry.problems()]
    return "## Packages that cannot be used\n\n" + "".join(lines) if lines else ""


def _escaped(text: str) -> str:
    """The text as Markdown shows it."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|!" else sign for sign in text)
