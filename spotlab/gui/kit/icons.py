"""Icons of one set, in the theme's colours; they follow when the theme changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QIcon, QPixmap

from spotlab.gui.kit.icon_font import FontIcon


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
