"""Results in short: a heading, a small table and notes, as text and as HTML for notebooks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from spotlab.errors import shortened
from spotlab.report.figure_text import aligned
from spotlab.representation import visible

MOST_ROWS = 10
MOST_NOTES = 4
LONGEST = 60  # characters of a name
LONGEST_NOTE = 160


class Result(Protocol):
    """Result of a job, with a summary."""

    @property
    def summary(self) -> ResultSummary:
        """The result in short."""


@dataclass(frozen=True)
class ResultSummary:
    """A result in at most 20 lines.

    Attributes
    ----------
    title : str
        One line.
    heads : tuple of str
        The columns of the table; the first names the rows.
    rows : tuple of tuple of str
        All of them; the first ones are shown.
    notes : tuple of str
        What a reader has to know besides; the first ones are shown.
    """

    title: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal.

        Examples
        --------
        >>> print(ResultSummary("1 run", ("run", "F"), (("mine", ".831"),)).text())
        1 run
        run      F
        mine  .831
        """
        lines = [shortened(self.title, LONGEST_NOTE)]
        if self.rows:
            lines += aligned([self.heads, *self._rows()])
        return "\n".join(map(visible, [*lines, *self._left(), *self._notes()]))

    def html(self) -> str:
        """For a notebook.

        Examples
        --------
        >>> ResultSummary("no run", notes=("nothing was <found>",)).html()
        '<p><b>no run</b></p><p>nothing was &lt;found&gt;</p>'
        """
        parts = [f"<p><b>{html.escape(shortened(self.title, LONGEST_NOTE))}</b></p>"]
        if self.rows:
            lines = [_html_row(self.heads, "th"), *(_html_row(row, "td") for row in self._rows())]
            parts.append(f"<table>{''.join(lines)}</table>")
        notes = [*self._left(), *self._notes()]
        return "".join([*parts, *(f"<p>{html.escape(note)}</p>" for note in notes)])

    def _rows(self) -> list[list[str]]:
        return [[shortened(cell, LONGEST) for cell in row] for row in self.rows[:MOST_ROWS]]

    def _left(self) -> list[str]:
        more = len(self.rows) - MOST_ROWS
        return [f"… and {more:,} more"] if more > 0 else []

    def _notes(self) -> list[str]:
        notes = [
            shortened(" ".join(note.split()), LONGEST_NOTE) for note in self.notes[:MOST_NOTES]
        ]
        more = len(self.notes) - MOST_NOTES
        return [*notes, f"… and {more:,} more notes"] if more > 0 else notes


def text_of(result: Result) -> str:
    """Return what `repr` says of a result.

    Parameters
    ----------
    result : Result
    """
    return result.summary.text()


def html_of(result: Result) -> str:
    """Return what a notebook shows of a result.

    Parameters
    ----------
    result : Result
    """
    return result.summary.html()


def _html_row(cells: Sequence[str], kind: str) -> str:
    first, *others = (html.escape(cell) for cell in cells)
    numbers = "".join(f'<{kind} style="text-align: right">{cell}</{kind}>' for cell in others)
    return f'<tr><{kind} style="text-align: left">{first}</{kind}>{numbers}</tr>'
