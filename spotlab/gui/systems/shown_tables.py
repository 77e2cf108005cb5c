"""Which page of Systems is in front, and in which order its tables stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


class TableChoices(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of them.

    Attributes
    ----------
    page : str
        Title of the page in front.
    column : str
        Name of the figure by which the ranking is sorted; empty for the systems' names.
    falling : bool
        Whether the highest value comes first.
    votes : str
        Order of the items, as `By`.
    """

    page: str = "Ranking"
    column: str = "rank"
    falling: bool = False
    votes: str = "file"


class ShownTables:
    """Told by the tables what the user chose; tells them what was chosen before.

    Attributes
    ----------
    choices : TableChoices
    """

    def __init__(self, workbench: Workbench) -> None:
        self.choices = TableChoices()
        self.changed = Signal[[]]()

    def use(self, choices: TableChoices) -> None:
        """Show other pages and orders."""
        if choices != self.choices:
            self.choices = choices
            self.changed.emit()

    def choose(self, **values: str | bool) -> None:
        """Change some of them."""
        self.use(msgspec.structs.replace(self.choices, **values))
