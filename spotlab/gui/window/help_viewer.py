"""Shows the help pages beside the window; tables of keys and tools are made from what there is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Signal, qVersion
from PySide6.QtGui import QDesktopServices, QImage, QKeyEvent, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QWidget

import spotlab
from spotlab.diagnosis.software import build, versions
from spotlab.errors import SpotlabError
from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.kit import theme
from spotlab.gui.kit.command_delegate import CommandDelegate
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.window.plugin_problems import problems_list
from spotlab.gui.workspace.workspace import tool_kinds
from spotlab.resources import help_folder, help_pages
from spotlab.spotting.symbols.methods import methods

if TYPE_CHECKING:
    from spotlab.gui.window.action_table import Actions

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
    """A list of pages at the left, the page at the right."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._actions = actions
        self._shown, self._width = "", 0  # the name of the page; screen px that it was fitted to
        self.setWindowTitle("spotlab help")
        self.resize(980, 720)
        OnScreen(self)
        self.list = QListWidget()
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setItemDelegate(CommandDelegate(self.list))
        with suppress(SpotlabError):  # then the page itself says that the help is missing
            for name, title in help_pages().items():
                item = QListWidgetItem(title)
                item.setData(NAME, name)
                self.list.addItem(item)
        self.browser = HelpBrowser()
        self.browser.setOpenLinks(False)
        with suppress(SpotlabError):  # then the pages are missing, too, and say so
            self.browser.setSearchPaths([str(help_folder())])
        self.browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.browser.document().setDocumentMargin(MARGIN)
        self.browser.anchorClicked.connect(self._follow_link)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.list)
        layout.addWidget(self.browser)
        self._fitting = QTimer(self, singleShot=True, interval=0)  # never while a page is set
        self._fitting.timeout.connect(self._fit)
        self.browser.width_changed.connect(self._fitting.start)
        self.list.currentItemChanged.connect(lambda item, _: self._show_item(item))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def open(self, name: str) -> None:
        """Show a page."""
        self.show()  # first: pictures are as wide as the page
        names = self._names()
        row = names.index(name) if name in names else -1
        if row in (-1, self.list.currentRow()):
            self._show(name)
        self.list.setCurrentRow(row)
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

    def _names(self) -> list[str]:
        return [self.list.item(row).data(NAME) for row in range(self.list.count())]

    def _fit(self) -> None:
        """Scale the pictures to the new width, where the page was read."""
        if not self._shown or self._width == self.browser.viewport().width():
            return
        scroll_bar = self.browser.verticalScrollBar()
        share = scroll_bar.value() / max(scroll_bar.maximum(), 1)
        self._show(self._shown)
        scroll_bar.setValue(round(share * scroll_bar.maximum()))

    def _show_item(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._show(item.data(NAME))

    def _show(self, name: str) -> None:
        self._shown, self._width = name, self.browser.viewport().width()
        text = self.page(name)
        dark = theme.is_dark(self.palette())
        self.browser.setMarkdown(text.replace("-light.png", "-dark.png") if dark else text)

    def _follow_link(self, url: QUrl) -> None:
        name = url.toString().removesuffix(".md")
        if name in self._names():
            self.open(name)
        else:
            QDesktopServices.openUrl(url)


def about_build() -> str:
    """How this spotlab was made, as a sentence."""
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
