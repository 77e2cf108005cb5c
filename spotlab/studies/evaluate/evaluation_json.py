"""An evaluation as JSON: the layout of ``--json``, with null wherever something is undefined.

``figures`` says of each figure its title with the threshold, unit and definition, and by ``over``
whether tables show its mean over queries or the pooled one.
For each run ``mean``, ``pooled`` and every query hold the figures by name, the three normalisers of
average precision together under ``average_precision``, and ``areas`` the retrieval matrix in px².
``queries`` are the truth's, over which ``mean`` and ``pooled`` go; ``outside`` are the run's
others, all of whose area is false. Areas' shares are in [0, 1], the recognition rate is in %.
``defined`` says over how many queries a mean
goes, ``intervals`` where it lies had other queries or other pages been drawn, ``errors`` how many
spots and regions are of each kind, those of ``outside`` included. ``best_f`` is the threshold
with the highest area F, by score and by rank, on the pages that it was chosen on; ``held_out`` has
its F on others. ``best_f_at_iou`` is the same of spots that are right at the IoU;
``over_score_at_iou`` has their precision, recall and F, of all queries together, at 201 scores,
with 95 % intervals over pages. ``sizes`` are those of AP and AR by size, in px². ``cut`` has the
figures at the cut that was asked for.
``confusion`` has a row for each query and one for what was missed, a column for each label, one for
truth without a label and one for no truth: numbers of spots or regions under ``spots``, px² under
``area``. ``confused`` lists the pairs of labels that are confused, the worst first, with the share
of the query's spots. ``tide`` holds the average precision over which TIDE takes its means and, for
each of its kinds, the number of errors and ``gain``, the ΔAP in [0, 1]. ``ignored`` says how many
regions and spots are neither found nor missed nor false, and how much area; ``models`` what the
queries were taken from and, if that is ignored, the figures that count it. ``comparisons`` are
second minus first. One figure is tested, the ``primary`` one of ``design``: ``p`` is that of each
pair of runs by itself, ``p_holm`` the same corrected for all ``tests``; both are null for all other
figures.
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

from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.imaging.overlay import ComparedKind
from spotlab.measures.area import ratio, retrieval_matrix
from spotlab.measures.comparison import FIGURES, ChangedFigures, MeanChange
from spotlab.measures.confusion import Confusion
from spotlab.measures.cuts import By, CutRun
from spotlab.measures.figures import RunFigures, figures_by_page
from spotlab.measures.intervals import Difference, Interval
from spotlab.measures.matching import ERROR_KINDS, ErrorKind
from spotlab.measures.measure import Sums, known_figures
from spotlab.measures.thresholds import threshold_curves
from spotlab.measures.tide import TIDE_KINDS, TideErrors
from spotlab.model.run import Run
from spotlab.studies.compare.comparison import CHANGES, ChangeList, RunComparison
from spotlab.studies.evaluate.cuts import FiguresAtCut, best_f, best_thresholds
from spotlab.studies.evaluate.evaluation import CURVES, Evaluation, RunEvaluation
from spotlab.studies.tally.outlines import ignored_counts

BY: tuple[By, ...] = ("score", "rank")
SETTINGS = (
    "overlap", "beta", "recognised", "iou", "missing", "at_recall", "at_precision", "sizes",
    "at_rank",
)  # fmt: skip
NESTED = "average_precision_"  # figures that stand together under one name


def as_json(evaluation: Evaluation) -> Any:
    """The evaluation as what `json.dumps` takes, without NaN."""
    return to_builtins(
        {
            "settings": {
                **attributes(evaluation.settings, *SETTINGS),
                **attributes(evaluation, "models", "primitive", "draws", "seed"),
                "cut": evaluation.cut and str(evaluation.cut),
            },
            "figures": _heads(evaluation),
            "truth": _truth(evaluation),
            "runs": [_run(run, evaluation) for run in evaluation.runs],
            "design": evaluation.design,
            "comparisons": [
                {"first": first, "second": second, "differences": _differences(differences)}
                for (first, second), differences in evaluation.comparisons.items()
            ],
            **_compared(evaluation),
        }
    )


def _heads(evaluation: Evaluation) -> dict[str, Any]:
    """Title, unit, threshold and definition of each figure, by its name."""
    settings = evaluation.settings
    return {
        figure.name: {
            "title": figure.titled(settings, unit=True),
            **attributes(figure, "unit", "better", "over", "definition", "paper"),
            "threshold": {figure.threshold: getattr(settings, figure.threshold)}
            if figure.threshold
            else None,
        }
        for figure in known_figures()
    }


def _areas(sums: Sums, query: int | None = None) -> dict[str, Any]:
    """Areas of the retrieval matrix in px², of a query or of all."""
    relevant, outside, truth, pages = (
        each if query is None else each[query]
        for each in (sums.relevant, sums.outside, sums.truth, sums.pages)
    )
    return dict(retrieval_matrix(relevant, outside, truth, pages))


def _compared(evaluation: Evaluation) -> dict[str, Any]:
    """Two runs in full, where that was asked for."""
    compared = evaluation.compared if evaluation.pair is not None else None
    return {} if compared is None else {"compared": comparison_as_json(compared)}


def _truth(evaluation: Evaluation) -> dict[str, Any]:
    truths, notes = evaluation.truth_set, evaluation.truth_notes
    return {
        "pages": list(truths.truths),
        "outside": list(truths.outside),
        **attributes(notes, "regions", "ignored"),
        "without_truth": truths.without_truth,
        **attributes(notes, "without_area", "crossing", "without_label", "off_page"),
        "remarks": truths.remarks,
    }


def _run(run: RunEvaluation, evaluation: Evaluation) -> dict[str, Any]:
    figures, names = run.figures, run.tally.queries
    counts = {kind: run.errors.count(kind) for kind in ERROR_KINDS}
    ignored = ignored_counts(run.tally, run.errors)
    return {
        "name": run.name,
        "overlap": evaluation.settings.overlap,
        "spots": len(run.run),
        "evaluated": len(run.tally),
        "mean": named(figures.mean),
        "defined": named(figures.defined),
        "pooled": named(with_whole_counts(figures.pooled)),
        "areas": _areas(figures.pooled_sums),
        "intervals": {over: ends(run.intervals.get(over, {})) for over in ("queries", "pages")},
        "best_f": _best_f(figures, "area"),
        "best_f_at_iou": _best_f(figures, "iou"),
        "over_score_at_iou": _over_score(figures),
        "sizes": {
            size: {"from": low, "to": high, "regions": figures.lists.symbols_of(size).sum()}
            for size, (low, high) in figures.lists.size_bounds.items()
        },
        "cut": _cut(run, evaluation),
        "errors": {kind: count.sum() for kind, count in counts.items()},
        "tide": _tide(run.tide),
        "confusion": _confusion(evaluation.confusion(run)),
        "confused": [
            dict(zip(("query", "label", "spots", "share"), pair, strict=True))
            for pair in evaluation.confusion_by_spots(run).pairs
        ],
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
                "areas": _areas(figures.sums, place),
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
                **attributes(each, "fall_out", "false_positives"),
                "curve": _curve(run, names.index(each.name)),
            }
            for each in figures.outside
        },
    }


def _best_f(figures: RunFigures, of: str) -> dict[str, Any]:
    found: dict[str, Any] = {by: dict.fromkeys(("mean", "pooled")) for by in BY}
    for kind, over, by, best in best_thresholds(figures):
        if kind == of:
            found[by][over] = best
    return found


def _over_score(figures: RunFigures) -> dict[str, Any]:
    """Precision, recall and F over the score, of all queries together, with intervals."""
    curves = threshold_curves(figures.by_numbers, pooled=True)
    return {
        "score": curves.value,
        **{
            name: {"pooled": getattr(curves, name), "low": band[0], "high": band[1]}
            for name, band in curves.bands.items()
        },
    }


def _models(run: RunEvaluation) -> dict[str, Any]:
    """Models of the run's queries; the figures that count them, where they are ignored."""
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
        else {"mean": named(counted.mean), "pooled": named(with_whole_counts(counted.pooled))},
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
    return named({name: _interval(each) for name, each in intervals.items()})


def _interval(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


def _differences(differences: Mapping[str, Difference | None]) -> dict[str, Any]:
    return named({
        name: each
        and {
            "value": each.value,
            **dict(zip(("low", "high"), _interval(each.interval) or (None, None), strict=True)),
            **attributes(each, "p", "p_holm"),
        }
        for name, each in differences.items()
    })  # fmt: skip


def _curve(run: RunEvaluation, query: int) -> dict[str, Any]:
    """Figures of the query after each of its spots, in rank order."""
    tally, figures = run.tally, run.figures
    own = slice(tally.starts[query], tally.starts[query + 1])
    return {
        "rank": tally.rank[own],
        "score": tally.score[own],
        **{name: values[own] for name, values in attributes(figures, *CURVES).items()},
    }


def _notes(run: RunEvaluation) -> dict[str, Any]:
    return {
        "bad_lines": [attributes(bad, "line", "place", "problem") for bad in run.bad_lines],
        "left_out": run.left_out,
        "unknown_queries": dict(run.unknown_queries),
        "unsearched": run.unsearched,
        "without_area": _spots(run.run, run.without_area),
        "crossing": _spots(run.run, run.crossing),
        "partly_off_page": _spots(run.run, run.off_page.partly),
        "wholly_off_page": _spots(run.run, run.off_page.wholly),
        **attributes(run, "tied", "double_share"),
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
    """The comparison as what `to_builtins` takes.

    Changes are the second run's figure minus the first's. Areas are in px², shares in [0, 1].
    """
    pages = _changed(compared.figures.pages)
    return {
        "first": compared.first.name,
        "second": compared.second.name,
        "mean": {name: _mean_change(change) for name, change in compared.figures.mean.items()},
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
    """State of a symbol in a run, and its spot."""
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


def _mean_change(change: MeanChange) -> dict[str, Any]:
    found = change.difference
    return {
        "queries": change.queries,
        "first": change.before,
        "second": change.after,
        "change": change.value,
        "interval": None if found is None else _interval(found.interval),
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
