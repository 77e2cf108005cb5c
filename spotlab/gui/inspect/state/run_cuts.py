"""Cuts of the open runs: all at the same position, or each at its own, given by a rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from weakref import WeakKeyDictionary, ref

from spotlab.arrays import Ints
from spotlab.gui.inspect.state.open_runs import OpenRuns
from spotlab.measures.cuts import By, OperatingPoints
from spotlab.measures.figures import ListFigures, RunFigures
from spotlab.measures.measure import default_figures, known_figures
from spotlab.report.figure_text import written
from spotlab.signal import Signal
from spotlab.studies.evaluate.cuts import BEST_F, CutRule, FiguresAtCut, ListCut, points_of
from spotlab.studies.evaluate.inspected_run import InspectedRun

NOTHING = ListCut("rank", 0)


_OF_DETECTORS = re.compile("^iou_precision|^average_recall|_at_iou$|^symbols$")


class CurveView(StrEnum):
    """View of precision and recall: by area, or by numbers of spots that are right at an IoU."""

    AREAS = "areas"
    DETECTOR = "detector"

    def lists(self, figures: RunFigures) -> ListFigures:
        """The lists of a run in this view."""
        return figures if self is CurveView.AREAS else figures.by_numbers

    def figure(self, kind: str) -> str:
        """Name the figure at a cut that a plot shows: "precision", "recall", "f" or "fall_out"."""
        if self is CurveView.DETECTOR:
            return f"{kind}_at_iou"
        return f"area_{kind}" if kind in {"precision", "recall"} else kind

    @property
    def columns(self) -> tuple[str, ...]:
        """Name the figures that tables show in this view until somebody chooses others."""
        if self is CurveView.AREAS:
            return tuple(figure.name for figure in default_figures())
        names = (figure.name for figure in known_figures())
        return tuple(name for name in names if _OF_DETECTORS.search(name))


class Relation(StrEnum):
    """Rule that relates the cuts of several runs."""

    SAME = "same"
    OWN = "own"
    RECALL = "recall"
    PRECISION = "precision"
    BEST_F = "best_f"


@dataclass(frozen=True)
class RunCut:
    """Cut of a run.

    Attributes
    ----------
    cut : ListCut
        Keeps nothing where there is no such place.
    reason : str
        Why there is none; empty where there is one.
    """

    cut: ListCut
    reason: str = ""


_Name = tuple[str, Path | None]  # of a run, also when it is read again
_Key = tuple[object, ...]  # what a run's cut follows from


class RunCuts:
    """The cut that was set by hand, and those of the other runs that follow from it.

    Attributes
    ----------
    relation : Relation
        How the others follow.
    changed : Signal
        Lists end elsewhere.
    """

    def __init__(
        self, runs: OpenRuns, query: Callable[[], str | None], view: Callable[[], CurveView]
    ) -> None:
        self.relation = Relation.SAME
        self.changed = Signal[[]]()
        self._runs, self._query, self._view = runs, query, view  # what is looked at, and how
        self._cut = ListCut()
        self._set_on: _Name | None = None  # the run on which the cut was set
        self._own: dict[_Name, ListCut] = {}
        self._known: WeakKeyDictionary[InspectedRun, tuple[_Key, RunCut, Ints]]
        self._known = WeakKeyDictionary()

    @property
    def cut(self) -> ListCut:
        """Tell where the current run is cut."""
        current = self._runs.current
        return self._cut if current is None else self.of(current).cut

    @property
    def follows_query(self) -> bool:
        """Tell whether lists end elsewhere when another query is looked at."""
        return self.relation not in {Relation.SAME, Relation.OWN}

    def of(self, run: InspectedRun) -> RunCut:
        """Tell where a run is cut."""
        return self._entry(run)[1]

    def counts(self, run: InspectedRun) -> Ints:
        """(Q,) how many spots each query of a run keeps; empty where there is no tally."""
        return self._entry(run)[2]

    def best_f(self, run: InspectedRun) -> ListCut | None:
        """Tell where F of a run is highest, for what is looked at.

        By rank or score as the cut is.
        """
        lists = self._lists(run)
        return BEST_F.cut_of(lists, self._by, self._query()) if lists else None

    def points(self, run: InspectedRun) -> OperatingPoints | None:
        """Return what a run has wherever it could be cut, for what is looked at."""
        lists = self._lists(run)
        return points_of(lists, self._by, self._query()) if lists else None

    def _lists(self, run: InspectedRun) -> ListFigures | None:
        return None if run.figures is None else self._view().lists(run.figures)

    def set(self, cut: ListCut) -> None:
        """Cut the current run there by hand; the others follow."""
        current = self._runs.current
        if current is not None and self.of(current) == RunCut(cut):
            return
        if self.relation is Relation.BEST_F:
            self._keep_all()
        self._cut = cut
        if current is not None:
            self._set_on = _name(current)
            self._own[_name(current)] = cut
        self.changed.emit()

    def cut_by(self, by: By) -> None:
        """Cut every run at its best F by ranks, or by scores."""
        if self.relation is Relation.BEST_F and by != self._cut.by:
            self._cut = ListCut(by)
            self.changed.emit()

    def relate(self, relation: Relation) -> None:
        """Have the runs' cuts belong together in this way."""
        current = self._runs.current
        if relation is self.relation or current is None:
            return
        if relation is Relation.OWN:
            self._keep_all()
        elif not self.of(current).reason:
            self._cut, self._set_on = self.of(current).cut, _name(current)
        self.relation = relation
        self.changed.emit()

    def _keep_all(self) -> None:
        """From now on each run has the cut that it has now, as its own."""
        self._own |= {_name(run): self.of(run).cut for run in self._runs}
        self.relation = Relation.OWN

    def follow_runs(self) -> None:
        """Let another run fix the cuts if the one on which they were set is closed."""
        current = self._runs.current
        if current is None or self._set_on in [_name(run) for run in self._runs]:
            return
        if self._set_on is not None and current in self._known:
            self._cut = self._known[current][1].cut
        self._set_on = _name(current)

    def forget(self) -> None:
        """Keep everything of whatever is opened."""
        self.relation, self._cut, self._set_on = Relation.SAME, ListCut(), None
        self._own.clear()
        self._known.clear()

    def level(self) -> float | None:
        """The recall or precision that the cut fixes; None where it fixes none."""
        view, kinds = self._view(), {Relation.RECALL, Relation.PRECISION}
        source = self._source()
        if self.relation not in kinds or source is None or source.figures is None:
            return None
        counts = self._cut.counts(source.tally)
        return FiguresAtCut(source.figures, counts).of(self._query())[view.figure(self.relation)]

    @property
    def _by(self) -> By:
        return self.cut.by if self.relation is Relation.OWN else self._cut.by

    def _source(self) -> InspectedRun | None:
        """The run on which the cut was set."""
        named = (run for run in self._runs if _name(run) == self._set_on)
        return next(named, self._runs.current)

    def _entry(self, run: InspectedRun) -> tuple[_Key, RunCut, Ints]:
        key = self._key(run)
        if run not in self._known or self._known[run][0] != key:
            found = self._found(run)
            self._known[run] = key, found, found.cut.counts(run.tally)
        return self._known[run]

    def _key(self, run: InspectedRun) -> _Key:
        if self.relation is Relation.SAME:
            return (self.relation, self._cut)
        if self.relation is Relation.OWN:
            return (self.relation, self._own.get(_name(run)))
        source = self._source()
        figures = None if source is None else source.figures
        of_figures = None if figures is None else ref(self._view().lists(figures))
        return (self.relation, self._cut, self._query(), of_figures, self._set_on)

    def _found(self, run: InspectedRun) -> RunCut:
        if self.relation is Relation.SAME or run.figures is None:
            return RunCut(self._cut)
        if self.relation is Relation.OWN:
            return RunCut(self._own.get(_name(run), ListCut()))
        if self.relation is Relation.BEST_F:
            return _by_rule(
                BEST_F,
                self._view().lists(run.figures),
                self._cut.by,
                self._query(),
                "F is undefined",
            )
        if run is self._source():
            return RunCut(self._cut)
        word, level = str(self.relation), self.level()
        if level is None:
            return RunCut(NOTHING, f"{word} is undefined where the cut was set")
        rule = CutRule("recall" if self.relation is Relation.RECALL else "precision", level)
        reason = f"{word} {written(level)} is never reached"
        return _by_rule(rule, self._view().lists(run.figures), self._cut.by, self._query(), reason)


def _by_rule(rule: CutRule, figures: ListFigures, by: By, query: str | None, reason: str) -> RunCut:
    cut = rule.cut_of(figures, by, query)
    return RunCut(NOTHING, reason) if cut is None else RunCut(cut)


def _name(run: InspectedRun) -> _Name:
    return run.name, run.run.source
