"""Reranked lists as JSON, with null wherever something is undefined, and columns for long lists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from spotlab.formats.rows.json_values import to_builtins
from spotlab.studies.words.ranked_lists import JudgedList, JudgedQuery, Reranking


def as_json(reranking: Reranking, remarks: Sequence[str] = ()) -> Any:
    """The lists as `json.dumps` takes them, without NaN, and remarks on what was read."""
    choices = reranking.choices
    return to_builtins(
        {
            "settings": {
                "fusions": [fusion.name for fusion in reranking.fusions],
                "top": choices.top,
                "at_least": choices.at_least,
                "weight": choices.weight,
                "iterations": choices.iterations,
                "threshold": reranking.threshold,
            },
            "remarks": remarks,
            "lists": reranking.means,
            "queries": [_query(query) for query in reranking.queries],
        }
    )


def _query(judged: JudgedQuery) -> dict[str, Any]:
    query = judged.query
    return {
        "query": query.query,
        "items": len(query.items),
        "relevant": query.relevant,
        "lists": [_list(judged, ranked) for ranked in judged.lists],
    }


def _list(judged: JudgedQuery, own: JudgedList) -> dict[str, Any]:
    items, relevance = judged.query.items, judged.query.relevance
    up = [None if math.isnan(ranks) else int(ranks) for ranks in own.moved.tolist()]
    relevant = [{1: True, 0: False}.get(value) for value in relevance[own.ranked.item].tolist()]
    return {
        "name": own.ranked.name,
        "title": own.title,
        "made": own.made,
        "average_precision": own.average_precision,
        "tied": own.tied,
        "tied_at_top": own.tied_at_top,
        "purged": own.point,
        "suggestions": own.suggestions,
        "item": [items.name(item) for item in own.ranked.item.tolist()],
        "score": own.ranked.score,
        "common_score": own.common.score,
        "relevant": relevant,
        "up": up,
    }
