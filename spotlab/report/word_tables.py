"""Tables of ranked lists over queries."""

from __future__ import annotations

from dataclasses import replace

from spotlab.report.figure_text import (
    correction_note,
    written,
    written_difference,
    written_interval,
)
from spotlab.report.highlights import BEST_NOTE, MEANING, stars_of
from spotlab.report.tables import UNDEFINED, Cell, Column, Table
from spotlab.studies.words.query_means import FIGURES, ListMean, QueryComparison


def means_table(comparison: QueryComparison) -> Table:
    """A row for each list: means over queries, their intervals below."""
    columns = (
        Column("List", "list"),
        Column("Queries", "queries", "Number of queries that have this list."),
        *(Column(figure.title, figure.name, figure.definition) for figure in FIGURES),
    )
    rows = []
    for each in comparison.lists:
        cells = [_mean_cell(each, figure.name) for figure in FIGURES]
        name = Cell(each.title, name=each.name)
        rows.append((name, Cell(f"{each.queries:,}", each.queries), *cells))
    table = Table("Lists", columns, tuple(_with_best(rows)), has_ends=True)
    notes = [BEST_NOTE] if len(rows) > 1 else []
    if len(rows) > 1 and comparison.tests:
        title = next(e.title for e in comparison.lists if e.name == comparison.reference)
        starred = any(cell.stars for row in rows for cell in row)
        stars = MEANING if starred else "none with p < .05"
        notes.append(f"Stars: differs from {title} (paired randomisation test, Holm): {stars}.")
    return replace(table, note=" ".join(notes))


def _mean_cell(each: ListMean, figure: str) -> Cell:
    value, interval = each.mean[figure], each.interval[figure]
    difference = each.difference.get(figure)
    return Cell(
        written(value),
        value,
        written_interval(interval),
        None if interval is None else (interval.low, interval.high),
        stars=stars_of(difference.p_holm) if difference else "",
    )


def _with_best(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The best of each figure marked, all of those that are printed alike."""
    if len(rows) < 2:
        return rows
    best = [
        max((row[place] for row in rows if row[place].value is not None),
            key=lambda cell: cell.value or 0.0, default=Cell(UNDEFINED)).text
        for place in range(len(rows[0]))
    ]  # fmt: skip
    return [
        (
            *row[:2],
            *(
                replace(cell, best=cell.value is not None and cell.text == text)
                for cell, text in zip(row[2:], best[2:], strict=True)
            ),
        )
        for row in rows
    ]


def differences_table(comparison: QueryComparison) -> Table:
    """A row for each list but the reference: its differences, intervals and significances."""
    title = next(each.title for each in comparison.lists if each.name == comparison.reference)
    columns = (
        Column("List", "list"),
        *(Column(figure.title, figure.name, figure.definition) for figure in FIGURES),
    )
    rows = []
    for each in comparison.lists:
        if each.name == comparison.reference:
            continue
        cells = []
        for figure in FIGURES:
            difference = each.difference.get(figure.name)
            if difference is None:
                cells.append(Cell(UNDEFINED))
                continue
            text = written_difference(difference)
            value, _, rest = text.partition(" ")
            ends = (difference.low, difference.high)
            cells.append(Cell(value, difference.value, rest, ends))
        rows.append((Cell(each.title, name=each.name), *cells))
    note = correction_note(comparison.tests)
    return Table(f"Differences from {title}, paired by query", columns, tuple(rows), note, True)


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
        values = [query.value(each.name, "average_precision") for each in comparison.lists]
        rows.append(
            (
                Cell(query.query),
                Cell(UNDEFINED) if relevant is None else Cell(f"{relevant:,}", relevant),
                *(Cell(written(value), value) for value in values),
            )
        )
    return Table("Every query", columns, tuple(rows))
