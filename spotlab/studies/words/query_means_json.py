"""Lists over several queries as JSON, with null wherever something is undefined."""

from __future__ import annotations

from typing import Any

from spotlab.formats.rows.json_values import to_builtins
from spotlab.studies.words.query_means import FIGURES, ListMean, QueryComparison


def as_json(comparison: QueryComparison) -> dict[str, Any]:
    """The comparison as `json.dumps` takes it."""
    found: dict[str, Any] = to_builtins(
        {
            "reference": comparison.reference or None,
            "tests": comparison.tests,
            "lists": [_list(each) for each in comparison.lists],
            "queries": [
                {
                    "query": query.query,
                    "relevant": query.relevant,
                    "lists": {each.name: each.values for each in query.lists},
                }
                for query in comparison.queries
            ],
        }
    )
    return found


def _list(each: ListMean) -> dict[str, Any]:
    return {
        "name": each.name,
        "title": each.title,
        "queries": each.queries,
        "figures": {
            figure.name: {
                "mean": each.mean[figure.name],
                "defined": each.defined[figure.name],
                "interval": each.interval[figure.name],
                "difference": each.difference.get(figure.name),
            }
            for figure in FIGURES
        },
    }
