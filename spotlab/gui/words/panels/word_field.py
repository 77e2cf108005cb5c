"""The field where words to search are typed; it suggests words as they are begun."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from spotlab.model import Items
from spotlab.spotting.words.word_index import plain_text

_BETWEEN = re.compile(r"[\s,;]+")
_LAST = re.compile(r"[^\s,;]*$")


def typed_words(text: str, known: Items | None) -> list[str]:
    """The words that somebody has typed, with spaces or commas between, each once.

    Parameters
    ----------
    text : str
    known : Items or None
        A text that is written so, spaces included, is one word.

    Examples
    --------
    >>> typed_words("orders, Company orders", None)
    ['orders', 'Company']
    >>> typed_words("New York", Items(("a",), [0], [[0, 0, 9, 9]], ("New York",)))
    ['New York']
    """
    whole = " ".join(text.split())
    if known is not None and whole and whole in known.texts:
        return [whole]
    return list(dict.fromkeys(word for word in _BETWEEN.split(whole) if plain_text(word)))


class _LastWord(QCompleter):
    """Completes the word that is being typed, behind those that are there."""

    def splitPath(self, path: str) -> list[str]:
        """The word that is being typed."""
        match = _LAST.search(path)
        return [match.group() if match else ""]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """What the field holds then."""
        field = self.widget()
        before = _LAST.sub("", field.text()) if isinstance(field, QLineEdit) else ""
        return f"{before}{index.data()}"


class WordField(QLineEdit):
    """Suggests words that begin with what is typed, the most frequent first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Words to search")
        self.setClearButtonEnabled(True)
        self.setAccessibleName("Words to search")
        self.setToolTip("One word or several, with spaces or commas between")
        self._texts = QStringListModel(self)
        completer = _LastWord(self._texts, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchStartsWith)
        completer.setMaxVisibleItems(10)
        popup = completer.popup()
        assert popup is not None  # made at the first call
        popup.setProperty("role", "suggestions")
        self.setCompleter(completer)

    def suggest(self, texts: Sequence[str]) -> None:
        """Suggest these words."""
        if list(texts) != self._texts.stringList():
            self._texts.setStringList(list(texts))
