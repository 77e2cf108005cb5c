"""`spotlab consensus`: how good systems are by what they agree on, without truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import SystemComparisonSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import EXISTING_PATH, FOLDER, csv_safe_option, given, options
from spotlab.errors import counted
from spotlab.files import Paths
from spotlab.report.figure_text import UNDEFINED, aligned, written
from spotlab.report.tables import as_text

if TYPE_CHECKING:
    from spotlab.report.tables import Table
    from spotlab.studies.systems.comparison import SystemComparison
    from spotlab.studies.systems.method_results import GroupComparison, MethodResult


@click.command()
@click.argument("votes", metavar="VOTES…", nargs=-1, required=True, type=EXISTING_PATH)
@options(
    SystemComparisonSettings,
    {
        "oracle": "--oracle COLUMN",
        "group_by": "--group-by FACTOR",
        "weights": "--weights NAME=WEIGHT,…",
    },
    without=("factors",),
    types={"truth": Paths},
)
@csv_safe_option
@json_option
@click.option(
    "--all-methods",
    is_flag=True,
    help="Also print the other methods, and the corrections for groups that are proposed.",
)
@click.option("--out", type=FOLDER, help="Folder for a report with tables and plots.")
def consensus(
    votes: tuple[Path, ...],
    json_file: str | None,
    all_methods: bool,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Estimate precision, recall and F of systems from their agreement, without truth.

    VOTES is one of: a CSV file item,<system>,… with votes from 0 to 1, empty where unknown, and
    factors of the systems in lines that begin with #; TREC runs; runs of spotted regions; or a
    folder with a sub-folder of texts, PAGE or ALTO files for each system.
    """
    from spotlab.api.compare_systems import compare_systems  # noqa: PLC0415 - takes a second

    check_target(json_file)
    with as_options(wording=_sentence), progress_bar() as progress:
        result = compare_systems(votes, progress=progress, **given(chosen))
    tell(json_file, result.as_dict, lambda: comparison_lines(result.comparison, all_methods))
    if out is not None:
        say(f"wrote {result.write_report(out)}", err=json_file == "-")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


HEADS = {  # of columns in a terminal
    "system": "", "rank": "rank", "precision": "precision", "recall": "recall", "f": "F",
    "true_rank": "with truth: rank", "true_precision": "precision", "true_recall": "recall",
    "true_f": "F",
}  # fmt: skip
MOST_WEIGHTS = 12  # that are listed one by one


def comparison_lines(comparison: SystemComparison, all_methods: bool = False) -> Iterator[str]:
    """The lines to print: of the methods in sight, or of all."""
    systems = comparison.systems
    yield f"{counted(len(comparison.votes), 'item')}, {counted(len(systems), 'system')}"
    yield _weights(comparison)
    for remark in comparison.table.remarks:
        yield f"  {remark}"
    for warning in comparison.warnings:
        yield f"  note: {warning}"
    results = comparison.every if all_methods else comparison.in_sight
    for result in results:
        yield ""
        if result.name == comparison.recommended.name:
            yield from _recommended(comparison)
        else:
            yield f"{result.title}:"
        yield from aligned(_rows(comparison, result))
    yield ""
    yield from _methods(comparison, results)
    if len(comparison.in_sight) > 1:
        yield ""
        yield from (pair.sentence(systems) for pair in comparison.between)
    for group in comparison.grouped:
        yield ""
        yield from _group(comparison, group)


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


def _rows(comparison: SystemComparison, main: MethodResult) -> list[list[str]]:
    """A row for each system, the best first, and one for ⊤."""
    from spotlab.report.studies.consensus_tables import result_table  # noqa: PLC0415 - numpy

    table = result_table(comparison, main, comparison.truth)
    rows = _in_words(table, [], main.intervals is not None)
    if main.top is not None:
        top = ["⊤", "", *map(written, main.top)]
        rows.append(top + [""] * (len(rows[0]) - len(top)))
    return rows


def _in_words(table: Table, hidden: Sequence[str], with_intervals: bool = False) -> list[list[str]]:
    """Rows of texts with heads; intervals of F have a column of their own."""
    shown = [at for at, column in enumerate(table.columns) if column.name not in hidden]
    rows = [[HEADS[table.columns[at].name] for at in shown]]
    rows += [[row[at].text for at in shown] for row in table.rows]
    if with_intervals:
        rows[0].insert(5, "95 % of F")
        for texts, row in zip(rows[1:], table.rows, strict=True):
            texts.insert(5, row[4].note or UNDEFINED)
    return rows


def _methods(comparison: SystemComparison, results: Sequence[MethodResult]) -> list[str]:
    """Tell how many items each method expects to be relevant, and how near it is to the truth."""
    from spotlab.report.studies.consensus_tables import methods_table  # noqa: PLC0415 - numpy

    return as_text(methods_table(comparison, results, ""), "")


def _group(comparison: SystemComparison, group: GroupComparison) -> Iterator[str]:
    from spotlab.report.studies.consensus_tables import group_table  # noqa: PLC0415 - numpy

    near = group.result.nearness
    tau = "" if near is None or near.kendall is None else f", τ {written(near.kendall)}"
    yield f"{group.name}: {counted(len(group.systems), 'system')}{tau}"
    table = group_table(comparison, group)
    yield from aligned(_in_words(table, ["true_precision", "true_recall"]))
