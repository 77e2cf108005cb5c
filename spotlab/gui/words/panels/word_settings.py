"""Choice of the lists made from a search, and their parameters; all changes apply immediately."""

from __future__ import annotations

import html
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from spotlab.api.settings import RerankingSettings, WordSpottingSettings
from spotlab.errors import counted
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, SliderRow, describe, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.queries import short_title
from spotlab.gui.words.state.word_search import USUAL, colour_of
from spotlab.gui.words.state.words import Words
from spotlab.ranking.fusion import Fusion, Setting, fusions
from spotlab.spotting.words.embedding.network import network_problem
from spotlab.spotting.words.extraction.descriptor import DEFINITIONS, TITLES, WordDescriptor
from spotlab.spotting.words.feature_space import Adaptation, share_text
from spotlab.spotting.words.search import RE_SCORING

PAUSE = 250  # ms of stillness until the word is searched again
NARROWEST = 250  # px: nothing but long titles is cut off then
NAMES = 62  # px
SWATCH = 10  # px
BESIDE = 80  # px beside the title of a list: margins, box, swatch, scroll bar
ANY = 100_000  # what is unlimited is shown as
MOST = 60  # of what is slid; more may be typed
SHARE = (-1.0, 1.0)
SETTINGS = {"at_least": "min_score"}  # of a job, where they are called otherwise here
SCORING = "The best words of each list re-score it. The tooltip of each number says what it does."
SEARCHING = "From which score on a word is found (τ), and becomes a query itself (tight)."
COMPARED = tuple(
    Option(each, TITLES[each], DEFINITIONS[each])
    for each in (WordDescriptor.BOTH, WordDescriptor.LEARNED, WordDescriptor.STROKES)
)
ADAPTED = (
    "Words ▸ Undo Adaptation describes words by the network as it came again. The figures are mean "
    "average precisions of known words that were held out."
)
FEEDBACK = rich(
    "<p><b>Judgements re-rank the lists</b></p><p>Words marked ✓ re-score the lists at any "
    "score and rank; words marked ✗ never do. If this is off, judgements only change the "
    "figures.</p>"
)


class ChoiceRow(QObject):
    """Row of a grid with a setting that has names for its numbers."""

    wanted = Signal(float)

    def __init__(self, grid: QGridLayout, setting: Setting) -> None:
        super().__init__(grid)
        self.label = set_up(QLabel(setting.name), role="quiet")
        self.label.setContentsMargins(22, 0, 0, 0)
        options = (Option(float(at), title) for at, (_, title) in enumerate(setting.names))
        self.box: Choice[float] = Choice(options, setting.name)
        row = grid.rowCount()
        grid.addWidget(self.label, row, 0)
        grid.addWidget(self.box, row, 1, 1, 2)
        for widget in (self.label, self.box):
            widget.setToolTip(rich(f"<p>{html.escape(setting.title)}</p>"))
        self.box.chosen.connect(self.wanted.emit)

    def show_value(self, value: float) -> None:
        """Show it; nobody is asked for anything."""
        self.box.show_value(value)

    def set_visible(self, visible: bool) -> None:
        """Show or hide the whole row."""
        for widget in (self.label, self.box):
            widget.setVisible(visible)


class WordSettingsPanel(QScrollArea):
    """Sliders for the re-scoring, the search, and a box to tick for each list."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = workbench.state(Words)
        self._known = fusions()
        first = [name for name in USUAL if name in self._known]
        self._order = [*first, *(name for name in self._known if name not in first)]
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._make_rows()
        self._make_boxes()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self._search_again)
        for signal in (self.words.ranking.choices_changed, self.words.queries.changed):
            signal.connect(self._follow)
        self._follow()
        self._paint()

    def reset(self) -> None:
        """All lists and numbers as they come, but the numbers of the search."""
        source = self.words.queries.current
        self.words.ranking.show_usual()
        usual = replace(RE_SCORING, at_least=source.at_least if source else RE_SCORING.at_least)
        now = self.words.ranking.choices
        self.words.ranking.set_choices(
            replace(usual, relevant=now.relevant, irrelevant=now.irrelevant)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As much of the titles as there is room for; their tooltips have all."""
        super().resizeEvent(event)
        room, side = self.viewport().width() - BESIDE, Qt.TextElideMode.ElideRight
        for name, box in self.boxes.items():
            title = _title(self._known[name])
            box.setText(box.fontMetrics().elidedText(title, side, room))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "boxes"):
            self._paint()

    def _follow(self) -> None:
        """Show what holds now."""
        choices, searching = self.words.ranking.choices, self.words.searching
        for name, row in self.rows.items():
            row.show_value(min(getattr(choices, name), ANY))
        for name, row in self.searched.items():
            row.show_value(getattr(searching, name))
        if self.compared.isEnabled():
            self.compared.show_value(searching.settings.descriptor)
        self.feedback.blockSignals(True)
        self.feedback.setChecked(self.words.ranking.feedback)
        self.feedback.blockSignals(False)
        source = self.words.queries.current
        lacks = {
            name: source.lacks(fusion) if source else "" for name, fusion in self._known.items()
        }
        for name, box in self.boxes.items():
            shown = name in self.words.ranking.fusions
            box.blockSignals(True)
            box.setChecked(shown)
            box.blockSignals(False)
            box.setEnabled(not lacks[name])
            box.setToolTip(_tip(self._known[name], lacks[name]))
            for setting in self._known[name].settings:
                more = self.more[name, setting.name]
                more.show_value(choices.more.get(setting.name, setting.default))
                more.set_visible(shown and not lacks[name])

    def _follow_adapting(self) -> None:
        """Say whether the network was adapted to these pages, and what that brought."""
        adaptation = self.words.adapting.adaptation
        self.adapted.setVisible(adaptation is not None)
        if adaptation is not None:
            self.adapted.setText(adapted_text(adaptation))
            self.adapted.setToolTip(ADAPTED)

    def _choose(self, name: str, value: float) -> None:
        whole = name in ("top", "iterations")
        chosen = {name: round(value) if whole else value}
        self.words.ranking.set_choices(replace(self.words.ranking.choices, **chosen))  # type: ignore[arg-type]

    def _choose_more(self, name: str, value: float) -> None:
        choices = self.words.ranking.choices
        self.words.ranking.set_choices(replace(choices, more={**choices.more, name: value}))

    def _choose_search(self, name: str, value: float) -> None:
        setattr(self.words.searching, name, value)
        self._timer.start()

    def _search_again(self) -> None:
        """Search the current word with the scores that are wanted now."""
        source = self.words.queries.current
        if source is not None and source.asked is not None and self.words.searching.ready:
            self.words.searching.search(source.asked)

    def _choose_descriptor(self, descriptor: WordDescriptor) -> None:
        """Compare words in another way, the current one at once."""
        searching, source = self.words.searching, self.words.queries.current
        searching.settings = replace(searching.settings, descriptor=descriptor)
        if source is not None and source.asked is not None:
            searching.search(source.asked)

    def _show_lists(self) -> None:
        shown = [name for name, box in self.boxes.items() if box.isChecked()]
        self.words.ranking.show_fusions(shown)

    def _make_rows(self) -> None:
        self._scoring, self._search = QGridLayout(), QGridLayout()
        scoring = self._scoring
        self.rows = {
            "top": SliderRow(scoring, "best n", "", 1, MOST, widest=(1, ANY)),
            "at_least": SliderRow(scoring, "at least", "", 0, 1, 0.01, widest=SHARE),
            "fall": SliderRow(scoring, "fall", "", 0, 1, 0.01, widest=(0, ANY)),
            "weight": SliderRow(scoring, "weight", "", 0, 5, 0.1, widest=(0, 100)),
            "iterations": SliderRow(scoring, "iterations", "", 1, 10, widest=(1, 100)),
        }
        self.searched = {
            name: SliderRow(self._search, title, "", 0, 1, 0.01, widest=SHARE)
            for name, title in (("tau", "τ"), ("tight", "tight"))
        }
        for name, row in self.rows.items():
            kind = RerankingSettings if name == "iterations" else WordSpottingSettings
            row.describe(kind, SETTINGS.get(name, name))
            row.wanted.connect(partial(self._choose, name))
        for name, row in self.searched.items():
            row.describe(WordSpottingSettings, name)
            row.wanted.connect(partial(self._choose_search, name))
        self.compared = Choice(COMPARED, "Compare by")
        describe(WordSpottingSettings, "descriptor", self.compared)
        self.compared.chosen.connect(self._choose_descriptor)
        if problem := network_problem():
            self.compared.show_value(WordDescriptor.STROKES)
            self.compared.setEnabled(False)
            self.compared.setToolTip(f"Words are compared by strokes: {problem}.")
        self.adapted = set_up(QLabel(self, wordWrap=True), role="quiet")
        self.words.adapting.changed.connect(self._follow_adapting)
        self._follow_adapting()
        self.feedback = set_up(QCheckBox("Judgements re-rank the lists"), tip=FEEDBACK)
        self.feedback.toggled.connect(self.words.ranking.set_feedback)

    def _make_boxes(self) -> None:
        """A box for each fusion, and under it the numbers that only it knows."""
        self._lists = QGridLayout()
        self.boxes: dict[str, QCheckBox] = {}
        self.more: dict[tuple[str, str], SliderRow | ChoiceRow] = {}  # by fusion and setting
        for name in self._order:
            fusion = self._known[name]
            box = self.boxes[name] = QCheckBox(_title(fusion))
            box.setMinimumWidth(40)
            box.setIconSize(QSize(SWATCH, SWATCH))
            box.toggled.connect(lambda _: self._show_lists())
            self._lists.addWidget(box, self._lists.rowCount(), 0, 1, 3)
            for setting in fusion.settings:
                self.more[name, setting.name] = self._make_more(setting)

    def _make_more(self, setting: Setting) -> SliderRow | ChoiceRow:
        if setting.names:
            kinds = ChoiceRow(self._lists, setting)
            kinds.wanted.connect(partial(self._choose_more, setting.name))
            return kinds
        low, high, step = _range_of(setting)
        symbol = short_title(setting.title)
        short = setting.name.rpartition("_")[2] if symbol == setting.title else symbol
        widest = (low, max(high, 1e6)) if setting.default >= 1 else (low, high)
        row = SliderRow(self._lists, short, setting.title, low, high, step, widest)
        row.label.setContentsMargins(22, 0, 0, 0)
        row.wanted.connect(partial(self._choose_more, setting.name))
        return row

    def _lay_out(self) -> None:
        self._reset = QPushButton("Usual Values")
        self._reset.setToolTip(
            "Reset all numbers and lists to their defaults; the tooltip of each number says what "
            "the paper has"
        )
        self._reset.clicked.connect(lambda _: self.reset())
        foot = in_row(self._reset, STRETCH)
        inside = QWidget()
        column = in_column(of=inside, margins=(12, 8, 12, 10), spacing=6)
        for title, said, grid in (
            ("Re-scoring", SCORING, self._scoring),
            ("Search", SEARCHING, self._search),
            ("Lists", "", self._lists),
        ):
            heading = QLabel(title)
            heading.setProperty("role", "heading")
            column.addWidget(heading)
            if said:
                meaning = set_up(QLabel(said, wordWrap=True), role="quiet")
                column.addWidget(meaning)
            column.addLayout(grid)
            grid.setColumnMinimumWidth(0, NAMES)
            grid.setColumnStretch(1, 1)
            grid.setHorizontalSpacing(8)
            if grid is self._scoring:
                column.addWidget(self.feedback)
            if grid is self._search:
                row = grid.rowCount()
                name = set_up(QLabel("compare by"), tip=rich(self.compared.toolTip()))
                grid.addWidget(name, row, 0)
                grid.addWidget(self.compared, row, 1, 1, 2)
                grid.addWidget(self.adapted, row + 1, 1, 1, 2)
        column.addLayout(foot)
        column.addStretch()
        self.setWidget(inside)
        self.setMinimumWidth(NARROWEST)

    def _paint(self) -> None:
        behind = theme.colours(self.palette()).window
        for name, box in self.boxes.items():
            box.setIcon(
                QIcon(theme.swatch(QColor(readable(colour_of(name), behind)), SWATCH, SWATCH / 2))
            )


def adapted_text(adaptation: Adaptation) -> str:
    """Return what the panel says of an adapted network.

    Examples
    --------
    >>> adapted_text(Adaptation("2026-11-23", 500, 40, 9, {"typed": 0.8}, {"typed": 0.9}))
    'Adapted on 2026-11-23: typed better by .100'
    >>> adapted_text(Adaptation("2026-11-23", 500, 0))
    'Adapted on 2026-11-23 from 500 words'
    """
    gains = [
        f"{name} {'better' if now >= then else 'worse'} by {share_text(abs(now - then))}"
        for name, (then, now) in adaptation.gains.items()
    ]
    if not gains:
        return f"Adapted on {adaptation.date} from {counted(adaptation.learned, 'word')}"
    return f"Adapted on {adaptation.date}: {', '.join(gains)}"


def _range_of(setting: Setting) -> tuple[float, float, float]:
    """Lowest, highest and step of a slider; what a setting means is said by its title alone."""
    if setting.default >= 1:
        whole = setting.default >= 5
        return float(whole), 4 * setting.default, 1.0 if whole else 0.1
    return 0, 0.99 if "below 1" in setting.title else 1, 0.01


def _title(fusion: Fusion) -> str:
    """Return what is short comes first: the rest may be cut off."""
    short = short_title(fusion.title)
    return (
        short if short == fusion.title else f"{short} · {fusion.title.removesuffix(f' ({short})')}"
    )


def _tip(fusion: Fusion, lacks: str) -> str:
    """Title, definition, whether its scores are calibrated, and why it cannot be made."""
    lines = [f"<b>{html.escape(fusion.title)}</b>", html.escape(fusion.definition)]
    if not fusion.comparable:
        lines.append(
            "Its scores have a scale of their own. They are brought to that of the others."
        )
    if lacks:
        lines.append(f"It cannot be made of this query: {html.escape(lacks)}.")
    return rich("".join(f"<p>{line}</p>" for line in lines))
