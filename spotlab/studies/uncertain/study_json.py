"""The study of uncertain truth as what `json.dumps` takes; undefined values are None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import to_builtins
from spotlab.studies.uncertain.comparison import SystemMean, SystemPair
from spotlab.studies.uncertain.judged_answers import JudgedAnswer
from spotlab.studies.uncertain.study import UncertainStudy
from spotlab.studies.words.displacement import DisplacementStudy
from spotlab.studies.words.displacement import as_json as displacement_json
from spotlab.uncertain_truth.answers import Band


def as_json(
    study: UncertainStudy,
    displacements: Sequence[DisplacementStudy] = (),
    remarks: Sequence[str] = (),
) -> Any:
    """All of a study, with remarks on what was read.

    ``items`` has the probability of each category above 0; ``answers`` the bands over
    ``cut_off``; a band is ``[low, high]``.
    """
    relevance, settings = study.relevance, study.settings
    tree = relevance.judgements.tree
    return to_builtins(
        {
            "settings": {
                "mixture": settings.mixture,
                "shift": settings.shift,
                "relevance": settings.relevance,
                "unjudged": settings.unjudged,
                "cut_offs": settings.cut_offs,
                "compared_at": study.compared_at,
            },
            "captions": study.captions,
            "remarks": [*remarks, *study.remarks],
            "subjects": relevance.judgements.subjects,
            "categories": [
                {
                    "category": name,
                    "parent": tree.categories[above] if above >= 0 else None,
                    "expected_size": size,
                }
                for name, above, size in zip(
                    tree.categories, tree.parent.tolist(), relevance.size, strict=True
                )
            ],
            "items": {
                item: {tree.categories[at]: row[at] for at in np.flatnonzero(np.nan_to_num(row))}
                if not np.isnan(row).any()
                else None
                for item, row in zip(relevance.judgements.items, relevance.probability, strict=True)
            },
            "answers": [_answer(each) for each in study.answers],
            "systems": [_mean(each) for each in study.means],
            "comparisons": [_between(each) for each in study.comparisons],
            "displacement": {each.missing: displacement_json(each) for each in displacements},
        }
    )


def _answer(each: JudgedAnswer) -> dict[str, Any]:
    return {
        "system": each.system,
        "query": each.query,
        "returned": len(each.items),
        "unjudged": each.unjudged,
        "categories": {
            name: {"weight": weight, "expected_size": size}
            for name, weight, size in zip(
                each.categories, each.answer.weight, each.answer.size, strict=True
            )
        },
        "weight_sum": each.weight_sum,
        "cut_off": each.bands.cut_off,
        "precision": _band(each.bands.precision),
        "recall": _band(each.bands.recall),
    }


def _band(band: Band) -> dict[str, Any]:
    return {
        "mean": band.mean,
        "median": band.median,
        "half": band.middle_50,
        "most": band.middle_95,
    }


def _mean(each: SystemMean) -> dict[str, Any]:
    precision = each.precision
    return {
        "system": each.system,
        "precision": precision
        and {
            "mean": precision.mean,
            "median": precision.median,
            "half": precision.band(0.5),
            "most": precision.band(0.95),
        },
        "recall": None if each.recall is None else {"mean": each.recall},
        "queries": each.queries,
        "left_out": each.left_out,
    }


def _between(each: SystemPair) -> dict[str, Any]:
    found = each.comparison
    return {
        "a": each.a,
        "b": each.b,
        "left_out": each.left_out,
        "difference": found
        and {
            "better": found.superiority,
            "equal": found.equality,
            "worse": found.inferiority,
            "mean": found.mean,
            "interval": found.interval,
            "common": found.common,
            "queries": found.queries,
        },
    }
