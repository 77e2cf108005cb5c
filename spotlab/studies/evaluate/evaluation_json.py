"""An evaluation as JSON: the layout of ``--json``, with null wherever something is undefined.

For each run ``mean``, ``pooled`` and every query hold the figures by name, the three normalisers of
average precision together under ``average_precision``. ``queries`` are the truth's, over which
``mean`` and ``pooled`` go; ``outside`` are the run's others, all of whose area is false. Areas'
shares are in [0, 1], the recognition rate is in %. ``defined`` says over how many queries a mean
goes, ``intervals`` where it lies had other queries or other pages been drawn, ``errors`` how many
spots and regions are of each kind, those of ``outside`` included. ``best_f`` is the threshold with
the highest F, by score and by rank, and ``cut`` has the figures at the cut that was asked for.
``confusion`` has a row for each
query and one for what was missed, a column for each label, one for truth without a label and one
for no truth: numbers of spots or regions under ``spots``, px² under ``area``. ``tide`` holds the
average precision over which TIDE takes its means and, for each of its kinds, the number of errors
and ``gain``, the ΔAP in [0, 1]. ``ignored`` says how many regions and spots are neither found nor
missed nor false, and how much area; ``models`` what the queries were taken from and, if that is
ignored, the figures that count it. ``p`` of differences is that of each test by itself,
``p_holm`` the same corrected for all ``tests`` of the file.
``pages`` hold the figures of single pages, all queries of the truth together; ``outside`` of the
truth names pages that a subset leaves out.
``provenance`` is what the run's file says of how it was made, if it says so.
``notes`` hold all that was left out or may surprise, each spot with its line of the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import to_builtins
from spotlab.measures.confusion import Confusion
from spotlab.measures.cuts import By
from spotlab.measures.errors import KINDS, ErrorKind
from spotlab.measures.figures import figures_by_page
from spotlab.measures.intervals import Interval
from spotlab.measures.measure import known_figures
from spotlab.measures.tide import TIDE_KINDS, TideErrors
from spotlab.model.run import Run
from spotlab.studies.compare.comparison_json import comparison_as_json
from spotlab.studies.evaluate.cuts import FiguresAtCut, best_f
from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation
from spotlab.studies.tally.remarks import ignored_counts

BY: tuple[By, ...] = ("score", "rank")
NESTED = "average_precision_"  # figures that stand together under one name


def as_json(evaluation: Evaluation) -> Any:
    """The evaluation as what `json.dumps` takes, without NaN."""
    settings = evaluation.settings
    return to_builtins(
        {
            "settings": {
                "overlap": settings.overlap,
                "beta": settings.beta,
                "recognised": settings.recognised,
                "iou": settings.iou,
                "missing": settings.missing,
                "at_recall": settings.at_recall,
                "at_precision": settings.at_precision,
                "models": evaluation.models,
                "primitive": evaluation.primitive,
                "draws": evaluation.draws,
                "seed": evaluation.seed,
                "cut": evaluation.cut and str(evaluation.cut),
            },
            "truth": _truth(evaluation),
            "runs": [_run(run, evaluation) for run in evaluation.runs],
            "correction": {"method": "holm", "tests": evaluation.tests},
            "comparisons": [
                {"first": first, "second": second, "differences": named(differences)}
                for (first, second), differences in evaluation.comparisons.items()
            ],
            **_compared(evaluation),
        }
    )


def _compared(evaluation: Evaluation) -> dict[str, Any]:
    """Two runs in full, where that was asked for."""
    compared = evaluation.compared if evaluation.pair is not None else None
    return {} if compared is None else {"compared": comparison_as_json(compared)}


def _truth(evaluation: Evaluation) -> dict[str, Any]:
    truths, notes = evaluation.truth_set, evaluation.truth_notes
    return {
        "pages": list(truths.truths),
        "outside": list(truths.outside),
        "regions": notes.regions,
        "ignored": notes.ignored,
        "without_truth": truths.without_truth,
        "without_area": notes.without_area,
        "crossing": notes.crossing,
        "without_label": notes.without_label,
        "off_page": notes.off_page,
        "remarks": truths.remarks,
    }


def _run(run: RunEvaluation, evaluation: Evaluation) -> dict[str, Any]:
    figures, names = run.figures, run.tally.queries
    counts = {kind: run.errors.count(kind) for kind in KINDS}
    ignored = ignored_counts(run.tally, run.errors)
    return {
        "name": run.name,
        "overlap": evaluation.settings.overlap,
        "spots": len(run.run),
        "evaluated": len(run.tally),
        "mean": named(figures.mean),
        "defined": named(figures.defined),
        "pooled": named(with_whole_counts(figures.pooled)),
        "intervals": {
            "queries": ends(run.intervals_over_queries),
            "pages": ends(run.intervals_over_pages),
        },
        "best_f": {
            by: {over: best_f(figures, by, pooled=over == "pooled") for over in ("mean", "pooled")}
            for by in BY
        },
        "cut": _cut(run, evaluation),
        "errors": {kind: count.sum() for kind, count in counts.items()},
        "tide": _tide(run.tide),
        "confusion": _confusion(evaluation.confusion(run)),
        "ignored": {
            "regions": 0 if run.tally.ignored is None else (run.tally.ignored.kind > 0).sum(),
            "spots": counts[ErrorKind.IGNORED].sum(),
        },
        "models": _models(run),
        **({"provenance": dict(run.run.provenance)} if run.run.provenance else {}),
        "pages": _pages(run),
        "notes": _notes(run),
        "queries": {
            name: {
                **named(with_whole_counts(_of_query(run, place))),
                "best_f": {by: best_f(figures, by, name) for by in BY},
                "errors": {kind: count[place] for kind, count in counts.items()},
                "tide": _tide(run.tide, place),
                "ignored": ignored[place],
                "curve": _curve(run, place),
            }
            for place, name in enumerate(names)
            if figures.in_truth[place]
        },
        "outside": {
            each.name: {
                "spots": each.spots,
                "false_area": each.area,
                "fall_out": each.fall_out,
                "false_positives": each.false_positives,
                "curve": _curve(run, names.index(each.name)),
            }
            for each in figures.outside
        },
    }


def _models(run: RunEvaluation) -> dict[str, Any]:
    """What the run's queries were taken from; the figures that count it, where it is ignored."""
    counted = run.with_models
    return {
        "ignored": counted is not None,
        "places": [
            {"query": model.query, "page": page, "points": model.points}
            for page, models in run.models.items()
            for model in models
        ],
        "counted": None
        if counted is None
        else {
            "mean": named(counted.mean),
            "pooled": named(with_whole_counts(counted.pooled)),
        },
    }


def _cut(run: RunEvaluation, evaluation: Evaluation) -> dict[str, Any] | None:
    """The figures at the cut; None without a rule, and no figures where the run has no such cut."""
    if evaluation.cut is None:
        return None
    figures, rule = run.figures, str(evaluation.cut)
    cut = evaluation.cut.cut_of(figures)
    if cut is None:
        names = ("by", "value", "spots", "mean", "pooled", "queries")
        return {"rule": rule, **dict.fromkeys(names)}
    found = FiguresAtCut(figures, cut.counts(run.tally))
    return {
        "rule": rule,
        "by": cut.by,
        "value": cut.value,
        "spots": found.kept_of_truth,
        "mean": named(found.mean),
        "pooled": named(with_whole_counts(found.pooled)),
        "queries": {
            run.tally.queries[place]: {
                "spots": found.counts[place],
                **named(with_whole_counts({n: c[place] for n, c in found.columns.items()})),
            }
            for place in figures.in_truth.nonzero()[0].tolist()
        },
    }


def _pages(run: RunEvaluation) -> dict[str, Any]:
    columns = figures_by_page(run.figures)
    return {
        page: named(with_whole_counts({name: each[place] for name, each in columns.items()}))
        for place, page in enumerate(run.tally.pages)
    }


def _of_query(run: RunEvaluation, query: int) -> dict[str, Any]:
    return {name: column[query] for name, column in run.figures.columns.items()}


def _tide(tide: TideErrors, query: int | None = None) -> dict[str, Any]:
    return {
        "average_precision": tide.mean(query),
        "errors": {
            kind: {
                "count": tide.count(kind).sum() if query is None else tide.count(kind)[query],
                "gain": tide.gain(kind, query),
            }
            for kind in TIDE_KINDS
        },
    }


def _confusion(table: Confusion) -> dict[str, Any]:
    rows, columns = table.shown
    return {
        "rows": [table.rows[row] for row in rows],
        "columns": [table.columns[column] for column in columns],
        **{
            by: counted[np.ix_(rows, columns)]
            for by, counted in (("spots", table.spots), ("area", table.area))
            if counted is not None
        },
    }


def with_whole_counts(values: Mapping[str, float | None]) -> dict[str, Any]:
    """Figures by name, of which counts are whole numbers."""
    counts = {figure.name for figure in known_figures() if figure.unit == "count"}
    return {
        name: round(value)
        if name in counts and value is not None and math.isfinite(value)
        else value
        for name, value in values.items()
    }


def named(values: Mapping[str, Any]) -> dict[str, Any]:
    """Whatever there is by figure, in the order of `known_figures`."""
    found: dict[str, Any] = {}
    for figure in known_figures():
        if figure.name.startswith(NESTED) and figure.name in values:
            nested = found.setdefault(NESTED.rstrip("_"), {})
            nested[figure.name.removeprefix(NESTED)] = values[figure.name]
        elif figure.name in values:
            found[figure.name] = values[figure.name]
    return found


def ends(intervals: Mapping[str, Interval | None]) -> dict[str, Any]:
    """The ends of the interval of each figure."""
    return named({name: each and (each.low, each.high) for name, each in intervals.items()})


def _curve(run: RunEvaluation, query: int) -> dict[str, Any]:
    """What each spot of the query leads to, in rank order."""
    tally, figures = run.tally, run.figures
    own = slice(tally.starts[query], tally.starts[query + 1])
    return {
        "rank": tally.rank[own],
        "score": tally.score[own],
        "precision": figures.precision[own],
        "recall": figures.recall[own],
        "fall_out": figures.fall_out[own],
        "f": figures.f[own],
        "recognised": figures.recognised[own],
        "false_positives": figures.false_positives[own],
    }


def _notes(run: RunEvaluation) -> dict[str, Any]:
    return {
        "bad_lines": [
            {"line": bad.line, "place": bad.place, "problem": bad.problem} for bad in run.bad_lines
        ],
        "left_out": run.left_out,
        "unknown_queries": dict(run.unknown_queries),
        "unsearched": run.unsearched,
        "without_area": _spots(run.run, run.without_area),
        "crossing": _spots(run.run, run.crossing),
        "partly_off_page": _spots(run.run, run.off_page.partly),
        "wholly_off_page": _spots(run.run, run.off_page.wholly),
        "tied": run.tied,
        "double_share": run.double_share,
        "remarks": run.read_remarks,
    }


def _spots(run: Run, places: Iterable[int]) -> list[dict[str, Any]]:
    return [
        {
            "query": run.queries[run.query[place]],
            "page": run.pages[run.page[place]],
            "rank": run.rank[place],
            "line": run.line[place] or None,
        }
        for place in places
    ]
