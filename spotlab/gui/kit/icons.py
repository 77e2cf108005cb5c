"""Icons of one set, in the theme's colours; they follow when the theme changes."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

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


class _Repainted(QObject):
    """Says that the whole theme has other colours now: palette, style sheet and icons."""

    changed = Signal()


SET = "mdi6"
UNKNOWN = "puzzle-outline"  # in place of an icon that is not in the set

repainted = _Repainted()
_colours = ("#1d2329", "#5c6670", "#ffffff")
_cache: dict[tuple[str, str], QIcon] = {}


def icon(name: str, colour: str = "") -> QIcon:
    """An icon of Material Design's set, for instance ``icon("content-save")``.

    Parameters
    ----------
    name : str
        With or without the set's prefix ``mdi6.``; with the prefix of another set of qtawesome,
        one of that.
    colour : str, optional
        Instead of the theme's.
    """
    key = name, colour
    if key not in _cache:
        text, quiet, _ = _colours
        try:
            _cache[key] = _painted(name, colour or text, quiet)
        except Exception:  # other people's tools and workspaces may name one that there is not
            _cache[key] = _painted(UNKNOWN, colour or text, quiet)
    return _cache[key]


def pixmap(name: str, side: int = 18, colour: str = "") -> QPixmap:
    """The icon as a pixmap of this many px."""
    return icon(name, colour).pixmap(QSize(side, side))


def use(text: str, quiet: str, on_accent: str) -> None:
    """Paint icons in these colours from now on; the theme tells whoever shows some."""
    global _colours  # noqa: PLW0603 - there is one application
    if _colours != (text, quiet, on_accent):
        _colours = (text, quiet, on_accent)
        _cache.clear()


def _painted(name: str, colour: str, disabled: str) -> QIcon:
    prefix, _, own = name.rpartition(".")
    if prefix in ("", SET):
        return QIcon(FontIcon(own, colour, disabled))
    import qtawesome  # noqa: PLC0415 - takes as long as Qt, and only other people's icons need it

    painted: QIcon = qtawesome.icon(name, color=colour, color_disabled=disabled)
    return painted
