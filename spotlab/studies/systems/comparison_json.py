"""A comparison of systems as JSON: the layout of ``--json``, null wherever something is undefined.

``recommended`` is the estimate to look at first, and why. ``systems``, ``top`` and ``kendall_tau``
are of ``method``: by the weights given, else the recommended one. ``agreement`` is φ in the
order of ``agreement_order``; ``better`` holds for each system the chance to have the higher F than
each other by the recommended estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.agreement import Groups
from spotlab.consensus.comparison import Nearness, SystemFigures, SystemIntervals
from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.studies.systems.comparison import Disagreement, SystemComparison
from spotlab.studies.systems.method_results import GroupComparison, MethodResult

PARTS = ("precision", "recall", "f")


def as_json(comparison: SystemComparison) -> Any:
    """The comparison as what `json.dumps` takes, without NaN."""
    main, truth = comparison.leading, comparison.truth
    names = comparison.systems
    order = comparison.agreement.order
    return to_builtins(
        {
            "items": len(comparison.votes),
            "recommended": _recommended(comparison),
            "weights": dict(comparison.weights),
            "systems": _figures(names, main.figures),
            "top": _top(main),
            "agreement": comparison.agreement.phi[np.ix_(order, order)],
            "agreement_order": [names[place] for place in order],
            "groups": [_group(names, each) for each in comparison.grouped],
            "truth": truth and _figures(names, truth),
            "kendall_tau": main.nearness and main.nearness.kendall,
            "method": main.name,
            "oracle": comparison.oracle,
            "beta": comparison.beta,
            "judged_items": comparison.judged,
            "methods": {each.name: _method(names, each) for each in comparison.methods},
            "between_methods": [_between(each, names) for each in comparison.between],
            "group_by": comparison.group_by,
            "found_groups": _found(names, comparison.found),
            "corrections": {each.name: _method(names, each) for each in comparison.corrections},
            "intervals": _intervals(comparison),
            "disputed": _disputed(comparison),
            "warnings": comparison.warnings,
            "remarks": comparison.table.remarks,
            "bad_lines": [str(line) for line in comparison.table.bad_lines],
        }
    )


def _figures(names: Sequence[str], figures: SystemFigures) -> dict[str, dict[str, Any]]:
    return {
        name: {
            **{part: values[place] for part, values in attributes(figures, *PARTS).items()},
            "rank": None if np.isnan(figures.rank[place]) else int(figures.rank[place]),
        }
        for place, name in enumerate(names)
    }


def _top(result: MethodResult) -> dict[str, float | None] | None:
    return result.top and {"precision": result.top[0], "recall": result.top[1]}


def _method(names: Sequence[str], result: MethodResult) -> dict[str, Any]:
    return {
        **attributes(result, "title", "definition", "assumption"),
        "systems": _figures(names, result.figures),
        "top": _top(result),
        "expected_relevant": result.expected_relevant,
        "against_truth": _nearness(result.nearness),
        "remark": result.remark,
        "intervals": result.intervals and _ends(names, result.intervals),
    }


def _recommended(comparison: SystemComparison) -> dict[str, Any]:
    advice = comparison.recommendation
    return {
        **attributes(
            advice, "method", "reason", "headline", "disagreement", "answer_items", "alternatives"
        ),
        **_method(comparison.systems, comparison.recommended),
    }


def _nearness(found: Nearness | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        **attributes(found, "systems", kendall_tau="kendall", spearman_rho="spearman"),
        "mean_error": attributes(
            found, precision="precision_error", recall="recall_error", f="f_error"
        ),
    }


def _between(each: Disagreement, names: Sequence[str]) -> dict[str, Any]:
    return {
        "first": each.first.name,
        "second": each.second.name,
        "kendall_tau": each.kendall,
        **attributes(each, "pairs", "turned"),
        "most": None if each.system is None else names[each.system],
    }


def _group(names: Sequence[str], group: GroupComparison) -> dict[str, Any]:
    members = [names[place] for place in group.systems.tolist()]
    return {
        "name": group.name,
        "systems": _figures(members, group.result.figures),
        "top": _top(group.result),
        "truth": group.truth and _figures(members, group.truth),
        "kendall_tau": group.result.nearness and group.result.nearness.kendall,
    }


def _found(names: Sequence[str], groups: Groups) -> dict[str, Any]:
    return {
        "groups": [
            [names[place] for place in np.flatnonzero(groups.label == group).tolist()]
            for group in range(len(groups.names))
        ],
        "agreement": groups.observed,
        "expected_agreement": groups.expected,
        **attributes(groups, "evidence", "items", "only_two", "warning"),
    }


def _intervals(comparison: SystemComparison) -> dict[str, Any] | None:
    """Intervals of the result that leads, and who is better than whom."""
    found, names = comparison.leading.intervals, comparison.systems
    if found is None:
        return None
    return {
        "level": 0.95,
        "assumption": comparison.leading.assumption,
        "systems": _ends(names, found),
        "better": _better(names, comparison.superiority),
    }


def _better(names: Sequence[str], chance: NDArray[np.float64] | None) -> Any:
    if chance is None:
        return None
    return {
        name: {
            other: chance[place, column] for column, other in enumerate(names) if column != place
        }
        for place, name in enumerate(names)
    }


def _ends(names: Sequence[str], found: SystemIntervals) -> dict[str, Any]:
    """Lower and upper ends of every system's figures."""
    return {
        name: {part: values[place] for part, values in attributes(found, *PARTS).items()}
        for place, name in enumerate(names)
    }


def _disputed(comparison: SystemComparison) -> list[dict[str, Any]]:
    table, disputed = comparison.table, comparison.disputed
    return [
        {
            "item": table.items[item],
            "page": table.pages[item] if table.pages else None,
            "text": table.texts[item] if table.texts else None,
            "share": disputed.share[place],
            "votes": dict(zip(comparison.systems, disputed.votes[place], strict=True)),
            "truth": None if table.truth is None else table.truth[item],
        }
        for place, item in enumerate(disputed.items.tolist())
    ]
