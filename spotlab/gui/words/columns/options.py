"""Remembers how somebody looks at the columns from one start to the next."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from spotlab.gui.kit.known_settings import (
    PICTURE_HEIGHT,
    WORDS_ALL_MOVES,
    WORDS_FOLLOW_CUT,
    WORDS_LEVEL,
)
from spotlab.gui.kit.settings import Settings
from spotlab.gui.words.columns.columns import WordColumns

PAUSE = 400  # ms: a turn of the wheel is many changes, and settings are a file


def keep_options(view: WordColumns, settings: Settings) -> None:
    """Look at the columns as before, and remember what is changed."""
    view.set_picture_height(settings.get(PICTURE_HEIGHT))
    view.set_level(settings.get(WORDS_LEVEL))
    view.set_all_moves(settings.get(WORDS_ALL_MOVES))
    view.set_follow_cut(settings.get(WORDS_FOLLOW_CUT))

    def remember() -> None:
        settings.set(PICTURE_HEIGHT, view.cells.geometry.picture)
        settings.set(WORDS_LEVEL, view.cells.level)
        settings.set(WORDS_ALL_MOVES, view.painter.all_moves)
        settings.set(WORDS_FOLLOW_CUT, view.follow_cut)

    timer = QTimer(view)
    timer.setSingleShot(True)
    timer.setInterval(PAUSE)
    timer.timeout.connect(remember)
    view.options_changed.connect(timer.start)
