"""Votes as a model of items × systems that fetches only the rows that are looked at."""

from __future__ import annotations

import html
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from spotlab.arrays import Floats, Ints
from spotlab.consensus.precision import item_probability
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.row_model import ROW_ROLE, LazyRows, RowColumn, RowModel
from spotlab.gui.systems.loaded_votes import Loaded
from spotlab.gui.systems.state import Systems
from spotlab.report.figure_text import written

VALUE_ROLE = ROW_ROLE + 1  # a vote or P(δ) as a number, NaN where it is not known
BLOCK = 128  # rows that are fetched at the same time
KEPT = 64  # blocks
YES, NO, UNKNOWN = "✓", "·", "?"
PROBABILITY = rich(
    "<p><b>P(δ)</b></p><p>How likely an item is relevant: the weighted share of the votes for it, "
    "ΣκₖSₖ(δ) / Σκₖ over all whose vote is known, ⊤ and ⊥ voting too (Lamiroy &amp; Sun 2013, "
    "eq. 13).</p>"
)
TRUTH_TIP = rich("<p><b>Truth</b></p><p>✓ relevant · not relevant – nobody knows.</p>")


class VoteColumn(NamedTuple):
    """What stands in a column: ``kind`` is "text", "page", "truth", "probability" or "vote"."""

    kind: str
    title: str
    system: int = -1


class _Block(NamedTuple):
    votes: Floats  # (rows, systems)
    probability: Floats  # (rows,)


class VoteModel(RowModel[int]):
    """A row for each item; votes are fetched in blocks and the last ones kept.

    What is shown are places in ``order``.

    Attributes
    ----------
    votes : tuple of VoteColumn
        What stands in each column.
    order : (K,) int
        The item of each row.
    loaded : Loaded or None
        The votes that these are items of; nothing is read of any others.
    """

    def __init__(self, systems: Systems, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.systems = systems
        self.votes: tuple[VoteColumn, ...] = ()
        self.names = RowColumn("", self._name, self._name)
        self.order: Ints = np.zeros(0, np.int64)
        self.loaded: Loaded | None = None
        self._votes: OrderedDict[int, Floats] = OrderedDict()
        self._probability: dict[int, Floats] = {}

    @property
    def table(self) -> VoteTable | None:
        """The votes that rows are shown of."""
        return self.loaded.table if self.loaded else None

    def use(self, order: Ints) -> None:
        """Show these items of the votes that are open."""
        self.order, self.loaded = order, self.systems.loaded
        self._votes.clear()
        self._probability.clear()
        self.votes = self._vote_columns()
        self.columns = tuple(self._column(at) for at in range(len(self.votes)))
        self.show_rows(LazyRows(len(order), lambda row: row))

    def weigh(self, rows: range) -> None:
        """Other weights: P(δ) is another in every row; only those in sight need to be told."""
        self._probability.clear()
        at = self.column_of("probability")
        for row in rows:  # one by one: a view paints all of itself anew for a range
            index = self.index(row, at)
            self.dataChanged.emit(index, index)

    def column_of(self, kind: str, system: int = -1) -> int:
        """Where it stands; -1 where it does not."""
        places = {(column.kind, column.system): at for at, column in enumerate(self.votes)}
        return places.get((kind, system), -1)

    def row_of(self, item: int | None) -> int | None:
        """Where an item is shown."""
        if item is None:
            return None
        rows = np.flatnonzero(self.order == item)
        return int(rows[0]) if len(rows) else None

    def item(self, row: int) -> int:
        """The item of a row."""
        return int(self.order[row])

    def value(self, row: int, column: int) -> float:
        """A vote, the truth or P(δ); NaN where it is not known."""
        what = self.votes[column]
        if what.kind == "vote":
            return float(self._block(row).votes[row % BLOCK, what.system])
        if what.kind == "probability":
            return float(self._block(row).probability[row % BLOCK])
        table = self.table
        if what.kind == "truth" and table is not None and table.truth is not None:
            return float(table.truth[self.order[row]])
        return float("nan")

    def _column(self, at: int) -> RowColumn[int]:
        return RowColumn(
            self.votes[at].title,
            lambda row: self._text(row, at),
            lambda row: self._tip(row, at),
            head_tip=self._head_tip(self.votes[at]),
            more={VALUE_ROLE: lambda row: self.value(row, at)},
        )

    def _name(self, row: int) -> str:
        return self.table.items[self.order[row]] if self.table else ""

    def _vote_columns(self) -> tuple[VoteColumn, ...]:
        table = self.table
        if table is None:
            return ()
        before = [VoteColumn("truth", "Truth")] if table.truth is not None else []
        after = [VoteColumn("text", "Text")] if table.texts else []
        after += [VoteColumn("page", "Page")] if table.pages else []
        votes = (VoteColumn("vote", name, at) for at, name in enumerate(table.systems))
        return (*before, VoteColumn("probability", "P(δ)"), *votes, *after)

    def _block(self, row: int) -> _Block:
        loaded, consensus = self.loaded, self.systems.consensus
        assert loaded is not None and consensus is not None  # there is a row
        number = row // BLOCK
        items = self.order[number * BLOCK : (number + 1) * BLOCK]
        votes = self._votes.get(number)
        if votes is None:
            votes = self._votes[number] = loaded.votes.rows(items)
            while len(self._votes) > KEPT:
                self._probability.pop(self._votes.popitem(last=False)[0], None)
        probability = self._probability.get(number)
        if probability is None:
            probability = item_probability(loaded.votes, consensus.weights, items)
            self._probability[number] = probability
        return _Block(votes, probability)

    def _text(self, row: int, at: int) -> str:
        table, kind = self.table, self.votes[at].kind
        assert table is not None  # there is a row
        if kind in ("text", "page"):
            return (table.texts if kind == "text" else table.pages)[self.item(row)]
        return self._mark(self.value(row, at), kind)

    def _mark(self, value: float, kind: str) -> str:
        if kind == "probability":
            return written(value)
        if np.isnan(value):
            return "–" if kind == "truth" else UNKNOWN
        return {1.0: YES, 0.0: NO}.get(value, written(value))

    def _tip(self, row: int, at: int) -> str:
        table, column = self.table, self.votes[at]
        assert table is not None  # there is a row
        item = html.escape(table.items[self.order[row]])
        value = self.value(row, at)
        if column.kind == "probability":
            return rich(f"<p><b>{item}</b>: P(δ) {written(value)}</p>{PROBABILITY}")
        if column.kind == "truth":
            said = {1.0: "relevant", 0.0: "not relevant"}.get(value, f"relevant with {value:.3g}")
            said = "nobody knows whether it is relevant" if np.isnan(value) else said
            return rich(f"<p><b>{item}</b>: {said} in truth</p>")
        if column.kind != "vote":
            return rich(
                f"<p><b>{item}</b></p><p>{html.escape(str(self.index(row, at).data()))}</p>"
            )
        said = {1.0: "votes for it", 0.0: "does not vote for it"}.get(
            value, f"votes for it with {value:.3g}"
        )
        said = "its vote is not known" if np.isnan(value) else said
        return rich(f"<p><b>{item}</b></p><p>{html.escape(column.title)}: {said}</p>")

    def _head_tip(self, column: VoteColumn) -> str:
        if column.kind == "probability":
            return rich(f"{PROBABILITY}<p>A click puts the highest first, then the lowest.</p>")
        if column.kind == "truth":
            return TRUTH_TIP
        if column.kind != "vote":
            return column.title
        table = self.table
        assert table is not None  # it has columns
        lines = [
            f"{html.escape(factor)}: {html.escape(values[column.system])}"
            for factor, values in table.factors.items()
            if values[column.system]
        ]
        votes = float(table.votes.counts_for[column.system])
        lines.append(f"votes for {votes:,.6g} of {len(table):,} items")
        return rich(f"<p><b>{html.escape(column.title)}</b></p><p>{'<br>'.join(lines)}</p>")
