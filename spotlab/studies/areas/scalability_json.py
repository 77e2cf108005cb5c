"""Scalability as JSON: Table 3, Figs. 9 and 10, with null wherever something is undefined.

Curves and deviations are shares in [0, 1] (the paper prints percent), the recognition rate is in %.
For each run ``table`` holds the mean and the largest deviation of recall, precision and F between
numbers of classes, and the mean that drawing alone makes of it. ``curves`` hold one curve for each
of ``class_counts``, averaged over ``draws``, with the ``spread`` between draws; ``centre`` and
``deviation`` are those of all of them, the curve and error bars of Fig. 9. Recall and precision are
sampled at ``thresholds``, the share of every query's list that is kept, F at ``recalls``.
"""

from __future__ import annotations

from typing import Any

from spotlab.formats.rows.json_values import to_builtins
from spotlab.measures.scalability import CollectionPart, CurveFamily
from spotlab.studies.areas.scalability import RunScalability, Scalability


def as_json(scalability: Scalability) -> Any:
    """The scalability of all runs as what `json.dumps` takes, without NaN."""
    settings = scalability.settings
    return to_builtins(
        {
            "settings": {
                "overlap": settings.overlap,
                "beta": settings.beta,
                "recognised": settings.recognised,
                "missing": settings.missing,
                "draws": scalability.draws,
                "seed": scalability.seed,
            },
            "classes": scalability.classes,
            "class_counts": scalability.counts,
            "thresholds": scalability.thresholds,
            "recalls": scalability.recalls,
            "runs": [_run(run) for run in scalability.runs],
        }
    )


def _run(run: RunScalability) -> dict[str, Any]:
    families = {"recall": run.recall, "precision": run.precision, "f": run.f}
    return {
        "name": run.name,
        "table": {
            name: {
                "mean": each.mean_deviation,
                "maximum": each.largest_deviation,
                "by_chance": each.mean_by_chance,
            }
            for name, each in families.items()
        },
        "curves": {name: _family(each) for name, each in families.items()},
        "sizes": [_size(each) for each in run.sizes],
    }


def _family(each: CurveFamily) -> dict[str, Any]:
    return {
        "mean": each.mean,
        "spread": each.spread,
        "centre": each.centre,
        "deviation": each.deviation,
        "by_chance": each.by_chance,
    }


def _size(each: CollectionPart) -> dict[str, Any]:
    return {
        "classes": each.classes,
        "pages": each.pages,
        "symbols": each.symbols,
        "recognition_rate": {"mean": each.recognition_rate, "spread": each.recognition_spread},
        "false_positives": {"mean": each.false_positives, "spread": each.false_positives_spread},
    }
