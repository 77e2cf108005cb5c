"""Says in a terminal how good systems are by what they agree on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spotlab.errors import counted
from spotlab.report.aligned import aligned
from spotlab.report.figure_text import UNDEFINED, written

if TYPE_CHECKING:
    from spotlab.consensus.comparison import Bootstrap
    from spotlab.consensus.figures import SystemFigures, SystemIntervals
    from spotlab.studies.systems.comparison import SystemComparison
    from spotlab.studies.systems.group_comparison import GroupComparison
    from spotlab.studies.systems.method_results import MethodResult

MOST_WEIGHTS = 12  # that are listed one by one


def comparison_lines(comparison: SystemComparison) -> Iterator[str]:
    """The lines to print."""
    systems = comparison.systems
    yield f"{counted(len(comparison.votes), 'item')}, {counted(len(systems), 'system')}"
    yield _weights(comparison)
    for remark in comparison.table.remarks:
        yield f"  {remark}"
    for warning in comparison.warnings:
        yield f"  note: {warning}"
    yield ""
    yield from _recommended(comparison)
    if comparison.main.name != comparison.recommended.name:
        yield ""
        yield f"{comparison.main.title}:"
        yield from aligned(_rows(comparison, comparison.main))
    yield ""
    yield from _methods(comparison)
    if len(comparison.methods) > 1:
        yield ""
        yield from (pair.sentence(systems) for pair in comparison.between)
    for group in comparison.grouped:
        yield ""
        yield from _group(systems, group)


def _weights(comparison: SystemComparison) -> str:
    weights = comparison.weights
    if len(set(weights.values())) == 1:
        return (
            f"weights: {written(next(iter(weights.values())))} for each system, and for top "
            "and bottom"
        )
    shown = [f"{name} {written(value)}" for name, value in weights.items() if value]
    more = len(shown) - MOST_WEIGHTS
    return "weights: " + ", ".join(shown[:MOST_WEIGHTS]) + (f" and {more} more" if more > 0 else "")


def _recommended(comparison: SystemComparison) -> Iterator[str]:
    """The recommended estimate with its reason, and what to do first."""
    advice, result = comparison.recommendation, comparison.recommended
    yield f"Recommended: {result.title}"
    yield f"  {advice.reason}"
    for line in (advice.headline, advice.disagreement, result.assumption):
        if line:
            yield f"  {line}"
    yield from aligned(_rows(comparison, result))


def _rows(comparison: SystemComparison, main: MethodResult) -> list[list[str]]:
    """A row for each system, the best first, and one for ⊤."""
    truth = comparison.truth
    intervals: Bootstrap | SystemIntervals | None = main.intervals
    if main.name == comparison.main.name and intervals is None:
        intervals = comparison.intervals
    heads = ["", "rank", "precision", "recall", "F"]
    heads += ["95 % of F"] if intervals is not None else []
    heads += ["with truth: rank", "precision", "recall", "F"] if truth is not None else []
    rows = [heads]
    for place in _order(main.figures):
        row = [comparison.systems[place], *_figures(main, place)]
        if intervals is not None:
            low, high = intervals.f[place].tolist()
            row.append(UNDEFINED if math.isnan(low) else f"[{written(low)}, {written(high)}]")
        if truth is not None:
            row += [
                _rank(truth.rank[place]),
                *(
                    written(float(column[place]))
                    for column in (truth.precision, truth.recall, truth.f)
                ),
            ]
        rows.append(row)
    if main.top is not None:
        top = ["⊤", "", written(main.top[0]), written(main.top[1])]
        rows.append(top + [""] * (len(heads) - len(top)))
    return rows


def _figures(result: MethodResult, place: int) -> list[str]:
    figures = result.figures
    columns = (figures.precision, figures.recall, figures.f)
    return [_rank(figures.rank[place]), *(written(float(column[place])) for column in columns)]


def _order(figures: SystemFigures) -> list[int]:
    """The systems by rank, those without one last."""
    ranks = [math.inf if math.isnan(rank) else rank for rank in figures.rank.tolist()]
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def _rank(rank: float) -> str:
    return UNDEFINED if math.isnan(rank) else f"{rank:.0f}"


def _methods(comparison: SystemComparison) -> list[str]:
    """How many items each method expects to be relevant, and how near it is to the truth."""
    heads = ["", "relevant items"]
    if comparison.truth is not None:
        heads += ["Kendall's τ", "Spearman's ρ", "mean error: precision", "recall", "F"]
    rows = [heads]
    for method in comparison.methods:
        rows.append(_method_row(method.title, method, comparison))
    for method in comparison.corrections:
        rows.append(_method_row(f"proposed: {method.title}", method, comparison))
    return list(aligned(rows))


def _method_row(title: str, method: MethodResult, comparison: SystemComparison) -> list[str]:
    relevant = method.expected_relevant
    row = [title, UNDEFINED if relevant is None else f"{relevant:,.1f}"]
    if comparison.truth is not None and method.nearness is not None:
        near = method.nearness
        row += [UNDEFINED if value is None else f"{value:.2f}"
                for value in (near.kendall, near.spearman)]  # fmt: skip
        row += [written(value) for value in
                (near.precision_error, near.recall_error, near.f_error)]  # fmt: skip
    return row


def _group(systems: Sequence[str], group: GroupComparison) -> Iterator[str]:
    near = group.result.nearness
    tau = "" if near is None or near.kendall is None else f", τ {near.kendall:.2f}"
    yield f"{group.name}: {counted(len(group.systems), 'system')}{tau}"
    heads = ["", "rank", "precision", "recall", "F"]
    heads += ["with truth: rank", "F"] if group.truth is not None else []
    rows = [heads]
    for place in _order(group.result.figures):
        row = [systems[int(group.systems[place])], *_figures(group.result, place)]
        if group.truth is not None:
            row += [_rank(group.truth.rank[place]), written(float(group.truth.f[place]))]
        rows.append(row)
    yield from aligned(rows)
