"""What stands in place of the canvas while no collection is open: what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from spotlab.gui.kit import icons
from spotlab.gui.kit.flow import Flow

SHOWN = 5
LONGEST = 420  # px of a path


class Welcome(QWidget):
    """Offers to open a folder, the sample, or what was open before."""

    def __init__(
        self,
        ask: Callable[[], object],
        sample: Callable[[], object],
        open_path: Callable[[Path], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_path = open_path
        self.mark = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        title = QLabel("Annotate your pages", alignment=Qt.AlignmentFlag.AlignCenter)
        title.setProperty("role", "title")
        text = QLabel(
            "Open a folder of images, or drop one here.\nYour work is saved automatically as PAGE "
            "XML beside each image.",
            alignment=Qt.AlignmentFlag.AlignCenter,
        )
        text.setProperty("role", "quiet")
        for label in (title, text):
            label.setWordWrap(True)
        self.folder_button = QPushButton("Open a folder…")
        self.folder_button.setProperty("prominent", True)
        self.folder_button.clicked.connect(lambda _: ask())
        self.sample_button = QPushButton("Open the sample collection")
        self.sample_button.setToolTip("Your own copy of sample pages with truth, to try spotlab")
        self.sample_button.clicked.connect(lambda _: sample())
        buttons = Flow(10, 8, centred=True)
        for button in (self.folder_button, self.sample_button):
            button.setMinimumHeight(34)
            button.setIconSize(QSize(18, 18))
            buttons.addWidget(button)
        self.recent = QVBoxLayout()
        self.recent.setSpacing(2)
        layout = QVBoxLayout(self)
        layout.setSpacing(14)
        layout.addStretch(2)
        for widget in (self.mark, title, text):
            layout.addWidget(widget)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        layout.addSpacing(10)
        layout.addLayout(self.recent)
        layout.addStretch(3)
        icons.repainted.changed.connect(self._paint)
        self._paint()

    def show_recent(self, paths: list[Path]) -> None:
        """Offer these as well."""
        while (item := self.recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget:
                widget.deleteLater()
        for path in paths[:SHOWN]:
            button = QToolButton()
            text = f"{path.name}    {_short(path.parent)}"
            side = Qt.TextElideMode.ElideMiddle
            button.setText(button.fontMetrics().elidedText(text, side, LONGEST))
            button.setToolTip(str(path))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setIcon(icons.icon("history"))
            button.clicked.connect(lambda _=False, path=path: self._open_path(path))
            self.recent.addWidget(button, alignment=Qt.AlignmentFlag.AlignHCenter)

    def _paint(self) -> None:
        self.mark.setPixmap(icons.pixmap("vector-polygon", 64, "#56B4E9"))
        self.folder_button.setIcon(icons.icon("folder-open-outline", "#ffffff"))
        self.sample_button.setIcon(icons.icon("home-floor-1"))


def _short(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
