"""Inspect state stored in a view: runs, query, cut, spot, and evaluation settings."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import Relation
from spotlab.gui.workspace import KeptView, PathTexts, Window
from spotlab.measures.intervals import PRIMARY, Over
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.model import Primitive
from spotlab.studies.evaluate.cuts import ListCut
from spotlab.studies.evaluate.inspected_run import InspectedRun


class KeptRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A run by its path, and whether the plots show it."""

    path: str
    shown: bool = True


class KeptInspection(msgspec.Struct, frozen=True, omit_defaults=True):
    """Stored state of the Inspect workspace.

    Attributes
    ----------
    runs : tuple of KeptRun
    current : int
        Place of the current run among them.
    query : str or None
    cut : ListCut
    relation : Relation
        How the cuts of the other runs follow from that of the current one.
    compared : int or None
        Place of the run that the current one is compared with.
    spot : int or None
        The chosen spot's place in its run.
    settings : MeasureSettings
    primitive : Primitive or None
    primary : str
        Name of the figure that is tested.
    over : {"queries", "pages"} or None
        The units of its test and of all intervals; None for what there is enough of.
    """

    runs: tuple[KeptRun, ...] = ()
    current: int = 0
    query: str | None = None
    cut: ListCut = ListCut()
    relation: Relation = Relation.SAME
    compared: int | None = None
    spot: int | None = None
    settings: MeasureSettings = MeasureSettings()
    primitive: Primitive | None = None
    primary: str = PRIMARY
    over: Over | None = None


def take(window: Window, texts: PathTexts) -> KeptInspection:
    """Return what is kept."""
    inspection = window.workbench.state(Inspection)
    runs = inspection.runs
    if runs.awaited is not None:  # they are being read: what is wanted counts
        kept: KeptInspection = runs.awaited
        wanted = [
            msgspec.structs.replace(run, path=texts.text(Path(run.path))) for run in kept.runs
        ]
        kept = msgspec.structs.replace(kept, runs=tuple(wanted))
    else:
        kept = _looked_at(inspection, window.workbench.state(ComparisonState).second, texts)
    return kept


def _looked_at(
    inspection: Inspection, second: InspectedRun | None, texts: PathTexts
) -> KeptInspection:
    runs, current = inspection.runs, inspection.runs.current
    with_files = [run for run in runs if run.run.source is not None]
    spot = None
    if current is not None and current.tally is not None and inspection.spot is not None:
        spot = int(current.tally.spot[inspection.spot])
    return KeptInspection(
        runs=tuple(
            KeptRun(texts.text(run.run.source), run.shown)
            for run in with_files
            if run.run.source is not None
        ),
        current=with_files.index(current) if current in with_files else 0,
        query=inspection.query,
        cut=inspection.cut,
        relation=inspection.cuts.relation,
        compared=with_files.index(second) if second in with_files else None,
        spot=spot,
        settings=runs.settings,
        primitive=runs.primitive,
        primary=runs.primary,
        over=runs.over,
    )


def give(window: Window, kept: KeptInspection, texts: PathTexts) -> None:
    """Look at that again."""
    inspection = window.workbench.state(Inspection)
    runs = [msgspec.structs.replace(run, path=str(texts.path(run.path))) for run in kept.runs]
    kept = msgspec.structs.replace(kept, runs=tuple(runs))
    inspection.runs.settings, inspection.runs.primitive = kept.settings, kept.primitive
    known = any(figure.name == kept.primary for figure in known_figures())
    inspection.runs.primary, inspection.runs.over = kept.primary if known else PRIMARY, kept.over

    def look() -> None:
        _look(inspection, kept)
        other = kept.compared
        if other is not None and 0 <= other < len(kept.runs):
            path = Path(kept.runs[other].path)
            for run in inspection.runs:
                if run.run.source == path:
                    window.workbench.state(ComparisonState).choose(run)

    inspection.runs.open_only([Path(run.path) for run in runs], kept, look)


def _look(inspection: Inspection, kept: KeptInspection) -> None:
    """Look where one has looked; what is not there any more is passed over."""
    hidden = {Path(run.path) for run in kept.runs if not run.shown}
    for index, run in enumerate(inspection.runs):
        if run.run.source in hidden:
            inspection.runs.show(index, False)
    wanted = Path(kept.runs[kept.current].path) if 0 <= kept.current < len(kept.runs) else None
    for index, run in enumerate(inspection.runs):
        if run.run.source == wanted:
            inspection.runs.choose(index)
    if kept.query is None or kept.query in inspection.queries:
        inspection.choose_query(kept.query)
    inspection.set_cut(kept.cut)
    inspection.cuts.relate(kept.relation)
    current = inspection.runs.current
    tally = current.tally if current else None
    if tally is not None and kept.spot is not None and len(tally):
        place = int(np.searchsorted(tally.spot, kept.spot))
        if place < len(tally) and tally.spot[place] == kept.spot:
            inspection.choose_spot(place, go=False)


KEPT = KeptView(KeptInspection, take, give)
