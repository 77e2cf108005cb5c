"""An evaluation as JSON: the layout of ``--json``, with null wherever something is undefined.

For each run ``mean``, ``pooled`` and every query hold the figures by name, the three normalisers of
average precision together under ``average_precision``. ``queries`` are the truth's, over which
``mean`` and ``pooled`` go; ``outside`` are the run's others, all of whose area is false. Areas'
shares are in [0, 1], the recognition rate is in %. ``defined`` says over how many queries a mean
goes, ``intervals`` where it lies had other queries or other pages been drawn, ``errors`` how many
spots and regions are of each kind, those of ``outside`` included.
``notes`` hold all that was left out or may surprise, each spot with its line of the file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.bootstrap import Interval
from spotlab.measures.errors import KINDS
from spotlab.measures.measure import known_figures
from spotlab.measures.significance import Difference
from spotlab.model.run import Run
from spotlab.studies.areas.evaluate import Evaluation, Flawed, RunEvaluation

NESTED = "average_precision_"  # figures that stand together under one name


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as what `json.dumps` takes, without NaN."""
    return {
        "settings": _settings(evaluation),
        "truth": _truth(evaluation),
        "runs": [_run(run, evaluation) for run in evaluation.runs],
        "comparisons": [
            {"first": first, "second": second, "differences": _named(differences, _difference)}
            for (first, second), differences in evaluation.comparisons.items()
        ],
    }


def number(value: float | None) -> float | None:
    """A number, or null where it is undefined.

    Examples
    --------
    >>> number(0.5), number(float("nan")), number(None)
    (0.5, None, None)
    """
    return None if value is None or not math.isfinite(value) else float(value)


def numbers(values: NDArray[np.float64]) -> list[float | None]:
    """Numbers, each null where it is undefined."""
    return [value if math.isfinite(value) else None for value in values.tolist()]


def _settings(evaluation: Evaluation) -> dict[str, Any]:
    settings = evaluation.settings
    return {
        "overlap": str(settings.overlap),
        "beta": settings.beta,
        "recognised": settings.recognised,
        "iou": settings.iou,
        "missing": settings.missing,
        "primitive": None if evaluation.primitive is None else str(evaluation.primitive),
        "draws": evaluation.draws,
        "seed": evaluation.seed,
    }


def _truth(evaluation: Evaluation) -> dict[str, Any]:
    truths = evaluation.truth_set
    return {
        "pages": list(truths.truths),
        "regions": sum(len(truth.regions) for truth in truths.truths.values()),
        "without_truth": list(truths.without_truth),
        "without_area": [_flawed(each) for each in evaluation.truth_without_area],
        "crossing": [_flawed(each) for each in evaluation.truth_crossing],
        "without_label": [_flawed(each) for each in evaluation.truth_without_label],
        "off_page": [_flawed(each) for each in evaluation.truth_off_page],
        "remarks": list(truths.remarks),
    }


def _flawed(region: Flawed) -> dict[str, str]:
    return {"page": region.page, "region": region.region, "label": region.label}


def _run(run: RunEvaluation, evaluation: Evaluation) -> dict[str, Any]:
    figures = run.figures
    counts = {kind: run.errors.count(kind) for kind in KINDS}
    return {
        "name": run.name,
        "overlap": str(evaluation.settings.overlap),
        "spots": len(run.run),
        "evaluated": len(run.tally),
        "mean": _figures(figures.mean),
        "defined": _named(figures.defined, int),
        "pooled": _figures(figures.pooled, counts=True),
        "intervals": {
            "queries": _named(run.intervals_over_queries, _interval),
            "pages": _named(run.intervals_over_pages, _interval),
        },
        "errors": {str(kind): int(count.sum()) for kind, count in counts.items()},
        "notes": _notes(run),
        "queries": {
            name: {
                **_figures(_of_query(run, place), counts=True),
                "errors": {str(kind): int(count[place]) for kind, count in counts.items()},
                "curve": _curve(run, place),
            }
            for place, name in enumerate(run.tally.queries)
            if figures.in_truth[place]
        },
        "outside": {
            each.name: {
                "spots": each.spots,
                "false_area": number(each.area),
                "fall_out": number(each.fall_out),
                "false_positives": each.false_positives,
                "curve": _curve(run, run.tally.queries.index(each.name)),
            }
            for each in figures.outside
        },
    }


def _of_query(run: RunEvaluation, query: int) -> dict[str, float | None]:
    return {name: number(column[query]) for name, column in run.figures.columns.items()}


def _figures(values: Mapping[str, float | None], *, counts: bool = False) -> dict[str, Any]:
    """Values by figure; where they are not means, counts are whole."""
    return _named(values, number) | (_named(_counts(values), round) if counts else {})


def _counts(values: Mapping[str, float | None]) -> dict[str, float | None]:
    counts = [figure.name for figure in known_figures() if figure.unit == "count"]
    return {name: number(values[name]) for name in counts if name in values}


def _named(values: Mapping[str, Any], convert: Callable[[Any], Any]) -> dict[str, Any]:
    """Whatever there is by figure, in the order of `known_figures`; None is null."""
    found: dict[str, Any] = {}
    for figure in known_figures():
        if figure.name not in values:
            continue
        value = values[figure.name]
        converted = None if value is None else convert(value)
        if figure.name.startswith(NESTED):
            nested = found.setdefault(NESTED.rstrip("_"), {})
            nested[figure.name.removeprefix(NESTED)] = converted
        else:
            found[figure.name] = converted
    return found


def _interval(interval: Interval) -> list[float | None]:
    return [number(interval.low), number(interval.high)]


def _difference(difference: Difference) -> dict[str, float | None]:
    return {
        "value": number(difference.value),
        "low": number(difference.low),
        "high": number(difference.high),
        "p": number(difference.p),
    }


def _curve(run: RunEvaluation, query: int) -> dict[str, list[Any]]:
    """What each spot of the query leads to, in rank order."""
    tally, figures = run.tally, run.figures
    own = slice(tally.starts[query], tally.starts[query + 1])
    return {
        "rank": tally.rank[own].tolist(),
        "score": numbers(tally.score[own]),
        "precision": numbers(figures.precision[own]),
        "recall": numbers(figures.recall[own]),
        "fall_out": numbers(figures.fall_out[own]),
        "f": numbers(figures.f[own]),
        "recognised": figures.recognised[own].tolist(),
        "false_positives": figures.false_positives[own].tolist(),
    }


def _notes(run: RunEvaluation) -> dict[str, Any]:
    return {
        "bad_lines": [
            {"line": bad.line, "place": bad.place, "problem": bad.problem} for bad in run.bad_lines
        ],
        "left_out": [
            {"page": each.page, "reason": each.reason, "spots": each.spots} for each in run.left_out
        ],
        "unknown_queries": dict(run.unknown_queries),
        "unsearched": list(run.unsearched),
        "without_area": _spots(run.run, run.without_area),
        "crossing": _spots(run.run, run.crossing),
        "partly_off_page": _spots(run.run, run.off_page.partly),
        "wholly_off_page": _spots(run.run, run.off_page.wholly),
        "tied": run.tied,
        "double_share": number(run.double_share),
        "remarks": list(run.read_remarks),
    }


def _spots(run: Run, places: Iterable[int]) -> list[dict[str, Any]]:
    return [
        {
            "query": run.queries[run.query[place]],
            "page": run.pages[run.page[place]],
            "rank": int(run.rank[place]),
            "line": int(run.line[place]) or None,
        }
        for place in places
    ]
