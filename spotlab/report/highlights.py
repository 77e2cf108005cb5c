"""What stands out in a table of runs: the best of a column, and what surely differs from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from spotlab.measures.measure import known_figures
from spotlab.report.figure_text import correction_note
from spotlab.report.tables import Cell, Table

if TYPE_CHECKING:
    from spotlab.measures.intervals import Difference

LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
MEANING = "* p < .05, ** p < .01, *** p < .001"
BEST_NOTE = "Bold: the best of a column, as printed."

Pairs = Mapping[tuple[str, str], Mapping[str, "Difference | None"]]


def with_best(table: Table) -> Table:
    """The table of runs with the best of each column marked; all of them where several are.

    Values count as equal where they are printed alike. Nothing is best in a table of one row, or
    in a column of a figure that is neither better high nor low.

    Examples
    --------
    >>> from spotlab.report.tables import Column
    >>> rows = ((Cell("a"), Cell(".50", 0.5)), (Cell("b"), Cell(".70", 0.7)))
    >>> marked = with_best(Table("", (Column("Run", "run"), Column("F", "f")), rows))
    >>> [row[1].best for row in marked.rows]
    [False, True]
    """
    better = {figure.name: figure.better for figure in known_figures()}
    best = [
        _best_text([row[place] for row in table.rows], better.get(column.name, 0))
        for place, column in enumerate(table.columns)
    ]
    rows = tuple(
        tuple(
            replace(cell, best=cell.value is not None and cell.text == text)
            for cell, text in zip(row, best, strict=True)
        )
        for row in table.rows
    )
    note = BEST_NOTE if any(cell.best for row in rows for cell in row) else ""
    return replace(table, rows=rows, note=_joined(table.note, note))


def with_stars(
    table: Table, difference_of: Callable[[int, str], Difference | None], note: str
) -> Table:
    """The table of runs with stars at values that differ significantly from a reference.

    Parameters
    ----------
    table : Table
    difference_of : callable
        Gives the difference of a row to the reference, by the figure's name; None for none. Its
        corrected p counts.
    note : str
        Says what the reference is.
    """
    rows, starred = [], False
    for number, row in enumerate(table.rows):
        cells = []
        for cell, column in zip(row, table.columns, strict=True):
            difference = difference_of(number, column.name) if cell.value is not None else None
            stars = stars_of(difference.p_holm) if difference else ""
            starred = starred or bool(stars)
            cells.append(replace(cell, stars=stars))
        rows.append(tuple(cells))
    said = f"{note}: {MEANING}." if starred else f"{note}: none with p < .05."
    return replace(table, rows=tuple(rows), note=_joined(table.note, said))


def with_best_and_stars(table: Table, pairs: Pairs, tests: int) -> Table:
    """The table of runs with the best marked, and stars where a run differs from the best.

    Parameters
    ----------
    table : Table
        Its rows are named like the runs.
    pairs : mapping of (str, str) to mapping of str to Difference or None
        For each two runs by name: by figure.
    tests : int
        For how many comparisons their significances are corrected.
    """
    marked = with_best(table)
    if not pairs:
        return marked
    names = [row[0].text for row in marked.rows]
    better = {figure.name: figure.better for figure in known_figures()}
    best = {}
    for place, column in enumerate(marked.columns):
        values = [(row[place].value, name) for row, name in zip(marked.rows, names, strict=True)
                  if row[place].best]  # fmt: skip
        if values:  # of those that are printed alike, the best one in fact
            sign = better[column.name]
            best[column.name] = max(values, key=lambda each: sign * (each[0] or 0.0))[1]

    def to_best(row: int, figure: str) -> Difference | None:
        name, reference = names[row], best.get(figure)
        if reference is None:
            return None
        found = pairs.get((name, reference)) or pairs.get((reference, name)) or {}
        return found.get(figure)

    note = (
        "Stars: differs from the best of the column by the paired randomisation test over queries"
    )
    return with_stars(marked, to_best, _joined(note, _corrected(tests), ", "))


def stars_of(p: float | None) -> str:
    """Stars for a significance; none where it is 0.05 or more, or unknown.

    Examples
    --------
    >>> stars_of(0.0004), stars_of(0.03), stars_of(0.05), stars_of(None)
    ('***', '*', '', '')
    """
    return "" if p is None else next((stars for level, stars in LEVELS if p < level), "")


def only_columns(table: Table, names: Sequence[str]) -> Table:
    """The table with the column of names and these others, in its order."""
    kept = [0, *(place for place, column in enumerate(table.columns)
                 if place and column.name in names)]  # fmt: skip
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def _corrected(tests: int) -> str:
    return f"p corrected by Holm for {tests:,} comparisons" if correction_note(tests) else ""


def _best_text(cells: Sequence[Cell], better: int) -> str | None:
    """What the best of a column is printed as."""
    known = [cell for cell in cells if cell.value is not None]
    if not better or len(cells) < 2 or not known:
        return None
    return max(known, key=lambda cell: better * (cell.value or 0.0)).text


def _joined(first: str, second: str, between: str = " ") -> str:
    return between.join(part for part in (first, second) if part)
