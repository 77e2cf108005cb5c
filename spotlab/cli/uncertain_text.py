"""The study of uncertain truth as lines of text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from spotlab.studies.uncertain.comparison import SystemMean, SystemPair
    from spotlab.studies.uncertain.judged_answers import JudgedAnswer
    from spotlab.studies.uncertain.study import UncertainStudy
    from spotlab.studies.words.displacement import DisplacementStudy
    from spotlab.uncertain.answers import Band

SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # of an answer's ranks, where none are chosen


def uncertain_lines(
    study: UncertainStudy, displacements: Sequence[DisplacementStudy], remarks: Sequence[str]
) -> Iterator[str]:
    """Remarks, the answers' figures, means, comparisons and displacements."""
    yield from remarks
    yield from study.remarks
    judgements = study.relevance.judgements
    yield (
        f"{len(judgements):,} judgements of {len(judgements.subjects):,} subjects on "
        f"{len(judgements.items):,} items in {len(judgements.tree):,} categories"
    )
    for each in study.answers:
        yield from _answer(each, bool(study.settings.cut_offs))
    if study.compared_at:
        yield f"mean over the queries, {study.compared_at:,} returned"
        yield from map(_mean, study.means)
        yield from map(_between, study.comparisons)
    for displacement in displacements:
        yield f"weighted displacement, {displacement.missing}; smaller is better"
        for system in displacement.systems:
            yield f"  {system.system}: {system.displacement:,.3f}, quality {system.quality:.3f}"
    for displacement in displacements[:1]:
        yield from displacement.remarks
    yield from study.captions


def _answer(each: JudgedAnswer, all_shown: bool) -> Iterator[str]:
    weights = each.answer.weight / each.weight_sum
    shares = ", ".join(
        f"{name} {weight:.2f} (|ω| {size:,.1f})"
        for name, weight, size in zip(each.categories, weights, each.answer.size, strict=True)
    )
    over = f"; weights of {each.weight_sum:.2f} in all" if each.weight_sum > 1 + 1e-9 else ""
    yield f"{each.system}, {each.query}: {shares}{over}"
    yield f"  {'n':>7}  precision median, 50 %, 95 %          recall median, 50 %, 95 %"
    last = int(each.bands.cut_off[-1]) if len(each.bands.cut_off) else 0
    for at, cut in enumerate(each.bands.cut_off.tolist()):
        if all_shown or cut in SHOWN or cut == last:
            precision, recall = _band(each.bands.precision, at), _band(each.bands.recall, at)
            yield f"  {cut:>7,}  {precision:<38}  {recall}"


def _band(band: Band, at: int) -> str:
    if math.isnan(band.median[at]):
        return "undefined"
    return f"{band.median[at]:.3f}, {_range(band.middle_50[at])}, {_range(band.middle_95[at])}"


def _range(both: NDArray[np.float64] | tuple[float, float]) -> str:
    return f"{both[0]:.3f} to {both[1]:.3f}"


def _mean(each: SystemMean) -> str:
    if each.precision is None:
        return f"  {each.system}: undefined"
    recall = "undefined" if each.recall is None else f"{each.recall:.3f}"
    return (
        f"  {each.system}: precision {each.precision.mean:.3f}, 95 % "
        f"{_range(each.precision.band(0.95))}; recall {recall}; "
        f"{each.queries:,} {'query' if each.queries == 1 else 'queries'}"
    )


def _between(each: SystemPair) -> str:
    found = each.comparison
    if found is None:
        return f"  {each.a} and {each.b}: undefined"
    return (
        f"  {each.a} better than {each.b}: {found.superiority:.3f}, equal {found.equality:.3f}, "
        f"worse {found.inferiority:.3f}; difference {found.mean:+.3f}, "
        f"95 % {_range(found.interval)}; {found.common:.0%} of the items in common"
    )
