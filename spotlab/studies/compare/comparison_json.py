"""JSON of a comparison of two runs: ``compared`` of ``--json``, with null where undefined.

Changes are the second run's figure minus the first's. Areas are in px², shares in [0, 1].
"""

from __future__ import annotations

from typing import Any

from spotlab.imaging.overlay import ComparedKind
from spotlab.measures.area import ratio
from spotlab.measures.comparison import FIGURES, ChangedFigures, MeanChange
from spotlab.measures.cuts import CutRun
from spotlab.studies.compare.comparison import CHANGES, ChangeList, RunComparison

AREAS = {
    ComparedKind.FIRST: "only_first",
    ComparedKind.SECOND: "only_second",
    ComparedKind.BOTH: "both",
    ComparedKind.NEITHER: "neither",
    ComparedKind.FALSE_FIRST: "false_only_first",
    ComparedKind.FALSE_SECOND: "false_only_second",
    ComparedKind.FALSE_BOTH: "false_both",
}


def comparison_as_json(compared: RunComparison) -> dict[str, Any]:
    """The comparison as what `to_builtins` takes."""
    pages = _changed(compared.figures.pages)
    return {
        "first": compared.first.name,
        "second": compared.second.name,
        "mean": {name: _mean(change) for name, change in compared.figures.mean.items()},
        "areas": areas_as_json(compared.areas),
        "labels": _changed(compared.figures.labels),
        "pages": {
            name: {**pages[name], "areas": areas_as_json(page.sums())}
            for name, page in compared.pages.items()
        },
        "counts": {kind.value: count for kind, count in compared.changes.count().items()},
        "changes": [change_as_json(compared.changes, at) for at in range(len(compared.changes))],
    }


def areas_as_json(areas: dict[ComparedKind, float]) -> dict[str, float]:
    """Areas of each kind in px², by name."""
    return {name: areas.get(kind, 0.0) for kind, name in AREAS.items()}


def change_as_json(changes: ChangeList, at: int) -> dict[str, Any]:
    """One change: what, where, how much, and what each run has there."""
    region = int(changes.region[at])
    return {
        "change": CHANGES[int(changes.kind[at])].value,
        "label": changes.query[at],
        "page": changes.page_name(at),
        "region": changes.region_id(at),
        "area": float(changes.area[at]),
        "first": _side(changes.first, int(changes.first_spot[at]), region),
        "second": _side(changes.second, int(changes.second_spot[at]), region),
    }


def _side(run: CutRun, spot: int, region: int) -> dict[str, Any]:
    """What a run has of a symbol, and with which spot."""
    tally, found = run.tally, {}
    if region >= 0:
        symbols = run.symbols
        found = {
            "covered": float(ratio(symbols.covered[region], tally.region_area[region])),
            "recognised": bool(symbols.recognised[region]),
            "matched": bool(symbols.matched[region]),
            "iou": float(symbols.iou[region]),
        }
    return {
        **found,
        "rank": int(tally.rank[spot]) if spot >= 0 else None,
        "score": float(tally.score[spot]) if spot >= 0 else None,
    }


def _mean(change: MeanChange) -> dict[str, Any]:
    found = change.difference
    return {
        "queries": change.queries,
        "first": change.before,
        "second": change.after,
        "change": change.value,
        "interval": found and (found.low, found.high),
        "p": found and found.p,
    }


def _changed(changed: ChangedFigures) -> dict[str, Any]:
    return {
        name: {
            figure: {
                "first": float(changed.before[figure][row]),
                "second": float(changed.after[figure][row]),
                "change": float(changed.change(figure)[row]),
                "interval": changed.interval(figure, row),
            }
            for figure in FIGURES
        }
        for row, name in enumerate(changed.names)
    }
