"""One quiet palette in dark and light; widgets take their colours from it and from nowhere else."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from spotlab.gui.kit import icons
from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.style_sheet import style_sheet

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
    """Whether this is the dark one."""
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
    icons.use(chosen.text, chosen.quiet, chosen.on_accent)
    app.setPalette(palette)
    app.setStyleSheet(sheet)
    icons.repainted.changed.emit()  # last: who hears of it finds the new palette


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
