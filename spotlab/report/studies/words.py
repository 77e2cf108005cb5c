"""Ranked lists of words as a report: means over queries, paired tests, and the words themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from spotlab.errors import counted
from spotlab.progress import Progress, silent, track
from spotlab.report.figure_text import design_note, written
from spotlab.report.run_tables import (
    figure_columns,
    mean_cell,
    with_best,
    with_stars,
)
from spotlab.report.studies.study import StudySection, file_name, free_name, write_study
from spotlab.report.studies.word_sheets import (
    Crop,
    image_html,
    precision_recall,
    score_lines,
    sheet_figure,
    sheet_html,
    sheets_of,
)
from spotlab.report.tables import Cell, Column, Table, difference_cell, figure_cell
from spotlab.studies.words.query_means import (
    FIGURES,
    ListMean,
    QueryComparison,
    QueryFigures,
    StudiedQuery,
    as_json,
    compare_queries,
)

EACH = 3  # queries of highest average precision that are shown, and of lowest
INSTANCES = 6  # words of which representative and difficult instances are shown


@dataclass(frozen=True, eq=False)
class WordReport:
    """Data from which a report on ranked lists of words is made.

    Attributes
    ----------
    queries : sequence of StudiedQuery
    threshold : str
        At which score lists are purged, for people.
    crop : callable
        Gives the picture of an item, (h, w) grey; None where there is none.
    settings : sequence of str
        How the lists were made, a line each.
    remarks : sequence of str
        What a person should know of what was read.
    reference : str or None
        Name of the list that others are compared with; the first by default.
    """

    queries: Sequence[StudiedQuery]
    threshold: str
    crop: Crop
    settings: Sequence[str] = ()
    remarks: Sequence[str] = field(default_factory=tuple)
    reference: str | None = None


def write_words(report: WordReport, directory: Path, progress: Progress = silent) -> Path:
    """Write the report; gives its page.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    comparison = compare_queries([query.figures() for query in report.queries], report.reference)
    shown = extreme_queries(report.queries, comparison)
    sections = [
        _means(comparison, report),
        _curves(report, comparison),
        _queries(report, comparison),
        *_instances(report),
        *word_sheets(shown, report.crop, progress),
        _made(report),
    ]
    numbers: dict[str, Any] = {
        **as_json(comparison),
        "settings": list(report.settings),
        "remarks": list(report.remarks),
    }
    title = "Ranked lists of words"
    return write_study(directory, title, _summary(comparison, report), sections, numbers)


def extreme_queries(
    queries: Sequence[StudiedQuery], comparison: QueryComparison, each: int = EACH
) -> list[tuple[str, StudiedQuery]]:
    """The queries with the highest average precision, and those with the lowest, best first.

    Of the list that is best on average. Each comes with why it is shown; without any average
    precision the first queries are.
    """
    by_name = {query.name: query for query in queries}
    best = comparison.best
    rising = [by_name[each.query] for each in comparison.hardest(best)] if best else []
    if not rising:
        return [("", query) for query in queries[: 2 * each]]
    if len(rising) <= 2 * each:
        return [("", query) for query in reversed(rising)]
    high = [("among the highest AP", query) for query in rising[: -each - 1 : -1]]
    return high + [("among the lowest AP", query) for query in reversed(rising[:each])]


def _summary(comparison: QueryComparison, report: WordReport) -> str:
    queries, lists = len(comparison.queries), len(comparison.lists)
    parts = [f"{counted(queries, 'query')}, {counted(lists, 'list')}."]
    best = next((each for each in comparison.lists if each.name == comparison.best), None)
    if best is not None and lists > 1:
        value = written(best.mean["average_precision"])
        parts.append(f"{best.title} has the highest mean average precision, {value}.")
    parts.append(f"Lists are purged {report.threshold}.")
    own = sum(query.truth.own is not None for query in report.queries)
    known = "in all queries" if own == queries else f"in {own:,} of {queries:,} queries"
    if own:
        parts.append(f"The query itself is left out {known}.")
    elif any((query.items.page >= 0).any() for query in report.queries):
        parts.append("The query itself counts, as it is not known which word it is.")
    return " ".join(parts)


def _means(comparison: QueryComparison, report: WordReport) -> StudySection:
    tables = {"means": means_table(comparison)}
    if len(comparison.lists) > 1:
        tables["differences"] = differences_table(comparison)
    return StudySection(
        "Means over queries",
        [
            "Means over the queries with words to be found, with 95 % intervals over "
            "queries; where a list does not answer one, nothing is found for it. A mean over fewer "
            "says how many they are (n). Precision, recall and F are those of what purging keeps, "
            f"{report.threshold}."
        ],
        tables,
        {},
    )


def _curves(report: WordReport, comparison: QueryComparison) -> StudySection:
    figures = {"precision-recall": precision_recall(report.queries, comparison)}
    some = [query for _, query in extreme_queries(report.queries, comparison) if query.lists]
    figures["scores"] = score_lines(some)
    return StudySection(
        "Curves",
        [
            "Precision over recall: the mean over queries of the highest precision at this recall "
            "or a higher one; a query that does not reach a recall counts as 0 there. Score over "
            "rank for the queries whose words are shown below: right words as full marks, others "
            "as hollow ones (Hast 2020, Fig. 3)."
        ],
        {},
        figures,
    )


def _queries(report: WordReport, comparison: QueryComparison) -> StudySection:
    blocks = []
    for why, query in extreme_queries(report.queries, comparison):
        image = query.image()
        picture = image_html(report.crop(*image) if image else None, query.name)
        best = comparison.best
        own = next((each for each in query.lists if each.name == best), None)
        value = "not answered" if own is None else f"AP {written(own.average_precision)}"
        said = f"{query.name}: {value}" + (f", {why}" if why else "")
        blocks.append(
            Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(picture, said)
        )
    images = Markup('<div class="words large">{}</div>').format(Markup("").join(blocks))
    return StudySection(
        "Queries",
        ["Average precision of each list for each query. A click on a head sorts the table."],
        {"queries": queries_table(comparison)},
        {},
        blocks=[images] if blocks else (),
    )


def _instances(report: WordReport) -> list[StudySection]:
    """Fig. 1: what the instances of a word look like that are good and that are bad queries."""
    blocks: list[Markup] = []
    left = 0
    for query in report.queries:
        chosen = query.instances()
        if not len(chosen[0]):
            continue
        if len(blocks) == INSTANCES:
            left += 1
            continue
        rows = [
            Markup('<div class="words large">{}</div>').format(
                Markup("").join(
                    Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(
                        image_html(report.crop(query.items, item), query.items.text(item) or ""),
                        query.items.page_name(item),
                    )
                    for item in items.tolist()
                )
            )
            for items in chosen
        ]
        blocks.append(
            Markup('<h4>{} <span class="quiet">representative, then difficult</span></h4>{}{}')
            .format(query.name, *rows)
        )  # fmt: skip
    if not blocks:
        return []
    paragraphs = [
        "Instances that are most like the other instances of the word (upper row) make good "
        "queries, those that are least like them (lower row) make difficult ones (Hast 2020, "
        "§4 and Fig. 1)."
    ]
    notes = [f"The first {INSTANCES} words; {left:,} more are not shown."] if left else []
    title = "Representative and difficult instances"
    return [StudySection(title, paragraphs, {}, {}, notes, blocks)]


def word_sheets(
    shown: Sequence[tuple[str, StudiedQuery]], crop: Crop, progress: Progress = silent
) -> list[StudySection]:
    """Figs. 4 and 5: the words of all lists of some queries, in a page and as files."""
    blocks: list[Markup] = []
    files: dict[str, Figure] = {}
    listed = [(why, query) for why, query in shown if query.lists]
    for why, query in track(listed, progress, "cutting out words"):
        sheets = sheets_of(query, crop)
        head = f"{query.name}" + (f" ({why})" if why else "")
        blocks.append(Markup("<h3>{}</h3>{}").format(head, sheet_html(sheets)))
        files[free_name(f"sheet-{file_name(query.name, 'query')}", files)] = sheet_figure(
            head, sheets
        )
    if not blocks:
        return []
    text = (
        "The first words of each list, best first: right ones in green and ✓, wrong ones in red "
        "and ✗, grey where nobody knows. Purged words are faint. A dashed frame marks the query "
        "itself. The same sheets are files beside this page, as PNG and PDF."
    )
    return [StudySection("Word sheets", [text], {}, {}, (), blocks, files)]


def _made(report: WordReport) -> StudySection:
    definitions = [f"{figure.title}: {figure.definition}" for figure in FIGURES]
    paragraphs = [
        "Intervals are Student's, corrected for skewness (Hall 1992). "
        "Tests are paired randomisation tests, corrected by Holm (1979) for all that are listed."
    ]
    return StudySection(
        "Definitions and settings",
        paragraphs,
        {},
        {},
        [*definitions, *report.settings, *report.remarks],
    )


def means_table(comparison: QueryComparison) -> Table:
    """A row for each list: means over queries, their intervals below."""
    columns = (
        Column("List", "list"),
        Column("Queries", "queries", "Number of queries that have this list."),
        Column(
            "Unanswered",
            "unanswered",
            "Number of queries with words to be found that have no such list; they count 0.",
        ),
        *figure_columns(FIGURES, over="mean"),
    )
    rows = []
    for each in comparison.lists:
        cells = [_mean_cell(each, figure.name, comparison) for figure in FIGURES]
        name = Cell(each.title, name=each.name)
        counts = (each.queries, each.unanswered)
        rows.append((name, *(figure_cell(count, "count") for count in counts), *cells))
    table = with_best(Table("Lists", columns, tuple(rows), has_ends=True))
    if len(rows) < 2 or not comparison.design.tests:
        return table
    title = next(e.title for e in comparison.lists if e.name == comparison.reference)
    return with_stars(
        table,
        lambda row, figure: comparison.lists[row].difference.get(figure),
        f"Stars: differs from {title} (paired randomisation test, Holm)",
    )


def _mean_cell(each: ListMean, figure: str, comparison: QueryComparison) -> Cell:
    value, interval = each.mean[figure], each.interval[figure]
    over = [q.query for q in comparison.queries if q.value(each.name, figure) is not None]
    most = sum(bool(query.relevant) for query in comparison.queries)
    return mean_cell(figure_cell(value, "", interval), over, most)


def differences_table(comparison: QueryComparison) -> Table:
    """A row for each list but the reference: its differences, intervals and significances."""
    title = next(each.title for each in comparison.lists if each.name == comparison.reference)
    columns = (
        Column("List", "list"),
        *figure_columns(FIGURES),
    )
    rows = [
        (
            Cell(each.title, name=each.name),
            *(difference_cell(each.difference.get(figure.name)) for figure in FIGURES),
        )
        for each in comparison.lists
        if each.name != comparison.reference
    ]
    note = design_note(comparison.design, "lists")
    return Table(f"Differences from {title}, paired by query", columns, tuple(rows), note, True)


def _query_cell(query: QueryFigures, name: str) -> Cell:
    """Average precision of a list; where it does not answer the query, that and the 0 it counts."""
    cell = figure_cell(query.value(name, "average_precision"))
    return replace(cell, text="not answered") if query.is_unanswered(name) else cell


def queries_table(comparison: QueryComparison) -> Table:
    """A row for each query: how many words it has to find, and each list's average precision."""
    columns = (
        Column("Query", "query"),
        Column("Relevant", "relevant", "Words to be found, without the query itself."),
        *(Column(f"AP {each.title}", f"ap_{each.name}") for each in comparison.lists),
    )
    rows = []
    for query in comparison.queries:
        relevant = query.relevant
        cells = [_query_cell(query, each.name) for each in comparison.lists]
        rows.append((Cell(query.query), figure_cell(relevant, "count"), *cells))
    return Table("Every query", columns, tuple(rows))
