"""An evaluation part by part as JSON: as that of whole runs, without what grows with pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.lab.parts.evaluate_parts import PartsEvaluation, RunParts
from spotlab.measures.errors import KINDS
from spotlab.studies.evaluate.evaluation_json import ends, named, with_whole_counts


def as_json(evaluation: PartsEvaluation) -> dict[str, Any]:
    """What `json.dumps` takes, without NaN.

    Parameters
    ----------
    evaluation : PartsEvaluation
    """
    settings = evaluation.settings
    return {
        "settings": {
            "overlap": str(settings.overlap),
            "beta": settings.beta,
            "recognised": settings.recognised,
            "iou": settings.iou,
            "missing": settings.missing,
            "at_recall": settings.at_recall,
            "at_precision": settings.at_precision,
            "draws": evaluation.draws,
            "seed": evaluation.seed,
        },
        "truth": {"pages": evaluation.pages, "regions": evaluation.regions},
        "runs": [_run(run) for run in evaluation.runs],
    }


def _run(run: RunParts) -> dict[str, Any]:
    figures, totals = run.figures, run.totals
    kinds = [str(kind) for kind in KINDS]
    return {
        "name": run.name,
        "spots": totals.spots,
        "evaluated": totals.evaluated,
        "mean": named(figures.mean),
        "defined": named(figures.defined),
        "pooled": named(with_whole_counts(figures.pooled)),
        "intervals": {"queries": ends(run.intervals_over_queries)},
        "notes": {
            "left_out": totals.left_out,
            "bad_lines": totals.bad,
            "remarks": list(run.remarks),
        },
        "queries": {
            query: {
                "spots": totals.queries[query][0],
                "symbols": totals.queries[query][1],
                **named(with_whole_counts(_of_query(run, place))),
                "errors": dict(zip(kinds, totals.queries[query][2:], strict=True)),
            }
            for place, query in enumerate(figures.queries)
            if figures.in_truth[place]
        },
    }


def _of_query(run: RunParts, query: int) -> dict[str, float | None]:
    values = {name: float(column[query]) for name, column in run.figures.columns.items()}
    return {name: None if np.isnan(value) else value for name, value in values.items()}
