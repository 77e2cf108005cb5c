"""The study of uncertain truth as what `json.dumps` takes; undefined values are None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.studies.uncertain.study import JudgedAnswer, SystemMean, SystemPair, UncertainStudy
from spotlab.studies.words.displacement import DisplacementStudy
from spotlab.studies.words.displacement import as_json as displacement_json
from spotlab.uncertain_truth.answers import Band

SETTINGS = ("mixture", "shift", "relevance", "unjudged", "cut_offs")


def as_json(
    study: UncertainStudy,
    displacements: Sequence[DisplacementStudy] = (),
    remarks: Sequence[str] = (),
) -> Any:
    """All of a study, with remarks on what was read.

    ``items`` has the probability of each category above 0; ``answers`` the bands over
    ``cut_off``; a band is ``[low, high]``.
    """
    relevance = study.relevance
    tree = relevance.judgements.tree
    return to_builtins(
        {
            "settings": {**attributes(study.settings, *SETTINGS), "compared_at": study.compared_at},
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
        **attributes(each, "system", "query"),
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
    return attributes(band, "mean", "median", half="middle_50", most="middle_95")


def _mean(each: SystemMean) -> dict[str, Any]:
    precision = each.precision
    return {
        "system": each.system,
        "precision": precision
        and {
            **attributes(precision, "mean", "median"),
            "half": precision.band(0.5),
            "most": precision.band(0.95),
        },
        "recall": None if each.recall is None else {"mean": each.recall},
        **attributes(each, "queries", "left_out"),
    }


def _between(each: SystemPair) -> dict[str, Any]:
    found = each.comparison
    return {
        **attributes(each, "a", "b", "left_out"),
        "difference": found
        and {
            **attributes(found, better="superiority", equal="equality", worse="inferiority"),
            **attributes(found, "mean", "interval", "common", "queries"),
        },
    }
