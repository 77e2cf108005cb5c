"""The rows of the Regions panel as a model for a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon

from spotlab.editing.selection import RegionColumn, RegionRow
from spotlab.gui.annotate.panels.history import history_text, time_text
from spotlab.gui.annotate.region_list import RegionList
from spotlab.gui.canvas.view import RegionStyle
from spotlab.gui.kit import theme
from spotlab.gui.kit.rows import RowColumn, RowModel
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region

WIDTHS = (26, 26, 34, 96, 58, 84, 84, 120, 90, 120)  # px
_SIDE = 12  # px of a swatch


class RegionModel(RowModel[RegionRow]):
    """One row for each listed region.

    Attributes
    ----------
    regions : sequence of Region
        In the order of the rows.
    ids : sequence of str
        Theirs.
    places : dict of str to int
        The row of each region, by its id.
    """

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__((), parent, tip=_tip)
        self._workbench = workbench
        self._style = RegionStyle()
        self._swatches: dict[str, QIcon] = {}
        columns = {
            RegionColumn.HIDDEN: RowColumn[RegionRow](
                "", lambda _: "", lambda row: "Show it" if row.hidden else "Hide it",
                lambda row: _sign(row.hidden, "eye-off", "eye-outline"),
                head_tip="Hidden regions; a click on an eye hides or shows the region",
            ),
            RegionColumn.LOCKED: RowColumn[RegionRow](
                "", lambda _: "", lambda row: "Unlock it" if row.locked else "Lock it",
                lambda row: _sign(row.locked, "lock", "lock-open-variant-outline"),
                head_tip="Locked regions; a click on a lock locks or unlocks the region",
            ),
            RegionColumn.NUMBER: RowColumn[RegionRow](
                "#", lambda row: f"{row.number:,}", right=True,
                head_tip="Number of the region on the page, in the order of the truth file",
            ),
            RegionColumn.LABEL: RowColumn[RegionRow](
                "Label", lambda row: row.region.label or "–", icon=self._swatch,
                head_tip="Label; – if there is none",
            ),
            RegionColumn.AREA: RowColumn[RegionRow](
                "Area", lambda row: f"{row.region.area:,.0f}", right=True,
                head_tip="Enclosed area in px², by the even-odd rule",
            ),
            RegionColumn.SIZE: RowColumn[RegionRow](
                "Size", lambda row: "{:,.0f} × {:,.0f}".format(*row.size), right=True,
                head_tip="Width × height of the bounding box, in px; sorted by width",
            ),
            RegionColumn.MARKS: RowColumn[RegionRow](
                "Marks", lambda row: row.marks,
                head_tip="Whether the region is uncertain, or ignored by evaluation",
            ),
            RegionColumn.COMMENT: RowColumn[RegionRow](
                "Comment", lambda row: " ".join(row.region.comment.split()),
                head_tip="Comment of the annotator",
            ),
            RegionColumn.AUTHOR: RowColumn[RegionRow](
                "Author", lambda row: row.author or "–",
                head_tip="Who drew, changed or decided on the region last; – if nobody is known",
            ),
            RegionColumn.CHANGED: RowColumn[RegionRow](
                "Changed", lambda row: "–" if row.changed is None else time_text(row.changed),
                head_tip="When that was, in your time zone",
            ),
        }  # fmt: skip
        self.order = tuple(columns)
        self.columns = tuple(columns.values())
        self.regions: Sequence[Region] = ()
        self.ids: Sequence[str] = ()
        self.places: dict[str, int] = {}
        self.paint_in_theme()

    def show_list(self, listed: RegionList) -> bool:
        """Show what the list has now; False if other regions, or in another order, were shown."""
        rows = listed.rows()
        same = rows.ids == self.ids
        self.regions, self.ids = rows.regions, rows.ids
        self._style.use(self._workbench.labels)
        self.show_rows(rows, same=same)
        if not same:
            self.places = dict(zip(rows.ids, range(len(rows)), strict=True))
        return same

    def place_of(self, id: str) -> int | None:
        """The row of a region; None where it is not listed."""
        return self.places.get(id)

    def paint_in_theme(self) -> None:
        """Icons are painted in the colours of the theme."""
        self._swatches.clear()
        self.tell_changed()

    def _swatch(self, row: RegionRow) -> QIcon:
        colour = self._style.colour(row.region)
        if colour.name() not in self._swatches:
            self._swatches[colour.name()] = QIcon(theme.swatch(colour, _SIDE))
        return self._swatches[colour.name()]


def _sign(on: bool, marked: str, free: str) -> QIcon:
    return theme.icon(marked) if on else theme.icon(free, "#9aa3af")


def _tip(row: RegionRow) -> str:
    region = row.region
    left, top = region.bounds[:2]
    lines = [region.label or "without a label", f"Left {left:,.0f} px, top {top:,.0f} px"]
    lines += [text for text in (row.marks, region.text, region.comment) if text]
    history = history_text(region.history)
    return "\n".join([*lines, history] if history else lines)
