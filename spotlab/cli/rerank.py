"""`spotlab rerank`: makes a better ranked list of several, judges all of them and purges them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.finite import FINITE, Finite
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.progress_bar import progress_bar
from spotlab.errors import NotSaved, SpotlabError, reason

if TYPE_CHECKING:
    from spotlab.formats.lists.format import ReadLists
    from spotlab.formats.lists.judgements import ReadJudgements
    from spotlab.formats.rows.bad_lines import BadLine
    from spotlab.progress import Progress
    from spotlab.ranking.fusion import Choices
    from spotlab.studies.words.ranked_lists import Reranking, ScoresBetween

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("lists", metavar="LIST…", nargs=-1, required=True, type=FILE)
@click.option("--scores", type=FILE, help="Scores of the items with each other, .npz.")
@click.option("--qrels", type=FILE, help="What is relevant, as TREC has it.")
@click.option("--judgements", type=FILE, help="What a person said of items, as the window has it.")
@click.option(
    "--fusion",
    "fusions",
    multiple=True,
    help="How a list is made; may be given several times.  [default: cr with --scores, "
    "reciprocal_rank for several lists]",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="At most so many items re-score a list.",
)
@click.option(
    "--at-least",
    type=FINITE,
    default=0.8,
    show_default=True,
    help="Only items with this score re-score a list.",
)
@click.option(
    "--weight",
    type=Finite(min=0),
    default=0.0,
    show_default=True,
    help="An item that re-scores weighs its score to this power.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How often a list re-scores itself.",
)
@click.option(
    "--setting",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A setting that only some fusions know, such as rank_constant=60.",
)
@click.option(
    "--purge",
    "threshold",
    type=FINITE,
    default=0.7,
    show_default=True,
    help="Items with this score or more stay.",
)
@click.option("--skip-bad-lines", is_flag=True, help="Rank what can be read.")
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write all lists, and what purging leaves of them, to this folder.",
)
def rerank(
    lists: tuple[Path, ...],
    scores: Path | None,
    qrels: Path | None,
    judgements: Path | None,
    fusions: tuple[str, ...],
    threshold: float,
    skip_bad_lines: bool,
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Fuse ranked lists, judge them and purge them.

    A LIST is CSV (query,page,x,y,width,height,score) or a run of TREC. Several files with lists
    of the same queries are several systems. Judged items count as judged; the relevant ones
    surely re-score a list, the others never do.
    """
    from spotlab.cli.rerank_text import reranking_lines  # noqa: PLC0415 - takes half a second
    from spotlab.studies.words.ranked_lists import rerank as rerank_lists  # noqa: PLC0415
    from spotlab.studies.words.ranked_lists_json import as_json  # noqa: PLC0415

    check_target(json_file)
    choices = _choices(chosen)
    with progress_bar() as progress:
        read = _read(lists, qrels, skip_bad_lines, progress)
        judged = _read_judgements(judgements, skip_bad_lines)
        between, remarks = _read_scores(scores)
        names = fusions or _usual(read, scores is not None)
        try:
            result = rerank_lists(
                read.queries, between, names, choices, threshold, progress, judged=judged
            )
        except ValueError as error:
            raise click.UsageError(str(error), click.get_current_context()) from error
    if json_file:
        write_json(as_json(result, (*read.remarks, *remarks)), json_file)
    if json_file != "-":
        for line in reranking_lines(result, (*read.remarks, *remarks)):
            click.echo(line)
    if out is not None:
        for path in _write(result, out):
            click.echo(f"wrote {path}", err=json_file == "-")


def _choices(chosen: dict[str, Any]) -> Choices:
    from spotlab.ranking.fusion import Choices, fusions  # noqa: PLC0415

    known = {setting.name for fusion in fusions().values() for setting in fusion.settings}
    more = {}
    for setting in chosen.pop("settings"):
        name, _, value = setting.partition("=")
        try:
            more[name.strip()] = float(value)
        except ValueError as error:
            problem = f"--setting is {setting!r}; expected NAME=VALUE with a number."
            raise click.UsageError(problem, click.get_current_context()) from error
        if name.strip() not in known:
            problem = f"there is no setting {name.strip()!r}; there are {', '.join(sorted(known))}."
            raise click.UsageError(problem, click.get_current_context())
    return Choices(more=more, **chosen)


def _read(
    paths: Sequence[Path], qrels: Path | None, skip_bad_lines: bool, progress: Progress
) -> ReadLists:
    """The lists with their truth; every line that can't be read is printed."""
    from spotlab.formats.lists.qrels import judge, read_qrels  # noqa: PLC0415
    from spotlab.formats.lists.reading import read_lists  # noqa: PLC0415

    read = read_lists(paths, progress)
    truth = read_qrels(qrels, progress) if qrels is not None else None
    refuse_bad_lines([*read.bad_lines, *(truth.bad_lines if truth else ())], skip_bad_lines)
    if not read.queries:
        raise SpotlabError(f"{paths[0]}: there is no ranked list in it; expected a row at least")
    return read if truth is None else judge(read, truth)


def _read_judgements(path: Path | None, skip_bad_lines: bool) -> ReadJudgements | None:
    from spotlab.formats.lists.judgements import read_judgements  # noqa: PLC0415

    if path is None:
        return None
    read = read_judgements(path)
    refuse_bad_lines(read.bad_lines, skip_bad_lines)
    return read


def refuse_bad_lines(bad_lines: Sequence[BadLine], skip: bool) -> None:
    """Print bad lines.

    Raises
    ------
    SpotlabError
        There are some and they are not to be skipped.
    """
    if skip or not bad_lines:
        return
    for line in bad_lines:
        click.echo(line)
    number = "1 bad line" if len(bad_lines) == 1 else f"{len(bad_lines):,} bad lines, the first"
    raise SpotlabError(f"{number}: {bad_lines[0]}; --skip-bad-lines takes the rest")


def _read_scores(path: Path | None) -> tuple[ScoresBetween | None, tuple[str, ...]]:
    from spotlab.formats.lists.score_file import read_scores  # noqa: PLC0415

    if path is None:
        return None, ()
    read = read_scores(path)
    return read.among, read.remarks


def _usual(read: ReadLists, between: bool) -> tuple[str, ...]:
    """The fusion where none is named; none for single lists, which are only judged and purged."""
    if between:
        return ("cr",)
    several = any(len(query.lists) > 1 for query in read.queries)
    return ("reciprocal_rank",) if several else ()


def _write(result: Reranking, folder: Path) -> list[Path]:
    """Write the lists, those that stay when purged, and of named items runs of TREC."""
    from spotlab.formats.lists.csv_write import write_csv  # noqa: PLC0415
    from spotlab.formats.lists.trec_run import write_trec  # noqa: PLC0415
    from spotlab.studies.words.ranked_lists import made_lists, purged_lists, whole_lists  # noqa: PLC0415

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{folder} cannot be written: {reason(error)}") from error
    files = [folder / "lists.csv", folder / "purged.csv"]
    write_csv(whole_lists(result), files[0])
    write_csv(purged_lists(result), files[1])
    if all(query.query.items.names for query in result.queries) and result.fusions:
        try:
            write_trec(made_lists(result), folder / "made.trec")
        except ValueError:
            return files  # names with spaces in them
        files.append(folder / "made.trec")
    return files
