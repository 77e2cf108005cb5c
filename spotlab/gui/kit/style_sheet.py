"""Spacing and separators that a palette cannot say."""

from __future__ import annotations

from string import Template

from spotlab.gui.kit.colours import Colours

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
QToolBar#rail QToolButton[role="named"] { padding: 1px; }
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
