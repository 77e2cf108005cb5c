"""Texts as they reach Qt, how they are found by a few letters, and samples of lines beside them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QPointF, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPen, QPixmap
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

from spotlab.libraries import fuzz, process
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


WORST = 65.0  # of 100; what is below is no match
SHORTEST = 3  # letters that tell something where they are within a word, or are only similar
WEAK = 10.0  # the rank from which a match is a guess


class Match(NamedTuple):
    """A name that may have been meant.

    Attributes
    ----------
    row : int
        Its place in the list of names.
    rank : float
        The lower, the better; from `WEAK` on, nothing of the name says that it was meant.
    """

    row: int
    rank: float

    @property
    def weak(self) -> bool:
        """Tell whether it is only a guess."""
        return self.rank >= WEAK


def matches(text: str, names: Sequence[str], words: Sequence[str] = ()) -> list[Match]:
    """Return the names that fit, the best first.

    First come those that are the text or begin with it, then those of which a word begins with it,
    then those that hold it, and at last those that are similar.

    Parameters
    ----------
    text : str
    names : sequence of str
        What comes before ": " is the group of a name: what follows counts as its beginning, too.
    words : sequence of str
        Other words for each name, separated by spaces.

    Examples
    --------
    >>> names = ["Edit: Delete", "Next Untouched", "Undo"]
    >>> [(names[row], rank < WEAK) for row, rank in matches("undo", names)]
    [('Undo', True), ('Next Untouched', False)]
    >>> [names[match.row] for match in matches("remove", names, ["remove erase", "", ""])]
    ['Edit: Delete']
    """
    wanted = " ".join(text.casefold().split())
    parts = [re.compile(rf"(?<![^\W_]){re.escape(part)}") for part in wanted.split()]
    folded = [name.casefold() for name in names]
    ranks = {}
    for row, name in enumerate(folded):
        rank = _rank(wanted, parts, name, words[row].casefold() if words else "")
        if rank is not None:
            ranks[row] = rank
    if len(wanted) >= SHORTEST:
        similar = process.extract(
            wanted, folded, scorer=fuzz.WRatio, limit=None, score_cutoff=WORST
        )
        for _, score, row in similar:
            ranks.setdefault(row, WEAK + 1 - score / 100)
    return sorted((Match(*pair) for pair in ranks.items()), key=lambda match: match.rank)


def best(text: str, names: Sequence[str], limit: int) -> list[str]:
    """Return the names that fit best; all where nothing is typed.

    Examples
    --------
    >>> best("so", ["sink", "resort", "sofa"], 5)
    ['sofa', 'resort']
    >>> best("coffetable", ["coffee table", "bed"], 5)
    ['coffee table']
    >>> best("", ["b", "a"], 5)
    ['b', 'a']
    """
    if not text.strip():
        return list(names[:limit])
    return [names[match.row] for match in matches(text, names)[:limit]]


def _rank(wanted: str, parts: Sequence[re.Pattern[str]], name: str, others: str) -> float | None:
    """Say how a name fits; within a rank the shorter name is the better one."""
    own = name.rpartition(": ")[2]
    holds = (
        wanted in (name, own),
        f" {wanted} " in f" {others} ",
        name.startswith(wanted) or own.startswith(wanted),
        all(part.search(name) for part in parts),
        all(part.search(f"{name} {others}") for part in parts),
        wanted in name or all(part in name for part in wanted.split()),
    )
    if True not in holds:
        return None
    rank: float = holds.index(True)
    if rank == len(holds) - 1 and len(wanted) < SHORTEST:
        rank = WEAK
    return rank + min(len(name), 999) / 1000


def short_title(title: str) -> str:
    """Shorten the title of a figure with its threshold for where there is little width.

    Examples
    --------
    >>> short_title("F at IoU .5"), short_title("Recognised (75 % of the area)")
    ('F@.5', 'Recognised (75 %)')
    """
    return title.replace(" of the area", "").replace(" at IoU ", "@")


WIDTH, HEIGHT = 30, 10  # px
WEIGHT = 2.4  # px, of the line
RATIO = 2.0  # pixels of the picture for each of the screen's

Dash = tuple[float, ...]


def line_pen(colour: str, dash: Dash, width: float) -> QPen:
    """A pen that draws a run's line.

    Parameters
    ----------
    colour : str
        As it is drawn, see `readable`.
    dash : tuple of float
        Lengths drawn and left out in turn, in line widths; empty for a solid line.
    width : float
        In px.
    """
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern(dash)
    return pen


def draw_line_sample(painter: QPainter, left: float, middle: float, pen: QPen) -> None:
    """Draw a piece of `WIDTH` px from a point on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.drawLine(QLineF(QPointF(left, middle), QPointF(left + WIDTH, middle)))


@cache
def line_sample(colour: str, dash: Dash) -> QPixmap:
    """A piece of the line on nothing, `WIDTH` × `HEIGHT` px."""
    pixmap = QPixmap(round(WIDTH * RATIO), round(HEIGHT * RATIO))
    pixmap.setDevicePixelRatio(RATIO)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        draw_line_sample(painter, 0, HEIGHT / 2, line_pen(colour, dash, WEIGHT))
    return pixmap


@cache
def line_sample_html(colour: str, dash: Dash) -> str:
    """The piece as an image in rich text."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    line_sample(colour, dash).save(buffer, "PNG")
    data = bytes(content.toBase64().data()).decode()
    return f'<img src="data:image/png;base64,{data}" width="{WIDTH}" height="{HEIGHT}">'
