"""`spotlab uncertain`: precision and recall as distributions, where subjects don't agree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import File, Files, UncertainTruthSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import EXISTING_FILE, FOLDER, csv_safe_option, given, options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from spotlab.studies.uncertain.study import JudgedAnswer, SystemMean, SystemPair, UncertainStudy
    from spotlab.studies.words.displacement import DisplacementStudy
    from spotlab.uncertain_truth.answers import Band


@click.command()
@click.argument("judgements", type=EXISTING_FILE)
@options(
    UncertainTruthSettings,
    {"tree": "--tree", "answers": "--answers", "cut_offs": "--cut-off", "shift": "--shift SD"},
    types={"tree": File, "answers": Files},
)
@csv_safe_option
@json_option
@click.option("--out", type=FOLDER, help="Folder for tables and figures.")
def uncertain(
    judgements: Path,
    tree: Path,
    answers: tuple[Path, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Evaluate answers where subjects disagree: precision and recall as distributions.

    JUDGEMENTS is a CSV file subject,item,category. A query is a judged item or a category.
    """
    from spotlab.api.uncertain import uncertain as evaluate_answers  # noqa: PLC0415

    check_target(json_file)
    with as_options(wording="{}.".format), progress_bar() as progress:
        result = evaluate_answers(judgements, tree, answers, progress=progress, **given(chosen))
    tell(
        json_file,
        result.as_dict,
        lambda: uncertain_lines(result.study, result.displacements, result.read_remarks),
    )
    if out is not None:
        with progress_bar() as progress:
            folder = result.write_report(out, progress=progress)
        say(f"wrote {folder}", err=json_file == "-")


SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # of an answer's ranks, where none are chosen


def uncertain_lines(
    study: UncertainStudy, displacements: Sequence[DisplacementStudy], remarks: Sequence[str]
) -> Iterator[str]:
    """Remarks, the answers' figures, means, comparisons and displacements."""
    yield from remarks
    yield from study.remarks
    judgements = study.relevance.judgements
    yield (
        f"{len(judgements):,} judgements by {len(judgements.subjects):,} subjects on "
        f"{len(judgements.items):,} items in {len(judgements.tree):,} categories"
    )
    for answer in study.answers:
        yield from _answer(answer, bool(study.settings.cut_offs))
    if study.compared_at:
        yield f"mean over the queries, at rank {study.compared_at:,}"
        yield from map(_mean, study.means)
        yield from map(_between, study.comparisons)
    for displacement in displacements:
        yield f"weighted displacement, {displacement.missing}; smaller is better"
        for system in displacement.systems:
            yield f"  {system.system}: {system.displacement:,.3f}, quality {system.quality:.3f}"
    for displacement in displacements[:1]:
        yield from displacement.remarks
    yield from study.captions


def _answer(answer: JudgedAnswer, all_shown: bool) -> Iterator[str]:
    weights = answer.answer.weight / answer.weight_sum
    shares = ", ".join(
        f"{name} {weight:.2f} (|ω| {size:,.1f})"
        for name, weight, size in zip(answer.categories, weights, answer.answer.size, strict=True)
    )
    over = f"; sum of weights {answer.weight_sum:.2f}" if answer.weight_sum > 1 + 1e-9 else ""
    yield f"{answer.system}, {answer.query}: {shares}{over}"
    yield f"  {'n':>7}  precision median, 50 %, 95 %          recall median, 50 %, 95 %"
    last = int(answer.bands.cut_off[-1]) if len(answer.bands.cut_off) else 0
    for at, cut in enumerate(answer.bands.cut_off.tolist()):
        if all_shown or cut in SHOWN or cut == last:
            precision, recall = _band(answer.bands.precision, at), _band(answer.bands.recall, at)
            yield f"  {cut:>7,}  {precision:<38}  {recall}"


def _band(band: Band, at: int) -> str:
    if math.isnan(band.median[at]):
        return "undefined"
    return f"{band.median[at]:.3f}, {_range(band.middle_50[at])}, {_range(band.middle_95[at])}"


def _range(both: NDArray[np.float64] | tuple[float, float]) -> str:
    return f"{both[0]:.3f} to {both[1]:.3f}"


def _mean(mean: SystemMean) -> str:
    if mean.precision is None:
        return f"  {mean.system}: undefined"
    recall = "undefined" if mean.recall is None else f"{mean.recall:.3f}"
    return (
        f"  {mean.system}: precision {mean.precision.mean:.3f}, 95 % "
        f"{_range(mean.precision.band(0.95))}; recall {recall}; "
        f"{mean.queries:,} {'query' if mean.queries == 1 else 'queries'}"
    )


def _between(pair: SystemPair) -> str:
    comparison = pair.comparison
    if comparison is None:
        return f"  {pair.a} and {pair.b}: undefined"
    return (
        f"  {pair.a} better than {pair.b}: probability {comparison.superiority:.3f}, equal "
        f"{comparison.equality:.3f}, worse {comparison.inferiority:.3f}; "
        f"difference {comparison.mean:+.3f}, 95 % {_range(comparison.interval)}; "
        f"{comparison.common:.0%} of the items in common"
    )
