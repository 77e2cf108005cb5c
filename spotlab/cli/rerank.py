"""`spotlab rerank`: makes a better ranked list of several, judges all of them and purges them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import File, RerankingSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import EXISTING_FILE, FOLDER, csv_safe_option, given, options, resumable
from spotlab.errors import counted
from spotlab.report.figure_text import design_note, written, written_difference, written_interval

if TYPE_CHECKING:
    from spotlab.ranking.list_scale import ListScale
    from spotlab.studies.words.query_means import QueryComparison
    from spotlab.studies.words.ranked_lists import JudgedQuery, ListMeans, Reranking


@click.command()
@click.argument("lists", metavar="LIST…", nargs=-1, required=True, type=EXISTING_FILE)
@options(
    RerankingSettings,
    {"fusion": "--fusion", "settings": "--setting NAME=VALUE"},
    types={"scores": File},
)
@json_option
@click.option(
    "--out",
    type=FOLDER,
    help="Folder for all lists, before and after purging, and a report (HTML, tables, figures).",
)
@csv_safe_option
def rerank(lists: tuple[Path, ...], json_file: str | None, out: Path | None, **chosen: Any) -> None:
    """Fuse, evaluate and purge ranked lists.

    LIST is a CSV file (query,page,x,y,width,height,score) or a TREC run. Several files with lists
    of the same queries count as several systems. Average precision counts all relevant items,
    found or not, and leaves the query itself out where its place is known. Judgements override
    scores: items judged relevant always re-score a list, items judged irrelevant never do.
    """
    from spotlab.api.rerank import rerank as rerank_lists  # noqa: PLC0415 - takes a while

    check_target(json_file)
    with as_options(), resumable(), progress_bar() as progress:
        result = rerank_lists(lists, progress=progress, **given(chosen))
    tell(
        json_file,
        result.as_dict,
        lambda: reranking_lines(result.reranking, result.remarks, result.comparison),
    )
    if out is not None:
        for path in result.write(out):
            say(f"wrote {path}", err=json_file == "-")


FEW_QUERIES = 12  # of which each is printed
COLUMNS = ("AP", "kept", "true", "false", "lost", "removed")


def reranking_lines(
    result: Reranking, remarks: Sequence[str], comparison: QueryComparison
) -> Iterator[str]:
    """The lines to print."""
    from spotlab.ranking.list_scale import written_cut  # noqa: PLC0415 - starts at once

    choices = result.choices
    fusions = ", ".join(fusion.title for fusion in result.fusions) or "none"
    yield f"{counted(len(result.queries), 'query')}; fusions: {fusions}"
    yield (
        f"top {choices.top}, at least {choices.at_least:g}, weight {choices.weight:g}, "
        f"iterations {choices.iterations}; purged at a {result.scale} of "
        f"{written_cut(result.threshold, result.scale)}"
    )
    for remark in remarks:
        yield f"  {remark}"
    placed = [query.query for query in result.queries if (query.query.items.page >= 0).any()]
    if placed:
        yield f"  average precision: {own_note([query.own for query in placed])}"
    yield ""
    width = max((len(each.name) for each in result.means), default=0)
    head = ("queries", "judged", "mAP", *COLUMNS[1:])
    yield " ".join([" " * width, *(f"{name:>8}" for name in head)])
    for mean in result.means:
        yield " ".join([mean.name.ljust(width), *(f"{cell:>8}" for cell in _cells(mean))])
    if any(each.interval["average_precision"] for each in comparison.lists):
        yield ""
        yield from comparison_lines(comparison, width)
    if len(result.queries) <= FEW_QUERIES:
        for query in result.queries:
            yield ""
            yield from _query_lines(query, width, result.scale)


def own_note(own: Sequence[int | None]) -> str:
    """Tell whether average precision counts the query itself, of queries that have it as this item.

    Examples
    --------
    >>> own_note([3, 0]), own_note([None, None])
    ('the query itself is left out', 'the query itself counts, as it is not known which item it is')
    >>> own_note([3, None, None])
    'the query itself is left out of 1 of 3 queries; in the others it is not known'
    """
    known = sum(item is not None for item in own)
    if not known:
        return "the query itself counts, as it is not known which item it is"
    if known == len(own):
        return "the query itself is left out"
    return (
        f"the query itself is left out of {known:,} of {len(own):,} queries; "
        "in the others it is not known"
    )


def comparison_lines(comparison: QueryComparison, width: int) -> Iterator[str]:
    """Mean average precision with its interval, and how surely it differs from the first list."""
    name = "average_precision"
    yield f"{' ' * width}     mAP  95 % over queries  difference from {comparison.reference}"
    for each in comparison.lists:
        difference = each.difference.get(name)
        told = written_difference(difference) if difference else ""
        interval = written_interval(each.interval[name])
        cells = (each.name.ljust(width), f"{written(each.mean[name]):>7} ", f"{interval:18} ", told)
        yield " ".join(cells).rstrip()
    note = design_note(comparison.design, "lists")
    if note:
        yield f"  {note}"


def _cells(mean: ListMeans) -> list[str]:
    numbers = (mean.kept, mean.true, mean.false)
    return [
        f"{mean.queries:,}",
        f"{mean.defined:,}",
        written(mean.mean_average_precision),
        *(f"{number:,}" for number in numbers),
        written(mean.lost),
        written(mean.removed),
    ]


def _query_lines(judged: JudgedQuery, width: int, scale: ListScale) -> Iterator[str]:
    from spotlab.ranking.list_scale import written_cut  # noqa: PLC0415 - starts at once

    relevant = judged.query.relevant
    known = "unknown" if relevant is None else f"{relevant:,}"
    yield f"{judged.query.query}: relevant items: {known}"
    if not judged.lists:
        yield "  not answered"
    for ranked_list in judged.lists:
        point = ranked_list.point
        stays = f"kept {point.kept:,} of {len(ranked_list.ranked):,}"
        if point.true or point.false:
            stays += f" ({point.true:,} true, {point.false:,} false)"
        cuts = ", ".join(
            f"{cut.title} {written_cut(cut.threshold, scale)}"
            for cut in ranked_list.suggestions
            if cut.threshold is not None and cut.name != "tau"
        )
        parts = [f"AP {written(ranked_list.average_precision)}", stays]
        parts += [f"suggested: {cuts}"] if cuts else []
        parts += (
            [f"{ranked_list.tied:,} tied with an item of the other relevance"]
            if ranked_list.tied
            else []
        )
        parts += (
            [f"{ranked_list.tied_at_top:,} tied across the end of the top"]
            if ranked_list.tied_at_top
            else []
        )
        yield f"  {ranked_list.ranked.name.ljust(width)}  " + "; ".join(parts)
