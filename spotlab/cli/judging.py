"""What all commands that hold runs against truth share: their options, and reading both."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.job_options import job_options
from spotlab.cli.option_errors import as_options
from spotlab.errors import NotSaved
from spotlab.files import is_folder
from spotlab.interruption import noting

if TYPE_CHECKING:
    from spotlab.formats.runs import ReadRun
    from spotlab.measures.measure import MeasureSettings
    from spotlab.model.region import Primitive
    from spotlab.progress import Progress
    from spotlab.studies.tally.truth import TruthSet

# as in the model, which would take a while to import; a test holds them against it
OVERLAPS = ("union", "sum")
PRIMITIVES = ("hull", "polygon", "box", "ellipse", "isothetic", "trace", "cells")
SHARE = click.FloatRange(0, 1, min_open=True)

Command = Callable[..., Any]


def naming_option(command: Command) -> Command:
    """The option that says what the ids of COCO results mean."""
    return click.option(
        "--naming",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="COCO annotation file that names the image and category ids of COCO results.",
    )(command)


def judging_options(command: Command) -> Command:
    """Options of all commands that hold runs against truth."""
    options = (
        click.option(
            "--truth",
            type=click.Path(exists=True, path_type=Path),
            multiple=True,
            required=True,
            help="Truth: a folder or a file; may be given several times.",
        ),
        click.option(
            "--run",
            "runs",
            type=click.Path(exists=True, path_type=Path),
            multiple=True,
            required=True,
            help="Run: CSV, Parquet, COCO results or PAGE, or a folder with runs; may be given "
            "several times.",
        ),
        click.option(
            "--pages",
            metavar="GLOB",
            multiple=True,
            help="Evaluate only pages whose name fits this pattern, such as 'plan_0*'; may be "
            "given several times.",
        ),
        click.option(
            "--subset",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            multiple=True,
            help="Evaluate only the pages that this text file names, one on each line; may be "
            "given several times.",
        ),
        naming_option,
        click.option(
            "--words",
            is_flag=True,
            help="Use the words of PAGE files as truth, instead of the regions.",
        ),
        click.option(
            "--texts",
            is_flag=True,
            help="Use the words of PAGE files as truth, labelled by their transcription: for runs "
            "of `spot words`.",
        ),
        measure_options,
        click.option(
            "--cache",
            type=click.Path(file_okay=False, path_type=Path),
            help="Folder, the same for all workers of --cluster, for the tallies of finished "
            "pages.  [default: in the user's cache folder]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def resumable(cluster: str | None) -> AbstractContextManager[None]:
    """Say that a cluster's work is not lost if Ctrl+C ends the command."""
    note = "finished pages are kept; run the same command again to continue"
    return nullcontext() if cluster is None else noting(note)


def measure_options(command: Command) -> Command:
    """How runs are measured, and where the work is done."""
    options = (
        click.option(
            "--overlap",
            type=click.Choice(OVERLAPS),
            default="union",
            show_default=True,
            help="Whether area covered by several spots counts once (union) or once per spot "
            "(sum).",
        ),
        click.option(
            "--beta",
            type=click.FloatRange(0, min_open=True),
            default=1.0,
            show_default=True,
            help="Weight of recall relative to precision in the F measure; above 1 favours recall.",
        ),
        click.option(
            "--recognised",
            type=SHARE,
            default=0.75,
            show_default=True,
            help="Smallest covered share of a symbol's area at which it counts as recognised.",
        ),
        click.option(
            "--primitive",
            type=click.Choice(PRIMITIVES),
            help="Convert every outline to this primitive before measuring.  [default: no "
            "conversion]",
        ),
        click.option(
            "--missing",
            type=click.Choice(["zero", "drop"]),
            default="zero",
            show_default=True,
            help="How a query that never reaches a recall enters the mean curve: as 0 (zero), or "
            "left out (drop).",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="Seed of the random number generator.",
        ),
        click.option(
            "--skip-bad-lines",
            is_flag=True,
            help="Skip lines of a run that cannot be read, and evaluate the rest.",
        ),
        job_options,
    )
    for option in reversed(options):
        command = option(command)
    return command


def level_options(command: Command) -> Command:
    """The levels at which figures are reported."""
    options = (
        click.option(
            "--iou",
            type=SHARE,
            default=0.5,
            show_default=True,
            help="Smallest intersection over union at which a spot is correct, for AP, P, R and F "
            "at IoU, and error types.",
        ),
        click.option(
            "--at-recall",
            type=SHARE,
            default=0.5,
            show_default=True,
            help="Area recall at which precision is reported.",
        ),
        click.option(
            "--at-precision",
            type=SHARE,
            default=0.5,
            show_default=True,
            help="Area precision at which recall is reported.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def draw_options(command: Command) -> Command:
    """How classes are drawn to measure scalability."""
    draws = click.option(
        "--draws",
        type=click.IntRange(min=1),
        default=100,
        show_default=True,
        help="Number of random draws of classes for each number of classes.",
    )
    step = click.option(
        "--step",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        help="Step from one number of classes to the next.",
    )
    return draws(step(command))


def uncertain_option(command: Command) -> Command:
    """Whether uncertain regions count."""
    return click.option(
        "--uncertain",
        type=click.Choice(["count", "ignore"]),
        default="count",
        show_default=True,
        help="Whether truth regions marked as uncertain count, or are left out as difficult "
        "symbols (ignore).",
    )(command)


def check_target(file: str | None) -> None:
    """Check that a file can be written, before the work whose result it is to hold.

    Raises
    ------
    NotSaved
        There is no such folder, nothing may be written there, or it is a folder itself or, by its
        name, an image.
    """
    from spotlab.formats.rows.files import is_stream  # noqa: PLC0415 - takes a while
    from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES  # noqa: PLC0415

    if file in (None, "-") or is_stream(Path(str(file))):
        return
    target = Path(str(file)).absolute()
    if target.suffix.lower() in IMAGE_SUFFIXES:
        raise NotSaved(f"{file} cannot be written: the name is that of an image file")
    if not is_folder(target.parent):
        raise NotSaved(f"{file} cannot be written: its folder does not exist")
    if is_folder(target):
        raise NotSaved(f"{file} cannot be written: it is a folder")
    if not os.access(target.parent, os.W_OK):
        raise NotSaved(f"{file} cannot be written: its folder is read-only")


def settings_of(chosen: Mapping[str, Any], iou: float = 0.5) -> MeasureSettings:
    """The settings that the options stand for."""
    from spotlab.measures.measure import MeasureSettings  # noqa: PLC0415
    from spotlab.measures.tally import Overlap  # noqa: PLC0415

    try:
        return MeasureSettings(
            Overlap(chosen["overlap"]), chosen["beta"], chosen["recognised"], iou,
            chosen["missing"],
        )  # fmt: skip
    except ValueError as error:  # NaN is in no range and out of none
        raise click.UsageError(str(error), click.get_current_context()) from error


def primitive_of(chosen: Mapping[str, Any]) -> Primitive | None:
    """The primitive that the options name, or None."""
    from spotlab.model.region import Primitive  # noqa: PLC0415

    return None if chosen["primitive"] is None else Primitive(chosen["primitive"])


def read_truth(paths: Sequence[Path], chosen: Mapping[str, Any], progress: Progress) -> TruthSet:
    """The truth that the runs are held against.

    Raises
    ------
    UsageError
        A pattern fits no page.
    """
    from spotlab.api import truth  # noqa: PLC0415 - takes a while
    from spotlab.studies.tally.subset import subset_of  # noqa: PLC0415

    words, texts = chosen["words"], chosen["texts"]
    every = truth.read_truth(
        paths, words=words, texts=texts, cluster=chosen.get("cluster"), progress=progress
    ).truth_set
    try:
        return subset_of(every, chosen.get("pages", ()), chosen.get("subset", ()))
    except ValueError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error


def read_runs(
    paths: Iterable[Path],
    truth_set: TruthSet,
    skip_bad_lines: bool,
    progress: Progress,
    annotations: Path | None = None,
    alternatives: Sequence[TruthSet] = (),
) -> list[ReadRun]:
    """The runs; every line that can't be read is printed.

    Parameters
    ----------
    annotations : Path, optional
        Names the ids of COCO results.
    alternatives : sequence of TruthSet
        A run that fits one of these is about the truth, too.

    Raises
    ------
    SpotlabError
        There are such lines and they are not to be skipped, or nothing of a run fits the truth.
    """
    from spotlab.api import runs  # noqa: PLC0415 - takes a while

    with as_options("evaluates the rest"):
        return runs.read_runs(
            paths,
            truth_set,
            naming=annotations,
            skip_bad_lines=skip_bad_lines,
            alternatives=alternatives,
            progress=progress,
        )
