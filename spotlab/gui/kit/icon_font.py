"""Icons that are characters of a font: Material Design's, from the files of qtawesome.

qtawesome itself is not imported: it patches all of Qt for programs of older versions, which takes
as long as Qt's own start.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QIcon,
    QIconEngine,
    QPainter,
    QPixmap,
)

PREFIX = "materialdesignicons6-webfont"  # then the version, or nothing
SHARE = 0.875  # of an icon's height that its characters are high: the font leaves room around them


class FontIcon(QIconEngine):
    """Paints one character of the font.

    Parameters
    ----------
    name : str
        What the set calls the icon; `KeyError` if there is none.
    colour, disabled : str
        As `QColor` takes them.
    """

    def __init__(self, name: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._character = _characters()[name]
        self._colour, self._disabled = QColor(colour), QColor(disabled)

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        mode: QIcon.Mode,
        state: QIcon.State,
    ) -> None:
        """Paint the character into the middle."""
        font = QFont(_family())
        font.setPixelSize(max(round(SHARE * rect.height()), 1))
        painter.save()
        painter.setPen(self._disabled if mode == QIcon.Mode.Disabled else self._colour)
        painter.setFont(font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon on nothing."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return pixmap


def _files(pattern: str) -> Path:
    package = find_spec("qtawesome")
    assert package is not None and package.origin is not None  # the window needs it
    return next(Path(package.origin).with_name("fonts").glob(PREFIX + pattern))


@cache
def _characters() -> dict[str, str]:
    codes: dict[str, str] = json.loads(_files("-charmap*.json").read_text("utf-8"))
    return {name: chr(int(code, 16)) for name, code in codes.items()}


@cache
def _family() -> str:
    loaded = QFontDatabase.addApplicationFontFromData(_files("*.ttf").read_bytes())
    return QFontDatabase.applicationFontFamilies(loaded)[0]
