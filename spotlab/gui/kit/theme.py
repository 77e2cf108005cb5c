"""The look of the window: colours of the light and the dark theme, and icons that follow them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from string import Template

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QStyleFactory

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

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
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


def swatch(colour: QColor | None, side: int, round: float = 3, *, inset: int = 0) -> QPixmap:
    """A square of a colour, with round corners, of this many px; without a colour, its outline."""
    drawn = QPixmap(2 * side, 2 * side)
    drawn.setDevicePixelRatio(2)
    drawn.fill(Qt.GlobalColor.transparent)
    with QPainter(drawn) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen if colour else QColor(128, 128, 128))
        painter.setBrush(colour or Qt.BrushStyle.NoBrush)
        inside = side - 2 * inset
        painter.drawRoundedRect(inset, inset, inside, inside, round, round)
    return drawn


def colour_icons(text: str, quiet: str) -> None:
    """Paint icons in these colours from now on."""
    global _colours  # noqa: PLW0603 - there is one application
    _colours = text, quiet


@dataclass(frozen=True)
class Colours:
    """Colours used to paint the window."""

    window: str  # chrome
    base: str  # lists and fields
    raised: str  # buttons, hovered rows
    line: str  # separators
    text: str
    quiet: str  # secondary text
    serious: str  # text of what needs an answer
    accent: str
    on_accent: str


SHEET = Template("""
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QMenuBar { background: $window; border-bottom: 1px solid $line; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $raised; }
QMenu { background: $base; border: 1px solid $line; padding: 4px 0; }
QMenu::item { padding: 5px 28px 5px 12px; margin: 0 4px; border-radius: 4px; }
QMenu::item:selected { background: $accent; color: $on_accent; }
QMenu::item:disabled { color: $quiet; }
QMenu::separator { height: 1px; background: $line; margin: 4px 10px; }
QMenu::icon { padding-left: 8px; }
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: 4px 6px; }
QToolBar {
  background: $window; border: none; border-right: 1px solid $line; spacing: 3px; padding: 4px;
}
QToolBar#rail { padding: 4px 2px; }
QToolBar#rail QToolButton { padding: 4px 1px; }
QToolBar#rail QToolButton[role="named"] { padding: 0 1px; }
QStatusBar { background: $window; border-top: 1px solid $line; }
QStatusBar::item { border: none; }
QLineEdit, QPlainTextEdit {
  background: $base; border: 1px solid $line; border-radius: 4px; padding: 3px 6px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus, QPlainTextEdit:focus { border-color: $accent; }
QCheckBox::indicator {
  width: 13px; height: 13px; border: 1px solid $quiet; border-radius: 3px; background: $base;
}
QCheckBox::indicator:checked { background: $accent; border-color: $accent; }
QCheckBox::indicator:indeterminate { background: $line; }
QCheckBox::indicator:focus { border-color: $accent; }
QPushButton {
  background: $base; border: 1px solid $line; border-radius: 4px; padding: 4px 12px;
}
QPushButton:hover { background: $raised; }
QPushButton:pressed { background: $line; }
QPushButton:checked { background: $raised; border-color: $accent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $quiet; }
QPushButton:default, QPushButton[prominent="true"] {
  background: $accent; color: $on_accent; border-color: $accent;
}
QPushButton:default:focus, QPushButton[prominent="true"]:focus { border-color: $text; }
QToolButton {
  border: 1px solid transparent; border-radius: 5px; padding: 3px; background: transparent;
}
QToolButton[role="cross"] { padding: 1px; }
QToolButton:focus { border-color: $accent; }
QToolButton:hover { background: $raised; }
QToolButton:checked { background: $raised; }
QToolButton::menu-indicator { image: none; }
QListView, QTreeView, QTableView, QTextBrowser {
  background: $base; border: none; outline: none;
}
QListView[role="suggestions"] { border: 1px solid $line; }
QListView::item, QTreeView::item { padding: 4px 8px; border-radius: 4px; }
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected {
  background: $raised; color: $text;
}
QTableView QTableCornerButton::section {
  background: $window; border: none; border-bottom: 1px solid $line;
}
QHeaderView::section {
  background: $window; border: none; border-bottom: 1px solid $line; padding: 5px 8px;
}
QTabBar::tab { padding: 6px 4px; border: none; color: $quiet; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar:focus::tab:selected { background: $raised; }
QTabBar::tab:hover { color: $text; }
QTabWidget::pane { border: none; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $quiet; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSlider { min-height: 18px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $line; }
QSlider::handle:horizontal {
  width: 12px; margin: -5px 0; border: 1px solid $window; border-radius: 7px; background: $accent;
}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: $text; }
QSlider::handle:horizontal:disabled { background: $line; }
QProgressBar {
  border: none; border-radius: 3px; background: $raised; max-height: 6px; text-align: center;
}
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QLabel[role="quiet"] { color: $quiet; }
QLabel[role="serious"] { color: $serious; font-weight: 600; }
QLabel[role="heading"] { color: $quiet; font-weight: 600; }
QLabel[role="title"] { font-size: 17pt; font-weight: 600; }
QFrame[role="line"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
QFrame[role="divider"] {
  background: $line; border: none; min-width: 1px; max-width: 1px; min-height: 18px;
  margin: 0 4px;
}
QLabel[role="note"] {
  background: $base; color: $text; border: 1px solid $line; border-radius: 6px; padding: 5px 9px;
}
QFrame[role="strip"] { background: $raised; border: none; border-bottom: 1px solid $line; }
QFrame[role="popup"] { background: $base; border: 1px solid $line; border-radius: 8px; }
""")


def style_sheet(colours: Colours) -> str:
    """The style sheet in these colours."""
    return SHEET.substitute(vars(colours))


PROPOSED = "#7c3aed"  # of what the spotter proposes
SECOND = "#be185d"  # of a second annotator's regions
THEMES = ("system", "light", "dark")


LIGHT = Colours(
    window="#f4f5f6",
    base="#ffffff",
    raised="#e6e9ec",
    line="#d9dde1",
    text="#1d2329",
    quiet="#5c6670",
    serious="#b34700",
    accent="#1f6fc4",
    on_accent="#ffffff",
)
DARK = Colours(
    window="#23272c",
    base="#1b1e22",
    raised="#343a41",
    line="#3a4047",
    text="#e4e7ea",
    quiet="#9aa4ae",
    serious="#ff8a3d",
    accent="#4a9bea",
    on_accent="#0e1216",
)

_Role = QPalette.ColorRole
_chosen = "system"


def apply(app: QApplication, theme: str = "system") -> None:
    """Paint all windows like this from now on; "system" follows the desktop, live."""
    global _chosen  # noqa: PLW0603 - there is one application
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
    first = app.property("spotlab_theme") is None
    app.setProperty("spotlab_theme", theme)
    _chosen = theme
    if first:
        app.setStyle(QStyleFactory.create("Fusion"))
        _set_font(app)
        app.styleHints().colorSchemeChanged.connect(lambda _: _paint(app))
    _paint(app)


def is_dark(palette: QPalette) -> bool:
    """Tell whether this is the dark one."""
    return palette.color(_Role.Window).lightness() < 128


def colours(palette: QPalette) -> Colours:
    """All colours of the theme that this palette is of."""
    return DARK if is_dark(palette) else LIGHT


def quiet(palette: QPalette) -> QColor:
    """The colour of secondary text."""
    return palette.color(_Role.PlaceholderText)


def palette_of(colours: Colours) -> QPalette:
    """The palette of these colours."""
    palette = QPalette()
    roles = {
        _Role.Window: colours.window,
        _Role.WindowText: colours.text,
        _Role.Base: colours.base,
        _Role.AlternateBase: colours.window,
        _Role.Text: colours.text,
        _Role.PlaceholderText: colours.quiet,
        _Role.Button: colours.window,
        _Role.ButtonText: colours.text,
        _Role.BrightText: colours.on_accent,
        _Role.Light: colours.raised,
        _Role.Midlight: colours.raised,
        _Role.Mid: colours.line,
        _Role.Dark: colours.line,
        _Role.Shadow: colours.line,
        _Role.Highlight: colours.accent,
        _Role.HighlightedText: colours.on_accent,
        _Role.Accent: colours.accent,
        _Role.Link: colours.accent,
        _Role.LinkVisited: colours.accent,
        _Role.ToolTipBase: colours.raised,
        _Role.ToolTipText: colours.text,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    faint = QColor(colours.quiet)
    faint.setAlpha(130)
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, faint)
    palette.setColor(QPalette.ColorGroup.Disabled, _Role.Highlight, QColor(colours.line))
    return palette


def _paint(app: QApplication) -> None:
    dark = _chosen == "dark" or (
        _chosen == "system" and app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    )
    chosen = DARK if dark else LIGHT
    palette, sheet = palette_of(chosen), style_sheet(chosen)
    if app.styleSheet() == sheet and app.palette() == palette:
        return  # Qt would lay out all that is there anew
    colour_icons(chosen.text, chosen.quiet)
    app.setPalette(palette)
    app.setStyleSheet(sheet)
    repainted.changed.emit()  # last: who hears of it finds the new palette


def _set_font(app: QApplication) -> None:
    """A readable size, and a family with letters where the system's default has none."""
    font = app.font()
    families = QFontDatabase.families()
    if families and font.family() not in families:
        plain = [
            name for name in ("DejaVu Sans", "Liberation Sans", "Noto Sans") if name in families
        ]
        font.setFamilies(plain or families[:1])
    font.setPointSizeF(max(font.pointSizeF(), 9.5))
    app.setFont(font)


PAPERS = {
    "plain": "As it is",
    "dimmed": "Dimmed in the dark theme",
    "inverted": "Inverted in the dark theme",
}
_DIMMED = "#aaa69e"  # of white paper
_Mode = QPainter.CompositionMode
_chosen_tone = "plain"


def use(name: str) -> None:
    """Show paper like this from now on, one of `PAPERS`."""
    global _chosen_tone  # noqa: PLW0603 - there is one application, as for the theme
    if name not in PAPERS:
        raise ValueError(f"there is no paper {name!r}; there are {', '.join(PAPERS)}")
    before = look()
    _chosen_tone = name
    if look() != before:
        repainted.changed.emit()
        for widget in QApplication.allWidgets():
            widget.update()


def look() -> str:
    """Tell how paper is shown now: "plain" in the light theme, whatever is chosen."""
    return _chosen_tone if is_dark(QApplication.palette()) else "plain"


def shade(painter: QPainter, place: QRect | QRectF) -> None:
    """Dim or invert what a painter has just painted of a page, if that is chosen.

    Parameters
    ----------
    painter : QPainter
    place : QRect or QRectF
        The place of the page, in the painter's coordinates.
    """
    match look():
        case "dimmed":
            steps = [(_Mode.CompositionMode_Multiply, _DIMMED)]
        case "inverted":  # paper becomes the background of fields, ink the colour of text
            steps = [
                (_Mode.CompositionMode_Difference, "#ffffff"),
                (_Mode.CompositionMode_Multiply, DARK.text),
                (_Mode.CompositionMode_Screen, DARK.base),
            ]
        case _:
            return
    before = painter.compositionMode()
    for mode, colour in steps:
        painter.setCompositionMode(mode)
        painter.fillRect(place, QColor(colour))
    painter.setCompositionMode(before)


def paint_fitted(painter: QPainter, place: QRect, pixmap: QPixmap) -> QRect:
    """Paint a picture of a page as large as a place allows, in its middle; gives where it is."""
    size = pixmap.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
    shown = QRect(place.topLeft(), size)
    shown.moveCenter(place.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawPixmap(shown, pixmap)
    shade(painter, shown)
    return shown


def shaded(pixmap: QPixmap) -> QPixmap:
    """A picture of a page as it is shown now; the same one if that is as it is."""
    if look() == "plain":
        return pixmap
    shown = QPixmap(pixmap)
    with QPainter(shown) as painter:
        shade(painter, QRectF(shown.rect()))
    return shown
