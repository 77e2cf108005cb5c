"""A slider that ends all lists at a rank or a score, and the table of figures there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QButtonGroup,
    QDoubleSpinBox,
    QLabel,
    QMenu,
    QSlider,
    QToolButton,
    QWidget,
)

from spotlab.arrays import Floats, Ints
from spotlab.errors import counted
from spotlab.gui.inspect.curves.curve_values import CUT, OF_DETECTORS, Standing
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView, Relation
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.curve_plot import (
    STEPS,
    printed_score,
    rank_keeping,
    score_digits,
    score_keeping,
    score_steps,
    step_of_score,
)
from spotlab.gui.kit.plots.readout import HEADS, Readout
from spotlab.gui.kit.settings import CUT_FIGURES, Settings
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import (
    STRETCH,
    Choice,
    Elided,
    Fitted,
    Option,
    in_column,
    in_row,
    name_thresholds,
)
from spotlab.measures.measure import Figure, SumsFormula, known_measures
from spotlab.measures.tally import Tally
from spotlab.report.figure_text import written, written_interval
from spotlab.report.run_tables import BEST_F_NOTE
from spotlab.representation import decimals
from spotlab.studies.evaluate.cuts import ListCut, best_f, score_cut
from spotlab.studies.tally.outlines import some

MEAN_TIP = rich(
    "<p><b>◇ Mean end point</b></p><p>The mean recall and the mean figure of all queries where the "
    "cut ends their lists, as in the table. The thick curves are means at equal recall, which the "
    "queries reach at different ranks: the point need not lie on them.</p>"
)
BEST_TIP = rich(
    "<p><b>Cut at Best F</b></p><p>Cut where F is highest: of the chosen query, or in the mean "
    "over all queries. The stars ☆ in the plots of precision and F are there, one for each run.</p>"
)
RELATIONS = {
    Relation.SAME: ("at the same {by}", "All runs are cut at the same rank or score. Scores of "
                    "different systems are seldom comparable."),
    Relation.OWN: ("each at its own cut", "The slider cuts the current run only; each run keeps "
                   "its own rank or score"),
    Relation.RECALL: ("at equal recall", "The other runs are cut where they first reach the recall "
                      "that this run has at its cut"),
    Relation.PRECISION: ("at equal precision", "The other runs are cut at the last place where "
                         "they have at least the precision that this run has at its cut"),
    Relation.BEST_F: ("each at its best F", "Each run is cut where its F is highest"),
}  # fmt: skip
PAGES = 20  # how many times Page Down goes from one end to the other


class CutBar(QWidget):
    """Bound both ways to the inspection's cut: the right end keeps everything."""

    def __init__(
        self, inspection: Inspection, views: Sequence[QWidget] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.inspection, self._views = inspection, views
        self._following = False
        self._steps_of: tuple[Floats, str | None, Floats] | None = None
        # Before and after the last Rank ↔ Score:
        self._switch: tuple[ListCut, ListCut] | None = None
        self.by_rank = self._chip("Rank", "Each query keeps its first spots, up to a rank")
        self.by_score = self._chip("Score", "Each query keeps its spots down to a score")
        self.slider = set_up(QSlider(Qt.Orientation.Horizontal), name="Cut")
        self.slider.valueChanged.connect(self._slid)
        self.field = set_up(QDoubleSpinBox(), name="Rank or score of the cut")
        self.field.setKeyboardTracking(False)
        self.field.setMinimumWidth(86)
        self.field.valueChanged.connect(self._typed)
        self.kept = set_up(Elided(), role="quiet")
        self.kept.setContentsMargins(4, 0, 0, 0)
        self.kept.setFont(tabular(self.kept.font()))
        self.mark = set_up(Fitted(), tip=MEAN_TIP, role="quiet")
        self.mark.say("◇ mean", "◇")
        keeps_place = self.mark.sizePolicy()
        keeps_place.setRetainSizeWhenHidden(True)
        self.mark.setSizePolicy(keeps_place)
        self.best = QToolButton()
        self.best.setText("☆ Best F")
        self.best.setToolTip(BEST_TIP)
        self.best.setAccessibleName("Cut at Best F")
        self.best.clicked.connect(self._cut_at_best)
        self.advice = set_up(Elided(), tip=rich(f"<p>{BEST_F_NOTE}</p>"), role="quiet")
        self.advice.setContentsMargins(4, 0, 0, 0)
        self.advice.hide()
        self._advised: ListCut | None = None
        self.related = QWidget()
        self.relation = Choice[Relation](name="Runs are cut")
        self.relation.give_way()
        self.relation.chosen.connect(self.inspection.cuts.relate)
        self.uncut = set_up(QLabel(wordWrap=True), role="quiet")
        self.uncut.setContentsMargins(12, 2, 12, 2)
        self.uncut.hide()
        self._lay_out()

    def follow(self) -> None:
        """Show the inspection's cut, query and run."""
        tally = self._tally()
        self.setEnabled(tally is not None)
        if tally is None:
            self.kept.setText("")
            self.related.hide()
            self._steps_of = None  # hold nothing of a run that is closed
            return
        self._following = True
        steps = self._steps(tally)
        self.by_score.setEnabled(bool(len(steps)))
        by_score = self.inspection.cut.by == "score"
        (self.by_score if by_score else self.by_rank).setChecked(True)
        if by_score:
            self._show_score(steps)
        else:
            self._show_rank(int(self._lengths(tally).max(initial=0)))
        self._say_kept(tally)
        self.advice.setVisible(self._advised is not None and self.inspection.cut == self._advised)
        self.mark.setVisible(self._number(tally) is None)
        self._show_relation()
        self._following = False

    def say_uncut(self, runs: Sequence[tuple[str, str]]) -> None:
        """Name the runs that have no such cut, and say why."""
        reasons: dict[str, list[str]] = {}
        for name, reason in runs:
            reasons.setdefault(reason, []).append(name)
        lines = (f"No cut, because {reason}: {some(names)}"
                 for reason, names in reasons.items())  # fmt: skip
        self.uncut.setText("\n".join(lines))
        self.uncut.setVisible(bool(reasons))

    def _show_relation(self) -> None:
        by = "score" if self.inspection.cut.by == "score" else "rank"
        self.relation.offer(
            Option(relation, title.format(by=by), tip)
            for relation, (title, tip) in RELATIONS.items()
        )
        self.relation.show_value(self.inspection.cuts.relation)
        self.relation.setToolTip(rich(f"<p>{RELATIONS[self.inspection.cuts.relation][1]}</p>"))
        self.related.setVisible(len(self.inspection.runs) > 1)

    def _cut_at_best(self) -> None:
        inspection, current = self.inspection, self.inspection.runs.current
        inspection.cut_at_best_f()
        self._advised = None
        if current is None or current.figures is None or inspection.query is not None:
            return
        lists = inspection.view.lists(current.figures)
        found = best_f(lists, inspection.cut.by)
        if found is not None and found.held_out is not None:
            others = found.held_out
            ends = written_interval(others.interval)
            text = f"F {written(found.f)}; on other pages {written(others.f)} {ends}"
            self.advice.setText(text.strip())
            self._advised = inspection.cut
            self.advice.show()

    def _tally(self) -> Tally | None:
        current = self.inspection.runs.current
        return current.tally if current else None

    def _number(self, tally: Tally) -> int | None:
        """The chosen query's place."""
        query = self.inspection.query
        return tally.queries.index(query) if query in tally.queries else None

    def _lengths(self, tally: Tally) -> Ints:
        """Of the lists that are looked at."""
        lengths, number = tally.starts[1:] - tally.starts[:-1], self._number(tally)
        return lengths if number is None else lengths[number : number + 1]

    def _scores(self, tally: Tally) -> Floats:
        number = self._number(tally)
        if number is None:
            return tally.score
        return tally.score[tally.starts[number] : tally.starts[number + 1]]

    def _steps(self, tally: Tally) -> Floats:
        of, query = tally.score, self.inspection.query  # scores stay when the truth is edited
        if self._steps_of is None or self._steps_of[0] is not of or self._steps_of[1] != query:
            self._steps_of = of, query, score_steps(self._scores(tally))
        return self._steps_of[2]

    def _show_rank(self, longest: int) -> None:
        value = self.inspection.cut.value
        rank = longest if value is None else min(int(value), longest)
        self._set_ranges(longest, 0, longest, 0)
        self.slider.setValue(rank)
        self.field.setValue(rank)

    def _show_score(self, steps: Floats) -> None:
        if not len(steps):
            return
        value = self.inspection.cut.value
        low, high = float(steps[-1]), float(steps[0])
        digits = score_digits(low, high)
        if value is not None:  # what is shown is the cut, to its last digit
            digits = max(digits, min(10, decimals(value)))
        shown = printed_score(low if value is None else value, digits)
        # The cut may lie beyond the scores of the query that is looked at: it is shown as it is.
        lowest, highest = min(printed_score(low, digits), shown), max(high, shown)
        self._set_ranges(STEPS, lowest, highest, digits)
        self.slider.setValue(STEPS if value is None else step_of_score(steps, value))
        self.field.setValue(shown)

    def _set_ranges(self, last: int, low: float, high: float, digits: int) -> None:
        self.slider.setRange(0, last)
        self.slider.setPageStep(max(1, last // PAGES))
        self.field.setDecimals(digits)
        self.field.setSingleStep(max((high - low) / 100, 10.0**-digits) if digits else 1)
        self.field.setRange(low, high)

    def _say_kept(self, tally: Tally) -> None:
        """Say what is kept, as far as there is room for it in its line."""
        text = self._kept_text(tally)
        self.kept.setText(text)
        self.kept.setToolTip(text)

    def _kept_text(self, tally: Tally) -> str:
        counts, number = self.inspection.counts, self._number(tally)
        if number is None:
            return f"keeps {int(counts.sum()):,} of {counted(len(tally), 'spot')}"
        start, count = int(tally.starts[number]), int(counts[number])
        text = f"keeps {count:,} of {counted(int(tally.starts[number + 1]) - start, 'spot')}"
        score = float(tally.score[start + count - 1]) if count else math.nan
        if math.isnan(score):
            return text
        return f"{text}, down to score {score_cut(self._scores(tally), score).text[2:]}"

    def _slid(self, step: int) -> None:
        tally = self._tally()
        if self._following or tally is None:
            return
        if step == self.slider.maximum():
            self._cut(None)
        elif self.by_score.isChecked():
            self._cut(score_cut(self._scores(tally), float(self._steps(tally)[step])).value)
        else:
            self._cut(step)

    def _typed(self, value: float) -> None:
        if self._following:
            return
        everything = (
            value <= self.field.minimum()
            if self.by_score.isChecked()
            else value >= self.field.maximum()
        )
        self._cut(None if everything else value)

    def _switched(self) -> None:
        """Keep as many spots of what is looked at as before; switching back brings the cut back."""
        tally, now = self._tally(), self.inspection.cut
        if tally is None or now.by == ("score" if self.by_score.isChecked() else "rank"):
            return
        if self.inspection.cuts.relation is Relation.BEST_F:
            self.inspection.cuts.cut_by("score" if self.by_score.isChecked() else "rank")
            return
        number, counts = self._number(tally), self.inspection.counts
        kept = int(counts.sum() if number is None else counts[number])
        if self._switch is not None and self._switch[1] == now:
            after = self._switch[0]
        elif self.by_score.isChecked():
            scores = self._scores(tally)
            lowest = score_keeping(scores, kept)
            after = ListCut("score") if lowest is None else score_cut(scores, lowest)
        else:
            after = ListCut("rank", rank_keeping(self._lengths(tally), kept))
        if now.value is None:
            after = ListCut(after.by)
        self._switch = now, after
        self.inspection.set_cut(after)

    def _cut(self, value: float | None) -> None:
        self.inspection.set_cut(ListCut("score" if self.by_score.isChecked() else "rank", value))

    def _chip(self, text: str, tip: str) -> QToolButton:
        return set_up(QToolButton(), text=text, tip=tip, checkable=True)

    def _lay_out(self) -> None:
        self.switch = QButtonGroup(self)
        for chip in (self.by_rank, self.by_score):
            self.switch.addButton(chip)
        self.switch.buttonClicked.connect(lambda _: self._switched())
        row = in_row(self.by_rank, self.by_score, 6, (self.slider, 1), 6, self.field, spacing=2)
        below = in_row(*self._views, STRETCH, self.mark, self.best, margins=(4, 0, 0, 0), spacing=2)
        title = set_up(QLabel("Runs are cut"), role="quiet")
        in_row(title, (self.relation, 1), of=self.related, margins=(4, 0, 0, 0))
        parts = (row, self.kept, self.advice, below, self.related)
        in_column(*parts, of=self, margins=(8, 4, 12, 2), spacing=2)


class CutTable(Readout):
    """The readout of the runs at their cuts, with a menu of the figures that it shows."""

    def __init__(
        self, inspection: Inspection, settings: Settings, parent: QWidget | None = None
    ) -> None:
        offered = {each.name: each.figure for each in known_measures()
                   if isinstance(each.formula, SumsFormula)}  # fmt: skip
        figures = {CUT.name: CUT, **offered}
        heads = {name: HEADS.get(name, figure.title) for name, figure in figures.items()}
        super().__init__(heads, figures, named=True)
        self._inspection, self._settings = inspection, settings
        known = [name for name in settings.get(CUT_FIGURES) if name in offered]
        self._chosen = set(known or HEADS)
        self.menu = self._menu(offered)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda place: self.menu.popup(self.mapToGlobal(place))
        )
        self.follow()

    def follow(self) -> None:
        """Show the chosen figures, and the cuts where runs have cuts of their own."""
        inspection = self._inspection
        self.name_thresholds(inspection.runs.settings)
        apart = len(inspection.runs) > 1 and inspection.cuts.relation is not Relation.SAME
        is_detector = inspection.view is CurveView.DETECTOR
        chosen = set(OF_DETECTORS) if is_detector else self._chosen
        order = [name for name in self._actions if name in chosen]
        self.use([*([CUT.name] if apart else []), *order])

    def show_standing(self, standing: Sequence[Standing]) -> None:
        """Show where each of these runs is cut, and its figures there."""
        self.follow()
        behind = theme.colours(self.palette()).window
        self.show_runs(
            [(each.run.name, readable(each.run.colour, behind), each.line) for each in standing],
            mean=self._inspection.query is None,
            dashes=[each.run.dash for each in standing],
        )

    def _menu(self, offered: Mapping[str, Figure]) -> QMenu:
        menu = QMenu("Figures at the Cut", self)
        calm = [name for name in HEADS if name in offered]
        self._actions: dict[str, QAction] = {}
        for name in (*calm, *(name for name in offered if name not in HEADS)):
            action = menu.addAction(offered[name].title)
            action.setCheckable(True)
            action.setChecked(name in self._chosen)
            action.toggled.connect(partial(self._choose, name))
            self._actions[name] = action
        pairs = [(action, offered[name]) for name, action in self._actions.items()]
        runs = self._inspection.runs
        menu.aboutToShow.connect(lambda: name_thresholds(pairs, runs.settings))
        menu.addSeparator()
        menu.addAction("Restore Defaults", self._restore)
        return menu

    def _choose(self, name: str, shown: bool) -> None:
        chosen = self._chosen | {name} if shown else self._chosen - {name}
        self._chosen = chosen or {name}  # a table without columns would say nothing
        self._actions[name].setChecked(name in self._chosen)
        self._settings.set(CUT_FIGURES, [name for name in self._actions if name in self._chosen])
        self.follow()

    def _restore(self) -> None:
        for name in sorted(self._actions, key=lambda name: name not in HEADS):
            self._actions[name].setChecked(name in HEADS)
