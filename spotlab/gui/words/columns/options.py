"""Remembers how somebody looks at the columns from one start to the next."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from spotlab.gui.kit.settings import Settings
from spotlab.gui.words.columns.columns import WordColumns
from spotlab.gui.words.columns.geometry import USUAL

HEIGHT, LEVEL, MOVES = "words.picture_height", "words.level", "words.all_moves"  # settings
FOLLOW = "words.follow_cut"
PAUSE = 400  # ms: a turn of the wheel is many changes, and settings are a file


def keep_options(view: WordColumns, settings: Settings) -> None:
    """Look at the columns as before, and remember what is changed."""
    view.set_picture_height(int(settings.get(HEIGHT, USUAL)))
    view.set_level(settings.get(LEVEL, False))
    view.set_all_moves(settings.get(MOVES, False))
    view.set_follow_cut(settings.get(FOLLOW, True))

    def remember() -> None:
        settings.set(HEIGHT, view.cells.geometry.picture)
        settings.set(LEVEL, view.cells.level)
        settings.set(MOVES, view.painter.all_moves)
        settings.set(FOLLOW, view.follow_cut)

    timer = QTimer(view)
    timer.setSingleShot(True)
    timer.setInterval(PAUSE)
    timer.timeout.connect(remember)
    view.options_changed.connect(timer.start)
