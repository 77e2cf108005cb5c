"""The one way by which texts reach Qt: letter by letter, unless spotlab itself marks them as rich.

Left alone, labels and tooltips guess whether a text is HTML. A label of a stranger's collection
that is called ``<img src="/home/me/photo.png">`` would load that file, and ``<h1>`` would replace
what is said. Here Qt is handed plain texts only, however a widget gets its text: `install` wraps
the methods that guess, for the code of plug-ins, too. Models, whose tooltips Qt asks for itself,
pass them through `plain`.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import wraps
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QFormLayout,
    QInputDialog,
    QLabel,
    QListWidgetItem,
    QMessageBox,
    QTableWidgetItem,
    QTabWidget,
    QToolTip,
    QTreeWidgetItem,
    QWidget,
)

from spotlab.representation import visible

_GUESS = (
    (QWidget, "setToolTip"),
    (QAction, "setToolTip"),
    (QListWidgetItem, "setToolTip"),
    (QTableWidgetItem, "setToolTip"),
    (QTreeWidgetItem, "setToolTip"),
    (QTabWidget, "setTabToolTip"),
    (QMessageBox, "__init__"),
    (QMessageBox, "setText"),
    (QMessageBox, "setInformativeText"),
    (QInputDialog, "setLabelText"),
    (QFormLayout, "addRow"),  # makes a label of a text
    (QFormLayout, "insertRow"),
)
_INSTALLED = "_spotlab_plain_text"


class Rich(str):
    """HTML that spotlab has written itself, with `html.escape` around all that files say."""

    __slots__ = ()


def rich(markup: str) -> Rich:
    """Mark a text as HTML; control characters in it are shown as escapes.

    Parameters
    ----------
    markup : str
        Names and texts of files in it are escaped.

    Examples
    --------
    >>> plain(rich("<b>sofa</b>"))
    '<b>sofa</b>'
    """
    return Rich(visible(markup, kept="\n\t"))


def plain(text: str) -> str:
    """Write a text such that Qt, which guesses whether texts are HTML, shows it as it is.

    Parameters
    ----------
    text : str
        What is `rich` stays so.

    Examples
    --------
    >>> plain("a < b"), plain("sofa\\x07")
    ('a < b', 'sofa\\\\u0007')
    >>> plain('<img src="a.png">')
    '<p style="white-space:pre-wrap">&lt;img src=&quot;a.png&quot;&gt;</p>'
    """
    if isinstance(text, Rich):
        return text
    text = visible(text, kept="\n\t")
    if not GuiQt.mightBeRichText(text):
        return text
    return f'<p style="white-space:pre-wrap">{html.escape(text)}</p>'


def install() -> None:
    """Wrap what guesses, once for the process."""
    if hasattr(QLabel, _INSTALLED):
        return
    for owner, name in _GUESS:
        setattr(owner, name, _with_plain_texts(getattr(owner, name)))
    show_tip = _with_plain_texts(QToolTip.showText)
    QToolTip.showText = staticmethod(show_tip)  # type: ignore[method-assign]
    _wrap_labels()
    setattr(QLabel, _INSTALLED, True)


def _with_plain_texts(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        texts = [plain(each) if isinstance(each, str) else each for each in arguments]
        return method(*texts, **named)

    return call


def _wrap_labels() -> None:
    """Labels keep their text; what they show it as follows from it each time."""
    make, set_text = QLabel.__init__, QLabel.setText

    @wraps(make)
    def init(self: QLabel, *arguments: Any, **named: Any) -> None:
        make(self, *arguments, **named)
        show(self, next((each for each in arguments if isinstance(each, str)), ""))

    @wraps(set_text)
    def show(self: QLabel, text: str) -> None:
        is_rich = isinstance(text, Rich)
        wanted = Qt.TextFormat.RichText if is_rich else Qt.TextFormat.PlainText
        if self.textFormat() is not wanted:
            if self.text():
                set_text(self, "")  # else what it says now would be shown in this way for a moment
            self.setTextFormat(wanted)
        set_text(self, text if is_rich else visible(text, kept="\n\t"))

    QLabel.__init__ = init  # type: ignore[method-assign]
    QLabel.setText = show  # type: ignore[method-assign]
