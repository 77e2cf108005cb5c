"""`spotlab reproduce estimates`: the recommended estimate against the best one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spotlab.cli.console import check_target, json_option, progress_bar, tell
from spotlab.cli.options import EXISTING_FOLDER, EXISTING_PATH
from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.lab.commands.lab_options import number_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spotlab.lab.reproduce.estimate_regret import EstimateRegret
    from spotlab.progress import Progress

UNDEFINED = "–"


@click.command()
@click.argument("votes", metavar="[VOTES]…", nargs=-1, type=EXISTING_PATH)
@click.option(
    "--collections",
    type=EXISTING_FOLDER,
    help="Folder of collections of votes with truth: crowds' answers, TREC runs, OCR systems. Each "
    "class of answers is compared with the rest.",
)
@click.option(
    "--simulated/--no-simulated",
    default=True,
    show_default=True,
    help="Also use simulated votes: systems on shared engines, and independent ones.",
)
@click.option(
    "--yes",
    multiple=True,
    help="Word that means yes in a CSV file item,system,vote; may be given several times.",
)
@number_option("--least", "Smallest number of known votes of a system that is compared.", 20)
@number_option("--seed", "Seed of the simulated votes.", 0)
@json_option
def estimates(
    votes: tuple[Path, ...],
    collections: Path | None,
    simulated: bool,
    yes: tuple[str, ...],
    least: int,
    seed: int,
    json_file: str | None,
) -> None:
    """Compare the recommended estimate of systems with the best one, on votes with truth.

    VOTES are votes as for `spotlab consensus`, each with its truth: a file, or a folder. The CSV
    files of a folder are read together. "held" is the share of true figures within the 95 %
    intervals; "left out" chooses limits on the other families of votes.
    """
    from spotlab.lab.reproduce.estimate_regret import (  # noqa: PLC0415 - takes a second
        as_json,
        measure_regret,
        shared_votes,
        simulated_votes,
    )

    if not votes and not simulated and collections is None:
        raise click.UsageError("Expected VOTES, or simulated votes.")
    check_target(json_file)
    rows = []
    with progress_bar() as progress:
        rows += [_measured(path, yes, least, progress) for path in votes]
        if collections is not None:
            rows += [
                measure_regret(name, table, least, progress)
                for name, table in shared_votes(collections, progress)
            ]
        if simulated:
            rows += [
                measure_regret(name, table, least, progress)
                for name, table in simulated_votes(seed)
            ]
    tell(json_file, lambda: as_json(rows), lambda: _lines(rows))


def _measured(path: Path, yes: tuple[str, ...], least: int, progress: Progress) -> EstimateRegret:
    from spotlab.formats.votes.reading import read_votes  # noqa: PLC0415
    from spotlab.lab.reproduce.estimate_regret import measure_regret  # noqa: PLC0415

    files = sorted(path.glob("*.csv")) if is_folder(path) else []
    table = read_votes(files or [path], yes=yes, progress=progress)
    if table.truth is None:
        raise BadInput(path, "no truth", expected="votes whose truth is known")
    return measure_regret(path.name, table, least, progress)


def _lines(rows: Sequence[EstimateRegret]) -> Iterator[str]:
    from spotlab.lab.reproduce.estimate_regret import leave_one_out, mean_regret  # noqa: PLC0415
    from spotlab.report.figure_text import aligned  # noqa: PLC0415

    table = [["", "systems", "items", "recommended", "τ", "best", "τ", "regret: τ", "precision",
              "recall", "held"]]  # fmt: skip
    for row in rows:
        best = None if row.best is None else row.nearness[row.best].kendall
        table.append(
            [
                row.name,
                f"{row.systems:,}",
                f"{row.items:,}",
                row.recommended,
                _figure(row.nearness[row.recommended].kendall),
                row.best or UNDEFINED,
                _figure(best),
                *(_figure(value) for value in (row.tau, row.precision, row.recall, row.held)),
            ]
        )
    table.append(["mean", *[""] * 6, *map(_figure, mean_regret(rows)), ""])
    left = leave_one_out(rows)
    if left:
        figures = (_figure(value) for value in mean_regret(left))
        table.append(["mean, left out", *[""] * 6, *figures, ""])
    yield from aligned(table)


def _figure(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}".replace("-", "−")
