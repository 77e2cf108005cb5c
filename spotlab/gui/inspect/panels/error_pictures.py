"""The errors of a list as small pictures of their pages."""

from __future__ import annotations

from spotlab.gui.inspect.panels.case_crops import CaseCrops, region_key, spot_key
from spotlab.gui.inspect.panels.case_gallery import Case, CaseGallery
from spotlab.gui.inspect.panels.error_model import LOOKS, ErrorModel, ErrorRow
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.report.figure_text import UNDEFINED


class ErrorPictures:
    """Fills a gallery with a case for each row of the model; pictures are cut when they are seen.

    Attributes
    ----------
    gallery : CaseGallery
    """

    def __init__(self, inspection: Inspection, model: ErrorModel) -> None:
        self.gallery = CaseGallery()
        self._inspection, self._model = inspection, model
        self._crops: CaseCrops | None = None

    def show_rows(self) -> None:
        """Show the rows as they are now."""
        table = self._model.table
        if table is None:
            return
        if self._crops is None or self._crops.errors is not table.list.errors:
            pictures, truths = self._inspection.page_pictures(), self._inspection.runs.truth.all
            self._crops = CaseCrops(pictures, table.list.errors, truths)
        model = self._model
        self.gallery.show_cases(
            model.rowCount(), lambda at: case_of(model.shown[at]), self._crops.crop
        )
        self.gallery.mark(model.row_of_choice())


def case_of(row: ErrorRow) -> Case:
    """An error as a picture with two lines of text."""
    place, texts = row.place, row.texts
    other = texts["taken_for"]
    key = region_key(place.region or 0) if place.spot is None else spot_key(place.spot)
    lies = "found as" if place.spot is None else "on"
    note = place.kind.words if other == UNDEFINED else f"{place.kind.words}, {lies} {other}"
    return Case(key, f"{texts['query']} · {texts['page']}", note, LOOKS[place.kind][1])
