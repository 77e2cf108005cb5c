"""`spotlab uncertain`: precision and recall as distributions, where subjects don't agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.number_range import NumberRange
from spotlab.cli.progress_bar import progress_bar
from spotlab.errors import SpotlabError

if TYPE_CHECKING:
    from spotlab.formats.judgement_trees.judgement_file import ReadJudgements
    from spotlab.formats.lists.rankings import Ranking
    from spotlab.progress import Progress
    from spotlab.studies.uncertain.judged_answers import UncertainSettings

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("judgements", type=FILE)
@click.option("--tree", type=FILE, required=True, help="The categories, CSV: category,parent.")
@click.option(
    "--answers",
    "answer_files",
    type=FILE,
    multiple=True,
    required=True,
    help="What systems return, CSV: [system,]query,rank,item; may be given several times.",
)
@click.option(
    "--cutoff",
    "cut_offs",
    type=click.IntRange(min=1),
    multiple=True,
    help="Only at this rank; may be given several times.  [default: each to 200, then by 2 %]",
)
@click.option(
    "--compare-at",
    type=click.IntRange(min=1),
    help="The rank at which systems are compared.  [default: the last that all answers reach]",
)
@click.option(
    "--mixture",
    type=click.Choice(["direct", "whole-tree"]),
    default="direct",
    show_default=True,
    help="Over which categories a query is mixed: those it was assigned to, or all above them too.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["undefined", "left-out"]),
    default="undefined",
    show_default=True,
    help="What an item that nobody judged makes of an answer.",
)
@click.option(
    "--shift",
    type=NumberRange(min=0),
    default=0.0,
    show_default=True,
    metavar="SD",
    help="Let the subjects all err to one side: the standard deviation of a shift of the log odds.",
)
@click.option("--skip-bad-lines", is_flag=True, help="Take what can be read.")
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write tables and figures to this folder.",
)
def uncertain(
    judgements: Path,
    tree: Path,
    answer_files: tuple[Path, ...],
    skip_bad_lines: bool,
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Hold answers against judgements that don't agree: precision and recall as distributions.

    JUDGEMENTS is CSV, subject,item,category. A query is an item that was judged, or a category.
    """
    from spotlab.cli.uncertain_text import uncertain_lines  # noqa: PLC0415
    from spotlab.studies.uncertain.study import study_uncertainty  # noqa: PLC0415
    from spotlab.studies.uncertain.study_json import as_json  # noqa: PLC0415
    from spotlab.studies.uncertain.subject_displacement import displace  # noqa: PLC0415

    check_target(json_file)
    settings = _settings(chosen)
    with progress_bar() as progress:
        read, rankings, remarks = _read(judgements, tree, answer_files, skip_bad_lines, progress)
        try:
            study = study_uncertainty(read.judgements, rankings, settings, progress)
        except ValueError as error:
            raise click.UsageError(f"{error}.", click.get_current_context()) from error
        displaced = displace(read.judgements, rankings, progress)
    if json_file:
        write_json(as_json(study, displaced, remarks), json_file)
    if json_file != "-":
        for line in uncertain_lines(study, displaced, remarks):
            click.echo(line)
    if out is not None:
        from spotlab.report.uncertain import write_uncertain  # noqa: PLC0415 - matplotlib

        with progress_bar() as progress:
            folder = write_uncertain(study, displaced, remarks, out, progress)
        click.echo(f"wrote {folder}", err=json_file == "-")


def _settings(chosen: dict[str, Any]) -> UncertainSettings:
    from spotlab.studies.uncertain.judged_answers import UncertainSettings  # noqa: PLC0415

    return UncertainSettings(
        cut_offs=tuple(sorted(set(chosen["cut_offs"]))),
        mixture="direct" if chosen["mixture"] == "direct" else "whole_tree",
        shift=chosen["shift"],
        unjudged="undefined" if chosen["unjudged"] == "undefined" else "left_out",
        compare_at=chosen["compare_at"],
    )


def _read(
    judgements: Path,
    tree: Path,
    answer_files: tuple[Path, ...],
    skip_bad_lines: bool,
    progress: Progress,
) -> tuple[ReadJudgements, list[Ranking], list[str]]:
    """What the files hold; every line that can't be read is printed."""
    from spotlab.cli.rerank import refuse_bad_lines  # noqa: PLC0415
    from spotlab.formats.judgement_trees.judgement_file import read_judgements  # noqa: PLC0415
    from spotlab.formats.judgement_trees.tree_file import read_tree  # noqa: PLC0415
    from spotlab.formats.lists.rankings import read_answers  # noqa: PLC0415

    categories = read_tree(tree, progress)
    if categories.tree is None:
        for line in categories.bad_lines:
            click.echo(line)
        raise SpotlabError(f"{categories.bad_lines[0]}; a tree has to be right as a whole")
    read = read_judgements(judgements, categories.tree, progress)
    answers = [read_answers(each, progress) for each in answer_files]
    bad = [*read.bad_lines, *(line for each in answers for line in each.bad_lines)]
    refuse_bad_lines(bad, skip_bad_lines)
    remarks = [*categories.remarks, *read.remarks]
    remarks += [remark for each in answers for remark in each.remarks]
    return read, [ranking for each in answers for ranking in each.rankings], remarks
