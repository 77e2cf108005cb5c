"""Icons of one set, painted in the colours that the theme has at the time."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

PREFIX = "materialdesignicons6-webfont"  # then the version, or nothing
SHARE = 0.875  # of an icon's height that its characters are high: the font leaves room around them


class ThemeIcon(QIconEngine):
    """Paints an icon in the colours that the theme has then: nobody has to set it again.

    Parameters
    ----------
    name : str
        With or without the set's prefix ``mdi6.``; with the prefix of another set of qtawesome, one
        of that. An unknown one is painted as `UNKNOWN`.
    colour : str
        As `QColor` takes it; empty for the theme's.
    """

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name, self._colour = name, colour

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        mode: QIcon.Mode,
        state: QIcon.State,
    ) -> None:
        """Paint the icon into the middle."""
        enabled, disabled = self._colour or _colours[0], _colours[1]
        foreign = _foreign(self._name, enabled, disabled)
        if foreign is not None:
            foreign.paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)
            return
        own, known = self._name.removeprefix(f"{SET}."), _characters()
        font = QFont(_family())
        font.setPixelSize(max(round(SHARE * rect.height()), 1))
        painter.save()
        painter.setPen(QColor(disabled if mode == QIcon.Mode.Disabled else enabled))
        painter.setFont(font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, known.get(own, known[UNKNOWN]))
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon on nothing."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return pixmap


@cache
def _foreign(name: str, colour: str, disabled: str) -> QIcon | None:
    """An icon of another set; None for one of ours, and where nobody knows it."""
    if name.rpartition(".")[0] in ("", SET):
        return None
    import qtawesome  # noqa: PLC0415 - takes as long as Qt, and only other people's icons need it

    try:
        painted: QIcon = qtawesome.icon(name, color=colour, color_disabled=disabled)
    except Exception:  # other people's tools and workspaces may name one that there is not
        return None
    return painted


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


class _Repainted(QObject):
    """Says that the whole theme has other colours now, to those who keep something painted."""

    changed = Signal()


SET = "mdi6"
UNKNOWN = "puzzle-outline"  # in place of an icon that is not in the set

repainted = _Repainted()
_colours = ("#1d2329", "#5c6670")  # of icons, and of those that are disabled


@cache
def icon(name: str, colour: str = "") -> QIcon:
    """An icon of Material Design's set, for instance ``icon("content-save")``; see `ThemeIcon`."""
    return QIcon(ThemeIcon(name, colour))


def pixmap(name: str, side: int = 18, colour: str = "") -> QPixmap:
    """The icon as a pixmap of this many px, in the colours of now."""
    return icon(name, colour).pixmap(QSize(side, side))


def use(text: str, quiet: str) -> None:
    """Paint icons in these colours from now on."""
    global _colours  # noqa: PLW0603 - there is one application
    _colours = text, quiet
