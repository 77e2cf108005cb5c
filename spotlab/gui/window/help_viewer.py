"""Shows the help pages beside the window; tables of keys and tools are made from what there is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QWidget

import spotlab
from spotlab.errors import SpotlabError
from spotlab.gui.kit import theme
from spotlab.gui.kit.command_delegate import CommandDelegate
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.window.plugin_problems import problems_list
from spotlab.gui.workspace.workspace import tool_kinds
from spotlab.resources import help_folder
from spotlab.spotting.symbols.engine.method import methods

if TYPE_CHECKING:
    from spotlab.gui.window.action_table import Actions

PAGES = {
    "index": "Five minutes",
    "annotate": "Drawing truth",
    "inspect": "Inspecting runs",
    "symbols": "Spotting symbols",
    "words": "Searching words",
    "systems": "Comparing systems",
    "measures": "Measures",
    "keys": "Keys",
    "files": "Files",
    "python": "Python",
    "about": "About",
}
NAME = Qt.ItemDataRole.UserRole


class HelpViewer(QWidget):
    """A list of pages at the left, the page at the right."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._actions = actions
        self.setWindowTitle("spotlab help")
        self.resize(880, 680)
        OnScreen(self)
        self.list = QListWidget()
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedWidth(170)
        self.list.setItemDelegate(CommandDelegate(self.list))
        for name, title in PAGES.items():
            item = QListWidgetItem(title)
            item.setData(NAME, name)
            self.list.addItem(item)
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        with suppress(SpotlabError):  # then the pages are missing, too, and say so
            self.browser.setSearchPaths([str(help_folder())])
        self.browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.browser.document().setDocumentMargin(22)
        self.browser.anchorClicked.connect(self._follow_link)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.list)
        layout.addWidget(self.browser)
        self.list.currentItemChanged.connect(lambda item, _: self._show(item))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def open(self, name: str) -> None:
        """Show a page."""
        row = list(PAGES).index(name)
        if self.list.currentRow() == row:
            self._show(self.list.item(row))
        self.list.setCurrentRow(row)
        self.show()
        self.raise_()
        self.activateWindow()

    def page(self, name: str) -> str:
        """The Markdown of a page, with what only the program knows put in."""
        if name == "keys":
            return f"# Keys\n\n{keys_table(self._actions)}"
        try:
            text = (help_folder() / f"{name}.md").read_text("utf-8")
        except (OSError, SpotlabError) as error:
            return f"# Help\n\nThis page is not there: {error}"
        return (
            text.replace("{{tools}}", tools_table(self._actions))
            .replace("{{keys}}", keys_table(self._actions))
            .replace("{{methods}}", methods_table())
            .replace("{{version}}", spotlab.__version__)
            .replace("{{problems}}", problems_list())
        )

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            text = self.page(item.data(NAME))
            dark = theme.is_dark(self.palette())
            self.browser.setMarkdown(text.replace("-light.png", "-dark.png") if dark else text)

    def _follow_link(self, url: QUrl) -> None:
        name = url.toString().removesuffix(".md")
        if name in PAGES:
            self.open(name)
        else:
            QDesktopServices.openUrl(url)


def keys_table(actions: Actions) -> str:
    """All actions that have keys, menu by menu."""
    parts = []
    for menu in actions.menus:
        rows = []
        for action in menu.actions:
            keys = " or ".join(f"`{key}`" for key in actions.keymap.keys(action.id))
            if keys and not action.id.startswith("label.key"):
                rows.append(f"| {action.plain_title} | {keys} | {action.tip} |")
        if rows:
            title = menu.title.replace("&", "")
            parts.append(f"## {title}\n\n| Action | Keys | |\n|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts)


def tools_table(actions: Actions) -> str:
    """All tools with their keys and hints."""
    rows = [
        f"| **{kind.title}** | {actions.keymap.shown(f'tool.{kind.name}')} | {kind.hint} |"
        for kind in tool_kinds()
    ]
    return "| Tool | Key | |\n|---|---|---|\n" + "\n".join(rows)


def methods_table() -> str:
    """All ways to spot symbols, those of other people's packages too."""
    rows = [
        f"| **{each.name}** | {each.title} | {each.definition} |" for each in methods().values()
    ]
    return "| Method | | |\n|---|---|---|\n" + "\n".join(rows)
