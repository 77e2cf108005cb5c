"""A comparison of systems as JSON: the layout of ``--json``, null wherever something is undefined.

``systems``, ``top`` and ``kendall_tau`` are of the first of ``methods``: the weights given, else
the paper's. ``agreement`` is φ in the order of ``agreement_order``; ``better`` holds for each
system the chance to have the higher F than each other, with what that stands on in ``assumption``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.comparison import Bootstrap
from spotlab.consensus.figures import Nearness, SystemFigures, SystemIntervals
from spotlab.consensus.groups import Groups
from spotlab.studies.areas.evaluation_json import number, numbers
from spotlab.studies.systems.consensus import SystemComparison
from spotlab.studies.systems.consensus_between import Disagreement
from spotlab.studies.systems.consensus_groups import GroupComparison
from spotlab.studies.systems.consensus_methods import MethodResult

Floats = NDArray[np.float64]


def as_json(comparison: SystemComparison) -> dict[str, Any]:
    """The comparison as what `json.dumps` takes, without NaN."""
    main, truth = comparison.main, comparison.truth
    names = comparison.systems
    return {
        "items": len(comparison.votes),
        "weights": dict(comparison.weights),
        "systems": _figures(names, main.figures),
        "top": _top(main),
        "agreement": _square(comparison.agreement.phi, comparison.agreement.order),
        "agreement_order": [names[place] for place in comparison.agreement.order.tolist()],
        "groups": [_group(names, each) for each in comparison.grouped],
        "truth": None if truth is None else _figures(names, truth),
        "kendall_tau": None if main.nearness is None else main.nearness.kendall,
        "method": main.name,
        "oracle": comparison.oracle,
        "beta": comparison.beta,
        "judged_items": comparison.judged,
        "methods": {each.name: _method(names, each) for each in comparison.methods},
        "between_methods": [_between(each, names) for each in comparison.between],
        "group_by": comparison.group_by,
        "found_groups": _found(names, comparison.found),
        "corrections": {each.name: _method(names, each) for each in comparison.corrections},
        "intervals": _intervals(names, comparison.intervals),
        "disputed": _disputed(comparison),
        "warnings": list(comparison.warnings),
        "remarks": list(comparison.table.remarks),
        "bad_lines": [str(line) for line in comparison.table.bad_lines],
    }


def _figures(names: Sequence[str], figures: SystemFigures) -> dict[str, dict[str, Any]]:
    columns = (figures.precision, figures.recall, figures.f)
    found = {}
    for place, (name, rank) in enumerate(zip(names, figures.rank.tolist(), strict=True)):
        precision, recall, f = (number(float(column[place])) for column in columns)
        found[name] = {
            "precision": precision,
            "recall": recall,
            "f": f,
            "rank": None if np.isnan(rank) else int(rank),
        }
    return found


def _top(result: MethodResult) -> dict[str, float | None] | None:
    if result.top is None:
        return None
    return {"precision": result.top[0], "recall": result.top[1]}


def _method(names: Sequence[str], result: MethodResult) -> dict[str, Any]:
    return {
        "title": result.title,
        "definition": result.definition,
        "assumption": result.assumption,
        "systems": _figures(names, result.figures),
        "top": _top(result),
        "expected_relevant": number(result.expected_relevant),
        "against_truth": _nearness(result.nearness),
        "remark": result.remark,
        "intervals": None if result.intervals is None else _ends(names, result.intervals),
    }


def _nearness(found: Nearness | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "systems": found.systems,
        "kendall_tau": found.kendall,
        "spearman_rho": found.spearman,
        "mean_error": {
            "precision": found.precision_error,
            "recall": found.recall_error,
            "f": found.f_error,
        },
    }


def _between(each: Disagreement, names: Sequence[str]) -> dict[str, Any]:
    return {
        "first": each.first.name,
        "second": each.second.name,
        "kendall_tau": each.kendall,
        "pairs": each.pairs,
        "turned": each.turned,
        "most": None if each.system is None else names[each.system],
    }


def _group(names: Sequence[str], group: GroupComparison) -> dict[str, Any]:
    members = [names[place] for place in group.systems.tolist()]
    return {
        "name": group.name,
        "systems": _figures(members, group.result.figures),
        "top": _top(group.result),
        "truth": None if group.truth is None else _figures(members, group.truth),
        "kendall_tau": None if group.result.nearness is None else group.result.nearness.kendall,
    }


def _found(names: Sequence[str], groups: Groups) -> dict[str, Any]:
    return {
        "groups": [
            [names[place] for place in np.flatnonzero(groups.label == group).tolist()]
            for group in range(len(groups.names))
        ],
        "agreement": None if groups.observed is None else numbers(groups.observed),
        "expected_agreement": None if groups.expected is None else numbers(groups.expected),
        "evidence": [{"groups": cut.groups, "bic": number(cut.bic)} for cut in groups.evidence],
        "items": groups.items,
        "only_two": groups.only_two,
        "warning": groups.warning,
    }


def _intervals(names: Sequence[str], found: Bootstrap | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "draws": found.draws,
        "level": found.level,
        "systems": _ends(names, found),
        "better": {
            name: {
                other: number(float(found.better[place, column]))
                for column, other in enumerate(names)
                if column != place
            }
            for place, name in enumerate(names)
        },
        "assumption": found.assumption,
    }


def _ends(names: Sequence[str], found: Bootstrap | SystemIntervals) -> dict[str, Any]:
    """Lower and upper ends of every system's figures."""
    columns: Mapping[str, Floats] = {
        "precision": found.precision, "recall": found.recall, "f": found.f,
    }  # fmt: skip
    return {
        name: {what: numbers(column[place]) for what, column in columns.items()}
        for place, name in enumerate(names)
    }


def _disputed(comparison: SystemComparison) -> list[dict[str, Any]]:
    table, disputed = comparison.table, comparison.disputed
    found = []
    for place, item in enumerate(disputed.items.tolist()):
        votes = zip(comparison.systems, numbers(disputed.votes[place]), strict=True)
        found.append(
            {
                "item": table.items[item],
                "page": table.pages[item] if table.pages else None,
                "text": table.texts[item] if table.texts else None,
                "share": number(float(disputed.share[place])),
                "votes": dict(votes),
                "truth": None if table.truth is None else number(float(table.truth[item])),
            }
        )
    return found


def _square(values: Floats, order: NDArray[np.int64]) -> list[list[float | None]]:
    return [numbers(row) for row in values[np.ix_(order, order)]]
