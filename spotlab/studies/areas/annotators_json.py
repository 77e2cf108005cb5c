"""Runs against several annotators as JSON: the layout of ``--json``, null where undefined."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import to_builtins
from spotlab.measures.agreement import DEFINITIONS, MEASURES, AnnotatorFigures, Areas
from spotlab.studies.areas.annotators import AnnotatorStudy, RunAmongAnnotators


def as_json(study: AnnotatorStudy) -> Any:
    """The study as what `json.dumps` takes, without NaN.

    Of every run the figures of `spotlab.measures.agreement.DEFINITIONS`: averaged over queries,
    of all areas together, of every query and along its list; and each annotator's own. Of every
    annotator the same against the others; ``pairs[i][j]`` is annotator i as a run against j.
    """
    annotated = study.annotated
    return to_builtins(
        {
            "pages": annotated.pages,
            "annotators": [
                {"name": name, "seen": [annotated.pages[page] for page in np.flatnonzero(saw)]}
                for name, saw in zip(annotated.names, annotated.seen, strict=True)
            ],
            "definitions": dict(DEFINITIONS),
            "runs": [_run(run) for run in study.runs],
            "agreement": {
                "pairs": [
                    [_own(study.pair(one, other)) for other in range(len(annotated.names))]
                    for one in range(len(annotated.names))
                ],
                "against_others": [figures and figures.pooled() for figures in study.agreement],
            },
            "remarks": study.remarks,
        }
    )


def _run(run: RunAmongAnnotators) -> dict[str, Any]:
    figures = run.figures
    return {
        "name": run.name,
        "spots": len(run.run),
        "evaluated": len(figures.tally),
        "mean": figures.mean(),
        "pooled": figures.pooled(),
        "annotators": {
            name: _own(areas) for name, areas in zip(figures.annotators, figures.own, strict=True)
        },
        "queries": _queries(figures),
        "left_out": run.left_out,
        "bad_lines": [str(line) for line in run.bad_lines],
    }


def _queries(figures: AnnotatorFigures) -> dict[str, Any]:
    tally, whole, along = figures.tally, figures.of_queries(), figures.at_spots()
    found: dict[str, Any] = {}
    for query, name in enumerate(tally.queries):
        part = slice(*tally.starts[query : query + 2].tolist())
        ends = {figure: values[query] for figure, values in whole.items()}
        curve = {figure: values[part] for figure, values in along.items()}
        spots = {"rank": tally.rank[part], "score": tally.score[part]}
        found[name] = {**ends, "curve": spots | curve}
    return found


def _own(areas: Areas | None) -> dict[str, float] | None:
    return None if areas is None else {name: areas.pooled(name) for name in MEASURES}
