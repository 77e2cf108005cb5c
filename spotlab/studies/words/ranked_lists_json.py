"""Reranked lists as JSON, with null wherever something is undefined, and columns for long lists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from spotlab.formats.rows.json_values import to_builtins
from spotlab.studies.words.ranked_lists import JudgedList, JudgedQuery, Reranking


def as_json(reranking: Reranking, remarks: Sequence[str] = ()) -> Any:
    """The lists as what `json.dumps` takes, without NaN, and remarks on what was read."""
    choices = reranking.choices
    return to_builtins(
        {
            "settings": {
                "fusions": [each.name for each in reranking.fusions],
                "top": choices.top,
                "at_least": choices.at_least,
                "weight": choices.weight,
                "iterations": choices.iterations,
                "threshold": reranking.threshold,
            },
            "remarks": remarks,
            "lists": reranking.means,
            "queries": [_query(each) for each in reranking.queries],
        }
    )


def _query(judged: JudgedQuery) -> dict[str, Any]:
    query = judged.query
    return {
        "query": query.query,
        "items": len(query.items),
        "relevant": query.relevant,
        "lists": [_list(judged, each) for each in judged.lists],
    }


def _list(judged: JudgedQuery, each: JudgedList) -> dict[str, Any]:
    items, relevance = judged.query.items, judged.query.relevance
    up = [None if math.isnan(ranks) else int(ranks) for ranks in each.moved.tolist()]
    relevant = [{1: True, 0: False}.get(value) for value in relevance[each.ranked.item].tolist()]
    return {
        "name": each.ranked.name,
        "title": each.title,
        "made": each.made,
        "average_precision": each.average_precision,
        "tied": each.tied,
        "tied_at_top": each.tied_at_top,
        "purged": each.point,
        "suggestions": each.suggestions,
        "item": [items.name(item) for item in each.ranked.item.tolist()],
        "score": each.ranked.score,
        "relevant": relevant,
        "up": up,
    }
